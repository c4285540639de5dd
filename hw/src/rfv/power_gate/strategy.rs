//! What the property tests of the gate draw from.

use super::PowerGateIn;
use crate::strategies::any_pins;
use proptest::prelude::*;

/// Stretches of any masks, so that sub-arrays wake, stay and sleep; rare clears.
pub fn rows() -> impl Strategy<Value = Vec<PowerGateIn>> {
    let stretch = (any_pins(), 1usize..14, prop::bool::weighted(0.1)).prop_map(
        |(pins, cycles, clear): (PowerGateIn, _, _)| {
            let mut rows = vec![
                PowerGateIn {
                    clear: false,
                    ..pins
                };
                cycles
            ];
            rows[0].clear = clear;
            rows
        },
    );
    prop::collection::vec(stretch, 1..12).prop_map(|stretches| stretches.concat())
}
