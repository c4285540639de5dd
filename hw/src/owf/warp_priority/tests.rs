use super::model::Model;
use super::rtl::{Rtl, WarpPriority8x2, WarpPriority48x2, WarpPriority48x4, WarpPriority64x4};
use super::strategy::rows;
use super::*;
use crate::clocked::Clocked;
use crate::owf::cost::warp_priority_bits;
use crate::testing::{agree, check_block, check_ports, check_readme, flip_flops};
use proptest::prelude::*;

mod stateful;

type In = WarpPriorityIn<48, 2>;
type Rtl8x2 = Rtl<8, 2, 4, 3, 2, 7, 3, 6>;
type Rtl48x2 = Rtl<48, 2, 24, 23, 12, 47, 6, 12>;
type Rtl48x4 = Rtl<48, 4, 12, 11, 6, 23, 6, 24>;
type Rtl64x4 = Rtl<64, 4, 16, 15, 8, 31, 6, 24>;

/// Model and RTL side by side; every answer is the one both give.
#[derive(Default)]
struct Both(Model<48, 2>, Rtl48x2);

impl Both {
    fn edge(&mut self, pins: In) -> WarpPriorityOut<48, 2> {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
    fn launch(&mut self, launch: u64) {
        self.edge(In {
            launch,
            ..In::default()
        });
    }
    /// What both schedulers choose of `ready` warps that share nothing.
    fn choose(&mut self, ready: u64) -> [Option<u8>; 2] {
        self.choose_with(ready, 0, 0)
    }
    fn choose_with(&mut self, ready: u64, shared: u64, owner: u64) -> [Option<u8>; 2] {
        let out = self.edge(In {
            ready,
            shared,
            owner,
            ..In::default()
        });
        [out.warp(0), out.warp(1)]
    }
}

/// The mask of these slots.
fn slots<const COUNT: usize>(slots: [u32; COUNT]) -> u64 {
    slots.iter().fold(0, |mask, slot| mask | 1 << slot)
}

#[test]
fn warps_are_prioritised_in_the_order_shared_owner_unshared_and_shared_non_owner() {
    // IV-A. Slot 2 is a non-owner, 4 unshared, 6 an owner; 2 is the oldest.
    let mut unit = Both::default();
    let (shared, owner) = (slots([2, 6]), slots([6]));
    let mut choose = |ready| unit.choose_with(ready, shared, owner)[0];
    assert_eq!(choose(slots([2, 4, 6])), Some(6));
    assert_eq!(choose(slots([2, 4])), Some(4));
    assert_eq!(choose(slots([2, 6])), Some(6));
    assert_eq!(choose(slots([2])), Some(2));
}

#[test]
fn the_oldest_of_a_class_is_chosen() {
    let mut unit = Both::default();
    for slot in [10, 4, 46, 0] {
        unit.launch(1 << slot);
    }
    let ready = slots([0, 4, 10, 46]);
    for (shared, owner) in [(0, 0), (ready, 0), (ready, ready)] {
        assert_eq!(unit.choose_with(ready, shared, owner)[0], Some(10));
        assert_eq!(unit.choose_with(ready ^ 1 << 10, shared, owner)[0], Some(4));
        assert_eq!(unit.choose_with(slots([0, 46]), shared, owner)[0], Some(46));
    }
}

#[test]
fn each_scheduler_chooses_among_its_own_slots() {
    let mut unit = Both::default();
    assert_eq!(unit.choose(slots([6, 9, 20, 31])), [Some(6), Some(9)]);
    assert_eq!(unit.choose(slots([6, 20])), [Some(6), None]);
    assert_eq!(unit.choose(slots([47])), [None, Some(47)]);
    // An owner of the other scheduler changes nothing.
    let owner = slots([9]);
    assert_eq!(
        unit.choose_with(slots([6, 9]), owner, owner),
        [Some(6), Some(9)]
    );
}

#[test]
fn nobody_is_chosen_while_nobody_is_ready() {
    let out = Both::default().edge(In {
        shared: 7,
        owner: 5,
        ..In::default()
    });
    assert_eq!((out.chosen_valid, out.chosen), (0, 0));
    assert_eq!((out.warp(0), out.warp(1), out.warp(2)), (None, None, None));
}

#[test]
fn warps_of_one_cta_are_ordered_by_slot() {
    let mut unit = Both::default();
    unit.launch(0xff << 8);
    unit.launch(0xff);
    assert_eq!(unit.choose(0xffff), [Some(8), Some(9)]);
    assert_eq!(unit.choose(0x00f0), [Some(4), Some(5)]);
    assert_eq!(unit.choose(0xf00f), [Some(12), Some(13)]);
}

#[test]
fn a_slot_that_is_launched_again_is_the_youngest() {
    let mut unit = Both::default();
    let all = (1 << 48) - 1;
    assert_eq!(unit.choose(all), [Some(0), Some(1)]);
    unit.launch(slots([0, 3]));
    assert_eq!(unit.choose(all), [Some(2), Some(1)]);
    assert_eq!(unit.choose(slots([0, 3, 46, 47])), [Some(46), Some(47)]);
    unit.launch(slots([46]));
    assert_eq!(unit.choose(slots([0, 46])), [Some(0), None]);
}

#[test]
fn a_launch_counts_from_the_next_cycle_on() {
    let mut unit = Both::default();
    let ready = slots([0, 2]);
    let out = unit.edge(In {
        launch: 1,
        ready,
        ..In::default()
    });
    assert_eq!(out.warp(0), Some(0));
    assert_eq!(unit.choose(ready)[0], Some(2));
}

#[test]
fn a_non_owner_overtakes_when_ownership_passes_to_it() {
    // IV: "it transfers its ownership to the non-owner thread block", and a new non-owner is launched in its place.
    let mut unit = Both::default();
    let (first, partner, unshared) = (0, 16, 8);
    let ready = slots([first, partner, unshared]);
    let shared = slots([first, partner]);
    assert_eq!(unit.choose_with(ready, shared, slots([first]))[0], Some(0));
    unit.launch(1 << first);
    assert_eq!(
        unit.choose_with(ready, shared, slots([partner]))[0],
        Some(16)
    );
    assert_eq!(
        unit.choose_with(slots([first, unshared]), shared, slots([partner]))[0],
        Some(8)
    );
}

#[test]
fn a_warp_that_does_not_share_owns_nothing() {
    let mut unit = Both::default();
    let ready = slots([2, 4]);
    assert_eq!(unit.choose_with(ready, 0, slots([4]))[0], Some(2));
    // 6 shares and owns: before both.
    assert_eq!(
        unit.choose_with(ready | 1 << 6, slots([6]), slots([4, 6]))[0],
        Some(6)
    );
}

#[test]
fn without_sharing_warps_are_ordered_by_launch_alone() {
    // VI-B2: "all the unshared warps are sorted according to their dynamic warp id".
    let mut unit = Both::default();
    let launched: Vec<u32> = (0..24).map(|number| number * 7 % 24 * 2).collect();
    for slot in &launched {
        unit.launch(1 << slot);
    }
    let mut ready = launched.iter().fold(0, |mask, slot| mask | 1u64 << slot);
    for slot in launched {
        assert_eq!(unit.choose(ready)[0], Some(slot as u8));
        ready ^= 1 << slot;
    }
}

#[test]
fn clear_orders_by_slot_and_wins_over_a_launch() {
    let mut unit = Both::default();
    let ready = slots([0, 1, 2, 3]);
    unit.launch(slots([0, 1]));
    let out = unit.edge(In {
        clear: true,
        launch: slots([0, 3]),
        ready,
        ..In::default()
    });
    assert_eq!([out.warp(0), out.warp(1)], [Some(2), Some(3)]);
    assert_eq!(unit.choose(ready), [Some(0), Some(1)]);
}

#[test]
fn four_schedulers_of_v100_choose_four_warps() {
    let pins = WarpPriorityIn::<64, 4> {
        ready: 0xff00_0000_0000_00f0,
        ..WarpPriorityIn::default()
    };
    let mut unit = Rtl64x4::default();
    let out = unit.outputs(&pins);
    assert_eq!(
        [0, 1, 2, 3].map(|scheduler| out.warp(scheduler)),
        [Some(4), Some(5), Some(6), Some(7)]
    );
    unit.edge(&WarpPriorityIn {
        launch: 0x50,
        ..WarpPriorityIn::default()
    });
    let out = unit.outputs(&pins);
    assert_eq!(
        [0, 1, 2, 3].map(|scheduler| out.warp(scheduler)),
        [Some(56), Some(5), Some(58), Some(7)]
    );
}

#[test]
fn flip_flops_are_a_bit_per_pair_of_warps_of_a_scheduler() {
    assert_eq!(warp_priority_bits(48, 2), 552);
    assert_eq!(warp_priority_bits(64, 4), 480);
    assert_eq!(warp_priority_bits(48, 4), 264);
    let counted = flip_flops(WarpPriority48x2::new());
    assert!(counted.is_none_or(|counted| counted == 552), "{counted:?}");
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(WarpPriority8x2::new());
    check_block(WarpPriority48x2::new());
    check_block(WarpPriority48x4::new());
    check_block(WarpPriority64x4::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<8, 2>, _>(WarpPriority8x2::new());
    check_ports::<Model<48, 2>, _>(WarpPriority48x2::new());
    check_ports::<Model<48, 4>, _>(WarpPriority48x4::new());
    check_ports::<Model<64, 4>, _>(WarpPriority64x4::new());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<48, 2>>(include_str!("README.md"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn model_and_rtl_agree_on_any_pins(rows in rows::<48, 2>()) {
        agree(Model::<48, 2>::default(), Rtl48x2::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_48_warps_and_4_schedulers(rows in rows::<48, 4>()) {
        agree(Model::<48, 4>::default(), Rtl48x4::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_64_warps_and_4_schedulers(rows in rows::<64, 4>()) {
        agree(Model::<64, 4>::default(), Rtl64x4::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_8_warps(rows in rows::<8, 2>()) {
        agree(Model::<8, 2>::default(), Rtl8x2::default(), &rows)?;
    }
}
