//! The obvious way: fractions compared by products, and a generator that is stepped bit by bit.

use super::{DynamicThrottleIn, DynamicThrottleOut, SEED, STEPS};
use crate::clocked::Clocked;

/// Plain model of the throttle.
#[derive(Clone, Debug)]
pub struct Model<const PERIOD: usize> {
    /// Cycles since the kernel start.
    cycle: u64,
    /// Stall cycles of the running period.
    stalls: u16,
    tenths: u8,
    random: u16,
}

impl<const PERIOD: usize> Default for Model<PERIOD> {
    fn default() -> Self {
        Self {
            cycle: 0,
            stalls: 0,
            tenths: STEPS,
            random: SEED,
        }
    }
}

/// One step of the linear-feedback shift register x^16 + x^14 + x^13 + x^11 + 1, which runs through all 65535 numbers
/// but 0.
#[must_use]
pub const fn step(random: u16) -> u16 {
    let bit = (random >> 15 ^ random >> 13 ^ random >> 12 ^ random >> 10) & 1;
    random << 1 | bit
}

/// Whether a draw lies in the lowest `tenths` tenths of the 65535 numbers.
#[must_use]
pub const fn drawn(random: u16, tenths: u8) -> bool {
    random as u32 * STEPS as u32 <= tenths as u32 * 0xffff
}

impl<const PERIOD: usize> Clocked for Model<PERIOD> {
    type In = DynamicThrottleIn<PERIOD>;
    type Out = DynamicThrottleOut<PERIOD>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        DynamicThrottleOut {
            memory_allowed: !pins.sm_zero && drawn(self.random, self.tenths),
            tenths: if pins.sm_zero { 0 } else { self.tenths },
            compares: self.cycle.is_multiple_of(PERIOD as u64),
            stalls: self.stalls,
        }
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        if pins.clear {
            *self = Self::default();
            return out;
        }
        if out.compares {
            self.tenths = match self.stalls.cmp(&pins.zero_stalls) {
                std::cmp::Ordering::Greater => self.tenths.saturating_sub(1),
                std::cmp::Ordering::Equal => self.tenths,
                std::cmp::Ordering::Less => (self.tenths + 1).min(STEPS),
            };
            self.stalls = 0;
        }
        self.stalls += u16::from(pins.stall);
        self.random = (0..8).fold(self.random, |random, _| step(random));
        self.cycle += 1;
        out
    }
}
