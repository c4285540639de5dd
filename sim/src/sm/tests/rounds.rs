//! Warps that go round for ever are found, and none that comes to an end.

use super::support::*;
use crate::kernel::Inst;
use crate::kernel::Special;
use crate::kernel::op::{AtomOp, Op, Space, Ty};
use crate::kernel::{Kernel, Line, Operand};
use crate::sm::error::RunError;
use crate::sm::hang::{Hang, WaitsFor};
use crate::sm::{RunOptions, RunResult, run};

/// `before`, then a loop of `body` while predicate 0 holds, then each thread stores register 6.
fn looping(before: &[Inst], body: &[Inst]) -> Kernel {
    let (mut first, mut body) = (prologue(), body.to_vec());
    first.extend_from_slice(before);
    body.push(when(0, false, bra(1)));
    kernel(vec![first, body, vec![put(6), exit()]])
}

fn limited(kernel: &Kernel, every_cycle: bool) -> Result<RunResult, RunError> {
    let options = RunOptions {
        cycle_limit: Some(3_000_000),
        every_cycle,
        ..RunOptions::default()
    };
    run(&plan(kernel, 64), &launch(2, 64), &gtx480(), &options)
}

/// What each warp did, and the lines of the rounds.
fn forever(kernel: &Kernel) -> (Hang, Vec<Vec<u32>>) {
    let mut found: Vec<_> = [false, true]
        .map(|every_cycle| match limited(kernel, every_cycle) {
            Err(RunError::WaitsForEver { state, rounds, .. }) => (*state, rounds),
            Err(error) => panic!("{error}"),
            Ok(result) => panic!("it has ended after {} cycles", result.cycles),
        })
        .into();
    assert_eq!(found[0], found[1], "with and without skipped cycles");
    let (state, rounds) = found.swap_remove(0);
    let lines = rounds.iter().map(|round| round.iter());
    (
        state,
        lines
            .map(|round| round.map(|&Line(line)| line).collect())
            .collect(),
    )
}

fn atomic(op: AtomOp, to: u16, address: Operand, value: Operand) -> Inst {
    let space = Space::Global;
    let op = Op::Atom {
        space,
        ty: Ty::U32,
        op,
        offset: 0,
    };
    inst(op, &[d(to)], &[address, value])
}

#[test]
fn a_loop_in_which_nothing_changes_is_found_with_its_lines() {
    let kernel = looping(
        &[mov(6, imm(1)), set_less(0, imm(0), r(6))],
        &[mov(7, imm(3)), add(8, r(7), r(7))],
    );
    let (state, rounds) = forever(&kernel);
    assert!(
        state
            .warps
            .iter()
            .all(|warp| warp.waits_for == WaitsFor::Loop)
    );
    assert_eq!(state.warps.len(), 4);
    assert_eq!(rounds, [[8, 9, 10]]);
}

/// A sum over several words, which begins anew in each round.
#[test]
fn a_wait_for_several_words_is_found() {
    let sum = [
        mov(6, imm(0)),
        load(Space::Global, 7, rr(0)),
        add(6, r(6), r(7)),
        load(Space::Shared, 7, imm(8)),
        add(6, r(6), r(7)),
        store(Space::Local, imm(4), r(6)),
        load(Space::Local, 8, imm(4)),
        set_less(0, r(8), imm(2)),
    ];
    let (state, rounds) = forever(&looping(&[], &sum));
    assert!(
        state
            .warps
            .iter()
            .all(|warp| warp.waits_for == WaitsFor::Memory)
    );
    assert_eq!(rounds, [(6..=14).collect::<Vec<u32>>()]);
}

/// What is stored is what was there; and an atomic that adds nothing.
#[test]
fn memory_that_is_written_with_what_it_holds_has_not_changed() {
    let body = |value| {
        [
            store(Space::Global, rr(4), imm(0)),
            store(Space::Shared, imm(0), imm(value)),
            atomic(AtomOp::Add, 6, rr(0), imm(0)),
            set_less(0, r(6), imm(1)),
        ]
    };
    forever(&looping(&[], &body(0)));
    // The other value is stored once.
    forever(&looping(&[], &body(9)));
}

/// How often it has gone round is stored only behind the loop.
#[test]
fn a_count_of_the_rounds_hides_no_wait() {
    let wait = [
        load(Space::Global, 7, rr(0)),
        add(6, r(6), imm(1)),
        set_less(1, r(6), imm(9)),
        set_less(0, r(7), imm(1)),
    ];
    let (state, rounds) = forever(&looping(&[mov(6, imm(0))], &wait));
    assert_eq!(state.warps.len(), 4);
    assert_eq!(rounds, [[7, 8, 9, 10, 11]]);
}

/// Each takes more than the two watches that it goes through.
#[test]
fn loops_that_count_or_look_at_the_clock_end() {
    let counted = [add(6, r(6), imm(1)), set_less(0, r(6), imm(20_000))];
    let in_memory = [
        load(Space::Local, 7, imm(0)),
        add(6, r(7), imm(1)),
        store(Space::Local, imm(0), r(6)),
        set_less(0, r(6), imm(6_000)),
    ];
    let clock = [
        mov(6, Operand::Special(Special::Clock)),
        set_less(0, r(6), imm(500_000)),
    ];
    let before = [mov(6, imm(0))];
    for (body, end) in [
        (&counted[..], 20_000..20_001),
        (&in_memory, 6_000..6_001),
        (&clock, 500_000..510_000),
    ] {
        let result = limited(&looping(&before, body), false).unwrap_or_else(|e| panic!("{e}"));
        assert!(result.cycles > 300_000, "{}", result.cycles);
        assert!(words(&result, 128).iter().all(|word| end.contains(word)));
    }
}

/// A counter that all add to, by atomics and by stores, is another in each round.
#[test]
fn what_changes_memory_is_left_to_the_limit() {
    let added = [
        atomic(AtomOp::Add, 6, rr(0), imm(1)),
        set_less(0, imm(0), imm(1)),
    ];
    let stored = [
        load(Space::Shared, 6, imm(0)),
        add(6, r(6), imm(1)),
        store(Space::Shared, imm(0), r(6)),
        set_less(0, imm(0), imm(1)),
    ];
    for body in [&added[..], &stored] {
        let outcome = limited(&looping(&[], body), false);
        let limit = matches!(outcome, Err(RunError::CycleLimit { .. }));
        assert!(limit, "{:?}", outcome.map(|result| result.cycles));
    }
}

/// One warp of each CTA goes round, the other waits for it at a barrier.
#[test]
fn who_waits_at_a_barrier_for_one_that_goes_round_is_named() {
    let warp = mov(6, Operand::Special(Special::Tid(0)));
    let mut kernel = looping(&[warp, set_less(0, r(6), imm(32))], &[mov(7, imm(0))]);
    let arrives = crate::kernel::op::BarKind::Sync;
    kernel.blocks[2]
        .insts
        .insert(0, inst(Op::Bar(arrives), &[], &[imm(0)]));
    let (state, _) = forever(&kernel);
    let counts = |wanted: fn(&WaitsFor) -> bool| {
        let warps = state.warps.iter();
        warps.filter(|warp| wanted(&warp.waits_for)).count()
    };
    assert_eq!(counts(|waits| *waits == WaitsFor::Loop), 2);
    assert_eq!(counts(|waits| matches!(waits, WaitsFor::Barrier { .. })), 2);
}
