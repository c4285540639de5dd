//! Registers that must move together, and what the choice of candidates is made by (RegDem 3.1 and 3.4.3).

use super::Strategy;
use crate::compiler::cfg::Cfg;
use crate::kernel::{BlockId, Inst, Kernel, RegSpace, Width};
use std::collections::BTreeSet;

/// A register, or an aligned pair of which some instruction names both at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The register, or the even one of the pair.
    pub base: u16,
    /// 1, or 2 for a pair.
    pub width: u16,
    /// Reads and writes in the text, words.
    pub accesses: u64,
    /// The same, ten times for each loop.
    pub weighted: u64,
    /// Groups that an instruction names together with this one, by index.
    pub conflicts: BTreeSet<usize>,
}

impl Group {
    /// Its registers.
    pub fn units(&self) -> std::ops::Range<u16> {
        self.base..self.base + self.width
    }
}

/// The groups of a kernel, by ascending register.
#[derive(Clone, Debug)]
pub struct Groups {
    /// All of them.
    pub all: Vec<Group>,
    /// Index in `all` of each register that is named.
    of: Vec<Option<usize>>,
}

impl Groups {
    /// Of a kernel over architected registers.
    pub fn of(kernel: &Kernel, cfg: &Cfg) -> Groups {
        let RegSpace::Architected { regs, .. } = kernel.regs else {
            return Groups {
                all: Vec::new(),
                of: Vec::new(),
            };
        };
        let insts = || kernel.blocks.iter().flat_map(|block| &block.insts);
        let mut paired = vec![false; usize::from(regs) / 2 + 1];
        let mut named = vec![false; usize::from(regs) + 1];
        for reg in insts().flat_map(|i| i.src_regs().chain(i.dst_regs())) {
            paired[usize::from(reg.index / 2)] |= reg.width == Width::W64;
            reg.units().for_each(|unit| named[usize::from(unit)] = true);
        }
        let mut groups = Groups {
            all: Vec::new(),
            of: vec![None; usize::from(regs) + 1],
        };
        for unit in 0..regs {
            let pair = paired[usize::from(unit / 2)];
            if !named[usize::from(unit)] || pair && unit % 2 == 1 {
                continue;
            }
            let width = if pair { 2 } else { 1 };
            for unit in unit..unit + width {
                groups.of[usize::from(unit)] = Some(groups.all.len());
            }
            groups.all.push(Group {
                base: unit,
                width,
                accesses: 0,
                weighted: 0,
                conflicts: BTreeSet::new(),
            });
        }
        for (b, block) in kernel.blocks.iter().enumerate() {
            let times = cfg.weight(BlockId(b as u32));
            for inst in &block.insts {
                groups.count(inst, times);
            }
        }
        groups
    }

    fn count(&mut self, inst: &Inst, times: u64) {
        let reads: BTreeSet<u16> = inst.src_regs().flat_map(|r| r.units()).collect();
        let writes: BTreeSet<u16> = inst.dst_regs().flat_map(|r| r.units()).collect();
        for &unit in reads.iter().chain(&writes) {
            if let Some(group) = self.index(unit) {
                self.all[group].accesses += 1;
                let weighted = &mut self.all[group].weighted;
                *weighted = weighted.saturating_add(times);
            }
        }
        let named: BTreeSet<usize> = (reads.iter().chain(&writes))
            .filter_map(|&unit| self.index(unit))
            .collect();
        for &group in &named {
            let others = named.iter().copied().filter(|&other| other != group);
            self.all[group].conflicts.extend(others);
        }
    }

    /// The group of a register.
    pub fn index(&self, unit: u16) -> Option<usize> {
        self.of.get(usize::from(unit)).copied().flatten()
    }

    /// Candidates for demotion, the first to be demoted first: ascending access counts, or conflicts (RegDem 3.4.3).
    /// Of equal ones that with the fewest accesses, then the highest register.
    pub fn candidates(&self, strategy: Strategy) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by_key(|&index| {
            let group = &self.all[index];
            // A pair gives two registers for its accesses.
            let width = u64::from(group.width);
            let by = match strategy {
                Strategy::Static => group.accesses / width,
                Strategy::LoopWeighted => group.weighted / width,
                Strategy::Conflicts => group.conflicts.len() as u64,
            };
            (by, group.accesses, std::cmp::Reverse(group.base))
        });
        order
    }

    /// The first candidates that no instruction names together, until `enough` says so of those chosen.
    pub fn choose(
        &self,
        strategy: Strategy,
        mut enough: impl FnMut(&BTreeSet<usize>) -> bool,
    ) -> BTreeSet<usize> {
        let mut chosen = BTreeSet::new();
        for candidate in self.candidates(strategy) {
            if enough(&chosen) {
                break;
            }
            if self.all[candidate].conflicts.is_disjoint(&chosen) {
                chosen.insert(candidate);
            }
        }
        chosen
    }
}
