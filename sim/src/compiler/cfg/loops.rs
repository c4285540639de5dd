//! Natural loops of a control-flow graph.

use super::{Cfg, id, index};
use crate::kernel::BlockId;
use fixedbitset::FixedBitSet;

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

impl Cfg {
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
    pub(in crate::compiler) fn natural_loop(
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

    /// Finds all, outer loops first.
    pub(super) fn find_loops(&mut self) {
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
