//! Sequences of legal and illegal requests against an ideal: who holds what, as a map. The ideal does not say
//! which section is granted or how ties end; it says what may never happen. A failing sequence shrinks.

use super::*;
use crate::strategies::any_row;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use std::collections::BTreeSet;

const WARPS: u8 = 8;

/// The ideal: sections that exist and the set of holders. Tied requests leave it open who was served, so it is
/// the test below that moves it on, by what the hardware granted.
#[derive(Clone, Debug)]
struct Ideal;

impl ReferenceStateMachine for Ideal {
    type State = Ideal;
    type Transition = SrpAllocatorIn<8>;

    fn init_state() -> BoxedStrategy<Self::State> {
        Just(Ideal).boxed()
    }
    fn transitions(_: &Self::State) -> BoxedStrategy<Self::Transition> {
        any_row().boxed()
    }
    fn apply(state: Self::State, _: &Self::Transition) -> Self::State {
        state
    }
}

struct Unit {
    rtl: Rtl<8, 2, 3, 4>,
    model: Model<8>,
    sections: u8,
    held: [Option<u8>; WARPS as usize],
}

struct AllocatorTest;

impl StateMachineTest for AllocatorTest {
    type SystemUnderTest = Unit;
    type Reference = Ideal;

    fn init_test(_: &Ideal) -> Unit {
        Unit {
            rtl: Rtl::default(),
            model: Model::default(),
            sections: WARPS,
            held: [None; WARPS as usize],
        }
    }

    fn apply(mut unit: Unit, _: &Ideal, pins: SrpAllocatorIn<8>) -> Unit {
        let out = unit.rtl.edge(&pins);
        assert_eq!(out, unit.model.edge(&pins));
        let free = unit.held.iter().flatten().count() < usize::from(unit.sections);
        let ports = [
            (
                pins.a_valid,
                pins.a_release,
                pins.a_warp,
                out.a_grant,
                out.a_held,
                out.a_section,
            ),
            (
                pins.b_valid,
                pins.b_release,
                pins.b_warp,
                out.b_grant,
                out.b_held,
                out.b_section,
            ),
        ];
        let mut changes = 0;
        let mut next = unit.held;
        for (valid, release, warp, grant, held, section) in ports {
            let before = unit.held[usize::from(warp)];
            assert_eq!(
                held,
                before.is_some(),
                "a warp is held exactly if its section was granted"
            );
            assert!(valid || !grant, "nobody asked");
            assert!(!grant || !pins.clear, "clear wins");
            if let Some(before) = before {
                assert_eq!(section, before, "the section of a holder never changes");
            }
            let changing = grant && release == held;
            changes += usize::from(changing);
            if changing && release {
                next[usize::from(warp)] = None;
            } else if changing {
                assert!(section < unit.sections, "reserved sections stay reserved");
                assert!(
                    !unit.held.contains(&Some(section)),
                    "a section is never granted in the cycle that frees it"
                );
                next[usize::from(warp)] = Some(section);
            } else if !grant {
                assert_eq!(
                    section,
                    before.unwrap_or(0),
                    "a refused warp sees no section"
                );
            }
        }
        assert!(changes <= 1, "at most one change per cycle");
        // Nobody is refused without a reason: an only request is refused for want of a section alone.
        let only_a = pins.a_valid && !pins.b_valid && !pins.clear;
        if only_a {
            let acquires = !pins.a_release && unit.held[usize::from(pins.a_warp)].is_none();
            assert_eq!(out.a_grant, !acquires || free);
        }
        unit.held = next;
        if pins.clear {
            unit.held = [None; WARPS as usize];
            unit.sections = pins.section_count.min(WARPS);
        }
        unit
    }

    fn check_invariants(unit: &Unit, _: &Ideal) {
        let holders = unit.held.iter().flatten().count();
        let sections: BTreeSet<_> = unit.held.iter().flatten().collect();
        assert_eq!(sections.len(), holders, "no two warps hold one section");
        let (status, srp) = unit.model.masks();
        assert_eq!(status.count_ones() as usize, holders);
        assert_eq!(
            srp.count_ones() as usize,
            holders + usize::from(WARPS - unit.sections)
        );
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn no_sequence_of_requests_breaks_an_invariant(sequential 1..120 => AllocatorTest);
}
