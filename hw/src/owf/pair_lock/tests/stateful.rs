//! Any sequence on an ideal of one dictionary: who holds the shared registers of which pair. It knows neither lock numbers
//! nor the table of partners. A failing sequence shrinks.

use super::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use std::collections::BTreeMap;

const WARPS: usize = 16;

type Pins = PairLockIn<16, 8>;

/// A run drawn in advance; each transition is its next row.
#[derive(Clone, Debug)]
struct Run {
    rows: Vec<Pins>,
    at: usize,
}

impl ReferenceStateMachine for Run {
    type State = Run;
    type Transition = Pins;

    fn init_state() -> BoxedStrategy<Self::State> {
        // Rows of one run belong together.
        strategy::rows::<16, 8>()
            .prop_map(|rows| Run { rows, at: 0 })
            .boxed()
    }
    fn transitions(run: &Self::State) -> BoxedStrategy<Self::Transition> {
        let last = run.rows.len() - 1;
        Just(run.rows[run.at.min(last)]).boxed()
    }
    fn apply(mut run: Self::State, _: &Self::Transition) -> Self::State {
        run.at += 1;
        run
    }
}

/// What everybody may expect: pairs of CTAs, and the warps that hold shared registers.
#[derive(Default)]
struct Ledger {
    /// Partner of each CTA in a pair.
    partner: BTreeMap<u8, u8>,
    /// Warps that hold shared registers.
    holders: Vec<u8>,
}

struct Unit {
    rtl: Rtl16x8,
    ledger: Ledger,
}

struct LockTest;

impl Unit {
    /// The CTA that shares with the warp's, if any.
    fn other_cta(&self, warp: u8, size: u8) -> Option<u8> {
        self.ledger.partner.get(&warp.checked_div(size)?).copied()
    }
}

impl StateMachineTest for LockTest {
    type SystemUnderTest = Unit;
    type Reference = Run;

    fn init_test(_: &Run) -> Unit {
        Unit {
            rtl: Rtl16x8::default(),
            ledger: Ledger::default(),
        }
    }

    fn apply(mut unit: Unit, _: &Run, pins: Pins) -> Unit {
        let out = unit.rtl.edge(&pins);
        let size = pins.warps_per_cta;
        let of = |cta: u8, warp: u8| warp.checked_div(size) == Some(cta);
        let before = unit.ledger.holders.clone();
        let ports = [
            (
                pins.a_valid,
                pins.a_exit,
                pins.a_warp,
                pins.a_reg,
                out.a_grant,
                out.a_held,
            ),
            (
                pins.b_valid,
                pins.b_exit,
                pins.b_warp,
                pins.b_reg,
                out.b_grant,
                out.b_held,
            ),
        ];
        let mut ends = Vec::new();
        let mut takes = Vec::new();
        for (valid, exit, warp, reg, granted, held) in ports {
            assert_eq!(held, !pins.clear && before.contains(&warp));
            let other = unit.other_cta(warp, size);
            if !valid || pins.clear {
                assert!(!granted);
            } else if exit {
                assert!(granted);
                ends.push(warp);
            } else if let (Some(other), true) = (other, reg >= pins.private_regs) {
                let blocked = before.iter().any(|&holder| of(other, holder));
                assert!(!(granted && blocked), "the partner holds");
                assert!(granted || blocked || takes_now(&ports, warp), "{pins:?}");
                if granted {
                    takes.push(warp);
                }
            } else {
                assert!(granted, "private and unshared registers are open");
            }
        }
        let holders = &mut unit.ledger.holders;
        holders.retain(|warp| !ends.contains(warp));
        holders.extend(takes);
        holders.sort_unstable();
        holders.dedup();
        if out.pair_grant {
            unit.ledger.partner.insert(pins.cta, pins.partner);
            unit.ledger.partner.insert(pins.partner, pins.cta);
        }
        if pins.clear {
            unit.ledger = Ledger::default();
        }

        // Never both CTAs of a pair, and so never both warps.
        let holders = &unit.ledger.holders;
        for &holder in holders {
            let other = unit.other_cta(holder, size);
            assert!(other.is_none_or(|other| !holders.iter().any(|&warp| of(other, warp))));
        }
        // Owners are whole CTAs of pairs, one of each at most.
        let after = unit.rtl.outputs(&Pins {
            a_valid: false,
            b_valid: false,
            ..pins
        });
        assert_eq!(after.owner & !after.shared, 0);
        for warp in (0..WARPS as u8).filter(|warp| after.owner >> warp & 1 == 1) {
            let cta = warp / size;
            let all = (0..WARPS as u8).filter(|&warp| of(cta, warp));
            assert!(all.clone().all(|warp| after.owner >> warp & 1 == 1));
            let other = unit.other_cta(warp, size).expect("an owner shares");
            let mut others = (0..WARPS as u8).filter(|&warp| of(other, warp));
            assert!(others.all(|warp| after.owner >> warp & 1 == 0));
        }
        unit
    }
}

/// A port's row: valid, exit, warp, register, grant, held.
type Port = (bool, bool, u8, u8, bool, bool);

/// Whether another port's warp was served, so that this one lost the tie.
fn takes_now(ports: &[Port; 2], loser: u8) -> bool {
    let served =
        |&(valid, exit, warp, _, granted, _): &Port| valid && !exit && granted && warp != loser;
    ports.iter().any(served)
}

prop_state_machine! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn no_sequence_gives_shared_registers_to_both_ctas_of_a_pair(sequential 1..150 => LockTest);
}
