#![doc = include_str!("README.md")]

pub mod model;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::pins::{bits_for, pins};

pins! {
    /// Inputs of the allocator for `NW` warps, in port order. All are sampled at the rising edge; the outputs of
    /// the same cycle already depend on them.
    pub struct SrpAllocatorIn<const NW> {
        /// Starts a kernel: every section and warp becomes free, sections from `section_count` on are reserved.
        /// Wins over both request ports.
        clear: bool = 1,
        /// Sections that exist, 0 ..= `NW`; read only with `clear`. A larger number means `NW`.
        section_count: u8 = bits_for(NW + 1),
        /// Which port wins when both ask for the same kind of change: 0 port a, 1 port b.
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
    /// Outputs, combinational, in port order.
    pub struct SrpAllocatorOut<const NW> {
        /// Port a's request is served in this cycle.
        a_grant: bool = 1,
        /// `a_warp` holds a section (before the edge).
        a_held: bool = 1,
        /// The section that `a_warp` holds or is granted in this cycle; 0 otherwise.
        a_section: u8 = bits_for(NW),
        /// Port b's request is served in this cycle.
        b_grant: bool = 1,
        /// `b_warp` holds a section (before the edge).
        b_held: bool = 1,
        /// The section that `b_warp` holds or is granted in this cycle; 0 otherwise.
        b_section: u8 = bits_for(NW),
    }
}
