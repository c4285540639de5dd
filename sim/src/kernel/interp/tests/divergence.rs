use super::super::simt::SimtStack;
use crate::kernel::BlockId;

#[test]
fn lanes_that_part_meet_at_the_meeting_point() {
    let mut stack = SimtStack::new(0xF);
    stack.part(0x3, BlockId(2), BlockId(1), Some(BlockId(3)));
    assert_eq!(stack.top().map(|(p, l)| (p.block.0, l)), Some((2, 0x3)));
    stack.jump(BlockId(3));
    assert_eq!(stack.top().map(|(p, l)| (p.block.0, l)), Some((1, 0xC)));
    stack.jump(BlockId(3));
    assert_eq!(stack.top().map(|(p, l)| (p.block.0, l)), Some((3, 0xF)));
}

#[test]
fn a_loop_that_lanes_leave_one_by_one_keeps_the_stack_flat() {
    let mut stack = SimtStack::new(u32::MAX);
    let mut lanes = u32::MAX;
    for lane in 0..31 {
        // Block 1 loops to itself; one more lane falls through to block 2 each time.
        lanes &= !(1 << lane);
        stack.part(lanes, BlockId(1), BlockId(2), Some(BlockId(2)));
        assert!(stack.depth() <= 2, "{}", stack.depth());
    }
    stack.jump(BlockId(2));
    assert_eq!(
        stack.top().map(|(p, l)| (p.block.0, l)),
        Some((2, u32::MAX))
    );
}

use super::{prologue, run_on, store_word};
use crate::kernel::build::{KernelBuilder, imm};
use crate::kernel::op::{Cmp, Op, Ty};
use crate::kernel::{Kernel, Operand, Pred, Reg};

fn setp(k: &mut KernelBuilder, p: u16, cmp: Cmp, a: Reg, b: u64) {
    let setp = Op::Setp {
        cmp,
        ty: Ty::U32,
        ftz: false,
        combine: None,
    };
    let srcs: [Operand; 2] = [a.into(), imm(b)];
    k.op(setp, [Pred(p)], srcs);
}

fn add_imm(k: &mut KernelBuilder, d: Reg, a: Reg, b: u64) {
    let add = Op::Add {
        ty: Ty::U32,
        sat: false,
    };
    let srcs: [Operand; 2] = [a.into(), imm(b)];
    k.op(add, [d], srcs);
}

/// Thread t stores 3t + 1 halved and so on: the number of Collatz steps from t + 1 to 1.
fn collatz() -> Kernel {
    let mut k = KernelBuilder::architected("collatz", 8, 2);
    prologue(&mut k);
    add_imm(&mut k, Reg::r32(4), Reg::r32(0), 1);
    k.op(Op::Mov(Ty::U32), [Reg::r32(5)], [imm(0)]);
    let head = k.block("head");
    setp(&mut k, 0, Cmp::Eq, Reg::r32(4), 1);
    k.guard(Pred(0), false).plain(Op::Bra(BlockId(5)));
    k.block("step");
    add_imm(&mut k, Reg::r32(5), Reg::r32(5), 1);
    let srcs: [Operand; 2] = [Reg::r32(4).into(), imm(1)];
    k.op(Op::And(Ty::B32), [Reg::r32(6)], srcs);
    setp(&mut k, 1, Cmp::Ne, Reg::r32(6), 0);
    k.guard(Pred(1), false).plain(Op::Bra(BlockId(4)));
    k.block("even");
    let srcs: [Operand; 2] = [Reg::r32(4).into(), imm(1)];
    k.op(Op::Shr(Ty::U32), [Reg::r32(4)], srcs);
    k.plain(Op::Bra(head));
    k.block("odd");
    let srcs: [Operand; 3] = [Reg::r32(4).into(), imm(3), imm(1)];
    let mad = Op::Mad {
        ty: Ty::U32,
        part: crate::kernel::op::Part::Lo,
        sat: false,
    };
    k.op(mad, [Reg::r32(4)], srcs);
    k.plain(Op::Bra(head));
    k.block("end");
    store_word(&mut k, Reg::r32(5));
    k.exit();
    k.finish().unwrap()
}

#[test]
fn every_lane_takes_its_own_way_through_a_loop() {
    let expected: Vec<u32> = (1..=150_u64)
        .map(|start| {
            let mut n = start;
            let mut steps = 0;
            while n != 1 {
                n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                steps += 1;
            }
            steps
        })
        .collect();
    assert_eq!(run_on(&collatz(), 3, 50, 150, 0).words(150), expected);
}

#[test]
fn lanes_that_exit_early_do_nothing_more() {
    let mut k = KernelBuilder::architected("early", 6, 1);
    prologue(&mut k);
    setp(&mut k, 0, Cmp::Ge, Reg::r32(0), 10);
    k.guard(Pred(0), false).plain(Op::Exit);
    add_imm(&mut k, Reg::r32(4), Reg::r32(0), 100);
    store_word(&mut k, Reg::r32(4));
    k.exit();
    let run = run_on(&k.finish().unwrap(), 1, 64, 64, 0);
    let words = run.words(64);
    assert_eq!(
        words[..11],
        [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 0]
    );
    assert!(words[10..].iter().all(|&w| w == 0));
}

#[test]
fn guarded_off_instructions_change_nothing() {
    let mut k = KernelBuilder::architected("guard", 6, 1);
    prologue(&mut k);
    k.op(Op::Mov(Ty::U32), [Reg::r32(4)], [imm(7)]);
    setp(&mut k, 0, Cmp::Lt, Reg::r32(0), 3);
    k.guard(Pred(0), true);
    k.op(Op::Mov(Ty::U32), [Reg::r32(4)], [imm(9)]);
    store_word(&mut k, Reg::r32(4));
    k.exit();
    let run = run_on(&k.finish().unwrap(), 1, 5, 5, 0);
    assert_eq!(run.words(5), [7, 7, 7, 9, 9]);
}

#[test]
fn an_endless_loop_is_stopped_by_the_step_limit() {
    let mut k = KernelBuilder::architected("endless", 6, 1);
    let entry = BlockId(0);
    k.param("out", Ty::U64);
    k.plain(Op::Bra(entry));
    let run = run_on(&k.finish().unwrap(), 1, 32, 1, 0);
    let text = run.result.unwrap_err().to_string();
    assert!(
        text.contains("stopped after 100000 warp instructions"),
        "{text}"
    );
}
