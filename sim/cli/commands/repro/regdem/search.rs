//! All variants of a kernel, made and run.

use super::super::super::checked;
use crate::failure::{Failure, Outcome};
use rayon::prelude::*;
use regshare_sim::flow::{self, Compiled, Setup, Verdict, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::scheme::regdem::{Candidate, Demote, RegDem, Variant, pick};
use regshare_sim::scheme::{Plan, PlanInput, Refusal, Scheme};
use regshare_sim::sm::RunOptions;

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
pub struct Searched {
    pub name: String,
    pub variants: Vec<(Candidate, u64)>,
    /// Scratchpad of a CTA of each, bytes.
    pub scratchpad: Vec<u32>,
}

impl Searched {
    /// Fewest cycles of the variants that `of` takes, if there are any.
    pub fn fewest(&self, of: impl Fn(&Variant) -> bool) -> Option<u64> {
        let these = self.variants.iter().filter(|(c, _)| of(&c.variant));
        these.map(|(_, cycles)| *cycles).min()
    }

    /// Per cent of cycles that `cycles` saves of the untouched kernel's.
    pub fn fewer(&self, cycles: Option<u64>) -> f64 {
        let before = self.fewest(|v| *v == Variant::Untouched);
        match (before, cycles) {
            (Some(before), Some(cycles)) => 100.0 * (1.0 - cycles as f64 / before as f64),
            _ => f64::NAN,
        }
    }

    pub fn untouched(&self) -> Option<&(Candidate, u64)> {
        let mut variants = self.variants.iter();
        variants.find(|(candidate, _)| candidate.variant == Variant::Untouched)
    }

    /// Per cent by which predicted and run cycles differ, both as parts of the untouched kernel's, of each other variant.
    pub fn errors(&self) -> Vec<f64> {
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
    pub fn picked_by(&self, least_promise: f64) -> Option<u64> {
        let candidates = self.variants.iter().map(|(candidate, _)| candidate);
        let at = pick(candidates, least_promise)?;
        Some(self.variants[at].1)
    }

    /// `cycles` of what exhaustive search finds, in per cent of its performance.
    pub fn of_best(&self, cycles: Option<u64>) -> f64 {
        match (self.fewest(|_| true), cycles) {
            (Some(best), Some(cycles)) => 100.0 * best as f64 / cycles as f64,
            _ => f64::NAN,
        }
    }

    pub fn picked(&self) -> u64 {
        self.variants[0].1
    }
}

/// Runs them.
pub fn search(workload: &Workload, compiled: &Compiled, machine: &Machine) -> Outcome<Searched> {
    let name = &workload.name;
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
    let runs: Vec<Outcome<((Candidate, u64), u32)>> = candidates
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
                    "{name}, {}: {why}",
                    candidate.variant
                ))),
                _ => {
                    let scratchpad = ran.record.occupancy.scratchpad_bytes;
                    Ok(((candidate, ran.result.cycles), scratchpad))
                }
            }
        })
        .collect();
    let runs: Vec<_> = runs.into_iter().collect::<Outcome<_>>()?;
    let (variants, scratchpad) = runs.into_iter().unzip();
    Ok(Searched {
        name: name.clone(),
        variants,
        scratchpad,
    })
}
