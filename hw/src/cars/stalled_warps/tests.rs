use super::model::Model;
use super::rtl::{Rtl, StalledWarps8, StalledWarps48, StalledWarps64};
use super::strategy::rows;
use super::*;
use crate::cars::cost::{CarsPaperBits, StalledWarpsBits};
use crate::clocked::Clocked;
use crate::testing::{agree, check_block, check_ports, check_readme, flip_flops};
use proptest::prelude::*;

mod stateful;

type In = StalledWarpsIn<64>;

/// Model and RTL side by side; every answer is the one both give.
#[derive(Default)]
struct Both(Model<64>, Rtl<64, 6>);

impl Both {
    fn edge(&mut self, pins: In) -> StalledWarpsOut<64> {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
    fn stall(&mut self, warp: u8) -> bool {
        self.edge(stall(warp)).stall_grant
    }
    fn wake(&mut self) -> Option<u8> {
        let out = self.edge(In {
            wake: true,
            ..In::default()
        });
        out.woken_valid.then_some(out.woken)
    }
    fn is_stalled(&mut self, warp: u8) -> bool {
        let out = self.edge(In {
            a_warp: warp,
            b_warp: warp,
            ..In::default()
        });
        assert_eq!(out.a_stalled, out.b_stalled);
        out.a_stalled
    }
}

fn stall(warp: u8) -> In {
    In {
        stall: true,
        stall_warp: warp,
        ..In::default()
    }
}

#[test]
fn the_warp_that_has_waited_longest_is_woken() {
    let mut unit = Both::default();
    for warp in [40, 63, 0, 7] {
        assert!(unit.stall(warp));
    }
    assert_eq!([unit.wake(), unit.wake()], [Some(40), Some(63)]);
    unit.stall(40);
    assert_eq!(
        [unit.wake(), unit.wake(), unit.wake(), unit.wake()],
        [Some(0), Some(7), Some(40), None]
    );
}

#[test]
fn a_stalled_warp_is_stalled_until_it_is_woken() {
    let mut unit = Both::default();
    assert!(!unit.is_stalled(5));
    unit.stall(5);
    assert!(unit.is_stalled(5) && !unit.is_stalled(6));
    unit.wake();
    assert!(!unit.is_stalled(5));
}

#[test]
fn a_second_stall_keeps_the_place_of_the_first() {
    let mut unit = Both::default();
    for warp in [5, 6, 5] {
        assert!(unit.stall(warp));
    }
    assert_eq!(
        [unit.wake(), unit.wake(), unit.wake()],
        [Some(5), Some(6), None]
    );
}

#[test]
fn the_warp_that_is_woken_cannot_be_stalled_in_the_same_cycle() {
    let mut unit = Both::default();
    unit.stall(5);
    unit.stall(6);
    let out = unit.edge(In {
        wake: true,
        ..stall(5)
    });
    assert_eq!(
        (out.woken_valid, out.woken, out.stall_grant),
        (true, 5, false)
    );
    assert!(unit.stall(5));
    assert_eq!([unit.wake(), unit.wake()], [Some(6), Some(5)]);
}

#[test]
fn all_64_warps_fit_and_come_back_in_order_also_around_the_end() {
    let mut unit = Both::default();
    for warp in 0..40 {
        unit.stall(warp);
        unit.wake();
    }
    assert!((0..64).rev().all(|warp| unit.stall(warp)));
    let woken: Vec<_> = std::iter::from_fn(|| unit.wake()).collect();
    assert_eq!(woken, (0..64).rev().collect::<Vec<_>>());
}

#[test]
fn one_warp_is_stalled_and_one_woken_in_a_cycle() {
    let mut unit = Both::default();
    unit.stall(1);
    let out = unit.edge(In {
        wake: true,
        ..stall(2)
    });
    assert_eq!((out.stall_grant, out.woken), (true, 1));
    assert_eq!([unit.wake(), unit.wake()], [Some(2), None]);
}

#[test]
fn a_release_with_nobody_waiting_is_not_remembered() {
    let mut unit = Both::default();
    assert_eq!(unit.wake(), None);
    let out = unit.edge(In {
        wake: true,
        ..stall(3)
    });
    assert_eq!((out.woken_valid, out.empty), (false, true));
    assert!(unit.is_stalled(3));
}

#[test]
fn a_warp_that_does_not_exist_is_never_stalled() {
    let pins = StalledWarpsIn::<48> {
        stall: true,
        stall_warp: 50,
        a_warp: 50,
        ..StalledWarpsIn::default()
    };
    let mut unit = Rtl::<48, 6>::default();
    assert!(!unit.edge(&pins).stall_grant);
    let out = unit.outputs(&pins);
    assert_eq!((out.a_stalled, out.empty), (false, true));
}

#[test]
fn clear_empties_the_list_and_wins_over_requests() {
    let mut unit = Both::default();
    unit.stall(1);
    unit.stall(2);
    let out = unit.edge(In {
        clear: true,
        wake: true,
        a_warp: 1,
        ..stall(3)
    });
    assert_eq!(
        (out.stall_grant, out.woken_valid, out.a_stalled),
        (false, false, true)
    );
    assert_eq!(unit.wake(), None);
    unit.stall(9);
    assert_eq!(unit.wake(), Some(9));
}

#[test]
fn flip_flops_equal_the_formula_and_the_list_is_the_papers_384() {
    let bits = StalledWarpsBits::new(64);
    assert_eq!(bits.list, CarsPaperBits::new(64, 2048).stalled_list);
    assert_eq!(
        (bits.list, bits.ends, bits.stalled, bits.total()),
        (384, 12, 64, 460)
    );
    let counted = flip_flops(StalledWarps64::new());
    assert!(counted.is_none_or(|counted| counted == 460), "{counted:?}");
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(StalledWarps8::new());
    check_block(StalledWarps48::new());
    check_block(StalledWarps64::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<8>, _>(StalledWarps8::new());
    check_ports::<Model<48>, _>(StalledWarps48::new());
    check_ports::<Model<64>, _>(StalledWarps64::new());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<64>>(include_str!("README.md"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn model_and_rtl_agree_on_any_pins(rows in rows::<64>()) {
        agree(Model::<64>::default(), Rtl::<64, 6>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_48_warps(rows in rows::<48>()) {
        agree(Model::<48>::default(), Rtl::<48, 6>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_8_warps(rows in rows::<8>()) {
        agree(Model::<8>::default(), Rtl::<8, 3>::default(), &rows)?;
    }
}
