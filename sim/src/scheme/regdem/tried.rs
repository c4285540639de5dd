//! All variants of a kernel, each made once and proved.

use super::steps::targets;
use super::{Demote, RegDem, Variant};
use crate::compiler::regdem::variants::ways;
use crate::compiler::regdem::{Amount, Cta, DemoteError, Demoted, Options, checker, demote};
use crate::kernel::{Kernel, RegSpace};
use crate::scheme::{CtaShape, PlanInput, Refusal};
use rayon::prelude::*;
use std::borrow::Cow;

/// A variant to be planned.
pub(super) struct Tried<'k> {
    pub variant: Variant,
    pub kernel: Cow<'k, Kernel>,
    pub cta: CtaShape,
}
impl RegDem {
    /// All that has been demoted, proved by the checker, which knows nothing of the pass.
    fn checked(
        &self,
        kernel: &Kernel,
        demoted: &[(Options, Result<Demoted, DemoteError>)],
        cta: Cta,
    ) -> Result<(), Refusal> {
        let made = (demoted.par_iter()).filter_map(|(_, made)| made.as_ref().ok());
        let checks: Vec<_> = made.map(|made| checker::check(kernel, made, cta)).collect();
        let failed = checks.into_iter().find_map(Result::err);
        failed.map_or(Ok(()), |error| {
            Err(Refusal::Option {
                scheme: self.name.clone(),
                reason: format!("refused by the checker: {error}"),
            })
        })
    }

    /// What there is to plan, each kernel once; and why the last of what could not be demoted could not.
    pub(super) fn tried<'k>(
        &self,
        input: &PlanInput<'k>,
        capped: &'k [Kernel],
    ) -> Result<(Vec<Tried<'k>>, Option<String>), Refusal> {
        let regs = input.regs()?;
        let mut tried: Vec<Tried<'k>> = Vec::new();
        let mut add = |variant, kernel: Cow<'k, Kernel>, cta| {
            if tried
                .iter()
                .all(|other| other.kernel != kernel || other.cta != cta)
            {
                tried.push(Tried {
                    variant,
                    kernel,
                    cta,
                });
            }
        };
        let steps = targets(input, regs, self.hardware.most_regs());
        let amounts: Vec<Amount> = match self.demote {
            Demote::Auto => {
                add(Variant::Untouched, Cow::Borrowed(input.kernel), input.cta);
                for kernel in capped {
                    if let RegSpace::Architected { regs, .. } = kernel.regs {
                        let spilled = Variant::LocalSpill(regs);
                        add(spilled, Cow::Borrowed(kernel), input.cta);
                    }
                }
                steps.into_iter().map(Amount::Until).collect()
            }
            Demote::Count(count) => vec![Amount::Count(count)],
        };
        let cta = Cta {
            threads: input.cta.threads,
            scratchpad_bytes: input.cta.scratchpad_bytes,
        };
        let all: Vec<Options> = amounts.into_iter().flat_map(ways).collect();
        let demoted: Vec<_> = (all.par_iter())
            .map(|&options| (options, demote(input.kernel, cta, options)))
            .collect();
        self.checked(input.kernel, &demoted, cta)?;
        let mut unable = None;
        for (options, demoted) in demoted {
            match demoted {
                Ok(demoted) => {
                    let cta = CtaShape {
                        scratchpad_bytes: demoted.scratchpad_bytes,
                        ..input.cta
                    };
                    // Of a count that was asked for, as many as could be.
                    let amount = match options.amount {
                        Amount::Count(_) => Amount::Count(demoted.demoted.len() as u16),
                        until => until,
                    };
                    let done = Variant::Demoted(Options { amount, ..options });
                    add(done, Cow::Owned(demoted.kernel), cta);
                }
                // A step that is too far is no fault; a count that the user gave is.
                Err(error) => unable = Some(error.to_string()),
            }
        }
        Ok((tried, unable))
    }
}
