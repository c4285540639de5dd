//! Figure 5: two CTAs of two warps each, in pairs W1 with W3 and W2 with W4, with a barrier between warps of a CTA. Every
//! order in which the warps can run is tried.

use super::*;
use std::collections::HashMap;

/// What a warp does, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    /// Accesses a shared register.
    Access,
    /// Waits for the other warp of the CTA.
    Barrier,
    /// Ends.
    End,
}

use Act::{Access, Barrier, End};

/// The programs of warps 0 and 1 of CTA 0 and of warps 0 and 1 of CTA 1; warps of a CTA have as many barriers.
type Programs = [&'static [Act]; 4];

/// The warps of Figure 5. W1 is warp 0 and shares with W3, warp 2; W2 is warp 1 and shares with W4, warp 3. "W2, W3 are
/// waiting for warps W1 and W4 respectively, to arrive at a barrier": W1 and W2 form TB1, W3 and W4 TB2.
const FIGURE_5: Programs = [
    &[Access, Barrier, End],
    &[Access, Barrier, End],
    &[Access, Barrier, End],
    &[Access, Barrier, End],
];

#[derive(Clone)]
struct State {
    lock: Model<16, 8>,
    at: [usize; 4],
}

fn pins() -> PairLockIn<16, 8> {
    PairLockIn {
        warps_per_cta: 2,
        private_regs: PRIVATE,
        ..Default::default()
    }
}

impl State {
    fn start(mut lock: Model<16, 8>) -> Self {
        lock.edge(&PairLockIn {
            clear: true,
            share: true,
            ..pins()
        });
        let out = lock.edge(&PairLockIn {
            pair: true,
            partner: 1,
            ..pins()
        });
        assert!(out.pair_grant);
        Self { lock, at: [0; 4] }
    }

    fn finished(&self, programs: &Programs) -> bool {
        (0..4).all(|warp| self.at[warp] == programs[warp].len())
    }

    /// What lies ahead of a run depends on this alone.
    fn key(&self) -> ([usize; 4], [bool; 4]) {
        (self.at, std::array::from_fn(|warp| self.lock.holds(warp)))
    }

    /// The state after `warp` ran, if it can.
    fn step(&self, programs: &Programs, warp: usize) -> Option<Self> {
        let act = *programs[warp].get(self.at[warp])?;
        let mut next = self.clone();
        let barriers = |warp: usize| {
            let done = &programs[warp][..self.at[warp]];
            done.iter().filter(|&&act| act == Barrier).count()
        };
        match act {
            Access | End => {
                let out = next.lock.edge(&PairLockIn {
                    a_valid: true,
                    a_exit: act == End,
                    a_warp: warp as u8,
                    a_reg: PRIVATE,
                    ..pins()
                });
                out.a_grant.then_some(())?;
            }
            // The last of the two to arrive takes both on.
            Barrier => {
                let other = warp ^ 1;
                let arrived = programs[other].get(self.at[other]) == Some(&Barrier);
                (arrived && barriers(other) == barriers(warp)).then_some(())?;
                next.at[other] += 1;
            }
        }
        next.at[warp] += 1;
        Some(next)
    }
}

/// The first order of warps found after which none can run, though some have not ended; and how many states there are.
fn deadlock(lock: Model<16, 8>, programs: &Programs) -> (Option<Vec<usize>>, usize) {
    let mut seen = HashMap::new();
    let mut open = vec![(State::start(lock), Vec::new())];
    while let Some((state, order)) = open.pop() {
        if seen.insert(state.key(), ()).is_some() {
            continue;
        }
        let steps: Vec<_> = (0..4)
            .filter_map(|warp| Some((warp, state.step(programs, warp)?)))
            .collect();
        if steps.is_empty() && !state.finished(programs) {
            return (Some(order), seen.len());
        }
        open.extend(steps.into_iter().map(|(warp, next)| {
            let order = order.iter().copied().chain([warp]).collect();
            (next, order)
        }));
    }
    (None, seen.len())
}

#[test]
fn without_the_rule_the_deadlock_of_figure_5_is_reached() {
    let (order, _) = deadlock(Model::without_deadlock_rule(), &FIGURE_5);
    let order = order.expect("a deadlock");
    // One warp of each CTA has its lock and waits at the barrier for one whose lock the other CTA has.
    let mut ran = order.clone();
    ran.sort_unstable();
    assert!(ran == [0, 3] || ran == [1, 2], "{order:?}");
}

#[test]
fn with_the_rule_no_order_of_the_warps_ends_in_a_deadlock() {
    let (order, states) = deadlock(Model::default(), &FIGURE_5);
    assert_eq!(order, None);
    assert!(states > 20, "{states} states");
}

#[test]
fn with_the_rule_no_two_ctas_of_any_short_programs_deadlock() {
    const PROGRAMS: [&[Act]; 5] = [
        &[Access, Barrier, End],
        &[Barrier, Access, End],
        &[Barrier, End],
        &[Access, Barrier, Access, Barrier, End],
        &[Barrier, Access, Barrier, End],
    ];
    let barriers = |program: &[Act]| program.iter().filter(|&&act| act == Barrier).count();
    let mut found = 0;
    for number in 0..PROGRAMS.len().pow(4) {
        let program = |place: u32| PROGRAMS[number / PROGRAMS.len().pow(place) % PROGRAMS.len()];
        let programs = [0, 1, 2, 3].map(program);
        let fits = |warp: usize| barriers(programs[warp]) == barriers(programs[warp ^ 1]);
        if !fits(0) || !fits(2) {
            continue;
        }
        assert_eq!(
            deadlock(Model::default(), &programs).0,
            None,
            "{programs:?}"
        );
        let without = deadlock(Model::without_deadlock_rule(), &programs).0;
        found += usize::from(without.is_some());
    }
    assert!(found > 10, "{found} of them deadlock without the rule");
}

/// The RTL refuses the lock that would close the circle of Figure 5.
#[test]
fn since_w2_has_a_lock_w3_cannot_take_one() {
    // TB1 is CTA 0 with W1 = warp 0 and W2 = warp 1, TB2 is CTA 1 with W3 = warp 10 and W4 = warp 11.
    let mut unit = Both::with(10, &[(0, 1)]);
    assert!(unit.lock(1));
    assert!(!unit.lock(10), "though its lock is free");
    assert!(unit.lock(0), "W1 arrives at the barrier, and W2 goes on");
    unit.end_warp(0);
    unit.end_warp(1);
    assert!(unit.lock(10) && unit.lock(11));
}
