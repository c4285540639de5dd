//! Interconnect, second level and memory of a whole chip, for SMs that are simulated elsewhere. A cycle does what a span of one
//! cycle does in [`run`](super::run), in the same order; cycles in which nothing is on its way are passed over.

use super::address::Mapper;
use super::cache::{CacheCounts, LINE_BYTES, SECTOR_BYTES};
use super::crossbar::Outputs;
use super::machine::GpuMachine;
use super::packet::{Origin, Reply, Request};
use super::partition::{Partition, Span};
use super::run::Network;
use std::collections::VecDeque;

/// What an SM asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A whole line.
    Line,
    /// To write these sectors of it, whole; bit n is bytes 32 n to 32 n + 31.
    Write(u8),
    /// To read, modify and write these sectors of it.
    Atomic(u8),
}

/// What all SMs of a chip have behind their first-level caches. Cycles are those of the SMs and never go back.
pub struct ChipMemory {
    mapper: Mapper,
    slices_per_channel: usize,
    l2_latency: u64,
    /// Cycles from an access of the first level to the interconnect.
    l1_latency: u64,
    splits_sectors: bool,
    input_packets: usize,
    output_packets: usize,
    /// Bytes of which each has an answer of its own.
    atom_bytes: u64,
    partitions: Vec<Partition>,
    /// When each channel has something to do.
    next: Vec<u64>,
    network: Network,
    /// Slices that take no request in the coming cycle.
    closed: u128,
    ports: Vec<Port>,
    /// The next cycle to be simulated or passed over.
    now: u64,
}

/// What an SM has under way.
#[derive(Clone, Debug, Default)]
struct Port {
    /// Requests that are still in the first level, each with the cycle in which it enters the interconnect.
    leaving: VecDeque<(u64, Request)>,
    /// Answers, each with the first cycle in which the SM can take it.
    arrivals: VecDeque<(u64, Reply)>,
}

impl ChipMemory {
    /// The idle memory of `machine`, with empty caches.
    pub fn new(machine: &GpuMachine) -> Self {
        let l2 = &machine.l2;
        ChipMemory {
            mapper: Mapper::new(&machine.addresses, l2.channels, l2.slices_per_channel),
            slices_per_channel: l2.slices_per_channel as usize,
            l2_latency: l2.latency.into(),
            l1_latency: machine.l1.latency.into(),
            splits_sectors: machine.l1.splits_sectors,
            input_packets: machine.interconnect.input_packets as usize,
            output_packets: machine.interconnect.output_packets as usize,
            atom_bytes: LINE_BYTES / u64::from(l2.parts_of_line()),
            partitions: (0..l2.channels).map(|_| Partition::new(machine)).collect(),
            next: vec![u64::MAX; l2.channels as usize],
            network: Network::new(machine),
            closed: 0,
            ports: vec![Port::default(); machine.chip.sms as usize],
            now: 0,
        }
    }

    /// Whether the SM can send another access: the interconnect has room for all that it has under way to it, and for the sectors of a
    /// line. However little it holds, it takes an access when it is empty.
    pub fn has_room(&self, sm: usize) -> bool {
        let sectors = (LINE_BYTES / SECTOR_BYTES) as usize;
        let (room, leaving) = (self.network.requests.room(sm), self.ports[sm].leaving.len());
        room >= leaving + sectors || leaving == 0 && room == self.input_packets
    }

    /// The SM accesses the line at `address` in `cycle`. Returns how many answers there will be, all with the number `id`.
    pub fn send(&mut self, sm: usize, cycle: u64, address: u64, asked: Asked, id: u32) -> u32 {
        let (sectors, write, atomic) = match asked {
            Asked::Line => (0xf, false, false),
            Asked::Write(sectors) => (sectors, true, false),
            Asked::Atomic(sectors) => (sectors, false, true),
        };
        let mut answers = 0;
        for (first, count) in runs(sectors, self.splits_sectors) {
            let (offset, bytes) = (first * SECTOR_BYTES, count * SECTOR_BYTES);
            let place = self.mapper.place(address + offset);
            let written = match write {
                true => (u128::MAX >> (128 - bytes)) << offset,
                false => 0,
            };
            let request = Request {
                address: address + offset,
                within: place.within,
                byte_mask: written,
                bytes: bytes as u32,
                slice: place.slice,
                sm: sm as u16,
                write,
                atomic,
                origin: Origin::Bypass(id),
            };
            let leaves = cycle + self.l1_latency;
            self.ports[sm].leaving.push_back((leaves, request));
            answers += bytes.div_ceil(self.atom_bytes) as u32;
        }
        answers
    }

    /// An answer that the SM has by `cycle`, in order of arrival: the number of its access. All that was sent before `cycle` is known.
    pub fn receive(&mut self, sm: usize, cycle: u64) -> Option<u32> {
        self.advance(cycle);
        match due(&mut self.ports[sm].arrivals, cycle)?.origin {
            Origin::Bypass(id) => Some(id),
            _ => None,
        }
    }

    /// No answer comes to the SM before this cycle.
    pub fn next_arrival(&self, sm: usize) -> u64 {
        let arrived = self.ports[sm].arrivals.front();
        let arrived = arrived.map_or(u64::MAX, |&(arrival, _)| arrival);
        arrived.min(self.next_event().saturating_add(1))
    }

    /// What the second level counted, and bursts and activations of the memory.
    pub fn counts(&self) -> ChipCounts {
        let mut counts = ChipCounts::default();
        for partition in &self.partitions {
            let slices = partition.slices.iter();
            slices.for_each(|slice| counts.l2.add(&slice.cache.counts));
            counts.dram_bursts += partition.dram.burst_count;
            counts.dram_activations += partition.dram.activations;
        }
        counts
    }

    /// The next cycle in which something can change, if nothing is sent.
    fn next_event(&self) -> u64 {
        if self.network.is_busy() {
            return self.now;
        }
        let leaving = self.ports.iter().filter_map(|port| port.leaving.front());
        let leaving = leaving.map(|&(cycle, _)| cycle);
        let next = self.next.iter().copied().chain(leaving).min();
        next.map_or(u64::MAX, |next| next.max(self.now))
    }

    /// Simulates the cycles up to `cycle`, that one included.
    fn advance(&mut self, cycle: u64) {
        while self.now <= cycle {
            let event = self.next_event();
            if event > cycle {
                self.now = cycle + 1;
                return;
            }
            self.cycle(event);
            self.now = event + 1;
        }
    }

    fn cycle(&mut self, now: u64) {
        self.take_requests(now);
        self.run_channels(now);
        self.network.replies.advance(&mut ToSms {
            ports: &mut self.ports,
            limit: self.output_packets,
            arrival: now + 1,
        });
        self.network.advance_requests(self.output_packets);
        let requests = &mut self.network.requests;
        for (sm, port) in self.ports.iter_mut().enumerate() {
            while let Some(request) = due(&mut port.leaving, now) {
                requests.push(sm, request.slice as usize, request);
            }
        }
    }

    /// Slices take the requests that wait for them.
    fn take_requests(&mut self, now: u64) {
        let mut open = self.network.waiting & !self.closed;
        while open != 0 {
            let slice = open.trailing_zeros() as usize;
            open &= open - 1;
            let queue = &mut self.network.outputs[slice];
            if let Some(request) = queue.pop_front() {
                let channel = slice / self.slices_per_channel;
                let within = (slice % self.slices_per_channel) as u32;
                self.partitions[channel]
                    .incoming
                    .push((now, within, request));
                self.next[channel] = self.next[channel].min(now + self.l2_latency);
            }
            if queue.is_empty() {
                self.network.waiting &= !(1 << slice);
            }
        }
    }

    /// Channels that have something to do, and their answers on the way to the interconnect.
    fn run_channels(&mut self, now: u64) {
        let each = self.slices_per_channel;
        let span = Span {
            from: now,
            until: now + 1,
            begins: false,
        };
        self.closed = 0;
        for (channel, partition) in self.partitions.iter_mut().enumerate() {
            if self.next[channel] > now {
                continue;
            }
            let replies = &mut self.network.replies;
            partition.blocked = (0..each)
                .filter(|slice| replies.room(channel * each + slice) == 0)
                .fold(0, |bits, slice| bits | 1 << slice);
            self.next[channel] = partition.run(span, &self.mapper);
            for (slice, closed) in partition.closed.iter().enumerate() {
                self.closed |= u128::from(closed[0] >> 1 & 1) << (channel * each + slice);
            }
            for (_, slice, reply) in partition.outgoing.drain(..) {
                replies.push(channel * each + slice as usize, reply.sm.into(), reply);
            }
        }
    }
}

/// What SMs get out of the interconnect.
struct ToSms<'a> {
    ports: &'a mut [Port],
    limit: usize,
    arrival: u64,
}

impl Outputs<Reply> for ToSms<'_> {
    fn is_full(&self, sm: usize) -> bool {
        self.ports[sm].arrivals.len() >= self.limit
    }

    fn take(&mut self, sm: usize, reply: Reply) {
        self.ports[sm].arrivals.push_back((self.arrival, reply));
    }
}

/// What the memory of a chip did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChipCounts {
    /// The second level.
    pub l2: CacheCounts,
    /// Bursts that the memory channels moved.
    pub dram_bursts: u64,
    /// Rows that they activated.
    pub dram_activations: u64,
}

/// The first of a queue, if its cycle has come.
fn due<T>(queue: &mut VecDeque<(u64, T)>, now: u64) -> Option<T> {
    let is_due = queue.front().is_some_and(|&(cycle, _)| cycle <= now);
    is_due.then(|| queue.pop_front())?.map(|(_, it)| it)
}

/// The runs of set bits, first and count each; one by one if they are to be `apart`.
fn runs(mut bits: u8, apart: bool) -> impl Iterator<Item = (u64, u64)> {
    std::iter::from_fn(move || {
        let first = (bits != 0).then(|| bits.trailing_zeros())?;
        let count = match apart {
            true => 1,
            false => (bits >> first).trailing_ones(),
        };
        bits &= !(((1u16 << count) - 1) << first) as u8;
        Some((first.into(), count.into()))
    })
}

#[cfg(test)]
mod tests;
