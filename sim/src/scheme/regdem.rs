//! RegDem: registers are demoted to scratchpad by the compiler, and the predictor picks among all variants; and what it is compared
//! with, the allocator's spilling to local memory under a cap.
//!
//! Neither needs hardware. So both work with any: `regdem+NAME` plans the demoted kernel for scheme NAME.

mod local_spill;
mod steps;
mod tried;

use super::baseline::Baseline;
use super::{Alternative, LimitedBy, Plan, PlanInput, Refusal, Scheme};
use crate::compiler::regdem::compact::Compaction;
use crate::compiler::regdem::predict::{Prediction, predict};
use crate::compiler::regdem::{Amount, Cleanup, Options, Strategy};
use crate::kernel::{Kernel, RegSpace};
use rayon::prelude::*;
use steps::{drop_steps_that_gain_nothing, targets};
use tried::Tried;

pub use local_spill::LocalSpill;

/// Steps of occupancy that are tried, nearest first. // assumed: more cost more than they bring
pub const STEPS: usize = 3;

/// Part of the untouched kernel's cycles that a variant must promise to save, or it is not picked. // assumed: about half of the
/// predictions for the bundled kernels are off by less, on the paper's machine (docs/results-regdem.md)
pub const LEAST_PROMISE: f64 = 0.06;

/// How much a user wants demoted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Demote {
    /// What the predictor picks, nothing included.
    #[default]
    Auto,
    /// So many registers, or as many as can be; the predictor picks the way.
    Count(u16),
}

/// What can become of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Nothing is done.
    Untouched,
    /// Spilled to local memory under this cap on registers.
    LocalSpill(u16),
    /// Demoted.
    Demoted(Options),
}

impl std::fmt::Display for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let options = match self {
            Variant::Untouched => return f.write_str("untouched"),
            Variant::LocalSpill(cap) => return write!(f, "local spill, at most {cap} registers"),
            Variant::Demoted(options) => options,
        };
        match options.amount {
            Amount::Count(count) => write!(f, "{count} demoted")?,
            Amount::Until(regs) => write!(f, "demoted to {regs} registers")?,
        }
        f.write_str(match options.strategy {
            Strategy::Static => ", by accesses",
            Strategy::LoopWeighted => ", by accesses in loops",
            Strategy::Conflicts => ", by conflicts",
        })?;
        f.write_str(match options.cleanup {
            Cleanup::None => "",
            Cleanup::Redundant => ", redundant accesses removed",
            Cleanup::Hoist => ", and loads hoisted",
            Cleanup::Substitute => ", and free registers used",
        })?;
        f.write_str(match options.compaction {
            Compaction::Plain => "",
            Compaction::BankAware => ", bank-aware",
        })
    }
}

/// A variant with its plan.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Which.
    pub variant: Variant,
    /// What is run.
    pub plan: Plan,
    /// What the predictor expects.
    pub predicted: Prediction,
}

/// Which of `found` the predictor picks: what promises most, or the untouched kernel unless that is to save at least
/// `least_promise`, a part of the untouched kernel's cycles.
pub fn pick<'a>(
    found: impl IntoIterator<Item = &'a Candidate>,
    least_promise: f64,
) -> Option<usize> {
    let found: Vec<_> = found.into_iter().collect();
    let expected = |at: usize| found[at].predicted.cycles_per_warp;
    let best = (0..found.len()).min_by(|&a, &b| by_promise(found[a], found[b]))?;
    let untouched = (found.iter()).position(|candidate| candidate.variant == Variant::Untouched);
    let kept = untouched.filter(|&at| expected(best) > (1.0 - least_promise) * expected(at));
    Some(kept.unwrap_or(best))
}

/// What promises most first; where a unit is the limit of several, what stalls least.
fn by_promise(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    let (a, b) = (&a.predicted, &b.predicted);
    let cycles = a.cycles_per_warp.total_cmp(&b.cycles_per_warp);
    cycles.then(a.stall_cycles.total_cmp(&b.stall_cycles))
}

/// RegDem on the register hardware of a scheme.
pub struct RegDem {
    name: String,
    demote: Demote,
    hardware: Box<dyn Scheme>,
}

impl RegDem {
    /// On the baseline's hardware.
    pub fn new(demote: Demote) -> Self {
        RegDem {
            name: "regdem".to_owned(),
            demote,
            hardware: Box::new(Baseline),
        }
    }

    /// On that of `hardware`.
    pub fn on(hardware: Box<dyn Scheme>, demote: Demote) -> Self {
        RegDem {
            name: format!("regdem+{}", hardware.name()),
            demote,
            hardware,
        }
    }

    /// All variants that differ, the one that is picked first, then those that promise most. `capped` are the kernel's allocations under [`Scheme::caps`].
    ///
    /// # Errors
    /// None of them can run; the reason is that of the first.
    pub fn candidates(
        &self,
        input: &PlanInput<'_>,
        capped: &[Kernel],
    ) -> Result<Vec<Candidate>, Refusal> {
        let (tried, unable) = self.tried(input, capped)?;
        // A step is one only if its CTAs fit into the scratchpad, too (RegDem 3).
        let before = self.hardware.plan(input).map_or(0, |p| p.occupancy.ctas);
        let by_hand = self.demote != Demote::Auto;
        let planned = |Tried {
                           variant,
                           kernel,
                           cta,
                       }: &Tried<'_>| {
            let input = PlanInput {
                kernel,
                cta: *cta,
                ..*input
            };
            let plan = self.hardware.plan(&input);
            let plan = plan.map_err(|reason| self.with_a_cure(reason, *variant, kernel))?;
            let gains = by_hand || plan.occupancy.ctas > before;
            if !gains && *variant != Variant::Untouched {
                return Ok(None);
            }
            let predicted = predict(&plan.kernel, input.machine, plan.occupancy.warps);
            Ok(predicted.ok().map(|predicted| Candidate {
                variant: *variant,
                plan,
                predicted,
            }))
        };
        let planned: Vec<Result<Option<Candidate>, Refusal>> =
            tried.par_iter().map(planned).collect();
        let (mut found, mut refused) = (Vec::<Candidate>::new(), None);
        for planned in planned {
            match planned {
                Ok(Some(candidate)) => {
                    let new = |other: &Candidate| other.plan.kernel != candidate.plan.kernel;
                    if found.iter().all(new) {
                        found.push(candidate);
                    }
                }
                Ok(None) => {}
                Err(reason) => {
                    refused.get_or_insert(reason);
                }
            }
        }
        if !by_hand {
            drop_steps_that_gain_nothing(&mut found);
        }
        found.sort_by(by_promise);
        if let Some(at) = pick(&found, LEAST_PROMISE) {
            found[..=at].rotate_right(1);
        }
        for candidate in &mut found {
            candidate.plan.scheme.clone_from(&self.name);
            candidate.plan.variant = Some(candidate.variant.to_string());
        }
        if found.is_empty() {
            return Err(refused.unwrap_or_else(|| Refusal::Option {
                scheme: self.name.clone(),
                reason: unable.unwrap_or_else(|| "nothing to choose from".to_owned()),
            }));
        }
        Ok(found)
    }

    /// What helps where a CTA does not fit with as many registers demoted as were asked for.
    fn with_another_count(&self, reason: Refusal, asked: u16) -> Refusal {
        let (what, needed, available, cure) = match reason {
            Refusal::DoesNotFit {
                resource: LimitedBy::Scratchpad,
                needed,
                available,
            } => ("bytes of scratchpad", needed, available, "fewer"),
            Refusal::CtaScratchpad { needed, available } => (
                "bytes of scratchpad",
                needed.into(),
                available.into(),
                "fewer",
            ),
            Refusal::DoesNotFit {
                resource: LimitedBy::Registers,
                needed,
                available,
            } => ("packs (registers of 32 threads)", needed, available, "more"),
            other => return other,
        };
        Refusal::Option {
            scheme: self.name.clone(),
            reason: format!(
                "with {asked} registers demoted one CTA needs {needed} {what}, and may have {available}; demote {cure}, or leave --demote out"
            ),
        }
    }

    /// Of hardware with fewer registers than are left, what helps: it says itself to demote some, which has been done.
    fn with_a_cure(&self, reason: Refusal, variant: Variant, kernel: &Kernel) -> Refusal {
        let reason = match self.demote {
            Demote::Count(asked) => self.with_another_count(reason, asked),
            Demote::Auto => reason,
        };
        let (Some(most), RegSpace::Architected { regs, .. }) =
            (self.hardware.most_regs(), kernel.regs)
        else {
            return reason;
        };
        if regs <= most {
            return reason;
        }
        let hardware = self.hardware.name();
        let demoted = match variant {
            Variant::Demoted(Options {
                amount: Amount::Count(count),
                ..
            }) => Some(count),
            _ => None,
        };
        let reason = match (self.demote, demoted) {
            (Demote::Count(asked), Some(count)) if count >= asked => format!(
                "{regs} registers of a thread are left with --demote {asked}, and {hardware} has names for {most}; give --demote {} or more, \
                 leave --demote out, or compile with --max-regs {most}",
                asked + (regs - most)
            ),
            _ => format!(
                "{regs} registers of a thread are left, and {hardware} has names for {most}; compile with --max-regs {most}"
            ),
        };
        Refusal::Option {
            scheme: self.name.clone(),
            reason,
        }
    }
}

impl Scheme for RegDem {
    fn name(&self) -> &str {
        &self.name
    }

    fn machine(&self, machine: &crate::machine::Machine) -> crate::machine::Machine {
        self.hardware.machine(machine)
    }

    fn least_sms(&self) -> u16 {
        self.hardware.least_sms()
    }

    fn caps(&self, input: &PlanInput<'_>) -> Vec<u16> {
        match self.demote {
            Demote::Auto => targets(input, input.regs().unwrap_or(0), self.hardware.most_regs()),
            Demote::Count(_) => Vec::new(),
        }
    }

    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        self.plan_with(input, &[])
    }

    fn plan_with(&self, input: &PlanInput<'_>, capped: &[Kernel]) -> Result<Plan, Refusal> {
        Ok(self.candidates(input, capped)?.swap_remove(0).plan)
    }

    fn alternatives(
        &self,
        input: &PlanInput<'_>,
        capped: &[Kernel],
    ) -> Result<Vec<Alternative>, Refusal> {
        let all = self.candidates(input, capped)?.into_iter();
        let alternative = |candidate: Candidate| Alternative {
            what: candidate.variant.to_string(),
            regs: match candidate.plan.kernel.regs {
                RegSpace::Architected { regs, .. } | RegSpace::Virtual { regs, .. } => regs,
            },
            occupancy: candidate.plan.occupancy,
            predicted: candidate.predicted,
        };
        Ok(all.map(alternative).collect())
    }
}

#[cfg(test)]
mod tests;
