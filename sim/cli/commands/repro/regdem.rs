//! RegDem's variants of kernels, all of them run: what the predictor picks beside what an exhaustive search finds.
//!
//! The paper's Figures are lost; its text has a geometric mean of 9 % over the compiler, 18 % at best, and a predictor that
//! reaches 99 % of an exhaustive search.

mod one;
mod search;

use super::super::checked;
use super::figure::{Figure, Panel};
use super::runs::Compilations;
use crate::failure::Outcome;
use crate::report::chart::Series;
use regshare_sim::bundled;
use regshare_sim::flow::{self, Compiled, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::scheme::regdem::Variant;
use regshare_sim::scheme::{Baseline, LimitedBy};
use search::{Searched, search};

pub use one::figure as figure_of;

/// The machine on which the other systems' figures are, and the paper's own.
pub const MACHINES: [&str; 2] = ["gtx480", PAPER];
/// The paper's machine. The kernels that need many registers stand for the paper's, and run on it alone.
pub const PAPER: &str = "maxwell";

/// Arithmetic mean; none of nothing.
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The upper of the two in the middle where there are two.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The least promise that the predictions for all kernels but `left_out` suggest: half of them are off by less. A part.
fn promise_without(all: &[Searched], left_out: &str) -> f64 {
    let others = all.iter().filter(|s| s.name != left_out);
    median(others.flat_map(Searched::errors).collect()) / 100.0
}

/// Whether more CTAs would fit if the kernel had fewer registers.
fn loses_ctas(workload: &Workload, compiled: &Compiled, machine: &Machine) -> Outcome<bool> {
    let plan = checked(flow::plan(workload, compiled, &Baseline, machine))?;
    Ok(plan.occupancy.limited_by == LimitedBy::Registers)
}

/// The chart of all kernels that lose CTAs to registers on a machine.
pub fn figure(kernels: &Compilations, machine: &Machine) -> Outcome<Figure> {
    let mut all = Vec::new();
    for kernel in bundled::all() {
        let (workload, compiled) = &kernels.0[kernel.name];
        if loses_ctas(workload, compiled, machine)? {
            all.push(search(workload, compiled, machine)?);
        }
    }
    if machine.name == PAPER {
        for kernel in bundled::demanding() {
            let workload = checked(Workload::of_bundled(kernel))?;
            let compiled = checked(flow::compile(&workload, None))?;
            all.push(search(&workload, &compiled, machine)?);
        }
    }
    let series = |name: &str, of: &dyn Fn(&Searched) -> f64| Series {
        name: name.to_owned(),
        values: all.iter().map(of).collect(),
    };
    let local = |v: &Variant| matches!(v, Variant::LocalSpill(_));
    let demoted = |v: &Variant| matches!(v, Variant::Demoted(_));
    let groups: Vec<String> = all.iter().map(|s| s.name.clone()).collect();
    let panel = |title: &str, unit: &str, series| Panel {
        title: title.to_owned(),
        unit: unit.to_owned(),
        group: "kernel",
        groups: groups.clone(),
        series,
        is_speed: false,
    };
    Ok(Figure {
        title: format!(
            "RegDem on {}: all variants, and what the predictor picks",
            machine.name
        ),
        panels: vec![
            panel(
                "Cycle reduction against the untouched kernel",
                "% fewer cycles",
                vec![
                    series("best local spill", &|s| s.fewer(s.fewest(local))),
                    series("best demotion", &|s| s.fewer(s.fewest(demoted))),
                    series("exhaustive search", &|s| s.fewer(s.fewest(|_| true))),
                    series("picked", &|s| s.fewer(Some(s.picked()))),
                ],
            ),
            panel(
                "Performance of the pick, of what exhaustive search finds",
                "%",
                vec![
                    series("predictor", &|s| s.of_best(Some(s.picked()))),
                    series("least promise of the others", &|s| {
                        s.of_best(s.picked_by(promise_without(&all, &s.name)))
                    }),
                    series("no least promise", &|s| s.of_best(s.picked_by(0.0))),
                    series("never demoting", &|s| 100.0 - s.fewer(s.fewest(|_| true))),
                ],
            ),
            panel(
                "How far the predictor is off: cycles against the untouched kernel's, predicted against run, mean over the other variants",
                "%",
                vec![
                    series("error", &|s| mean(&s.errors())),
                    series("median of the other kernels", &|s| {
                        100.0 * promise_without(&all, &s.name)
                    }),
                ],
            ),
            panel(
                "What there was to choose from",
                "numbers",
                vec![
                    series("variants", &|s| s.variants.len() as f64),
                    series("CTAs before", &|s| {
                        s.untouched()
                            .map_or(f64::NAN, |(c, _)| c.plan.occupancy.ctas.into())
                    }),
                    series("most CTAs demoted", &|s| {
                        let these = s.variants.iter().filter(|(c, _)| demoted(&c.variant));
                        let most = these.map(|(c, _)| c.plan.occupancy.ctas).max();
                        most.map_or(f64::NAN, f64::from)
                    }),
                    series("CTAs of the pick", &|s| {
                        s.variants[0].0.plan.occupancy.ctas.into()
                    }),
                ],
            ),
        ],
    })
}
