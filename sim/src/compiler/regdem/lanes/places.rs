//! What can hold a value: registers, predicates, and the words in memory in which the compiler keeps a register, so that
//! an address that was spilled or demoted is known again when it comes back.

use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Domain;
use crate::kernel::op::{Mem, Space};
use crate::kernel::{BlockId, Inst, Kernel, Op, Operand, Reg};
use fixedbitset::FixedBitSet;
use std::collections::BTreeMap;

/// A word that all threads find at an address of their own that never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    shared: bool,
    /// The register with the address, or none if there is only the offset.
    base: Option<u16>,
    offset: i64,
    bytes: u32,
}

/// The places of a kernel: those of its [`Domain`], cells behind them.
pub struct Places {
    domain: Domain,
    cells: BTreeMap<Cell, usize>,
}

impl Places {
    /// Of a kernel.
    pub fn of(kernel: &Kernel, cfg: &Cfg) -> Places {
        let domain = Domain::of(kernel);
        let fixed = fixed(kernel, cfg, &domain);
        let mut cells = BTreeMap::new();
        for inst in kernel.blocks.iter().flat_map(|block| &block.insts) {
            let cell = cell(inst).filter(|c| c.base.is_none_or(|base| fixed.contains(base.into())));
            if let Some(cell) = cell {
                let next = domain.len() + cells.len();
                cells.entry(cell).or_insert(next);
            }
        }
        Places { domain, cells }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.domain.len() + self.cells.len()
    }

    /// The one or two places of a register, the lower half first.
    pub fn reg(&self, reg: Reg) -> std::ops::Range<usize> {
        self.domain.reg_bits(reg)
    }

    /// That of a predicate.
    pub fn pred(&self, pred: crate::kernel::Pred) -> usize {
        self.domain.pred_bit(pred)
    }

    /// That which a load reads or a store writes, if it is one.
    pub fn cell(&self, inst: &Inst) -> Option<usize> {
        self.cells.get(&cell(inst)?).copied()
    }

    /// What an instruction writes.
    pub fn written(&self, inst: &Inst, mut f: impl FnMut(usize)) {
        self.domain.for_defs(inst, &mut f);
        if let (Op::St(_), Some(cell)) = (inst.op, self.cell(inst)) {
            f(cell);
        }
    }
}

fn cell(inst: &Inst) -> Option<Cell> {
    let (Op::Ld(mem) | Op::St(mem)) = inst.op else {
        return None;
    };
    let Mem { space, vec: 1, .. } = mem else {
        return None;
    };
    let (base, from) = match inst.srcs.first()? {
        Operand::Imm(address) => (None, *address as i64),
        Operand::Reg(reg) => (Some(reg.index), 0),
        _ => return None,
    };
    // Scratchpad at a constant address is everybody's.
    let own = space == Space::Local || space == Space::Shared && base.is_some();
    own.then_some(Cell {
        shared: space == Space::Shared,
        base,
        offset: from.wrapping_add(mem.offset),
        bytes: mem.ty.size_bytes(),
    })
}

/// Registers that are written at the entry only, and not after an address was taken from them.
fn fixed(kernel: &Kernel, cfg: &Cfg, domain: &Domain) -> FixedBitSet {
    let mut fixed = domain.empty_set();
    if !cfg.preds(BlockId(0)).is_empty() {
        return fixed;
    }
    fixed.insert_range(..domain.regs());
    let mut used = domain.empty_set();
    for (number, block) in kernel.blocks.iter().enumerate() {
        for inst in &block.insts {
            domain.for_defs(inst, |bit| {
                if number > 0 || used.contains(bit) {
                    fixed.set(bit, false);
                }
            });
            if let Some(base) = cell(inst).and_then(|cell| cell.base) {
                used.insert(base.into());
            }
        }
    }
    fixed
}
