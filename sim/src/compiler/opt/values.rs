//! Registers that have one definition, and where it is.

use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Point;
use crate::kernel::{BlockId, Dst, Inst, Kernel, RegSpace};

/// Definitions of every virtual register and predicate.
pub struct Values {
    regs: Vec<Definition>,
}

#[derive(Clone, Copy, PartialEq)]
enum Definition {
    None,
    One(Point),
    Many,
}

impl Values {
    pub fn of(kernel: &Kernel) -> Self {
        let regs = match kernel.regs {
            RegSpace::Virtual { regs, .. } | RegSpace::Architected { regs, .. } => regs,
        };
        let mut values = Values {
            regs: vec![Definition::None; usize::from(regs)],
        };
        for (b, block) in kernel.blocks.iter().enumerate() {
            for (inst, i) in block.insts.iter().zip(0..) {
                let point = Point {
                    block: BlockId(b as u32),
                    inst: i,
                };
                for dst in &inst.dsts {
                    if let Dst::Reg(r) = dst {
                        let known = &mut values.regs[usize::from(r.index)];
                        *known = match known {
                            Definition::None if inst.guard.is_none() => Definition::One(point),
                            _ => Definition::Many,
                        };
                    }
                }
            }
        }
        values
    }

    /// The only definition of a register, if it has one and that is unguarded.
    pub fn definition(&self, reg: u16) -> Option<Point> {
        match self.regs.get(usize::from(reg)) {
            Some(Definition::One(point)) => Some(*point),
            _ => None,
        }
    }

    /// The only definition of a register, where it comes before `at` on every path to it. What the definition
    /// itself reads has the same value at `at` as it had at the definition, if that too has one definition which
    /// comes before this one: a definition further on in a loop would have run again in between.
    pub fn definition_before(&self, reg: u16, at: Point, cfg: &Cfg) -> Option<Point> {
        self.definition(reg).filter(|d| {
            if d.block == at.block {
                d.inst < at.inst
            } else {
                cfg.dominates(d.block, at.block)
            }
        })
    }
}

/// The instruction at a point.
pub fn inst_at(kernel: &Kernel, point: Point) -> &Inst {
    &kernel.blocks[point.block.0 as usize].insts[point.inst]
}

/// Every instruction, in program order.
pub fn points(kernel: &Kernel) -> Vec<Point> {
    let in_block = |(b, block): (usize, &crate::kernel::Block)| {
        (0..block.insts.len())
            .map(move |inst| Point {
                block: BlockId(b as u32),
                inst,
            })
            .collect::<Vec<_>>()
    };
    kernel
        .blocks
        .iter()
        .enumerate()
        .flat_map(in_block)
        .collect()
}
