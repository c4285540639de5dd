//! How the SIMT stack serialises the sides of a branch, as far as the extended set is concerned.
//!
//! Lanes parted at a branch run one side after the other. While one side runs, other lanes *wait*: at the start of
//! the side that has not run yet, or at the reconvergence point. What they wait with must not be in the extended
//! set when it is released. And a side may *start* in the state in which another side has ended.
//! Every branch with two successors counts as divergent, and either side may run first.

use crate::compiler::cfg::Cfg;
use crate::kernel::{BlockId, Kernel, Op};
use fixedbitset::FixedBitSet;

/// Who waits where, and what runs before what, beyond the edges of the control-flow graph.
#[derive(Clone, Debug)]
pub(super) struct Serialisation {
    /// Per block: the blocks at whose start lanes may wait while this one runs.
    pub waiting_at: Vec<FixedBitSet>,
    /// Per block: blocks after whose end it may run although no edge leads from there.
    pub after_end_of: Vec<FixedBitSet>,
    /// Per block: whether it may run after lanes have exited elsewhere.
    pub after_exit: Vec<bool>,
}

impl Serialisation {
    pub fn of(kernel: &Kernel, cfg: &Cfg) -> Self {
        let n = cfg.len();
        let exits: Vec<bool> = (0..n).map(|b| may_exit(kernel, cfg, b)).collect();
        let mut all = Serialisation {
            waiting_at: vec![FixedBitSet::with_capacity(n); n],
            after_end_of: vec![FixedBitSet::with_capacity(n); n],
            after_exit: vec![false; n],
        };
        for b in (0..n).map(|b| BlockId(b as u32)) {
            if cfg.is_conditional(b) {
                all.part_at(cfg, b, &exits);
            }
        }
        all
    }

    fn part_at(&mut self, cfg: &Cfg, branch: BlockId, exits: &[bool]) {
        let meet = cfg.reconvergence(branch);
        for &running in cfg.succs(branch) {
            let side = side_blocks(cfg, running, meet);
            let ends = side.ones().any(|p| exits[p]);
            let others = cfg.succs(branch).iter().copied();
            for place in others.filter(|&s| s != running && Some(s) != meet) {
                let start = place.0 as usize;
                for p in side.ones() {
                    self.waiting_at[p].insert(start);
                    if meet.is_some_and(|meet| cfg.succs(BlockId(p as u32)).contains(&meet)) {
                        self.after_end_of[start].insert(p);
                    }
                }
                self.after_exit[start] |= ends;
            }
            if let Some(meet) = meet {
                for p in side.ones() {
                    self.waiting_at[p].insert(meet.0 as usize);
                }
                self.after_exit[meet.0 as usize] |= ends;
            }
        }
    }
}

/// The blocks that a side may run: reachable from its start without entering the reconvergence point.
fn side_blocks(cfg: &Cfg, start: BlockId, meet: Option<BlockId>) -> FixedBitSet {
    let mut side = FixedBitSet::with_capacity(cfg.len());
    let mut stack = vec![start];
    while let Some(b) = stack.pop() {
        if Some(b) != meet && !side.put(b.0 as usize) {
            stack.extend(cfg.succs(b));
        }
    }
    side
}

/// Whether lanes can end in the block: at an `exit`, or behind the last instruction of the kernel.
fn may_exit(kernel: &Kernel, cfg: &Cfg, block: usize) -> bool {
    let insts = &kernel.blocks[block].insts;
    cfg.succs(BlockId(block as u32)).is_empty() || insts.iter().any(|i| i.op == Op::Exit)
}
