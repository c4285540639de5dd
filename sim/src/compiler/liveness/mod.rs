//! Liveness per instruction, of a thread and of a warp.
//!
//! Per thread ([`Liveness::per_thread`]), for register allocation: a register is live where the thread may still
//! read the value in it.
//!
//! Warp-wide ([`Liveness::warp_wide`]; RegMutex III-A1), for everything that takes a whole 32-lane register away
//! from a warp: the sides of a divergent branch run one after the other, so while one side runs, lanes wait at the
//! start of the other and at the reconvergence point. A register that is live at the start of any side, or at the
//! reconvergence point, is therefore live in the whole divergent region ([`Cfg::divergent_region`]). That covers
//! a register defined before the branch and read on one side, one defined on one side and read after
//! reconvergence, and a value that lanes carry out of a loop in which others still iterate.
//! Every conditional branch counts as divergent unless [`WarpOptions::prove_uniform`] is on and the branch is proved
//! uniform (see [`uniform`]).

mod calls;
mod domain;
mod thread;
pub mod uniform;
mod warp;

use fixedbitset::FixedBitSet;

pub use domain::Domain;

use super::cfg::Cfg;
use crate::kernel::{BlockId, Kernel, Op, Pred};

/// Options of warp-wide liveness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarpOptions {
    /// Leave out branches that are proved to go the same way in all lanes. Off by default: RegMutex does not.
    pub prove_uniform: bool,
}

/// An instruction: block and index in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The block.
    pub block: BlockId,
    /// Index in the block, from 0.
    pub inst: usize,
}

/// Live sets before and after every instruction of a kernel.
#[derive(Clone, Debug)]
pub struct Liveness {
    domain: Domain,
    /// Per block: before each instruction, then behind the last.
    points: Vec<Vec<FixedBitSet>>,
    /// Per block and instruction: 32-bit registers that it writes and that are dead behind it.
    dead_written_regs: Vec<Vec<u16>>,
    barriers: Vec<Point>,
}

impl Liveness {
    /// Liveness of one thread.
    pub fn per_thread(kernel: &Kernel, cfg: &Cfg) -> Self {
        let domain = Domain::of(kernel);
        let sets = thread::solve(kernel, cfg, &domain);
        let points = kernel
            .blocks
            .iter()
            .zip(sets.live_in.iter().zip(&sets.live_out))
            .map(|(block, (live_in, live_out))| {
                thread::within_block(&domain, block, live_in, live_out)
            })
            .collect();
        Self::from_points(kernel, domain, points)
    }

    /// Liveness of one thread that runs the functions of the kernel, too: for people. Passes allocate and rewrite what calls nothing.
    pub fn with_calls(kernel: &Kernel, cfg: &Cfg) -> Self {
        let domain = Domain::of(kernel);
        let points = calls::Functions::of(kernel, cfg, &domain).map(|functions| functions.points());
        match points {
            Some(points) => Self::from_points(kernel, domain, points),
            None => Self::per_thread(kernel, cfg),
        }
    }

    /// Liveness of a warp whose lanes may diverge.
    pub fn warp_wide(kernel: &Kernel, cfg: &Cfg, options: WarpOptions) -> Self {
        let is_run = |block| cfg.is_reachable(block);
        Self::widened(Self::per_thread(kernel, cfg), kernel, cfg, options, is_run)
    }

    /// As [`Liveness::warp_wide`], in the functions of the kernel, too ([`Liveness::with_calls`]). Lanes that wait in a caller while others
    /// are in a function do not count there.
    pub fn warp_wide_with_calls(kernel: &Kernel, cfg: &Cfg, options: WarpOptions) -> Self {
        let domain = Domain::of(kernel);
        let functions = calls::Functions::of(kernel, cfg, &domain);
        let in_function = |block| functions.as_ref().is_some_and(|f| f.has(block));
        let is_run = |block| cfg.is_reachable(block) || in_function(block);
        Self::widened(Self::with_calls(kernel, cfg), kernel, cfg, options, is_run)
    }

    fn widened(
        mut liveness: Self,
        kernel: &Kernel,
        cfg: &Cfg,
        options: WarpOptions,
        is_run: impl Fn(BlockId) -> bool,
    ) -> Self {
        let uniform = if options.prove_uniform {
            uniform::uniform_branches(kernel, cfg)
        } else {
            FixedBitSet::with_capacity(cfg.len())
        };
        let waiting = warp::held_by_waiting_lanes(&liveness, cfg, &uniform, is_run);
        for (points, waiting) in liveness.points.iter_mut().zip(&waiting) {
            for point in points {
                point.union_with(waiting);
            }
        }
        Self::from_points(kernel, liveness.domain, liveness.points)
    }

    fn from_points(kernel: &Kernel, domain: Domain, points: Vec<Vec<FixedBitSet>>) -> Self {
        let mut dead_written_regs = Vec::with_capacity(points.len());
        let mut barriers = Vec::new();
        for (b, (block, points)) in kernel.blocks.iter().zip(&points).enumerate() {
            let mut dead_in_block = Vec::with_capacity(block.insts.len());
            for (i, inst) in block.insts.iter().enumerate() {
                let mut dead = domain.empty_set();
                domain.for_defs(inst, |bit| dead.insert(bit));
                dead.difference_with(&points[i + 1]);
                dead_in_block.push(domain.count_regs(&dead) as u16);
                if matches!(inst.op, Op::Bar(_)) {
                    barriers.push(Point {
                        block: BlockId(b as u32),
                        inst: i,
                    });
                }
            }
            dead_written_regs.push(dead_in_block);
        }
        Liveness {
            domain,
            points,
            dead_written_regs,
            barriers,
        }
    }

    /// What the bits of the sets stand for.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Live before instruction `inst` of `block`; with `inst` = the number of instructions, behind the last.
    ///
    /// # Panics
    /// If there is no such instruction.
    pub fn before(&self, block: BlockId, inst: usize) -> &FixedBitSet {
        &self.points[block.0 as usize][inst]
    }

    /// Live behind instruction `inst` of `block`.
    ///
    /// # Panics
    /// If there is no such instruction.
    pub fn after(&self, block: BlockId, inst: usize) -> &FixedBitSet {
        &self.points[block.0 as usize][inst + 1]
    }

    /// Live at the start of a block.
    pub fn live_in(&self, block: BlockId) -> &FixedBitSet {
        &self.points[block.0 as usize][0]
    }

    /// Live at the end of a block.
    pub fn live_out(&self, block: BlockId) -> &FixedBitSet {
        &self.points[block.0 as usize][self.points[block.0 as usize].len() - 1]
    }

    /// 32-bit registers live before an instruction.
    pub fn live_regs_before(&self, block: BlockId, inst: usize) -> usize {
        self.domain.count_regs(self.before(block, inst))
    }

    /// 32-bit registers live behind an instruction.
    pub fn live_regs_after(&self, block: BlockId, inst: usize) -> usize {
        self.domain.count_regs(self.after(block, inst))
    }

    /// 32-bit registers that an instruction needs: what is live before it, or behind it together with what it
    /// writes though nobody reads it, whichever is more. A result may take the place of a source that dies.
    pub fn regs_needed(&self, block: BlockId, inst: usize) -> usize {
        let dead = usize::from(self.dead_written_regs[block.0 as usize][inst]);
        self.live_regs_before(block, inst)
            .max(self.live_regs_after(block, inst) + dead)
    }

    /// Most 32-bit registers that any instruction needs: no allocation has fewer.
    pub fn max_live_regs(&self) -> usize {
        self.instructions()
            .map(|p| self.regs_needed(p.block, p.inst))
            .max()
            .unwrap_or(0)
    }

    /// Mean number of 32-bit registers live before an instruction, over the static instructions.
    pub fn mean_live_regs(&self) -> f64 {
        let counts: Vec<usize> = self
            .instructions()
            .map(|p| self.live_regs_before(p.block, p.inst))
            .collect();
        counts.iter().sum::<usize>() as f64 / counts.len().max(1) as f64
    }

    /// Most predicates live at any point.
    pub fn max_live_preds(&self) -> usize {
        self.points
            .iter()
            .flatten()
            .map(|set| self.domain.count_preds(set))
            .max()
            .unwrap_or(0)
    }

    /// Every CTA barrier with the 32-bit registers live while the warp waits at it.
    pub fn live_at_barriers(&self) -> Vec<(Point, usize)> {
        self.barriers
            .iter()
            .map(|&p| {
                let waiting = self.live_regs_before(p.block, p.inst);
                (p, waiting.max(self.live_regs_after(p.block, p.inst)))
            })
            .collect()
    }

    /// Indices of the registers live before an instruction, ascending.
    pub fn reg_indices_before(
        &self,
        block: BlockId,
        inst: usize,
    ) -> impl Iterator<Item = u16> + '_ {
        self.domain.reg_indices(self.before(block, inst))
    }

    /// Whether a 32-bit register (architected) or virtual register is live before an instruction.
    pub fn is_reg_live_before(&self, block: BlockId, inst: usize, index: u16) -> bool {
        usize::from(index) < self.domain.regs()
            && self.before(block, inst).contains(usize::from(index))
    }

    /// Whether a predicate is live before an instruction.
    pub fn is_pred_live_before(&self, block: BlockId, inst: usize, pred: Pred) -> bool {
        self.before(block, inst)
            .contains(self.domain.pred_bit(pred))
    }

    /// Every instruction in program order.
    pub fn instructions(&self) -> impl Iterator<Item = Point> + '_ {
        self.points.iter().enumerate().flat_map(|(b, points)| {
            (0..points.len() - 1).map(move |inst| Point {
                block: BlockId(b as u32),
                inst,
            })
        })
    }
}

#[cfg(test)]
mod oracle;
#[cfg(test)]
mod tests;
