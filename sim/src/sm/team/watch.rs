//! Ends runs in which nothing more can come: all warps go round in loops, or wait for those that do.

use super::Team;
use crate::sm::Sm;
use crate::sm::error::{RunError, Step};
use crate::sm::rounds::{AFTER, Rounds, WATCHED};

/// Cycles in which nothing is done but to wait in loops after which a run is given up. What is on its way then, a store or a walk of
/// the renaming table, takes far fewer.
const WAITING_CYCLES: u64 = 200_000; // assumed

impl Team<'_> {
    /// Ends a run in which nothing is done on any SM but to wait in loops: memory stays as it is, and so do their conditions.
    pub(super) fn watch_for_waits(&self, cycle: u64) -> Step {
        let worked_at = self.sms.iter().map(|sm| sm.worked_at).max().unwrap_or(0);
        let cycles = cycle.saturating_sub(worked_at);
        if cycles < WAITING_CYCLES {
            return Ok(());
        }
        let waits = |n: &usize| !self.ended[*n] && self.sms[*n].goes_round();
        let Some(n) = (0..self.sms.len()).find(waits) else {
            return Ok(());
        };
        let state = self.sms[n].who_waits_for_whom();
        let rounds = Vec::new();
        let forever = RunError::WaitsForEver {
            cycles,
            rounds,
            state,
        };
        self.on(n, Err(Box::new(forever)))
    }

    /// Begins a watch, and ends the run if all that warps have done in it is to go round.
    pub(super) fn watch_rounds(&mut self, cycle: u64) -> Step {
        let disturbed = |sm: &Sm<'_>| sm.rounds.as_ref().is_some_and(|rounds| rounds.disturbed);
        let is_disturbed = self.sms.iter().any(disturbed);
        // The lines of a trace come to an end.
        if !is_disturbed && cycle < self.watch_at || self.traces.is_some() {
            return Ok(());
        }
        if self.sms[0].rounds.is_none() {
            for sm in &mut self.sms {
                let slots = sm.warps.pc.len();
                sm.rounds = Some(Box::new(Rounds::new(slots)));
            }
            self.watch_at += WATCHED;
            return Ok(());
        }
        if !is_disturbed {
            self.all_go_round()?;
        }
        for sm in &mut self.sms {
            sm.rounds = None;
        }
        // Cycles that are skipped end no watch.
        let ended_at = cycle.min(self.watch_at);
        self.watch_at = ended_at + AFTER.max(ended_at / 4);
        Ok(())
    }

    /// Ends a run in which all warps that have done anything since the watch began go round.
    fn all_go_round(&self) -> Step {
        let mut found = Vec::new();
        for sm in &self.sms {
            let rounds = sm.rounds.as_ref();
            match rounds.and_then(|rounds| rounds.all(sm.warps.running, sm.program)) {
                Some(rounds) => found.push(rounds),
                None => return Ok(()),
            }
        }
        let Some(n) = found.iter().position(|rounds| !rounds.is_empty()) else {
            return Ok(());
        };
        let mut rounds = found.concat();
        rounds.sort();
        rounds.dedup();
        let mut state = self.sms[n].who_waits_for_whom();
        state.cycle = self.watch_at;
        let forever = RunError::WaitsForEver {
            cycles: WATCHED,
            rounds,
            state,
        };
        self.on(n, Err(Box::new(forever)))
    }
}
