//! What the property tests of RegMutex in one SM draw from.

use super::{Issue, RegmutexTopIn};
use crate::manager::RegOp;
use crate::strategies::{LookupDraw, any_rows, lookup_draws, lookups_at};
use proptest::prelude::*;

/// What the compiler and the launch fix for a kernel.
#[derive(Clone, Copy, Debug)]
struct Kernel {
    base_regs: u8,
    ext_regs: u8,
    sections: u8,
    srp_offset: u16,
}

impl Kernel {
    /// The pins that stay as they are while it runs.
    fn pins<const NW: usize, const PACKS: usize>(self) -> RegmutexTopIn<NW, PACKS> {
        RegmutexTopIn {
            base_regs: self.base_regs,
            ext_regs: self.ext_regs,
            srp_offset: self.srp_offset,
            section_count: self.sections,
            ..RegmutexTopIn::default()
        }
    }

    /// Its first cycle.
    fn start<const NW: usize, const PACKS: usize>(self) -> RegmutexTopIn<NW, PACKS> {
        RegmutexTopIn {
            clear: true,
            ..self.pins()
        }
    }

    /// An instruction with registers about where its sets end.
    fn issue(self, op: RegOp, warp: u8, draws: [LookupDraw; 4]) -> Issue {
        let base = i32::from(self.base_regs);
        let ends = [base, base + i32::from(self.ext_regs)];
        Issue {
            op,
            warp,
            regs: lookups_at(draws, &ends),
        }
    }
}

/// Kernels that fill the file or less of it, or more.
fn kernel<const NW: usize, const PACKS: usize>() -> impl Strategy<Value = Kernel> {
    let most = (PACKS / NW).min(200);
    (
        1..=most,
        0..40usize,
        0..=NW,
        0..PACKS,
        prop::bool::weighted(0.8),
    )
        .prop_map(|(base, ext, sections, anywhere, fits)| {
            let offset = if fits { base * NW } else { anywhere };
            Kernel {
                base_regs: base as u8,
                ext_regs: ext as u8,
                sections: sections as u8,
                srp_offset: offset.min(PACKS - 1) as u16,
            }
        })
}

/// An instruction of one of a few warps or of any, with registers about where the sets of a kernel end.
fn issue<const NW: usize>(kernel: Kernel) -> impl Strategy<Value = Option<Issue>> {
    let warp = prop_oneof![2 => 0..NW.min(4) as u8, 1 => 0..NW as u8];
    let op = prop_oneof![
        2 => Just(RegOp::Access),
        2 => Just(RegOp::Acquire),
        1 => Just(RegOp::Release),
    ];
    let issue =
        (warp, op, lookup_draws()).prop_map(move |(warp, op, draws)| kernel.issue(op, warp, draws));
    prop::option::weighted(0.8, issue)
}

/// A kernel: its start, and any instructions.
fn run<const NW: usize, const PACKS: usize>() -> impl Strategy<Value = Vec<RegmutexTopIn<NW, PACKS>>>
{
    kernel::<NW, PACKS>().prop_flat_map(|kernel| {
        let pins = kernel.pins();
        let cycle = (issue::<NW>(kernel), issue::<NW>(kernel), any::<bool>()).prop_map(
            move |(a, b, favor_b)| {
                let pins = RegmutexTopIn { favor_b, ..pins };
                let pins = a.map_or(pins, |a| pins.with_a(a));
                b.map_or(pins, |b| pins.with_b(b))
            },
        );
        prop::collection::vec(cycle, 1..60)
            .prop_map(move |rows| [vec![kernel.start()], rows].concat())
    })
}

/// Kernels whose sections end where the register file does, or up to two packs behind it.
fn tight_kernel<const NW: usize, const PACKS: usize>() -> impl Strategy<Value = Kernel> {
    let most = (PACKS / NW / 2).clamp(1, 100);
    (NW / 2..=NW, 1..=most, 0..=2usize).prop_map(|(sections, ext, behind)| {
        let offset = (PACKS - sections * ext + behind).min(PACKS - 1);
        Kernel {
            base_regs: (offset / NW).min(200) as u8,
            ext_regs: ext as u8,
            sections: sections as u8,
            srp_offset: offset as u16,
        }
    })
}

/// A tight kernel whose warps all acquire, in some order, and then change places.
fn crowd<const NW: usize, const PACKS: usize>()
-> impl Strategy<Value = Vec<RegmutexTopIn<NW, PACKS>>> {
    let order = Just((0..NW as u8).collect::<Vec<_>>()).prop_shuffle();
    (tight_kernel::<NW, PACKS>(), order).prop_flat_map(|(kernel, order)| {
        // An acquire on port a; port b looks registers up of a warp that may have acquired before.
        let acquires = order.into_iter().map(|warp| {
            (lookup_draws(), 0..NW as u8, lookup_draws()).prop_map(move |(draws, other, others)| {
                kernel
                    .pins()
                    .with_a(kernel.issue(RegOp::Acquire, warp, draws))
                    .with_b(kernel.issue(RegOp::Access, other, others))
            })
        });
        let exchange = (
            (0..NW as u8, lookup_draws()),
            (0..NW as u8, lookup_draws()),
            any::<(bool, bool)>(),
        );
        let exchange = exchange.prop_map(move |(a, b, (a_releases, favor_b))| {
            let mut ops = [RegOp::Acquire, RegOp::Release];
            ops.rotate_left(a_releases.into());
            let pins = kernel
                .pins()
                .with_a(kernel.issue(ops[0], a.0, a.1))
                .with_b(kernel.issue(ops[1], b.0, b.1));
            RegmutexTopIn { favor_b, ..pins }
        });
        let acquires: Vec<_> = acquires.collect();
        (acquires, prop::collection::vec(exchange, 1..80))
            .prop_map(move |(all, later)| [vec![kernel.start()], all, later].concat())
    })
}

/// Kernels one after the other, or any pins.
pub fn rows<const NW: usize, const PACKS: usize>()
-> impl Strategy<Value = Vec<RegmutexTopIn<NW, PACKS>>> {
    let kernels = prop::collection::vec(run(), 1..3).prop_map(|runs| runs.concat());
    prop_oneof![3 => kernels, 3 => crowd(), 1 => any_rows(60)]
}
