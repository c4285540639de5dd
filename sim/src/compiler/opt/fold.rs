//! Operations on constants are computed; adding zero, shifting by zero and multiplying by one become copies.

use crate::kernel::exec::{AluInput, AluOutput, Value, alu, is_alu};
use crate::kernel::op::{Op, Part, Ty};
use crate::kernel::{Dst, Inst, Kernel, Operand, Width};

pub fn run(kernel: &mut Kernel) {
    for inst in kernel.blocks.iter_mut().flat_map(|b| &mut b.insts) {
        if let Some(constant) = value_of(inst) {
            inst.op = move_for(inst);
            inst.srcs.clear();
            inst.srcs.push(Operand::Imm(constant));
        } else if let Some(source) = unchanged_source(inst) {
            inst.op = move_for(inst);
            inst.srcs.clear();
            inst.srcs.push(source);
        }
    }
}

fn move_for(inst: &Inst) -> Op {
    match inst.dsts.first() {
        Some(Dst::Reg(r)) if r.width == Width::W64 => Op::Mov(Ty::B64),
        _ => Op::Mov(Ty::B32),
    }
}

/// The result of an operation whose only result is a register and whose sources are all constants.
fn value_of(inst: &Inst) -> Option<u64> {
    let [Dst::Reg(dst)] = inst.dsts.as_slice() else {
        return None;
    };
    if !is_alu(&inst.op) || matches!(inst.op, Op::Mov(_)) || inst.srcs.is_empty() {
        return None;
    }
    let mut values = [Value::ZERO; 4];
    if inst.srcs.len() > values.len() {
        return None;
    }
    for (value, src) in values.iter_mut().zip(&inst.srcs) {
        let Operand::Imm(bits) = src else {
            return None;
        };
        *value = Value::splat(*bits);
    }
    let input = AluInput {
        srcs: [&values[0], &values[1], &values[2], &values[3]],
        preds: [0; 2],
    };
    let mut out = AluOutput::default();
    alu(&inst.op, &input, 1, &mut out);
    let bits = out.regs[0].get(0);
    Some(match dst.width {
        Width::W32 => bits & 0xffff_ffff,
        Width::W64 => bits,
    })
}

fn unchanged_source(inst: &Inst) -> Option<Operand> {
    let [Dst::Reg(dst)] = inst.dsts.as_slice() else {
        return None;
    };
    let (&a, &b) = (inst.srcs.first()?, inst.srcs.get(1)?);
    let wide = |ty| matches!(ty, Ty::B64 | Ty::U64 | Ty::S64);
    let whole = |ty| wide(ty) || matches!(ty, Ty::B32 | Ty::U32 | Ty::S32);
    let zero = Operand::Imm(0);
    let kept = match inst.op {
        Op::Add { ty, .. } if whole(ty) && a == zero => b,
        Op::Add { ty, .. } | Op::Sub { ty, .. } if whole(ty) && b == zero => a,
        Op::Shl(ty) | Op::Shr(ty) | Op::Or(ty) | Op::Xor(ty) if whole(ty) && b == zero => a,
        Op::Mul { ty, part: Part::Lo } if whole(ty) && b == Operand::Imm(1) => a,
        _ => return None,
    };
    match kept {
        Operand::Reg(r) if r.width == dst.width => Some(kept),
        _ => None,
    }
}
