//! The control-flow graph of a kernel: edges, orders, dominators, loops, reconvergence.
//!
//! A block ends with a branch, with an unguarded `exit`, or falls through. A guarded `exit` is not an edge: the
//! lanes that take it stop, the others go on with the next instruction, and lanes that have stopped never
//! reconverge with anybody. A `ret` is the end of its function as an `exit` is that of the kernel, and a `call` goes on behind
//! itself. An instruction behind an unguarded `exit` is unreachable. The end of the last block
//! is an exit; a conditional branch there has one successor, and the lanes that fall through are done.
//!
//! In a function that returns, paths to an `exit` do not count for post-dominators, as if each such `exit` were guarded: the
//! lanes that go on meet as if the others had never been there. So all that return do it together, at the function's one `ret`,
//! whose pops are for all of them (CARS III-A). An `exit` with an operand is one of an inlined function: where there is one, the
//! same holds for the kernel and its own ends, so that lanes meet, and vote, as they do with calls kept.
//!
//! Nor does an end between a branch and what lanes of both its sides do together ([`meet`](super::meet)).

mod edges;
mod loops;

use fixedbitset::FixedBitSet;
use thiserror::Error;

use super::dom::{
    immediate_dominators, immediate_post_dominators, meet_before_returns, predecessors,
};
use super::meet::meet_before_together;
use crate::kernel::{BlockId, Kernel};
use edges::{
    before_a_return, falls_off_the_end, returning, reverse_postorder, successors, together,
};
pub use loops::Loop;

/// A kernel that has no control-flow graph.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CfgError {
    /// A kernel has at least the entry block.
    #[error("kernel `{0}` has no blocks")]
    Empty(String),
    /// A branch leads out of the kernel; correct its target.
    #[error("block {}, instruction {inst}: branch to block {}, of {blocks}", block.0, target.0)]
    NoSuchBlock {
        /// Block of the branch.
        block: BlockId,
        /// Its index in the block.
        inst: usize,
        /// Where it leads.
        target: BlockId,
        /// Blocks of the kernel.
        blocks: usize,
    },
    /// A branch stands inside a block; split the block behind it.
    #[error("block {}, instruction {inst}: a branch must be the last of its block", block.0)]
    BranchInside {
        /// Block of the branch.
        block: BlockId,
        /// Its index in the block.
        inst: usize,
    },
}

/// Control-flow graph of one kernel.
#[derive(Clone, Debug)]
pub struct Cfg {
    succs: Vec<Vec<usize>>,
    preds: Vec<Vec<BlockId>>,
    succ_ids: Vec<Vec<BlockId>>,
    rpo: Vec<BlockId>,
    idom: Vec<Option<usize>>,
    ipdom: Vec<Option<usize>>,
    loops: Vec<Loop>,
    depth: Vec<u32>,
    reducible: bool,
}

impl Cfg {
    /// Builds the graph of `kernel`, in either register space.
    ///
    /// # Errors
    /// See [`CfgError`].
    pub fn new(kernel: &Kernel) -> Result<Self, CfgError> {
        let n = kernel.blocks.len();
        if n == 0 {
            return Err(CfgError::Empty(kernel.name.clone()));
        }
        let succs = (0..n)
            .map(|b| successors(kernel, b))
            .collect::<Result<Vec<_>, _>>()?;
        let returning = returning(kernel);
        let together = together(kernel, &succs);
        // Of a function all that return do it together: its lanes meet there.
        let apart = before_a_return(kernel, &succs);
        Ok(Self::from_successors(
            succs,
            falls_off_the_end(kernel),
            &returning,
            (&together, &apart),
        ))
    }

    /// Branches of a function whose sides come one after the other to what lanes do together, because a path between returns: all
    /// that return do it together, so lanes meet there and not before.
    ///
    /// # Errors
    /// See [`CfgError`].
    pub fn parted_by_returns(kernel: &Kernel) -> Result<Vec<BlockId>, CfgError> {
        let succs = (0..kernel.blocks.len())
            .map(|b| successors(kernel, b))
            .collect::<Result<Vec<_>, _>>()?;
        let together = together(kernel, &succs);
        if together.is_empty() {
            return Ok(Vec::new());
        }
        let meet = |apart: &[bool]| {
            Self::from_successors(
                succs.clone(),
                falls_off_the_end(kernel),
                &returning(kernel),
                (&together, apart),
            )
            .ipdom
        };
        let is = meet(&before_a_return(kernel, &succs));
        let would_be = meet(&vec![false; succs.len()]);
        let parts = |&block: &usize| succs[block].len() > 1 && is[block] != would_be[block];
        Ok((0..succs.len()).filter(parts).map(id).collect())
    }

    /// `returning`: the blocks at whose ends lanes meet, whatever ends elsewhere. `together`: blocks in which lanes do something
    /// together, and for each block whether it is none that they meet for.
    fn from_successors(
        succs: Vec<Vec<usize>>,
        falls_off: bool,
        returning: &[usize],
        (together, apart): (&[usize], &[bool]),
    ) -> Self {
        let n = succs.len();
        let last = n - 1;
        let ends: &[usize] = if falls_off { &[last] } else { &[] };
        let preds = predecessors(&succs).into_iter();
        let preds = preds
            .map(|from| from.into_iter().map(id).collect())
            .collect();
        let rpo = reverse_postorder(&succs);
        let idom = immediate_dominators(&succs, 0);
        let mut ipdom = immediate_post_dominators(&succs, ends, &rpo);
        meet_before_returns(&mut ipdom, &succs, returning);
        meet_before_together(&mut ipdom, &succs, &rpo, together, apart);
        let mut cfg = Cfg {
            succ_ids: succs
                .iter()
                .map(|tos| tos.iter().map(|&t| id(t)).collect())
                .collect(),
            succs,
            preds,
            rpo: rpo.into_iter().map(id).collect(),
            idom,
            ipdom,
            loops: Vec::new(),
            depth: vec![0; n],
            reducible: true,
        };
        cfg.find_loops();
        cfg
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.succs.len()
    }

    /// Never: a kernel has an entry block.
    pub fn is_empty(&self) -> bool {
        self.succs.is_empty()
    }

    /// Successors: of a conditional branch the fall-through first, then the target. No duplicates.
    pub fn succs(&self, block: BlockId) -> &[BlockId] {
        &self.succ_ids[index(block)]
    }

    /// Predecessors, ascending, unreachable ones with them.
    pub fn preds(&self, block: BlockId) -> &[BlockId] {
        &self.preds[index(block)]
    }

    /// The blocks that the entry reaches, in reverse postorder; the entry is the first.
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.rpo
    }

    /// Whether the entry reaches the block.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        block.0 == 0 || self.idom[index(block)].is_some()
    }

    /// Immediate dominator; none for the entry and unreachable blocks.
    pub fn idom(&self, block: BlockId) -> Option<BlockId> {
        self.idom[index(block)].map(id)
    }

    /// Whether every path from the entry to `b` visits `a`; a block dominates itself.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        std::iter::successors(Some(b), |&x| self.idom(x)).any(|x| x == a)
    }

    /// Immediate post-dominator; none where the paths meet only at the end of the kernel. Where a function can return, of the paths
    /// to its return.
    ///
    /// An infinite loop counts as having one way out, behind its last block.
    pub fn ipdom(&self, block: BlockId) -> Option<BlockId> {
        self.ipdom[index(block)].map(id)
    }

    /// Whether every path from `b` to the end of the kernel, or to the return of its function, visits `a`; a block post-dominates
    /// itself.
    pub fn post_dominates(&self, a: BlockId, b: BlockId) -> bool {
        std::iter::successors(Some(b), |&x| self.ipdom(x)).any(|x| x == a)
    }

    /// Whether the block ends with a branch that has two different successors.
    pub fn is_conditional(&self, block: BlockId) -> bool {
        self.succs(block).len() > 1
    }

    /// Where lanes meet that the conditional branch at the end of `block` has parted: its immediate post-dominator.
    /// None where there is no such branch, or where they meet only at the end of the kernel.
    pub fn reconvergence(&self, block: BlockId) -> Option<BlockId> {
        self.is_conditional(block)
            .then(|| self.ipdom(block))
            .flatten()
    }

    /// The blocks that lanes parted at the end of `block` can be in before they meet: all that its successors
    /// reach without entering [`Cfg::reconvergence`]. Empty where the block has no conditional branch.
    pub fn divergent_region(&self, block: BlockId) -> FixedBitSet {
        let mut region = FixedBitSet::with_capacity(self.len());
        if !self.is_conditional(block) {
            return region;
        }
        let stop = self.ipdom[index(block)];
        let mut stack = self.succs[index(block)].clone();
        while let Some(b) = stack.pop() {
            if Some(b) != stop && !region.put(b) {
                stack.extend(&self.succs[b]);
            }
        }
        region
    }
}

fn id(block: usize) -> BlockId {
    BlockId(block as u32)
}

fn index(block: BlockId) -> usize {
    block.0 as usize
}

#[cfg(test)]
mod tests;
