//! The units of CARS (III-A, IV-B).

use super::super::Entry;
use super::super::stimulus_cars::{finished_ctas, stack_look_ups, stalls};
use super::super::stimulus_cars_programs::stack_programs;
use super::super::stimulus_cars_top::cars_issues;
use super::{Unit, cases, entry, record, source};
use regshare_hw::cars::cost::{
    CarsPaperBits, RegisterStackBits, ReservationFsmBits, StalledWarpsBits,
};

pub(super) fn add(entries: &mut Vec<Entry>) {
    reservation_fsm(entries);
    stack_mapper(entries);
    register_stack(entries);
    stalled_warps(entries);
    cars_top(entries);
}

fn reservation_fsm(entries: &mut Vec<Entry>) {
    use regshare_hw::cars::reservation_fsm::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "reservation_fsm",
        summary: "Chooses between CARS's Low, NxLow and High watermark for new CTAs, by what finished ones took (III-B).",
        pins_source: source!("cars/reservation_fsm/mod.rs").1,
        rtl_source: source!("cars/reservation_fsm/rtl.rs"),
    };
    macro_rules! size {
        ($levels:literal, $block:ty) => {
            entries.push(
                entry::<Model<$levels>, $block>(
                    &unit,
                    &[("levels", $levels)],
                    ReservationFsmBits::new($levels).total() as usize,
                    || record::<Model<$levels>>(|pins| finished_ctas(pins, $levels, 1200)),
                )
                .with_paper_bits(
                    0,
                    "III-B counts no bits; there is an average per level, and a level per half of the SMs",
                )
                .with_cases(|seed, count| cases::<Model<$levels>>(&strategy::rows(), seed, count)),
            );
        };
    }
    size!(8, rtl::ReservationFsm8);
    size!(4, rtl::ReservationFsm4);
}

fn stack_mapper(entries: &mut Vec<Entry>) {
    use regshare_hw::cars::stack_mapper::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "stack_mapper",
        summary: "CARS's renaming: pushed registers in the frame in control, all others in the base set (III-A).",
        pins_source: source!("cars/stack_mapper/mod.rs").1,
        rtl_source: source!("cars/stack_mapper/rtl.rs"),
    };
    macro_rules! size {
        ($packs:literal, $stack:literal, $block:ty) => {
            entries.push(
                entry::<Model<$packs, $stack>, $block>(
                    &unit,
                    &[("packs", $packs), ("stack", $stack)],
                    0,
                    || {
                        record::<Model<$packs, $stack>>(|pins| {
                            stack_look_ups(pins, $packs, $stack, 800)
                        })
                    },
                )
                .with_cases(|seed, count| {
                    cases::<Model<$packs, $stack>>(&strategy::rows(), seed, count)
                }),
            );
        };
    }
    size!(1024, 63, rtl::StackMapper1024);
    size!(2048, 63, rtl::StackMapper2048);
    size!(256, 7, rtl::StackMapper256);
}

fn register_stack(entries: &mut Vec<Entry>) {
    use regshare_hw::cars::register_stack::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "register_stack",
        summary: "CARS's register stacks: RFP, RSP and free packs of all warps; calls, returns, traps and fills (III-A, IV-B).",
        pins_source: source!("cars/register_stack/mod.rs").1,
        rtl_source: source!("cars/register_stack/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $packs:literal, $stack:literal, $block:ty) => {{
            let paper = CarsPaperBits::new($warps, $packs);
            entries.push(
                entry::<Model<$warps, $packs, $stack>, $block>(
                    &unit,
                    &[("warps", $warps), ("packs", $packs), ("stack", $stack)],
                    RegisterStackBits::new($warps, $packs, $stack).total() as usize,
                    || {
                        record::<Model<$warps, $packs, $stack>>(|pins| {
                            stack_programs::<$warps, $packs, $stack>(pins, 1600)
                        })
                    },
                )
                .with_paper_bits(
                    (paper.free_counts + paper.pointers) as usize,
                    "IV-C: two pack indices per warp, and a count below packs / warps; a count that reaches the size of a \
                     stack, larger where fewer warps run, takes more bits, and a bit per warp says whether it has a stack",
                )
                .with_cases(|seed, count| {
                    cases::<Model<$warps, $packs, $stack>>(&strategy::rows(), seed, count)
                }),
            );
        }};
    }
    size!(48, 1024, 63, rtl::RegisterStack48);
    size!(64, 2048, 63, rtl::RegisterStack64);
    size!(8, 64, 7, rtl::RegisterStack8);
}

fn stalled_warps(entries: &mut Vec<Entry>) {
    use regshare_hw::cars::stalled_warps::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "stalled_warps",
        summary: "CARS's list of warps without registers: who must not issue, and who is woken next (IV-B).",
        pins_source: source!("cars/stalled_warps/mod.rs").1,
        rtl_source: source!("cars/stalled_warps/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $block:ty) => {{
            let bits = StalledWarpsBits::new($warps);
            entries.push(
                entry::<Model<$warps>, $block>(
                    &unit,
                    &[("warps", $warps)],
                    bits.total() as usize,
                    || record::<Model<$warps>>(|pins| stalls(pins, $warps, 1200)),
                )
                .with_paper_bits(
                    bits.list as usize,
                    "IV-C: a warp index per entry; which entries are valid takes a begin and an end, and the look-up of \
                     the issue stage a bit per warp",
                )
                .with_cases(|seed, count| cases::<Model<$warps>>(&strategy::rows(), seed, count)),
            );
        }};
    }
    size!(48, rtl::StalledWarps48);
    size!(64, rtl::StalledWarps64);
    size!(8, rtl::StalledWarps8);
}

fn cars_top(entries: &mut Vec<Entry>) {
    use regshare_hw::cars::cars_top::{model::Model, rtl, strategy};
    let unit = Unit {
        name: "cars_top",
        summary: "CARS in one SM: register stacks, stalled warps, and a mapper for each of two schedulers (III-A, IV-B).",
        pins_source: source!("cars/cars_top/mod.rs").1,
        rtl_source: source!("cars/cars_top/rtl.rs"),
    };
    macro_rules! size {
        ($warps:literal, $packs:literal, $stack:literal, $block:ty) => {{
            type Sized = Model<$warps, $packs, $stack>;
            let stacks = RegisterStackBits::new($warps, $packs, $stack);
            let list = StalledWarpsBits::new($warps);
            entries.push(
                entry::<Sized, $block>(
                    &unit,
                    &[("warps", $warps), ("packs", $packs), ("stack", $stack)],
                    (stacks.total() + list.total()) as usize,
                    || {
                        record::<Sized>(|pins| cars_issues::<$warps, $packs, $stack>(pins, 1600))
                    },
                )
                .with_units(&["registers", "waiting", "a_mapper", "b_mapper"])
                .with_paper_bits(
                    CarsPaperBits::new($warps, $packs).total() as usize,
                    "IV-C: the list, the free counts and the pointers; who has a stack, who is stalled, where the list begins \
                     and ends, and counts that reach the size of a stack come on top",
                )
                .with_cases(|seed, count| cases::<Sized>(&strategy::rows(), seed, count)),
            );
        }};
    }
    size!(48, 1024, 63, rtl::CarsTop48x1024);
    size!(64, 2048, 63, rtl::CarsTop64x2048);
    size!(8, 256, 7, rtl::CarsTop8x256);
    size!(16, 512, 63, rtl::CarsTop16x512);
}
