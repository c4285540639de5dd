//! A memory channel with its slices of the second-level cache.
//!
//! A channel needs nothing of the others, and what it takes from the interconnect plays no part before the latency of the
//! second level is over. So it runs a span of cycles on its own, and costs nothing while it has nothing to do.

use super::address::Mapper;
use super::cache::{Access, Cache, Outcome, Refusal};
use super::clock::CommandClock;
use super::credits::Credits;
use super::dram::{Dram, DramRequest};
use super::machine::GpuMachine;
use super::packet::{Reply, Request};
use std::collections::VecDeque;

/// A slice of the second level and its queues.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The cache.
    pub cache: Cache<Request>,
    arriving: VecDeque<(u64, Request)>,
    from_sms: VecDeque<Request>,
    /// That the first of them was refused.
    refused: Option<Refusal>,
    to_sms: VecDeque<Reply>,
    to_dram: VecDeque<(u64, u32, bool)>,
    from_dram: VecDeque<u64>,
    port_free: u64,
    fill_free: u64,
}

/// The most cycles of a [`Span`].
pub const LONGEST_SPAN: u64 = 191;

/// Of each cycle of a span, and of the one after it: whether a slice takes no request from the interconnect.
pub type Closed = [u64; 3];

/// Core cycles that are simulated at once.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The first one.
    pub from: u64,
    /// The one after the last one; at most [`LONGEST_SPAN`] later.
    pub until: u64,
    /// The first one of a kernel: the memory makes up for the time since the last one.
    pub begins: bool,
}

/// A channel.
#[derive(Clone, Debug)]
pub struct Partition {
    /// Requests that come over the interconnect, each with its cycle and slice.
    pub incoming: Vec<(u64, u32, Request)>,
    /// Answers that have gone to the interconnect, each with its cycle and slice.
    pub outgoing: Vec<(u64, u32, Reply)>,
    /// The first cycle after the last span in which there is something to do, unless a request comes.
    pub next: u64,
    /// Cycles simulated.
    pub simulated: u64,
    /// Bits of slices whose way to the interconnect is full.
    pub blocked: u64,
    /// By slice.
    pub closed: Vec<Closed>,
    clock: CommandClock,
    /// Its slices.
    pub slices: Vec<Slice>,
    /// Its memory.
    pub dram: Dram,
    delayed: VecDeque<(u64, DramRequest)>,
    last_slice: usize,
    /// By token: slice and address.
    in_memory: Vec<(u32, u64)>,
    free: Vec<u32>,
    credits: Credits,
    queue: usize,
    latency: u64,
    dram_latency: u64,
    port_bytes: u64,
    atom_bytes: u64,
    /// First cycle in which a slice can change, unless a request comes.
    wake: u64,
}

impl Partition {
    /// An idle channel.
    pub fn new(machine: &GpuMachine) -> Self {
        let l2 = &machine.l2;
        let slice = Slice {
            cache: Cache::new(&l2.cache, l2.cache.ways, 1),
            arriving: VecDeque::new(),
            from_sms: VecDeque::new(),
            refused: None,
            to_sms: VecDeque::new(),
            to_dram: VecDeque::new(),
            from_dram: VecDeque::new(),
            port_free: 0,
            fill_free: 0,
        };
        Partition {
            incoming: Vec::new(),
            outgoing: Vec::new(),
            next: u64::MAX,
            simulated: 0,
            blocked: 0,
            closed: vec![[0; 3]; l2.slices_per_channel as usize],
            clock: CommandClock::new(machine.chip.core_khz, machine.chip.dram_khz),
            slices: vec![slice; l2.slices_per_channel as usize],
            dram: Dram::new(&machine.dram),
            delayed: VecDeque::new(),
            last_slice: l2.slices_per_channel as usize - 1,
            in_memory: Vec::new(),
            free: Vec::new(),
            credits: Credits::new(
                l2.slices_per_channel,
                machine.dram.queue,
                machine.dram.return_queue,
            ),
            queue: l2.queue as usize,
            latency: l2.latency.into(),
            dram_latency: l2.dram_latency.into(),
            port_bytes: l2.port_bytes.into(),
            atom_bytes: if l2.cache.sectored { 32 } else { 128 },
            wake: 0,
        }
    }

    /// The first cycle from `from` on in which it has something to do, unless a request comes.
    fn next_event(&self, from: u64) -> u64 {
        let answers = self.slices.iter().any(|slice| !slice.to_sms.is_empty());
        if answers || self.dram_busy(from) {
            return from;
        }
        self.wake.min(self.delayed_until()).max(from)
    }

    /// A cycle from `from` on before which no answer leaves, requests that will come aside.
    pub fn first_answer(&self, from: u64) -> u64 {
        let mut first = match self.dram.is_busy() {
            true => from + self.clock.core_cycles(self.dram.first_answer()),
            false => self.delayed_until().max(from),
        };
        for slice in &self.slices {
            if slice.is_about_to_answer() {
                return from;
            }
            if slice.cache.has_misses() || !slice.to_dram.is_empty() {
                first = first.min(from + self.dram_latency);
            }
            if let Some(&(ready, _)) = slice.arriving.front() {
                first = first.min(ready.max(from));
            }
        }
        first.min(self.delayed_until().max(from))
    }

    /// Runs the cycles of a span. Returns the first cycle after it in which there is something to do, unless a request comes.
    pub fn run(&mut self, span: Span, mapper: &Mapper) -> u64 {
        let mut incoming = std::mem::take(&mut self.incoming);
        for (cycle, slice, request) in incoming.drain(..) {
            self.push(slice as usize, request, cycle);
        }
        self.incoming = incoming;
        self.closed.fill([0; 3]);
        let mut now = self.next_event(span.from);
        while now < span.until {
            if !(span.begins && now == span.from && self.dram_busy(now)) {
                self.clock.catch_up(now);
            }
            self.one_cycle(now, mapper);
            self.simulated += 1;
            let after = (now + 1 - span.from) as usize;
            for (slice, closed) in self.slices.iter().zip(&mut self.closed) {
                if slice.from_sms.len() + 4 > self.queue {
                    closed[after / 64] |= 1 << (after % 64);
                }
            }
            now = self.next_event(now + 1);
        }
        now
    }

    fn one_cycle(&mut self, now: u64, mapper: &Mapper) {
        while self.clock.is_before(now) {
            if self.dram_busy(now) {
                self.dram_cycle(self.clock.cycle(), now, mapper);
            }
            self.clock.advance();
        }
        for (at, slice) in self.slices.iter_mut().enumerate() {
            if self.blocked >> at & 1 == 0
                && let Some(reply) = slice.to_sms.pop_front()
            {
                self.outgoing.push((now, at as u32, reply));
            }
        }
        if self.clock.is_with(now) {
            if self.dram_busy(now) {
                self.dram_cycle(self.clock.cycle(), now, mapper);
            }
            self.clock.advance();
        }
        if self.wake <= now {
            self.cycle(now);
        }
    }

    /// A request has come over the interconnect.
    fn push(&mut self, slice: usize, request: Request, now: u64) {
        let ready = now + self.latency;
        // A request for more than a sector is taken apart, and each part answered.
        let step = self.atom_bytes.min(u64::from(request.bytes).max(1));
        for offset in (0..u64::from(request.bytes)).step_by(step as usize) {
            let part = Request {
                address: request.address + offset,
                within: request.within + offset,
                bytes: step as u32,
                ..request
            };
            self.slices[slice].arriving.push_back((ready, part));
        }
        self.wake = self.wake.min(ready);
    }

    /// When the next request gets to the memory's scheduler.
    fn delayed_until(&self) -> u64 {
        self.delayed.front().map_or(u64::MAX, |&(ready, _)| ready)
    }

    /// Whether the memory side has something to do at core cycle `now`.
    fn dram_busy(&self, now: u64) -> bool {
        self.dram.is_busy()
            || self.slices.iter().any(|slice| !slice.to_dram.is_empty())
            || self.delayed.front().is_some_and(|&(ready, _)| ready <= now)
    }

    /// A cycle of the command clock.
    fn dram_cycle(&mut self, dram_now: u64, now: u64, mapper: &Mapper) {
        if let Some(&token) = self.dram.returned.front() {
            let (slice, address) = self.in_memory[token as usize];
            let queue = &mut self.slices[slice as usize].from_dram;
            if queue.len() < self.queue {
                queue.push_back(address);
                self.free.push(token);
                self.credits.give_back(slice as usize);
                self.dram.returned.pop_front();
                self.wake = self.wake.min(now);
            }
        }
        if let Some(token) = self.dram.cycle(dram_now) {
            self.free.push(token);
            let (slice, _) = self.in_memory[token as usize];
            self.credits.give_back(slice as usize);
        }
        let slices = self.slices.len();
        for step in 0..slices {
            let at = (step + self.last_slice + 1) % slices;
            let slice = &self.slices[at];
            let Some(&(address, bytes, write)) = slice.to_dram.front() else {
                continue;
            };
            if slice.from_dram.len() >= self.queue || !self.credits.is_left(at) {
                continue;
            }
            if self.dram.is_full() {
                break;
            }
            self.slices[at].to_dram.pop_front();
            self.credits.take(at);
            let cell = mapper.cell(address);
            let token = self.free.pop().unwrap_or_else(|| {
                self.in_memory.push((0, 0));
                (self.in_memory.len() - 1) as u32
            });
            self.in_memory[token as usize] = (at as u32, address);
            let request = DramRequest {
                row: cell.row,
                bank: cell.bank,
                bytes,
                write,
                token,
            };
            self.delayed.push_back((now + self.dram_latency, request));
            self.last_slice = at;
            break;
        }
        if let Some(&(ready, request)) = self.delayed.front()
            && ready <= now
            && !self.dram.is_full()
        {
            self.delayed.pop_front();
            self.dram.push(request);
        }
    }

    /// A cycle of the slices.
    fn cycle(&mut self, now: u64) {
        let mut wake = u64::MAX;
        for slice in &mut self.slices {
            slice.cycle(now, self.queue, self.port_bytes, self.atom_bytes);
            wake = wake.min(slice.next_event(now));
        }
        self.wake = wake;
    }
}

impl Slice {
    fn cycle(&mut self, now: u64, queue: usize, port_bytes: u64, atom_bytes: u64) {
        if self.to_sms.len() < queue
            && let Some(request) = self.cache.next_ready()
        {
            self.answer(&request);
        }
        if let Some(&address) = self.from_dram.front()
            && now >= self.fill_free
        {
            self.cache.fill(address, now);
            self.fill_free = now + atom_bytes.div_ceil(port_bytes);
            self.from_dram.pop_front();
        }
        if self.to_dram.len() < queue
            && let Some(sent) = self.cache.next_miss()
        {
            self.to_dram
                .push_back((sent.address, sent.bytes, sent.write));
        }
        if self.to_dram.len() < queue
            && self.to_sms.len() < queue
            && now >= self.port_free
            && let Some(&request) = self.from_sms.front()
            && !self.cache.refuses_again(self.refused)
        {
            let access = Access {
                address: request.address,
                bytes: request.bytes,
                byte_mask: request.byte_mask,
                write: request.write,
                atomic: request.atomic,
                origin: request,
            };
            let outcome = self.cache.access(access, request.within, now);
            self.refused = (outcome == Outcome::Refused).then(|| self.cache.refusal());
            if outcome != Outcome::Refused {
                self.from_sms.pop_front();
                // A hit reads or writes data. A store that misses reads those of the dirty line that it takes the place of; that a
                // load does so takes no time in GPGPU-Sim.
                self.port_free = now
                    + match outcome {
                        Outcome::Hit => u64::from(request.bytes).div_ceil(port_bytes),
                        _ if request.write => u64::from(self.cache.evicted_bytes) / port_bytes,
                        _ => 0,
                    };
                if outcome == Outcome::Hit || request.write {
                    self.answer(&request);
                }
            }
        }
        if let Some(&(ready, request)) = self.arriving.front()
            && ready <= now
            && self.from_sms.len() < queue
        {
            self.arriving.pop_front();
            self.from_sms.push_back(request);
        }
    }

    fn answer(&mut self, request: &Request) {
        self.to_sms.push_back(Reply {
            sm: request.sm,
            address: request.address,
            origin: request.origin,
        });
    }

    fn is_about_to_answer(&self) -> bool {
        self.cache.has_ready()
            || !self.from_dram.is_empty()
            || !self.from_sms.is_empty()
            || !self.to_sms.is_empty()
    }

    fn next_event(&self, now: u64) -> u64 {
        if self.cache.has_ready()
            || !self.from_dram.is_empty()
            || self.cache.has_misses()
            || !self.from_sms.is_empty()
        {
            return now + 1;
        }
        self.arriving
            .front()
            .map_or(u64::MAX, |&(ready, _)| ready.max(now + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_take_turns_towards_the_memory_and_the_first_one_begins() {
        let machine = GpuMachine::preset("qv100").expect("bundled");
        let mapper = Mapper::new(
            &machine.addresses,
            machine.l2.channels,
            machine.l2.slices_per_channel,
        );
        let mut partition = Partition::new(&machine);
        for slice in &mut partition.slices {
            slice.to_dram.extend([(0, 32, false), (32, 32, false)]);
        }
        (0..4).for_each(|cycle| partition.dram_cycle(cycle, cycle, &mapper));
        let slices: Vec<u32> = (partition.delayed.iter())
            .map(|(_, request)| partition.in_memory[request.token as usize].0)
            .collect();
        assert_eq!(slices, [0, 1, 0, 1]);
    }
}
