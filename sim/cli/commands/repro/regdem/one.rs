//! The variants of one kernel, the predictor's pick first: `regdem:KERNEL`.

use super::super::super::{checked, workload};
use super::super::figure::{Figure, Panel, VARIANT};
use super::search::{Searched, search};
use crate::failure::Outcome;
use crate::report::chart::Series;
use regshare_sim::flow;
use regshare_sim::kernel::RegSpace;
use regshare_sim::machine::Machine;
use regshare_sim::scheme::regdem::{Candidate, Variant};
use std::path::Path;

/// The figure of a bundled kernel, or of one in a file, linked with those in `link`, that `launch` starts.
pub fn figure(
    kernel: &str,
    link: &[String],
    launch: Option<&Path>,
    machine: &Machine,
) -> Outcome<Figure> {
    let workload = workload(kernel, link, launch)?;
    let compiled = checked(flow::compile(&workload, None))?;
    let found = search(&workload, &compiled, machine)?;
    let panel = |title: &str, unit: &str, series| Panel {
        title: title.to_owned(),
        unit: unit.to_owned(),
        group: VARIANT,
        groups: (found.variants.iter())
            .map(|(candidate, _)| candidate.variant.to_string())
            .collect(),
        series,
        is_speed: false,
    };
    Ok(Figure {
        title: format!(
            "RegDem on {}: variants of {}, the first is picked",
            machine.name, found.name
        ),
        panels: vec![
            panel(
                "Time of the launch",
                "cycles",
                vec![series(&found, "run", |_, cycles| cycles)],
            ),
            panel(
                "Fewer cycles than the untouched kernel has",
                "%",
                vec![
                    series(&found, "run", |_, cycles| found.fewer(Some(cycles as u64))),
                    series(&found, "expected", |candidate, _| {
                        promised(&found, candidate)
                    }),
                ],
            ),
            panel(
                "What the predictor expects of a warp",
                "cycles",
                vec![
                    series(&found, "alone", |c, _| c.predicted.stall_cycles.round()),
                    series(&found, "busiest unit", |c, _| {
                        c.predicted.busy_cycles.round()
                    }),
                    series(&found, "in company", |c, _| {
                        c.predicted.cycles_per_warp.round()
                    }),
                ],
            ),
            panel(
                "What a thread, a CTA and an SM have",
                "registers; bytes; numbers",
                vec![
                    series(&found, "registers", |c, _| registers(c)),
                    Series {
                        name: "scratchpad".to_owned(),
                        values: found.scratchpad.iter().map(|&bytes| bytes.into()).collect(),
                    },
                    series(&found, "CTAs", |c, _| c.plan.occupancy.ctas.into()),
                    series(&found, "warps", |c, _| c.plan.occupancy.warps.into()),
                ],
            ),
            quality(&found),
        ],
    })
}

fn series(found: &Searched, name: &str, of: impl Fn(&Candidate, f64) -> f64) -> Series {
    Series {
        name: name.to_owned(),
        values: (found.variants.iter())
            .map(|(candidate, cycles)| of(candidate, *cycles as f64))
            .collect(),
    }
}

/// Per cent of cycles that the predictor expects a variant to save.
fn promised(found: &Searched, candidate: &Candidate) -> f64 {
    found.untouched().map_or(f64::NAN, |(untouched, _)| {
        let before = untouched.predicted.cycles_per_warp;
        100.0 * (1.0 - candidate.predicted.cycles_per_warp / before)
    })
}

fn registers(candidate: &Candidate) -> f64 {
    match candidate.plan.kernel.regs {
        RegSpace::Architected { regs, .. } | RegSpace::Virtual { regs, .. } => regs.into(),
    }
}

/// The pick beside what an exhaustive search finds, as in the figures of all kernels.
fn quality(found: &Searched) -> Panel {
    let demoted = |v: &Variant| matches!(v, Variant::Demoted(_));
    let local = |v: &Variant| matches!(v, Variant::LocalSpill(_));
    let one = |name: &str, value: f64| Series {
        name: name.to_owned(),
        values: vec![value],
    };
    Panel {
        title: "The pick, beside the best".to_owned(),
        unit: "% fewer cycles than the untouched kernel; % of the best one's performance"
            .to_owned(),
        group: "kernel",
        groups: vec![found.name.clone()],
        series: vec![
            one("best local spill", found.fewer(found.fewest(local))),
            one("best demotion", found.fewer(found.fewest(demoted))),
            one("exhaustive search", found.fewer(found.fewest(|_| true))),
            one("picked", found.fewer(Some(found.picked()))),
            one(
                "performance of the pick",
                found.of_best(Some(found.picked())),
            ),
        ],
        is_speed: false,
    }
}
