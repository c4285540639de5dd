//! Registers in the order of their first use, so that those which a kernel touches first are the private ones ("unrolling and
//! reordering of register declarations", resource sharing, IV-B).
//!
//! Only numbers change: a register keeps its value from the first instruction to the last. 64-bit values stay in aligned pairs.

use crate::kernel::{Dst, Inst, Kernel, Operand, Reg, RegSpace, Width};
use std::collections::BTreeMap;

/// Why two kernels are not the same but for the numbers of their registers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenumberError {
    /// They differ in more than registers.
    #[error("block {block}, instruction {inst}: differs in more than registers")]
    Differs {
        /// Block.
        block: usize,
        /// Instruction of it.
        inst: usize,
    },
    /// A register has two numbers, or two have one.
    #[error(
        "block {block}, instruction {inst}: r{from} is r{to} here, elsewhere they belong to others"
    )]
    Numbers {
        /// Block.
        block: usize,
        /// Instruction of it.
        inst: usize,
        /// Register before.
        from: u16,
        /// Register after.
        to: u16,
    },
    /// A 64-bit value in registers that are no aligned pair, or a register behind the last one.
    #[error("block {block}, instruction {inst}: r{to} cannot be named")]
    Place {
        /// Block.
        block: usize,
        /// Instruction of it.
        inst: usize,
        /// Register after.
        to: u16,
    },
}

fn sources(inst: &Inst) -> impl Iterator<Item = Reg> + '_ {
    inst.srcs.iter().filter_map(|source| match source {
        Operand::Reg(reg) => Some(*reg),
        _ => None,
    })
}

fn results(inst: &Inst) -> impl Iterator<Item = Reg> + '_ {
    inst.dsts.iter().filter_map(|dst| match dst {
        Dst::Reg(reg) => Some(*reg),
        Dst::Pred(_) => None,
    })
}

/// Sources first: an instruction reads before it writes.
pub(super) fn named(inst: &Inst) -> impl Iterator<Item = Reg> + '_ {
    sources(inst).chain(results(inst))
}

/// `kernel` with its registers numbered by first use in the text. A kernel over virtual registers is left alone.
pub fn by_first_use(kernel: &Kernel) -> Kernel {
    let RegSpace::Architected { regs, preds } = kernel.regs else {
        return kernel.clone();
    };
    let all = || kernel.blocks.iter().flat_map(|block| &block.insts);
    let mut paired = vec![false; usize::from(regs) / 2 + 1];
    for reg in all().flat_map(named) {
        paired[usize::from(reg.index / 2)] |= reg.width == Width::W64;
    }
    // Groups that stay together, by their first register, in the order of first use.
    let mut groups: Vec<(u16, Width)> = Vec::new();
    let mut seen = vec![false; usize::from(regs)];
    for unit in all().flat_map(named).flat_map(Reg::units) {
        let group = match paired[usize::from(unit / 2)] {
            true => (unit & !1, Width::W64),
            false => (unit, Width::W32),
        };
        if !std::mem::replace(&mut seen[usize::from(group.0)], true) {
            groups.push(group);
        }
    }
    let places = places(&groups, regs);
    let count = (groups.iter().zip(&places))
        .map(|((_, width), place)| place + width.regs())
        .max();
    let mut number: Vec<u16> = vec![0; usize::from(regs) + 1];
    for ((from, width), place) in groups.iter().zip(places) {
        for unit in 0..width.regs() {
            number[usize::from(from + unit)] = place + unit;
        }
    }
    with_numbers(kernel, &number, count.unwrap_or(0), preds)
}

/// `kernel` with register i called `number[i]`, of `regs` registers.
pub(super) fn with_numbers(kernel: &Kernel, number: &[u16], regs: u16, preds: u16) -> Kernel {
    let mut renumbered = kernel.clone();
    renumbered.regs = RegSpace::Architected { regs, preds };
    for inst in renumbered.blocks.iter_mut().flat_map(|b| &mut b.insts) {
        for source in &mut inst.srcs {
            if let Operand::Reg(reg) = source {
                reg.index = number[usize::from(reg.index)];
            }
        }
        for dst in &mut inst.dsts {
            if let Dst::Reg(reg) = dst {
                reg.index = number[usize::from(reg.index)];
            }
        }
    }
    renumbered
}

/// A place for each group: the next free registers, pairs at even ones. The register that a pair leaves out is for the next
/// single one. If none comes and the kernel gets more than its `regs` by that, the single one before the gap goes last.
fn places(groups: &[(u16, Width)], regs: u16) -> Vec<u16> {
    let (mut next, mut gap) = (0, None);
    let mut places = Vec::with_capacity(groups.len());
    for (_, width) in groups {
        places.push(match width {
            Width::W32 => gap.take().unwrap_or_else(|| {
                next += 1;
                next - 1
            }),
            Width::W64 => {
                if next % 2 == 1 {
                    gap = Some(next);
                    next += 1;
                }
                next += 2;
                next - 2
            }
        });
    }
    if let Some(gap) = gap
        && next > regs
    {
        for place in &mut places {
            *place = match *place {
                place if place > gap => place - 2,
                place if place == gap - 1 => next - 2,
                place => place,
            };
        }
    }
    places
}

/// Checks that `renumbered` is `kernel` with other numbers for its registers, one for one. Knows nothing of how they were
/// chosen.
///
/// # Errors
/// The first difference in program order.
pub fn check(kernel: &Kernel, renumbered: &Kernel) -> Result<(), RenumberError> {
    let RegSpace::Architected { regs, .. } = renumbered.regs else {
        return Err(RenumberError::Differs { block: 0, inst: 0 });
    };
    let mut forth: BTreeMap<u16, u16> = BTreeMap::new();
    let mut back: BTreeMap<u16, u16> = BTreeMap::new();
    let frame = |kernel: &Kernel| {
        let mut frame = kernel.clone();
        frame.blocks.clear();
        frame.regs = kernel.regs;
        if let RegSpace::Architected { regs, .. } = &mut frame.regs {
            *regs = 0;
        }
        frame
    };
    if frame(kernel) != frame(renumbered) || kernel.blocks.len() != renumbered.blocks.len() {
        return Err(RenumberError::Differs { block: 0, inst: 0 });
    }
    for (block, (before, after)) in kernel.blocks.iter().zip(&renumbered.blocks).enumerate() {
        let differs = |inst| RenumberError::Differs { block, inst };
        if before.insts.len() != after.insts.len() {
            return Err(differs(before.insts.len().min(after.insts.len())));
        }
        for (inst, (a, b)) in before.insts.iter().zip(&after.insts).enumerate() {
            if anonymous(a) != anonymous(b) {
                return Err(differs(inst));
            }
            for (from, to) in named(a).zip(named(b)) {
                if to.width == Width::W64 && to.index % 2 == 1 || to.units().any(|u| u >= regs) {
                    let to = to.index;
                    return Err(RenumberError::Place { block, inst, to });
                }
                for (from, to) in from.units().zip(to.units()) {
                    let same = *forth.entry(from).or_insert(to) == to
                        && *back.entry(to).or_insert(from) == from;
                    if !same {
                        return Err(RenumberError::Numbers {
                            block,
                            inst,
                            from,
                            to,
                        });
                    }
                }
            }
        }
    }
    Ok(())
}

/// The instruction with every register number 0.
fn anonymous(inst: &Inst) -> Inst {
    let mut inst = inst.clone();
    for source in &mut inst.srcs {
        if let Operand::Reg(reg) = source {
            reg.index = 0;
        }
    }
    for dst in &mut inst.dsts {
        if let Dst::Reg(reg) = dst {
            reg.index = 0;
        }
    }
    inst
}

#[cfg(test)]
mod tests;
