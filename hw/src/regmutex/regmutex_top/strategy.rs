//! What the property tests of RegMutex in one SM draw from.

use super::{Issue, RegmutexTopIn};
use crate::manager::RegOp;
use crate::strategies::{any_rows, lookup_draws, lookups_at};
use proptest::prelude::*;

/// What the compiler and the launch fix for a kernel.
#[derive(Clone, Copy, Debug)]
struct Kernel {
    base_regs: u8,
    ext_regs: u8,
    sections: u8,
    srp_offset: u16,
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
    let ends = [
        i32::from(kernel.base_regs),
        i32::from(kernel.base_regs) + i32::from(kernel.ext_regs),
    ];
    let issue = (warp, op, lookup_draws()).prop_map(move |(warp, op, draws)| Issue {
        op,
        warp,
        regs: lookups_at(draws, &ends),
    });
    prop::option::weighted(0.8, issue)
}

/// A kernel: its start, and any instructions.
fn run<const NW: usize, const PACKS: usize>() -> impl Strategy<Value = Vec<RegmutexTopIn<NW, PACKS>>>
{
    kernel::<NW, PACKS>().prop_flat_map(|kernel| {
        let pins = RegmutexTopIn {
            base_regs: kernel.base_regs,
            ext_regs: kernel.ext_regs,
            srp_offset: kernel.srp_offset,
            section_count: kernel.sections,
            ..RegmutexTopIn::default()
        };
        let cycle = (issue::<NW>(kernel), issue::<NW>(kernel), any::<bool>()).prop_map(
            move |(a, b, favor_b)| {
                let pins = RegmutexTopIn { favor_b, ..pins };
                let pins = a.map_or(pins, |a| pins.with_a(a));
                b.map_or(pins, |b| pins.with_b(b))
            },
        );
        prop::collection::vec(cycle, 1..60).prop_map(move |rows| {
            let start = RegmutexTopIn {
                clear: true,
                ..pins
            };
            std::iter::once(start).chain(rows).collect()
        })
    })
}

/// Kernels one after the other, or any pins.
pub fn rows<const NW: usize, const PACKS: usize>()
-> impl Strategy<Value = Vec<RegmutexTopIn<NW, PACKS>>> {
    let kernels = prop::collection::vec(run(), 1..3).prop_map(|runs| runs.concat());
    prop_oneof![3 => kernels, 1 => any_rows(60)]
}
