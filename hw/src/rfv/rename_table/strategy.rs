//! What the property tests of the table draw from.

use super::{BANKS, OPERANDS, REGISTERS, RenameTableIn};
use crate::pins::bits_for;
use proptest::prelude::*;
use proptest::sample::Index;

/// What a sequence is about: few warps and registers, so that they meet.
#[derive(Clone, Debug)]
struct Kernel {
    exempt: u8,
    warps: Vec<u8>,
    registers: Vec<u8>,
    /// Banks that have a free pack most of the time.
    rich: u8,
}

/// Registers around where the exempt ones end, where the renamed ones end, around the last, and any.
fn register(exempt: u8, renamed: usize) -> impl Strategy<Value = u8> {
    let around = |point: usize| {
        (0..8u8).prop_map(move |beside| {
            let point = point.min(REGISTERS) as u8;
            (point + beside).saturating_sub(4).min(63)
        })
    };
    prop_oneof![
        3 => around(exempt.into()),
        2 => around(usize::from(exempt) + renamed),
        2 => around(REGISTERS),
        3 => 0u8..64,
    ]
}

/// Few registers; or all of bank 3, whose rows are not at powers of two.
fn registers(exempt: u8, renamed: usize) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => prop::collection::vec(register(exempt, renamed), 2..9),
        1 => Just((3..REGISTERS as u8).step_by(BANKS).collect()),
    ]
}

/// A warp, and some whose words a wrong row would hit: numbers that differ in one bit, or by what a bit of a row of bank 3
/// is worth in warps, or any.
fn crowd<const WARPS: usize>() -> impl Strategy<Value = Vec<u8>> {
    let warp = || prop_oneof![1 => Just(WARPS as u8 - 1), 3 => 0..WARPS as u8];
    let other = prop_oneof![
        3 => (0..6u32).prop_map(|bit| (1u8 << bit, 0u8)),
        2 => prop::sample::select(&[1u8, 2, 4, 8, 17, 34]).prop_map(|beside| (0, beside)),
        1 => (0..64u8).prop_map(|mask| (mask, 0)),
    ];
    (warp(), prop::collection::vec(other, 0..3)).prop_map(|(first, others)| {
        let others = others
            .into_iter()
            .map(|(mask, beside)| (first ^ mask) + beside);
        let exists = |&warp: &u8| usize::from(warp) < WARPS;
        std::iter::once(first)
            .chain(others.filter(exists))
            .collect()
    })
}

fn kernel<const WARPS: usize, const RENAMED: usize>() -> impl Strategy<Value = Kernel> {
    let exempt = prop_oneof![4 => Just(0u8), 4 => 0u8..9, 2 => 0u8..64];
    exempt.prop_flat_map(|exempt| {
        (
            crowd::<WARPS>(),
            registers(exempt, RENAMED),
            prop_oneof![3 => Just(0xf), 1 => 0u8..16],
        )
            .prop_map(move |(warps, registers, rich)| Kernel {
                exempt,
                warps,
                registers,
                rich,
            })
    })
}

/// Mostly pins of that kernel; now and then any warp, register or number of exempt registers.
fn row<const WARPS: usize, const RENAMED: usize, const PACKS: usize>(
    kernel: Kernel,
) -> impl Strategy<Value = RenameTableIn<WARPS, RENAMED, PACKS>> {
    let chance = prop::bool::weighted;
    let last_warp = (1u16 << bits_for(WARPS)) as u8 - 1;
    let last_pack = (PACKS / BANKS) as u16 - 1;
    let operand = (any::<Index>(), prop::option::weighted(0.05, 0u8..64));
    (
        prop::array::uniform4((operand, chance(0.7), chance(0.4))),
        (any::<Index>(), prop::option::weighted(0.04, 0..=last_warp)),
        prop::option::weighted(0.02, 0u8..64),
        (chance(0.01), chance(0.015), chance(0.025)),
        prop::array::uniform4(0..=last_pack),
        (0u8..16, chance(0.8)),
    )
        .prop_map(
            move |(
                operands,
                (warp, any_warp),
                exempt,
                (clear, launch, exit),
                offers,
                (mask, all),
            )| {
                let operands: [_; OPERANDS] = operands.map(|((register, any), valid, flag)| {
                    let x = any.unwrap_or(*register.get(&kernel.registers));
                    valid.then_some((x, flag))
                });
                let offer_valid = if all { kernel.rich } else { mask };
                let [offer0, offer1, offer2, offer3] = offers;
                RenameTableIn {
                    clear,
                    exempt: exempt.unwrap_or(kernel.exempt),
                    warp: any_warp.unwrap_or(*warp.get(&kernel.warps)),
                    launch,
                    exit,
                    offer_valid,
                    offer0,
                    offer1,
                    offer2,
                    offer3,
                    ..RenameTableIn::default()
                }
                .with_operands(operands)
            },
        )
}

/// Sequences of one kernel each.
pub fn rows<const WARPS: usize, const RENAMED: usize, const PACKS: usize>()
-> impl Strategy<Value = Vec<RenameTableIn<WARPS, RENAMED, PACKS>>> {
    kernel::<WARPS, RENAMED>().prop_flat_map(|kernel| prop::collection::vec(row(kernel), 1..120))
}
