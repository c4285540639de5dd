//! The clock: to the next cycle, or over all cycles in which nothing would change.

use crate::sm::Sm;
use crate::sm::error::{RunError, Step};

/// Cycles in a row without an instruction after which a run that has nothing on its way is given up. The longest waits that end by
/// themselves, a walk of the renaming table and a period of dynamic warp execution, take 16 and 1000.
pub(super) const LIVELOCK_CYCLES: u32 = 50_000; // assumed

impl Sm<'_> {
    /// Moves the clock. A run is stuck when nothing is on its way and no warp can issue.
    pub(super) fn tick(&mut self) -> Step {
        let mut event = self.next_event();
        if event.is_none() && self.relieve() {
            event = Some(self.cycle + 1);
        }
        let Some(event) = event else {
            return Err(Box::new(RunError::Hang(self.who_waits_for_whom())));
        };
        self.watch_for_livelock()?;
        let next = if self.skip { event } else { self.cycle + 1 };
        let idle = next - self.cycle - 1;
        self.pass_idle(idle);
        self.skipped_cycles += idle;
        self.cycle = next;
        if self.cycle >= self.cycle_limit {
            return Err(Box::new(RunError::CycleLimit {
                limit: self.cycle_limit,
                state: self.who_waits_for_whom(),
            }));
        }
        Ok(())
    }

    /// Ends a run in which stages find work cycle after cycle and nothing comes of it.
    fn watch_for_livelock(&mut self) -> Step {
        if self.seen.any_issued() {
            self.barren_cycles = 0;
            return Ok(());
        }
        self.barren_cycles += 1;
        if self.barren_cycles < LIVELOCK_CYCLES {
            return Ok(());
        }
        self.barren_cycles = 0;
        let on_its_way = self.memory.in_flight() > 0 || self.wheel.next_event().is_some();
        if on_its_way {
            return Ok(());
        }
        Err(Box::new(RunError::Livelock {
            cycles: LIVELOCK_CYCLES,
            state: self.who_waits_for_whom(),
        }))
    }

    /// Counts `idle` cycles behind this one in which nothing changes.
    pub(super) fn pass_idle(&mut self, idle: u64) {
        if idle > 0 {
            self.tell_states(self.cycle + 1, false);
            for index in 0..self.schedulers.len() {
                self.attribute(index, self.cycle + 1, idle);
            }
            self.count_warps(idle);
        }
    }

    /// Counts `cycles` cycles with the warps that are here now.
    pub(super) fn count_warps(&mut self, cycles: u64) {
        let resident = u64::from(self.warps.resident.count_ones());
        self.counters.resident_warp_cycles += resident * cycles;
    }

    /// The first cycle, after this one, in which something can change; `None` if nothing ever will.
    fn next_event(&self) -> Option<u64> {
        let next = self.cycle + 1;
        if self.is_busy() {
            return Some(next);
        }
        let units = (0..2).filter(|&pool| !self.collectors.pools[pool].queue.is_empty());
        let unit_free = units.filter_map(|pool| self.unit_free_at[pool].iter().copied().min());
        unit_free
            .chain(self.load_store_event())
            .chain(self.wheel.next_event())
            .chain(self.memory.next_arrival())
            .min()
            .map(|event| event.max(next))
    }

    /// Whether some stage has work in the next cycle whatever arrives from elsewhere.
    fn is_busy(&self) -> bool {
        let warps = &self.warps;
        if self.seen.any_issued()
            || warps.dirty & warps.has_inst != 0
            || warps.fetching != 0
            || warps.to_fetch() != 0
            || self.collectors.waiting_banks != 0
            || !self.results.is_empty()
            || !self.load_results.is_empty()
            || self.word.is_some()
            || warps.pir_at_decode != 0
            || warps.ready_words() != 0
            || self.ctas.can_launch()
            || self.manager.has_news()
            || self.stacks_busy()
            || self.spills_busy()
        {
            return true;
        }
        // A ready warp waits only for a collector unit.
        let mut ready = warps.ready();
        for (unit, pool) in self.collectors.pools.iter().enumerate() {
            if pool.free_units() == 0 {
                ready &= !warps.for_unit[unit];
            }
        }
        ready != 0
    }

    /// When the load/store unit goes on, if not for an answer of the memory.
    fn load_store_event(&self) -> Option<u64> {
        if !self.ldst.has_work() {
            let &unit = self.collectors.pools[2].queue.front()?;
            let complete = self.collectors.units[usize::from(unit)].missing == 0;
            return complete.then_some(self.ldst.free_at);
        }
        if !self.ldst.blocked {
            return Some(match self.ldst.lines_left() {
                0 => self.ldst.free_at - 1,
                _ => self.cycle + 1,
            });
        }
        // Blocked: for room towards memory until a known cycle, or for an MSHR until an answer.
        let room_from = self.memory.accepts_from(self.cycle);
        (room_from > self.cycle).then_some(room_from)
    }
}
