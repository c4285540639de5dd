//! Correspondence: the same instructions in the same order, up to register names.

use super::{CheckError, Rewritten, Violation, fail};
use crate::kernel::{Dst, Inst, Kernel, Op, Operand, Reg, RegSpace, Width};

pub(super) fn check(original: &Kernel, rewritten: &Rewritten) -> Result<(), CheckError> {
    let kernel = &rewritten.kernel;
    let (RegSpace::Architected { regs, preds }, RegSpace::Architected { preds: before, .. }) =
        (kernel.regs, original.regs)
    else {
        return fail(0, 0, shape("registers are not architected"));
    };
    if kernel.name != original.name
        || kernel.params != original.params
        || kernel.globals != original.globals
        || kernel.shared_bytes != original.shared_bytes
        || kernel.local_bytes != original.local_bytes
        || preds != before
    {
        return fail(0, 0, shape("name, parameters, memory or predicates differ"));
    }
    if kernel.blocks.len() != original.blocks.len()
        || rewritten.origin.len() != original.blocks.len()
    {
        return fail(0, 0, shape("number of blocks differs"));
    }
    for (b, (new, old)) in kernel.blocks.iter().zip(&original.blocks).enumerate() {
        let origin = &rewritten.origin[b];
        if new.label != old.label || origin.len() != new.insts.len() {
            return fail(b, 0, shape("label or correspondence differs"));
        }
        let mut expected = 0;
        for (i, (inst, from)) in new.insts.iter().zip(origin).enumerate() {
            for reg in inst.src_regs().chain(inst.dst_regs()) {
                let aligned = reg.width == Width::W32 || reg.index.is_multiple_of(2);
                if !aligned || reg.index + reg.width.regs() > regs {
                    return fail(b, i, Violation::Register { reg: reg.index });
                }
            }
            let fits = match from {
                None => may_be_inserted(inst),
                Some(from) => {
                    let in_order = *from == expected;
                    expected += 1;
                    in_order && old.insts.get(*from).is_some_and(|old| same(old, inst))
                }
            };
            if !fits {
                return fail(
                    b,
                    i,
                    shape("instruction is not the original's, nor allowed extra"),
                );
            }
        }
        if expected != old.insts.len() {
            return fail(
                b,
                new.insts.len(),
                shape("an original instruction is missing"),
            );
        }
    }
    Ok(())
}

fn shape(what: &str) -> Violation {
    Violation::Shape(what.to_owned())
}

fn may_be_inserted(inst: &Inst) -> bool {
    inst.guard.is_none()
        && match inst.op {
            Op::Acquire | Op::Release => inst.srcs.is_empty() && inst.dsts.is_empty(),
            Op::Mov(_) => copied(inst).is_some(),
            _ => false,
        }
}

/// Source and destination of a MOV between registers of one width.
pub(super) fn copied(inst: &Inst) -> Option<(Reg, Reg)> {
    match (inst.srcs.as_slice(), inst.dsts.as_slice()) {
        ([Operand::Reg(from)], [Dst::Reg(to)]) if from.width == to.width => Some((*from, *to)),
        _ => None,
    }
}

fn same(old: &Inst, new: &Inst) -> bool {
    let same_src = |(old, new): (&Operand, &Operand)| match (old, new) {
        (Operand::Reg(old), Operand::Reg(new)) => old.width == new.width,
        (old, new) => old == new,
    };
    let same_dst = |(old, new): (&Dst, &Dst)| match (old, new) {
        (Dst::Reg(old), Dst::Reg(new)) => old.width == new.width,
        (old, new) => old == new,
    };
    old.op == new.op
        && old.guard == new.guard
        && old.line == new.line
        && old.srcs.len() == new.srcs.len()
        && old.dsts.len() == new.dsts.len()
        && old.srcs.iter().zip(&new.srcs).all(same_src)
        && old.dsts.iter().zip(&new.dsts).all(same_dst)
}
