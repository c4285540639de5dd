//! Sequences of periods against an ideal without counters: all stalls of the run, and sums over them. A failing sequence
//! shrinks.

use super::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};

const PERIOD: usize = 12;

/// A part of a period.
#[derive(Clone, Debug)]
struct Cycles {
    count: usize,
    stall: bool,
    zero_stalls: u16,
    sm_zero: bool,
    clear: bool,
}

#[derive(Clone, Debug)]
struct Anything;

impl ReferenceStateMachine for Anything {
    type State = Anything;
    type Transition = Cycles;

    fn init_state() -> BoxedStrategy<Self::State> {
        Just(Anything).boxed()
    }
    fn transitions(_: &Self::State) -> BoxedStrategy<Self::Transition> {
        let chance = prop::bool::weighted;
        (
            1..20usize,
            chance(0.5),
            0..=15u16,
            chance(0.1),
            chance(0.02),
        )
            .prop_map(|(count, stall, zero_stalls, sm_zero, clear)| Cycles {
                count,
                stall,
                zero_stalls,
                sm_zero,
                clear,
            })
            .boxed()
    }
    fn apply(state: Self::State, _: &Self::Transition) -> Self::State {
        state
    }
}

struct Unit {
    rtl: Rtl12,
    /// Whether each cycle since the kernel start was a stall cycle.
    stalls: Vec<bool>,
    /// What SM 0 said in the first cycle of each period.
    zero: Vec<u16>,
}

impl Unit {
    /// Stall cycles in period `number`.
    fn in_period(&self, number: usize) -> usize {
        let cycles = self.stalls.iter().skip(number * PERIOD).take(PERIOD);
        cycles.filter(|&&stall| stall).count()
    }

    /// The probability, from all comparisons so far: the first has no period before it.
    fn tenths(&self) -> u8 {
        (1..self.zero.len()).fold(10, |tenths: u8, number| {
            let own = self.in_period(number - 1);
            let zero = usize::from(self.zero[number]);
            (tenths + u8::from(own < zero)).clamp(u8::from(own > zero), 10) - u8::from(own > zero)
        })
    }
}

struct ThrottleTest;

impl StateMachineTest for ThrottleTest {
    type SystemUnderTest = Unit;
    type Reference = Anything;

    fn init_test(_: &Anything) -> Unit {
        Unit {
            rtl: Rtl12::default(),
            stalls: Vec::new(),
            zero: Vec::new(),
        }
    }

    fn apply(mut unit: Unit, _: &Anything, part: Cycles) -> Unit {
        for cycle in 0..part.count {
            let pins = DynamicThrottleIn {
                clear: part.clear && cycle == 0,
                sm_zero: part.sm_zero,
                stall: part.stall,
                zero_stalls: part.zero_stalls,
            };
            let tenths = if part.sm_zero { 0 } else { unit.tenths() };
            let out = unit.rtl.edge(&pins);
            assert_eq!(out.tenths, tenths);
            assert_eq!(out.compares, unit.stalls.len().is_multiple_of(PERIOD));
            if tenths == 0 {
                assert!(!out.memory_allowed, "probability 0 never allows");
            }
            if tenths == 10 {
                assert!(out.memory_allowed, "probability 1 always allows");
            }
            if pins.clear {
                unit.stalls.clear();
                unit.zero.clear();
                continue;
            }
            if out.compares {
                let before = (unit.stalls.len() / PERIOD).checked_sub(1);
                let counted = before.map_or(0, |number| unit.in_period(number));
                assert_eq!(usize::from(out.stalls), counted);
                unit.zero.push(part.zero_stalls);
            }
            unit.stalls.push(part.stall);
        }
        unit
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn no_sequence_of_periods_leaves_the_rule(sequential 1..100 => ThrottleTest);
}
