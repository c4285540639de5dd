//! What the property tests of the lock draw from.

use super::PairLockIn;
use crate::owf::sharing::kernel::{PortStep, Step, steps};
use proptest::prelude::*;

/// The pins of a step: the first shared register is one of 0 ..= 255.
fn pins<const NW: usize, const T: usize>(step: Step) -> PairLockIn<NW, T> {
    let private_regs = (step.private >> 8) as u8;
    let reg = |port: PortStep| (i32::from(private_regs) + port.beside).clamp(0, 255) as u8;
    let [a, b] = step.ports;
    PairLockIn {
        clear: step.clear,
        share: step.share,
        warps_per_cta: step.warps_per_cta,
        private_regs,
        pair: step.pair,
        exit: step.exit,
        cta: step.cta,
        partner: step.partner,
        favor_b: step.favor_b,
        a_valid: a.valid,
        a_exit: a.leaves,
        a_warp: a.warp,
        a_reg: reg(a),
        b_valid: b.valid,
        b_exit: b.leaves,
        b_warp: b.warp,
        b_reg: reg(b),
    }
}

/// Runs of a few kernels in which pairs of CTAs meet at their locks.
pub fn rows<const NW: usize, const T: usize>() -> impl Strategy<Value = Vec<PairLockIn<NW, T>>> {
    steps::<NW, T>().prop_map(|steps| steps.into_iter().map(pins).collect())
}
