#![doc = include_str!("README.md")]

mod best;
mod measure;
pub mod model;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::pins::{bits_for, pins};

pins! {
    /// Inputs for `LEVELS` levels, in port order. Level 0 is Low, level n is (n + 1)xLow, the highest of a kernel is High.
    /// All are sampled at the rising edge; `level` of the same cycle already depends on `launch_high`.
    pub struct ReservationFsmIn<const LEVELS> {
        /// Starts a kernel: no level has been measured. Samples `top`, `known` and `known_level`. Wins over everything else.
        clear: bool = 1,
        /// The level that is the kernel's High-watermark.
        top: u8 = bits_for(LEVELS),
        /// A best level of this kernel is remembered: all SMs begin with `known_level`. Else half begin Low and half High.
        known: bool = 1,
        /// The level remembered; `top` if it is higher.
        known_level: u8 = bits_for(LEVELS),
        /// The same kernel starts again: all SMs begin with the best level, and what was measured stays. Wins over `launch`.
        again: bool = 1,
        /// A CTA has finished.
        done: bool = 1,
        /// The level that it ran with; one above the kernel's highest is not recorded.
        done_level: u8 = bits_for(LEVELS),
        /// What it took, in cycles; less is better.
        done_cycles: u32 = 32,
        /// A CTA is launched, with `level`.
        launch: bool = 1,
        /// Its SM is of the half that began High.
        launch_high: bool = 1,
    }
}

pins! {
    /// Outputs, in port order. `level` is combinational, the others come from registers.
    pub struct ReservationFsmOut<const LEVELS> {
        /// The level of a CTA that is launched in this cycle.
        level: u8 = bits_for(LEVELS),
        /// Some level has been measured.
        best_valid: bool = 1,
        /// The level whose CTAs have taken least, the lower one of equals; 0 while `best_valid` is low.
        best: u8 = bits_for(LEVELS),
        /// The level of the half that began Low.
        low_level: u8 = bits_for(LEVELS),
        /// The level of the half that began High.
        high_level: u8 = bits_for(LEVELS),
    }
}
