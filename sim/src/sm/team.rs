//! The SMs of a launch: one clock, one dispatcher of CTAs, one device memory.
//!
//! Each SM has register hardware, cache, scratchpad and a share of the bandwidth of its own; what they have in common is what
//! device memory holds. In a cycle they come one after the other, by their numbers, so that a run is deterministic: what SM 0
//! stores, SM 1 can load in the same cycle. An SM in which nothing can change skips cycles, as one alone does; whoever is at the
//! earliest cycle comes next.

mod watch;

use crate::memory::device::DeviceMemory;
use crate::observe::probe::SharedProbe;
use crate::sm::Sm;
use crate::sm::api::RunResult;
use crate::sm::error::{RunError, Step};
use crate::sm::rounds;
use crate::trace::lift::CtaSource;
use crate::trace::record::CtaTrace;

/// SMs that run one launch together.
pub(super) struct Team<'a> {
    sms: Vec<Sm<'a>>,
    /// Which have nothing left to do.
    ended: Vec<bool>,
    /// CTAs launched so far, and in the grid.
    launched: u64,
    total: u64,
    /// Where the CTAs come from if the launch follows a trace, in the order of its file; else they come in that of the grid.
    traces: Option<Box<dyn CtaSource + 'a>>,
    turn: Turn,
    /// When the next watch over rounds begins, or the one that goes on ends.
    watch_at: u64,
    /// The SM that has the device memory; the others have none.
    memory_at: usize,
}

/// Round robin over the SMs: whose turn it is to get a CTA.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// The first to be asked.
    pub next: usize,
    /// SMs.
    pub count: usize,
}

impl Turn {
    /// All SMs, in the order in which they are asked now.
    pub(super) fn order(self) -> impl Iterator<Item = usize> {
        (0..self.count).map(move |step| (self.next + step) % self.count)
    }

    /// An SM has got one: next time the one behind it is first.
    pub(super) fn served(&mut self, sm: usize) {
        self.next = (sm + 1) % self.count;
    }
}

impl<'a> Team<'a> {
    /// One SM or more, at cycle 0, for a grid of `total` CTAs; of a launch that follows a trace, `traces` has as many.
    pub(super) fn new(
        mut sms: Vec<Sm<'a>>,
        device: DeviceMemory,
        total: u64,
        traces: Option<Box<dyn CtaSource + 'a>>,
    ) -> Self {
        let count = sms.len();
        for (number, sm) in sms.iter_mut().enumerate() {
            sm.special.sm = (number as u32, count as u32);
            // Watchers of one SM see the first.
            sm.watchers
                .retain(|watcher| number == 0 || super::signals::lock(watcher).sees_all_sms());
        }
        sms[0].device = device;
        Team {
            ended: vec![false; count],
            sms,
            launched: 0,
            total,
            traces,
            turn: Turn { next: 0, count },
            watch_at: rounds::AFTER,
            memory_at: 0,
        }
    }

    /// The SMs, by their numbers.
    pub(super) fn sms(&mut self) -> &mut [Sm<'a>] {
        &mut self.sms
    }

    /// Runs the launch to its end. A probe sees the first SM.
    pub(super) fn run(&mut self, probe: Option<SharedProbe>) -> Step {
        // The probe comes first: placing clears the units, and that is part of what they see.
        if let Some(probe) = probe {
            self.sms[0].attach(probe)?;
        }
        for sm in &mut self.sms {
            sm.manager.place();
        }
        self.read_throttles(0)?;
        while let Some(cycle) = self.next_cycle() {
            self.cycle(cycle)?;
        }
        self.finish()
    }

    /// The earliest cycle of an SM that has something left to do.
    fn next_cycle(&self) -> Option<u64> {
        let left = self.sms.iter().zip(&self.ended);
        left.filter(|&(_, ended)| !ended)
            .map(|(sm, _)| sm.cycle)
            .min()
    }

    /// One cycle of all SMs that are at it.
    fn cycle(&mut self, cycle: u64) -> Step {
        let is_at = |team: &Self, n: usize| !team.ended[n] && team.sms[n].cycle == cycle;
        for n in 0..self.sms.len() {
            if is_at(self, n) {
                self.hand_memory_to(n);
                let outcome = self.sms[n].stages();
                self.on(n, outcome)?;
            }
        }
        self.dispatch(cycle)?;
        for n in 0..self.sms.len() {
            if is_at(self, n) {
                let outcome = self.sms[n].end_cycle();
                self.on(n, outcome)?;
            }
        }
        self.watch_for_waits(cycle)?;
        self.watch_rounds(cycle)?;
        if self.compares() {
            return self.step(cycle);
        }
        for n in 0..self.sms.len() {
            if is_at(self, n) {
                if self.sms[n].is_done() {
                    self.ended[n] = true;
                } else {
                    let outcome = self.sms[n].tick();
                    self.on(n, outcome)?;
                }
            }
        }
        Ok(())
    }

    /// Whether SMs are compared with SM 0: then each goes through every cycle until all have ended, and a throttle counts also the
    /// stall cycles of an SM that has nothing left to do.
    fn compares(&self) -> bool {
        self.sms[0].throttle.is_some()
    }

    /// To the next cycle, with all SMs.
    fn step(&mut self, cycle: u64) -> Step {
        self.read_throttles(cycle)?;
        let all_done = self.sms.iter().all(Sm::is_done);
        for n in 0..self.sms.len() {
            let sm = &mut self.sms[n];
            if all_done {
                self.ended[n] = true;
            } else if sm.is_done() {
                sm.cycle += 1;
            } else {
                sm.hold_back();
                let outcome = sm.tick();
                self.on(n, outcome)?;
            }
        }
        Ok(())
    }

    /// What the throttles say for the next cycle; that of SM 0 goes to all.
    fn read_throttles(&mut self, cycle: u64) -> Step {
        for n in 0..self.sms.len() {
            let throttle = self.sms[n].manager.throttle();
            let outcome = throttle.map_err(|fault| Box::new(RunError::Manager { cycle, fault }));
            let outcome = outcome.map(|throttle| self.sms[n].throttle = throttle);
            self.on(n, outcome)?;
            // No cycle without the register hardware.
            self.sms[n].skip &= self.sms[n].throttle.is_none();
        }
        let zero = self.sms[0].throttle.unwrap_or_default().stalls;
        for sm in &mut self.sms {
            sm.zero_stalls = zero;
        }
        Ok(())
    }

    /// Launches CTAs in the order of the grid, or of the trace that is followed, round robin on the SMs that have a free slot, at most one on each. An SM with a
    /// free slot does not skip cycles while CTAs are left.
    fn dispatch(&mut self, cycle: u64) -> Step {
        for n in self.turn.order() {
            if self.launched == self.total {
                break;
            }
            if self.ended[n] || self.sms[n].cycle != cycle || !self.sms[n].ctas.can_launch() {
                continue;
            }
            let trace = self.next_trace()?;
            let outcome = self.sms[n].launch_cta(self.launched, trace);
            self.on(n, outcome)?;
            self.launched += 1;
            self.turn.served(n);
        }
        if self.launched == self.total {
            for sm in &mut self.sms {
                sm.ctas.more = false;
            }
        }
        Ok(())
    }

    /// The next CTA of the trace, if one is followed. What is wrong with the file is not put down to an SM.
    fn next_trace(&mut self) -> Step<Option<CtaTrace>> {
        let Some(traces) = &mut self.traces else {
            return Ok(None);
        };
        let message = match traces.next_cta() {
            Ok(Some(cta)) => return Ok(Some(cta)),
            Ok(None) => format!("the trace ends after {} CTAs", self.launched),
            Err(error) => error.to_string(),
        };
        Err(Box::new(RunError::Trace { message }))
    }

    fn hand_memory_to(&mut self, n: usize) {
        if self.memory_at != n {
            let device = std::mem::take(&mut self.sms[self.memory_at].device);
            self.sms[n].device = device;
            self.memory_at = n;
        }
    }

    /// All have ended; the slots that earlier ones had until the last ended have no warp.
    fn finish(&mut self) -> Step {
        let last = self.sms.iter().map(|sm| sm.cycle).max().unwrap_or(0);
        for n in 0..self.sms.len() {
            let sm = &mut self.sms[n];
            sm.pass_idle(last - sm.cycle);
            sm.cycle = last + 1;
            sm.counters.cycles = sm.cycle;
            let outcome = sm.check_end();
            self.on(n, outcome)?;
        }
        Ok(())
    }

    /// Says on which of several SMs it happened.
    fn on(&self, sm: usize, outcome: Step) -> Step {
        outcome.map_err(|cause| match *cause {
            RunError::Probe(_) | RunError::Launch(_) => cause,
            _ if self.sms.len() == 1 => cause,
            _ => Box::new(RunError::OnSm { sm, cause }),
        })
    }

    /// What a run to the end gives: sums over the SMs.
    pub(super) fn into_result(mut self) -> RunResult {
        self.hand_memory_to(0);
        let mut sum = self.sms.remove(0).into_result();
        for other in self.sms {
            sum.add(&other.into_result());
        }
        sum
    }
}
