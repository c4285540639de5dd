//! What the property tests of the throttle draw from.

use super::CtaThrottleIn;
use crate::pins::bits_for;
use crate::strategies::any_pins;
use proptest::prelude::*;
use proptest::sample::Index;

/// Numbers of packs: small, around a power of two, so that one bit decides, or near the most that a counter holds.
fn packs<const PACKS: usize>() -> impl Strategy<Value = u16> {
    let bits = bits_for(PACKS + 1);
    let most = (1u16 << bits) - 1;
    prop_oneof![
        3 => 0u16..24,
        4 => (0..bits, 0u16..4).prop_map(|(bit, more)| (1u16 << bit) + more),
        1 => (0u16..4).prop_map(move |less| most - less),
        1 => any::<u16>(),
    ]
    .prop_map(move |packs| packs & most)
}

/// Any pins, but rare clears and exits. CTAs need what one of `kernels` needs, and there are about as many packs, so that
/// balances meet each other and the free packs.
fn row<const CTAS: usize, const PACKS: usize>(
    kernels: Vec<u16>,
) -> impl Strategy<Value = CtaThrottleIn<CTAS, PACKS>> {
    let most = (1u16 << bits_for(PACKS + 1)) - 1;
    let chance = prop::bool::weighted;
    (
        any_pins(),
        (chance(0.05), chance(0.1), chance(0.3)),
        any::<Index>(),
        0u16..6,
        prop::option::weighted(0.5, packs::<PACKS>()),
    )
        .prop_map(
            move |(pins, (clear, exit, launch), kernel, more, any): (
                CtaThrottleIn<CTAS, PACKS>,
                _,
                Index,
                _,
                _,
            )| {
                let need = *kernel.get(&kernels);
                CtaThrottleIn {
                    clear,
                    exit,
                    launch,
                    pack_count: any.unwrap_or((need + more) & most),
                    need,
                    ..pins
                }
            },
        )
}

/// Sequences that launch CTAs of one kernel or of a few.
pub fn rows<const CTAS: usize, const PACKS: usize>()
-> impl Strategy<Value = Vec<CtaThrottleIn<CTAS, PACKS>>> {
    prop::collection::vec(packs::<PACKS>(), 1..4)
        .prop_flat_map(|kernels| prop::collection::vec(row::<CTAS, PACKS>(kernels), 1..80))
}
