//! Sequences against what a renaming table holds: the packs that it took and has not given back. A failing sequence
//! shrinks.

use super::*;
use crate::strategies::any_pins;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use std::collections::BTreeSet;

const PACKS: usize = 64;
const BANK_PACKS: u16 = (PACKS / BANKS) as u16;

/// The packs that are mapped, by bank, as far as the sequence could know them: the kept part of the file and the reserved one
/// never change, and sub-arrays are awake or not as they please.
#[derive(Clone, Debug)]
struct Renaming {
    shrink: u8,
    reserved: u16,
}

#[derive(Clone, Debug)]
struct Request {
    pins: FreeListIn<PACKS>,
    /// Give back the mapped pack of this rank, not just any pack, for legal sequences.
    legal: bool,
}

impl ReferenceStateMachine for Renaming {
    type State = Renaming;
    type Transition = Request;

    fn init_state() -> BoxedStrategy<Self::State> {
        (0u8..4, prop_oneof![Just(0u16), 0u16..32])
            .prop_map(|(shrink, reserved)| Renaming { shrink, reserved })
            .boxed()
    }
    fn transitions(state: &Self::State) -> BoxedStrategy<Self::Transition> {
        let Renaming { shrink, reserved } = *state;
        let clear = prop::bool::weighted(0.01);
        (
            any_pins(),
            clear,
            prop::bool::weighted(0.8),
            prop::bool::weighted(0.4),
        )
            .prop_map(
                move |(pins, clear, legal, more): (FreeListIn<PACKS>, _, _, _)| Request {
                    pins: FreeListIn {
                        clear,
                        shrink,
                        reserved,
                        take: if more { 0xf } else { pins.take },
                        ..pins
                    },
                    legal,
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
    rtl: Rtl64,
    model: Model<PACKS>,
    mapped: [BTreeSet<u16>; BANKS],
}

struct FreeListTest;

impl StateMachineTest for FreeListTest {
    type SystemUnderTest = Unit;
    type Reference = Renaming;

    fn init_test(_: &Renaming) -> Unit {
        Unit::default()
    }

    fn apply(mut unit: Unit, _: &Renaming, Request { mut pins, legal }: Request) -> Unit {
        if legal {
            let mut given = pins.given();
            for (given, mapped) in given.iter_mut().zip(&unit.mapped) {
                let rank = given.map(|rank| usize::from(rank) % mapped.len().max(1));
                *given = rank.and_then(|rank| mapped.iter().nth(rank).copied());
            }
            pins.set_given(given);
        }
        let out = unit.rtl.edge(&pins);
        assert_eq!(out, unit.model.edge(&pins));
        let kept = kept_packs(usize::from(BANK_PACKS))[usize::from(pins.shrink)];
        for (bank, mapped) in unit.mapped.iter_mut().enumerate() {
            let offer = out.offers()[bank];
            assert_eq!(
                offer.is_none(),
                (pins.reserved..kept as u16).all(|pack| mapped.contains(&pack)),
                "a free pack is offered, if there is one"
            );
            assert!(
                offer.is_none_or(|pack| {
                    (pins.reserved..kept as u16).contains(&pack) && !mapped.contains(&pack)
                }),
                "no pack is visible to two owners, nor one of an exempt register to another"
            );
            for sub_array in 0..4 {
                let mut packs = sub_array * 4..sub_array * 4 + 4;
                assert_eq!(
                    out.occupied >> (4 * bank as u16 + sub_array) & 1 == 1,
                    packs.any(|pack| pack < pins.reserved || mapped.contains(&pack))
                );
            }
            if let Some(pack) = pins.given()[bank] {
                mapped.remove(&pack);
            }
            if pins.take >> bank & 1 == 1 {
                mapped.extend(offer);
            }
            if pins.clear {
                mapped.clear();
            }
        }
        unit
    }

    fn check_invariants(unit: &Unit, _: &Renaming) {
        let mapped: usize = unit.mapped.iter().map(BTreeSet::len).sum();
        assert_eq!(unit.model.used_packs(), mapped, "mapped + free = all");
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn no_sequence_of_takes_and_gives_loses_or_doubles_a_pack(sequential 1..150 => FreeListTest);
}
