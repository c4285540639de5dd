//! Units that more than one system uses.

use super::super::Entry;
use super::super::stimulus::{look_ups, masks};
use super::{Unit, cases, entry, record, source};

pub(super) fn add(entries: &mut Vec<Entry>) {
    find_first_zero(entries);
    reg_map(entries);
}

fn find_first_zero(entries: &mut Vec<Entry>) {
    use regshare_hw::common::find_first_zero::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "find_first_zero",
        summary: "Index of the lowest zero bit of a mask, in logarithmic depth.",
        pins_source: source!("common/find_first_zero/mod.rs").1,
        rtl_source: source!("common/find_first_zero/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $block:ty) => {
            entries.push(
                entry::<Model<$warps>, $block>(&unit, &[("warps", $warps)], 0, || {
                    record::<Model<$warps>>(|pins| masks(pins, 400))
                })
                .with_cases(|seed, count| cases::<Model<$warps>>(&strategy::rows(), seed, count)),
            );
        };
    }
    size!(48, rtl::FindFirstZero48);
    size!(64, rtl::FindFirstZero64);
    size!(8, rtl::FindFirstZero8);
}

fn reg_map(entries: &mut Vec<Entry>) {
    use regshare_hw::common::reg_map::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "reg_map",
        summary: "The baseline mapping of architected to physical registers, Y = Coeff * Widx + X (RegMutex III-B2).",
        pins_source: source!("common/reg_map/mod.rs").1,
        rtl_source: source!("common/reg_map/rtl.rs"),
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
    size!(48, 512, rtl::RegMap48x512);
    size!(48, 1024, rtl::RegMap48x1024);
    size!(48, 2048, rtl::RegMap48x2048);
    size!(64, 512, rtl::RegMap64x512);
    size!(64, 1024, rtl::RegMap64x1024);
    size!(64, 2048, rtl::RegMap64x2048);
    size!(64, 4096, rtl::RegMap64x4096);
    size!(64, 16384, rtl::RegMap64x16384);
    size!(8, 512, rtl::RegMap8x512);
    size!(16, 512, rtl::RegMap16x512);
}
