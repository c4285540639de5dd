//! Issue: each scheduler tries its warps in the order of its policy until one can go.

use super::{Flight, Sm};
use crate::gpu::decoded::Decoded;
use crate::machine::SchedulerPolicy;
use crate::trace::record::Class;

/// A warp scheduler.
#[derive(Clone, Debug)]
pub struct Scheduler {
    pub slots: u64,
    pub last: Option<u8>,
    /// Its warps, oldest first.
    pub by_age: Vec<u8>,
    /// Ready queue and the others, for the two-level policy.
    pub active: Vec<u8>,
    pending: std::collections::VecDeque<u8>,
}

impl Scheduler {
    /// Scheduler `index` of `count`.
    pub fn new(index: usize, count: usize, warps: u32) -> Self {
        let slots = (index..warps as usize).step_by(count);
        Scheduler {
            slots: slots.clone().fold(0, |mask, slot| mask | 1 << slot),
            last: None,
            by_age: Vec::new(),
            active: Vec::new(),
            pending: slots.map(|slot| slot as u8).collect(),
        }
    }

    /// Of the ready queue of `size` warps go those that do not stay, and others take their places. In the beginning the first
    /// slots are in it, whether there is a warp or not, as in GPGPU-Sim.
    fn turn(&mut self, size: usize, stays: impl Fn(u8) -> bool) {
        self.fill(size);
        let pending = &mut self.pending;
        self.active.retain(|&slot| {
            let stays = stays(slot);
            if !stays {
                pending.push_back(slot);
            }
            stays
        });
        self.fill(size);
    }

    fn fill(&mut self, size: usize) {
        while self.active.len() < size
            && let Some(slot) = self.pending.pop_front()
        {
            self.active.push(slot);
        }
    }

    /// The warp has left.
    pub fn forget(&mut self, warp: u8) {
        self.by_age.retain(|&other| other != warp);
    }
}

impl Sm {
    pub(super) fn issue(&mut self, program: &[Decoded]) -> bool {
        if self.residents == 0 {
            // An empty SM stands still, its turns too.
            self.tell_empty();
            return false;
        }
        let schedulers = self.schedulers.len();
        let mut issued = false;
        // The queues of the two-level policy turn in every cycle, and causes are asked for in every cycle.
        let two_level = matches!(self.policy, SchedulerPolicy::TwoLevel(_));
        if !self.can_issue && !two_level && self.stalls.is_none() {
            self.first_scheduler = (self.first_scheduler + 1) % schedulers;
            return false;
        }
        let before = self.before_issue(program);
        for scheduler in (self.first_scheduler..schedulers).chain(0..self.first_scheduler) {
            let issues = self.schedule(scheduler, program);
            if self.stalls.is_some() {
                self.note_slot(scheduler, issues, program);
            }
            issued |= issues;
        }
        self.tell_issue(before, program);
        self.can_issue = issued;
        self.first_scheduler = (self.first_scheduler + 1) % schedulers;
        issued
    }

    fn schedule(&mut self, scheduler: usize, program: &[Decoded]) -> bool {
        let two_level = match self.policy {
            SchedulerPolicy::TwoLevel(size) => Some(usize::from(size)),
            _ => None,
        };
        if let Some(size) = two_level {
            self.refill(scheduler, size, program);
        }
        let slots = self.schedulers[scheduler].slots;
        let ready = slots & self.buffered & !self.waiting & !self.hazard;
        if ready == 0 {
            return false;
        }
        let candidates = ready & !self.blocked(scheduler);
        if candidates == 0 {
            return false;
        }
        let last = self.schedulers[scheduler].last;
        match self.policy {
            SchedulerPolicy::Lrr => {
                let from = last.map_or(0, |last| u32::from(last) + 1);
                let behind = candidates & u64::MAX.checked_shl(from).unwrap_or(0);
                self.try_each(scheduler, behind, program)
                    || self.try_each(scheduler, candidates & !behind, program)
            }
            SchedulerPolicy::Gto | SchedulerPolicy::Oldest => {
                if self.policy == SchedulerPolicy::Gto
                    && let Some(last) = last
                    && candidates >> last & 1 == 1
                    && self.try_warp(scheduler, last.into(), program)
                {
                    return true;
                }
                for nth in 0..self.schedulers[scheduler].by_age.len() {
                    let warp = self.schedulers[scheduler].by_age[nth];
                    if candidates >> warp & 1 == 1 && self.try_warp(scheduler, warp.into(), program)
                    {
                        return true;
                    }
                }
                false
            }
            SchedulerPolicy::TwoLevel(_) => {
                for nth in 0..self.schedulers[scheduler].active.len() {
                    let warp = self.schedulers[scheduler].active[nth];
                    if candidates >> warp & 1 == 1 && self.try_warp(scheduler, warp.into(), program)
                    {
                        // Round robin: the next one is first in the next cycle.
                        self.schedulers[scheduler].active.rotate_left(nth + 1);
                        return true;
                    }
                }
                false
            }
        }
    }

    /// Bits of warps whose next instruction waits for nothing but a register on the way to the collectors, and finds none.
    fn blocked(&self, scheduler: usize) -> u64 {
        let mut blocked = 0;
        let mut used = self.to_collector.used();
        while used != 0 {
            let kind = used.trailing_zeros() as usize;
            used &= used - 1;
            let waits = self.waits_for_latch[kind];
            let latch = self.to_collector.of(kind);
            if waits != 0 && latch.free(self.subcores, scheduler).is_none() {
                blocked |= waits;
            }
        }
        blocked
    }

    /// Warps that wait for memory or at a barrier leave the ready queue, others take their place.
    fn refill(&mut self, scheduler: usize, size: usize, program: &[Decoded]) {
        let stays = |slot: u8| {
            let bit = 1u64 << slot;
            let warp = &self.warps[usize::from(slot)];
            let done = self.resident & bit == 0 || self.ending & bit != 0;
            let long = self.buffered & bit != 0 && {
                let inst = warp.trace.insts[warp.issued as usize].inst;
                program[inst as usize]
                    .read
                    .meets(&self.marks[usize::from(slot)])
            };
            !(done || self.waiting & bit != 0 || long)
        };
        self.schedulers[scheduler].turn(size, stays);
    }

    fn try_each(&mut self, scheduler: usize, mut candidates: u64, program: &[Decoded]) -> bool {
        while candidates != 0 {
            let warp = candidates.trailing_zeros() as usize;
            candidates &= candidates - 1;
            if self.try_warp(scheduler, warp, program) {
                return true;
            }
        }
        false
    }

    fn try_warp(&mut self, scheduler: usize, at: usize, program: &[Decoded]) -> bool {
        let warp = &self.warps[at];
        let executed = warp.trace.insts[warp.issued as usize];
        let inst = &program[executed.inst as usize];
        if inst.touched.meets(&warp.pending) {
            self.hazard |= 1 << at;
            return false;
        }
        let kind = inst.kind as usize;
        let Some(slot) = self.to_collector.of(kind).free(self.subcores, scheduler) else {
            // Nothing but its own issue gives the warp another register to wait for.
            self.waits_for_latch[kind] |= 1 << at;
            return false;
        };
        self.waits_for_latch[kind] &= !(1 << at);
        let id = self.take_flight();
        self.flights[id as usize] = Flight {
            inst: executed.inst,
            mask: executed.mask,
            number: self.number,
            warp: at as u8,
            scheduler: scheduler as u8,
            addresses: executed.addresses,
            pending: 0,
        };
        self.to_collector.put(kind, slot, id, self.number);
        self.note_issued(scheduler, id);
        self.collectors.can_enter = true;
        self.number += 1;
        self.schedulers[scheduler].last = Some(at as u8);
        self.counts.warp_instructions += 1;
        self.counts.thread_instructions += match executed.mask {
            // Mostly all, and counting takes as long as a scheduler's turn.
            u32::MAX => 32,
            mask => mask.count_ones().into(),
        };

        let warp = &mut self.warps[at];
        warp.pending.insert_all(&inst.written);
        if inst.is_long() {
            warp.long.insert_all(&inst.written);
            if matches!(self.policy, SchedulerPolicy::TwoLevel(_)) {
                self.marks[at].insert_all(&inst.written);
            }
        }
        warp.issued += 1;
        let bit = 1u64 << at;
        if warp.issued == warp.fetched {
            self.buffered &= !bit;
            match warp.issued == warp.length() {
                true => self.ending |= bit,
                false => self.hungry |= bit,
            }
        }
        if let (Class::Atomic(_), true) = (inst.class, executed.mask != 0) {
            warp.atomics += 1;
        }
        let cta = usize::from(warp.cta);
        if let Some(barrier) = inst.barrier {
            warp.at_barrier = barrier.waits;
            let apart = executed.mask != warp.trace.insts[0].mask;
            let barriers = &mut self.ctas[cta].barriers;
            barriers.arrive(bit, executed.inst, barrier, apart);
        }
        warp.fence |= inst.class == Class::Fence;
        self.update_waiting(at);
        if self.ending & bit != 0 {
            self.ctas[cta].live &= !bit;
        }
        if inst.barrier.is_some() || self.ending & bit != 0 {
            self.complete_barriers(cta);
        }
        true
    }

    fn complete_barriers(&mut self, cta: usize) {
        let slot = &mut self.ctas[cta];
        let mut released = slot.barriers.complete(slot.live);
        while released != 0 {
            let at = released.trailing_zeros() as usize;
            released &= released - 1;
            self.warps[at].at_barrier = false;
            self.update_waiting(at);
        }
    }

    /// Whether the warp waits, after something that it waits for has changed.
    pub(super) fn update_waiting(&mut self, at: usize) {
        let warp = &mut self.warps[at];
        warp.fence &= !warp.pending.is_empty();
        let waits = warp.at_barrier || warp.fence || warp.atomics > 0;
        self.can_issue |= !waits;
        self.waiting = self.waiting & !(1 << at) | u64::from(waits) << at;
    }

    /// The registers of an instruction that is no load have been written: they are no load's any more.
    pub(super) fn unmark(&mut self, at: usize, inst: &Decoded) {
        if matches!(self.policy, SchedulerPolicy::TwoLevel(_)) {
            self.marks[at].remove_all(&inst.written);
        }
    }

    /// Registers of a warp have been written.
    pub(super) fn release(&mut self, at: usize, inst: &Decoded) {
        let warp = &mut self.warps[at];
        warp.pending.remove_all(&inst.written);
        if inst.is_long() {
            warp.long.remove_all(&inst.written);
        }
        self.hazard &= !(1 << at);
        self.can_issue = true;
        if warp.fence {
            self.update_waiting(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ready_queue_begins_with_the_first_slots_and_turns_in_every_cycle() {
        let mut scheduler = Scheduler::new(1, 4, 64);
        // Only slot 1 has a warp: the one beside it makes room at once, and goes to the end.
        scheduler.turn(2, |slot| slot == 1);
        assert_eq!(scheduler.active, [1, 9]);
        assert_eq!(scheduler.pending.front(), Some(&13));
        assert_eq!(scheduler.pending.back(), Some(&5));
        scheduler.turn(2, |slot| slot == 1);
        assert_eq!(scheduler.active, [1, 13]);
        assert_eq!(scheduler.pending.back(), Some(&9));
    }
}
