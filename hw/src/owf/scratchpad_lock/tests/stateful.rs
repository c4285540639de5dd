//! Any sequence on an ideal of one dictionary: which CTA has the shared bytes of which pair. It knows neither lock numbers
//! nor how they are written. A failing sequence shrinks.

use super::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use std::collections::{BTreeMap, BTreeSet};

type Pins = ScratchpadLockIn<16, 8>;

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

/// What everybody may expect: pairs of CTAs, and the CTAs that have the shared bytes.
#[derive(Default)]
struct Ledger {
    partner: BTreeMap<u8, u8>,
    holders: BTreeSet<u8>,
}

struct Unit {
    rtl: Rtl16x8,
    ledger: Ledger,
}

struct LockTest;

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
        let Ledger { partner, holders } = &unit.ledger;
        let pair = |warp: u8| {
            let cta = warp.checked_div(size)?;
            partner.get(&cta).map(|&other| (cta, other))
        };
        let ports = [
            (pins.a_valid, pins.a_warp, pins.a_address),
            (pins.b_valid, pins.b_warp, pins.b_address),
        ];
        let grants = [out.a_grant, out.b_grant];
        let held = [out.a_held, out.b_held];
        let mut takes = Vec::new();
        for (n, (valid, warp, address)) in ports.into_iter().enumerate() {
            let holds = pair(warp).is_some_and(|(cta, _)| holders.contains(&cta));
            assert_eq!(held[n], !pins.clear && holds);
            if !valid || pins.clear {
                assert!(!grants[n]);
            } else if let (Some((cta, other)), true) = (pair(warp), address >= pins.private_bytes) {
                let blocked = holders.contains(&other);
                // Of two CTAs of a pair one goes on.
                let (also, rival, at) = ports[1 - n];
                let lost = also
                    && at >= pins.private_bytes
                    && grants[1 - n]
                    && pair(rival) == Some((other, cta));
                assert_eq!(grants[n], !blocked && !lost, "{pins:?}");
                if grants[n] {
                    takes.push(cta);
                }
            } else {
                assert!(grants[n], "private and unshared bytes are open");
            }
        }
        let ledger = &mut unit.ledger;
        if pins.exit && !pins.pair {
            ledger.holders.remove(&pins.cta);
        }
        ledger.holders.extend(takes);
        if out.pair_grant {
            ledger.partner.insert(pins.cta, pins.partner);
            ledger.partner.insert(pins.partner, pins.cta);
        }
        if pins.clear {
            *ledger = Ledger::default();
        }

        // Never both CTAs of a pair.
        for holder in &ledger.holders {
            assert!(!ledger.holders.contains(&ledger.partner[holder]));
        }
        // Owners are whole CTAs of pairs, one of each at most.
        let after = unit.rtl.outputs(&Pins {
            a_valid: false,
            b_valid: false,
            ..pins
        });
        let of = |cta: u8| {
            let from = u32::from(cta) * u32::from(size);
            (from..from + u32::from(size)).fold(0u64, |mask, warp| mask | 1 << warp)
        };
        let mut shared = 0;
        for (&cta, &other) in &ledger.partner {
            shared |= of(cta);
            let (mine, others) = (after.owner & of(cta), after.owner & of(other));
            assert!(mine == 0 || (mine == of(cta) && others == 0));
        }
        assert_eq!((after.shared, after.owner & !shared), (shared, 0));
        unit
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn no_sequence_gives_shared_bytes_to_both_ctas_of_a_pair(sequential 1..150 => LockTest);
}
