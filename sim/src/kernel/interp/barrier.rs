//! CTA barriers.
//!
//! A warp arrives as a whole, with the lanes that execute the instruction giving the predicates of `bar.red`.
//! Without a thread count a barrier waits for all warps of the CTA that have not ended.

use crate::kernel::op::BarKind;

/// Barriers that a CTA has.
pub(super) const BARRIERS: usize = 16;

/// One barrier between two completions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Barrier {
    /// Threads that it waits for, if the instructions said so.
    pub threads: Option<u32>,
    pub arrived_warps: u32,
    /// Warps that wait.
    pub waiting: Vec<usize>,
    holds_in: u32,
    fails_somewhere: bool,
}

/// The count of this arrival differs from that of an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CountsDiffer;

impl Barrier {
    /// A warp arrives with `active` lanes, of which the predicate holds in `holds`.
    pub fn arrive(
        &mut self,
        warp: usize,
        kind: BarKind,
        threads: Option<u32>,
        active: u32,
        holds: u32,
    ) -> Result<(), CountsDiffer> {
        if self.arrived_warps > 0 && self.threads != threads {
            return Err(CountsDiffer);
        }
        self.threads = threads;
        self.arrived_warps += 1;
        self.holds_in += (holds & active).count_ones();
        self.fails_somewhere |= holds & active != active;
        if kind != BarKind::Arrive {
            self.waiting.push(warp);
        }
        Ok(())
    }

    /// Warps that must arrive, in a CTA with that many warps left.
    pub fn expected_warps(&self, live_warps: u32) -> u32 {
        self.threads
            .map_or(live_warps, |threads| threads.div_ceil(32))
    }

    pub fn is_complete(&self, live_warps: u32) -> bool {
        self.arrived_warps > 0 && self.arrived_warps >= self.expected_warps(live_warps)
    }

    /// What the reduction gives: a number for `popc`, else a truth value in all bits.
    pub fn result(&self, kind: BarKind) -> u32 {
        let truth = |holds: bool| if holds { u32::MAX } else { 0 };
        match kind {
            BarKind::RedPopc => self.holds_in,
            BarKind::RedAnd => truth(!self.fails_somewhere),
            BarKind::RedOr => truth(self.holds_in > 0),
            BarKind::Sync | BarKind::Arrive => 0,
        }
    }
}
