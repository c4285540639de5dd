//! RegDem's variants on the bundled kernels, all of them run: what the predictor picks beside what an exhaustive search finds.
//!
//! The paper's Figures are lost; its text has a geometric mean of 9 % over the compiler, 18 % at best, and a predictor that
//! reaches 99 % of an exhaustive search.

use super::super::checked;
use super::figure::{Figure, Panel};
use super::runs::Compilations;
use crate::failure::{Failure, OrFail, Outcome};
use crate::report::chart::Series;
use rayon::prelude::*;
use regshare_sim::bundled;
use regshare_sim::flow::{self, Compiled, Setup, Verdict, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::scheme::regdem::{Candidate, Demote, RegDem, Variant, pick};
use regshare_sim::scheme::{LimitedBy, Plan, PlanInput, Refusal, Scheme};
use regshare_sim::sm::RunOptions;

/// The machine on which the other systems' figures are, and the paper's own, on which few bundled kernels lose CTAs to registers.
pub const MACHINES: [&str; 2] = ["gtx480", "maxwell"];

/// A plan that is there already.
struct Given(Plan);

impl Scheme for Given {
    fn name(&self) -> &str {
        &self.0.scheme
    }

    fn plan(&self, _input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        Ok(self.0.clone())
    }
}

/// One kernel's variants in the order of the predictor, with their cycles.
struct Searched {
    name: &'static str,
    variants: Vec<(Candidate, u64)>,
}

impl Searched {
    /// Fewest cycles of the variants that `of` takes, if there are any.
    fn fewest(&self, of: impl Fn(&Variant) -> bool) -> Option<u64> {
        let these = self.variants.iter().filter(|(c, _)| of(&c.variant));
        these.map(|(_, cycles)| *cycles).min()
    }

    /// Per cent of cycles that `cycles` saves of the untouched kernel's.
    fn fewer(&self, cycles: Option<u64>) -> f64 {
        let before = self.fewest(|v| *v == Variant::Untouched);
        match (before, cycles) {
            (Some(before), Some(cycles)) => 100.0 * (1.0 - cycles as f64 / before as f64),
            _ => f64::NAN,
        }
    }

    fn untouched(&self) -> Option<&(Candidate, u64)> {
        let mut variants = self.variants.iter();
        variants.find(|(candidate, _)| candidate.variant == Variant::Untouched)
    }

    /// Per cent by which predicted and run cycles differ, both as parts of the untouched kernel's, of each other variant.
    fn errors(&self) -> Vec<f64> {
        let Some((untouched, before)) = self.untouched() else {
            return Vec::new();
        };
        (self.variants.iter())
            .filter(|(candidate, _)| candidate.variant != Variant::Untouched)
            .map(|(candidate, cycles)| {
                let expected =
                    candidate.predicted.cycles_per_warp / untouched.predicted.cycles_per_warp;
                let is = *cycles as f64 / *before as f64;
                100.0 * (expected / is - 1.0).abs()
            })
            .collect()
    }

    /// Cycles of what the predictor would pick if a variant had to promise to save this part of the untouched kernel's.
    fn picked_by(&self, least_promise: f64) -> Option<u64> {
        let candidates = self.variants.iter().map(|(candidate, _)| candidate);
        let at = pick(candidates, least_promise)?;
        Some(self.variants[at].1)
    }

    /// `cycles` of what exhaustive search finds, in per cent of its performance.
    fn of_best(&self, cycles: Option<u64>) -> f64 {
        match (self.fewest(|_| true), cycles) {
            (Some(best), Some(cycles)) => 100.0 * best as f64 / cycles as f64,
            _ => f64::NAN,
        }
    }

    fn picked(&self) -> u64 {
        self.variants[0].1
    }
}

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

fn search(
    name: &'static str,
    workload: &Workload,
    compiled: &Compiled,
    machine: &Machine,
) -> Outcome<Searched> {
    let scheme = RegDem::new(Demote::Auto);
    let input = PlanInput {
        kernel: &compiled.kernel,
        machine,
        cta: flow::cta_shape(workload, compiled),
        shares_sm: false,
    };
    let caps = scheme.caps(&input).into_iter();
    let capped: Vec<_> = caps
        .filter_map(|cap| flow::compile(workload, Some(cap)).ok())
        .map(|compiled| compiled.kernel)
        .collect();
    let candidates = scheme.candidates(&input, &capped);
    let candidates = candidates.map_err(Failure::run)?;
    let options = RunOptions::default();
    let runs: Vec<Outcome<(Candidate, u64)>> = candidates
        .into_par_iter()
        .map(|candidate| {
            let setup = Setup {
                machine,
                options: &options,
            };
            let given = Given(candidate.plan.clone());
            let ran = checked(flow::execute(workload, compiled, &given, setup))?;
            match ran.verdict {
                Verdict::Wrong(why) => Err(Failure::run(format!(
                    "{name}, {:?}: {why}",
                    candidate.variant
                ))),
                _ => Ok((candidate, ran.result.cycles)),
            }
        })
        .collect();
    Ok(Searched {
        name,
        variants: runs.into_iter().collect::<Outcome<_>>()?,
    })
}

/// The chart of all kernels that lose CTAs to registers on a machine.
pub fn figure(kernels: &Compilations, machine: &str) -> Outcome<Figure> {
    let machine = Machine::preset(machine).or_input()?;
    let mut all = Vec::new();
    for kernel in bundled::all() {
        let (workload, compiled) = &kernels.0[kernel.name];
        let plan = flow::plan(
            workload,
            compiled,
            &regshare_sim::scheme::Baseline,
            &machine,
        );
        if checked(plan)?.occupancy.limited_by == LimitedBy::Registers {
            all.push(search(kernel.name, workload, compiled, &machine)?);
        }
    }
    let series = |name: &str, of: &dyn Fn(&Searched) -> f64| Series {
        name: name.to_owned(),
        values: all.iter().map(of).collect(),
    };
    let local = |v: &Variant| matches!(v, Variant::LocalSpill(_));
    let demoted = |v: &Variant| matches!(v, Variant::Demoted(_));
    let groups: Vec<String> = all.iter().map(|s| s.name.to_owned()).collect();
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
                        s.of_best(s.picked_by(promise_without(&all, s.name)))
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
                        100.0 * promise_without(&all, s.name)
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
