//! What the property tests draw from. The mutation tests of the exported Verilog draw from the same strategies: a fault
//! that they miss is one that the property tests miss.

use crate::clocked::{PinDef, Pins};
use proptest::prelude::*;

/// Any values on any pins; some are corners of their pin, and some are small, so that two pins meet. Shrinks towards
/// pins at 0.
pub fn any_pins<P: Pins>() -> impl Strategy<Value = P> {
    let value = |pin: PinDef| {
        let ones = u64::MAX >> (64 - pin.width_bits);
        prop_oneof![
            5 => any::<u64>().prop_map(move |value| value & ones),
            1 => (0..8u64).prop_map(move |value| value & ones),
            1 => prop_oneof![Just(0), Just(ones)],
        ]
    };
    let values: Vec<_> = P::pins().into_iter().map(value).collect();
    values.prop_map(|values| P::from_values(&values))
}

/// Sequences of any pins; a pin that is called `clear` is high only now and then. For units that need nothing better.
pub fn any_rows<P: Pins>(max_rows: usize) -> impl Strategy<Value = Vec<P>> {
    let clear_at = P::pins().iter().position(|pin| pin.name == "clear");
    let row = (any_pins::<P>(), prop::bool::weighted(0.03)).prop_map(move |(pins, clear)| {
        let mut values = Vec::new();
        pins.values(&mut values);
        if let Some(value) = clear_at.and_then(|at| values.get_mut(at)) {
            *value = clear.into();
        }
        P::from_values(&values)
    });
    prop::collection::vec(row, 1..max_rows.max(2))
}
