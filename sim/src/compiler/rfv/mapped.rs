//! Which registers of a warp may be mapped where: from the first write to the release.
//!
//! The sides of a divergent branch run one after the other, so what the first leaves mapped still is when the second begins:
//! the graph has an edge from each block that ends a divergent region to the other sides of its branch. Where all lanes that run
//! leave at an exit, also in the middle of a block, those go on that wait at a side or at the end of any region around it.

use fixedbitset::FixedBitSet;

use super::{BANKS, operands};
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Liveness;
use crate::kernel::{Block, BlockId, Inst, Kernel, Op};

/// The solution.
pub(super) struct Mapped {
    /// Per block, the registers that have died on the way to it; empty but at reconvergence points.
    pub released_at_start: Vec<FixedBitSet>,
    /// Most registers mapped at once, of each bank.
    pub most_in_bank: [u16; BANKS],
    /// And of all banks.
    pub most: u16,
    /// Exits of each block, by number of instruction, with what may be mapped there.
    pub exits: Vec<Vec<(usize, FixedBitSet)>>,
    /// Registers mapped, mean over the instructions, each counted ten times for each loop around it.
    pub mean: f64,
}

/// How a warp may come to a block.
#[derive(Clone, Default)]
struct Before {
    /// From the end of these blocks.
    ends: Vec<usize>,
    /// From an exit in these.
    exits: Vec<usize>,
}

/// How a warp may come to each block.
fn predecessors(kernel: &Kernel, cfg: &Cfg) -> Vec<Before> {
    let id = |block: usize| BlockId(block as u32);
    let mut preds: Vec<Before> = (0..cfg.len())
        .map(|b| Before {
            ends: (cfg.preds(id(b)).iter())
                .map(|pred| pred.0 as usize)
                .collect(),
            exits: Vec::new(),
        })
        .collect();
    let has_exit = |block: usize| {
        let mut insts = kernel.blocks[block].insts.iter();
        insts.any(|inst| inst.op == Op::Exit)
    };
    for branch in (0..cfg.len()).filter(|&b| cfg.is_conditional(id(b))) {
        let meet = cfg.reconvergence(id(branch));
        let region = cfg.divergent_region(id(branch));
        for last in region.ones() {
            let sides = cfg.succs(id(branch));
            if cfg.succs(id(last)).iter().any(|&to| Some(to) == meet) {
                for side in sides {
                    preds[side.0 as usize].ends.push(last);
                }
            }
            if has_exit(last) {
                for place in sides.iter().chain(&meet) {
                    preds[place.0 as usize].exits.push(last);
                }
            }
        }
    }
    preds
}

/// Calls `look` with what is mapped while each instruction is taken in, and gives what is mapped behind the block.
fn through(
    block: &Block,
    sources: &[u8],
    exempt: u16,
    mut mapped: FixedBitSet,
    mut look: impl FnMut(&Inst, &FixedBitSet),
) -> FixedBitSet {
    for (inst, &flags) in block.insts.iter().zip(sources) {
        let written = inst.dst_regs().flat_map(crate::kernel::Reg::units);
        for reg in written.filter(|&reg| reg >= exempt) {
            mapped.insert(reg.into());
        }
        look(inst, &mapped);
        for reg in operands::released(inst, flags) {
            mapped.remove(reg.into());
        }
    }
    mapped
}

/// Every register that the kernel writes and that the table holds.
pub(super) fn written(kernel: &Kernel, exempt: u16) -> FixedBitSet {
    let insts = kernel.blocks.iter().flat_map(|block| &block.insts);
    let units = insts.flat_map(|inst| inst.dst_regs().flat_map(crate::kernel::Reg::units));
    units
        .filter(|&reg| reg >= exempt)
        .map(usize::from)
        .collect()
}

/// Solves it for the flags of the sources; registers below `exempt` are never mapped.
pub(super) fn solve(
    kernel: &Kernel,
    cfg: &Cfg,
    live: &Liveness,
    sources: &[Vec<u8>],
    exempt: u16,
) -> Mapped {
    let regs = live.domain().regs();
    let empty = FixedBitSet::with_capacity(regs);
    let mut alive: Vec<FixedBitSet> = Vec::with_capacity(cfg.len());
    for b in 0..cfg.len() {
        let mut set = empty.clone();
        set.extend(
            live.reg_indices_before(BlockId(b as u32), 0)
                .map(usize::from),
        );
        alive.push(set);
    }
    let mut meets = FixedBitSet::with_capacity(cfg.len());
    meets.extend((0..cfg.len()).filter_map(|b| {
        let meet = cfg.reconvergence(BlockId(b as u32));
        meet.map(|meet| meet.0 as usize)
    }));
    let preds = predecessors(kernel, cfg);
    let mut out = vec![empty.clone(); cfg.len()];
    let mut at_exits = out.clone();
    let mut arriving = vec![empty; cfg.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for b in 0..cfg.len() {
            for &pred in &preds[b].ends {
                arriving[b].union_with(&out[pred]);
            }
            for &pred in &preds[b].exits {
                arriving[b].union_with(&at_exits[pred]);
            }
            let mut mapped = arriving[b].clone();
            if meets.contains(b) {
                mapped.intersect_with(&alive[b]);
            }
            let mut at_exit = FixedBitSet::with_capacity(regs);
            let look = |inst: &Inst, mapped: &FixedBitSet| {
                if inst.op == Op::Exit {
                    at_exit.union_with(mapped);
                }
            };
            let after = through(&kernel.blocks[b], &sources[b], exempt, mapped, look);
            changed |= after != out[b] || at_exit != at_exits[b];
            (out[b], at_exits[b]) = (after, at_exit);
        }
    }
    let mut solution = Mapped {
        released_at_start: Vec::with_capacity(cfg.len()),
        most_in_bank: [0; BANKS],
        most: 0,
        exits: Vec::with_capacity(cfg.len()),
        mean: 0.0,
    };
    let (mut sum, mut weights) = (0.0, 0.0);
    for (b, mut arrived) in arriving.into_iter().enumerate() {
        solution.count(&arrived);
        let mut dead = arrived.clone();
        dead.difference_with(&alive[b]);
        if !meets.contains(b) {
            dead.clear();
        }
        arrived.difference_with(&dead);
        solution.released_at_start.push(dead);
        let times = cfg.weight(BlockId(b as u32)) as f64;
        let (mut exits, mut next) = (Vec::new(), 0..);
        through(
            &kernel.blocks[b],
            &sources[b],
            exempt,
            arrived,
            |inst, mapped| {
                // An exit reads no register.
                let at = next.next().filter(|_| inst.op == Op::Exit);
                exits.extend(at.map(|at| (at, mapped.clone())));
                solution.count(mapped);
                sum += times * mapped.count_ones(..) as f64;
                weights += times;
            },
        );
        solution.exits.push(exits);
    }
    solution.mean = sum / f64::max(weights, 1.0);
    solution
}

impl Mapped {
    fn count(&mut self, mapped: &FixedBitSet) {
        self.most = self.most.max(mapped.count_ones(..) as u16);
        for (bank, most) in self.most_in_bank.iter_mut().enumerate() {
            let here = mapped.ones().filter(|reg| reg % BANKS == bank).count();
            *most = (*most).max(here as u16);
        }
    }
}
