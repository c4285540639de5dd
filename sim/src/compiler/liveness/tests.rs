use super::*;
use crate::kernel::op::{BarKind, Ty};
use crate::kernel::{Dst, Guard, Inst, Operand, Reg, Special, Width};
use crate::testing::emit::{Builder, inst};

const P: Pred = Pred(0);

fn write(r: u16) -> Inst {
    inst(
        Op::Mov(Ty::B32),
        &[Dst::Reg(Reg::r32(r))],
        &[Operand::Imm(1)],
    )
}

/// Reads a register; writes the sink, register 9.
fn read(r: u16) -> Inst {
    let dst = Dst::Reg(Reg::r32(9));
    inst(Op::Mov(Ty::B32), &[dst], &[Operand::Reg(Reg::r32(r))])
}

fn write_pred(source: Operand) -> Inst {
    inst(Op::Mov(Ty::Pred), &[Dst::Pred(P)], &[source])
}

fn goto(block: u32, guarded: bool) -> Inst {
    let mut branch = inst(Op::Bra(BlockId(block)), &[], &[]);
    branch.guard = guarded.then_some(Guard {
        pred: P,
        negated: false,
    });
    branch
}

fn kernel(blocks: &[&[Inst]]) -> (Kernel, Cfg) {
    let mut builder = Builder::new();
    (0..10).for_each(|_| {
        builder.reg(Width::W32);
    });
    builder.pred();
    for (b, insts) in blocks.iter().enumerate() {
        if b > 0 {
            builder.start_block();
        }
        insts.iter().for_each(|i| builder.push(i.clone()));
    }
    let kernel = builder.finish("test".into(), 0, 0);
    let cfg = Cfg::new(&kernel).unwrap();
    (kernel, cfg)
}

fn warp(blocks: &[&[Inst]]) -> Liveness {
    let (kernel, cfg) = kernel(blocks);
    Liveness::warp_wide(&kernel, &cfg, WarpOptions::default())
}

fn live(liveness: &Liveness, block: u32, inst: usize, reg: u16) -> bool {
    liveness.is_reg_live_before(BlockId(block), inst, reg)
}

/// Figure 3: 0 branches to s2 (2) or falls into s1 (1); both meet in 3. R3 is written before and read in s2 only; R2
/// is written in s2 and read in 3; R1 lives and dies inside s1.
fn figure_3() -> Liveness {
    let varying = write_pred(Operand::Special(Special::LaneId));
    warp(&[
        &[varying, write(3), goto(2, true)],
        &[write(1), read(1), goto(3, false)],
        &[read(3), write(2)],
        &[read(2), inst(Op::Exit, &[], &[])],
    ])
}

#[test]
fn register_read_on_one_side_is_live_on_the_other_until_the_sides_meet() {
    let liveness = figure_3();
    assert!((0..3).all(|i| live(&liveness, 1, i, 3)));
    assert!((0..2).all(|i| live(&liveness, 2, i, 3)));
    assert!(!live(&liveness, 3, 0, 3));
}

#[test]
fn register_written_on_one_side_and_read_behind_is_live_on_the_other() {
    let liveness = figure_3();
    assert!((0..3).all(|i| live(&liveness, 1, i, 2)));
    assert!(live(&liveness, 3, 0, 2) && !live(&liveness, 3, 1, 2));
}

#[test]
fn register_of_one_side_alone_is_not_live_on_the_other() {
    let liveness = figure_3();
    assert!(live(&liveness, 1, 1, 1) && !live(&liveness, 1, 2, 1));
    assert!(!live(&liveness, 2, 0, 1));
}

#[test]
fn value_of_lanes_that_left_a_loop_stays_live_while_others_iterate() {
    // Register 4 is rewritten by every iteration before its exit test and read behind the loop.
    let liveness = warp(&[
        &[write(5)],
        &[read(5), write(4), goto(1, true)],
        &[read(4), inst(Op::Exit, &[], &[])],
    ]);
    assert!(live(&liveness, 1, 0, 4) && live(&liveness, 1, 1, 4));
}

#[test]
fn guarded_write_does_not_end_a_live_range() {
    let mut guarded = write(1);
    guarded.guard = Some(Guard {
        pred: P,
        negated: false,
    });
    let (kernel, cfg) = kernel(&[&[write(1), guarded, read(1)]]);
    let liveness = Liveness::per_thread(&kernel, &cfg);
    assert!(live(&liveness, 0, 1, 1));
    assert!(!live(&liveness, 0, 0, 1), "nothing has written it yet");
}

#[test]
fn uniform_branch_parts_no_lanes_when_its_proof_is_asked_for() {
    let compare = |source| {
        let op = Op::Isspacep(crate::kernel::op::Space::Global);
        inst(op, &[Dst::Pred(P)], &[source])
    };
    for (source, same_for_all) in [
        (Operand::Special(Special::Ctaid(0)), true),
        (Operand::Special(Special::Tid(0)), false),
    ] {
        let (kernel, cfg) = kernel(&[
            &[compare(source), write(3), goto(2, true)],
            &[write(1), read(1), goto(3, false)],
            &[read(3)],
            &[read(9)],
        ]);
        let prove = |prove_uniform| {
            let options = WarpOptions { prove_uniform };
            live(&Liveness::warp_wide(&kernel, &cfg, options), 1, 0, 3)
        };
        assert!(prove(false));
        assert_eq!(prove(true), !same_for_all);
    }
}

#[test]
fn value_written_where_lanes_are_parted_is_not_uniform() {
    let by = |source| inst(Op::Mov(Ty::B32), &[Dst::Reg(Reg::r32(1))], &[source]);
    let test = |source| {
        inst(
            Op::Testp(Ty::F32, crate::kernel::op::TestProp::Finite),
            &[Dst::Pred(P)],
            &[source],
        )
    };
    let (kernel, cfg) = kernel(&[
        &[
            by(Operand::Imm(0)),
            test(Operand::Special(Special::Tid(0))),
            goto(2, true),
        ],
        &[by(Operand::Imm(1))],
        &[test(Operand::Reg(Reg::r32(1))), goto(4, true)],
        &[read(1)],
        &[inst(Op::Exit, &[], &[])],
    ]);
    assert!(uniform::uniform_branches(&kernel, &cfg).is_clear());
}

#[test]
fn wide_value_counts_as_two_registers_and_a_dead_result_as_needed() {
    let wide = Reg::r64(0);
    let (kernel, cfg) = kernel(&[&[
        inst(Op::Mov(Ty::B64), &[Dst::Reg(wide)], &[Operand::Imm(0)]),
        write(1),
        inst(
            Op::Mov(Ty::B64),
            &[Dst::Reg(Reg::r64(2))],
            &[Operand::Reg(wide)],
        ),
    ]]);
    let liveness = Liveness::per_thread(&kernel, &cfg);
    let needed: Vec<usize> = (0..3)
        .map(|i| liveness.regs_needed(BlockId(0), i))
        .collect();
    assert_eq!(needed, [2, 3, 2]);
    assert_eq!(liveness.max_live_regs(), 3);
}

#[test]
fn barrier_reports_what_is_live_across_it() {
    let barrier = inst(Op::Bar(BarKind::Sync), &[], &[Operand::Imm(0)]);
    let (kernel, cfg) = kernel(&[&[write(1), write(2), barrier, read(1), read(2)]]);
    let at = Point {
        block: BlockId(0),
        inst: 2,
    };
    let liveness = Liveness::per_thread(&kernel, &cfg);
    assert_eq!(liveness.live_at_barriers(), [(at, 2)]);
}
