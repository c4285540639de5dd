//! Values of a kernel over architected registers, each in registers of its own.
//!
//! The compiler of the kernel put one value after the other into the same register. Here definitions are tied by common uses, as
//! the webs of [`super::super::regalloc`] are, but 32-bit register by register: of a pair some instructions name one half. Halves
//! that an instruction names as a pair stay a pair.

use crate::compiler::cfg::Cfg;
use crate::compiler::definitions::Definitions;
use crate::compiler::liveness::Domain;
use crate::compiler::regalloc::AllocError;
use crate::kernel::{Dst, Kernel, Operand, RegSpace, Width};
use petgraph::unionfind::UnionFind;

/// The kernel with renamed registers: a value has an even number, and if it is a pair the odd one behind it. Names of values of 32 bits
/// keep the parity that they had.
///
/// # Errors
/// [`AllocError::TooManyValues`].
pub fn split(kernel: &Kernel, cfg: &Cfg) -> Result<Kernel, AllocError> {
    let domain = Domain::of(kernel);
    let definitions = Definitions::with_entry(kernel, &domain);
    let reaching = definitions.reaching(kernel, cfg);
    let mut values = UnionFind::<usize>::new(definitions.variable.len());
    definitions.visit(kernel, &reaching, |current, inst, first| {
        for reg in inst.src_regs() {
            let mut pair = domain.reg_bits(reg).map(|bit| {
                let mut tied = definitions.reaching_of(bit, current);
                let first = tied.next();
                for other in tied {
                    first.map(|first| values.union(first, other));
                }
                first
            });
            if let (Some(Some(low)), Some(Some(high))) = (pair.next(), pair.next()) {
                values.union(low, high);
            }
        }
        for (dst, number) in inst.dsts.iter().zip(numbers_of(&inst.dsts, first)) {
            if matches!(dst, Dst::Reg(reg) if reg.width == Width::W64) {
                values.union(number, number + 1);
            }
        }
    });

    let mut numbers = vec![None; definitions.variable.len()];
    let mut count = 0usize;
    let mut number = |definition: usize| {
        let root = values.find_mut(definition);
        let base = *numbers[root].get_or_insert_with(|| {
            count += 2;
            count - 2
        });
        // Too many are found out at the end.
        (base + definitions.variable[definition] % 2) as u16
    };
    let mut renamed = Vec::new();
    definitions.visit(kernel, &reaching, |current, inst, first| {
        let mut inst = inst.clone();
        for src in &mut inst.srcs {
            if let Operand::Reg(reg) = src {
                let definition = definitions.reaching_of(reg.index.into(), current).next();
                reg.index = number(definition.expect("the entry defines every register"));
            }
        }
        let definitions: Vec<usize> = numbers_of(&inst.dsts, first).collect();
        for (dst, definition) in inst.dsts.iter_mut().zip(definitions) {
            if let Dst::Reg(reg) = dst {
                reg.index = number(definition);
            }
        }
        renamed.push(inst);
    });
    if count > usize::from(u16::MAX) {
        return Err(AllocError::TooManyValues { values: count });
    }
    let mut split = kernel.clone();
    let insts = split.blocks.iter_mut().flat_map(|block| &mut block.insts);
    insts.zip(renamed).for_each(|(inst, new)| *inst = new);
    if let RegSpace::Architected { regs, .. } = &mut split.regs {
        *regs = count as u16;
    }
    Ok(split)
}

/// Number of the first definition of each destination.
fn numbers_of(dsts: &[Dst], first: usize) -> impl Iterator<Item = usize> + '_ {
    dsts.iter().scan(first, |next, dst| {
        let number = *next;
        *next += match dst {
            Dst::Reg(reg) => usize::from(reg.width.regs()),
            Dst::Pred(_) => 1,
        };
        Some(number)
    })
}
