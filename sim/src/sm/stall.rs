//! Why a scheduler issued nothing.

use crate::sm::Sm;

impl Sm<'_> {
    /// Attributes `cycles` slots of scheduler `index`, which issues nothing, to the one cause that
    /// [`crate::observe::counters::IssueSlots`] defines. Depends on the state only, not on the cycle.
    pub(super) fn attribute(&mut self, index: usize, cycles: u64) {
        let mine = self.schedulers[index].in_reach();
        let warps = &self.warps;
        let slots = &mut self.counters.slots;
        let running = warps.running & mine;
        let waits = warps.takes_part() & mine;
        let cause = if warps.resident & mine == 0 {
            &mut slots.no_warp
        } else if running == 0 {
            &mut slots.draining
        } else if waits & !warps.hazard != 0 {
            let ready = waits & !warps.hazard;
            let wanted = |unit: usize| ready & warps.for_unit[unit] != 0;
            let pools = &self.collectors.pools;
            let complete = |unit: usize| !pools[unit].queue.is_empty();
            let oldest_is_complete = |unit: usize| {
                pools[unit].queue.front().is_some_and(|&collector| {
                    self.collectors.units[usize::from(collector)].missing == 0
                })
            };
            if wanted(2) && self.ldst.blocked {
                &mut slots.memory_structural
            } else if wanted(0) && complete(0)
                || wanted(1) && complete(1)
                || wanted(2) && oldest_is_complete(2)
            {
                &mut slots.unit_busy
            } else {
                &mut slots.collector_full
            }
        } else if waits & warps.on_memory != 0 {
            &mut slots.memory_data
        } else if waits != 0 {
            &mut slots.scoreboard
        } else if running & warps.parked != 0 {
            &mut slots.acquire_wait
        } else if running & warps.at_barrier != 0 {
            &mut slots.barrier
        } else {
            &mut slots.fetch
        };
        *cause += cycles;
    }
}
