//! The units, one function each.

use super::stimulus::{Rows, look_ups, masks, requests};
use super::{Entry, Param};
use crate::recording::Recording;
use regshare_hw::clocked::{Clocked, PinDef, Pins};
use regshare_hw::cost::{RegMutexBits, paired_bits, paired_safe_bits};
use rust_hdl::prelude::Block;

pub(super) fn all() -> Vec<Entry> {
    let mut entries = Vec::new();
    find_first_zero(&mut entries);
    reg_map(&mut entries);
    srp_allocator(&mut entries);
    register_mapper(&mut entries);
    paired_lock(&mut entries);
    safe_paired_lock(&mut entries);
    paired_mapper(&mut entries);
    entries
}

/// What all parameter sets of a unit share.
struct Unit {
    name: &'static str,
    summary: &'static str,
    pins_source: &'static str,
    rtl_source: (&'static str, &'static str),
}

/// The source of a file of `regshare-hw`, with its path from the root.
macro_rules! source {
    ($path:literal) => {
        (
            concat!("hw/src/", $path),
            include_str!(concat!("../../../hw/src/", $path)),
        )
    };
}

fn connected<B: Block + Default + 'static>() -> Box<dyn Block> {
    let mut block = Box::new(B::default());
    block.connect_all();
    block
}

/// One parameter set: model `M` answers for block `B`.
fn entry<M, B>(
    unit: &Unit,
    params: &[(&'static str, u64)],
    state_bits: usize,
    record: fn() -> Recording,
) -> Entry
where
    M: Clocked,
    B: Block + Default + 'static,
{
    let mut name = String::from(unit.name);
    for (param, value) in params {
        name.push_str(&format!("_{}{value}", &param[..1]));
    }
    Entry {
        unit: unit.name,
        params: params
            .iter()
            .map(|&(name, value)| Param { name, value })
            .collect(),
        name,
        summary: unit.summary,
        inputs: M::In::pins(),
        outputs: M::Out::pins(),
        state_bits,
        pins_source: unit.pins_source,
        rtl_source: unit.rtl_source,
        block: connected::<B>,
        record,
    }
}

fn record<M: Clocked + Default>(rows: impl Fn(&[PinDef]) -> Rows) -> Recording {
    Recording::of(&mut M::default(), &rows(&M::In::pins()))
}

fn find_first_zero(entries: &mut Vec<Entry>) {
    use regshare_hw::common::find_first_zero::{model::Model, rtl};
    let unit = Unit {
        name: "find_first_zero",
        summary: "Index of the lowest zero bit of a mask, in logarithmic depth.",
        pins_source: source!("common/find_first_zero/mod.rs").1,
        rtl_source: source!("common/find_first_zero/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $block:ty) => {
            entries.push(entry::<Model<$warps>, $block>(
                &unit,
                &[("warps", $warps)],
                0,
                || record::<Model<$warps>>(|pins| masks(pins, 400)),
            ));
        };
    }
    size!(48, rtl::FindFirstZero48);
    size!(64, rtl::FindFirstZero64);
}

fn srp_allocator(entries: &mut Vec<Entry>) {
    use regshare_hw::regmutex::srp_allocator::{model::Model, rtl};
    let unit = Unit {
        name: "srp_allocator",
        summary: "Allocates the sections of RegMutex's shared register pool to warps (III-B1).",
        pins_source: source!("regmutex/srp_allocator/mod.rs").1,
        rtl_source: source!("regmutex/srp_allocator/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $block:ty) => {
            entries.push(entry::<Model<$warps>, $block>(
                &unit,
                &[("warps", $warps)],
                RegMutexBits::new($warps).total() as usize,
                || record::<Model<$warps>>(|pins| requests(pins, $warps, 1200)),
            ));
        };
    }
    size!(48, rtl::SrpAllocator48);
    size!(64, rtl::SrpAllocator64);
}

fn reg_map(entries: &mut Vec<Entry>) {
    use regshare_hw::common::reg_map::{model::Model, rtl};
    let unit = Unit {
        name: "reg_map",
        summary: "The baseline mapping of architected to physical registers, Y = Coeff * Widx + X (RegMutex III-B2).",
        pins_source: source!("common/reg_map/mod.rs").1,
        rtl_source: source!("common/reg_map/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $packs:literal, $block:ty) => {
            entries.push(entry::<Model<$warps, $packs>, $block>(
                &unit,
                &[("warps", $warps), ("packs", $packs)],
                0,
                || record::<Model<$warps, $packs>>(|pins| look_ups(pins, $warps, $packs, 800)),
            ));
        };
    }
    size!(48, 512, rtl::RegMap48x512);
    size!(48, 1024, rtl::RegMap48x1024);
    size!(48, 2048, rtl::RegMap48x2048);
    size!(64, 512, rtl::RegMap64x512);
    size!(64, 1024, rtl::RegMap64x1024);
    size!(64, 2048, rtl::RegMap64x2048);
}

fn register_mapper(entries: &mut Vec<Entry>) {
    use regshare_hw::regmutex::register_mapper::{model::Model, rtl};
    let unit = Unit {
        name: "register_mapper",
        summary: "RegMutex's mapping: base set by warp, extended set by section (III-B2).",
        pins_source: source!("regmutex/register_mapper/mod.rs").1,
        rtl_source: source!("regmutex/register_mapper/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $packs:literal, $block:ty) => {
            entries.push(entry::<Model<$warps, $packs>, $block>(
                &unit,
                &[("warps", $warps), ("packs", $packs)],
                0,
                || record::<Model<$warps, $packs>>(|pins| look_ups(pins, $warps, $packs, 800)),
            ));
        };
    }
    size!(48, 512, rtl::RegisterMapper48x512);
    size!(48, 1024, rtl::RegisterMapper48x1024);
    size!(48, 2048, rtl::RegisterMapper48x2048);
    size!(64, 512, rtl::RegisterMapper64x512);
    size!(64, 1024, rtl::RegisterMapper64x1024);
    size!(64, 2048, rtl::RegisterMapper64x2048);
}

fn paired_mapper(entries: &mut Vec<Entry>) {
    use regshare_hw::regmutex::paired_mapper::{model::Model, rtl};
    let unit = Unit {
        name: "paired_mapper",
        summary: "The mapping of paired warps: two base sets and one extended set per pair (RegMutex III-C).",
        pins_source: source!("regmutex/paired_mapper/mod.rs").1,
        rtl_source: source!("regmutex/paired_mapper/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $packs:literal, $block:ty) => {
            entries.push(entry::<Model<$warps, $packs>, $block>(
                &unit,
                &[("warps", $warps), ("packs", $packs)],
                0,
                || record::<Model<$warps, $packs>>(|pins| look_ups(pins, $warps, $packs, 800)),
            ));
        };
    }
    size!(48, 512, rtl::PairedMapper48x512);
    size!(48, 1024, rtl::PairedMapper48x1024);
    size!(48, 2048, rtl::PairedMapper48x2048);
    size!(64, 512, rtl::PairedMapper64x512);
    size!(64, 1024, rtl::PairedMapper64x1024);
    size!(64, 2048, rtl::PairedMapper64x2048);
}

fn paired_lock(entries: &mut Vec<Entry>) {
    use regshare_hw::regmutex::paired_lock::{model::PairBitModel, pair_bit};
    let unit = Unit {
        name: "paired_lock",
        summary: "Lock of warp pairs' extended sets with one bit per pair, as in RegMutex III-C; relies on the compiler.",
        pins_source: source!("regmutex/paired_lock/mod.rs").1,
        rtl_source: source!("regmutex/paired_lock/pair_bit.rs"),
    };
    macro_rules! size {
        ($warps:literal, $block:ty) => {
            entries.push(entry::<PairBitModel<$warps>, $block>(
                &unit,
                &[("warps", $warps)],
                paired_bits($warps) as usize,
                || record::<PairBitModel<$warps>>(|pins| requests(pins, $warps, 1200)),
            ));
        };
    }
    size!(48, pair_bit::PairedLock48);
    size!(64, pair_bit::PairedLock64);
}

fn safe_paired_lock(entries: &mut Vec<Entry>) {
    use regshare_hw::regmutex::paired_lock::{model::WarpBitModel, warp_bit};
    let unit = Unit {
        name: "safe_paired_lock",
        summary: "Lock of warp pairs' extended sets with one bit per warp; safe whatever the program does.",
        pins_source: source!("regmutex/paired_lock/mod.rs").1,
        rtl_source: source!("regmutex/paired_lock/warp_bit.rs"),
    };
    macro_rules! size {
        ($warps:literal, $block:ty) => {
            entries.push(entry::<WarpBitModel<$warps>, $block>(
                &unit,
                &[("warps", $warps)],
                paired_safe_bits($warps) as usize,
                || record::<WarpBitModel<$warps>>(|pins| requests(pins, $warps, 1200)),
            ));
        };
    }
    size!(48, warp_bit::SafePairedLock48);
    size!(64, warp_bit::SafePairedLock64);
}
