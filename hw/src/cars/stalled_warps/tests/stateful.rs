//! Sequences of stalls and releases against an ideal without a queue: since when each warp waits. A failing sequence
//! shrinks.

use super::super::strategy::row;
use super::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};

const WARPS: usize = 8;

#[derive(Clone, Debug)]
struct Anything;

impl ReferenceStateMachine for Anything {
    type State = Anything;
    type Transition = StalledWarpsIn<8>;

    fn init_state() -> BoxedStrategy<Self::State> {
        Just(Anything).boxed()
    }
    fn transitions(_: &Self::State) -> BoxedStrategy<Self::Transition> {
        row::<8>().boxed()
    }
    fn apply(state: Self::State, _: &Self::Transition) -> Self::State {
        state
    }
}

struct Unit {
    rtl: Rtl<8, 3>,
    model: Model<8>,
    now: u32,
    /// The cycle in which each stalled warp was put in.
    since: [Option<u32>; WARPS],
}

struct ListTest;

impl StateMachineTest for ListTest {
    type SystemUnderTest = Unit;
    type Reference = Anything;

    fn init_test(_: &Anything) -> Unit {
        Unit {
            rtl: Rtl::default(),
            model: Model::default(),
            now: 0,
            since: [None; WARPS],
        }
    }

    fn apply(mut unit: Unit, _: &Anything, pins: StalledWarpsIn<8>) -> Unit {
        let out = unit.rtl.edge(&pins);
        assert_eq!(out, unit.model.edge(&pins));
        unit.now += 1;
        let waits = |warp: u8| unit.since[usize::from(warp)].is_some();
        assert_eq!(out.a_stalled, waits(pins.a_warp));
        assert_eq!(out.b_stalled, waits(pins.b_warp));
        let longest = (0..WARPS)
            .filter(|&warp| unit.since[warp].is_some())
            .min_by_key(|&warp| unit.since[warp]);
        assert_eq!(out.empty, longest.is_none());
        let woken = longest.filter(|_| pins.wake && !pins.clear);
        assert_eq!(
            out.woken_valid.then_some(usize::from(out.woken)),
            woken,
            "who has waited longest is woken"
        );
        let stalls = pins.stall && !pins.clear && woken != Some(pins.stall_warp.into());
        assert_eq!(out.stall_grant, stalls);
        if stalls {
            unit.since[usize::from(pins.stall_warp)].get_or_insert(unit.now);
        }
        if let Some(woken) = woken {
            unit.since[woken] = None;
        }
        if pins.clear {
            unit.since = [None; WARPS];
        }
        unit
    }

    fn check_invariants(unit: &Unit, _: &Anything) {
        let list: Vec<_> = unit.model.stalled().collect();
        let mut distinct = list.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), list.len(), "no warp is in the list twice");
        assert_eq!(list.len(), unit.since.iter().flatten().count());
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn no_sequence_of_requests_loses_or_doubles_a_warp(sequential 1..200 => ListTest);
}
