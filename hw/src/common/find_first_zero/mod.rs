#![doc = include_str!("README.md")]

pub mod linear;
pub mod model;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::pins::{bits_for, pins};

pins! {
    /// Inputs.
    pub struct FindFirstZeroIn<const NW> {
        /// The mask to search, bit 0 first.
        mask: u64 = NW as u32,
    }
}

pins! {
    /// Outputs, combinational.
    pub struct FindFirstZeroOut<const NW> {
        /// High if some bit of the mask is zero.
        found: bool = 1,
        /// The lowest zero bit; 0 while `found` is low.
        index: u8 = bits_for(NW),
    }
}
