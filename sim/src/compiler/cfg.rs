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

use fixedbitset::FixedBitSet;
use thiserror::Error;

use super::dom::{
    immediate_dominators, immediate_post_dominators, mark_backwards, meet_before_returns,
    predecessors,
};
use super::meet::meet_before_together;
use crate::kernel::{Block, BlockId, Inst, Kernel, Op};

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

/// An instruction weighs this much more for each loop around it (RegDem 3.4.3).
const LOOP_WEIGHT: u64 = 10;

/// A natural loop; loops with the same header are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The one block through which it is entered.
    pub header: BlockId,
    /// All its blocks with the header, ascending.
    pub blocks: Vec<BlockId>,
    /// Index in [`Cfg::loops`] of the smallest loop around it.
    pub parent: Option<usize>,
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

    /// Natural loops, by header in reverse postorder: an outer loop comes before those inside it.
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }

    /// How many natural loops the block lies in.
    pub fn loop_depth(&self, block: BlockId) -> u32 {
        self.depth[index(block)]
    }

    /// How often an instruction of the block counts: ten times for each loop around it (RegDem 3.4.3).
    pub fn weight(&self, block: BlockId) -> u64 {
        LOOP_WEIGHT.saturating_pow(self.loop_depth(block))
    }

    /// Whether every cycle is a natural loop. Cycles with several entries are not in [`Cfg::loops`].
    pub fn is_reducible(&self) -> bool {
        self.reducible
    }

    /// The blocks of the loop with these latches, among those that `is_reached` holds for.
    pub(super) fn natural_loop(
        &self,
        header: BlockId,
        latches: &[BlockId],
        is_reached: impl Fn(BlockId) -> bool,
    ) -> FixedBitSet {
        let mut body = FixedBitSet::with_capacity(self.len());
        body.insert(index(header));
        let mut stack = latches.to_vec();
        while let Some(b) = stack.pop() {
            if is_reached(b) && !body.put(index(b)) {
                stack.extend(self.preds(b));
            }
        }
        body
    }

    fn find_loops(&mut self) {
        let mut position = vec![usize::MAX; self.len()];
        for (at, b) in self.rpo.iter().enumerate() {
            position[index(*b)] = at;
        }
        for at in 0..self.rpo.len() {
            let header = self.rpo[at];
            let (back, retreating): (Vec<BlockId>, Vec<BlockId>) = self
                .preds(header)
                .iter()
                .filter(|p| self.is_reachable(**p) && position[index(**p)] >= at)
                .partition(|p| self.dominates(header, **p));
            self.reducible &= retreating.is_empty();
            if !back.is_empty() {
                self.add_loop(header, &back);
            }
        }
    }

    fn add_loop(&mut self, header: BlockId, latches: &[BlockId]) {
        let body = self.natural_loop(header, latches, |b| self.is_reachable(b));
        let blocks: Vec<BlockId> = body.ones().map(id).collect();
        for b in &blocks {
            self.depth[index(*b)] += 1;
        }
        let parent = self
            .loops
            .iter()
            .rposition(|l| l.blocks.binary_search(&header).is_ok());
        self.loops.push(Loop {
            header,
            blocks,
            parent,
        });
    }
}

fn id(block: usize) -> BlockId {
    BlockId(block as u32)
}

fn index(block: BlockId) -> usize {
    block.0 as usize
}

fn successors(kernel: &Kernel, block: usize) -> Result<Vec<usize>, CfgError> {
    let insts = &kernel.blocks[block].insts;
    let mut ends = false;
    let mut targets = Vec::new();
    for (at, inst) in insts.iter().enumerate() {
        match inst.op {
            Op::Exit | Op::Ret if inst.guard.is_none() => ends = true,
            Op::Bra(_) if at + 1 < insts.len() => {
                return Err(CfgError::BranchInside {
                    block: id(block),
                    inst: at,
                });
            }
            Op::Bra(target) if index(target) >= kernel.blocks.len() => {
                return Err(CfgError::NoSuchBlock {
                    block: id(block),
                    inst: at,
                    target,
                    blocks: kernel.blocks.len(),
                });
            }
            Op::Bra(target) if !ends => {
                ends = inst.guard.is_none();
                targets.push(index(target));
            }
            _ => {}
        }
    }
    let next = block + 1;
    if !ends && next < kernel.blocks.len() && !targets.contains(&next) {
        targets.insert(0, next);
    }
    Ok(targets)
}

/// How a block ends if lanes cannot fall through: with its first unguarded `exit`, `ret` or branch.
fn end(block: &Block) -> Option<&Inst> {
    let mut unguarded = block.insts.iter().filter(|inst| inst.guard.is_none());
    unguarded.find(|inst| matches!(inst.op, Op::Exit | Op::Ret | Op::Bra(_)))
}

/// The blocks that end with a `ret`; with calls inlined, the ends of the kernel itself, if threads end in functions, too.
fn returning(kernel: &Kernel) -> Vec<usize> {
    let ends = || kernel.blocks.iter().map(end);
    let in_function = |inst: &Inst| inst.op == Op::Exit && !inst.srcs.is_empty();
    let with_inlined = ends().flatten().any(in_function);
    let returns = |inst: &Inst| match inst.op {
        Op::Exit => with_inlined && inst.srcs.is_empty(),
        op => op == Op::Ret,
    };
    ends()
        .enumerate()
        .filter(|(_, end)| end.is_some_and(returns))
        .map(|(block, _)| block)
        .collect()
}

/// The blocks with a barrier, a vote or a shuffle, and those that call a function with one. No edge leads from a kernel to its functions;
/// where one leads to what a call names, functions are not linked yet, and it is the number of one.
fn together(kernel: &Kernel, succs: &[Vec<usize>]) -> Vec<usize> {
    let joins = |inst: &Inst| {
        matches!(
            inst.op,
            Op::Bar(_) | Op::Vote(_) | Op::Shfl(_) | Op::WarpSync
        )
    };
    let blocks = kernel.blocks.iter().enumerate();
    let joining = blocks.filter(|(_, block)| block.insts.iter().any(joins));
    let mut together: Vec<usize> = joining.map(|(at, _)| at).collect();
    let preds = predecessors(succs);
    let order = reverse_postorder(succs);
    loop {
        let mut before = vec![false; succs.len()];
        for &block in &together {
            mark_backwards(block, &preds, &mut before);
        }
        let is_joining =
            |function: usize| before.get(function) == Some(&true) && !order.contains(&function);
        let calls = |inst: &Inst| matches!(inst.op, Op::Call(to) if is_joining(index(to)));
        let more: Vec<usize> = (kernel.blocks.iter().enumerate())
            .filter(|(at, block)| !together.contains(at) && block.insts.iter().any(calls))
            .map(|(at, _)| at)
            .collect();
        if more.is_empty() {
            return together;
        }
        together.extend(more);
    }
}

/// For each block whether it reaches a `ret`.
fn before_a_return(kernel: &Kernel, succs: &[Vec<usize>]) -> Vec<bool> {
    let preds = predecessors(succs);
    let mut before = vec![false; succs.len()];
    for (at, block) in kernel.blocks.iter().enumerate() {
        if end(block).is_some_and(|inst| inst.op == Op::Ret) {
            mark_backwards(at, &preds, &mut before);
        }
    }
    before
}

/// Whether lanes can run past the end of the last block.
fn falls_off_the_end(kernel: &Kernel) -> bool {
    let always_leaves =
        |i: &Inst| i.guard.is_none() && matches!(i.op, Op::Exit | Op::Ret | Op::Bra(_));
    kernel
        .blocks
        .last()
        .is_some_and(|b| !b.insts.iter().any(always_leaves))
}

fn reverse_postorder(succs: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; succs.len()];
    let mut postorder = Vec::with_capacity(succs.len());
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, next)) = stack.last_mut() {
        // Last successor first, so that the fall-through comes before the target in the result.
        let child = succs[*block].iter().rev().nth(*next).copied();
        *next += 1;
        match child {
            Some(child) if !seen[child] => {
                seen[child] = true;
                stack.push((child, 0));
            }
            Some(_) => {}
            None => {
                postorder.push(*block);
                stack.pop();
            }
        }
    }
    postorder.reverse();
    postorder
}

#[cfg(test)]
mod tests;
