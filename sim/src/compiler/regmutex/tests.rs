//! Hand-made kernels: the paper's example, divergence, loops, barriers.

use super::checker::{CheckError, check};
use super::*;
use crate::kernel::op::{BarKind, Cmp, Mem, Space, Ty};
use crate::kernel::{Block, BlockId, Guard, Line, Pred};

pub(super) fn inst(op: Op, dsts: &[Dst], srcs: &[Operand]) -> Inst {
    Inst {
        guard: None,
        op,
        dsts: dsts.iter().copied().collect(),
        srcs: srcs.iter().copied().collect(),
        line: Line(1),
    }
}

pub(super) fn r(index: u16) -> Operand {
    Operand::Reg(Reg::r32(index))
}

/// A constant into a register.
pub(super) fn set(to: u16) -> Inst {
    let op = Op::Mov(Ty::U32);
    inst(
        op,
        &[Dst::Reg(Reg::r32(to))],
        &[Operand::Imm(u64::from(to) + 100)],
    )
}

/// `to = a + b`
pub(super) fn add(to: u16, a: u16, b: u16) -> Inst {
    let op = Op::Add {
        ty: Ty::U32,
        sat: false,
    };
    inst(op, &[Dst::Reg(Reg::r32(to))], &[r(a), r(b)])
}

/// Stores `value` (reads it).
pub(super) fn store(value: u16) -> Inst {
    let mem = Mem {
        space: Space::Shared,
        ty: Ty::U32,
        vec: 1,
        offset: i64::from(value) * 4,
        strong: false,
    };
    inst(Op::St(mem), &[], &[Operand::Imm(0), r(value)])
}

/// Stores four values at once.
pub(super) fn store_four(values: [u16; 4]) -> Inst {
    let mut inst = store(values[0]);
    if let Op::St(mem) = &mut inst.op {
        mem.vec = 4;
    }
    inst.srcs.extend(values[1..].iter().map(|value| r(*value)));
    inst
}

pub(super) fn set_pred(pred: u16, a: u16) -> Inst {
    let op = Op::Setp {
        cmp: Cmp::Lt,
        ty: Ty::U32,
        ftz: false,
        combine: None,
    };
    inst(op, &[Dst::Pred(Pred(pred))], &[r(a), Operand::Imm(5)])
}

pub(super) fn branch(to: u32, guard: Option<u16>) -> Inst {
    let mut inst = inst(Op::Bra(BlockId(to)), &[], &[]);
    inst.guard = guard.map(|pred| Guard {
        pred: Pred(pred),
        negated: false,
    });
    inst
}

pub(super) fn exit() -> Inst {
    inst(Op::Exit, &[], &[])
}

pub(super) fn barrier() -> Inst {
    inst(Op::Bar(BarKind::Sync), &[], &[Operand::Imm(0)])
}

pub(super) fn kernel(blocks: Vec<Vec<Inst>>) -> Kernel {
    let mut kernel = Kernel {
        name: "test".to_owned(),
        params: Vec::new(),
        globals: Vec::new(),
        shared_bytes: 1024,
        local_bytes: 0,
        regs: RegSpace::Architected { regs: 0, preds: 4 },
        blocks: Vec::new(),
        rounds: Vec::new(),
    };
    for (b, insts) in blocks.into_iter().enumerate() {
        let label = format!("B{b}");
        kernel.blocks.push(Block { label, insts });
    }
    let insts = kernel.blocks.iter().flat_map(|b| &b.insts);
    let named = insts.flat_map(|i| i.src_regs().chain(i.dst_regs()));
    let regs = named.map(|r| r.index + r.width.regs()).max().unwrap_or(0);
    kernel.regs = RegSpace::Architected { regs, preds: 4 };
    kernel
}

fn proved(kernel: &Kernel, bs: u16, es: u16) -> Rewritten {
    let rewritten = rewrite(kernel, bs, es, Repeats::Allowed).unwrap();
    check(kernel, &rewritten, bs, Repeats::Allowed).unwrap();
    let strict = rewrite(kernel, bs, es, Repeats::Never).unwrap();
    check(kernel, &strict, bs, Repeats::Never).unwrap();
    rewritten
}

/// |Bs| = 6; 0 to 5 are live before the region, 0 to 9 inside, and {2, 4, 5, 9} at its end (III-A4).
fn compaction_example() -> Kernel {
    let mut insts: Vec<Inst> = (0..10).map(set).collect();
    insts.extend([0, 1, 3].map(store));
    insts.push(store_four([6, 7, 8, 2]));
    insts.push(barrier());
    insts.extend([2, 4, 5, 9].map(store));
    insts.push(exit());
    kernel(vec![insts])
}

#[test]
fn paper_example_moves_register_9_to_0_1_or_3() {
    let rewritten = proved(&compaction_example(), 6, 4);
    assert_eq!(
        (rewritten.acquires, rewritten.releases, rewritten.moves),
        (1, 1, 1)
    );
    let insts = &rewritten.kernel.blocks[0].insts;
    let at = insts.iter().position(|i| i.op == Op::Release).unwrap();
    let moved = &insts[at - 1];
    assert_eq!(moved.op, Op::Mov(Ty::B32));
    assert_eq!(moved.srcs[0], r(9));
    let Dst::Reg(to) = moved.dsts[0] else {
        panic!("no register");
    };
    assert!([0, 1, 3].contains(&to.index), "moved to r{}", to.index);
    // Later uses are renamed, the others stay.
    let stores: Vec<_> = insts[at..].iter().filter_map(|i| i.srcs.get(1)).collect();
    assert_eq!(stores, [&r(2), &r(4), &r(5), &Operand::Reg(to)]);
}

#[test]
fn set_is_acquired_right_before_the_seventh_value_is_written() {
    let rewritten = proved(&compaction_example(), 6, 4);
    let insts = &rewritten.kernel.blocks[0].insts;
    let at = insts.iter().position(|i| i.op == Op::Acquire).unwrap();
    assert_eq!(rewritten.origin[0][at + 1], Some(6));
}

#[test]
fn pair_is_moved_by_one_64_bit_mov_to_an_aligned_place() {
    let wide = Reg::r64(8);
    let mut insts: Vec<Inst> = (0..8).map(set).collect();
    insts.push(inst(
        Op::Mov(Ty::U64),
        &[Dst::Reg(wide)],
        &[Operand::Imm(7)],
    ));
    insts.extend([0, 1, 3, 5, 6, 7].map(store));
    insts.push(barrier());
    insts.extend([2, 4].map(store));
    let mut last = store(0);
    last.srcs[1] = Operand::Reg(wide);
    insts.extend([last, exit()]);
    let rewritten = proved(&kernel(vec![insts]), 6, 4);
    let moved: Vec<_> = (rewritten.kernel.blocks[0].insts.iter())
        .filter(|i| i.op == Op::Mov(Ty::B64))
        .collect();
    assert_eq!(moved.len(), 1);
    let Dst::Reg(to) = moved[0].dsts[0] else {
        panic!("no register");
    };
    assert!(to.index % 2 == 0 && to.index < 6);
}

/// 0..=3 are live throughout; the taken side needs `extra` more.
fn diamond(extra: u16) -> Kernel {
    let mut entry: Vec<Inst> = (0..4).map(set).collect();
    entry.extend([set_pred(0, 0), branch(2, Some(0))]);
    let mut fall: Vec<Inst> = (4..4 + extra).map(set).collect();
    fall.extend((4..4 + extra).map(store));
    fall.push(branch(3, None));
    let taken = vec![add(0, 0, 1)];
    let mut join: Vec<Inst> = (0..4).map(store).collect();
    join.push(exit());
    kernel(vec![entry, fall, taken, join])
}

#[test]
fn set_acquired_on_one_side_is_free_again_on_the_other() {
    let rewritten = proved(&diamond(6), 6, 4);
    assert_eq!(rewritten.acquires, 1);
    assert!(rewritten.releases >= 1);
}

#[test]
fn kernel_below_the_base_set_gets_no_instruction() {
    let original = diamond(2);
    let rewritten = proved(&original, 6, 4);
    assert_eq!(rewritten.kernel.blocks, original.blocks);
}

/// A loop whose whole body needs the set, entered from a block that does not.
fn hot_loop() -> Kernel {
    let mut entry: Vec<Inst> = (0..4).map(set).collect();
    entry.extend([barrier(), branch(1, None)]);
    let mut body: Vec<Inst> = (4..9).map(|to| add(to, 0, 1)).collect();
    body.extend((4..9).map(|from| add(0, 0, from)));
    body.extend([set_pred(0, 0), branch(1, Some(0))]);
    let mut last: Vec<Inst> = (0..4).map(store).collect();
    last.push(exit());
    kernel(vec![entry, body, last])
}

#[test]
fn loop_that_needs_less_at_its_ends_acquires_inside() {
    let rewritten = proved(&hot_loop(), 6, 4);
    assert_eq!((rewritten.acquires, rewritten.releases), (1, 1));
}

#[test]
fn loop_that_always_needs_the_set_acquires_before_it() {
    // Four values are live at every point of the body.
    let mut original = hot_loop();
    original.blocks[0]
        .insts
        .retain(|i| i.op != Op::Bar(BarKind::Sync));
    let rewritten = proved(&original, 3, 6);
    let has = |b: usize| {
        rewritten.kernel.blocks[b]
            .insts
            .iter()
            .any(|i| i.op == Op::Acquire)
    };
    assert!(has(0) && !has(1));
}

#[test]
fn barrier_with_more_live_registers_than_the_base_set_is_refused() {
    let error = rewrite(&hot_loop(), 3, 6, Repeats::Allowed).unwrap_err();
    assert_eq!(error, RewriteError::LiveAtBarrier { live: 4, bs: 3 });
}

/// Applies `corrupt` to the rewritten paper example and returns what the checker says.
fn corrupted(corrupt: impl Fn(&mut Rewritten)) -> CheckError {
    let original = compaction_example();
    let mut rewritten = proved(&original, 6, 4);
    corrupt(&mut rewritten);
    check(&original, &rewritten, 6, Repeats::Allowed).unwrap_err()
}

fn remove(rewritten: &mut Rewritten, wanted: impl Fn(&Inst) -> bool) {
    let at = (rewritten.kernel.blocks[0]
        .insts
        .iter()
        .zip(&rewritten.origin[0]))
    .position(|(inst, from)| from.is_none() && wanted(inst))
    .unwrap();
    rewritten.kernel.blocks[0].insts.remove(at);
    rewritten.origin[0].remove(at);
}

use super::checker::Violation;

#[test]
fn dropped_mov_is_caught() {
    let error = corrupted(|k| remove(k, |i| matches!(i.op, Op::Mov(_))));
    assert!(
        matches!(error.violation, Violation::WrongValue { original: 9, .. }),
        "{error}"
    );
}

#[test]
fn dropped_acquire_is_caught() {
    let error = corrupted(|k| remove(k, |i| i.op == Op::Acquire));
    assert!(
        matches!(error.violation, Violation::NotHeld { .. }),
        "{error}"
    );
}

#[test]
fn dropped_release_is_caught_at_the_barrier() {
    let error = corrupted(|k| remove(k, |i| i.op == Op::Release));
    assert_eq!(error.violation, Violation::HeldAtBarrier);
}

#[test]
fn release_moved_up_is_caught() {
    let error = corrupted(|k| {
        let at = k.kernel.blocks[0]
            .insts
            .iter()
            .position(|i| i.op == Op::Release)
            .unwrap();
        k.kernel.blocks[0].insts.swap(at, at - 1);
        k.origin[0].swap(at, at - 1);
    });
    assert!(
        matches!(error.violation, Violation::NotHeld { .. }),
        "{error}"
    );
}

#[test]
fn wrong_rename_is_caught() {
    let error = corrupted(|k| {
        let last = k.kernel.blocks[0].insts.len() - 2;
        k.kernel.blocks[0].insts[last].srcs[1] = r(5);
    });
    assert!(
        matches!(error.violation, Violation::WrongValue { place: 5, .. }),
        "{error}"
    );
}

#[test]
fn dropped_original_instruction_is_caught() {
    let error = corrupted(|k| {
        k.kernel.blocks[0].insts.remove(0);
        k.origin[0].remove(0);
    });
    assert!(matches!(error.violation, Violation::Shape(_)), "{error}");
}

#[test]
fn changed_constant_is_caught() {
    let error = corrupted(|k| k.kernel.blocks[0].insts[0].srcs[0] = Operand::Imm(1));
    assert!(matches!(error.violation, Violation::Shape(_)), "{error}");
}

/// The value of r4 is needed by lanes that wait for the fall-through side.
fn waiting_value() -> Kernel {
    let mut entry: Vec<Inst> = (0..6).map(set).collect();
    entry.extend([set_pred(0, 0), branch(2, Some(0))]);
    let fall = vec![store(4), branch(3, None)];
    let taken = vec![store(0), store(1), store(2), store(3)];
    let join = vec![store(5), exit()];
    kernel(vec![entry, fall, taken, join])
}

#[test]
fn release_on_one_side_that_costs_the_waiting_lanes_a_value_is_caught() {
    let original = waiting_value();
    let mut rewritten = Rewritten {
        kernel: original.clone(),
        origin: (original.blocks.iter())
            .map(|b| (0..b.insts.len()).map(Some).collect())
            .collect(),
        acquires: 0,
        releases: 0,
        moves: 0,
    };
    let mut put = |block: usize, at: usize, op: Op| {
        rewritten.kernel.blocks[block]
            .insts
            .insert(at, inst(op, &[], &[]));
        rewritten.origin[block].insert(at, None);
    };
    // r4 and r5 are extended. Along every path of the graph the set is held when they are read; but when the
    // taken side runs first, its release takes r4 from the lanes that wait.
    put(0, 0, Op::Acquire);
    put(2, 4, Op::Release);
    put(1, 0, Op::Acquire);
    put(3, 0, Op::Acquire);
    put(3, 2, Op::Release);
    let error = check(&original, &rewritten, 4, Repeats::Allowed).unwrap_err();
    let lost = Violation::WrongValue {
        original: 4,
        place: 4,
    };
    assert_eq!(error.violation, lost);
}

#[test]
fn waiting_lanes_keep_their_values() {
    proved(&waiting_value(), 6, 2);
    for bs in [2, 4] {
        proved(&waiting_value(), bs, 8 - bs);
    }
}
