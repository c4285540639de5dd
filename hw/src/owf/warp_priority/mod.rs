#![doc = include_str!("README.md")]

mod adapter;
mod deal;
pub mod model;
mod oldest_first;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;
mod tournament;

use crate::pins::{bits_for, pins};

pins! {
    /// Inputs for `NW` warps and `SCHEDULERS` schedulers, in port order. `clear` and `launch` are sampled at the rising
    /// edge; the outputs of the same cycle depend on the other three alone.
    pub struct WarpPriorityIn<const NW, const SCHEDULERS> {
        /// Starts a kernel: a lower slot counts as older. Wins over `launch`.
        clear: bool = 1,
        /// Slots in which a warp starts: younger than all others from the next cycle on; among them the lower slot is
        /// the older one.
        launch: u64 = NW as u32,
        /// Warps that can issue in this cycle.
        ready: u64 = NW as u32,
        /// Warps of CTAs that share a resource with a partner.
        shared: u64 = NW as u32,
        /// Warps of owner CTAs; read only where `shared` is high.
        owner: u64 = NW as u32,
    }
}

pins! {
    /// Outputs in port order, combinational: from the masks of this cycle and the order before the edge.
    pub struct WarpPriorityOut<const NW, const SCHEDULERS> {
        /// Schedulers that have a ready warp, a bit each.
        chosen_valid: u8 = SCHEDULERS as u32,
        /// The slot that each scheduler issues, scheduler 0 in the lowest bits; 0 where `chosen_valid` is low.
        chosen: u32 = SCHEDULERS as u32 * bits_for(NW),
    }
}

impl<const NW: usize, const SCHEDULERS: usize> WarpPriorityOut<NW, SCHEDULERS> {
    /// The slot that `scheduler` issues; `None` if it has no ready warp.
    #[must_use]
    pub const fn warp(&self, scheduler: usize) -> Option<u8> {
        if scheduler >= SCHEDULERS || self.chosen_valid >> scheduler & 1 == 0 {
            return None;
        }
        let slot = self.chosen >> (scheduler as u32 * bits_for(NW));
        Some((slot & ((1 << bits_for(NW)) - 1)) as u8)
    }
}
