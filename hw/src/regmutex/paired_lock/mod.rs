#![doc = include_str!("README.md")]

pub mod model;
pub mod pair_bit;
#[cfg(feature = "strategies")]
pub mod strategy;
pub mod warp_bit;

use crate::pins::{bits_for, pins};

pins! {
    /// Inputs of both variants for `NW` warps, in port order. Sampled at the rising edge; the outputs of the same
    /// cycle already depend on them.
    pub struct PairedLockIn<const NW> {
        /// Starts a kernel: every extended set becomes free. Wins over both request ports.
        clear: bool = 1,
        /// Which port wins when both warps of a pair acquire in the same cycle: 0 port a, 1 port b.
        favor_b: bool = 1,
        /// Port a asks in this cycle.
        a_valid: bool = 1,
        /// What port a asks for: 0 acquire, 1 release.
        a_release: bool = 1,
        /// The warp that port a asks or looks up.
        a_warp: u8 = bits_for(NW),
        /// Port b asks in this cycle. Ignored while port a asks for the same warp.
        b_valid: bool = 1,
        /// What port b asks for: 0 acquire, 1 release.
        b_release: bool = 1,
        /// The warp that port b asks or looks up.
        b_warp: u8 = bits_for(NW),
    }
}

pins! {
    /// Outputs of both variants, combinational, in port order.
    pub struct PairedLockOut<const NW> {
        /// Port a's request is served in this cycle.
        a_grant: bool = 1,
        /// State before the edge. Bit per warp: `a_warp` holds the set. Bit per pair: some warp of the pair does.
        a_held: bool = 1,
        /// Port b's request is served in this cycle.
        b_grant: bool = 1,
        /// As `a_held`, for `b_warp`.
        b_held: bool = 1,
    }
}
