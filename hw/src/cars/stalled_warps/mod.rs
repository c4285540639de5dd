#![doc = include_str!("README.md")]

pub mod model;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::pins::{bits_for, pins};

pins! {
    /// Inputs for `NW` warps, in port order. All are sampled at the rising edge; the outputs of the same cycle already
    /// depend on them.
    pub struct StalledWarpsIn<const NW> {
        /// Starts a kernel: no warp is stalled. Wins over `stall` and `wake`.
        clear: bool = 1,
        /// Puts `stall_warp` at the end of the list.
        stall: bool = 1,
        /// The warp to stall.
        stall_warp: u8 = bits_for(NW),
        /// Registers became free: the warp that has waited longest leaves the list.
        wake: bool = 1,
        /// The warp that scheduler a wants to issue.
        a_warp: u8 = bits_for(NW),
        /// The warp that scheduler b wants to issue.
        b_warp: u8 = bits_for(NW),
    }
}

pins! {
    /// Outputs, combinational, in port order.
    pub struct StalledWarpsOut<const NW> {
        /// `stall` is served: after the edge, `stall_warp` is in the list.
        stall_grant: bool = 1,
        /// A warp is woken in this cycle.
        woken_valid: bool = 1,
        /// The warp that is woken; 0 while `woken_valid` is low.
        woken: u8 = bits_for(NW),
        /// No warp is stalled (before the edge).
        empty: bool = 1,
        /// `a_warp` is stalled and must not issue (before the edge).
        a_stalled: bool = 1,
        /// `b_warp` is stalled and must not issue (before the edge).
        b_stalled: bool = 1,
    }
}
