//! What the property tests draw from. The mutation tests of the exported Verilog draw from the same strategies: a fault
//! that they miss is one that the property tests miss.

use crate::clocked::{PinDef, Pins};
use crate::common::lookup::LOOKUPS;
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

/// Any pins, but one that is called `clear` is high only now and then.
pub fn any_row<P: Pins>() -> impl Strategy<Value = P> {
    let clear_at = P::pins().iter().position(|pin| pin.name == "clear");
    (any_pins::<P>(), prop::bool::weighted(0.03)).prop_map(move |(pins, clear)| {
        let mut values = Vec::new();
        pins.values(&mut values);
        if let Some(value) = clear_at.and_then(|at| values.get_mut(at)) {
            *value = clear.into();
        }
        P::from_values(&values)
    })
}

/// Sequences of [`any_row`]. For units that need nothing better.
pub fn any_rows<P: Pins>(max_rows: usize) -> impl Strategy<Value = Vec<P>> {
    prop::collection::vec(any_row(), 1..max_rows.max(2))
}

/// One look-up of a mapper before it is known where the interesting registers are: any register or none of them, which
/// point and how far beside it, wanted or not.
pub(crate) type LookupDraw = (Option<u8>, usize, i32, bool);

/// Draws for the four look-ups of a mapper; [`lookups_at`] turns them into registers.
pub(crate) fn lookup_draws() -> impl Strategy<Value = [LookupDraw; LOOKUPS]> {
    let any_register = prop::option::weighted(0.3, any::<u8>());
    prop::array::uniform4((any_register, 0..8usize, -1..=1, prop::bool::weighted(0.9)))
}

/// The registers of look-ups, many of them at or beside one of `points`: where a set ends, where the file ends.
pub(crate) fn lookups_at(draws: [LookupDraw; LOOKUPS], points: &[i32]) -> [Option<u8>; LOOKUPS] {
    draws.map(|(any, point, beside, wanted)| {
        let near = points[point % points.len()].saturating_add(beside);
        let near = u8::try_from(near.clamp(0, 255)).unwrap_or(0);
        wanted.then_some(any.unwrap_or(near))
    })
}
