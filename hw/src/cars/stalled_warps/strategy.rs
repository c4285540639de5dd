//! What the property tests of the list draw from.

use super::StalledWarpsIn;
use crate::strategies::any_pins;
use proptest::prelude::*;

/// Any pins, more often stalls than wake-ups, a kernel start only now and then.
pub fn row<const NW: usize>() -> impl Strategy<Value = StalledWarpsIn<NW>> {
    let chance = prop::bool::weighted;
    (any_pins(), chance(0.01), chance(0.7), chance(0.4)).prop_map(
        |(pins, clear, stall, wake): (StalledWarpsIn<NW>, bool, bool, bool)| StalledWarpsIn {
            clear,
            stall,
            wake,
            ..pins
        },
    )
}

/// Sequences of [`row`].
pub fn rows<const NW: usize>() -> impl Strategy<Value = Vec<StalledWarpsIn<NW>>> {
    prop::collection::vec(row(), 1..200)
}
