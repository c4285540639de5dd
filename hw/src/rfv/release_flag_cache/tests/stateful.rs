//! Sequences against an ideal: the flags of every pir ever filled, and nothing about entries. A cache may forget, but
//! never what was filled last, and it never answers wrongly. A failing sequence shrinks.

use super::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
struct Ideal {
    /// Program counters of the kernel's pir.
    addresses: Vec<u16>,
    filled: BTreeMap<u16, u64>,
    last: Option<u16>,
}

impl ReferenceStateMachine for Ideal {
    type State = Ideal;
    type Transition = ReleaseFlagCacheIn;

    fn init_state() -> BoxedStrategy<Self::State> {
        strategy::pir_addresses()
            .prop_map(|addresses| Ideal {
                addresses,
                ..Ideal::default()
            })
            .boxed()
    }
    fn transitions(ideal: &Self::State) -> BoxedStrategy<Self::Transition> {
        strategy::row(&ideal.addresses).boxed()
    }
    fn apply(mut ideal: Self::State, pins: &Self::Transition) -> Self::State {
        if pins.clear {
            ideal.filled.clear();
            ideal.last = None;
        } else if pins.fill {
            ideal.filled.insert(pins.fill_pc, pins.fill_payload);
            ideal.last = Some(pins.fill_pc);
        }
        ideal
    }
}

struct CacheTest;

impl StateMachineTest for CacheTest {
    type SystemUnderTest = Both;
    type Reference = Ideal;

    fn init_test(_: &Ideal) -> Both {
        Both::default()
    }

    /// `ideal` is already after the transition, so the look-ups follow it.
    fn apply(mut unit: Both, ideal: &Ideal, pins: ReleaseFlagCacheIn) -> Both {
        unit.edge(pins);
        for (pc, slot) in [(pins.a_pc, pins.a_slot), (pins.b_pc, pins.b_slot)] {
            if let Some(flags) = unit.look_up(pc, slot) {
                let payload = ideal.filled.get(&pc).expect("only what was filled hits");
                let expected = payload.checked_shr(3 * u32::from(slot)).unwrap_or(0) & 7;
                let expected = if slot < 18 { expected } else { 0 };
                assert_eq!(u64::from(flags), expected);
            }
        }
        if let Some(pc) = ideal.last {
            assert!(unit.look_up(pc, 0).is_some(), "the last fill stays");
        }
        unit
    }

    fn check_invariants(unit: &Both, ideal: &Ideal) {
        let held: BTreeSet<_> = unit.0.held().collect();
        assert!(held.len() <= ENTRIES);
        assert!(held.iter().all(|pc| ideal.filled.contains_key(pc)));
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn a_hit_never_answers_wrongly_and_the_last_fill_stays(sequential 1..80 => CacheTest);
}
