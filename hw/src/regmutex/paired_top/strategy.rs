//! What the property tests of paired warps in one SM draw from.

use super::PairedTopIn;
use crate::common::issue::Issue;
use crate::manager::RegOp;
use crate::strategies::{LookupDraw, any_rows, lookup_draws, lookups_at};
use proptest::prelude::*;

/// `|Bs|` and `|Es|` of a kernel whose last pair ends where the register file does, or somewhat before or behind it.
fn kernel<const NW: usize, const PACKS: usize>() -> impl Strategy<Value = (u8, u8)> {
    (0..40usize, 0..3usize, 1..=NW / 2).prop_map(|(ext, more, pairs)| {
        let row = PACKS / pairs + more;
        let base = (row.saturating_sub(ext) / 2).clamp(1, 200);
        (base as u8, ext.min(row - 1) as u8)
    })
}

/// An instruction with registers about where its warp's sets end, and where the register file does.
fn issue_of<const PACKS: usize>(
    (base, ext): (u8, u8),
    op: RegOp,
    warp: u8,
    draws: [LookupDraw; 4],
) -> Issue {
    let (base, ext) = (i32::from(base), i32::from(ext));
    let left = PACKS as i32 - i32::from(warp / 2) * (2 * base + ext);
    let points = [
        base,
        base + ext,
        left - i32::from(warp % 2) * base,
        left - base,
    ];
    Issue {
        op,
        warp,
        regs: lookups_at(draws, &points),
    }
}

/// An instruction of a warp of the first two pairs, of the last ones, or of any that can be named.
fn issue<const NW: usize, const PACKS: usize>(
    kernel: (u8, u8),
) -> impl Strategy<Value = Option<Issue>> {
    let warp = prop_oneof![
        3 => 0..4u8,
        2 => NW as u8 - 4..NW as u8,
        2 => 0..NW as u8,
        1 => 0..NW.next_power_of_two() as u8,
    ];
    let op = prop_oneof![
        2 => Just(RegOp::Access),
        2 => Just(RegOp::Acquire),
        1 => Just(RegOp::Release),
    ];
    let issue = (warp, op, lookup_draws())
        .prop_map(move |(warp, op, draws)| issue_of::<PACKS>(kernel, op, warp, draws));
    prop::option::weighted(0.85, issue)
}

/// A kernel: its start, and any instructions; now and then both ports meet in one pair or one warp.
fn run<const NW: usize, const PACKS: usize>() -> impl Strategy<Value = Vec<PairedTopIn<NW, PACKS>>>
{
    kernel::<NW, PACKS>().prop_flat_map(|kernel| {
        let pins = PairedTopIn {
            base_regs: kernel.0,
            ext_regs: kernel.1,
            ..PairedTopIn::default()
        };
        let cycle = (
            issue::<NW, PACKS>(kernel),
            issue::<NW, PACKS>(kernel),
            any::<bool>(),
            0..6u8,
        )
            .prop_map(move |(a, b, favor_b, meet)| {
                let b = match (a, b, meet) {
                    (Some(a), Some(b), 0 | 1) => Some(Issue {
                        warp: a.warp ^ meet,
                        ..b
                    }),
                    (_, b, _) => b,
                };
                let pins = PairedTopIn { favor_b, ..pins };
                let pins = a.map_or(pins, |a| pins.with_a(a));
                b.map_or(pins, |b| pins.with_b(b))
            });
        let start = PairedTopIn {
            clear: true,
            ..pins
        };
        prop::collection::vec(cycle, 1..80).prop_map(move |rows| [vec![start], rows].concat())
    })
}

/// A kernel whose pairs all acquire, in some order, by either warp, and then change hands.
fn crowd<const NW: usize, const PACKS: usize>() -> impl Strategy<Value = Vec<PairedTopIn<NW, PACKS>>>
{
    let order = Just((0..NW as u8).collect::<Vec<_>>()).prop_shuffle();
    (kernel::<NW, PACKS>(), order).prop_flat_map(|(kernel, order)| {
        let pins = PairedTopIn {
            base_regs: kernel.0,
            ext_regs: kernel.1,
            ..PairedTopIn::default()
        };
        // Each warp acquires, then each releases; port b looks registers up of a warp that may have acquired, or releases
        // what port a's partner releases.
        let both = [order.clone(), order].concat();
        let steps: Vec<_> = (both.into_iter().enumerate())
            .map(|(at, warp)| {
                let acquires = at < NW;
                let other = (0..NW as u8, lookup_draws(), any::<bool>());
                (lookup_draws(), other).prop_map(move |(draws, (other, others, alone))| {
                    let (a_op, b_op, other) = match (acquires, alone) {
                        (true, _) => (RegOp::Acquire, RegOp::Access, other),
                        (false, true) => (RegOp::Release, RegOp::Access, other),
                        (false, false) => (RegOp::Release, RegOp::Release, warp ^ 1),
                    };
                    pins.with_a(issue_of::<PACKS>(kernel, a_op, warp, draws))
                        .with_b(issue_of::<PACKS>(kernel, b_op, other, others))
                })
            })
            .collect();
        steps
    })
}

/// Kernels one after the other, or any pins.
pub fn rows<const NW: usize, const PACKS: usize>()
-> impl Strategy<Value = Vec<PairedTopIn<NW, PACKS>>> {
    let kernels = prop::collection::vec(run(), 1..3).prop_map(|runs| runs.concat());
    prop_oneof![3 => kernels, 2 => crowd(), 1 => any_rows(60)]
}
