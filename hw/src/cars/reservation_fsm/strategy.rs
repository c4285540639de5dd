//! What the property tests of the state machine draw from.

use super::ReservationFsmIn;
use crate::strategies::any_pins;
use proptest::prelude::*;
use proptest::sample::Index;

/// What CTAs take in cycles: alike, so that averages meet; powers of two and their neighbours, so that one bit decides;
/// any, or as much as there can be.
fn cycles() -> impl Strategy<Value = u32> {
    prop_oneof![
        3 => (0u32..64).prop_map(|more| 1000 + more),
        3 => (0u32..32, 0u32..3).prop_map(|(bit, more)| (1u32 << bit).wrapping_add(more).wrapping_sub(1)),
        2 => (0u32..32, any::<u32>()).prop_map(|(bits, any)| any >> bits),
        1 => (0u32..9).prop_map(|less| u32::MAX - less),
        1 => 0u32..17,
    ]
}

/// Any pins. Most CTAs take what those of their level take in this kernel, more or less, and most levels exist.
fn row<const LEVELS: usize>(usual: Vec<u32>) -> impl Strategy<Value = ReservationFsmIn<LEVELS>> {
    let chance = prop::bool::weighted;
    (
        any_pins(),
        (chance(0.02), chance(0.03), chance(0.5), chance(0.5)),
        prop::option::weighted(0.15, cycles()),
        (any::<Index>(), prop_oneof![Just(0), 0u32..24]),
    )
        .prop_map(
            move |(pins, (clear, again, done, launch), any, (level, more)): (
                ReservationFsmIn<LEVELS>,
                _,
                _,
                (Index, _),
            )| {
                let done_level = level.index(LEVELS);
                ReservationFsmIn {
                    clear,
                    again,
                    done,
                    launch,
                    done_level: done_level as u8,
                    done_cycles: any.unwrap_or(usual[done_level].wrapping_add(more)),
                    ..pins
                }
            },
        )
}

/// A kernel in which one level is best by one bit: what the others take is the same above it, and the same or anything below.
/// Each level finishes a CTA.
fn one_bit_decides<const LEVELS: usize>() -> impl Strategy<Value = Vec<ReservationFsmIn<LEVELS>>> {
    let below = prop::collection::vec(any::<u32>(), LEVELS);
    let which = (0u32..32, any::<Index>(), any::<bool>());
    (any::<u32>(), which, below).prop_map(|(same, (bit, best, alone), below)| {
        let start = ReservationFsmIn {
            clear: true,
            top: LEVELS as u8 - 1,
            ..ReservationFsmIn::default()
        };
        let mask = (1u32 << bit) - 1;
        let finish = |(level, below): (usize, u32)| {
            let worse = u32::from(level != best.index(LEVELS));
            let below = if alone { same } else { below };
            ReservationFsmIn {
                done: true,
                done_level: level as u8,
                done_cycles: same & !mask & !(1 << bit) | worse << bit | below & mask,
                ..ReservationFsmIn::default()
            }
        };
        let finished = below.into_iter().enumerate().map(finish);
        let kernel = std::iter::once(start).chain(finished);
        kernel.chain([ReservationFsmIn::default()]).collect()
    })
}

/// Kernels of any levels; they start with as many levels as there are or fewer, Low and High or remembered.
fn kernels<const LEVELS: usize>() -> impl Strategy<Value = Vec<ReservationFsmIn<LEVELS>>> {
    let start = (any_pins(), prop::option::of(Just(LEVELS as u8 - 1))).prop_map(
        |(pins, top): (ReservationFsmIn<LEVELS>, _)| ReservationFsmIn {
            clear: true,
            top: top.unwrap_or(pins.top),
            ..pins
        },
    );
    // Some levels are alike.
    let usual = (
        prop::collection::vec(cycles(), 1..=LEVELS),
        prop::collection::vec(any::<Index>(), LEVELS),
    )
        .prop_map(|(kinds, levels)| -> Vec<u32> {
            levels.iter().map(|level| *level.get(&kinds)).collect()
        });
    (usual, prop::option::weighted(0.95, start)).prop_flat_map(|(usual, start)| {
        let kernel = prop::collection::vec(row(usual), 1..120);
        kernel.prop_map(move |rows| start.into_iter().chain(rows).collect())
    })
}

/// Kernels of both kinds.
pub fn rows<const LEVELS: usize>() -> impl Strategy<Value = Vec<ReservationFsmIn<LEVELS>>> {
    let decided = prop::collection::vec(one_bit_decides(), 1..16);
    prop_oneof![kernels(), decided.prop_map(|kernels| kernels.concat())]
}
