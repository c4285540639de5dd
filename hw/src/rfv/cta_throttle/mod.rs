#![doc = include_str!("README.md")]

mod adapter;
pub mod model;
#[doc(hidden)] // Public for the tests, which are a crate of their own.
pub mod moved;
pub mod rtl;
mod smallest;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::pins::{bits_for, pins};

pins! {
    /// Inputs of the throttle for `CTAS` CTA slots and `PACKS` packs, in port order. All are sampled at the rising edge.
    pub struct CtaThrottleIn<const CTAS, const PACKS> {
        /// Starts a kernel: no CTA is active, `pack_count` packs are free. Wins over everything else.
        clear: bool = 1,
        /// Packs that may be assigned, 0 ..= `PACKS`; read only with `clear`.
        pack_count: u16 = bits_for(PACKS + 1),
        /// A CTA starts in slot `launch_cta`.
        launch: bool = 1,
        /// Its slot.
        launch_cta: u8 = bits_for(CTAS),
        /// Packs that it needs in the worst case, C = registers per warp x warps per CTA; read only with `launch`.
        need: u16 = bits_for(PACKS + 1),
        /// The CTA in slot `exit_cta` ends. A launch in the same slot and cycle wins.
        exit: bool = 1,
        /// Its slot.
        exit_cta: u8 = bits_for(CTAS),
        /// Which port is restricted first when packs are short: 0 port b, 1 port a.
        favor_b: bool = 1,
        /// CTA of the warp that scheduler a issues.
        a_cta: u8 = bits_for(CTAS),
        /// That warp is assigned a pack.
        a_take: bool = 1,
        /// Packs that it gives back, 0 ..= 3.
        a_give: u8 = 2,
        /// CTA of the warp that scheduler b issues.
        b_cta: u8 = bits_for(CTAS),
        /// As `a_take`.
        b_take: bool = 1,
        /// As `a_give`.
        b_give: u8 = 2,
    }
}

pins! {
    /// Outputs in port order. They depend on the state and `favor_b` alone.
    pub struct CtaThrottleOut<const CTAS, const PACKS> {
        /// CTAs whose warps scheduler a may issue, a bit per slot.
        a_may_issue: u64 = CTAS as u32,
        /// CTAs whose warps scheduler b may issue.
        b_may_issue: u64 = CTAS as u32,
        /// The active CTA with the smallest balance, the lowest slot among equals; 0 while none is active.
        chosen: u8 = bits_for(CTAS),
        /// Some CTA is active and only the chosen one may issue.
        throttled: bool = 1,
        /// Some CTA is active and there are fewer free packs than even the chosen one may need: spill a warp.
        spill: bool = 1,
        /// Packs that are not assigned.
        free_packs: u16 = bits_for(PACKS + 1),
    }
}
