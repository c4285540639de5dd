//! What the property tests of RFV in one SM draw from.

use super::{Issue, RfvTopIn, pack_count};
use crate::rfv::flag_decoder::{NO_REGISTER, PIR_OPCODE, flag_word, pbr_word};
use crate::rfv::free_list::{BANKS, reserved_packs};
use crate::strategies::any_rows;
use proptest::prelude::*;
use proptest::sample::Index;

/// What a kernel is about: few warps, registers and pirs, so that they meet.
#[derive(Clone, Debug)]
struct Kernel {
    exempt: u8,
    shrink: u8,
    reserved: u16,
    /// How many packs there are more, or less, than the file has: few make the throttle close.
    pack_count: u16,
    need: u16,
    warps: Vec<u8>,
    registers: Vec<u8>,
    pirs: Vec<u16>,
}

fn kernel<const NW: usize, const T: usize, const PACKS: usize>() -> impl Strategy<Value = Kernel> {
    let bank_packs = PACKS / BANKS;
    let exempt = prop_oneof![3 => Just(0u8), 3 => 0u8..5, 1 => 0u8..64];
    (
        exempt,
        prop_oneof![2 => Just(0u8), 1 => 0u8..4],
        // What the exempt registers take, almost the whole bank, any, or up to about the end of a sub-array: then the next one
        // is awake in some banks only.
        prop_oneof![
            3 => Just(None),
            3 => (0..6usize).prop_map(Some),
            1 => (6..bank_packs).prop_map(Some),
            4 => (1..4usize, 0..3usize).prop_map(move |(arrays, less)| Some(bank_packs / 4 * arrays - less)),
        ],
        prop_oneof![2 => Just(None), 2 => (0u16..24).prop_map(Some)],
        0u16..20,
        prop::collection::vec(0..NW as u8, 1..4),
        prop::collection::vec(prop_oneof![4 => 0u8..12, 2 => 0u8..64], 2..10),
        prop::collection::vec(prop_oneof![3 => 0u16..24, 1 => any::<u16>()], 1..4),
    )
        .prop_map(
            move |(exempt, shrink, left, few, need, warps, registers, pirs)| {
                let kept = pack_count(PACKS, shrink.into(), 0) / BANKS;
                let reserved = match left {
                    None => reserved_packs(exempt.into(), NW).min(bank_packs),
                    Some(left) if left < 6 => kept - left,
                    Some(any) => any,
                };
                let packs = pack_count(PACKS, shrink.into(), reserved) as u16;
                Kernel {
                    exempt,
                    shrink,
                    reserved: reserved as u16,
                    pack_count: few.unwrap_or(packs),
                    need,
                    warps,
                    registers,
                    pirs,
                }
            },
        )
}

/// A word: a pir or a pbr of the kernel's registers, or any.
fn word(kernel: &Kernel) -> impl Strategy<Value = u64> + use<> {
    let register = prop::sample::select(kernel.registers.clone());
    let id = prop_oneof![4 => register, 1 => Just(NO_REGISTER)];
    prop_oneof![
        4 => (0..1u64 << 54).prop_map(|payload| flag_word(PIR_OPCODE, payload)),
        4 => prop::collection::vec(id, 0..10).prop_map(|ids| pbr_word(&ids).unwrap_or(0)),
        1 => any::<u64>(),
    ]
}

/// The slot of a warp's CTA: four of them are in use, the first and the last among them.
fn slot<const T: usize>(warp: u8) -> u8 {
    warp % 4 * (T as u8 - 1) / 3
}

/// An instruction of one of the kernel's warps.
type IssueDraw = ([Option<Index>; 4], Index, Option<(Index, u8)>, (bool, bool));

fn issue_draw() -> impl Strategy<Value = IssueDraw> {
    (
        prop::array::uniform4(prop::option::weighted(0.7, any::<Index>())),
        any::<Index>(),
        prop::option::weighted(0.6, (any::<Index>(), 0u8..20)),
        (prop::bool::weighted(0.85), prop::bool::weighted(0.15)),
    )
}

fn issue<const T: usize>(kernel: &Kernel, (regs, warp, pir, (_, urgent)): &IssueDraw) -> Issue {
    let warp = *warp.get(&kernel.warps);
    Issue {
        warp,
        cta: slot::<T>(warp),
        urgent: *urgent,
        pir: pir.map(|(pir, slot)| (*pir.get(&kernel.pirs), slot)),
        regs: regs.map(|reg| reg.map(|reg| *reg.get(&kernel.registers))),
    }
}

/// Pins that stay for some cycles, as the requester holds them.
fn stretch<const NW: usize, const T: usize, const PACKS: usize>(
    kernel: Kernel,
) -> impl Strategy<Value = Vec<RfvTopIn<NW, T, PACKS>>> {
    let chance = prop::bool::weighted;
    (
        (chance(0.01), chance(0.02), chance(0.02)),
        (chance(0.08), chance(0.04), 0..T as u8),
        (chance(0.4), word(&kernel), any::<Index>(), 0u8..32),
        (issue_draw(), issue_draw()),
        any::<Index>(),
        prop::collection::vec((any::<bool>(), chance(0.1)), 1..6),
    )
        .prop_map(
            move |(
                (clear, launch, exit),
                (cta_launch, cta_exit, cta),
                (word_valid, word, pir, word_slot),
                (a, b),
                warp,
                cycles,
            )| {
                let warp = *warp.get(&kernel.warps);
                let warp_cta = slot::<T>(warp);
                let pins = RfvTopIn {
                    exempt: kernel.exempt,
                    shrink: kernel.shrink,
                    reserved: kernel.reserved,
                    pack_count: kernel.pack_count,
                    need: kernel.need,
                    launch_cta: slot::<T>(cta),
                    exit_cta: cta,
                    launch,
                    exit,
                    warp,
                    warp_cta,
                    word_valid,
                    word,
                    word_pc: *pir.get(&kernel.pirs),
                    word_slot,
                    word_warp: warp,
                    word_cta: warp_cta,
                    ..RfvTopIn::default()
                };
                let pins = pins
                    .with_a(issue::<T>(&kernel, &a))
                    .with_b(issue::<T>(&kernel, &b));
                let first = cycles.len() - 1;
                let cycle = |(number, (favor_b, hold)): (usize, (bool, bool))| RfvTopIn {
                    clear: clear && number == first,
                    cta_launch: cta_launch && number == first,
                    cta_exit: cta_exit && number == first,
                    favor_b,
                    hold,
                    a_valid: a.3.0,
                    b_valid: b.3.0,
                    ..pins
                };
                cycles.into_iter().enumerate().map(cycle).collect()
            },
        )
}

/// A warp writes the registers of a row and ends: four packs come back in one cycle. Then it starts again.
fn whole_row<const NW: usize, const T: usize, const PACKS: usize>(
    idle: RfvTopIn<NW, T, PACKS>,
    warp: u8,
) -> Vec<RfvTopIn<NW, T, PACKS>> {
    let first = 4 * idle.exempt.div_ceil(4).min(14);
    let warp_cta = slot::<T>(warp);
    let writes = (first..first + 4).map(|x| {
        idle.with_a(Issue {
            warp,
            cta: warp_cta,
            regs: [None, None, None, Some(x)],
            ..Issue::default()
        })
    });
    let mut rows: Vec<_> = writes.flat_map(|write| [write, idle]).collect();
    for exit in [true, false] {
        rows.push(RfvTopIn {
            launch: !exit,
            exit,
            warp,
            warp_cta,
            ..idle
        });
        rows.extend([idle; 18]);
    }
    rows
}

/// The next kernel starts in the midst of an instruction, or of a pbr: then nobody has begun.
fn interrupted<const NW: usize, const T: usize, const PACKS: usize>(
    idle: RfvTopIn<NW, T, PACKS>,
    warp: u8,
) -> Vec<RfvTopIn<NW, T, PACKS>> {
    let issue = Issue {
        warp,
        cta: slot::<T>(warp),
        regs: [Some(60), Some(56), Some(52), Some(48)],
        ..Issue::default()
    };
    let ids = [60, 61, 62, 60, 56, 52];
    let word = RfvTopIn {
        word_valid: true,
        word: pbr_word(&ids).unwrap_or(0),
        word_warp: warp,
        word_cta: issue.cta,
        ..idle
    };
    let asks = [idle.with_a(issue), idle.with_b(issue), word];
    let clear = |pins| RfvTopIn {
        clear: true,
        ..pins
    };
    // What has begun goes on before a warp ends.
    let ends = |pins| RfvTopIn {
        exit: true,
        warp,
        ..pins
    };
    let around = |pins| {
        [
            idle,
            pins,
            ends(pins),
            pins,
            clear(pins),
            pins,
            pins,
            pins,
            pins,
            pins,
        ]
    };
    let start = RfvTopIn {
        cta_launch: true,
        launch_cta: issue.cta,
        ..idle
    };
    let each = |pins| [&[start][..], &around(pins)].concat();
    asks.map(each).concat()
}

/// A kernel from its start on, as a rule: its CTAs and its warps, then what comes.
fn run<const NW: usize, const T: usize, const PACKS: usize>()
-> impl Strategy<Value = Vec<RfvTopIn<NW, T, PACKS>>> {
    kernel::<NW, T, PACKS>().prop_flat_map(|kernel| {
        let stretches = prop::collection::vec(stretch::<NW, T, PACKS>(kernel.clone()), 4..40);
        let chance = prop::bool::weighted;
        let parts = (chance(0.9), chance(0.3), chance(0.2));
        (stretches, 0..=T.min(4), parts).prop_map(move |(stretches, ctas, (starts, row, again))| {
            let idle = RfvTopIn {
                exempt: kernel.exempt,
                shrink: kernel.shrink,
                reserved: kernel.reserved,
                pack_count: kernel.pack_count,
                need: kernel.need,
                ..RfvTopIn::default()
            };
            // At power-on it is as after a start without packs.
            if !starts {
                return stretches.concat();
            }
            let mut rows = vec![RfvTopIn {
                clear: true,
                ..idle
            }];
            rows.extend((0..ctas as u8).map(|cta| RfvTopIn {
                cta_launch: true,
                launch_cta: slot::<T>(cta),
                ..idle
            }));
            for &warp in &kernel.warps {
                let launch = RfvTopIn {
                    launch: true,
                    warp,
                    ..idle
                };
                rows.push(launch);
                rows.extend([idle; 16]);
            }
            if row {
                rows.extend(whole_row(idle, kernel.warps[0]));
            }
            rows.extend(stretches.concat());
            if again {
                rows.extend(interrupted(idle, kernel.warps[0]));
            }
            rows
        })
    })
}

/// Kernels, or any pins.
pub fn rows<const NW: usize, const T: usize, const PACKS: usize>()
-> impl Strategy<Value = Vec<RfvTopIn<NW, T, PACKS>>> {
    prop_oneof![
        12 => run(),
        1 => any_rows(60),
    ]
}
