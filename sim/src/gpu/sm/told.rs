//! Who is told what happens on an SM, and what is kept for it.

use super::sample::{Sampler, Seen};
use crate::gpu::Watch;
use crate::kernel::Line;
use crate::observe::probe::ProbeError;
use crate::observe::watch::{Event, InstDef, Listing, SharedWatcher};
use crate::trace::record::{Header, StaticInst};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::PoisonError;

/// Who is told, and what is kept for it.
#[derive(Clone)]
pub struct Told {
    watchers: Vec<SharedWatcher>,
    /// Who sees the signals.
    pub sampler: Option<Sampler>,
    /// The head of the trace.
    pub header: Header,
    start: u64,
    /// What the stages did in this cycle.
    pub seen: Seen,
    /// Results on their way to the register file: when they leave their unit, and the instruction in flight.
    pub results: BTreeSet<(u64, u32)>,
    /// A warp has been told to be here.
    pub inhabited: bool,
}

impl fmt::Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Told").finish_non_exhaustive()
    }
}

impl Told {
    /// Begins for those who watch, in cycle `start`; `sampler` shows signals.
    ///
    /// # Errors
    /// A watcher cannot record.
    pub fn begin(
        watch: &Watch,
        listing: &Listing,
        sampler: Option<Sampler>,
        header: &Header,
        start: u64,
    ) -> Result<Self, ProbeError> {
        for watcher in &watch.watchers {
            let mut watcher = watcher.lock().unwrap_or_else(PoisonError::into_inner);
            watcher.begin(listing)?;
        }
        Ok(Told {
            watchers: watch.watchers.clone(),
            sampler,
            header: header.clone(),
            start,
            seen: Seen::default(),
            results: BTreeSet::new(),
            inhabited: false,
        })
    }

    /// Tells an event of a cycle.
    pub fn tell(&self, cycle: u64, event: &Event<'_>) {
        for watcher in &self.watchers {
            let mut watcher = watcher.lock().unwrap_or_else(PoisonError::into_inner);
            watcher.event(cycle - self.start, event);
        }
    }

    /// The trace has brought these instructions.
    pub fn more(&mut self, insts: &[StaticInst]) {
        let new: Vec<InstDef> = insts.iter().map(def).collect();
        for watcher in &self.watchers {
            let mut watcher = watcher.lock().unwrap_or_else(PoisonError::into_inner);
            watcher.more(&new);
        }
        if let Some(sampler) = &mut self.sampler {
            sampler.more(insts);
        }
    }

    /// The kernel has ended in cycle `end`, or its run has failed.
    pub fn finish(mut self, end: u64) -> Result<(), ProbeError> {
        let cycles = end + 1 - self.start;
        self.leave_units(end);
        let mut outcome = Ok(());
        for watcher in &self.watchers {
            let mut watcher = watcher.lock().unwrap_or_else(PoisonError::into_inner);
            outcome = outcome.and(watcher.end(cycles));
        }
        match &mut self.sampler {
            Some(sampler) => outcome.and(sampler.end(cycles)),
            None => outcome,
        }
    }

    /// Tells of results that have left their units by `now`.
    pub fn leave_units(&mut self, now: u64) {
        while let Some(&(cycle, flight)) = self.results.first()
            && cycle <= now
        {
            self.results.pop_first();
            self.tell(
                cycle,
                &Event::Result {
                    flight: number(flight),
                },
            );
        }
    }
}

/// What a watcher knows of an instruction.
fn def(inst: &StaticInst) -> InstDef {
    InstDef {
        line: Line(inst.line.unwrap_or(0)),
        text: inst.text(),
        inserted: false,
        address: Some(inst.pc),
    }
}

/// An instruction in flight, as events have it: there are fewer than results can be scheduled for.
pub fn number(flight: u32) -> u16 {
    flight as u16
}
