#![doc = include_str!("README.md")]

pub mod model;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::pins::pins;

/// Sub-arrays of the register file: 4 banks of 4 (RFV, Figure 8).
pub const SUB_ARRAYS: usize = 16;

pins! {
    /// Inputs, in port order. Bit 4b + s of a mask is sub-array s of bank b. All are sampled at the rising edge.
    pub struct PowerGateIn {
        /// Puts all sub-arrays to sleep: start of a kernel. Wins over the masks.
        clear: bool = 1,
        /// Sub-arrays that hold a pack that is in use.
        occupied: u16 = SUB_ARRAYS as u32,
        /// Sub-arrays in which a pack is being assigned, or that are to be awake soon.
        request: u16 = SUB_ARRAYS as u32,
    }
}

pins! {
    /// Outputs in port order, from registers alone.
    pub struct PowerGateOut {
        /// Sub-arrays whose sleep transistor is on: awake or waking.
        powered: u16 = SUB_ARRAYS as u32,
        /// Sub-arrays that can be read and written.
        awake: u16 = SUB_ARRAYS as u32,
    }
}
