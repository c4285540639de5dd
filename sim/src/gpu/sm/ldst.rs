//! Loads and stores: scratchpad, first-level cache, and what goes past it.

mod accesses;
mod coalesce;

use super::{KernelShape, Sm};
use crate::gpu::address::Mapper;
use crate::gpu::cache::{self, Access, Cache, Outcome, Refusal};
use crate::gpu::decoded::{Decoded, Kind};
use crate::gpu::machine::GpuMachine;
use crate::gpu::packet::{Origin, Reply, Request};
use crate::trace::record::{Class, Space};
pub use coalesce::Piece;
use std::collections::VecDeque;

/// Whose an access of the first-level cache is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    flight: u32,
    warp: u8,
}

/// The load/store unit and its memories.
#[derive(Clone, Debug)]
pub struct LoadStore {
    /// Answers of the memory.
    pub inbox: VecDeque<Reply>,
    /// The instruction whose accesses are being made, and those left: the last one goes first.
    current: Option<u32>,
    space: Space,
    pieces: Vec<Piece>,
    busy_cycles: u32,

    scratchpad_latency: u64,
    scratchpad_banks: u32,
    scratchpad: VecDeque<(u64, u32)>,
    scratchpad_entered: u64,

    l1: Cache<Owner>,
    latency: u64,
    banks: Vec<VecDeque<(u64, u32, Piece)>>,
    bank_entered: Vec<u64>,
    /// Bits of banks with accesses.
    filled: u32,
    /// Those that were refused in the cycle simulated last.
    stuck: u32,
    /// That the first access of a bank was refused.
    refused: Vec<Option<Refusal>>,
    splits_sectors: bool,
    /// Bytes of a store that memory acknowledges at once.
    ack_bytes: u32,

    past: Option<u32>,
    /// The flight whose result is in the write-back register, and whether it comes from the scratchpad.
    writing: Option<(u32, bool)>,
    /// Whose result is written back first.
    pub next_client: usize,

    mapper: Mapper,
    threads: u64,
    shared_window: u64,
    local_window: u64,
}

/// Answers that wait in the unit. // assumed: GPGPU-Sim's default
pub const INBOX: usize = 2;
impl LoadStore {
    /// That of a machine, for a kernel.
    pub fn new(machine: &GpuMachine, mapper: &Mapper, kernel: &KernelShape) -> Self {
        let l1 = &machine.l1;
        LoadStore {
            inbox: VecDeque::new(),
            current: None,
            space: Space::Global,
            pieces: Vec::new(),
            busy_cycles: 0,
            scratchpad_latency: machine.scratchpad.latency.into(),
            scratchpad_banks: machine.scratchpad.banks,
            scratchpad: VecDeque::new(),
            scratchpad_entered: 0,
            l1: Cache::new(&l1.cache, kernel.l1_ways, machine.l2.parts_of_line()),
            latency: l1.latency.into(),
            banks: vec![VecDeque::new(); l1.banks as usize],
            bank_entered: vec![0; l1.banks as usize],
            filled: 0,
            stuck: 0,
            refused: vec![None; l1.banks as usize],
            splits_sectors: l1.splits_sectors,
            ack_bytes: cache::LINE_BYTES as u32 / machine.l2.parts_of_line(),
            past: None,
            writing: None,
            next_client: 0,
            mapper: mapper.clone(),
            threads: u64::from(machine.limits.warps) * 32,
            shared_window: kernel.scratchpad_base,
            local_window: kernel.local_base,
        }
    }

    /// Counters of the first-level cache.
    pub fn l1_counts(&self) -> crate::gpu::cache::CacheCounts {
        self.l1.counts
    }

    /// A request to the memory.
    pub fn request(&self, sm: u16, address: u64, bytes: u32, origin: Origin) -> Request {
        let place = self.mapper.place(address);
        Request {
            address,
            within: place.within,
            byte_mask: 0,
            bytes,
            slice: place.slice,
            sm,
            write: false,
            atomic: false,
            origin,
        }
    }

    /// How many times memory acknowledges a store.
    fn acks(&self, piece: &Piece) -> u32 {
        piece.bytes.div_ceil(self.ack_bytes)
    }

    /// Whether it has anything to do.
    pub fn is_busy(&self) -> bool {
        self.current.is_some()
            || !self.inbox.is_empty()
            || self.writing.is_some()
            || self.past.is_some()
            || self.filled != 0
            || !self.scratchpad.is_empty()
            || self.l1.has_ready()
            || self.l1.has_misses()
    }

    /// Whether the cache has refused an access in the cycle simulated last.
    pub fn is_refused(&self) -> bool {
        self.stuck > 0
    }

    /// Accesses that the instruction at the unit has still to make.
    pub fn accesses_left(&self) -> u64 {
        self.pieces.len() as u64
    }

    /// Miss registers of the first-level cache that are taken.
    pub fn misses_on_their_way(&self) -> u64 {
        self.l1.taken_mshrs() as u64
    }

    /// After a cycle in which nothing moved: the first later one in which something can, unless an answer comes. An access
    /// that was refused is refused until then.
    pub fn next_event(&self, now: u64) -> u64 {
        if self.l1.has_misses() {
            return now + 1;
        }
        let fronts = self.banks.iter().filter_map(|bank| bank.front());
        let ready = fronts.map(|entry| entry.0);
        let scratchpad = self.scratchpad.front().map(|entry| entry.0);
        let coming = ready.filter(|&ready| ready > now).chain(scratchpad);
        coming.min().map_or(u64::MAX, |event| event.max(now + 1))
    }

    /// Counts what would have been refused in cycles that are passed over.
    pub fn skip(&mut self, cycles: u64) {
        self.l1.counts.refusals += u64::from(self.stuck) * cycles;
    }
}

impl Sm {
    /// One cycle of the load/store unit, and the next instruction for it. Returns whether anything moved.
    pub(super) fn load_store(&mut self, program: &[Decoded]) -> bool {
        let mut moved = false;
        self.ldst.stuck = 0;
        if self.ldst.is_busy() {
            moved |= self.finish_load(program);
            moved |= self.take_answer();
            moved |= self.send_miss();
            moved |= self.look_up(program);
            moved |= self.make_accesses(program);
        }
        let mem = Kind::Mem as usize;
        if self.ldst.current.is_none() && !self.to_unit.of(mem).is_empty() {
            if let Some(slot) = self.to_unit.of(mem).oldest()
                && let Some(id) = self.to_unit.take(mem, slot)
            {
                self.collectors.can_leave = true;
                self.tell_started(id, None);
                self.begin(id, program);
            }
            return true;
        }
        moved
    }

    /// The result in the write-back register reaches the register file, and another one takes its place.
    fn finish_load(&mut self, program: &[Decoded]) -> bool {
        let mut moved = false;
        if let Some((id, of_scratchpad)) = self.ldst.writing {
            let flight = self.flights[id as usize];
            let inst = &program[flight.inst as usize];
            let banks = (inst.dsts.iter()).fold(0u32, |banks, &reg| {
                let bank = (self.collectors).bank(reg, flight.warp, flight.scheduler);
                banks | 1 << bank
            });
            if banks & self.written_banks == 0 {
                self.written_banks |= banks;
                self.ldst.writing = None;
                moved = true;
                match of_scratchpad {
                    true => {
                        let at = usize::from(flight.warp);
                        if matches!(inst.class, Class::Atomic(_)) && flight.mask != 0 {
                            self.warps[at].atomics -= 1;
                            self.update_waiting(at);
                        }
                        self.release(at, inst);
                        self.free_flight(id);
                    }
                    false => self.answered(id, program),
                }
            }
        }
        if self.ldst.writing.is_some() {
            return moved;
        }
        for step in 0..3 {
            let client = (self.ldst.next_client + step) % 3;
            let found = match client {
                0 => {
                    let ready = |&&(ready, _): &&(u64, u32)| ready <= self.now;
                    let done = self
                        .ldst
                        .scratchpad
                        .front()
                        .filter(ready)
                        .map(|entry| entry.1);
                    if let Some(id) = done {
                        self.ldst.scratchpad.pop_front();
                        self.retire(id);
                    }
                    done
                }
                1 => self.ldst.past.take(),
                _ => self.ldst.l1.next_ready().map(|owner| owner.flight),
            };
            if let Some(id) = found {
                self.ldst.writing = Some((id, client == 0));
                if client == 0 || self.flights[id as usize].pending == 1 {
                    self.tell_result(id);
                }
                self.ldst.next_client = (client + 1) % 3;
                return true;
            }
        }
        moved
    }

    /// One answer of a load or atomic has come; with the last one its registers are written.
    fn answered(&mut self, id: u32, program: &[Decoded]) {
        let flight = &mut self.flights[id as usize];
        flight.pending -= 1;
        let at = usize::from(flight.warp);
        let inst = &program[flight.inst as usize];
        if flight.pending > 0 {
            return;
        }
        self.release(at, inst);
        if matches!(inst.class, Class::Atomic(_)) {
            self.warps[at].atomics -= 1;
            self.update_waiting(at);
        }
        // A copy to scratchpad has no register; its warp stays until it has ended.
        self.warps[at].stores -= u32::from(inst.class == Class::AsyncCopy);
        self.free_flight(id);
    }

    /// The first answer goes where it belongs.
    fn take_answer(&mut self) -> bool {
        let Some(&reply) = self.ldst.inbox.front() else {
            return false;
        };
        match reply.origin {
            Origin::Store(warp) => self.warps[usize::from(warp)].stores -= 1,
            Origin::Bypass(_) if self.ldst.past.is_some() => return false,
            Origin::Bypass(id) => self.ldst.past = Some(id),
            Origin::Fill => self.ldst.l1.fill(reply.address, self.now),
            Origin::Evicted => {}
            Origin::Fetch => self.front.fill(reply.address, self.now),
        }
        self.ldst.inbox.pop_front();
        true
    }

    fn send_miss(&mut self) -> bool {
        if self.outbox.len() >= self.room {
            return false;
        }
        let Some(sent) = self.ldst.l1.next_miss() else {
            return false;
        };
        let origin = match (sent.write, sent.origin) {
            (true, Some(owner)) => Origin::Store(owner.warp),
            (true, None) => Origin::Evicted,
            (false, _) => Origin::Fill,
        };
        let mut request = self
            .ldst
            .request(self.index, sent.address, sent.bytes, origin);
        request.write = sent.write;
        request.byte_mask = sent.byte_mask;
        self.outbox.push(request);
        true
    }

    /// Accesses that have come through the cache's pipeline look up their lines.
    fn look_up(&mut self, program: &[Decoded]) -> bool {
        let mut moved = false;
        let mut filled = self.ldst.filled;
        while filled != 0 {
            let bank = filled.trailing_zeros() as usize;
            filled &= filled - 1;
            let Some((ready, id, piece)) = self.ldst.banks[bank].front() else {
                continue;
            };
            if *ready > self.now {
                continue;
            }
            if self.ldst.l1.refuses_again(self.ldst.refused[bank]) {
                self.ldst.stuck += 1;
                continue;
            }
            let (id, piece) = (*id, *piece);
            let write = piece.write;
            let owner = Owner {
                flight: id,
                warp: piece.warp,
            };
            let access = Access {
                address: piece.address,
                bytes: piece.bytes,
                byte_mask: piece.byte_mask,
                write,
                atomic: false,
                origin: owner,
            };
            let outcome = self.ldst.l1.access(access, piece.address, self.now);
            if outcome == Outcome::Refused {
                self.ldst.refused[bank] = Some(self.ldst.l1.refusal());
                self.ldst.stuck += 1;
                continue;
            }
            self.ldst.refused[bank] = None;
            self.ldst.banks[bank].pop_front();
            moved = true;
            // The next one is a stage behind.
            match self.ldst.banks[bank].front_mut() {
                Some(next) => next.0 = next.0.max(self.now + 1),
                None => self.ldst.filled &= !(1 << bank),
            }
            if outcome == Outcome::Hit && !write {
                debug_assert_eq!(self.flights[id as usize].warp, piece.warp);
                if self.flights[id as usize].pending == 1 {
                    self.tell_result(id);
                }
                self.answered(id, program);
            }
            if write && self.ldst.l1.keeps_stores() {
                self.warps[usize::from(piece.warp)].stores -= self.ldst.acks(&piece);
            }
        }
        moved
    }
}
