//! Sequences against the CTAs themselves: all that were recorded for a level since the kernel began. A failing sequence
//! shrinks.

use super::*;
use crate::strategies::any_pins;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};

#[derive(Clone, Debug)]
struct Anything;

impl ReferenceStateMachine for Anything {
    type State = Anything;
    type Transition = ReservationFsmIn<4>;

    fn init_state() -> BoxedStrategy<Self::State> {
        Just(Anything).boxed()
    }
    fn transitions(_: &Self::State) -> BoxedStrategy<Self::Transition> {
        let chance = prop::bool::weighted;
        (any_pins(), chance(0.04), chance(0.04), 0u32..2000)
            .prop_map(
                |(pins, clear, again, done_cycles): (ReservationFsmIn<4>, _, _, _)| {
                    ReservationFsmIn {
                        clear,
                        again,
                        done_cycles,
                        ..pins
                    }
                },
            )
            .boxed()
    }
    fn apply(state: Self::State, _: &Self::Transition) -> Self::State {
        state
    }
}

#[derive(Default)]
struct Unit {
    rtl: Rtl4,
    model: Model<4>,
    top: u8,
    /// Cycles of the CTAs of each level.
    ctas: [Vec<u32>; 4],
}

struct FsmTest;

impl StateMachineTest for FsmTest {
    type SystemUnderTest = Unit;
    type Reference = Anything;

    fn init_test(_: &Anything) -> Unit {
        Unit::default()
    }

    fn apply(mut unit: Unit, _: &Anything, pins: ReservationFsmIn<4>) -> Unit {
        let out = unit.rtl.edge(&pins);
        assert_eq!(out, unit.model.edge(&pins));
        let mine = if pins.launch_high {
            out.high_level
        } else {
            out.low_level
        };
        assert!(out.level.abs_diff(mine) <= 1, "one step at a time");
        assert!(
            out.level == mine || !unit.ctas[usize::from(mine)].is_empty(),
            "no level is left before it was measured"
        );
        if out.level != mine {
            assert_eq!(
                out.level > mine,
                out.best > mine,
                "a step goes towards the best"
            );
        }
        if pins.clear {
            unit.top = pins.top;
            unit.ctas = Default::default();
        } else if pins.done && pins.done_level <= unit.top {
            unit.ctas[usize::from(pins.done_level)].push(pins.done_cycles);
        }
        unit
    }

    fn check_invariants(unit: &Unit, _: &Anything) {
        let mut model = unit.model.clone();
        let out = model.outputs(&ReservationFsmIn::default());
        assert!(out.low_level <= unit.top && out.high_level <= unit.top);
        assert_eq!(
            out.best_valid,
            unit.ctas.iter().any(|ctas| !ctas.is_empty())
        );
        for (level, ctas) in unit.ctas.iter().enumerate() {
            let average = unit.model.average_cycles(level as u8);
            let range = ctas.iter().min().zip(ctas.iter().max());
            let Some((average, (&least, &most))) = average.zip(range) else {
                assert!(average.is_none() && ctas.is_empty());
                continue;
            };
            assert!(
                (u64::from(least.saturating_sub(7))..=u64::from(most)).contains(&average),
                "an average lies among its CTAs"
            );
            let best = unit.model.average_cycles(out.best);
            assert!(best <= Some(average), "no level is better than the best");
        }
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn no_sequence_leads_a_half_away_from_the_best_or_out_of_the_kernel(sequential 1..150 => FsmTest);
}
