//! Points 1 and 3: the allocated kernel is the virtual one but for registers, and its registers are well formed.

use super::{CheckError, Fault, Origin, PREDICATE_LIMIT, REGISTER_LIMIT};
use crate::kernel::op::{Cmp, Mem, Space, Ty};
use crate::kernel::{BlockId, Dst, Inst, Kernel, Op, Operand, Reg, RegSpace, Width};

/// What one instruction does to the places, for the dataflow.
#[derive(Clone, Copy, Debug)]
pub enum Step<'k> {
    /// A copy of the virtual kernel that is missing in the allocated one.
    MissingCopy(&'k Inst),
    /// Both kernels have it: virtual, allocated, index in the allocated block.
    Both(&'k Inst, &'k Inst, usize),
    /// A register copied: to, from.
    Copy(Reg, Reg),
    /// Slot (byte in local memory) to register.
    Load(Reg, u32),
    /// Register to slot.
    Store(u32, Reg),
    /// Register (0 or 1) to predicate.
    ToPred(u16, u16),
    /// Predicate to register.
    FromPred(u16, u16),
}

fn fault(block: usize, inst: usize, fault: Fault) -> CheckError {
    CheckError {
        block: BlockId(block as u32),
        inst,
        fault,
    }
}

/// Everything outside of the instructions.
pub fn check_frame(
    kernel: &Kernel,
    allocated: &Kernel,
    origins: &[Vec<Origin>],
) -> Result<(), CheckError> {
    let lengths = |k: &Kernel| k.blocks.iter().map(|b| b.insts.len()).collect::<Vec<_>>();
    let labels = |k: &Kernel| k.blocks.iter().map(|b| b.label.clone()).collect::<Vec<_>>();
    let differs = if kernel.name != allocated.name {
        "the name"
    } else if kernel.params != allocated.params {
        "the parameters"
    } else if kernel.globals != allocated.globals {
        "the module variables"
    } else if kernel.shared_bytes != allocated.shared_bytes {
        "the scratchpad"
    } else if kernel.local_bytes > allocated.local_bytes {
        "the local memory"
    } else if labels(kernel) != labels(allocated) {
        "the list of blocks"
    } else if lengths(allocated) != origins.iter().map(Vec::len).collect::<Vec<_>>() {
        "the list of origins"
    } else if !matches!(allocated.regs, RegSpace::Architected { regs, preds }
        if regs <= REGISTER_LIMIT && preds <= PREDICATE_LIMIT)
    {
        "the register space"
    } else {
        return Ok(());
    };
    Err(fault(0, 0, Fault::Frame(differs)))
}

/// Matches the instructions of both kernels, block by block.
pub fn steps<'k>(
    kernel: &'k Kernel,
    allocated: &'k Kernel,
    origins: &[Vec<Origin>],
) -> Result<Vec<Vec<Step<'k>>>, CheckError> {
    let mut all = Vec::with_capacity(kernel.blocks.len());
    for (b, (virt, arch)) in kernel.blocks.iter().zip(&allocated.blocks).enumerate() {
        let mut steps = Vec::with_capacity(arch.insts.len());
        let mut next = 0;
        let mut skip_to = |to: usize, at: usize, steps: &mut Vec<Step<'k>>| {
            for (missing, inst) in virt.insts.iter().enumerate().take(to).skip(next) {
                if !is_copy(inst) {
                    return Err(fault(b, at, Fault::Missing(missing)));
                }
                steps.push(Step::MissingCopy(inst));
            }
            let in_order = to >= next;
            next = to + 1;
            in_order
                .then_some(())
                .ok_or_else(|| fault(b, at, Fault::Differs(to)))
        };
        for (i, (inst, origin)) in arch.insts.iter().zip(&origins[b]).enumerate() {
            well_formed(inst, allocated.regs).map_err(|f| fault(b, i, f))?;
            match *origin {
                Origin::Inserted => {
                    let step = added(inst, kernel, allocated).map_err(|f| fault(b, i, f))?;
                    steps.push(step);
                }
                Origin::Inst(from) => {
                    skip_to(from, i, &mut steps)?;
                    let source = virt.insts.get(from).filter(|v| same_but_registers(v, inst));
                    let source = source.ok_or_else(|| fault(b, i, Fault::Differs(from)))?;
                    steps.push(Step::Both(source, inst, i));
                }
            }
        }
        skip_to(virt.insts.len(), arch.insts.len(), &mut steps)?;
        all.push(steps);
    }
    Ok(all)
}

/// An unguarded copy of a whole register or predicate.
fn is_copy(inst: &Inst) -> bool {
    let Op::Mov(ty) = inst.op else { return false };
    let kinds_agree = match (inst.dsts.first(), inst.srcs.first()) {
        (Some(Dst::Reg(d)), Some(Operand::Reg(s))) => {
            d.width == s.width
                && match ty {
                    Ty::B32 | Ty::U32 | Ty::S32 | Ty::F32 | Ty::F16x2 | Ty::Bf16x2 => {
                        d.width == Width::W32
                    }
                    Ty::B64 | Ty::U64 | Ty::S64 | Ty::F64 => d.width == Width::W64,
                    _ => false,
                }
        }
        (Some(Dst::Pred(_)), Some(Operand::Pred { negated, .. })) => ty == Ty::Pred && !negated,
        _ => false,
    };
    kinds_agree && inst.guard.is_none()
}

fn same_but_registers(virt: &Inst, arch: &Inst) -> bool {
    let same_src = |pair: (&Operand, &Operand)| match pair {
        (Operand::Reg(v), Operand::Reg(a)) => v.width == a.width,
        (Operand::Pred { negated: v, .. }, Operand::Pred { negated: a, .. }) => v == a,
        (v, a) => v == a,
    };
    let same_dst = |pair: (&Dst, &Dst)| match pair {
        (Dst::Reg(v), Dst::Reg(a)) => v.width == a.width,
        (Dst::Pred(_), Dst::Pred(_)) => true,
        _ => false,
    };
    virt.op == arch.op
        && virt.srcs.len() == arch.srcs.len()
        && virt.dsts.len() == arch.dsts.len()
        && virt.guard.map(|g| g.negated) == arch.guard.map(|g| g.negated)
        && virt.srcs.iter().zip(&arch.srcs).all(same_src)
        && virt.dsts.iter().zip(&arch.dsts).all(same_dst)
}

fn well_formed(inst: &Inst, space: RegSpace) -> Result<(), Fault> {
    let RegSpace::Architected { regs, preds } = space else {
        return Err(Fault::Frame("the register space"));
    };
    let check_reg = |r: &Reg| {
        let units = match r.width {
            Width::W32 => 1,
            Width::W64 => 2,
        };
        if u32::from(r.index) + units > u32::from(regs) {
            Err(Fault::RegBound(r.index))
        } else if units == 2 && r.index % 2 == 1 {
            Err(Fault::Misaligned(r.index))
        } else {
            Ok(())
        }
    };
    let check_pred = |p: u16| (p < preds).then_some(()).ok_or(Fault::PredBound(p));
    if let Some(guard) = inst.guard {
        check_pred(guard.pred.0)?;
    }
    for src in &inst.srcs {
        match src {
            Operand::Reg(r) => check_reg(r)?,
            Operand::Pred { pred, .. } => check_pred(pred.0)?,
            Operand::Imm(_) | Operand::Special(_) => {}
        }
    }
    let mut written = Vec::new();
    for dst in &inst.dsts {
        match dst {
            Dst::Reg(r) => {
                check_reg(r)?;
                let wide = r.width == Width::W64;
                written.extend((0..1 + u16::from(wide)).map(|half| (false, r.index + half)));
            }
            Dst::Pred(p) => {
                check_pred(p.0)?;
                written.push((true, p.0));
            }
        }
    }
    let count = written.len();
    written.sort_unstable();
    written.dedup();
    (written.len() == count).then_some(()).ok_or(Fault::Overlap)
}

fn added<'k>(inst: &Inst, kernel: &Kernel, allocated: &Kernel) -> Result<Step<'k>, Fault> {
    if inst.guard.is_some() {
        return Err(Fault::Added);
    }
    let slot = |m: Mem, base: u64, r: Reg| {
        let (byte, size) = match (m, r.width) {
            (Mem { ty: Ty::B32, .. }, Width::W32) => (base as i64 + m.offset, 4),
            (Mem { ty: Ty::B64, .. }, Width::W64) => (base as i64 + m.offset, 8),
            _ => return Err(Fault::Added),
        };
        let inside = byte >= i64::from(kernel.local_bytes)
            && byte + size <= i64::from(allocated.local_bytes)
            && byte % size == 0;
        inside.then_some(byte as u32).ok_or(Fault::Slot(byte))
    };
    let local = |m: &Mem| m.space == Space::Local && m.vec == 1;
    match (inst.op, inst.dsts.as_slice(), inst.srcs.as_slice()) {
        (Op::Ld(m), [Dst::Reg(r)], [Operand::Imm(base)]) if local(&m) => {
            Ok(Step::Load(*r, slot(m, *base, *r)?))
        }
        (Op::St(m), [], [Operand::Imm(base), Operand::Reg(r)]) if local(&m) => {
            Ok(Step::Store(slot(m, *base, *r)?, *r))
        }
        (Op::Mov(_), [Dst::Reg(d)], [Operand::Reg(s)]) if is_copy(inst) => Ok(Step::Copy(*d, *s)),
        (
            Op::Setp {
                cmp: Cmp::Ne,
                ty: Ty::U32,
                combine: None,
                ..
            },
            [Dst::Pred(p)],
            [Operand::Reg(r), Operand::Imm(0)],
        ) if r.width == Width::W32 => Ok(Step::ToPred(p.0, r.index)),
        (
            Op::Selp(Ty::U32),
            [Dst::Reg(r)],
            [
                Operand::Imm(1),
                Operand::Imm(0),
                Operand::Pred {
                    pred,
                    negated: false,
                },
            ],
        ) if r.width == Width::W32 => Ok(Step::FromPred(r.index, pred.0)),
        _ => Err(Fault::Added),
    }
}
