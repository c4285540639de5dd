use proptest::prelude::*;

use super::{Problem, verify};
use crate::kernel::op::{BlockId, Mem, Op, Space, Ty};
use crate::kernel::testing::kernels;
use crate::kernel::{Block, Dst, Guard, Inst, Kernel, Line, Operand, Pred, Reg, RegSpace, Special};

fn inst(op: Op, dsts: &[Dst], srcs: &[Operand]) -> Inst {
    Inst {
        guard: None,
        op,
        dsts: dsts.iter().copied().collect(),
        srcs: srcs.iter().copied().collect(),
        line: Line(7),
    }
}

fn exit() -> Inst {
    inst(Op::Exit, &[], &[])
}

fn kernel(regs: RegSpace, blocks: Vec<Vec<Inst>>) -> Kernel {
    let block = |(number, insts)| Block {
        label: format!("b{number}"),
        insts,
    };
    Kernel {
        name: "k".to_owned(),
        params: Vec::new(),
        globals: Vec::new(),
        shared_bytes: 0,
        local_bytes: 0,
        regs,
        blocks: blocks.into_iter().enumerate().map(block).collect(),
        rounds: Vec::new(),
    }
}

const ARCHITECTED: RegSpace = RegSpace::Architected { regs: 8, preds: 2 };
const VIRTUAL: RegSpace = RegSpace::Virtual { regs: 8, preds: 2 };

/// What is wrong with one instruction before `exit`.
fn problem(regs: RegSpace, first: Inst) -> Option<Problem> {
    let result = verify(&kernel(regs, vec![vec![first, exit()]]));
    result.err().map(|error| error.problem)
}

fn add(d: Reg, a: Reg, b: Reg) -> Inst {
    let op = Op::Add {
        ty: Ty::U32,
        sat: false,
    };
    inst(op, &[Dst::Reg(d)], &[a.into(), b.into()])
}

#[test]
fn an_error_names_kernel_block_instruction_and_line() {
    let wrong = add(Reg::r32(0), Reg::r32(1), Reg::r32(8));
    let error = verify(&kernel(ARCHITECTED, vec![vec![wrong, exit()]])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel `k`, block `b0`, instruction 0, line 7: register 8 is not below the 8 that are declared"
    );
}

#[test]
fn operands_have_the_width_of_the_operation() {
    let wrong = add(Reg::r32(0), Reg::r64(2), Reg::r32(1));
    assert_eq!(
        problem(ARCHITECTED, wrong),
        Some(Problem::Source { index: 0 })
    );
    let wrong = add(Reg::r64(0), Reg::r32(2), Reg::r32(1));
    assert_eq!(
        problem(ARCHITECTED, wrong),
        Some(Problem::Destination { index: 0 })
    );
    let mov = |src| inst(Op::Mov(Ty::U32), &[Dst::Reg(Reg::r32(0))], &[src]);
    assert_eq!(problem(VIRTUAL, mov(Operand::Imm(0xFFFF_FFFF))), None);
    let too_wide = Some(Problem::Source { index: 0 });
    assert_eq!(problem(VIRTUAL, mov(Operand::Imm(1 << 32))), too_wide);
    assert_eq!(problem(VIRTUAL, mov(Special::Clock64.into())), too_wide);
    assert_eq!(problem(VIRTUAL, mov(Special::Tid(3).into())), too_wide);
}

#[test]
fn operands_are_neither_missing_nor_superfluous() {
    let mut short = add(Reg::r32(0), Reg::r32(1), Reg::r32(2));
    short.srcs.pop();
    assert_eq!(problem(VIRTUAL, short), Some(Problem::Source { index: 1 }));
    let mut long = add(Reg::r32(0), Reg::r32(1), Reg::r32(2));
    long.srcs.push(Operand::Imm(0));
    assert_eq!(problem(VIRTUAL, long), Some(Problem::Source { index: 2 }));
    let mut long = add(Reg::r32(0), Reg::r32(1), Reg::r32(2));
    long.dsts.push(Dst::Pred(Pred(0)));
    assert_eq!(
        problem(VIRTUAL, long),
        Some(Problem::Destination { index: 1 })
    );
}

#[test]
fn pairs_are_aligned_and_inside_after_allocation_only() {
    let mov = |reg| inst(Op::Mov(Ty::U64), &[Dst::Reg(reg)], &[Operand::Imm(1)]);
    assert_eq!(
        problem(ARCHITECTED, mov(Reg::r64(3))),
        Some(Problem::UnalignedPair(3))
    );
    assert_eq!(problem(ARCHITECTED, mov(Reg::r64(6))), None);
    assert!(problem(ARCHITECTED, mov(Reg::r64(7))).is_some());
    assert_eq!(problem(VIRTUAL, mov(Reg::r64(7))), None);
}

#[test]
fn a_virtual_register_has_one_width() {
    let wide = inst(
        Op::Mov(Ty::U64),
        &[Dst::Reg(Reg::r64(1))],
        &[Operand::Imm(1)],
    );
    let narrow = add(Reg::r32(0), Reg::r32(1), Reg::r32(2));
    let error = verify(&kernel(VIRTUAL, vec![vec![wide, narrow, exit()]])).unwrap_err();
    assert_eq!(error.problem, Problem::TwoWidths(1));
}

#[test]
fn predicates_are_declared_also_in_guards() {
    let mut guarded = add(Reg::r32(0), Reg::r32(1), Reg::r32(2));
    guarded.guard = Some(Guard {
        pred: Pred(2),
        negated: false,
    });
    let expected = Problem::PredicateOutOfRange {
        pred: Pred(2),
        count: 2,
    };
    assert_eq!(problem(VIRTUAL, guarded), Some(expected));
}

#[test]
fn branches_end_blocks_and_lead_to_blocks() {
    let bra = |to| inst(Op::Bra(BlockId(to)), &[], &[]);
    assert_eq!(problem(VIRTUAL, bra(0)), Some(Problem::BranchInside));
    let outside = verify(&kernel(VIRTUAL, vec![vec![bra(1)]])).unwrap_err();
    assert_eq!(outside.problem, Problem::NoSuchBlock(1));
    assert_eq!(verify(&kernel(VIRTUAL, vec![vec![bra(0)]])), Ok(()));
}

#[test]
fn the_last_block_does_not_run_off_the_end() {
    let mut maybe = exit();
    maybe.guard = Some(Guard {
        pred: Pred(0),
        negated: true,
    });
    for blocks in [vec![vec![]], vec![vec![exit()], vec![]], vec![vec![maybe]]] {
        let error = verify(&kernel(VIRTUAL, blocks)).unwrap_err();
        assert_eq!(error.problem, Problem::FallsOffTheEnd);
    }
    let error = verify(&kernel(VIRTUAL, vec![])).unwrap_err();
    assert_eq!(error.problem, Problem::NoBlocks);
}

#[test]
fn acquire_and_release_take_no_guard() {
    for op in [Op::Acquire, Op::Release] {
        let mut guarded = inst(op, &[], &[]);
        assert_eq!(problem(ARCHITECTED, guarded.clone()), None);
        guarded.guard = Some(Guard {
            pred: Pred(0),
            negated: false,
        });
        assert_eq!(problem(ARCHITECTED, guarded), Some(Problem::GuardedAcquire));
    }
}

#[test]
fn operations_that_do_not_exist_are_refused() {
    let mem = |vec, space| Mem {
        space,
        ty: Ty::U64,
        vec,
        offset: 0,
        strong: false,
    };
    for op in [
        Op::Ld(mem(4, Space::Global)),
        Op::Ld(mem(3, Space::Global)),
        Op::St(mem(1, Space::Const)),
        Op::Isspacep(Space::Param),
        Op::Add {
            ty: Ty::F32,
            sat: false,
        },
    ] {
        let found = problem(VIRTUAL, inst(op, &[], &[]));
        assert!(matches!(found, Some(Problem::IllegalOp(_))), "{op:?}");
    }
}

#[test]
fn labels_are_unique_and_registers_at_most_255() {
    let mut twice = kernel(VIRTUAL, vec![vec![exit()], vec![exit()]]);
    twice.blocks[1].label = "b0".to_owned();
    assert_eq!(verify(&twice).unwrap_err().problem, Problem::DuplicateLabel);
    let many = RegSpace::Architected {
        regs: 256,
        preds: 0,
    };
    let error = verify(&kernel(many, vec![vec![exit()]])).unwrap_err();
    assert_eq!(error.problem, Problem::TooManyRegisters(256));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn generated_kernels_are_well_formed(kernel in kernels()) {
        prop_assert_eq!(verify(&kernel), Ok(()));
    }
}
