//! Values of a kernel over architected registers, each in registers of its own.
//!
//! The compiler of the kernel put one value after the other into the same register. Here definitions are tied by common uses, as
//! the webs of [`super::super::regalloc`] are, but 32-bit register by register: of a pair some instructions name one half. Halves
//! that an instruction names as a pair stay a pair.

use crate::compiler::cfg::Cfg;
use crate::compiler::regalloc::AllocError;
use crate::kernel::{BlockId, Dst, Inst, Kernel, Operand, Reg, RegSpace, Width};
use fixedbitset::FixedBitSet;
use petgraph::unionfind::UnionFind;

/// The kernel with renamed registers: a value has an even number, and if it is a pair the odd one behind it. Names of values of 32 bits
/// keep the parity that they had.
///
/// # Errors
/// [`AllocError::TooManyValues`].
pub fn split(kernel: &Kernel, cfg: &Cfg) -> Result<Kernel, AllocError> {
    let definitions = Definitions::of(kernel);
    let reaching = definitions.reaching(kernel, cfg);
    let mut values = UnionFind::<usize>::new(definitions.unit.len());
    definitions.visit(kernel, &reaching, |current, inst, first| {
        for reg in inst.src_regs() {
            let mut pair = reg.units().map(|unit| {
                let mut tied = definitions.reaching_of(unit, current);
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
        let mut next = first;
        for reg in inst.dst_regs() {
            if reg.width == Width::W64 {
                values.union(next, next + 1);
            }
            next += usize::from(reg.width.regs());
        }
    });

    let mut numbers = vec![None; definitions.unit.len()];
    let mut count = 0usize;
    let mut number = |definition: usize| {
        let root = values.find_mut(definition);
        let base = *numbers[root].get_or_insert_with(|| {
            count += 2;
            count - 2
        });
        // Too many are found out at the end.
        (base as u16).wrapping_add(definitions.unit[definition] % 2)
    };
    let mut renamed = Vec::new();
    definitions.visit(kernel, &reaching, |current, inst, first| {
        let mut inst = inst.clone();
        for src in &mut inst.srcs {
            if let Operand::Reg(reg) = src {
                let definition = definitions.reaching_of(reg.index, current).next();
                reg.index = number(definition.expect("the entry defines every register"));
            }
        }
        let mut next = first;
        for dst in &mut inst.dsts {
            if let Dst::Reg(reg) = dst {
                reg.index = number(next);
                next += usize::from(reg.width.regs());
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

/// Every definition of a 32-bit register: first those of the entry, which gives each register what it has then; then in program
/// order.
struct Definitions {
    /// Which register each defines.
    unit: Vec<u16>,
    /// Those of each register, ascending.
    of_unit: Vec<Vec<usize>>,
    /// Number of the first definition of each block.
    first_in_block: Vec<usize>,
}

fn written(inst: &Inst) -> impl Iterator<Item = u16> + '_ {
    inst.dst_regs().flat_map(Reg::units)
}

impl Definitions {
    fn of(kernel: &Kernel) -> Self {
        let insts = || kernel.blocks.iter().flat_map(|block| &block.insts);
        let named = insts().flat_map(|inst| inst.src_regs().chain(inst.dst_regs()));
        let units = named.flat_map(Reg::units).max().map_or(0, |last| last + 1);
        let mut all = Definitions {
            unit: (0..units).collect(),
            of_unit: (0..usize::from(units)).map(|unit| vec![unit]).collect(),
            first_in_block: Vec::new(),
        };
        for block in &kernel.blocks {
            all.first_in_block.push(all.unit.len());
            for unit in block.insts.iter().flat_map(written) {
                all.of_unit[usize::from(unit)].push(all.unit.len());
                all.unit.push(unit);
            }
        }
        all
    }

    fn reaching_of(&self, unit: u16, current: &FixedBitSet) -> impl Iterator<Item = usize> {
        let all = self.of_unit[usize::from(unit)].iter().copied();
        all.filter(|&definition| current.contains(definition))
    }

    /// The definitions that reach the start of each block.
    fn reaching(&self, kernel: &Kernel, cfg: &Cfg) -> Vec<FixedBitSet> {
        let mut reaching = vec![FixedBitSet::with_capacity(self.unit.len()); cfg.len()];
        let at_entry = self.first_in_block.first().copied().unwrap_or(0);
        for (block, before) in reaching.iter_mut().enumerate() {
            if block == 0 || !cfg.is_reachable(BlockId(block as u32)) {
                before.insert_range(..at_entry);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &block in cfg.reverse_postorder() {
                let mut current = reaching[block.0 as usize].clone();
                let mut next = self.first_in_block[block.0 as usize];
                for inst in &kernel.blocks[block.0 as usize].insts {
                    self.step(inst, &mut next, &mut current);
                }
                for succ in cfg.succs(block) {
                    let into = &mut reaching[succ.0 as usize];
                    if !current.is_subset(into) {
                        into.union_with(&current);
                        changed = true;
                    }
                }
            }
        }
        reaching
    }

    /// Calls `f` with the definitions that reach each instruction, the instruction, and the number of its first definition.
    fn visit(
        &self,
        kernel: &Kernel,
        reaching: &[FixedBitSet],
        mut f: impl FnMut(&FixedBitSet, &Inst, usize),
    ) {
        for (b, block) in kernel.blocks.iter().enumerate() {
            let mut current = reaching[b].clone();
            let mut next = self.first_in_block[b];
            for inst in &block.insts {
                f(&current, inst, next);
                self.step(inst, &mut next, &mut current);
            }
        }
    }

    fn step(&self, inst: &Inst, next: &mut usize, current: &mut FixedBitSet) {
        for unit in written(inst) {
            if inst.guard.is_none() {
                for &definition in &self.of_unit[usize::from(unit)] {
                    current.set(definition, false);
                }
            }
            current.insert(*next);
            *next += 1;
        }
    }
}
