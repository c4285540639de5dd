//! Where the issue slots went: a scheduler in a cycle is a slot, and has one cause.
//!
//! A cause follows from the state in the scheduler's turn. An SM is not simulated while nothing in it changes, so the slots of
//! those cycles have the cause of the cycle simulated last: each cause is counted when the next one is found.

use super::Sm;
use crate::gpu::decoded::{Decoded, KINDS, Kind, Registers};
use crate::machine::SchedulerPolicy;
use crate::observe::cause::Cause;
use crate::observe::counters::IssueSlots;
use crate::trace::record::{Class, Space};

/// What a slot is put down to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    cause: Cause,
    /// The warp slot: who issued or, of the warps that came furthest, the oldest.
    warp: Option<u8>,
    /// The instruction that issued or could not, by its index in the program.
    inst: Option<u32>,
}

/// Slots by cause, of instructions and of warp slots. Both sum to all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotCounts {
    /// By index in the program; instructions behind the end have none.
    pub by_inst: Vec<IssueSlots>,
    /// Without an instruction.
    pub without_inst: IssueSlots,
    /// By warp slot.
    pub by_warp: Vec<IssueSlots>,
    /// Without a warp.
    pub without_warp: IssueSlots,
}

impl SlotCounts {
    fn add(&mut self, slot: Slot, cycles: u64) {
        let of_inst = match slot.inst {
            Some(inst) => {
                let inst = inst as usize;
                if inst >= self.by_inst.len() {
                    self.by_inst.resize(inst + 1, IssueSlots::default());
                }
                &mut self.by_inst[inst]
            }
            None => &mut self.without_inst,
        };
        of_inst[slot.cause] += cycles;
        let of_warp = match slot.warp {
            Some(warp) => &mut self.by_warp[usize::from(warp)],
            None => &mut self.without_warp,
        };
        of_warp[slot.cause] += cycles;
    }
}

/// The slots of an SM.
#[derive(Clone, Debug)]
pub struct Stalls {
    /// By scheduler: what its slots from cycle `from` on are put down to.
    slots: Vec<Slot>,
    from: u64,
    /// By warp slot: registers that a load from scratchpad wrote last. Those of other loads are in `Warp::long`.
    scratchpad: Vec<Registers>,
    counts: SlotCounts,
}

impl Stalls {
    /// Of an empty SM, from cycle `start` on.
    pub fn new(schedulers: usize, warps: usize, start: u64) -> Self {
        let empty = Slot {
            cause: Cause::NoWarp,
            warp: None,
            inst: None,
        };
        Stalls {
            slots: vec![empty; schedulers],
            from: start,
            scratchpad: vec![Registers::default(); warps],
            counts: SlotCounts {
                by_warp: vec![IssueSlots::default(); warps],
                ..SlotCounts::default()
            },
        }
    }

    /// Counts the cycles before `now` that are not counted yet.
    pub fn pass(&mut self, now: u64) {
        let cycles = now - self.from;
        self.from = now;
        for &slot in &self.slots {
            self.counts.add(slot, cycles);
        }
    }

    /// All slots up to and with cycle `last`.
    pub fn finish(mut self, last: u64) -> SlotCounts {
        self.pass(last + 1);
        self.counts
    }
}

impl Sm {
    /// Puts this cycle's slot of a scheduler down to its cause, right after its turn.
    #[inline(never)]
    pub(super) fn note_slot(&mut self, scheduler: usize, issued: bool, program: &[Decoded]) {
        let slot = match (issued, self.schedulers[scheduler].last) {
            (true, Some(warp)) => self.issued_slot(warp, program),
            _ => self.lost_slot(scheduler, program),
        };
        if let Some(stalls) = &mut self.stalls {
            stalls.slots[scheduler] = slot;
        }
    }

    /// The slot in which that warp issued.
    fn issued_slot(&mut self, warp: u8, program: &[Decoded]) -> Slot {
        let at = usize::from(warp);
        let inst = self.warps[at].trace.insts[self.warps[at].issued as usize - 1].inst;
        let decoded = &program[inst as usize];
        if let Some(stalls) = &mut self.stalls {
            let scratchpad = &mut stalls.scratchpad[at];
            match decoded.class == Class::Load(Space::Shared) {
                true => scratchpad.insert_all(&decoded.written),
                false => scratchpad.remove_all(&decoded.written),
            }
        }
        Slot {
            cause: Cause::Issued,
            warp: Some(warp),
            inst: Some(inst),
        }
    }

    /// A slot in which nothing issued.
    fn lost_slot(&self, scheduler: usize, program: &[Decoded]) -> Slot {
        let mine = self.in_reach(scheduler);
        if mine & !self.ending == 0 {
            let oldest = self.oldest(scheduler, mine);
            return Slot {
                cause: oldest.map_or(Cause::NoWarp, |_| Cause::Draining),
                warp: oldest,
                inst: None,
            };
        }
        let next = mine & self.buffered & !self.waiting & !self.ending;
        let ready = next & !self.hazard & !self.found_to_wait(next & !self.hazard, program);
        let (cause, warps) = match ready {
            0 => self.waits(scheduler, mine & !self.ending, program),
            _ => self.structural(scheduler, ready, program),
        };
        let warp = self.oldest(scheduler, warps);
        let inst = warp.map(|warp| {
            let warp = &self.warps[usize::from(warp)];
            // Barriers and fences have issued before their warp waits at them.
            let behind = u32::from(warp.at_barrier || warp.fence);
            warp.trace.insts[(warp.issued - behind) as usize].inst
        });
        Slot { cause, warp, inst }
    }

    /// The warps among which the scheduler chooses: all of its own, or those of the ready queue if there is one in it.
    fn in_reach(&self, scheduler: usize) -> u64 {
        let scheduler = &self.schedulers[scheduler];
        let mine = scheduler.slots & self.resident;
        if !matches!(self.policy, SchedulerPolicy::TwoLevel(_)) {
            return mine;
        }
        let queue = (scheduler.active.iter()).fold(0, |queue, &warp| queue | 1u64 << warp);
        match mine & queue {
            0 => mine,
            reached => reached,
        }
    }

    /// Of warps, the oldest.
    fn oldest(&self, scheduler: usize, warps: u64) -> Option<u8> {
        let mut by_age = self.schedulers[scheduler].by_age.iter().copied();
        by_age.find(|warp| warps >> warp & 1 == 1)
    }

    /// Of warps that were not found to wait for a register, those that do: outside of the ready queue nobody asks.
    pub(super) fn found_to_wait(&self, mut warps: u64, program: &[Decoded]) -> u64 {
        let mut wait = 0;
        while warps != 0 {
            let at = warps.trailing_zeros() as usize;
            warps &= warps - 1;
            let warp = &self.warps[at];
            let inst = warp.trace.insts[warp.issued as usize].inst;
            wait |= u64::from(program[inst as usize].touched.meets(&warp.pending)) << at;
        }
        wait
    }

    /// Why the pipeline takes nothing of the `ready` warps, and of which.
    pub(super) fn structural(
        &self,
        scheduler: usize,
        ready: u64,
        program: &[Decoded],
    ) -> (Cause, u64) {
        let (mut full, mut busy) = (0, 0);
        for kind in 0..KINDS {
            let latch = self.to_collector.of(kind);
            let warps = ready & self.waits_for_latch[kind];
            if warps == 0 || latch.free(self.subcores, scheduler).is_some() {
                continue;
            }
            match self.held_up_by(kind, scheduler) {
                Some(kind) if kind == Kind::Mem as usize && self.waits_for_memory(program) => {
                    return (Cause::MemoryStructural, warps);
                }
                Some(_) => busy |= warps,
                None => full |= warps,
            }
        }
        match (busy, full) {
            // Ready, but outside of a ready queue that holds empty slots.
            (0, 0) => (Cause::NoWarp, 0),
            (0, full) => (Cause::CollectorFull, full),
            (busy, _) => (Cause::UnitBusy, busy),
        }
    }

    /// If instructions with all operands keep those of a kind out of the collectors: the kind of the one that issued first.
    fn held_up_by(&self, kind: usize, scheduler: usize) -> Option<usize> {
        let mut complete = self.collectors.complete_if_full(kind, scheduler);
        let mut first = None;
        while complete != 0 {
            let unit = complete.trailing_zeros() as usize;
            complete &= complete - 1;
            let (flight, kind, scheduler) = self.collectors.held(unit);
            if self
                .to_unit
                .of(kind)
                .free(self.subcores, scheduler)
                .is_none()
            {
                let held = (self.flights[flight as usize].number, kind);
                first = Some(first.map_or(held, |first| held.min(first)));
            }
        }
        first.map(|(_, kind)| kind)
    }

    /// What the warp that came furthest waits for, of `warps` of which none is ready; and the oldest that came as far.
    fn waits(&self, scheduler: usize, warps: u64, program: &[Decoded]) -> (Cause, u64) {
        let mut furthest = (Cause::NoWarp, 0);
        for &at in &self.schedulers[scheduler].by_age {
            if warps >> at & 1 == 0 {
                continue;
            }
            let cause = self.wait(at.into(), program);
            if cause < furthest.0 {
                furthest = (cause, 1 << at);
                if cause == Cause::MemoryData {
                    break;
                }
            }
        }
        furthest
    }

    /// What a warp that cannot issue waits for.
    pub(super) fn wait(&self, at: usize, program: &[Decoded]) -> Cause {
        let warp = &self.warps[at];
        if warp.at_barrier {
            return Cause::Barrier;
        }
        if warp.atomics > 0 {
            return Cause::MemoryData;
        }
        if warp.fence {
            return Cause::Scoreboard;
        }
        if self.buffered >> at & 1 == 0 {
            return Cause::Fetch;
        }
        let next = &program[warp.trace.insts[warp.issued as usize].inst as usize];
        let awaited = next.touched.both(&warp.pending);
        let scratchpad = self.stalls.as_ref().map(|stalls| &stalls.scratchpad[at]);
        let of_scratchpad = scratchpad.is_some_and(|registers| awaited.meets(registers));
        match awaited.meets(&warp.long) || of_scratchpad {
            true => Cause::MemoryData,
            false => Cause::Scoreboard,
        }
    }
}
