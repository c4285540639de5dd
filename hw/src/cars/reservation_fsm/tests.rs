use super::model::Model;
use super::rtl::{ReservationFsm4, ReservationFsm8, Rtl4, Rtl8};
use super::strategy::rows;
use super::*;
use crate::cars::cost::ReservationFsmBits;
use crate::clocked::Clocked;
use crate::testing::{agree, check_block, check_ports, check_readme, flip_flops};
use proptest::prelude::*;

mod stateful;

type In = ReservationFsmIn<8>;
type Out = ReservationFsmOut<8>;

const LOW: u8 = 0;
const TWO_LOW: u8 = 1;

/// Model and RTL side by side; every answer is the one both give.
#[derive(Default)]
struct Both(Model<8>, Rtl8);

impl Both {
    /// A kernel whose High-watermark is level `top`.
    fn kernel(top: u8) -> Self {
        let mut unit = Self::default();
        unit.edge(In {
            clear: true,
            top,
            ..In::default()
        });
        unit
    }
    fn edge(&mut self, pins: In) -> Out {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
    fn state(&mut self) -> Out {
        self.edge(In::default())
    }
    fn done(&mut self, level: u8, cycles: u32) {
        self.edge(In {
            done: true,
            done_level: level,
            done_cycles: cycles,
            ..In::default()
        });
    }
    fn launch(&mut self, launch_high: bool) -> u8 {
        let pins = In {
            launch: true,
            launch_high,
            ..In::default()
        };
        self.edge(pins).level
    }
    /// Launches on both halves: the levels of the half that began Low, and of the half that began High.
    fn launches(&mut self) -> (u8, u8) {
        (self.launch(false), self.launch(true))
    }
}

#[test]
fn half_of_the_sms_begin_low_and_half_high() {
    let mut unit = Both::kernel(5);
    assert_eq!(unit.launches(), (LOW, 5));
    assert!(!unit.state().best_valid);
}

#[test]
fn nothing_moves_before_a_cta_of_low_and_one_of_high_is_complete() {
    for (level, cycles) in [(LOW, 900), (5, 100)] {
        let mut unit = Both::kernel(5);
        unit.done(level, cycles);
        unit.done(level, cycles + 1);
        assert_eq!(unit.launches(), (LOW, 5));
    }
}

#[test]
fn if_high_performs_better_the_low_half_goes_on_with_2x_low() {
    let mut unit = Both::kernel(5);
    unit.done(LOW, 900);
    unit.done(5, 800);
    assert_eq!(unit.launches(), (TWO_LOW, 5));
}

#[test]
fn if_low_performs_better_the_high_half_goes_on_with_fewer_registers() {
    let mut unit = Both::kernel(5);
    unit.done(5, 900);
    unit.done(LOW, 800);
    assert_eq!(unit.launches(), (LOW, 4));
}

#[test]
fn a_level_is_left_only_after_one_of_its_ctas_was_measured() {
    let mut unit = Both::kernel(5);
    unit.done(LOW, 900);
    unit.done(5, 800);
    assert_eq!(unit.launch(false), 1);
    // CTAs that were launched Low still finish.
    unit.done(LOW, 900);
    assert_eq!([unit.launch(false), unit.launch(false)], [1, 1]);
    unit.done(1, 850);
    assert_eq!([unit.launch(false), unit.launch(false)], [2, 2]);
}

#[test]
fn the_halves_meet_at_the_best_level() {
    // A valley at level 3, as Figure 5 walks it: each half moves down its slope.
    let cycles = [900, 700, 500, 400, 450, 800, 1000, 1200];
    let mut unit = Both::kernel(7);
    let mut running = unit.launches();
    for _ in 0..20 {
        for level in [running.0, running.1] {
            unit.done(level, cycles[usize::from(level)]);
        }
        running = unit.launches();
    }
    assert_eq!((running, unit.state().best), ((3, 3), 3));
}

#[test]
fn the_level_is_adjusted_when_it_becomes_worse_than_one_that_was_recorded() {
    let mut unit = Both::kernel(1);
    unit.done(LOW, 500);
    unit.done(1, 600);
    assert_eq!(unit.launches(), (LOW, LOW));
    (0..8).for_each(|_| unit.done(LOW, 1000));
    assert_eq!(unit.launches(), (1, 1));
}

#[test]
fn a_new_cta_counts_an_eighth_and_the_first_counts_as_it_is() {
    let mut unit = Both::kernel(3);
    unit.done(2, 800);
    assert_eq!(unit.0.average_cycles(2), Some(800));
    unit.done(2, 1600);
    assert_eq!(unit.0.average_cycles(2), Some(900));
    unit.done(2, 0);
    assert_eq!(unit.0.average_cycles(2), Some(788));
    // 788 is less than 789 and not less than 788; the RTL agrees.
    unit.done(3, 789);
    assert_eq!(unit.state().best, 2);
    unit.done(1, 788);
    assert_eq!(unit.state().best, 1);
}

#[test]
fn of_equal_levels_the_one_with_fewer_registers_is_best() {
    let mut unit = Both::kernel(7);
    for level in [7, 4, 6] {
        unit.done(level, 1234);
    }
    assert_eq!(unit.state().best, 4);
}

#[test]
fn the_longest_times_do_not_overflow() {
    let mut unit = Both::kernel(1);
    unit.done(LOW, u32::MAX - 8);
    for _ in 0..40 {
        unit.done(1, u32::MAX);
        unit.done(LOW, u32::MAX - 8);
    }
    assert_eq!(unit.state().best, LOW);
    assert_eq!(unit.0.average_cycles(1), Some(u32::MAX.into()));
}

#[test]
fn the_next_invocation_of_a_kernel_begins_with_the_best_level() {
    let mut unit = Both::kernel(5);
    unit.done(LOW, 900);
    unit.done(5, 800);
    unit.launch(false);
    unit.done(1, 700);
    unit.edge(In {
        again: true,
        ..In::default()
    });
    let out = unit.state();
    assert_eq!((out.low_level, out.high_level), (1, 1));
    // What was recorded stays.
    (0..30).for_each(|_| unit.done(1, 5000));
    assert_eq!((unit.state().best, unit.launches()), (5, (2, 2)));
}

#[test]
fn a_remembered_level_is_where_all_sms_begin() {
    for (start, level) in [(3, 3), (7, 5)] {
        let mut unit = Both::kernel(2);
        unit.edge(In {
            clear: true,
            top: 5,
            known: true,
            known_level: start,
            ..In::default()
        });
        assert_eq!(unit.launches(), (level, level));
    }
}

#[test]
fn again_without_a_measured_cta_keeps_the_levels_and_wins_over_a_launch() {
    let mut unit = Both::kernel(5);
    let again = In {
        again: true,
        ..In::default()
    };
    unit.edge(again);
    assert_eq!(unit.launches(), (LOW, 5));
    unit.done(LOW, 900);
    unit.done(5, 800);
    let out = unit.edge(In {
        launch: true,
        ..again
    });
    assert_eq!(out.level, 1);
    assert_eq!(unit.state().low_level, 5);
}

#[test]
fn a_cta_of_a_level_that_the_kernel_does_not_have_is_not_recorded() {
    let mut unit = Both::kernel(4);
    unit.done(5, 1);
    unit.done(7, 1);
    assert!(!unit.state().best_valid);
}

#[test]
fn without_a_kernel_there_is_level_0_only() {
    let mut unit = Both::default();
    unit.done(1, 10);
    unit.done(LOW, 20);
    assert_eq!(unit.launches(), (LOW, LOW));
}

#[test]
fn clear_forgets_all_averages_and_wins_over_requests() {
    let mut unit = Both::kernel(5);
    unit.done(LOW, 900);
    unit.done(5, 800);
    unit.edge(In {
        clear: true,
        top: 2,
        again: true,
        done: true,
        done_level: 1,
        done_cycles: 5,
        launch: true,
        ..In::default()
    });
    let out = unit.state();
    assert_eq!(
        (out.best_valid, out.best, out.low_level, out.high_level),
        (false, 0, LOW, 2)
    );
}

#[test]
fn flip_flops_equal_the_formula() {
    assert_eq!(ReservationFsmBits::new(8).total(), 273);
    let counted = flip_flops(ReservationFsm8::new());
    assert!(counted.is_none_or(|counted| counted == 273), "{counted:?}");
    let counted = flip_flops(ReservationFsm4::new());
    assert!(counted.is_none_or(|counted| counted == 138), "{counted:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn model_and_rtl_agree_on_any_pins(rows in rows::<8>()) {
        agree(Model::<8>::default(), Rtl8::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_4_levels(rows in rows::<4>()) {
        agree(Model::<4>::default(), Rtl4::default(), &rows)?;
    }
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(ReservationFsm4::new());
    check_block(ReservationFsm8::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<4>, _>(ReservationFsm4::new());
    check_ports::<Model<8>, _>(ReservationFsm8::new());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<8>>(include_str!("README.md"));
}
