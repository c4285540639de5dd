//! A kernel on its way, a span of cycles at a time.
//!
//! A request is of no use to a slice of the second level before that level's latency is over. So the channels can run ahead by
//! that many cycles, each on its own; their answers go through the crossbar; then the SMs run the same cycles, each on its own;
//! and their requests go through the other crossbar. The result is that of all of them in step, cycle by cycle, as long as no
//! queue between them can run full within the span and the kernel does not end before its last cycle. Spans are cut short
//! so that both hold, down to a single cycle, in which the fill of the queues is known.

mod channels;
mod due;
mod network;
mod sms;

use super::machine::GpuMachine;
use super::packet::{Reply, Request};
use super::partition::{Closed, LONGEST_SPAN, Span};
use super::team::Team;
use super::{ReplayError, ReplayOptions};
use crate::trace::read::{Ahead, InOrder};
use crate::trace::record::{CtaTrace, Header};
use due::Due;
pub use network::Network;

/// Cycles from the issue of a warp's last instruction to its end, at least: to the collector, through it, through a unit, back.
const LAST_INSTRUCTION_CYCLES: u64 = 4;

/// What is known of an SM between its spans.
#[derive(Clone, Copy, Debug)]
struct SmView {
    /// When it has something to do.
    next: u64,
    /// Answers on their way to it.
    arrivals: usize,
    /// It does not end before so many cycles, the last one included; 0: it has ended.
    left: u64,
    /// When it ended.
    idle_from: u64,
    /// At the end of which cycle it waits for a CTA.
    paused: Option<u64>,
}

/// What is known of a channel between its spans.
#[derive(Clone, Copy, Debug)]
struct ChannelView {
    /// When it has something to do.
    next: u64,
    /// It gives no answer before.
    first_answer: u64,
}

/// The places of the bits of a mask, ascending.
fn bits(mut mask: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        bit
    })
}

/// The kernel.
pub struct Run<'a, 'f> {
    machine: &'a GpuMachine,
    network: &'a mut Network,
    team: &'a Team,
    header: &'a Header,
    reader: InOrder<'a>,
    ahead: &'a Ahead<'f>,
    options: &'a ReplayOptions,
    start: u64,
    from: u64,
    next_cta: Option<CtaTrace>,
    ctas_left: u64,
    decoded: usize,
    last_sm: usize,
    last_launch: u64,
    sms: Vec<SmView>,
    /// Bits of SMs that have something to do, or wait for something.
    live: u128,
    channels: Vec<ChannelView>,
    /// By slice: whether it takes no request, in the cycles of the last span and in the next one.
    closed: Vec<Closed>,
    any_closed: bool,
    closed_now: u128,
    incoming: Vec<Vec<(u64, u32, Request)>>,
    outgoing: Vec<Vec<(u64, u32, Reply)>>,
    sent: Vec<Vec<(u64, Request)>>,
    due: Due,
    items: Vec<u16>,
    most_sent: usize,
}

impl<'a, 'f> Run<'a, 'f> {
    /// A kernel that starts at cycle `start`, when `last_sm` has got a CTA last.
    pub fn new(
        machine: &'a GpuMachine,
        network: &'a mut Network,
        team: &'a Team,
        header: &'a Header,
        (reader, ahead): (InOrder<'a>, &'a Ahead<'f>),
        options: &'a ReplayOptions,
        (start, last_sm): (u64, usize),
    ) -> Self {
        let sms = machine.chip.sms as usize;
        let channels = machine.l2.channels as usize;
        let slices = channels * machine.l2.slices_per_channel as usize;
        let fetches = machine
            .icache
            .as_ref()
            .map_or(0, |_| machine.issue.fetch_steps);
        let view = |index| SmView {
            next: start,
            arrivals: team.node(index).arrivals.len(),
            left: 0,
            idle_from: start,
            paused: None,
        };
        Run {
            machine,
            network,
            team,
            options,
            start,
            from: start,
            next_cta: None,
            ctas_left: header.ctas(),
            header,
            reader,
            ahead,
            decoded: 0,
            last_sm,
            last_launch: start,
            sms: (0..sms).map(view).collect(),
            live: u128::MAX >> (128 - sms),
            channels: (0..channels)
                .map(|at| ChannelView {
                    next: team.partition(at).next,
                    first_answer: 0,
                })
                .collect(),
            closed: vec![[0; 3]; slices],
            any_closed: false,
            closed_now: 0,
            incoming: vec![Vec::new(); channels],
            outgoing: vec![Vec::new(); channels],
            sent: vec![Vec::new(); sms],
            due: Due::new(sms.max(channels)),
            items: Vec::new(),
            // A miss and an access past the cache, and misses of the instruction cache.
            most_sent: 2 + fetches as usize,
        }
    }

    /// Runs to the end. Returns the last cycle.
    pub fn finish(&mut self) -> Result<u64, ReplayError> {
        let limit = self.options.cycle_limit.unwrap_or(1 << 40);
        self.read_ahead()?;
        let mut begins = true;
        loop {
            let from = self.next_event();
            if from == u64::MAX {
                return Err(ReplayError::Hang {
                    kernel: self.header.name.clone(),
                    cycle: self.from - self.start,
                    waiting: self.waiting(),
                });
            }
            if from - self.start > limit {
                return Err(ReplayError::CycleLimit {
                    kernel: self.header.name.clone(),
                    limit,
                    waiting: self.waiting(),
                });
            }
            let cycles = self.length(from).min(limit - (from - self.start) + 1);
            let span = Span {
                from,
                until: from + cycles,
                begins,
            };
            self.span(span)?;
            begins = false;
            self.from = span.until;
            if self.ctas_left == 0 && bits(self.live).all(|index| self.sms[index].left == 0) {
                let idle = self.sms.iter().map(|sm| sm.idle_from).max();
                let end = idle.unwrap_or(0).max(self.last_launch);
                debug_assert_eq!(end + 1, span.until);
                return Ok(end);
            }
        }
    }

    /// The next cycle in which something can change.
    fn next_event(&self) -> u64 {
        if self.network.is_busy() {
            return self.from;
        }
        let sms = bits(self.live).map(|index| self.sms[index].next).min();
        let channels = self.channels.iter().map(|channel| channel.next).min();
        let next = sms.unwrap_or(u64::MAX).min(channels.unwrap_or(u64::MAX));
        if next == u64::MAX {
            next
        } else {
            next.max(self.from)
        }
    }

    /// How many cycles can run at once from `from` on.
    fn length(&self, from: u64) -> u64 {
        if self.options.every_cycle {
            return 1;
        }
        let input = self.machine.interconnect.input_packets as usize;
        let output = self.machine.interconnect.output_packets as usize;
        let mut room = input.min(output);
        for index in bits(self.live) {
            let answers = output.saturating_sub(self.sms[index].arrivals);
            let requests = self.network.requests.room(index) / self.most_sent;
            room = room.min(answers).min(requests);
        }
        if self.network.replies.is_busy() {
            for slice in 0..self.closed.len() {
                room = room.min(self.network.replies.room(slice));
            }
        }
        let ahead = u64::from(self.machine.l2.latency) + 1;
        let cycles = ahead.min(LONGEST_SPAN).min(room as u64);
        cycles.min(self.ends_after(from)).max(1)
    }

    /// The kernel does not end before so many cycles, the last one included.
    fn ends_after(&self, from: u64) -> u64 {
        let answers = self
            .channels
            .iter()
            .map(|channel| channel.first_answer)
            .min();
        let answer = match self.network.replies.is_busy() {
            true => from,
            false => answers.unwrap_or(from),
        };
        let sms = bits(self.live).map(|index| {
            let SmView {
                next,
                arrivals,
                left,
                ..
            } = self.sms[index];
            // Until then it only waits.
            let idle = match (left, arrivals) {
                (0, _) | (_, 1..) => 0,
                _ => next.min(answer).saturating_sub(from),
            };
            left.saturating_add(idle)
        });
        let cta = self.next_cta.as_ref().map_or(0, |cta| {
            let longest = cta.warps.iter().map(|warp| warp.insts.len() as u64).max();
            longest.unwrap_or(0)
        });
        sms.max().unwrap_or(0).max(cta)
    }

    fn span(&mut self, span: Span) -> Result<(), ReplayError> {
        let exact = span.until == span.from + 1;
        if exact && self.network.replies.is_busy() {
            self.fill_of_answers(span.from);
        }
        if exact {
            self.make_room_at_sms(span.from);
        }
        self.take_requests(span.from);
        self.run_channels(span);
        self.carry_answers(span);
        if exact && self.network.requests.is_busy() {
            self.advance_requests();
            self.fill_of_requests(span.until);
        }
        self.run_sms(span)?;
        self.carry_requests(span, exact);
        Ok(())
    }

    /// Leaves requests that no channel has seen yet for the next kernel. Returns the SM that got a CTA last.
    pub fn leave(&mut self) -> usize {
        for (channel, incoming) in self.incoming.iter_mut().enumerate() {
            let mut partition = self.team.partition(channel);
            partition.incoming.append(incoming);
            partition.next = self.channels[channel].next;
        }
        self.last_sm
    }

    /// The warps that have not ended, a line for each of the first.
    fn waiting(&self) -> String {
        const SHOWN: usize = 32;
        let insts = &self.reader.program().insts;
        let of_sm = |index| self.team.node(index).sm.unended(insts, self.machine);
        let warps: Vec<String> = (0..self.sms.len()).flat_map(of_sm).collect();
        let mut lines = vec![format!("{} warps have not ended", warps.len())];
        if self.ctas_left > 0 {
            lines[0] += &format!(", {} CTAs have not begun", self.ctas_left);
        }
        let more = warps.len().saturating_sub(SHOWN);
        lines.extend(warps.into_iter().take(SHOWN));
        if more > 0 {
            lines.push(format!("and {more} warps more"));
        }
        lines.join("\n  ")
    }
}
