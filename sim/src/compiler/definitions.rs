//! Which definitions of a register or predicate reach which instruction.

use super::cfg::Cfg;
use super::liveness::Domain;
use crate::kernel::{BlockId, Dst, Inst, Kernel};
use fixedbitset::FixedBitSet;

/// Every definition of a bit of the liveness domain, numbered in program order; before them those of the entry, if it counts.
pub(super) struct Definitions<'d> {
    domain: &'d Domain,
    /// Which bit each defines.
    pub variable: Vec<usize>,
    /// The definitions of each bit, ascending.
    pub of_variable: Vec<Vec<usize>>,
    /// Number of the first definition of each block.
    first_in_block: Vec<usize>,
}

impl<'d> Definitions<'d> {
    /// Those of the instructions.
    pub fn of(kernel: &Kernel, domain: &'d Domain) -> Self {
        let none = Definitions {
            domain,
            variable: Vec::new(),
            of_variable: vec![Vec::new(); domain.len()],
            first_in_block: Vec::new(),
        };
        none.with_insts(kernel)
    }

    /// Those of the entry, which gives every bit what it has then, and those of the instructions.
    pub fn with_entry(kernel: &Kernel, domain: &'d Domain) -> Self {
        let of_entry = Definitions {
            domain,
            variable: (0..domain.len()).collect(),
            of_variable: (0..domain.len()).map(|bit| vec![bit]).collect(),
            first_in_block: Vec::new(),
        };
        of_entry.with_insts(kernel)
    }

    fn with_insts(mut self, kernel: &Kernel) -> Self {
        for block in &kernel.blocks {
            self.first_in_block.push(self.variable.len());
            for bit in block
                .insts
                .iter()
                .flat_map(|inst| &inst.dsts)
                .flat_map(bits(self.domain))
            {
                self.of_variable[bit].push(self.variable.len());
                self.variable.push(bit);
            }
        }
        self
    }

    /// Those of a bit that are among `current`.
    pub fn reaching_of(&self, bit: usize, current: &FixedBitSet) -> impl Iterator<Item = usize> {
        let all = self.of_variable[bit].iter().copied();
        all.filter(|&definition| current.contains(definition))
    }

    /// The definitions that reach the start of each block; the entry's also those that no path leads to.
    pub fn reaching(&self, kernel: &Kernel, cfg: &Cfg) -> Vec<FixedBitSet> {
        let mut reaching = vec![FixedBitSet::with_capacity(self.variable.len()); cfg.len()];
        let of_entry = ..self.first_in_block.first().copied().unwrap_or(0);
        for (block, before) in reaching.iter_mut().enumerate() {
            if block == 0 || !cfg.is_reachable(BlockId(block as u32)) {
                before.insert_range(of_entry);
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

    /// Calls `f` in program order with the definitions that reach an instruction, the instruction, and the number of its first
    /// definition.
    pub fn visit(
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
        for bit in inst.dsts.iter().flat_map(bits(self.domain)) {
            if inst.guard.is_none() {
                for &definition in &self.of_variable[bit] {
                    current.set(definition, false);
                }
            }
            current.insert(*next);
            *next += 1;
        }
    }
}

/// The bits of a destination.
fn bits(domain: &Domain) -> impl Fn(&Dst) -> std::ops::Range<usize> {
    |dst| match dst {
        Dst::Reg(reg) => domain.reg_bits(*reg),
        Dst::Pred(pred) => domain.pred_bit(*pred)..domain.pred_bit(*pred) + 1,
    }
}
