//! The units of register file virtualization (RFV 6.2, 7 and 8).

use super::super::Entry;
use super::super::stimulus_rename::renamings;
use super::super::stimulus_rfv::{
    cta_kernels, flag_words, packs_in_and_out, pir_fills, sleep_and_wake,
};
use super::super::stimulus_rfv_top::rfv_kernels;
use super::{Unit, cases, entry, record, source};
use regshare_hw::rfv::cost::{
    CtaThrottleBits, FlagCacheBits, RenameTableBits, RfvStageBits, availability_bits,
    power_gate_bits,
};

pub(super) fn add(entries: &mut Vec<Entry>) {
    flag_decoder(entries);
    free_list(entries);
    release_flag_cache(entries);
    cta_throttle(entries);
    power_gate(entries);
    rename_table(entries);
    rfv_top(entries);
}

fn flag_decoder(entries: &mut Vec<Entry>) {
    use regshare_hw::rfv::flag_decoder::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "flag_decoder",
        summary: "Takes apart RFV's release flag instructions, pir and pbr (6.2, 7.2).",
        pins_source: source!("rfv/flag_decoder/mod.rs").1,
        rtl_source: source!("rfv/flag_decoder/rtl.rs"),
    };
    entries.push(
        entry::<Model, rtl::FlagDecoder>(&unit, &[], 0, || {
            record::<Model>(|pins| flag_words(pins, 400))
        })
        .with_cases(|seed, count| cases::<Model>(&strategy::rows(), seed, count)),
    );
}

fn free_list(entries: &mut Vec<Entry>) {
    use regshare_hw::rfv::free_list::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "free_list",
        summary: "Offers a free pack per bank, in sub-arrays that are awake where it can (RFV 7.1, 8.2).",
        pins_source: source!("rfv/free_list/mod.rs").1,
        rtl_source: source!("rfv/free_list/rtl.rs"),
    };
    macro_rules! size {
        ($packs:literal, $block:ty) => {
            entries.push(
                entry::<Model<$packs>, $block>(
                    &unit,
                    &[("packs", $packs)],
                    availability_bits($packs) as usize,
                    || record::<Model<$packs>>(|pins| packs_in_and_out(pins, $packs, 900)),
                )
                .with_cases(|seed, count| cases::<Model<$packs>>(&strategy::rows(), seed, count)),
            );
        };
    }
    size!(512, rtl::FreeList512);
    size!(1024, rtl::FreeList1024);
    size!(2048, rtl::FreeList2048);
    size!(64, rtl::FreeList64);
}

fn release_flag_cache(entries: &mut Vec<Entry>) {
    use regshare_hw::rfv::release_flag_cache::{PC_BITS, model::Model, rtl, strategy};
    let unit = Unit {
        name: "release_flag_cache",
        summary: "Direct-mapped cache of the flags of ten pir or fewer, shared by all warps (RFV 7.2).",
        pins_source: source!("rfv/release_flag_cache/mod.rs").1,
        rtl_source: source!("rfv/release_flag_cache/rtl.rs"),
    };
    macro_rules! size {
        ($entries:literal, $why:literal, $block:ty) => {
            let bits = FlagCacheBits::new($entries, PC_BITS.into());
            entries.push(
                entry::<Model<$entries>, $block>(
                    &unit,
                    &[("entries", $entries)],
                    bits.total() as usize,
                    || record::<Model<$entries>>(|pins| pir_fills(pins, 500)),
                )
                .with_cases(|seed, count| cases::<Model<$entries>>(&strategy::rows(), seed, count))
                .with_paper_bits(bits.flags as usize, $why),
            );
        };
    }
    size!(
        10,
        "RFV 7.2: 10 x 54 flag bits; a cache also needs a tag of 13 bits and a valid bit per entry",
        rtl::ReleaseFlagCache
    );
    size!(
        5,
        "RFV 7.2: 5 x 54 flag bits; a cache also needs a tag of 14 bits and a valid bit per entry",
        rtl::ReleaseFlagCache5
    );
    size!(
        2,
        "RFV 7.2: 2 x 54 flag bits; a cache also needs a tag of 15 bits and a valid bit per entry",
        rtl::ReleaseFlagCache2
    );
    size!(
        1,
        "RFV 7.2: 54 flag bits; a cache also needs a tag of 16 bits and a valid bit",
        rtl::ReleaseFlagCache1
    );
}

fn cta_throttle(entries: &mut Vec<Entry>) {
    use regshare_hw::rfv::cta_throttle::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "cta_throttle",
        summary: "Keeps back CTAs when packs run short, so that one can always finish (RFV 8.1).",
        pins_source: source!("rfv/cta_throttle/mod.rs").1,
        rtl_source: source!("rfv/cta_throttle/rtl.rs"),
    };
    macro_rules! size {
        ($ctas:literal, $packs:literal, $block:ty) => {
            let bits = CtaThrottleBits::new($ctas, $packs);
            entries.push(
                entry::<Model<$ctas, $packs>, $block>(
                    &unit,
                    &[("ctas", $ctas), ("packs", $packs)],
                    bits.total() as usize,
                    || record::<Model<$ctas, $packs>>(|pins| cta_kernels(pins, $ctas, $packs, 900)),
                )
                .with_cases(|seed, count| {
                    cases::<Model<$ctas, $packs>>(&strategy::rows(), seed, count)
                })
                .with_paper_bits(
                    bits.counters as usize,
                    "RFV 8.1: a balance counter per CTA; also needed are which CTAs run and how many packs are free",
                ),
            );
        };
    }
    size!(8, 512, rtl::CtaThrottle8x512);
    size!(8, 1024, rtl::CtaThrottle8x1024);
    size!(32, 2048, rtl::CtaThrottle32x2048);
    size!(4, 16, rtl::CtaThrottle4x16);
}

fn power_gate(entries: &mut Vec<Entry>) {
    use regshare_hw::rfv::power_gate::{SUB_ARRAYS, model::Model, rtl, strategy};
    let unit = Unit {
        name: "power_gate",
        summary: "Switches empty sub-arrays of the register file off and wakes them in time (RFV 8.2).",
        pins_source: source!("rfv/power_gate/mod.rs").1,
        rtl_source: source!("rfv/power_gate/rtl.rs"),
    };
    macro_rules! size {
        ($cycles:literal, $block:ty) => {
            entries.push(
                entry::<Model<$cycles>, $block>(
                    &unit,
                    &[("latency", $cycles)],
                    power_gate_bits(SUB_ARRAYS as u64, $cycles) as usize,
                    || record::<Model<$cycles>>(|pins| sleep_and_wake(pins, 700)),
                )
                .with_cases(|seed, count| cases::<Model<$cycles>>(&strategy::rows(), seed, count))
                .with_paper_bits(
                    0,
                    "RFV 8.2 counts no bits; each of 16 sub-arrays needs to know whether it sleeps, wakes or is awake",
                ),
            );
        };
    }
    size!(1, rtl::PowerGate1);
    size!(3, rtl::PowerGate3);
    size!(10, rtl::PowerGate10);
}

fn rename_table(entries: &mut Vec<Entry>) {
    use regshare_hw::rfv::rename_table::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "rename_table",
        summary: "Maps the registers of each warp to packs of their own bank, with a look-up, an allocation and a release in one cycle (RFV 7.1).",
        pins_source: source!("rfv/rename_table/mod.rs").1,
        rtl_source: source!("rfv/rename_table/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $registers:literal, $packs:literal, $hardware_only:literal, $block:ty) => {{
            let bits = RenameTableBits::new($warps, $registers, $packs, $hardware_only == 1);
            type This = Model<$warps, $registers, $packs, $hardware_only>;
            entries.push(
                entry::<This, $block>(
                    &unit,
                    &[
                        ("warps", $warps),
                        ("registers", $registers),
                        ("packs", $packs),
                        ("hardware_only", $hardware_only),
                    ],
                    bits.total() as usize,
                    || record::<This>(|pins| renamings(pins, $warps, $registers, $packs, 900)),
                )
                .with_memory_bits(bits.names as usize)
                .with_cases(|seed, count| {
                    cases::<This>(&strategy::rows::<$warps, $registers, $packs>(), seed, count)
                })
                .with_paper_bits(
                    bits.names as usize,
                    "RFV 7.1: a pack number per warp and register; also kept are the request of the cycle before and where a walk is",
                ),
            );
        }};
    }
    size!(48, 63, 1024, 0, rtl::RenameTable48x63x1024);
    size!(48, 63, 1024, 1, rtl::HardwareOnly48x63x1024);
    size!(48, 16, 1024, 0, rtl::RenameTable48x16x1024);
    size!(64, 63, 2048, 0, rtl::RenameTable64x63x2048);
    size!(4, 63, 256, 1, rtl::HardwareOnly4x63x256);
}

fn rfv_top(entries: &mut Vec<Entry>) {
    use regshare_hw::rfv::power_gate::SUB_ARRAYS;
    use regshare_hw::rfv::release_flag_cache::PC_BITS;
    use regshare_hw::rfv::rfv_top::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "rfv_top",
        summary: "RFV in one SM: flags, renaming, free packs, throttle and power, for two schedulers (RFV 6 to 8).",
        pins_source: source!("rfv/rfv_top/mod.rs").1,
        rtl_source: source!("rfv/rfv_top/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $registers:literal, $packs:literal, $ctas:literal, $wake:literal, $block:ty) => {
            size!($warps, $registers, $packs, $ctas, $wake, 0, 10, None, $block)
        };
        // With what is changed, which the module is named after.
        (
            $warps:literal, $registers:literal, $packs:literal, $ctas:literal, $wake:literal, $hardware_only:literal,
            $entries:literal, $variant:expr, $block:ty
        ) => {{
            let table = RenameTableBits::new($warps, $registers, $packs, $hardware_only == 1);
            let cache = FlagCacheBits::new($entries, PC_BITS.into());
            let throttle = CtaThrottleBits::new($ctas, $packs);
            let stage = RfvStageBits::new($packs, $ctas);
            // With hardware-only renaming nothing reads the flags, nor that a destination was served. A cache without entries has
            // no bits.
            let (flags, stage) = match $hardware_only {
                1 => (0, stage.without_throttle()),
                _ => (cache.flags, stage),
            };
            let power = power_gate_bits(SUB_ARRAYS as u64, $wake);
            let units = table.total() + flags + cache.tags + cache.valid + availability_bits($packs) + throttle.total() + power;
            type This = Model<$warps, $ctas, $packs, $registers, $wake, $hardware_only, $entries>;
            let variant: Option<(&'static str, u64)> = $variant;
            let size = [("warps", $warps), ("registers", $registers), ("packs", $packs)];
            let params: Vec<_> = size.into_iter().chain(variant).collect();
            entries.push(
                entry::<This, $block>(
                    &unit,
                    &params,
                    (units + stage.total()) as usize,
                    || {
                        record::<This>(|pins| {
                            rfv_kernels::<$warps, $ctas, $packs, $registers, $wake, $hardware_only, $entries>(
                                pins, 1200,
                            )
                        })
                    },
                )
                .with_memory_bits((table.names + flags + cache.tags) as usize)
                .with_units(&["decoder", "cache", "names", "packs", "throttle", "gate"])
                .with_cases(|seed, count| {
                    cases::<This>(&strategy::rows::<$warps, $ctas, $packs>(), seed, count)
                })
                .with_paper_bits(
                    (table.names + availability_bits($packs) + flags + throttle.counters) as usize,
                    "RFV 7.1, 7.2, 8.1: the table, a bit per pack, the flags of the cache, a counter per CTA; what the units need besides, \
                     and the stages between them, come on top",
                ),
            );
        }};
    }
    size!(48, 63, 1024, 8, 1, rtl::RfvTop48x63x1024);
    size!(48, 16, 1024, 8, 1, rtl::RfvTop48x16x1024);
    size!(64, 63, 2048, 32, 1, rtl::RfvTop64x63x2048);
    size!(4, 63, 256, 4, 3, rtl::RfvTop4x63x256);
    size!(16, 63, 512, 8, 1, rtl::RfvTop16x63x512);
    macro_rules! of_48 {
        ($wake:literal, $hardware_only:literal, $entries:literal, $variant:expr, $block:ty) => {
            size!(
                48,
                63,
                1024,
                8,
                $wake,
                $hardware_only,
                $entries,
                Some($variant),
                $block
            )
        };
    }
    of_48!(3, 0, 10, ("latency", 3), rtl::Wakes3Of48);
    of_48!(10, 0, 10, ("latency", 10), rtl::Wakes10Of48);
    of_48!(1, 1, 10, ("hardware_only", 1), rtl::HardwareOnlyOf48);
    of_48!(1, 0, 5, ("entries", 5), rtl::Keeps5Of48);
    of_48!(1, 0, 2, ("entries", 2), rtl::Keeps2Of48);
    of_48!(1, 0, 1, ("entries", 1), rtl::Keeps1Of48);
    of_48!(1, 0, 0, ("entries", 0), rtl::UncachedOf48);
    let alone = ("hardware_only", 1);
    size!(4, 63, 256, 4, 1, 1, 10, Some(alone), rtl::HardwareOnlyOf4);
}
