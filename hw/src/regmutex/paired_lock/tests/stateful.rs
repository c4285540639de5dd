//! Sequences of requests against an ideal that knows the holder. The safe lock faces illegal requests too; the
//! paper's lock only those that its compiler may emit, and there both must look the same.

use super::*;
use crate::clocked::Clocked;
use crate::strategies::any_row;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};

#[derive(Clone, Debug)]
struct Ideal;

impl ReferenceStateMachine for Ideal {
    type State = Ideal;
    type Transition = PairedLockIn<8>;

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

#[derive(Default)]
struct Locks {
    safe: warp_bit::Rtl<8, 4, 1, 3>,
    safe_model: WarpBitModel<8>,
    paper: pair_bit::Rtl<8, 4, 1, 3>,
    held: [bool; 8],
}

impl Locks {
    /// Drops a request that the compiler of the paper's unit may not emit: an acquire by the holder, a release
    /// by anyone else.
    fn legal(&self, pins: PairedLockIn<8>) -> PairedLockIn<8> {
        let legal = |release: bool, warp: u8| release == self.held[usize::from(warp)];
        PairedLockIn {
            a_valid: pins.a_valid && legal(pins.a_release, pins.a_warp),
            b_valid: pins.b_valid && legal(pins.b_release, pins.b_warp),
            ..pins
        }
    }

    fn move_on(&mut self, pins: &PairedLockIn<8>, grants: [bool; 2]) {
        let ports = [(pins.a_release, pins.a_warp), (pins.b_release, pins.b_warp)];
        for ((release, warp), grant) in ports.into_iter().zip(grants) {
            if grant {
                self.held[usize::from(warp)] = !release;
            }
        }
        if pins.clear {
            self.held = [false; 8];
        }
    }

    fn check(&self) {
        for pair in self.held.chunks(2) {
            assert!(!(pair[0] && pair[1]), "both warps of a pair hold its set");
        }
    }
}

struct SafeLock;

impl StateMachineTest for SafeLock {
    type SystemUnderTest = Locks;
    type Reference = Ideal;

    fn init_test(_: &Ideal) -> Locks {
        Locks::default()
    }
    fn apply(mut locks: Locks, _: &Ideal, pins: PairedLockIn<8>) -> Locks {
        let out = locks.safe.edge(&pins);
        assert_eq!(out, locks.safe_model.edge(&pins));
        let held = |warp: u8| locks.held[usize::from(warp)];
        assert_eq!(
            (out.a_held, out.b_held),
            (held(pins.a_warp), held(pins.b_warp))
        );
        if pins.a_valid && !pins.b_valid && !pins.clear {
            let partner_holds = held(pins.a_warp ^ 1);
            assert_eq!(out.a_grant, pins.a_release || !partner_holds);
        }
        locks.move_on(&pins, [out.a_grant, out.b_grant]);
        locks
    }
    fn check_invariants(locks: &Locks, _: &Ideal) {
        locks.check();
    }
}

struct PaperLock;

impl StateMachineTest for PaperLock {
    type SystemUnderTest = Locks;
    type Reference = Ideal;

    fn init_test(_: &Ideal) -> Locks {
        Locks::default()
    }
    fn apply(mut locks: Locks, _: &Ideal, pins: PairedLockIn<8>) -> Locks {
        let pins = locks.legal(pins);
        let (safe, paper) = (locks.safe.edge(&pins), locks.paper.edge(&pins));
        assert_eq!(
            (paper.a_grant, paper.b_grant),
            (safe.a_grant, safe.b_grant),
            "{pins:?}"
        );
        locks.move_on(&pins, [paper.a_grant, paper.b_grant]);
        locks
    }
    fn check_invariants(locks: &Locks, _: &Ideal) {
        locks.check();
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn no_sequence_breaks_the_safe_lock(sequential 1..120 => SafeLock);

    #[test]
    fn on_legal_sequences_the_papers_lock_answers_like_the_safe_one(sequential 1..120 => PaperLock);
}
