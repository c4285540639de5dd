//! What the property tests of the free list draw from.

use super::{BANKS, FreeListIn, SUB_ARRAYS_PER_BANK, kept_packs};
use crate::pins::bits_for;
use crate::strategies::any_pins;
use proptest::prelude::*;

/// A run of cycles in which the same kind of thing happens.
#[derive(Clone, Debug)]
struct Stretch<const PACKS: usize> {
    /// Banks that take, and banks that are given packs.
    take: u8,
    give: u8,
    awake: u16,
    /// Another size of the register file from here on.
    shrink: Option<u8>,
    /// Another number of reserved packs from here on.
    reserved: Option<u16>,
    clear: bool,
    /// The lower half of this sub-array is given back first, in all banks, so that only its upper half is in use.
    sweep: Option<u16>,
    /// The packs that are given, and how often a bank does nothing.
    cycles: Vec<FreeListIn<PACKS>>,
}

/// Any sub-arrays awake; or all, none, or those of a bank alike.
fn awake() -> impl Strategy<Value = u16> {
    prop_oneof![
        3 => any::<u16>(),
        1 => prop_oneof![Just(0u16), Just(u16::MAX)],
        1 => (0u16..16).prop_map(|bank| bank * 0x1111),
    ]
}

/// None reserved, or as many as end in a chunk of the search, at its border, at that of what a file keeps, or beyond the bank.
fn reserved<const PACKS: usize>() -> impl Strategy<Value = u16> {
    let bank_packs = (PACKS / BANKS) as u16;
    let last = (1u16 << bits_for(usize::from(bank_packs) + 1)) - 1;
    let beside = move |point: u16, beside: u16| (point + beside).saturating_sub(2).min(last);
    prop_oneof![
        4 => Just(0u16),
        3 => 0..=bank_packs,
        2 => (0..=16u16, 0..5u16).prop_map(move |(part, more)| beside(bank_packs / 16 * part, more)),
        1 => (0..4usize, 0..5u16).prop_map(move |(shrink, more)| {
            beside(kept_packs(usize::from(bank_packs))[shrink] as u16, more)
        }),
        1 => bank_packs..=last,
    ]
}

/// Up to `cycles` cycles. Banks take, are given packs, or both; packs that are given are any.
fn stretch<const PACKS: usize>(cycles: usize) -> impl Strategy<Value = Stretch<PACKS>> {
    let banks = || prop_oneof![3 => Just(0xf_u8), 2 => Just(0), 1 => 0u8..16];
    (
        (banks(), banks(), awake()),
        prop::option::weighted(0.15, 0u8..4),
        prop::option::weighted(0.25, reserved::<PACKS>()),
        prop::bool::weighted(0.05),
        prop::option::weighted(0.2, 0..SUB_ARRAYS_PER_BANK as u16),
        prop::collection::vec(any_pins(), 1..=cycles),
    )
        .prop_map(
            |((take, give, awake), shrink, reserved, clear, sweep, cycles)| Stretch {
                take,
                give,
                awake,
                shrink,
                reserved,
                clear,
                sweep,
                cycles,
            },
        )
}

/// Fills banks first, more or less; then stretches of all kinds.
pub fn rows<const PACKS: usize>() -> impl Strategy<Value = Vec<FreeListIn<PACKS>>> {
    let bank_packs = PACKS / BANKS;
    let fill = prop_oneof![
        2 => 0..=bank_packs + 2,
        1 => (0usize..4, 0usize..3).prop_map(move |(shrink, more)| kept_packs(bank_packs)[shrink] + more),
    ];
    let stretches = prop::collection::vec(stretch::<PACKS>(40), 1..8);
    let first = (0u8..4, reserved::<PACKS>());
    (first, awake(), fill, stretches).prop_map(move |(first, awake, fill, stretches)| {
        let (mut shrink, mut reserved) = first;
        let mut rows = vec![
            FreeListIn {
                shrink,
                reserved,
                awake,
                take: 0xf,
                ..FreeListIn::default()
            };
            fill
        ];
        for stretch in stretches {
            shrink = stretch.shrink.unwrap_or(shrink);
            reserved = stretch.reserved.unwrap_or(reserved);
            if let Some(sub_array) = stretch.sweep {
                let size_packs = (bank_packs / SUB_ARRAYS_PER_BANK) as u16;
                for pack in 0..size_packs / 2 {
                    let mut pins = FreeListIn {
                        shrink,
                        reserved,
                        awake: stretch.awake,
                        ..FreeListIn::default()
                    };
                    pins.set_given([Some(sub_array * size_packs + pack); BANKS]);
                    rows.push(pins);
                }
            }
            for (number, pins) in stretch.cycles.into_iter().enumerate() {
                // A bank whose bit of the drawn pins is low rests, if others do not.
                let rest = if number % 8 < 5 { 0xf } else { pins.take };
                rows.push(FreeListIn {
                    clear: stretch.clear && number == 0,
                    shrink,
                    reserved,
                    awake: stretch.awake,
                    take: stretch.take & rest,
                    give: stretch.give & (pins.give | rest),
                    ..pins
                });
            }
        }
        rows
    })
}
