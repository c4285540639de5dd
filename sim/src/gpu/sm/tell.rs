//! Tells watchers what happens on an SM, in the events of [`crate::observe::watch`]. Nothing is gathered while nobody watches.
//!
//! Cycles count from the start of the kernel. The number of an instruction in these events is its place in the program of the
//! trace, which grows while the trace is read.

use super::Sm;
use super::sample::{Sampler, Seen};
use super::told::{Told, number};
use crate::gpu::Watch;
use crate::gpu::decoded::Decoded;
use crate::kernel::ptx::Files;
use crate::observe::cause::Cause;
use crate::observe::probe::ProbeError;
use crate::observe::watch::{Event, Listing, States};
use crate::trace::record::Header;

/// What the warps do before anything issues: those that wait, by cause; those that could issue; and of each which instruction.
pub struct Before {
    states: States,
    ready: u64,
    insts: Vec<u32>,
}

impl Sm {
    /// Tells `watch` what happens from cycle `start` on.
    ///
    /// # Errors
    /// A watcher cannot record.
    pub fn begin_telling(
        &mut self,
        watch: &Watch,
        header: &Header,
        start: u64,
    ) -> Result<(), ProbeError> {
        let listing = Listing {
            insts: Vec::new(),
            files: Files::default(),
            schedulers: self.schedulers.len(),
            warp_slots: self.warps.len(),
            warps_per_cta: self.warps_per_cta,
        };
        let probe = watch.probe.clone();
        let sampler = probe.map(|probe| Sampler::begin(probe, self.signals(), start));
        if self.stalls.is_none() {
            // What a warp waits for follows from what is kept there.
            self.watch_slots(start);
        }
        let told = Told::begin(watch, &listing, sampler.transpose()?, header, start)?;
        self.told = Some(Box::new(told));
        Ok(())
    }

    #[inline]
    pub(super) fn tell(&self, event: Event<'_>) {
        if let Some(told) = &self.told {
            told.tell(self.now, &event);
        }
    }

    /// A cycle begins.
    pub(super) fn tell_cycle(&mut self) {
        let now = self.now;
        if let Some(told) = &mut self.told {
            told.leave_units(now);
            told.seen = Seen::default();
        }
    }

    /// A cycle has ended.
    pub(super) fn tell_end_of_cycle(&mut self, program: &[Decoded]) {
        let Some(mut told) = self.told.take() else {
            return;
        };
        if let Some(sampler) = &mut told.sampler {
            self.sample(sampler, &told.seen, program);
        }
        self.told = Some(told);
    }

    /// A CTA has come into a slot, from cycle `now` on.
    pub(super) fn tell_cta(&self, slot: usize, now: u64) {
        if let Some(told) = &self.told {
            let number = told.header.cta_number(self.ctas[slot].index);
            told.tell(now, &Event::CtaStarted { slot, number });
        }
    }

    /// Two instructions are fetched for a warp.
    pub(super) fn tell_fetched(&mut self, warp: usize, count: u32) {
        let Some(told) = &mut self.told else { return };
        told.seen.fetched |= 1 << warp;
        let state = &self.warps[warp];
        let from = state.fetched as usize;
        let until = (from + count as usize).min(state.trace.insts.len());
        let insts = &state.trace.insts[from..until];
        let pcs: Vec<u32> = insts.iter().map(|executed| executed.inst).collect();
        told.tell(self.now, &Event::Fetched { warp, pcs: &pcs });
    }

    pub(super) fn tell_decoded(&mut self, warp: usize) {
        if let Some(told) = &mut self.told {
            told.seen.decoded |= 1 << warp;
            told.tell(self.now, &Event::Decoded { warp });
        }
    }

    /// An instruction has issued; it is told with the others of the cycle.
    pub(super) fn note_issued(&mut self, scheduler: usize, flight: u32) {
        if let Some(told) = &mut self.told {
            told.seen.issued[scheduler] = Some(flight);
        }
    }

    /// An instruction enters its unit; its result leaves at `end`, if that is known.
    pub(super) fn tell_started(&mut self, flight: u32, end: Option<u64>) {
        if let Some(told) = &mut self.told {
            told.seen.started += 1;
            told.results.extend(end.map(|end| (end, flight)));
            let flight = number(flight);
            told.tell(self.now, &Event::Started { flight });
        }
    }

    /// An instruction has ended.
    #[inline]
    pub(super) fn tell_finished(&self, flight: u32) {
        let flight = number(flight);
        self.tell(Event::Finished { flight });
    }

    /// The result of a load is there.
    #[inline]
    pub(super) fn tell_result(&self, flight: u32) {
        let flight = number(flight);
        self.tell(Event::Result { flight });
    }

    /// Before the schedulers' turns; `None`: nobody watches.
    pub(super) fn before_issue(&self, program: &[Decoded]) -> Option<Before> {
        self.told.as_ref()?;
        let mut before = Before {
            states: States::default(),
            ready: 0,
            insts: vec![0; self.warps.len()],
        };
        let next = self.buffered & !self.waiting & !self.ending;
        before.ready = next & !self.hazard & !self.found_to_wait(next & !self.hazard, program);
        let mut left = self.resident;
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            let bit = left & left.wrapping_neg();
            left &= left - 1;
            let warp = &self.warps[at];
            let behind = warp.at_barrier || warp.fence || self.ending & bit != 0;
            let place = (warp.issued - u32::from(behind)) as usize;
            before.insts[at] = warp.trace.insts[place].inst;
            let cause = match self.ending & bit {
                0 if before.ready & bit != 0 => continue,
                0 => self.wait(at, program),
                _ => Cause::Draining,
            };
            before.states.masks[cause as usize] |= bit;
        }
        Some(before)
    }

    /// After the schedulers' turns: what the warps did, and what has issued.
    pub(super) fn tell_issue(&mut self, before: Option<Before>, program: &[Decoded]) {
        let (Some(mut before), Some(told)) = (before, &self.told) else {
            return;
        };
        let issued: Vec<u32> = told.seen.issued.iter().copied().flatten().collect();
        let masks = &mut before.states.masks;
        for &flight in &issued {
            masks[Cause::Issued as usize] |= 1 << self.flights[flight as usize].warp;
        }
        let mut left = before.ready & !masks[Cause::Issued as usize];
        while left != 0 {
            let bit = left & left.wrapping_neg();
            left &= left - 1;
            let scheduler = bit.trailing_zeros() as usize % self.schedulers.len();
            let index = match self.structural(scheduler, bit, program) {
                (Cause::NoWarp, _) => States::NOT_CHOSEN,
                (cause, _) => cause as usize,
            };
            masks[index] |= bit;
        }
        told.tell(
            self.now,
            &Event::States {
                states: &before.states,
                pcs: &before.insts,
            },
        );
        for flight in issued {
            let of = &self.flights[flight as usize];
            let event = Event::Issued {
                warp: of.warp.into(),
                pc: of.inst,
                flight: Some(number(flight)),
            };
            told.tell(self.now, &event);
        }
        let (held, packs) = (None, None);
        told.tell(self.now, &Event::IssueDone { held, packs });
        let inhabited = self.resident != 0;
        if let Some(told) = &mut self.told {
            told.inhabited = inhabited;
        }
    }

    /// In a cycle without a warp: that there is none any more.
    pub(super) fn tell_empty(&mut self) {
        let pcs = vec![0; self.warps.len()];
        if let Some(told) = &mut self.told
            && std::mem::take(&mut told.inhabited)
        {
            let states = &States::default();
            told.tell(self.now, &Event::States { states, pcs: &pcs });
        }
    }
}
