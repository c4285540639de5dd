//! The channels' part of a span, and what goes through the interconnect before and after it.

use super::{ChannelView, Network, Run, bits};
use crate::gpu::packet::Request;
use crate::gpu::partition::Span;
use crate::gpu::team::Task;

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

    pub(super) fn advance_requests(&mut self) {
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
    pub(super) fn carry_requests(&mut self, span: Span, advanced: bool) {
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
