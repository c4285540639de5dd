//! Random instructions and kernels for property tests.

use proptest::prelude::*;

use super::exec::{Kind, Slot, signature};
use super::op::*;
use super::{Block, Dst, Guard, Inst, Kernel, Line, Operand, Pred, Reg, RegSpace, Special, Width};
use crate::compiler::calls::FIRST_SAVED;

mod ops;

pub(crate) use ops::all_ops;

const SPECIALS: [Special; 19] = [
    Special::Tid(0),
    Special::Ntid(1),
    Special::Ctaid(2),
    Special::Nctaid(0),
    Special::LaneId,
    Special::WarpId,
    Special::NwarpId,
    Special::SmId,
    Special::NsmId,
    Special::GridId,
    Special::Clock,
    Special::Clock64,
    Special::LanemaskEq,
    Special::LanemaskLe,
    Special::LanemaskLt,
    Special::LanemaskGe,
    Special::LanemaskGt,
    Special::DynamicScratchpadBytes,
    Special::TotalScratchpadBytes,
];

/// Registers of generated instructions; architected, so that pairs are even.
const REGS: u16 = 64;
const PREDS: u16 = 7;

fn reg(width: Width, draw: u64) -> Reg {
    match width {
        Width::W32 => Reg::r32((draw % u64::from(REGS)) as u16),
        Width::W64 => Reg::r64((draw % u64::from(REGS / 2)) as u16 * 2),
    }
}

/// An interesting constant: small, negative, or anything.
fn bits(draw: u64) -> u64 {
    match draw % 4 {
        0 => draw >> 56,
        1 => (draw >> 52).wrapping_neg(),
        _ => draw,
    }
}

fn source(kind: Kind, choice: u64, draw: u64) -> Operand {
    match (kind, choice % 4) {
        (Kind::Pred, n) => Operand::Pred {
            pred: Pred((draw % u64::from(PREDS)) as u16),
            negated: n < 2,
        },
        (Kind::Address, 0) => Operand::Imm(bits(draw)),
        (Kind::Address, 1) => Operand::Reg(reg(Width::W32, draw)),
        (Kind::Address, _) => Operand::Reg(reg(Width::W64, draw)),
        (Kind::Reg(Width::W64), 0) => Operand::Imm(bits(draw)),
        (Kind::Reg(Width::W32), 0) => Operand::Imm(bits(draw) & 0xFFFF_FFFF),
        (Kind::Reg(Width::W32), 1) => {
            let special = SPECIALS[(draw % 19) as usize];
            Operand::Special(match special {
                Special::Clock64 => Special::Clock,
                other => other,
            })
        }
        (Kind::Reg(Width::W64), 1) => Operand::Special(Special::Clock64),
        (Kind::Reg(width), _) => Operand::Reg(reg(width, draw)),
    }
}

fn destination(kind: Kind, draw: u64) -> Dst {
    match kind {
        Kind::Pred => Dst::Pred(Pred((draw % u64::from(PREDS)) as u16)),
        Kind::Reg(width) => Dst::Reg(reg(width, draw)),
        Kind::Address if draw.is_multiple_of(2) => Dst::Reg(reg(Width::W32, draw >> 1)),
        Kind::Address => Dst::Reg(reg(Width::W64, draw >> 1)),
    }
}

/// An instruction of this operation whose operands are drawn from `random`, in any order.
pub(crate) fn inst_of(op: Op, random: &[u64; 16]) -> Inst {
    let signature = signature(&op).unwrap_or_default();
    let mut draws = random.iter().copied().cycle();
    let mut draw = || draws.next().unwrap_or(0);
    let mut present = |slot: &&Slot| !slot.optional || draw() % 2 == 0;
    let dsts: Vec<Slot> = signature
        .dsts
        .iter()
        .filter(&mut present)
        .copied()
        .collect();
    let srcs: Vec<Slot> = signature
        .srcs
        .iter()
        .filter(&mut present)
        .copied()
        .collect();
    let offset = draw() as i64 >> (draw() % 64);
    let op = match op {
        Op::Ld(mem) => Op::Ld(Mem { offset, ..mem }),
        Op::St(mem) => Op::St(Mem { offset, ..mem }),
        other => other,
    };
    let takes_guard = !matches!(
        op,
        Op::Push | Op::Pop | Op::Acquire | Op::Release | Op::Pir | Op::Pbr
    );
    let guard = draw();
    Inst {
        guard: (takes_guard && guard % 3 == 0).then_some(Guard {
            pred: Pred((guard % 7) as u16),
            negated: guard % 2 == 0,
        }),
        op,
        dsts: dsts.iter().map(|s| destination(s.kind, draw())).collect(),
        srcs: srcs
            .iter()
            .map(|s| match op {
                Op::Pir | Op::Pbr => Operand::Imm(draw()),
                _ => source(s.kind, draw(), draw()),
            })
            .collect(),
        line: Line((draw() % 1000) as u32),
    }
}

/// Takes pushes, pops and returns out, and gives a function that has as many, and the call of it, if there are any.
fn function_of(insts: &mut Vec<Inst>) -> Vec<Inst> {
    let count = |op: Op| insts.iter().filter(|inst| inst.op == op).count() as u16;
    let (pushes, pops, returns) = (count(Op::Push), count(Op::Pop), count(Op::Ret));
    insts.retain(|inst| !matches!(inst.op, Op::Push | Op::Pop | Op::Ret));
    if pushes + pops + returns == 0 {
        return Vec::new();
    }
    let plain = |op| Inst {
        guard: None,
        op,
        dsts: Default::default(),
        srcs: Default::default(),
        line: Line(0),
    };
    let reg = |number: u16| Reg::r32(FIRST_SAVED + number);
    let push = |number| Inst {
        srcs: [reg(number).into()].into_iter().collect(),
        ..plain(Op::Push)
    };
    let pop = |number| Inst {
        dsts: [reg(number).into()].into_iter().collect(),
        ..plain(Op::Pop)
    };
    let most = pushes.max(pops);
    let function = (0..most)
        .map(push)
        .chain((most - pops..most).rev().map(pop));
    let function = function.chain([plain(Op::Ret)]).collect();
    // The function will be the last block.
    insts.insert(0, plain(Op::Call(BlockId(0))));
    function
}

/// A legal kernel of these instructions: each branch ends its block, and leads to any block. Pushes, pops and returns are in a
/// function.
pub(crate) fn kernel_of(mut insts: Vec<Inst>) -> Kernel {
    let function = function_of(&mut insts);
    let block = |number: usize| Block {
        label: format!("L{number}"),
        insts: Vec::new(),
    };
    let mut blocks = vec![block(0)];
    for inst in insts {
        let ends = matches!(inst.op, Op::Bra(_));
        let number = blocks.len();
        if let Some(last) = blocks.last_mut() {
            last.insts.push(inst);
        }
        if ends {
            blocks.push(block(number));
        }
    }
    let count = blocks.len() as u32;
    for (number, block) in blocks.iter_mut().enumerate() {
        if let Some(last) = block.insts.last_mut()
            && let Op::Bra(target) = &mut last.op
        {
            target.0 = (number as u32).wrapping_mul(7) % count;
        }
    }
    if let Some(last) = blocks.last_mut() {
        last.insts.push(Inst {
            guard: None,
            op: Op::Exit,
            dsts: Default::default(),
            srcs: Default::default(),
            line: Line(0),
        });
    }
    if !function.is_empty() {
        blocks[0].insts[0].op = Op::Call(BlockId(count));
        blocks.push(Block {
            label: "function".to_owned(),
            insts: function,
        });
    }
    Kernel {
        name: "generated".to_owned(),
        params: Vec::new(),
        globals: Vec::new(),
        shared_bytes: 0,
        local_bytes: 0,
        regs: RegSpace::Architected {
            regs: REGS,
            preds: PREDS,
        },
        blocks,
        rounds: Vec::new(),
    }
}

/// Kernels of up to 30 random instructions.
pub(crate) fn kernels() -> impl Strategy<Value = Kernel> {
    let ops = all_ops();
    let inst =
        (0..ops.len(), any::<[u64; 16]>()).prop_map(move |(op, random)| inst_of(ops[op], &random));
    proptest::collection::vec(inst, 0..30).prop_map(kernel_of)
}
