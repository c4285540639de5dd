//! Sequences of launches and ready warps against an ideal without times and bits: a queue of slots. A failing sequence
//! shrinks.

use super::super::model::Class;
use super::super::strategy::row;
use super::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};

const WARPS: u8 = 8;
const SCHEDULERS: u8 = 2;

#[derive(Clone, Debug)]
struct Anything;

impl ReferenceStateMachine for Anything {
    type State = Anything;
    type Transition = WarpPriorityIn<8, 2>;

    fn init_state() -> BoxedStrategy<Self::State> {
        Just(Anything).boxed()
    }
    fn transitions(_: &Self::State) -> BoxedStrategy<Self::Transition> {
        row::<8, 2>().boxed()
    }
    fn apply(state: Self::State, _: &Self::Transition) -> Self::State {
        state
    }
}

struct Unit {
    rtl: Rtl8x2,
    /// All slots, the one launched longest ago first.
    queue: Vec<u8>,
}

struct PriorityTest;

impl StateMachineTest for PriorityTest {
    type SystemUnderTest = Unit;
    type Reference = Anything;

    fn init_test(_: &Anything) -> Unit {
        Unit {
            rtl: Rtl8x2::default(),
            queue: (0..WARPS).collect(),
        }
    }

    fn apply(mut unit: Unit, _: &Anything, pins: WarpPriorityIn<8, 2>) -> Unit {
        let out = unit.rtl.edge(&pins);
        let is = |mask: u64, slot: u8| mask >> slot & 1 == 1;
        for scheduler in 0..SCHEDULERS {
            let mut waiting = unit
                .queue
                .iter()
                .copied()
                .filter(|&slot| slot % SCHEDULERS == scheduler && is(pins.ready, slot));
            let classes = [Class::SharedOwner, Class::Unshared, Class::SharedNonOwner];
            let first = classes.iter().find_map(|&class| {
                waiting
                    .clone()
                    .find(|&slot| Class::of(is(pins.shared, slot), is(pins.owner, slot)) == class)
            });
            assert_eq!(
                out.warp(scheduler.into()),
                first,
                "the first in the queue of the best class is chosen"
            );
            assert_eq!(first.is_none(), waiting.next().is_none());
        }
        if pins.clear {
            unit.queue.sort_unstable();
        } else {
            // A stable sort: those launched go behind the others, by slot among themselves.
            unit.queue
                .sort_by_key(|&slot| is(pins.launch, slot).then_some(slot));
        }
        unit
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn no_sequence_of_launches_breaks_the_order(sequential 1..150 => PriorityTest);
}
