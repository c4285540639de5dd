//! Accesses to the first-level cache over time, with spills in local memory and with CARS (Figure 11).

use super::super::checked;
use super::figure::{Figure, Panel};
use crate::failure::{Failure, OrFail, Outcome};
use crate::report::chart::Series;
use regshare_sim::bundled;
use regshare_sim::flow::{self, Setup, Verdict, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::observe::bandwidth::{Bandwidth, Lines};
use regshare_sim::scheme::SchemeOptions;
use regshare_sim::sm::RunOptions;
use std::num::NonZeroU64;
use std::sync::{Arc, Mutex, PoisonError};

/// Spans that the longer run is shown in.
const SPANS: u64 = 20;
/// Cycles of the spans that are counted.
const FINE: NonZeroU64 = NonZeroU64::new(16).expect("not zero");

/// The figure of one kernel.
pub fn figure(kernel: &str, machine: &Machine) -> Outcome<Figure> {
    Ok(Figure {
        title: format!("CARS over time on {}: {kernel}", machine.name),
        panels: vec![panel(kernel, machine)?],
    })
}

/// Its chart.
pub fn panel(kernel: &str, machine: &Machine) -> Outcome<Panel> {
    let runs = [
        run(kernel, "abi-spill", machine)?,
        run(kernel, "cars", machine)?,
    ];
    let longest = runs[0].cycles.max(runs[1].cycles);
    let times = longest.div_ceil(SPANS * FINE.get());
    let times = NonZeroU64::new(times).unwrap_or(NonZeroU64::MIN);
    let [spills, cars] = runs.map(|run| run.widened(times));
    let span = spills.span.get();
    let spans = longest.div_ceil(span);
    let series = |name: &str, run: &Bandwidth, of: fn(&Lines) -> u64| Series {
        name: name.to_owned(),
        values: (0..spans as usize)
            .map(|span| run.rate(span, of).map_or(f64::NAN, |rate| 100.0 * rate))
            .collect(),
    };
    let group = |number: u64| {
        let from = number * span;
        format!("{from} to {}", (from + span).min(longest) - 1)
    };
    Ok(Panel {
        title: format!("Accesses to the first-level cache over time: {kernel} (Figure 11)"),
        unit: "lines per 100 cycles".to_owned(),
        group: "cycles",
        is_speed: false,
        groups: (0..spans).map(group).collect(),
        series: vec![
            series("abi-spill: spills, fills", &spills, |l| l.spill_fill),
            series("global", &spills, |l| l.global),
            series("other local", &spills, |l| l.other_local),
            series("cars: spills, fills", &cars, |l| l.spill_fill),
            series("global", &cars, |l| l.global),
            series("other local", &cars, |l| l.other_local),
        ],
    })
}

fn run(kernel: &str, scheme: &str, machine: &Machine) -> Outcome<Bandwidth> {
    let names: Vec<&str> = bundled::calling().iter().map(|known| known.name).collect();
    let bundled = bundled::find(kernel).filter(|found| names.contains(&found.name));
    let bundled = bundled.ok_or_else(|| {
        Failure::input(
            format!("no bundled kernel `{kernel}` calls functions"),
            format!("those that do: {}", names.join(", ")),
        )
    })?;
    let workload = checked(Workload::of_bundled(bundled))?;
    let compiled = checked(flow::compile(&workload, None))?;
    let scheme = flow::scheme(scheme, SchemeOptions::default()).or_input()?;
    let bandwidth = Arc::new(Mutex::new(Bandwidth::new(FINE)));
    let options = RunOptions {
        watchers: vec![bandwidth.clone()],
        ..RunOptions::default()
    };
    let setup = Setup {
        machine,
        options: &options,
    };
    let ran = checked(flow::execute(&workload, &compiled, scheme.as_ref(), setup))?;
    if let Verdict::Wrong(why) = ran.verdict {
        return Err(Failure::run(format!(
            "{kernel} under {}: {why}",
            scheme.name()
        )));
    }
    let bandwidth = bandwidth.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(bandwidth.clone())
}
