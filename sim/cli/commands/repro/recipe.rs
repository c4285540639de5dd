//! How a figure is made from its table: which runs it needs, what is drawn from them.

use super::figure::{Figure, Panel};
use super::measure::Measure;
use super::runs::{Key, Runs};
use crate::report::chart::Series;
use regshare_sim::bundled;

/// The machine with the full register file.
pub const FULL_FILE: &str = "gtx480";
/// |Es| that the paper sweeps (IV-D).
const SWEEP: [u16; 6] = [2, 4, 6, 8, 10, 12];

/// A figure.
pub struct Recipe {
    /// Name on the command line.
    pub name: &'static str,
    /// Heading.
    pub title: &'static str,
    /// Its charts.
    pub panels: fn() -> Vec<PanelSpec>,
}

/// A chart.
pub struct PanelSpec {
    /// Heading.
    pub title: &'static str,
    /// Unit of the values.
    pub unit: &'static str,
    /// Kernels that it shows.
    pub kernels: Kernels,
    /// Bars of each kernel.
    pub bars: Vec<Bars>,
}

/// Bundled kernels, sorted by whether the baseline loses CTAs to registers on a machine.
#[derive(Clone, Copy)]
pub enum Kernels {
    /// Those that do.
    LimitedOn(&'static str),
    /// Those that do not.
    NotLimitedOn(&'static str),
}

/// Machine and scheme of a run.
#[derive(Clone, Copy)]
pub struct Run {
    /// Machine preset.
    pub machine: &'static str,
    /// Scheme.
    pub scheme: &'static str,
}

/// A run on `machine` under `scheme`.
pub fn on(machine: &'static str, scheme: &'static str) -> Run {
    Run { machine, scheme }
}

/// One bar or several.
pub enum Bars {
    /// A bar with a name; |Es| as the policy chooses.
    One(&'static str, Measure, Run),
    /// A bar for every |Es|.
    BySize(Measure, Run),
}

impl Bars {
    /// Measure, run, and name and |Es| of each bar.
    fn bars(&self) -> (Measure, Run, Vec<(String, u16)>) {
        match *self {
            Bars::One(name, measure, run) => (measure, run, vec![(name.to_owned(), 0)]),
            Bars::BySize(measure, run) => {
                let bars = SWEEP.map(|es| (format!("|Es| = {es}"), es));
                (measure, run, bars.to_vec())
            }
        }
    }
}

impl Kernels {
    fn machine(self) -> &'static str {
        match self {
            Kernels::LimitedOn(machine) | Kernels::NotLimitedOn(machine) => machine,
        }
    }

    fn names(self, runs: &Runs) -> Vec<&'static str> {
        let is_limited = |kernel: &&'static str| {
            let baseline = runs.get(kernel, self.machine(), "baseline", 0);
            baseline.is_some_and(|run| run.occupancy.limited_by == "registers")
        };
        let wanted = matches!(self, Kernels::LimitedOn(_));
        (bundled::all().iter().map(|kernel| kernel.name))
            .filter(|kernel| is_limited(kernel) == wanted)
            .collect()
    }
}

impl PanelSpec {
    /// The runs of every bundled kernel that the chart is made from: machine, scheme, |Es|.
    fn needs(&self) -> Vec<(&'static str, &'static str, u16)> {
        let mut needs = vec![(self.kernels.machine(), "baseline", 0)];
        for bars in &self.bars {
            let (measure, run, bars) = bars.bars();
            needs.extend(
                measure
                    .reference(run)
                    .map(|machine| (machine, "baseline", 0)),
            );
            needs.extend(bars.iter().map(|(_, es)| (run.machine, run.scheme, *es)));
        }
        needs
    }

    fn draw(&self, runs: &Runs) -> Panel {
        let kernels = self.kernels.names(runs);
        let mut series = Vec::new();
        for bars in &self.bars {
            let (measure, run, bars) = bars.bars();
            series.extend(bars.into_iter().map(|(name, es)| {
                let value = |kernel: &&'static str| measure.of(runs, kernel, run, es);
                let values = kernels.iter().map(|k| value(k).unwrap_or(f64::NAN));
                Series {
                    name,
                    values: values.collect(),
                }
            }));
        }
        Panel {
            title: self.title.to_owned(),
            unit: self.unit.to_owned(),
            groups: kernels.iter().map(|kernel| (*kernel).to_owned()).collect(),
            series,
        }
    }
}

impl Recipe {
    /// The runs that the figure is made from.
    pub fn needs(&self) -> Vec<Key> {
        let needs: Vec<_> = (self.panels)().iter().flat_map(PanelSpec::needs).collect();
        let key = |kernel, &(machine, scheme, es): &(_, _, _)| Key {
            kernel,
            machine,
            scheme,
            es,
        };
        (bundled::all().iter())
            .flat_map(|kernel| needs.iter().map(|need| key(kernel.name, need)))
            .collect()
    }

    /// The figure, from runs that hold all it needs.
    pub fn draw(&self, runs: &Runs) -> Figure {
        Figure {
            title: self.title.to_owned(),
            panels: (self.panels)()
                .iter()
                .map(|panel| panel.draw(runs))
                .collect(),
        }
    }
}
