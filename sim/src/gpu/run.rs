//! A kernel on its way, a span of cycles at a time.
//!
//! A request is of no use to a slice of the second level before that level's latency is over. So the channels can run ahead by
//! that many cycles, each on its own; their answers go through the crossbar; then the SMs run the same cycles, each on its own;
//! and their requests go through the other crossbar. The result is that of all of them in step, cycle by cycle, as long as no
//! queue between them can run full within the span and the kernel does not end before its last cycle. Spans are cut short
//! so that both hold, down to a single cycle, in which the fill of the queues is known.

use super::crossbar::Crossbar;
use super::decoded::Decoded;
use super::machine::GpuMachine;
use super::packet::{Reply, Request};
use super::partition::{Closed, LONGEST_SPAN, Span};
use super::team::{Task, Team};
use super::{ReplayError, ReplayOptions};
use crate::trace::TraceError;
use crate::trace::read::KernelReader;
use crate::trace::record::CtaTrace;
use std::collections::VecDeque;

/// Cycles from the issue of a warp's last instruction to its end, at least: to the collector, through it, through a unit, back.
const LAST_INSTRUCTION_CYCLES: u64 = 4;

/// The interconnect, and the requests that have come out of it.
pub struct Network {
    /// From SMs to slices.
    pub requests: Crossbar<Request>,
    /// From slices to SMs.
    pub replies: Crossbar<Reply>,
    /// At each slice.
    outputs: Vec<VecDeque<Request>>,
    /// Bits of slices with any.
    waiting: u128,
}

impl Network {
    /// An empty one.
    pub fn new(machine: &GpuMachine) -> Self {
        let sms = machine.chip.sms as usize;
        let slices = (machine.l2.channels * machine.l2.slices_per_channel) as usize;
        let input = machine.interconnect.input_packets as usize;
        Network {
            requests: Crossbar::new(sms, slices, 0, input),
            replies: Crossbar::new(slices, sms, sms, input),
            outputs: (0..slices).map(|_| VecDeque::new()).collect(),
            waiting: 0,
        }
    }

    fn is_busy(&self) -> bool {
        self.waiting != 0 || self.requests.is_busy() || self.replies.is_busy()
    }
}

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
pub struct Run<'a> {
    machine: &'a GpuMachine,
    network: &'a mut Network,
    team: &'a Team,
    reader: &'a mut KernelReader,
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
    items: Vec<u16>,
    most_sent: usize,
}

impl<'a> Run<'a> {
    /// A kernel that starts at cycle `start`.
    pub fn new(
        machine: &'a GpuMachine,
        network: &'a mut Network,
        team: &'a Team,
        reader: &'a mut KernelReader,
        options: &'a ReplayOptions,
        start: u64,
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
            ctas_left: reader.header().ctas(),
            reader,
            decoded: 0,
            last_sm: sms - 1,
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
                    kernel: self.reader.header().name.clone(),
                    cycle: self.from - self.start,
                    waiting: self.waiting(),
                });
            }
            if from - self.start > limit {
                return Err(ReplayError::CycleLimit {
                    kernel: self.reader.header().name.clone(),
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

    /// In a span of one cycle: which slices must keep their answers.
    fn fill_of_answers(&mut self, now: u64) {
        let each = self.machine.l2.slices_per_channel as usize;
        for channel in 0..self.channels.len() {
            if self.channels[channel].next > now {
                continue;
            }
            let full = |&slice: &usize| self.network.replies.room(channel * each + slice) == 0;
            let blocked = (0..each)
                .filter(full)
                .fold(0, |bits, slice| bits | 1 << slice);
            self.team.partition(channel).blocked = blocked;
        }
    }

    /// In a span of one cycle: SMs with as many answers as they may have take one before others come.
    fn make_room_at_sms(&mut self, now: u64) {
        let limit = self.machine.interconnect.output_packets as usize;
        for index in bits(self.live) {
            let sm = &mut self.sms[index];
            if sm.arrivals >= limit {
                let mut node = self.team.node(index);
                node.pull(now);
                sm.arrivals = node.arrivals.len();
                sm.next = now;
            }
        }
    }

    /// Slices take the requests that wait for them.
    fn take_requests(&mut self, now: u64) {
        let each = self.machine.l2.slices_per_channel as usize;
        let mut open = self.network.waiting & !self.closed_now;
        while open != 0 {
            let slice = open.trailing_zeros() as usize;
            open &= open - 1;
            let queue = &mut self.network.outputs[slice];
            if let Some(request) = queue.pop_front() {
                let channel = slice / each;
                self.incoming[channel].push((now, (slice % each) as u32, request));
                // It plays no part before the latency is over.
                let ready = now + u64::from(self.machine.l2.latency);
                let view = &mut self.channels[channel];
                view.next = view.next.min(ready);
                view.first_answer = view.first_answer.min(ready);
            }
            if queue.is_empty() {
                self.network.waiting &= !(1 << slice);
            }
        }
    }

    fn run_channels(&mut self, span: Span) {
        let each = self.machine.l2.slices_per_channel as usize;
        let mut items = std::mem::take(&mut self.items);
        items.clear();
        for (channel, view) in self.channels.iter().enumerate() {
            if view.next < span.until {
                items.push(channel as u16);
                let mut partition = self.team.partition(channel);
                std::mem::swap(&mut partition.incoming, &mut self.incoming[channel]);
            }
        }
        let exact = span.until == span.from + 1;
        if std::mem::take(&mut self.any_closed) {
            self.closed.fill([0; 3]);
        }
        if !items.is_empty() {
            self.team.perform(Task::Channels(span), &items);
        }
        for &channel in &items {
            let channel = usize::from(channel);
            let mut partition = self.team.partition(channel);
            self.channels[channel] = ChannelView {
                next: partition.next,
                first_answer: partition.first_answer(span.until),
            };
            std::mem::swap(&mut partition.outgoing, &mut self.outgoing[channel]);
            for slice in 0..each {
                let closed = partition.closed[slice];
                if closed != [0; 3] {
                    self.closed[channel * each + slice] = closed;
                    self.any_closed = true;
                }
            }
            if exact {
                partition.blocked = 0;
            }
        }
        self.items = items;
    }

    /// Answers go through the crossbar.
    fn carry_answers(&mut self, span: Span) {
        let each = self.machine.l2.slices_per_channel as usize;
        let limit = self.machine.interconnect.output_packets as usize;
        let mut sources: Vec<(usize, usize)> = (self.items.iter())
            .map(|&channel| (usize::from(channel), 0))
            .filter(|&(channel, _)| !self.outgoing[channel].is_empty())
            .collect();
        let mut now = span.from;
        while now < span.until {
            let mut first = u64::MAX;
            sources.retain_mut(|(channel, place)| {
                let list = &self.outgoing[*channel];
                while let Some(&(cycle, slice, reply)) = list.get(*place) {
                    if cycle > now {
                        first = first.min(cycle);
                        return true;
                    }
                    let input = *channel * each + slice as usize;
                    self.network.replies.push(input, reply.sm.into(), reply);
                    *place += 1;
                }
                false
            });
            let mut arrived = 0u128;
            let sms = &self.sms;
            let team = self.team;
            self.network.replies.advance(
                |sm| sms[sm].arrivals >= limit,
                |sm, reply| {
                    team.node(sm).arrivals.push_back((now + 1, reply));
                    arrived |= 1 << sm;
                },
            );
            self.live |= arrived;
            for index in bits(arrived) {
                let sm = &mut self.sms[index];
                sm.arrivals += 1;
                sm.next = sm.next.min(now + 1);
            }
            now = match self.network.replies.is_busy() {
                true => now + 1,
                false => first,
            };
        }
        for &channel in &self.items {
            self.outgoing[usize::from(channel)].clear();
        }
    }

    /// In a span of one cycle: how many requests each SM can send.
    fn fill_of_requests(&mut self, until: u64) {
        for index in bits(self.live) {
            let room = self.network.requests.room(index);
            if room < self.most_sent && self.sms[index].next < until {
                self.team.node(index).sm.room = room;
            }
        }
    }

    /// The SMs run; where one has room for a CTA, it waits for it. Each gets at most one per cycle.
    fn run_sms(&mut self, span: Span) -> Result<(), ReplayError> {
        let mut items = std::mem::take(&mut self.items);
        items.clear();
        items.extend(
            bits(self.live)
                .filter(|&index| self.sms[index].next < span.until)
                .map(|index| index as u16),
        );
        let mut ran = items.clone();
        while !items.is_empty() {
            let ctas = self.ctas_left > 0;
            self.team.perform(Task::Sms(span, ctas), &items);
            for &index in &items {
                self.look_at(index.into(), span.until);
            }
            let paused: Vec<(u64, u16)> = (ran.iter())
                .filter_map(|&index| Some((self.sms[usize::from(index)].paused?, index)))
                .collect();
            items.clear();
            let Some(&(now, _)) = paused.iter().min() else {
                break;
            };
            let sms = self.sms.len();
            let first = self.last_sm + 1;
            let mut here: Vec<u16> = (paused.iter())
                .filter(|&&(cycle, _)| cycle == now)
                .map(|&(_, index)| index)
                .collect();
            here.sort_unstable_by_key(|&index| (usize::from(index) + sms - first % sms) % sms);
            for &index in &here {
                if !self.launch(index.into(), now)? {
                    break;
                }
            }
            items.extend_from_slice(&here);
            if self.ctas_left == 0 {
                items = paused.iter().map(|&(_, index)| index).collect();
            }
        }
        for &index in &ran {
            let mut node = self.team.node(index.into());
            std::mem::swap(&mut node.sent, &mut self.sent[usize::from(index)]);
        }
        std::mem::swap(&mut self.items, &mut ran);
        Ok(())
    }

    /// Notes where an SM stands.
    fn look_at(&mut self, index: usize, until: u64) {
        let mut node = self.team.node(index);
        node.sm.room = usize::MAX;
        let sm = &mut self.sms[index];
        sm.next = node.next;
        sm.arrivals = node.arrivals.len();
        sm.idle_from = node.idle_from;
        sm.paused = node.paused;
        sm.left = match (node.sm.is_idle(), node.sm.longest_left()) {
            (true, _) => 0,
            (false, 0) => 1,
            (false, left) => left + LAST_INSTRUCTION_CYCLES,
        };
        if self.ctas_left > 0 && node.sm.has_room() {
            sm.next = sm.next.min(until);
        }
        let waits = sm.left > 0 || sm.next != u64::MAX;
        self.live = self.live & !(1 << index) | u128::from(waits) << index;
    }

    /// Gives an SM the next CTA; false: there is none.
    fn launch(&mut self, index: usize, now: u64) -> Result<bool, TraceError> {
        let Some(cta) = self.next_cta.take() else {
            self.ctas_left = 0;
            return Ok(false);
        };
        let new = &self.reader.program().insts[self.decoded..];
        self.decoded += new.len();
        let machine = self.machine;
        self.team.extend_program(|program| {
            program.extend(new.iter().map(|inst| Decoded::new(inst, machine)))
        });
        self.team.node(index).launch(cta, now);
        self.ctas_left -= 1;
        self.last_sm = index;
        self.last_launch = self.last_launch.max(now);
        self.read_ahead()?;
        Ok(self.ctas_left > 0)
    }

    fn read_ahead(&mut self) -> Result<(), TraceError> {
        if self.ctas_left > 0 {
            self.next_cta = self.reader.next_cta()?;
            if self.next_cta.is_none() {
                self.ctas_left = 0;
            }
        }
        Ok(())
    }

    fn advance_requests(&mut self) {
        let limit = self.machine.interconnect.output_packets as usize;
        let Network {
            requests,
            outputs,
            waiting,
            ..
        } = self.network;
        let mut arrived: Vec<(usize, Request)> = Vec::new();
        requests.advance(
            |slice| outputs[slice].len() >= limit,
            |slice, request| arrived.push((slice, request)),
        );
        for (slice, request) in arrived {
            outputs[slice].push_back(request);
            *waiting |= 1 << slice;
        }
    }

    /// Requests go through the crossbar, and slices take them.
    fn carry_requests(&mut self, span: Span, advanced: bool) {
        let mut sources: Vec<(usize, usize)> = (self.items.iter())
            .map(|&index| (usize::from(index), 0))
            .filter(|&(index, _)| !self.sent[index].is_empty())
            .collect();
        let mut now = span.from;
        loop {
            if !advanced && self.network.requests.is_busy() {
                self.advance_requests();
            }
            let mut first = u64::MAX;
            sources.retain_mut(|(index, place)| {
                let list = &self.sent[*index];
                while let Some(&(cycle, request)) = list.get(*place) {
                    if cycle > now {
                        first = first.min(cycle);
                        return true;
                    }
                    self.network
                        .requests
                        .push(*index, request.slice as usize, request);
                    *place += 1;
                }
                false
            });
            now = match self.network.requests.is_busy() || self.network.waiting != 0 {
                true => now + 1,
                false => first,
            };
            if now >= span.until {
                break;
            }
            self.close(now - span.from);
            self.take_requests(now);
        }
        self.close(span.until - span.from);
        for &index in &self.items {
            self.sent[usize::from(index)].clear();
        }
    }

    /// Which slices with requests take none in the cycle `after` cycles behind the beginning of the span.
    fn close(&mut self, after: u64) {
        self.closed_now = 0;
        if !self.any_closed {
            return;
        }
        let mut waiting = self.network.waiting;
        while waiting != 0 {
            let slice = waiting.trailing_zeros() as usize;
            waiting &= waiting - 1;
            let bit = self.closed[slice][after as usize / 64] >> (after % 64) & 1;
            self.closed_now |= u128::from(bit) << slice;
        }
    }

    /// Leaves requests that no channel has seen yet for the next kernel.
    pub fn leave(&mut self) {
        for (channel, incoming) in self.incoming.iter_mut().enumerate() {
            let mut partition = self.team.partition(channel);
            partition.incoming.append(incoming);
            partition.next = self.channels[channel].next;
        }
    }

    fn waiting(&self) -> String {
        let busy = (0..self.sms.len()).filter(|&index| !self.team.node(index).sm.is_idle());
        let lines: Vec<String> = busy
            .take(8)
            .map(|index| format!("SM {index}: {}", self.team.node(index).sm.waiting_for()))
            .collect();
        lines.join("; ")
    }
}
