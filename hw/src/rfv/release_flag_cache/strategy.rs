//! What the property tests of the cache draw from.

use super::ReleaseFlagCacheIn;
use crate::strategies::any_pins;
use proptest::prelude::*;
use proptest::sample::Index;

/// The program counters that a sequence is about: some anywhere, so that every digit counts, some close together, so
/// that they share entries or fill all of them.
pub fn pir_addresses() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(prop_oneof![2 => any::<u16>(), 1 => 0u16..24], 1..14)
}

/// One of `addresses`; now and then one that differs from it in a bit or by an entry, or any.
fn near(addresses: Vec<u16>) -> impl Strategy<Value = u16> {
    let beside = prop_oneof![
        12 => Just(0u16),
        2 => (0u32..16).prop_map(|bit| 1 << bit),
    ];
    let on = prop_oneof![8 => Just(0u16), 1 => Just(10), 1 => any::<u16>()];
    (any::<Index>(), beside, on)
        .prop_map(move |(at, beside, on)| (at.get(&addresses) ^ beside).wrapping_add(on))
}

/// Any pins, but program counters at or near `addresses`, and rare clears.
pub fn row(addresses: &[u16]) -> impl Strategy<Value = ReleaseFlagCacheIn> + use<> {
    let pc = || near(addresses.to_vec());
    (any_pins(), pc(), pc(), pc(), prop::bool::weighted(0.03)).prop_map(
        |(pins, fill_pc, a_pc, b_pc, clear): (ReleaseFlagCacheIn, _, _, _, _)| ReleaseFlagCacheIn {
            clear,
            fill_pc,
            a_pc,
            b_pc,
            ..pins
        },
    )
}

/// Sequences of [`row`].
pub fn rows() -> impl Strategy<Value = Vec<ReleaseFlagCacheIn>> {
    pir_addresses().prop_flat_map(|addresses| prop::collection::vec(row(&addresses), 1..80))
}
