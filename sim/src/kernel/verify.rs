//! Checks that a kernel is well formed, in either register space.
//!
//! A verified kernel can be printed, analysed and run without surprises: every operation exists, has the
//! operands that [`signature`] gives it, names registers that there are (aligned pairs after allocation, one
//! width per register before), branches only at the end of blocks and to blocks of the kernel, never runs off
//! its end, calls only in architected registers, does not predicate `acquire`, `release`, `push` and `pop`, and pushes, pops and
//! returns in functions only, as the hardware takes it.

use std::collections::{HashMap, HashSet};

use thiserror::Error;

mod problem;
mod stacks;
#[cfg(test)]
mod tests;

pub use problem::Problem;

use super::exec::{Kind, Slot, signature};
use super::{BlockId, Dst, Inst, Kernel, Line, Op, Operand, Pred, Reg, RegSpace, Special, Width};

/// Most 32-bit registers of a thread; register 255 reads as zero on real machines.
pub const MAX_ARCHITECTED_REGS: u16 = 255;

/// Most bytes of local memory of a thread (CUDA C++ Programming Guide, technical specifications per compute capability).
pub const MAX_LOCAL_BYTES: u32 = 512 << 10;

/// A malformed kernel: what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("kernel `{kernel}`{}: {problem}", self.place())]
pub struct VerifyError {
    /// Name of the kernel.
    pub kernel: String,
    /// Label of the block, if it is about one.
    pub block: Option<String>,
    /// Index of the instruction in its block, if it is about one.
    pub inst: Option<usize>,
    /// Its source line; 0 where there is none.
    pub line: Line,
    /// What is wrong.
    pub problem: Problem,
}

impl VerifyError {
    fn place(&self) -> String {
        let block = self
            .block
            .as_ref()
            .map(|label| format!(", block `{label}`"));
        let inst = self.inst.map(|index| format!(", instruction {index}"));
        let line = (self.line.0 != 0).then(|| format!(", line {}", self.line.0));
        [block, inst, line].into_iter().flatten().collect()
    }
}

/// Width of a special register.
pub fn special_width(special: Special) -> Width {
    match special {
        Special::Clock64 => Width::W64,
        _ => Width::W32,
    }
}

/// Checks the whole kernel.
///
/// # Errors
/// The first problem in program order.
pub fn verify(kernel: &Kernel) -> Result<(), VerifyError> {
    let error = |block: Option<usize>, inst: Option<usize>, problem| {
        let block = block.map(|b| &kernel.blocks[b]);
        let line = block
            .zip(inst)
            .map_or(Line(0), |(block, i)| block.insts[i].line);
        VerifyError {
            kernel: kernel.name.clone(),
            block: block.map(|block| block.label.clone()),
            inst,
            line,
            problem,
        }
    };
    if let RegSpace::Architected { regs, .. } = kernel.regs
        && regs > MAX_ARCHITECTED_REGS
    {
        return Err(error(None, None, Problem::TooManyRegisters(regs)));
    }
    if kernel.local_bytes > MAX_LOCAL_BYTES {
        let problem = Problem::TooMuchLocal(kernel.local_bytes);
        return Err(error(None, None, problem));
    }
    let Some(last) = kernel.blocks.len().checked_sub(1) else {
        return Err(error(None, None, Problem::NoBlocks));
    };
    let mut labels = HashSet::new();
    let mut widths = HashMap::new();
    for (b, block) in kernel.blocks.iter().enumerate() {
        if !labels.insert(block.label.as_str()) {
            return Err(error(Some(b), None, Problem::DuplicateLabel));
        }
        for (i, inst) in block.insts.iter().enumerate() {
            let is_last = i + 1 == block.insts.len();
            inst_problem(kernel, inst, is_last, &mut widths)
                .map_err(|problem| error(Some(b), Some(i), problem))?;
        }
    }
    let ends = kernel.blocks[last].insts.last().is_some_and(|inst| {
        inst.guard.is_none() && matches!(inst.op, Op::Bra(_) | Op::Exit | Op::Ret | Op::Trap)
    });
    if !ends {
        return Err(error(Some(last), None, Problem::FallsOffTheEnd));
    }
    stacks::check(kernel).map_err(|(block, inst, problem)| error(Some(block), Some(inst), problem))
}

fn inst_problem(
    kernel: &Kernel,
    inst: &Inst,
    is_last: bool,
    widths: &mut HashMap<u16, Width>,
) -> Result<(), Problem> {
    match inst.op {
        Op::Bra(_) if !is_last => return Err(Problem::BranchInside),
        Op::Argument(_) | Op::FrameAddress | Op::PassOnStack(..) | Op::TakeFromStack(..) => {
            return Err(Problem::VirtualCall);
        }
        Op::Call(_) | Op::Ret if matches!(kernel.regs, RegSpace::Virtual { .. }) => {
            return Err(Problem::VirtualCall);
        }
        Op::Call(_) | Op::Ret if !inst.srcs.is_empty() || !inst.dsts.is_empty() => {
            return Err(Problem::CallOperands);
        }
        Op::Push | Op::Pop if inst.guard.is_some() => return Err(Problem::GuardedPush),
        Op::Bra(BlockId(target)) | Op::Call(BlockId(target))
            if target as usize >= kernel.blocks.len() =>
        {
            return Err(Problem::NoSuchBlock(target));
        }
        Op::Pir | Op::Pbr
            if inst.guard.is_some() || !matches!(inst.srcs[..], [Operand::Imm(_)]) =>
        {
            return Err(Problem::FlagWord);
        }
        Op::Acquire | Op::Release if inst.guard.is_some() => return Err(Problem::GuardedAcquire),
        _ => {}
    }
    let signature = signature(&inst.op)?;
    fit(&signature.dsts, inst.dsts.len(), |kind, i| {
        dst_fits(kind, inst.dsts[i])
    })
    .map_err(|index| Problem::Destination { index })?;
    fit(&signature.srcs, inst.srcs.len(), |kind, i| {
        src_fits(kind, inst.srcs[i])
    })
    .map_err(|index| Problem::Source { index })?;
    for dst in &inst.dsts {
        match *dst {
            Dst::Reg(reg) => check_reg(kernel, reg, widths)?,
            Dst::Pred(pred) => check_pred(kernel, pred)?,
        }
    }
    for src in &inst.srcs {
        match *src {
            Operand::Reg(reg) => check_reg(kernel, reg, widths)?,
            Operand::Pred { pred, .. } => check_pred(kernel, pred)?,
            Operand::Imm(_) | Operand::Special(_) => {}
        }
    }
    inst.guard
        .map_or(Ok(()), |guard| check_pred(kernel, guard.pred))
}

/// Puts `count` operands into the slots in order, leaving out optional slots that do not fit; the error is the
/// operand that found no slot, or the one that is missing.
pub(crate) fn fit(
    slots: &[Slot],
    count: usize,
    fits: impl Fn(Kind, usize) -> bool,
) -> Result<(), usize> {
    let mut next = 0;
    for slot in slots {
        if next < count && fits(slot.kind, next) {
            next += 1;
        } else if !slot.optional {
            return Err(next);
        }
    }
    if next < count { Err(next) } else { Ok(()) }
}

pub(crate) fn dst_fits(kind: Kind, dst: Dst) -> bool {
    match (kind, dst) {
        (Kind::Reg(width), Dst::Reg(reg)) => reg.width == width,
        (Kind::Address, Dst::Reg(_)) | (Kind::Pred, Dst::Pred(_)) => true,
        _ => false,
    }
}

pub(crate) fn src_fits(kind: Kind, src: Operand) -> bool {
    match (kind, src) {
        (Kind::Reg(width), Operand::Reg(reg)) => reg.width == width,
        (Kind::Reg(width), Operand::Special(special)) => {
            special_width(special) == width && has_axis(special)
        }
        (Kind::Reg(Width::W32), Operand::Imm(bits)) => bits <= u64::from(u32::MAX),
        (Kind::Reg(Width::W64), Operand::Imm(_)) => true,
        (Kind::Address, Operand::Reg(_) | Operand::Imm(_)) => true,
        (Kind::Pred, Operand::Pred { .. }) => true,
        _ => false,
    }
}

/// Threads and CTAs have three axes.
fn has_axis(special: Special) -> bool {
    match special {
        Special::Tid(axis) | Special::Ntid(axis) | Special::Ctaid(axis) | Special::Nctaid(axis) => {
            axis < 3
        }
        _ => true,
    }
}

fn check_reg(kernel: &Kernel, reg: Reg, widths: &mut HashMap<u16, Width>) -> Result<(), Problem> {
    match kernel.regs {
        RegSpace::Virtual { regs, .. } => {
            if reg.index >= regs {
                return Err(Problem::RegisterOutOfRange { reg, count: regs });
            }
            if *widths.entry(reg.index).or_insert(reg.width) != reg.width {
                return Err(Problem::TwoWidths(reg.index));
            }
        }
        RegSpace::Architected { regs, .. } => {
            if u32::from(reg.index) + u32::from(reg.width.regs()) > u32::from(regs) {
                return Err(Problem::RegisterOutOfRange { reg, count: regs });
            }
            if reg.width == Width::W64 && !reg.index.is_multiple_of(2) {
                return Err(Problem::UnalignedPair(reg.index));
            }
        }
    }
    Ok(())
}

fn check_pred(kernel: &Kernel, pred: Pred) -> Result<(), Problem> {
    let (RegSpace::Virtual { preds, .. } | RegSpace::Architected { preds, .. }) = kernel.regs;
    if pred.0 < preds {
        Ok(())
    } else {
        Err(Problem::PredicateOutOfRange { pred, count: preds })
    }
}
