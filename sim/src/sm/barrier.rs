//! CTA barriers: who has arrived, who waits.
//!
//! A barrier without a thread count is complete when every warp of the CTA that still runs has arrived, as in
//! GPGPU-Sim; with a count, when so many threads have, each arrival counting a whole warp (PTX ISA, `bar`).

use crate::kernel::op::BarKind;

/// Barriers of a CTA (PTX ISA, `bar`).
pub const BARRIERS: usize = 16;

/// One barrier of one CTA.
#[derive(Clone, Debug, Default)]
pub struct Barrier {
    /// Warps that have arrived, waiting or not.
    pub arrived: u32,
    /// Warp slots that wait.
    pub waiting: u64,
    /// Threads that it waits for, when it says so.
    pub expected_threads: Option<u32>,
    /// Reductions in flight that wait for the result.
    pub reductions: Vec<(u16, BarKind)>,
    popc: u32,
    none_false: bool,
    any_true: bool,
}

/// One warp's arrival.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    pub slot: usize,
    /// The barrier instruction.
    pub pc: u32,
    pub kind: BarKind,
    pub threads: Option<u32>,
    /// Lanes that execute it, and the predicate in them.
    pub lanes: u32,
    pub predicate: u32,
    /// The instruction in flight that takes the result of a reduction.
    pub flight: Option<u16>,
}

/// Why an arrival is wrong.
pub const MISMATCH: &str = "the warps that meet here name different thread counts";
/// Why an arrival is wrong.
pub const BAD_COUNT: &str = "the thread count must be a multiple of 32, 32 to 1024";

impl Barrier {
    /// A warp arrives.
    pub fn arrive(&mut self, arrival: &Arrival) -> Result<(), &'static str> {
        if let Some(threads) = arrival.threads
            && (threads == 0 || threads % 32 != 0 || threads > 1024)
        {
            return Err(BAD_COUNT);
        }
        if self.arrived > 0 && self.expected_threads != arrival.threads {
            return Err(MISMATCH);
        }
        if self.arrived == 0 {
            self.expected_threads = arrival.threads;
            (self.popc, self.none_false, self.any_true) = (0, true, false);
        }
        self.arrived += 1;
        let holds = arrival.predicate & arrival.lanes;
        self.popc += holds.count_ones();
        self.none_false &= holds == arrival.lanes;
        self.any_true |= holds != 0;
        if arrival.kind != BarKind::Arrive {
            self.waiting |= 1 << arrival.slot;
        }
        if let Some(flight) = arrival.flight {
            self.reductions.push((flight, arrival.kind));
        }
        Ok(())
    }

    /// Whether it is complete when `running_warps` warps of the CTA still run.
    pub fn is_complete(&self, running_warps: u32) -> bool {
        let needed = self.expected_threads.map_or(running_warps, |t| t / 32);
        self.arrived > 0 && self.arrived >= needed
    }

    /// Result of a reduction, the same in every lane: a count, or all ones for true.
    pub fn result(&self, kind: BarKind) -> u32 {
        let flag = |holds: bool| if holds { u32::MAX } else { 0 };
        match kind {
            BarKind::RedPopc => self.popc,
            BarKind::RedAnd => flag(self.none_false),
            BarKind::RedOr => flag(self.any_true),
            BarKind::Sync | BarKind::Arrive => 0,
        }
    }

    /// Everybody goes on; the barrier can be used again.
    pub fn reset(&mut self) {
        self.arrived = 0;
        self.waiting = 0;
        self.expected_threads = None;
        self.reductions.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(slot: usize, kind: BarKind, threads: Option<u32>, predicate: u32) -> Arrival {
        Arrival {
            slot,
            pc: 0,
            kind,
            threads,
            lanes: !0,
            predicate,
            flight: None,
        }
    }

    #[test]
    fn barrier_is_complete_when_all_running_warps_have_arrived() {
        let mut barrier = Barrier::default();
        assert!(!barrier.is_complete(0));
        barrier.arrive(&arrival(0, BarKind::Sync, None, 0)).unwrap();
        assert!(!barrier.is_complete(2));
        assert!(barrier.is_complete(1), "the other warp has ended");
        barrier.arrive(&arrival(1, BarKind::Sync, None, 0)).unwrap();
        assert!(barrier.is_complete(2));
    }

    #[test]
    fn arriving_warp_counts_but_does_not_wait() {
        let mut barrier = Barrier::default();
        barrier
            .arrive(&arrival(0, BarKind::Arrive, Some(64), 0))
            .unwrap();
        barrier
            .arrive(&arrival(3, BarKind::Sync, Some(64), 0))
            .unwrap();
        assert!(barrier.is_complete(8));
        assert_eq!(barrier.waiting, 1 << 3);
    }

    #[test]
    fn reductions_cover_all_lanes_of_all_warps() {
        let mut barrier = Barrier::default();
        for (slot, predicate) in [(0, 0xff), (1, !0)] {
            barrier
                .arrive(&arrival(slot, BarKind::RedPopc, None, predicate))
                .unwrap();
        }
        assert_eq!(barrier.result(BarKind::RedPopc), 40);
        assert_eq!(barrier.result(BarKind::RedAnd), 0);
        assert_eq!(barrier.result(BarKind::RedOr), u32::MAX);
    }

    #[test]
    fn different_thread_counts_at_one_barrier_are_refused() {
        let mut barrier = Barrier::default();
        barrier
            .arrive(&arrival(0, BarKind::Sync, Some(64), 0))
            .unwrap();
        let second = barrier.arrive(&arrival(1, BarKind::Sync, Some(96), 0));
        assert_eq!(second, Err(MISMATCH));
        let odd = Barrier::default().arrive(&arrival(0, BarKind::Sync, Some(33), 0));
        assert_eq!(odd, Err(BAD_COUNT));
    }
}
