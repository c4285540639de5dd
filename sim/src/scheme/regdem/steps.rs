//! Steps of occupancy: how far registers are demoted or spilled.

use super::{Candidate, STEPS, Variant};
use crate::compiler::regdem::variants::steps;
use crate::compiler::regdem::{Amount, Options};
use crate::scheme::PlanInput;

/// The nearest register counts below `regs` at which one CTA more would fit; if the hardware has fewer registers, that number and
/// those below it.
pub(super) fn targets(input: &PlanInput<'_>, regs: u16, most: Option<u16>) -> Vec<u16> {
    let beyond = most.filter(|&most| most < regs);
    let below = steps(&input.machine.limits, input.cta, beyond.unwrap_or(regs));
    beyond.into_iter().chain(below).take(STEPS).collect()
}

/// Where scratchpad limits, fewer registers take more of it and let no more CTAs fit: such a step is none (RegDem 3).
pub(super) fn drop_steps_that_gain_nothing(found: &mut Vec<Candidate>) {
    let step = |candidate: &Candidate| match candidate.variant {
        Variant::Demoted(Options {
            amount: Amount::Until(regs),
            ..
        }) => Some((regs, candidate.plan.occupancy.ctas)),
        _ => None,
    };
    let steps: Vec<(u16, u16)> = found.iter().filter_map(step).collect();
    found.retain(|candidate| {
        step(candidate).is_none_or(|(regs, ctas)| {
            let as_good = |&(other, reached): &(u16, u16)| other > regs && reached >= ctas;
            !steps.iter().any(as_good)
        })
    });
}
