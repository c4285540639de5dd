//! The SMs' part of a span, and the CTAs that they get in it.

use super::{LAST_INSTRUCTION_CYCLES, Run, bits};
use crate::gpu::ReplayError;
use crate::gpu::decoded::Decoded;
use crate::gpu::partition::Span;
use crate::gpu::team::Task;
use crate::trace::TraceError;

impl Run<'_, '_> {
    /// In a span of one cycle: SMs with as many answers as they may have take one before others come.
    pub(super) fn make_room_at_sms(&mut self, now: u64) {
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

    /// In a span of one cycle: how many requests each SM can send.
    pub(super) fn fill_of_requests(&mut self, until: u64) {
        for index in bits(self.live) {
            let room = self.network.requests.room(index);
            if room < self.most_sent && self.sms[index].next < until {
                self.team.node(index).sm.room = room;
            }
        }
    }

    /// The SMs run; where one has room for a CTA, it waits for it. Each gets at most one per cycle.
    pub(super) fn run_sms(&mut self, span: Span) -> Result<(), ReplayError> {
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
    pub(super) fn look_at(&mut self, index: usize, until: u64) {
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
    pub(super) fn launch(&mut self, index: usize, now: u64) -> Result<bool, TraceError> {
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
        if let (Some(watch), false) = (&self.options.watch, new.is_empty())
            && let Some(told) = &mut self.team.node(watch.sm).sm.told
        {
            told.more(new);
        }
        self.team.node(index).launch(cta, now);
        self.ctas_left -= 1;
        self.last_sm = index;
        self.last_launch = self.last_launch.max(now);
        self.read_ahead()?;
        Ok(self.ctas_left > 0)
    }

    pub(super) fn read_ahead(&mut self) -> Result<(), TraceError> {
        // Behind the last CTA too: what is wrong with the end of the file is said by the reader.
        self.next_cta = self.reader.next(self.ahead)?;
        if self.next_cta.is_none() {
            self.ctas_left = 0;
        }
        Ok(())
    }
}
