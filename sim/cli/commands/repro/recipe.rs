//! How a figure is made from its table: which runs it needs, what is drawn from them.

use super::super::checked;
use super::figure::{Figure, Panel};
use super::measure::Measure;
use super::runs::{Compilations, Key, Runs};
use crate::failure::{OrFail, Outcome};
use crate::report::chart::Series;
use regshare_sim::bundled;
use regshare_sim::flow;
use regshare_sim::machine::{Machine, SchedulerPolicy};
use regshare_sim::scheme::paper::SHARING_STEPS;
use regshare_sim::scheme::{Baseline, LimitedBy};

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

/// Bundled kernels, sorted by what the baseline loses CTAs to on a machine.
#[derive(Clone, Copy)]
pub enum Kernels {
    /// Those that lose CTAs to registers.
    ShortOfRegisters(&'static str),
    /// Those that lose none to registers.
    EnoughRegisters(&'static str),
    /// Those that lose CTAs to scratchpad.
    ShortOfScratchpad(&'static str),
}

/// How a kernel is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    /// Machine preset.
    pub machine: &'static str,
    /// Scheme.
    pub scheme: &'static str,
    /// |Es| by hand; 0 for the policy's choice.
    pub es: u16,
    /// How much is shared, in per cent; `None` for as much as if nothing is said.
    pub sharing: Option<u8>,
    /// The scheduler; `None` for that of the scheme or machine.
    pub scheduler: Option<SchedulerPolicy>,
    /// SMs that run the kernel.
    pub sms: u16,
}

/// A run on `machine` under `scheme`.
pub const fn on(machine: &'static str, scheme: &'static str) -> Run {
    Run {
        machine,
        scheme,
        es: 0,
        sharing: None,
        scheduler: None,
        sms: 1,
    }
}

/// One bar or several.
pub enum Bars {
    /// A bar with a name; |Es| as the policy chooses.
    One(&'static str, Measure, Run),
    /// A bar for every |Es|.
    BySize(Measure, Run),
    /// A bar for every share.
    ByPercent(Measure, Run),
}

impl Bars {
    /// The measure, and name and run of each bar.
    fn bars(&self) -> (Measure, Vec<(String, Run)>) {
        match *self {
            Bars::One(name, measure, run) => (measure, vec![(name.to_owned(), run)]),
            Bars::BySize(measure, run) => {
                let bars = SWEEP.map(|es| (format!("|Es| = {es}"), Run { es, ..run }));
                (measure, bars.to_vec())
            }
            Bars::ByPercent(measure, run) => {
                let bar = |percent| {
                    let sharing = Some(percent);
                    (format!("{percent} %"), Run { sharing, ..run })
                };
                (measure, SHARING_STEPS.map(bar).to_vec())
            }
        }
    }
}

impl Kernels {
    fn machine(self) -> &'static str {
        match self {
            Kernels::ShortOfRegisters(machine)
            | Kernels::EnoughRegisters(machine)
            | Kernels::ShortOfScratchpad(machine) => machine,
        }
    }

    /// The kernels; a plan says what limits them.
    fn names(self, kernels: &Compilations) -> Outcome<Vec<&'static str>> {
        let machine = Machine::preset(self.machine()).or_input()?;
        let mut names = Vec::new();
        for (&name, (workload, compiled)) in &kernels.0 {
            let plan = checked(flow::plan(workload, compiled, &Baseline, &machine))?;
            let limit = plan.occupancy.limited_by;
            if match self {
                Kernels::ShortOfRegisters(_) => limit == LimitedBy::Registers,
                Kernels::EnoughRegisters(_) => limit != LimitedBy::Registers,
                Kernels::ShortOfScratchpad(_) => limit == LimitedBy::Scratchpad,
            } {
                names.push(name);
            }
        }
        // In the order of tables.
        let place = |name: &&str| {
            bundled::all()
                .iter()
                .position(|kernel| kernel.name == *name)
        };
        names.sort_by_key(place);
        Ok(names)
    }
}

impl PanelSpec {
    /// The runs that the chart is made from.
    fn needs(&self, kernels: &Compilations) -> Outcome<Vec<Key>> {
        let mut runs = Vec::new();
        for bars in &self.bars {
            let (measure, bars) = bars.bars();
            for (_, run) in bars {
                runs.push(run);
                runs.extend(measure.reference(run));
            }
        }
        let names = self.kernels.names(kernels)?;
        let key = |kernel| runs.iter().map(move |&run| Key { kernel, run });
        Ok(names.into_iter().flat_map(key).collect())
    }

    fn draw(&self, runs: &Runs) -> Outcome<Panel> {
        let kernels = self.kernels.names(&runs.kernels)?;
        let mut series = Vec::new();
        for bars in &self.bars {
            let (measure, bars) = bars.bars();
            series.extend(bars.into_iter().map(|(name, run)| {
                let value = |kernel: &&'static str| measure.of(runs, kernel, run);
                let values = kernels.iter().map(|k| value(k).unwrap_or(f64::NAN));
                Series {
                    name,
                    values: values.collect(),
                }
            }));
        }
        Ok(Panel {
            title: self.title.to_owned(),
            unit: self.unit.to_owned(),
            group: "kernel",
            groups: kernels.iter().map(|kernel| (*kernel).to_owned()).collect(),
            series,
            is_speed: false,
        })
    }
}

impl Recipe {
    /// The runs that the figure is made from.
    pub fn needs(&self, kernels: &Compilations) -> Outcome<Vec<Key>> {
        let mut needs = Vec::new();
        for panel in (self.panels)() {
            needs.extend(panel.needs(kernels)?);
        }
        Ok(needs)
    }

    /// The figure, from runs that hold all it needs.
    pub fn draw(&self, runs: &Runs) -> Outcome<Figure> {
        let panels: Outcome<Vec<Panel>> = (self.panels)().iter().map(|p| p.draw(runs)).collect();
        Ok(Figure {
            title: self.title.to_owned(),
            panels: panels?,
        })
    }
}
