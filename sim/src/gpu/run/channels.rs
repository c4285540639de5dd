//! The channels' part of a span, and what goes through the interconnect before and after it.

use super::{ChannelView, Run, SmView, bits};
use crate::gpu::crossbar::Outputs;
use crate::gpu::packet::Reply;
use crate::gpu::partition::Span;
use crate::gpu::team::{Task, Team};

/// SMs at the outputs of the crossbar of answers in a cycle.
struct AtSms<'a> {
    sms: &'a mut [SmView],
    team: &'a Team,
    limit: usize,
    now: u64,
    /// Bits of SMs that got an answer.
    arrived: u128,
}

impl Outputs<Reply> for AtSms<'_> {
    fn is_full(&self, sm: usize) -> bool {
        self.sms[sm].arrivals >= self.limit
    }

    fn take(&mut self, sm: usize, reply: Reply) {
        let mut node = self.team.node(sm);
        node.arrivals.push_back((self.now + 1, reply));
        let sm_view = &mut self.sms[sm];
        sm_view.arrivals += 1;
        sm_view.next = sm_view.next.min(self.now + 1);
        self.arrived |= 1 << sm;
    }
}

impl Run<'_, '_> {
    /// In a span of one cycle: which slices must keep their answers.
    pub(super) fn fill_of_answers(&mut self, now: u64) {
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

    /// Slices take the requests that wait for them.
    pub(super) fn take_requests(&mut self, now: u64) {
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

    pub(super) fn run_channels(&mut self, span: Span) {
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
    pub(super) fn carry_answers(&mut self, span: Span) {
        let each = self.machine.l2.slices_per_channel as usize;
        let limit = self.machine.interconnect.output_packets as usize;
        self.due.begin(span);
        for &channel in &self.items {
            let cycles = self.outgoing[usize::from(channel)].iter();
            self.due.add(channel.into(), cycles.map(|entry| entry.0));
        }
        let mut now = match self.network.replies.is_busy() {
            true => span.from,
            false => self.due.next(span.from),
        };
        while now < span.until {
            for channel in bits(self.due.sources(now)) {
                for &(_, slice, reply) in self.due.packets(channel, now, &self.outgoing[channel]) {
                    let input = channel * each + slice as usize;
                    self.network.replies.push(input, reply.sm.into(), reply);
                }
            }
            let mut outputs = AtSms {
                sms: &mut self.sms,
                team: self.team,
                limit,
                now,
                arrived: 0,
            };
            self.network.replies.advance(&mut outputs);
            self.live |= outputs.arrived;
            now = match self.network.replies.is_busy() {
                true => now + 1,
                false => self.due.next(now + 1),
            };
        }
        for &channel in &self.items {
            self.outgoing[usize::from(channel)].clear();
        }
    }

    pub(super) fn advance_requests(&mut self) {
        let limit = self.machine.interconnect.output_packets as usize;
        self.network.advance_requests(limit);
    }

    /// Requests go through the crossbar, and slices take them.
    pub(super) fn carry_requests(&mut self, span: Span, advanced: bool) {
        self.due.begin(span);
        for &index in &self.items {
            let cycles = self.sent[usize::from(index)].iter();
            self.due.add(index.into(), cycles.map(|entry| entry.0));
        }
        let mut now = span.from;
        loop {
            if !advanced && self.network.requests.is_busy() {
                self.advance_requests();
            }
            for index in bits(self.due.sources(now)) {
                for &(_, request) in self.due.packets(index, now, &self.sent[index]) {
                    let slice = request.slice as usize;
                    self.network.requests.push(index, slice, request);
                }
            }
            now = match self.network.requests.is_busy() || self.network.waiting != 0 {
                true => now + 1,
                false => self.due.next(now + 1),
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
    pub(super) fn close(&mut self, after: u64) {
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
}
