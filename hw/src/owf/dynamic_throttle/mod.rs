#![doc = include_str!("README.md")]

mod adapter;
#[doc(hidden)] // Public for the tests, which are a crate of their own.
pub mod draw;
pub mod model;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::pins::{bits_for, pins};

/// Steps from probability 0 to probability 1.
pub const STEPS: u8 = 10;

/// What the random number generator holds at power-on and after `clear`; any number but 0 would do.
// assumed: the paper names no generator.
pub const SEED: u16 = 0xace1;

pins! {
    /// Inputs for periods of `PERIOD` cycles, in port order. All are sampled at the rising edge; `sm_zero` acts at once, too.
    pub struct DynamicThrottleIn<const PERIOD> {
        /// Starts a kernel: probability 1, a new period, the generator at its seed. Wins over everything else.
        clear: bool = 1,
        /// This is SM 0, which executes no memory instructions of non-owner warps. Does not change while a kernel runs.
        sm_zero: bool = 1,
        /// This is a stall cycle.
        stall: bool = 1,
        /// `stalls` of SM 0; read only while `compares` is high.
        zero_stalls: u16 = bits_for(PERIOD + 1),
    }
}

pins! {
    /// Outputs in port order. They depend on the state and `sm_zero` alone.
    pub struct DynamicThrottleOut<const PERIOD> {
        /// Memory instructions of non-owner warps may issue in this cycle.
        memory_allowed: bool = 1,
        /// The probability of that in tenths, 0 ..= 10; 0 on SM 0.
        tenths: u8 = 4,
        /// The first cycle of a period: `stalls` is of all of the period before.
        compares: bool = 1,
        /// Stall cycles of this period before this cycle; in its first cycle, of the period before.
        stalls: u16 = bits_for(PERIOD + 1),
    }
}
