//! Which registers of a warp may be mapped where: from the first write to the release.
//!
//! The sides of a divergent branch run one after the other, so what the first leaves mapped still is when the second begins:
//! the graph has an edge from each block that ends a divergent region to the other sides of its branch.

use fixedbitset::FixedBitSet;

use super::{BANKS, operands};
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Liveness;
use crate::kernel::{Block, BlockId, Kernel};

/// The solution.
pub(super) struct Mapped {
    /// Per block, the registers that have died on the way to it; empty but at reconvergence points.
    pub released_at_start: Vec<FixedBitSet>,
    /// Most registers mapped at once, of each bank.
    pub most_in_bank: [u16; BANKS],
    /// And of all banks.
    pub most: u16,
    /// Registers mapped, mean over the instructions, each counted ten times for each loop around it.
    pub mean: f64,
}

/// Blocks from which a warp may go on with each block.
fn predecessors(cfg: &Cfg) -> Vec<Vec<usize>> {
    let id = |block: usize| BlockId(block as u32);
    let mut preds: Vec<Vec<usize>> = (0..cfg.len())
        .map(|b| {
            (cfg.preds(id(b)).iter())
                .map(|pred| pred.0 as usize)
                .collect()
        })
        .collect();
    for branch in (0..cfg.len()).filter(|&b| cfg.is_conditional(id(b))) {
        let meet = cfg.reconvergence(id(branch));
        let region = cfg.divergent_region(id(branch));
        for last in region.ones() {
            let succs = cfg.succs(id(last));
            if succs.is_empty() || succs.iter().any(|&to| Some(to) == meet) {
                for side in cfg.succs(id(branch)) {
                    preds[side.0 as usize].push(last);
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
    mut look: impl FnMut(&FixedBitSet),
) -> FixedBitSet {
    for (inst, &flags) in block.insts.iter().zip(sources) {
        let written = inst.dst_regs().flat_map(crate::kernel::Reg::units);
        for reg in written.filter(|&reg| reg >= exempt) {
            mapped.insert(reg.into());
        }
        look(&mapped);
        for reg in operands::released(inst, flags) {
            mapped.remove(reg.into());
        }
    }
    mapped
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
    let preds = predecessors(cfg);
    let mut out = vec![empty.clone(); cfg.len()];
    let mut arriving = vec![empty; cfg.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for b in 0..cfg.len() {
            for &pred in &preds[b] {
                let behind = out[pred].clone();
                arriving[b].union_with(&behind);
            }
            let mut mapped = arriving[b].clone();
            if meets.contains(b) {
                mapped.intersect_with(&alive[b]);
            }
            let after = through(&kernel.blocks[b], &sources[b], exempt, mapped, |_| {});
            if after != out[b] {
                out[b] = after;
                changed = true;
            }
        }
    }
    let mut solution = Mapped {
        released_at_start: Vec::with_capacity(cfg.len()),
        most_in_bank: [0; BANKS],
        most: 0,
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
        through(&kernel.blocks[b], &sources[b], exempt, arrived, |mapped| {
            solution.count(mapped);
            sum += times * mapped.count_ones(..) as f64;
            weights += times;
        });
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
