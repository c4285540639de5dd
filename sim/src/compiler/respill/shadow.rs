//! What the allocator is given: a kernel over virtual registers with the operands, branches and lives of the one to be respilled,
//! and nothing else of it.
//!
//! The allocator knows values as wholes. So a pair of which an instruction names one half is named whole, and a half that is written
//! while the other is live keeps the pair alive, as a guarded result does.

use super::split::split;
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Liveness;
use crate::compiler::regalloc::AllocError;
use crate::kernel::op::Traced;
use crate::kernel::{BlockId, Dst, Guard, Inst, Kernel, Op, Operand, Pred, Reg, RegSpace, Width};
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// Stands for any guard. Nothing writes its predicate.
const GUARD: Guard = Guard {
    pred: Pred(0),
    negated: false,
};

/// The kernel with its values apart, and its shadow, instruction for instruction.
pub struct Shadow {
    /// The kernel, renamed ([`split`]).
    pub split: Kernel,
    /// Over virtual registers: number of a value is half of what `split` has.
    pub kernel: Kernel,
}

impl Shadow {
    /// Of a kernel over architected registers.
    ///
    /// # Errors
    /// As for [`split`].
    pub fn of(kernel: &Kernel, cfg: &Cfg) -> Result<Shadow, AllocError> {
        let split = split(kernel, cfg)?;
        let liveness = Liveness::per_thread(&split, cfg);
        let RegSpace::Architected { regs, .. } = split.regs else {
            return Err(AllocError::NotVirtual(kernel.name.clone()));
        };
        let mut pairs = FixedBitSet::with_capacity(usize::from(regs / 2));
        for inst in split.blocks.iter().flat_map(|block| &block.insts) {
            for reg in inst.src_regs().chain(inst.dst_regs()) {
                if reg.width == Width::W64 {
                    pairs.insert(usize::from(reg.index / 2));
                }
            }
        }
        let mut shadow = Kernel {
            regs: RegSpace::Virtual {
                regs: regs / 2,
                preds: 1,
            },
            ..split.clone()
        };
        for (b, block) in shadow.blocks.iter_mut().enumerate() {
            for (i, inst) in block.insts.iter_mut().enumerate() {
                let after = liveness.after(BlockId(b as u32), i);
                *inst = of_inst(inst, &pairs, after);
            }
        }
        Ok(Shadow {
            split,
            kernel: shadow,
        })
    }

    /// The instruction of `split` in the registers that its shadow was given.
    pub fn renamed(&self, block: usize, inst: usize, given: &Inst) -> Inst {
        let mut renamed = self.split.blocks[block].insts[inst].clone();
        let mut sources = given.src_regs();
        for src in &mut renamed.srcs {
            if let Operand::Reg(reg) = src
                && let Some(place) = sources.next()
            {
                reg.index = place.index + within(*reg, place);
            }
        }
        let mut results = given.dst_regs();
        for dst in &mut renamed.dsts {
            if let Dst::Reg(reg) = dst
                && let Some(place) = results.next()
            {
                reg.index = place.index + within(*reg, place);
            }
        }
        renamed
    }
}

/// Which half of a value a register is; of one that takes a single register always the first.
fn within(reg: Reg, place: Reg) -> u16 {
    match place.width {
        Width::W32 => 0,
        Width::W64 => reg.index % 2,
    }
}

fn of_inst(inst: &Inst, pairs: &FixedBitSet, after: &FixedBitSet) -> Inst {
    let value = |reg: Reg| Reg {
        index: reg.index / 2,
        width: match pairs.contains(usize::from(reg.index / 2)) {
            true => Width::W64,
            false => Width::W32,
        },
    };
    let written: BTreeSet<u16> = inst.dst_regs().flat_map(Reg::units).collect();
    let keeps_a_half = written.iter().any(|&unit| {
        let other = unit ^ 1;
        !written.contains(&other)
            && pairs.contains(usize::from(unit / 2))
            && after.contains(usize::from(other))
    });
    let guard = (inst.guard.is_some() || keeps_a_half).then_some(GUARD);
    let line = inst.line;
    if matches!(inst.op, Op::Bra(_) | Op::Exit) {
        return Inst {
            guard,
            ..inst.clone()
        };
    }
    let results = inst.dst_regs().map(|reg| Dst::Reg(value(reg)));
    let sources = inst.src_regs().map(|reg| Operand::Reg(value(reg)));
    Inst {
        guard,
        // No copy, no access to memory that could be taken for a spill.
        op: Op::Traced(Traced::Int),
        dsts: results.collect(),
        srcs: sources.collect(),
        line,
    }
}
