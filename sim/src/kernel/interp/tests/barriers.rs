use super::super::InterpError;
use super::{mem, prologue, run_on, store_word};
use crate::kernel::build::{KernelBuilder, imm};
use crate::kernel::op::{BarKind, BlockId, Cmp, Op, Space, Ty};
use crate::kernel::{Operand, Pred, Reg, Special};

fn sync(k: &mut KernelBuilder) {
    k.effect(Op::Bar(BarKind::Sync), [imm(0)]);
}

/// p0 = (tid.x cmp b); uses r6.
fn setp_tid(k: &mut KernelBuilder, cmp: Cmp, b: u64) {
    k.op(Op::Mov(Ty::U32), [Reg::r32(6)], [Special::Tid(0)]);
    let setp = Op::Setp {
        cmp,
        ty: Ty::U32,
        ftz: false,
        combine: None,
    };
    let srcs: [Operand; 2] = [Reg::r32(6).into(), imm(b)];
    k.op(setp, [Pred(0)], srcs);
}

#[test]
fn a_barrier_makes_the_stores_of_all_warps_visible() {
    // Each thread stores its number to scratchpad and reads that of the thread at the other end.
    let mut k = KernelBuilder::architected("reverse", 8, 1);
    k.shared(4 * 96);
    prologue(&mut k);
    k.op(Op::Mov(Ty::U32), [Reg::r32(4)], [Special::Tid(0)]);
    let srcs: [Operand; 2] = [Reg::r32(4).into(), imm(2)];
    k.op(Op::Shl(Ty::B32), [Reg::r32(5)], srcs);
    k.effect(
        Op::St(mem(Space::Shared, Ty::U32)),
        [Reg::r32(5), Reg::r32(0)],
    );
    sync(&mut k);
    let sub = Op::Sub {
        ty: Ty::U32,
        sat: false,
    };
    let srcs: [Operand; 2] = [imm(4 * 95), Reg::r32(5).into()];
    k.op(sub, [Reg::r32(5)], srcs);
    k.op(
        Op::Ld(mem(Space::Shared, Ty::U32)),
        [Reg::r32(4)],
        [Reg::r32(5)],
    );
    store_word(&mut k, Reg::r32(4));
    k.exit();
    let run = run_on(&k.finish().unwrap(), 2, 96, 192, 0);
    let expected: Vec<u32> = (0..96).rev().chain((96..192).rev()).collect();
    assert_eq!(run.words(192), expected);
}

#[test]
fn a_barrier_reduction_counts_over_all_warps() {
    let mut k = KernelBuilder::architected("popc", 8, 1);
    prologue(&mut k);
    setp_tid(&mut k, Cmp::Lt, 37);
    let srcs: [Operand; 2] = [imm(1), Pred(0).into()];
    k.op(Op::Bar(BarKind::RedPopc), [Reg::r32(4)], srcs);
    store_word(&mut k, Reg::r32(4));
    k.exit();
    let run = run_on(&k.finish().unwrap(), 1, 80, 80, 0);
    assert_eq!(run.words(80), vec![37; 80]);
}

#[test]
fn warps_that_have_ended_are_not_waited_for() {
    let mut k = KernelBuilder::architected("ended", 8, 1);
    prologue(&mut k);
    setp_tid(&mut k, Cmp::Ge, 32);
    k.guard(Pred(0), false).plain(Op::Exit);
    sync(&mut k);
    k.op(Op::Mov(Ty::U32), [Reg::r32(4)], [imm(5)]);
    store_word(&mut k, Reg::r32(4));
    k.exit();
    let run = run_on(&k.finish().unwrap(), 1, 64, 64, 0);
    assert_eq!(run.words(64)[30..34], [5, 5, 0, 0]);
}

#[test]
fn warps_at_different_barriers_are_reported_as_a_hang_with_who_waits() {
    let mut k = KernelBuilder::architected("hang", 8, 1);
    k.param("out", Ty::U64);
    setp_tid(&mut k, Cmp::Ge, 32);
    k.guard(Pred(0), false).plain(Op::Bra(BlockId(2)));
    k.block("first");
    sync(&mut k);
    k.exit();
    k.block("second");
    k.effect(Op::Bar(BarKind::Sync), [imm(3)]);
    k.exit();
    let run = run_on(&k.finish().unwrap(), 1, 64, 1, 0);
    let Err(InterpError::Hang { waiting }) = run.result else {
        panic!("{:?}", run.result);
    };
    let who: Vec<_> = waiting
        .iter()
        .map(|w| (w.place.warp, w.place.block.as_str(), w.barrier))
        .collect();
    assert_eq!(who, [(0, "first", 0), (1, "second", 3)]);
}

#[test]
fn an_arrival_does_not_wait_and_releases_those_who_do() {
    // Warp 1 stores, arrives and ends; warp 0 waits for 64 threads before it loads.
    let mut k = KernelBuilder::architected("arrive", 8, 1);
    k.shared(16);
    prologue(&mut k);
    setp_tid(&mut k, Cmp::Ge, 32);
    k.guard(Pred(0), false).plain(Op::Bra(BlockId(2)));
    k.block("consumer");
    k.effect(Op::Bar(BarKind::Sync), [imm(2), imm(64)]);
    k.op(Op::Ld(mem(Space::Shared, Ty::U32)), [Reg::r32(4)], [imm(8)]);
    store_word(&mut k, Reg::r32(4));
    k.exit();
    k.block("producer");
    k.effect(Op::St(mem(Space::Shared, Ty::U32)), [imm(8), imm(77)]);
    k.effect(Op::Bar(BarKind::Arrive), [imm(2), imm(64)]);
    k.exit();
    let run = run_on(&k.finish().unwrap(), 1, 64, 64, 0);
    assert_eq!(run.words(64)[31..33], [77, 0]);
}
