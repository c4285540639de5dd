//! What the property tests of the choice draw from.

use super::WarpPriorityIn;
use proptest::prelude::*;

/// Any warps, a few, all but a few, or none.
fn any_warps<const NW: usize>() -> impl Strategy<Value = u64> {
    let few = || prop::collection::vec(0..NW, 1..4);
    let mask = |slots: Vec<usize>| slots.iter().fold(0u64, |mask, slot| mask | 1 << slot);
    prop_oneof![
        3 => any::<u64>(),
        2 => few().prop_map(mask),
        1 => few().prop_map(move |slots| !mask(slots)),
        1 => Just(0),
    ]
    .prop_map(|mask| mask & (u64::MAX >> (64 - NW)))
}

/// Of one scheduler the warps numbered k and, from the end, k, which share a row of the order; and one below both.
fn row_warps<const NW: usize, const S: usize>() -> impl Strategy<Value = u64> {
    (0..S, 0..NW / S / 2, any::<prop::sample::Index>()).prop_map(|(scheduler, number, lower)| {
        let numbers = [number, NW / S - 1 - number, lower.index(number + 1)];
        let slots = numbers.map(|number| number * S + scheduler);
        slots.iter().fold(0, |mask, slot| mask | 1 << slot)
    })
}

/// Two warps of one scheduler, so that which of them is older shows; or three; or any warps.
fn ready_warps<const NW: usize, const S: usize>() -> impl Strategy<Value = u64> {
    let slot = move |scheduler| (0..NW / S).prop_map(move |number| number * S + scheduler);
    let two =
        (0..S).prop_flat_map(move |scheduler| (slot(scheduler), slot(scheduler), any::<bool>()));
    prop_oneof![
        // And perhaps two of the next scheduler, seldom the same numbers.
        4 => two.prop_map(|(one, other, more)| {
            let pair = 1u64 << one | 1 << other;
            pair | if more { pair.rotate_left(1) & (u64::MAX >> (64 - NW)) } else { 0 }
        }),
        3 => row_warps::<NW, S>(),
        2 => any_warps::<NW>(),
    ]
}

/// Shared and owner bits: all of one class, or of any.
fn classes<const NW: usize>() -> impl Strategy<Value = (u64, u64)> {
    let all = u64::MAX >> (64 - NW);
    prop_oneof![
        1 => (any_warps::<NW>(), Just(all)).prop_map(|(owner, all)| (all & owner, owner)),
        1 => Just((all, all)),
        1 => Just((all, 0)),
        1 => any_warps::<NW>().prop_map(|owner| (0, owner)),
        3 => (any_warps::<NW>(), any_warps::<NW>()),
    ]
}

/// A CTA is launched, a warp, any warps, or mostly none.
fn launches<const NW: usize>() -> impl Strategy<Value = u64> {
    let cta = (0..NW, 1..=16usize).prop_map(|(first, warps)| {
        let after = (first + warps).min(NW);
        (first..after).fold(0, |mask, slot| mask | 1 << slot)
    });
    prop_oneof![
        4 => Just(0),
        2 => (0..NW).prop_map(|slot| 1 << slot),
        2 => cta,
        1 => any_warps::<NW>(),
    ]
}

/// Any pins, a kernel start only now and then.
pub fn row<const NW: usize, const S: usize>() -> impl Strategy<Value = WarpPriorityIn<NW, S>> {
    (
        prop::bool::weighted(0.02),
        launches::<NW>(),
        ready_warps::<NW, S>(),
        classes::<NW>(),
    )
        .prop_map(|(clear, launch, ready, (shared, owner))| WarpPriorityIn {
            clear,
            launch,
            ready,
            shared,
            owner,
        })
}

/// Sequences of [`row`].
pub fn rows<const NW: usize, const S: usize>() -> impl Strategy<Value = Vec<WarpPriorityIn<NW, S>>>
{
    prop::collection::vec(row(), 1..150)
}
