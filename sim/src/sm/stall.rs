//! Why a scheduler issued nothing.

use crate::observe::cause::Cause;
use crate::observe::watch::Slots;
use crate::sm::Sm;
use crate::sm::scheduler::ones;
use crate::sm::signals::lock;

impl Sm<'_> {
    /// Attributes `cycles` slots from cycle `from` on of scheduler `index`, which issues nothing, to the one cause that
    /// [`crate::observe::counters::IssueSlots`] defines. Depends on the state only, not on the cycle.
    pub(super) fn attribute(&mut self, index: usize, from: u64, cycles: u64) {
        let (cause, warps) = self.cause(index);
        self.counters.slots[cause] += cycles;
        if !self.watchers.is_empty() {
            self.show_stall(index, from, cycles, cause, warps);
        }
    }

    /// The cause, and the warps that came as far as that.
    fn cause(&self, index: usize) -> (Cause, u64) {
        let mine = self.schedulers[index].in_reach();
        let warps = &self.warps;
        let running = warps.running & mine;
        let waits = warps.takes_part() & mine;
        let refused = warps.parked | warps.limited | warps.away & !warps.at_barrier;
        if warps.resident & mine == 0 {
            (Cause::NoWarp, 0)
        } else if running == 0 {
            (Cause::Draining, warps.resident & mine)
        } else if waits & !warps.hazard != 0 {
            self.structural(waits & !warps.hazard)
        } else if waits & warps.on_memory != 0 {
            (Cause::MemoryData, waits & warps.on_memory)
        } else if waits != 0 {
            (Cause::Scoreboard, waits)
        } else if running & refused != 0 {
            (Cause::AcquireWait, running & refused)
        } else if running & warps.at_barrier != 0 {
            (Cause::Barrier, running & warps.at_barrier)
        } else {
            (Cause::Fetch, running)
        }
    }

    /// Why the pipeline takes nothing of the `ready` warps.
    pub(super) fn structural(&self, ready: u64) -> (Cause, u64) {
        let pools = &self.collectors.pools;
        let wants = |unit: usize| ready & self.warps.for_unit[unit];
        if wants(2) != 0 && self.ldst.blocked {
            return (Cause::MemoryStructural, wants(2));
        }
        let complete = |unit: usize| !pools[unit].queue.is_empty();
        let oldest_is_complete = || {
            pools[2].queue.front().is_some_and(|&collector| {
                self.collectors.units[usize::from(collector)].missing == 0
            })
        };
        let mut busy = 0;
        for unit in 0..3 {
            let has = match unit {
                2 => wants(2) != 0 && oldest_is_complete(),
                _ => complete(unit),
            };
            if has {
                busy |= wants(unit);
            }
        }
        match busy {
            0 => (Cause::CollectorFull, ready),
            _ => (Cause::UnitBusy, busy),
        }
    }

    /// Puts slots down to the oldest of `warps`.
    #[cold]
    fn show_stall(&self, scheduler: usize, from: u64, cycles: u64, cause: Cause, warps: u64) {
        let warp = ones(warps).min_by_key(|&slot| self.warps.number[slot]);
        let pc = warp.and_then(|slot| match cause {
            Cause::Draining => None,
            Cause::Barrier => Some(self.warps.barrier_pc[slot]),
            _ => Some(self.warps.pc[slot]),
        });
        let slots = Slots {
            cycles,
            scheduler,
            cause,
            warp,
            pc,
        };
        self.show_slots(from, slots);
    }

    /// A slot of this cycle in which `slot` issued or was refused the instruction at its program counter.
    #[inline]
    pub(super) fn show_proposal(&self, scheduler: usize, slot: usize, cause: Cause) {
        if !self.watchers.is_empty() {
            self.show_slots(
                self.cycle,
                Slots {
                    cycles: 1,
                    scheduler,
                    cause,
                    warp: Some(slot),
                    pc: Some(self.warps.pc[slot]),
                },
            );
        }
    }

    /// A slot of this cycle that was lost because the register hardware still takes in what the scheduler proposed last.
    pub(super) fn show_busy(&self, scheduler: usize) {
        if !self.watchers.is_empty() {
            let last = self.last_issued[scheduler];
            self.show_slots(
                self.cycle,
                Slots {
                    cycles: 1,
                    scheduler,
                    cause: Cause::RenamingBusy,
                    warp: last.map(|(slot, _)| slot),
                    pc: last.map(|(_, pc)| pc),
                },
            );
        }
    }

    #[cold]
    fn show_slots(&self, cycle: u64, slots: Slots) {
        for watcher in &self.watchers {
            lock(watcher).slots(cycle, slots);
        }
    }
}
