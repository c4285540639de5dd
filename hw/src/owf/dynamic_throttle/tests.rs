use super::draw::threshold;
use super::model::{Model, drawn, step};
use super::rtl::{DynamicThrottle12, DynamicThrottle1000, Rtl};
use super::strategy::rows;
use super::*;
use crate::clocked::Clocked;
use crate::owf::cost::DynamicThrottleBits;
use crate::testing::{agree, check_block, check_ports, check_readme, flip_flops};
use proptest::prelude::*;

mod stateful;

type In = DynamicThrottleIn<1000>;
type Out = DynamicThrottleOut<1000>;
type Rtl1000 = Rtl<1000, 10>;
type Rtl12 = Rtl<12, 4>;

/// Model and RTL side by side; every answer is the one both give.
#[derive(Default)]
struct Both(Model<1000>, Rtl1000);

impl Both {
    fn edge(&mut self, pins: In) -> Out {
        let (model, rtl) = (self.0.edge(&pins), self.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl
    }
    /// A period with this many stalls, at whose begin SM 0 reports; returns the outputs of its cycles.
    fn period(&mut self, stalls: usize, zero_stalls: u16) -> Vec<Out> {
        let pins = |cycle| In {
            stall: cycle < stalls,
            zero_stalls,
            ..In::default()
        };
        (0..1000).map(|cycle| self.edge(pins(cycle))).collect()
    }
    fn tenths(&mut self) -> u8 {
        self.1.outputs(&In::default()).tenths
    }
}

fn allowed(cycles: &[Out]) -> usize {
    cycles.iter().filter(|out| out.memory_allowed).count()
}

#[test]
fn initially_all_memory_instructions_are_executed() {
    // IV-C: "initially all the SMs are allowed to execute all memory instructions".
    let mut unit = Both::default();
    assert_eq!(unit.tenths(), 10);
    for _ in 0..5 {
        assert_eq!(allowed(&unit.period(3, 3)), 1000);
    }
}

#[test]
fn more_stalls_than_on_sm_0_lower_the_probability_by_a_tenth_per_period() {
    let mut unit = Both::default();
    unit.period(8, 0);
    assert_eq!(unit.tenths(), 10);
    for tenths in (0..10).rev() {
        let cycles = unit.period(8, 7);
        assert_eq!((cycles[0].tenths, cycles[1].tenths), (tenths + 1, tenths));
        assert_eq!(unit.tenths(), tenths);
    }
    assert_eq!(allowed(&unit.period(8, 7)), 0);
    assert_eq!(unit.tenths(), 0);
}

#[test]
fn fewer_stalls_than_on_sm_0_raise_it_again_up_to_one() {
    let mut unit = Both::default();
    unit.period(8, 0);
    for _ in 0..4 {
        unit.period(8, 7);
    }
    for tenths in [7, 8, 9, 10, 10, 10] {
        unit.period(8, 9);
        assert_eq!(unit.tenths(), tenths);
    }
}

#[test]
fn as_many_stalls_as_on_sm_0_leave_it_as_it_is() {
    let mut unit = Both::default();
    unit.period(8, 0);
    unit.period(8, 7);
    for _ in 0..3 {
        unit.period(8, 8);
        assert_eq!(unit.tenths(), 9);
    }
}

#[test]
fn stalls_are_compared_every_1000_cycles_and_sm_0_is_not_heard_between() {
    let mut unit = Both::default();
    for cycle in 0..5000 {
        let compares = cycle % 1000 == 0;
        let out = unit.edge(In {
            stall: true,
            zero_stalls: if compares { 1000 } else { 0 },
            ..In::default()
        });
        assert_eq!((out.compares, out.tenths), (compares, 10));
    }
}

#[test]
fn every_stall_of_a_period_counts_in_it() {
    let mut unit = Both::default();
    let mut stalls_of = |stalls: &[usize]| {
        for cycle in 0..1000 {
            unit.edge(In {
                stall: stalls.contains(&cycle),
                ..In::default()
            });
        }
        let out = unit.1.outputs(&In::default());
        assert!(out.compares);
        out.stalls
    };
    assert_eq!(stalls_of(&[]), 0);
    assert_eq!(stalls_of(&[0]), 1);
    assert_eq!(stalls_of(&[999]), 1);
    assert_eq!(stalls_of(&[0, 1, 500, 998, 999]), 5);
    let all: Vec<usize> = (0..1000).collect();
    assert_eq!(stalls_of(&all), 1000);
    assert_eq!(stalls_of(&[]), 0);
}

#[test]
fn sm_0_never_executes_them_and_tells_its_stalls_to_the_others() {
    let (mut zero, mut other) = (Both::default(), Both::default());
    for cycle in 0..12_000 {
        let before = zero.1.outputs(&In::default());
        let here = zero.edge(In {
            sm_zero: true,
            stall: cycle % 4 == 0,
            zero_stalls: before.stalls,
            ..In::default()
        });
        assert_eq!((here.memory_allowed, here.tenths), (false, 0));
        // More than SM 0 while the throttle is open, fewer when it is not.
        let throttled = other.tenths() < 7;
        other.edge(In {
            stall: cycle % if throttled { 5 } else { 3 } == 0,
            zero_stalls: here.stalls,
            ..In::default()
        });
    }
    assert!((5..8).contains(&other.tenths()), "{}", other.tenths());
}

#[test]
fn nothing_lowers_the_probability_in_the_first_cycle_of_a_kernel() {
    for zero_stalls in [0, 1, 1023] {
        let mut unit = Both::default();
        unit.edge(In {
            stall: true,
            zero_stalls,
            ..In::default()
        });
        assert_eq!(unit.tenths(), 10);
    }
}

#[test]
fn clear_starts_a_kernel_anew() {
    let mut unit = Both::default();
    unit.period(8, 0);
    let first = unit.period(8, 7);
    unit.period(8, 7);
    unit.edge(In {
        clear: true,
        stall: true,
        ..In::default()
    });
    let out = unit.edge(In::default());
    assert_eq!((out.compares, out.stalls, out.tenths), (true, 0, 10));
    unit.edge(In {
        clear: true,
        ..In::default()
    });
    // The draws are the same as in the first kernel.
    unit.period(8, 0);
    assert_eq!(unit.period(8, 7), first);
}

/// The draws of all cycles until the generator comes back.
fn draws() -> Vec<u16> {
    let mut draws = vec![SEED];
    loop {
        let next = (0..8).fold(draws[draws.len() - 1], |random, _| step(random));
        if next == SEED {
            return draws;
        }
        draws.push(next);
    }
}

#[test]
fn the_generator_runs_through_all_numbers_but_zero() {
    let mut draws = draws();
    assert_eq!(draws.len(), 65_535);
    draws.sort_unstable();
    draws.dedup();
    assert_eq!((draws.len(), draws[0]), (65_535, 1));
}

#[test]
fn a_draw_succeeds_with_the_probabilities_of_the_readme() {
    let draws = draws();
    let expected = [
        0, 6553, 13_107, 19_660, 26_214, 32_767, 39_321, 45_874, 52_428, 58_981, 65_535,
    ];
    for (tenths, expected) in (0u8..).zip(expected) {
        let drawn = draws
            .iter()
            .filter(|&&random| drawn(random, tenths))
            .count();
        assert_eq!(drawn, expected, "{tenths} tenths");
        assert_eq!(threshold(tenths.into()), expected as u64);
        // Half a draw of 65535 at most is missing.
        assert!((drawn as f64 / 65_535.0 - f64::from(tenths) / 10.0).abs() < 8e-6);
        let row = format!("| {tenths} | {expected} |");
        assert!(include_str!("README.md").contains(&row), "{row}");
    }
}

#[test]
fn a_refused_instruction_has_nearly_the_same_chance_in_the_next_cycles() {
    let draws = draws();
    for tenths in 1..10u8 {
        for later in 1..4 {
            let refused = (0..draws.len()).filter(|&at| !drawn(draws[at], tenths));
            let (mut all, mut succeeded) = (0u32, 0u32);
            for at in refused {
                all += 1;
                let then = draws[(at + later) % draws.len()];
                succeeded += u32::from(drawn(then, tenths));
            }
            let chance = f64::from(succeeded) / f64::from(all);
            let wanted = f64::from(tenths) / 10.0;
            assert!(
                (chance - wanted).abs() < 0.02,
                "{tenths} tenths, {later} later: {chance}"
            );
        }
    }
}

#[test]
fn flip_flops_equal_the_formula() {
    let bits = DynamicThrottleBits::new(1000);
    assert_eq!(
        (bits.cycle, bits.stalls, bits.probability, bits.generator),
        (10, 10, 4, 16)
    );
    assert_eq!(bits.total(), 40);
    let counted = flip_flops(DynamicThrottle1000::new());
    assert!(counted.is_none_or(|counted| counted == 40), "{counted:?}");
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(DynamicThrottle1000::new());
    check_block(DynamicThrottle12::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<1000>, _>(DynamicThrottle1000::new());
    check_ports::<Model<12>, _>(DynamicThrottle12::new());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<1000>>(include_str!("README.md"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn model_and_rtl_agree_on_any_pins(rows in rows::<1000>()) {
        agree(Model::<1000>::default(), Rtl1000::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_periods_of_12_cycles(rows in rows::<12>()) {
        agree(Model::<12>::default(), Rtl12::default(), &rows)?;
    }
}
