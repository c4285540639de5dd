//! `add.s64 a, b, constant` goes into the offset of the loads and stores at `a`.
//!
//! Only where every use of `a` is such an address, so that `a` goes away and `b` does not have to live beside it. Only
//! 64-bit additions: a 32-bit one may wrap around where the address would not.

use super::values::{Values, inst_at, points};
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Point;
use crate::kernel::op::{Op, Ty};
use crate::kernel::{Inst, Kernel, Operand, Reg, Width};

pub fn run(kernel: &mut Kernel, cfg: &Cfg) {
    let values = Values::of(kernel);
    let all = points(kernel);
    let mut sums: Vec<Option<(Reg, i64)>> = Vec::new();
    let mut uses: Vec<(u16, Point, usize)> = Vec::new();
    for &at in &all {
        let inst = inst_at(kernel, at);
        for (i, src) in inst.srcs.iter().enumerate() {
            if let Operand::Reg(r) = src {
                uses.push((r.index, at, i));
            }
        }
        if let Some((sum, base, constant)) = sum(inst)
            && values.definition(sum.index).is_some()
            && values.definition_before(base.index, at, cfg).is_some()
        {
            let index = usize::from(sum.index);
            if sums.len() <= index {
                sums.resize(index + 1, None);
            }
            sums[index] = Some((base, constant));
        }
    }
    for &(index, at, place) in &uses {
        let foldable = values.definition_before(index, at, cfg).is_some()
            && place == 0
            && offset(&mut inst_at(kernel, at).op.clone()).is_some();
        if let (false, Some(sum)) = (foldable, sums.get_mut(usize::from(index))) {
            *sum = None;
        }
    }
    for (index, at, _) in uses {
        let Some(&Some((base, constant))) = sums.get(usize::from(index)) else {
            continue;
        };
        let inst = &mut kernel.blocks[at.block.0 as usize].insts[at.inst];
        if let Some(offset) = offset(&mut inst.op) {
            *offset = offset.wrapping_add(constant);
            inst.srcs[0] = Operand::Reg(base);
        }
    }
}

/// Destination, register and constant of a 64-bit addition of a constant.
fn sum(inst: &Inst) -> Option<(Reg, Reg, i64)> {
    let Op::Add {
        ty: Ty::U64 | Ty::S64 | Ty::B64,
        ..
    } = inst.op
    else {
        return None;
    };
    let sum = inst.dst_regs().next()?;
    match (inst.srcs.first()?, inst.srcs.get(1)?) {
        (Operand::Reg(base), Operand::Imm(c)) | (Operand::Imm(c), Operand::Reg(base))
            if base.width == Width::W64 && inst.guard.is_none() =>
        {
            Some((sum, *base, *c as i64))
        }
        _ => None,
    }
}

fn offset(op: &mut Op) -> Option<&mut i64> {
    match op {
        Op::Ld(mem) | Op::St(mem) => Some(&mut mem.offset),
        Op::Atom { offset, .. } | Op::Red { offset, .. } => Some(offset),
        _ => None,
    }
}
