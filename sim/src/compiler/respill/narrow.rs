//! Of a spilled pair only the half is loaded and stored that its instruction is about. The other half may hold nothing, and what
//! holds nothing must not be read: it may have no pack.

use crate::compiler::regalloc::Origin;
use crate::kernel::op::Ty;
use crate::kernel::{Dst, Inst, Op, Operand, Reg, Width};
use std::collections::BTreeSet;

/// The instructions of a block with accesses of no more than is needed. `origins` says which are the original's; loads stand before the
/// one they serve, stores behind it.
pub fn narrow(insts: &mut Vec<Inst>, origins: &mut Vec<Origin>) {
    let mut narrowed = Vec::with_capacity(insts.len());
    let mut kept = Vec::with_capacity(insts.len());
    for (at, (inst, origin)) in insts.iter().zip(origins.iter()).enumerate() {
        let is_original = |other: &usize| matches!(origins[*other], Origin::Inst(_));
        let (served, needed) = match (*origin, inst.op) {
            (Origin::Inserted, Op::Ld(_)) => {
                let served = (at..insts.len()).find(is_original);
                (served, loaded as fn(&Inst) -> BTreeSet<u16>)
            }
            (Origin::Inserted, Op::St(_)) => ((0..at).rev().find(is_original), written as _),
            _ => (None, written as _),
        };
        let new = match served {
            Some(served) => part(inst, &needed(&insts[served])),
            None => Some(inst.clone()),
        };
        if let Some(new) = new {
            narrowed.push(new);
            kept.push(*origin);
        }
    }
    (*insts, *origins) = (narrowed, kept);
}

fn written(inst: &Inst) -> BTreeSet<u16> {
    inst.dst_regs().flat_map(Reg::units).collect()
}

/// What it reads, and under a guard what it writes: other lanes keep what they had.
fn loaded(inst: &Inst) -> BTreeSet<u16> {
    let kept = inst.dst_regs().filter(|_| inst.guard.is_some());
    inst.src_regs().chain(kept).flat_map(Reg::units).collect()
}

/// The part of a spill load or store that is about these registers; `None`: nothing.
fn part(access: &Inst, about: &BTreeSet<u16>) -> Option<Inst> {
    let reg = access.src_regs().chain(access.dst_regs()).next()?;
    let needed = || reg.units().filter(|unit| about.contains(unit));
    let (first, count) = (needed().next()?, needed().count());
    let mut part = access.clone();
    if reg.width == Width::W64 && count == 1 {
        if let Op::Ld(mem) | Op::St(mem) = &mut part.op {
            mem.ty = Ty::B32;
            mem.offset += 4 * i64::from(first - reg.index);
        }
        let half = Reg::r32(first);
        for src in &mut part.srcs {
            if let Operand::Reg(reg) = src {
                *reg = half;
            }
        }
        for dst in &mut part.dsts {
            *dst = Dst::Reg(half);
        }
    }
    Some(part)
}
