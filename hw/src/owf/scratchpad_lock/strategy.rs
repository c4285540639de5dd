//! What the property tests of the lock draw from.

use super::{ADDRESS_BITS, ScratchpadLockIn};
use crate::owf::sharing::kernel::{PortStep, Step, steps};
use proptest::prelude::*;

/// The pins of a step: the first shared byte is one of 0 ..= 128 Ki - 2. Where a warp of port a would end, its CTA does.
fn pins<const NW: usize, const T: usize>(step: Step) -> ScratchpadLockIn<NW, T> {
    let last = (1i32 << ADDRESS_BITS) - 1;
    let private_bytes = u32::from(step.private) << 1;
    let address = |port: PortStep| (private_bytes as i32 + port.beside).clamp(0, last) as u32;
    let [a, b] = step.ports;
    let ends = a.leaves && !step.exit && !step.pair;
    let cta = a.warp.checked_div(step.warps_per_cta).unwrap_or(0) % T as u8;
    ScratchpadLockIn {
        clear: step.clear,
        share: step.share,
        warps_per_cta: step.warps_per_cta,
        private_bytes,
        pair: step.pair,
        exit: step.exit || ends,
        cta: if ends { cta } else { step.cta },
        partner: step.partner,
        favor_b: step.favor_b,
        a_valid: a.valid && !(ends && b.valid),
        a_warp: a.warp,
        a_address: address(a),
        b_valid: b.valid,
        b_warp: b.warp,
        b_address: address(b),
    }
}

/// Runs of a few kernels in which pairs of CTAs meet at their locks.
pub fn rows<const NW: usize, const T: usize>() -> impl Strategy<Value = Vec<ScratchpadLockIn<NW, T>>>
{
    steps::<NW, T>().prop_map(|steps| steps.into_iter().map(pins).collect())
}
