//! The units of RegMutex (III-B1, III-B2, III-C).

use super::super::Entry;
use super::super::stimulus::{look_ups, requests};
use super::super::stimulus_tops::{paired_issues, regmutex_issues};
use super::{Unit, cases, entry, record, source};
use regshare_hw::cost::{RegMutexBits, paired_bits, paired_safe_bits};

pub(super) fn add(entries: &mut Vec<Entry>) {
    srp_allocator(entries);
    register_mapper(entries);
    paired_lock(entries);
    safe_paired_lock(entries);
    paired_mapper(entries);
    regmutex_top(entries);
    paired_tops(entries);
}

fn srp_allocator(entries: &mut Vec<Entry>) {
    use regshare_hw::regmutex::srp_allocator::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "srp_allocator",
        summary: "Allocates the sections of RegMutex's shared register pool to warps (III-B1).",
        pins_source: source!("regmutex/srp_allocator/mod.rs").1,
        rtl_source: source!("regmutex/srp_allocator/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $block:ty) => {
            entries.push(
                entry::<Model<$warps>, $block>(
                    &unit,
                    &[("warps", $warps)],
                    RegMutexBits::new($warps).total() as usize,
                    || record::<Model<$warps>>(|pins| requests(pins, $warps, 1200)),
                )
                .with_cases(|seed, count| cases::<Model<$warps>>(&strategy::rows(), seed, count)),
            );
        };
    }
    size!(48, rtl::SrpAllocator48);
    size!(64, rtl::SrpAllocator64);
    size!(8, rtl::SrpAllocator8);
}

fn register_mapper(entries: &mut Vec<Entry>) {
    use regshare_hw::regmutex::register_mapper::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "register_mapper",
        summary: "RegMutex's mapping: base set by warp, extended set by section (III-B2).",
        pins_source: source!("regmutex/register_mapper/mod.rs").1,
        rtl_source: source!("regmutex/register_mapper/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $packs:literal, $block:ty) => {
            entries.push(
                entry::<Model<$warps, $packs>, $block>(
                    &unit,
                    &[("warps", $warps), ("packs", $packs)],
                    0,
                    || record::<Model<$warps, $packs>>(|pins| look_ups(pins, $warps, $packs, 800)),
                )
                .with_cases(|seed, count| {
                    cases::<Model<$warps, $packs>>(&strategy::rows(), seed, count)
                }),
            );
        };
    }
    size!(48, 512, rtl::RegisterMapper48x512);
    size!(48, 1024, rtl::RegisterMapper48x1024);
    size!(48, 2048, rtl::RegisterMapper48x2048);
    size!(64, 512, rtl::RegisterMapper64x512);
    size!(64, 1024, rtl::RegisterMapper64x1024);
    size!(64, 2048, rtl::RegisterMapper64x2048);
    size!(8, 512, rtl::RegisterMapper8x512);
}

fn paired_lock(entries: &mut Vec<Entry>) {
    use regshare_hw::regmutex::paired_lock::{model::PairBitModel, pair_bit, strategy};
    let unit = Unit {
        name: "paired_lock",
        summary: "Lock of warp pairs' extended sets with one bit per pair, as in RegMutex III-C; relies on the compiler.",
        pins_source: source!("regmutex/paired_lock/mod.rs").1,
        rtl_source: source!("regmutex/paired_lock/pair_bit.rs"),
    };
    macro_rules! size {
        ($warps:literal, $block:ty) => {
            entries.push(
                entry::<PairBitModel<$warps>, $block>(
                    &unit,
                    &[("warps", $warps)],
                    paired_bits($warps) as usize,
                    || record::<PairBitModel<$warps>>(|pins| requests(pins, $warps, 1200)),
                )
                .with_cases(|seed, count| {
                    cases::<PairBitModel<$warps>>(&strategy::rows(), seed, count)
                }),
            );
        };
    }
    size!(48, pair_bit::PairedLock48);
    size!(64, pair_bit::PairedLock64);
    size!(16, pair_bit::PairedLock16);
}

fn safe_paired_lock(entries: &mut Vec<Entry>) {
    use regshare_hw::regmutex::paired_lock::{model::WarpBitModel, strategy, warp_bit};
    let unit = Unit {
        name: "safe_paired_lock",
        summary: "Lock of warp pairs' extended sets with one bit per warp; safe whatever the program does.",
        pins_source: source!("regmutex/paired_lock/mod.rs").1,
        rtl_source: source!("regmutex/paired_lock/warp_bit.rs"),
    };
    macro_rules! size {
        ($warps:literal, $block:ty) => {
            entries.push(
                entry::<WarpBitModel<$warps>, $block>(
                &unit,
                &[("warps", $warps)],
                paired_safe_bits($warps) as usize,
                || record::<WarpBitModel<$warps>>(|pins| requests(pins, $warps, 1200)),
            )
            .with_cases(|seed, count| {
                cases::<WarpBitModel<$warps>>(&strategy::rows(), seed, count)
            })
            .with_paper_bits(
                paired_bits($warps) as usize,
                "III-C: one bit per pair says that the set is taken, not by whom; the safe lock has one per warp",
            ));
        };
    }
    size!(48, warp_bit::SafePairedLock48);
    size!(64, warp_bit::SafePairedLock64);
    size!(16, warp_bit::SafePairedLock16);
}

fn paired_mapper(entries: &mut Vec<Entry>) {
    use regshare_hw::regmutex::paired_mapper::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "paired_mapper",
        summary: "The mapping of paired warps: two base sets and one extended set per pair (RegMutex III-C).",
        pins_source: source!("regmutex/paired_mapper/mod.rs").1,
        rtl_source: source!("regmutex/paired_mapper/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $packs:literal, $block:ty) => {
            entries.push(
                entry::<Model<$warps, $packs>, $block>(
                    &unit,
                    &[("warps", $warps), ("packs", $packs)],
                    0,
                    || record::<Model<$warps, $packs>>(|pins| look_ups(pins, $warps, $packs, 800)),
                )
                .with_cases(|seed, count| {
                    cases::<Model<$warps, $packs>>(&strategy::rows(), seed, count)
                }),
            );
        };
    }
    size!(48, 512, rtl::PairedMapper48x512);
    size!(48, 1024, rtl::PairedMapper48x1024);
    size!(48, 2048, rtl::PairedMapper48x2048);
    size!(64, 512, rtl::PairedMapper64x512);
    size!(64, 1024, rtl::PairedMapper64x1024);
    size!(64, 2048, rtl::PairedMapper64x2048);
    size!(8, 512, rtl::PairedMapper8x512);
}

fn regmutex_top(entries: &mut Vec<Entry>) {
    use regshare_hw::regmutex::regmutex_top::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "regmutex_top",
        summary: "RegMutex in one SM: the allocator and a mapper for each of two schedulers (III-B).",
        pins_source: source!("regmutex/regmutex_top/mod.rs").1,
        rtl_source: source!("regmutex/regmutex_top/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $packs:literal, $block:ty) => {
            entries.push(
                entry::<Model<$warps, $packs>, $block>(
                    &unit,
                    &[("warps", $warps), ("packs", $packs)],
                    RegMutexBits::new($warps).total() as usize,
                    || {
                        record::<Model<$warps, $packs>>(|pins| {
                            regmutex_issues(pins, $warps, $packs, 1200)
                        })
                    },
                )
                .with_units(&["allocator", "mapper_a", "mapper_b"])
                .with_cases(|seed, count| {
                    cases::<Model<$warps, $packs>>(&strategy::rows(), seed, count)
                }),
            );
        };
    }
    size!(48, 1024, rtl::RegmutexTop48x1024);
    size!(64, 2048, rtl::RegmutexTop64x2048);
    size!(8, 512, rtl::RegmutexTop8x512);
    size!(16, 512, rtl::RegmutexTop16x512);
}

fn paired_tops(entries: &mut Vec<Entry>) {
    use regshare_hw::regmutex::paired_top::{model::PairBitTop, model::WarpBitTop, rtl, strategy};
    let paper = Unit {
        name: "paired_top",
        summary: "Paired warps in one SM: the lock with a bit per pair and a mapper for each of two schedulers (RegMutex III-C).",
        pins_source: source!("regmutex/paired_top/mod.rs").1,
        rtl_source: source!("regmutex/paired_top/rtl.rs"),
    };
    let safe = Unit {
        name: "safe_paired_top",
        summary: "Paired warps in one SM with the lock of one bit per warp; safe whatever the program does.",
        ..paper
    };
    macro_rules! size {
        ($unit:ident, $model:ident, $bits:expr, $warps:literal, $packs:literal, $block:ty) => {
            entry::<$model<$warps, $packs>, $block>(
                &$unit,
                &[("warps", $warps), ("packs", $packs)],
                $bits as usize,
                || {
                    record::<$model<$warps, $packs>>(|pins| {
                        paired_issues(pins, $warps, $packs, 1200)
                    })
                },
            )
            .with_units(&["lock", "mapper_a", "mapper_b"])
            .with_cases(|seed, count| {
                cases::<$model<$warps, $packs>>(&strategy::rows(), seed, count)
            })
        };
    }
    entries.extend([
        size!(
            paper,
            PairBitTop,
            paired_bits(48),
            48,
            1024,
            rtl::PairedTop48x1024
        ),
        size!(
            paper,
            PairBitTop,
            paired_bits(64),
            64,
            2048,
            rtl::PairedTop64x2048
        ),
        size!(
            paper,
            PairBitTop,
            paired_bits(16),
            16,
            512,
            rtl::PairedTop16x512
        ),
    ]);
    let safe = [
        size!(
            safe,
            WarpBitTop,
            paired_safe_bits(48),
            48,
            1024,
            rtl::SafePairedTop48x1024
        ),
        size!(
            safe,
            WarpBitTop,
            paired_safe_bits(64),
            64,
            2048,
            rtl::SafePairedTop64x2048
        ),
        size!(
            safe,
            WarpBitTop,
            paired_safe_bits(16),
            16,
            512,
            rtl::SafePairedTop16x512
        ),
    ];
    entries.extend(safe.map(|entry| {
        let warps = entry.param("warps").unwrap_or(0);
        entry.with_paper_bits(
            paired_bits(warps) as usize,
            "III-C: one bit per pair says that the set is taken, not by whom; the safe lock has one per warp",
        )
    }));
}
