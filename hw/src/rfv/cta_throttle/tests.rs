use super::model::Model;
use super::rtl::{CtaThrottle, CtaThrottle4x16, CtaThrottle8x1024, CtaThrottle32x2048, Rtl};
use super::*;
use crate::clocked::Clocked;
use crate::testing::{agree, check_block, check_ports, check_readme};
use proptest::prelude::*;

mod stateful;

type In = CtaThrottleIn<8, 1024>;
type Rtl8x1024 = Rtl<8, 1024, 3, 11, 12>;
type Rtl4x16 = Rtl<4, 16, 2, 5, 6>;

/// Model and RTL side by side; every answer is the one both give.
#[derive(Default)]
struct Both(Model<8, 1024>, Rtl8x1024);

impl Both {
    /// A kernel with `pack_count` packs and CTAs of this `need` in the first slots.
    fn with(pack_count: u16, needs: &[u16]) -> Self {
        let mut both = Self::default();
        both.edge(In {
            clear: true,
            pack_count,
            ..In::default()
        });
        for (launch_cta, &need) in (0..).zip(needs) {
            both.edge(In {
                launch: true,
                launch_cta,
                need,
                ..In::default()
            });
        }
        both
    }
    fn edge(&mut self, pins: In) -> CtaThrottleOut<8, 1024> {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
    fn now(&mut self) -> CtaThrottleOut<8, 1024> {
        let pins = In::default();
        assert_eq!(self.0.outputs(&pins), self.1.outputs(&pins));
        self.1.outputs(&pins)
    }
    fn take(&mut self, a_cta: u8, count: usize) {
        for _ in 0..count {
            self.edge(In {
                a_cta,
                a_take: true,
                ..In::default()
            });
        }
    }
    fn give(&mut self, b_cta: u8, b_give: u8) {
        self.edge(In {
            b_cta,
            b_give,
            ..In::default()
        });
    }
}

#[test]
fn all_may_issue_while_more_packs_are_free_than_the_smallest_balance() {
    let mut unit = Both::with(13, &[10, 10]);
    unit.take(1, 3);
    let out = unit.now();
    assert_eq!((out.free_packs, out.chosen, out.throttled), (10, 1, false));
    assert_eq!((out.a_may_issue, out.b_may_issue), (0b11, 0b11));
}

#[test]
fn only_the_cta_with_the_smallest_balance_issues_once_packs_are_short() {
    let mut unit = Both::with(13, &[10, 10]);
    unit.take(1, 2);
    unit.take(0, 3);
    // 8 free; CTA 0 may need 7, CTA 1 8.
    assert_eq!(unit.now().a_may_issue, 0b11);
    unit.take(1, 1);
    let out = unit.now();
    assert_eq!((out.free_packs, out.chosen, out.throttled), (7, 0, true));
    assert_eq!((out.a_may_issue, out.b_may_issue), (0b01, 0b01));
}

#[test]
fn packs_given_back_open_the_throttle_again() {
    let mut unit = Both::with(10, &[10, 10]);
    assert!(unit.now().throttled);
    unit.take(0, 5);
    assert!(unit.now().throttled);
    unit.take(1, 2);
    unit.give(1, 2);
    unit.give(0, 3);
    // 8 free, CTA 0 may need 8: still short. CTA 0 ends and CTA 1 goes on.
    assert!(unit.now().throttled);
    unit.edge(In {
        exit: true,
        ..In::default()
    });
    assert_eq!((unit.now().chosen, unit.now().a_may_issue), (1, 0b10));
}

#[test]
fn second_port_counts_the_pack_that_the_first_may_take() {
    let mut unit = Both::with(13, &[10, 10]);
    unit.take(0, 1);
    unit.take(1, 2);
    // 10 free, 8 the smallest: both ports open. 9 free: one. Which one, `favor_b` says.
    assert_eq!((unit.now().a_may_issue, unit.now().b_may_issue), (3, 3));
    unit.take(0, 1);
    assert_eq!(unit.now().chosen, 0);
    assert_eq!((unit.now().a_may_issue, unit.now().b_may_issue), (3, 1));
    let favoured = In {
        favor_b: true,
        ..In::default()
    };
    let out = unit.edge(favoured);
    assert_eq!((out.a_may_issue, out.b_may_issue), (1, 3));
}

#[test]
fn lowest_slot_is_chosen_among_equals() {
    let mut unit = Both::with(100, &[10; 8]);
    assert_eq!(unit.now().chosen, 0);
    unit.take(6, 1);
    unit.take(3, 1);
    assert_eq!(unit.now().chosen, 3);
}

#[test]
fn a_cta_that_needs_more_than_there_is_asks_for_a_spill() {
    let mut unit = Both::with(512, &[513]);
    let out = unit.now();
    assert_eq!((out.spill, out.throttled, out.a_may_issue), (true, true, 1));
    assert!(!Both::with(512, &[512]).now().spill);
}

#[test]
fn both_ports_may_change_one_cta() {
    let mut unit = Both::with(100, &[50]);
    unit.edge(In {
        a_take: true,
        b_take: true,
        ..In::default()
    });
    assert_eq!((unit.now().free_packs, unit.0.balance(0)), (98, Some(48)));
    unit.edge(In {
        a_give: 2,
        b_take: true,
        ..In::default()
    });
    assert_eq!((unit.now().free_packs, unit.0.balance(0)), (99, Some(49)));
}

#[test]
fn nobody_may_issue_while_no_cta_is_active() {
    let mut unit = Both::with(1024, &[]);
    let expected = CtaThrottleOut {
        free_packs: 1024,
        ..CtaThrottleOut::default()
    };
    assert_eq!(unit.now(), expected);
}

#[test]
fn counters_saturate() {
    let mut unit = Both::with(1, &[1]);
    unit.take(0, 3);
    assert_eq!((unit.now().free_packs, unit.0.balance(0)), (0, Some(0)));
    let mut unit = Both::with(2047, &[2046]);
    unit.give(0, 3);
    assert_eq!(
        (unit.now().free_packs, unit.0.balance(0)),
        (2047, Some(2047))
    );
}

#[test]
fn a_launch_wins_over_an_exit_of_the_same_slot() {
    let mut unit = Both::with(100, &[10]);
    unit.edge(In {
        launch: true,
        need: 7,
        exit: true,
        ..In::default()
    });
    assert_eq!(unit.0.balance(0), Some(7));
    assert_eq!(unit.now().a_may_issue, 1);
}

#[test]
fn clear_wins_over_everything() {
    let mut unit = Both::with(100, &[10]);
    unit.edge(In {
        clear: true,
        pack_count: 40,
        launch: true,
        a_take: true,
        ..In::default()
    });
    assert_eq!((unit.now().a_may_issue, unit.now().free_packs), (0, 40));
}

#[test]
fn eight_ctas_need_eight_counters() {
    // RFV 8.1: "a total of eight counters are needed in our baseline architecture".
    let block = CtaThrottle8x1024::new();
    assert_eq!(crate::testing::ports(block).len(), 20);
    let mut unit = Both::with(1024, &[1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(unit.now().a_may_issue, 0xff);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn model_and_rtl_agree_on_any_pins(rows in strategy::rows::<8, 1024>()) {
        agree(Model::<8, 1024>::default(), Rtl8x1024::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_4_ctas(rows in strategy::rows::<4, 16>()) {
        agree(Model::<4, 16>::default(), Rtl4x16::default(), &rows)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn model_and_rtl_agree_with_32_ctas(rows in strategy::rows::<32, 2048>()) {
        agree(Model::<32, 2048>::default(), Rtl::<32, 2048, 5, 12, 13>::default(), &rows)?;
    }
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(CtaThrottle8x1024::new());
    check_block(CtaThrottle32x2048::new());
    check_block(CtaThrottle4x16::new());
    check_block(CtaThrottle::<8, 3, 10, 11>::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<8, 1024>, _>(CtaThrottle8x1024::new());
    check_ports::<Model<32, 2048>, _>(CtaThrottle32x2048::new());
    check_ports::<Model<4, 16>, _>(CtaThrottle4x16::new());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<8, 1024>>(include_str!("README.md"));
}
