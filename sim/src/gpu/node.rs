//! An SM as the rest of the GPU sees it: it runs a span of cycles on its own, with the answers that will come in them known
//! beforehand, and leaves its requests with their cycles.

use super::decoded::Decoded;
use super::packet::{Reply, Request};
use super::sm::Sm;
use std::collections::VecDeque;

/// An SM, and what it exchanges with the interconnect.
#[derive(Debug)]
pub struct Node {
    /// The SM.
    pub sm: Sm,
    /// Answers, each with the first cycle in which the SM can take it.
    pub arrivals: VecDeque<(u64, Reply)>,
    /// Requests, each with its cycle.
    pub sent: Vec<(u64, Request)>,
    /// The first cycle in which something can change unless an answer comes.
    wake: u64,
    /// The first cycle after the last run in which there is something to do, unless an answer comes.
    pub next: u64,
    /// The next cycle to be simulated or passed over.
    at: u64,
    /// The cycle for which an answer has been taken already.
    pulled: u64,
    /// The cycle simulated last.
    last: Option<u64>,
    start: u64,
    /// Whether every cycle is simulated.
    every_cycle: bool,
    /// The cycle at whose end it can get a CTA: it does not go on before it knows.
    pub paused: Option<u64>,
    /// The cycle in which its last warp ended.
    pub idle_from: u64,
    /// Cycles simulated.
    pub simulated: u64,
}

impl Node {
    /// An SM at the start of a kernel.
    pub fn new(
        mut sm: Sm,
        arrivals: VecDeque<(u64, Reply)>,
        start: u64,
        every_cycle: bool,
    ) -> Self {
        sm.room = usize::MAX;
        Node {
            sm,
            arrivals,
            sent: Vec::new(),
            wake: u64::MAX,
            next: start,
            at: start,
            pulled: u64::MAX,
            last: None,
            start,
            every_cycle,
            paused: None,
            idle_from: start,
            simulated: 0,
        }
    }

    /// The first cycle from `from` on in which it has something to do.
    fn next_event(&self, from: u64) -> u64 {
        if self.sm.has_answers() {
            return from;
        }
        if self.every_cycle {
            return from.max(self.start + 1);
        }
        let arrival = (self.arrivals.front()).map_or(u64::MAX, |&(cycle, _)| cycle);
        self.wake.min(arrival).max(from)
    }

    /// Takes an answer at the beginning of a cycle.
    pub fn pull(&mut self, now: u64) {
        let arrived = |arrivals: &VecDeque<(u64, Reply)>| {
            (arrivals.front()).is_some_and(|&(cycle, _)| cycle <= now)
        };
        if self.pulled == now || !self.sm.has_answers() && !arrived(&self.arrivals) {
            return;
        }
        self.pulled = now;
        self.wake = now;
        if self.sm.pull()
            && arrived(&self.arrivals)
            && let Some((_, reply)) = self.arrivals.pop_front()
        {
            self.sm.accept(reply);
        }
    }

    /// Runs up to `until`, or to the end of a cycle after which it can get a CTA if there are any left (`ctas`). Returns the
    /// first cycle in which there is more to do, unless an answer comes.
    pub fn run(&mut self, from: u64, until: u64, ctas: bool, program: &[Decoded]) -> u64 {
        self.at = self.at.max(from);
        self.paused = None;
        loop {
            let waits = ctas && self.sm.has_room();
            let event = self.next_event(self.at);
            let now = if waits { self.at } else { event };
            if now >= until {
                self.at = until;
                return now;
            }
            if event == now {
                self.cycle(now, program);
            }
            self.at = now + 1;
            if ctas && self.sm.has_room() {
                self.paused = Some(now);
                return now;
            }
        }
    }

    fn cycle(&mut self, now: u64, program: &[Decoded]) {
        self.pull(now);
        let was_idle = self.sm.is_idle();
        self.pass_over(now);
        self.wake = self.sm.cycle(now, program);
        self.last = Some(now);
        self.simulated += 1;
        if !was_idle && self.sm.is_idle() {
            self.idle_from = now;
        }
        for request in self.sm.outbox.drain(..) {
            self.sent.push((now, request));
        }
    }

    /// Counts the cycles between the one simulated last and `now`.
    fn pass_over(&mut self, now: u64) {
        let from = self.last.map_or(self.start, |last| last + 1);
        self.sm.skip(now.saturating_sub(from));
    }

    /// Launches a CTA at the end of cycle `now`.
    pub fn launch(&mut self, cta: crate::trace::record::CtaTrace, now: u64) {
        if self.sm.is_idle() {
            // Nothing passes in an empty SM.
            self.last = Some(now);
        }
        self.sm.launch(cta, now + 1);
        self.wake = now + 1;
    }
}
