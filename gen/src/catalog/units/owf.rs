//! The units of resource sharing with owner-warp-first scheduling.

use super::super::Entry;
use super::super::stimulus_owf::{register_pairs, scratchpad_pairs};
use super::super::stimulus_owf_issue::{throttled_periods, warps_in_order};
use super::super::stimulus_owf_top::owf_issues;
use super::{Unit, cases, entry, record, source};
use regshare_hw::owf::cost::{
    DynamicThrottleBits, PairLockBits, ScratchpadLockBits, warp_priority_bits,
};

pub(super) fn add(entries: &mut Vec<Entry>) {
    pair_lock(entries);
    scratchpad_lock(entries);
    warp_priority(entries);
    dynamic_throttle(entries);
    owf_top(entries);
}

fn pair_lock(entries: &mut Vec<Entry>) {
    use regshare_hw::owf::pair_lock::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "pair_lock",
        summary: "Register sharing: the locks of warp pairs, partners of CTAs and owner warps (resource sharing III-A).",
        pins_source: source!("owf/pair_lock/mod.rs").1,
        rtl_source: source!("owf/pair_lock/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $ctas:literal, $block:ty) => {
            entries.push(
                entry::<Model<$warps, $ctas>, $block>(
                    &unit,
                    &[("warps", $warps), ("ctas", $ctas)],
                    PairLockBits::new($warps, $ctas).total() as usize,
                    || {
                        record::<Model<$warps, $ctas>>(|pins| {
                            register_pairs(pins, $warps, $ctas, 1200)
                        })
                    },
                )
                .with_cases(|seed, count| {
                    cases::<Model<$warps, $ctas>>(&strategy::rows(), seed, count)
                }),
            );
        };
    }
    size!(48, 8, rtl::PairLock48x8);
    size!(64, 32, rtl::PairLock64x32);
    size!(16, 8, rtl::PairLock16x8);
}

fn scratchpad_lock(entries: &mut Vec<Entry>) {
    use regshare_hw::owf::scratchpad_lock::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "scratchpad_lock",
        summary: "Scratchpad sharing: the locks of CTA pairs, partners of CTAs and owner warps (resource sharing III-B).",
        pins_source: source!("owf/scratchpad_lock/mod.rs").1,
        rtl_source: source!("owf/scratchpad_lock/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $ctas:literal, $block:ty) => {
            entries.push(
                entry::<Model<$warps, $ctas>, $block>(
                    &unit,
                    &[("warps", $warps), ("ctas", $ctas)],
                    ScratchpadLockBits::new($warps, $ctas).total() as usize,
                    || {
                        record::<Model<$warps, $ctas>>(|pins| {
                            scratchpad_pairs(pins, $warps, $ctas, 1200)
                        })
                    },
                )
                .with_cases(|seed, count| {
                    cases::<Model<$warps, $ctas>>(&strategy::rows(), seed, count)
                }),
            );
        };
    }
    size!(48, 8, rtl::ScratchpadLock48x8);
    size!(64, 32, rtl::ScratchpadLock64x32);
    size!(16, 8, rtl::ScratchpadLock16x8);
}

fn warp_priority(entries: &mut Vec<Entry>) {
    use regshare_hw::owf::warp_priority::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "warp_priority",
        summary: "Owner-warp-first: which warp each scheduler issues, by class and then by age (resource sharing, IV-A).",
        pins_source: source!("owf/warp_priority/mod.rs").1,
        rtl_source: source!("owf/warp_priority/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $schedulers:literal, $block:ty) => {
            entries.push(
                entry::<Model<$warps, $schedulers>, $block>(
                    &unit,
                    &[("warps", $warps), ("schedulers", $schedulers)],
                    warp_priority_bits($warps, $schedulers) as usize,
                    || {
                        record::<Model<$warps, $schedulers>>(|pins| {
                            warps_in_order(pins, $warps, $schedulers, 1000)
                        })
                    },
                )
                .with_paper_bits(
                    0,
                    "V: counts the shared and owner bits, which come in on pins; that the oldest goes first takes a bit \
                     per pair of warps of a scheduler",
                )
                .with_cases(|seed, count| {
                    cases::<Model<$warps, $schedulers>>(&strategy::rows(), seed, count)
                }),
            );
        };
    }
    size!(48, 2, rtl::WarpPriority48x2);
    size!(48, 4, rtl::WarpPriority48x4);
    size!(64, 4, rtl::WarpPriority64x4);
    size!(8, 2, rtl::WarpPriority8x2);
}

fn dynamic_throttle(entries: &mut Vec<Entry>) {
    use regshare_hw::owf::dynamic_throttle::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "dynamic_throttle",
        summary: "Dynamic warp execution: how often non-owner warps may issue memory instructions (resource sharing, IV-C).",
        pins_source: source!("owf/dynamic_throttle/mod.rs").1,
        rtl_source: source!("owf/dynamic_throttle/rtl.rs"),
    };
    macro_rules! size {
        ($period:literal, $block:ty) => {
            entries.push(
                entry::<Model<$period>, $block>(
                    &unit,
                    &[("period", $period)],
                    DynamicThrottleBits::new($period).total() as usize,
                    || record::<Model<$period>>(|pins| throttled_periods(pins, $period, 600)),
                )
                .with_paper_bits(
                    0,
                    "V: counts nothing for dynamic warp execution (IV-C); it takes a cycle and a stall counter, the \
                     probability, and something to draw from",
                )
                .with_cases(|seed, count| cases::<Model<$period>>(&strategy::rows(), seed, count)),
            );
        };
    }
    size!(1000, rtl::DynamicThrottle1000);
    size!(12, rtl::DynamicThrottle12);
}

fn owf_top(entries: &mut Vec<Entry>) {
    use regshare_hw::owf::owf_top::{PERIOD, SCHEDULERS, model::Model, rtl, strategy};
    let unit = Unit {
        name: "owf_top",
        summary: "Resource sharing in one SM: both locks, owner-warp-first, the throttle and a mapper for each of two schedulers.",
        pins_source: source!("owf/owf_top/mod.rs").1,
        rtl_source: source!("owf/owf_top/rtl.rs"),
    };
    let bits = |warps, ctas| {
        let locks =
            PairLockBits::new(warps, ctas).total() + ScratchpadLockBits::new(warps, ctas).total();
        let order = warp_priority_bits(warps, SCHEDULERS as u64);
        let throttle = DynamicThrottleBits::new(PERIOD as u64).total();
        ((locks + order + throttle) as usize, locks as usize)
    };
    macro_rules! size {
        ($warps:literal, $ctas:literal, $packs:literal, $block:ty) => {{
            type Sized = Model<$warps, $ctas, $packs>;
            let (all, locks) = bits($warps, $ctas);
            entries.push(
                entry::<Sized, $block>(
                    &unit,
                    &[("warps", $warps), ("ctas", $ctas), ("packs", $packs)],
                    all,
                    || record::<Sized>(|pins| owf_issues(pins, $warps, $packs, 1200)),
                )
                .with_units(&["registers", "scratchpad", "choice", "throttle"])
                .with_paper_bits(
                    locks,
                    "V: counts the two locks; the order of the warps and dynamic warp execution (IV) come on top",
                )
                .with_cases(|seed, count| cases::<Sized>(&strategy::rows(), seed, count)),
            );
        }};
    }
    size!(48, 8, 1024, rtl::OwfTop48x8x1024);
    size!(64, 32, 2048, rtl::OwfTop64x32x2048);
    size!(16, 8, 512, rtl::OwfTop16x8x512);
}
