//! What a bit of a liveness set stands for, and what one instruction reads and writes.

use fixedbitset::FixedBitSet;

use crate::kernel::{Dst, Inst, Kernel, Operand, Pred, Reg, RegSpace, Width};

/// The bits of a liveness set: registers first, then predicates.
///
/// In virtual register space a register bit is one virtual register and counts as one or two 32-bit registers by
/// its width. In architected space it is one 32-bit register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    virtual_space: bool,
    size_regs: Vec<u16>,
    preds: usize,
}

impl Domain {
    /// The domain of a kernel: its register space, grown to cover every register that an instruction names.
    pub fn of(kernel: &Kernel) -> Self {
        let (virtual_space, regs, preds) = match kernel.regs {
            RegSpace::Virtual { regs, preds } => (true, regs, preds),
            RegSpace::Architected { regs, preds } => (false, regs, preds),
        };
        let mut domain = Domain {
            virtual_space,
            size_regs: vec![1; usize::from(regs)],
            preds: usize::from(preds),
        };
        for inst in kernel.blocks.iter().flat_map(|b| &b.insts) {
            for reg in inst.src_regs().chain(inst.dst_regs()) {
                domain.cover(reg);
            }
            for pred in inst.src_preds().chain(inst.dst_preds()) {
                domain.preds = domain.preds.max(usize::from(pred.0) + 1);
            }
        }
        domain
    }

    fn cover(&mut self, reg: Reg) {
        let units = if self.virtual_space {
            1
        } else {
            reg.width.regs()
        };
        let end = usize::from(reg.index + units);
        if self.size_regs.len() < end {
            self.size_regs.resize(end, 1);
        }
        if self.virtual_space && reg.width == Width::W64 {
            self.size_regs[usize::from(reg.index)] = 2;
        }
    }

    /// Number of register bits.
    pub fn regs(&self) -> usize {
        self.size_regs.len()
    }

    /// Number of predicate bits.
    pub fn preds(&self) -> usize {
        self.preds
    }

    /// Number of bits.
    pub fn len(&self) -> usize {
        self.regs() + self.preds
    }

    /// Whether the kernel names no register at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An empty set.
    pub fn empty_set(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.len())
    }

    /// The bits of a register: one in virtual space, one or two in architected space.
    pub fn reg_bits(&self, reg: Reg) -> std::ops::Range<usize> {
        let first = usize::from(reg.index);
        let units = if self.virtual_space {
            1
        } else {
            reg.width.regs()
        };
        first..first + usize::from(units)
    }

    /// The bit of a predicate.
    pub fn pred_bit(&self, pred: Pred) -> usize {
        self.regs() + usize::from(pred.0)
    }

    /// Calls `f` with every bit that the instruction reads, its guard with them.
    pub fn for_uses(&self, inst: &Inst, mut f: impl FnMut(usize)) {
        inst.src_regs()
            .flat_map(|r| self.reg_bits(r))
            .for_each(&mut f);
        inst.src_preds().for_each(|p| f(self.pred_bit(p)));
    }

    /// Calls `f` with every bit that the instruction writes.
    pub fn for_defs(&self, inst: &Inst, mut f: impl FnMut(usize)) {
        inst.dst_regs()
            .flat_map(|r| self.reg_bits(r))
            .for_each(&mut f);
        inst.dst_preds().for_each(|p| f(self.pred_bit(p)));
    }

    /// How many 32-bit registers the set holds.
    pub fn count_regs(&self, set: &FixedBitSet) -> usize {
        set.ones()
            .take_while(|&bit| bit < self.regs())
            .map(|bit| usize::from(self.size_regs[bit]))
            .sum()
    }

    /// How many predicates the set holds.
    pub fn count_preds(&self, set: &FixedBitSet) -> usize {
        set.count_ones(self.regs()..self.len())
    }

    /// The register indices of a set, ascending: virtual registers, or 32-bit architected ones.
    pub fn reg_indices<'s>(&self, set: &'s FixedBitSet) -> impl Iterator<Item = u16> + 's {
        let regs = self.regs();
        set.ones()
            .take_while(move |&bit| bit < regs)
            .map(|b| b as u16)
    }

    /// The predicates of a set, ascending.
    pub fn pred_indices<'s>(&self, set: &'s FixedBitSet) -> impl Iterator<Item = Pred> + 's {
        let regs = self.regs();
        set.ones()
            .skip_while(move |&bit| bit < regs)
            .map(move |bit| Pred((bit - regs) as u16))
    }
}

impl Inst {
    /// Registers that it reads, in operand order.
    pub fn src_regs(&self) -> impl Iterator<Item = Reg> {
        self.srcs.iter().filter_map(|s| match s {
            Operand::Reg(r) => Some(*r),
            _ => None,
        })
    }

    /// Predicates that it reads: the guard first, then operands in order.
    pub fn src_preds(&self) -> impl Iterator<Item = Pred> {
        let operands = self.srcs.iter().filter_map(|s| match s {
            Operand::Pred { pred, .. } => Some(*pred),
            _ => None,
        });
        self.guard.map(|g| g.pred).into_iter().chain(operands)
    }

    /// Registers that it writes, in operand order.
    pub fn dst_regs(&self) -> impl Iterator<Item = Reg> {
        self.dsts.iter().filter_map(|d| match d {
            Dst::Reg(r) => Some(*r),
            Dst::Pred(_) => None,
        })
    }

    /// Predicates that it writes, in operand order.
    pub fn dst_preds(&self) -> impl Iterator<Item = Pred> {
        self.dsts.iter().filter_map(|d| match d {
            Dst::Pred(p) => Some(*p),
            Dst::Reg(_) => None,
        })
    }
}
