//! The load/store unit: one instruction at a time, in the order of issue. A scratchpad access takes as many cycles
//! as its bank conflicts, an access to memory one cycle per line; the results come later.
//!
//! A load waits for all its lines. A store has left the pipeline when its lines have been sent; its warp keeps
//! its slot until memory has answered. Atomics go to memory, past the cache.

use crate::memory::coalescer::{
    LINE_BYTES, LineAccess, coalesce, most_lanes_on_one_address, touch,
};
use crate::memory::l1::Load;
use crate::memory::local::LOCAL_BASE;
use crate::memory::scratchpad::{atomic_passes, passes};
use crate::memory::system::{Request, RequestKind};
use crate::observe::watch::{Event, Purpose};
use crate::sm::Sm;
use crate::sm::access::{Access, AccessKind};
use crate::sm::error::Step;

/// Kind of an answer's token, in its upper bits.
const FILL: u32 = 0 << 30;
const STORED: u32 = 1 << 30;
const ATOMIC: u32 = 2 << 30;

/// State of the unit.
#[derive(Clone, Debug, Default)]
pub struct LoadStoreUnit {
    /// The instruction whose lines are being accessed, and what it does.
    current: Option<(u16, AccessKind)>,
    lines: Vec<LineAccess>,
    next_line: usize,
    /// First cycle at which the next instruction can be taken.
    pub free_at: u64,
    /// The next line access found no MSHR or no room towards memory.
    pub blocked: bool,
}

impl LoadStoreUnit {
    /// Whether it has line accesses to make.
    pub fn has_work(&self) -> bool {
        self.current.is_some()
    }

    /// Line accesses still to make.
    pub fn lines_left(&self) -> usize {
        self.lines.len() - self.next_line
    }
}

impl Sm<'_> {
    /// Takes the answers of the memory.
    pub(super) fn receive(&mut self) -> Step {
        while let Some(token) = self.memory.receive(self.cycle) {
            let value = token & 0x3fff_ffff;
            match token & !0x3fff_ffff {
                STORED => {
                    let slot = value as usize;
                    self.warps.stores[slot] -= 1;
                    self.warps.dirty |= 1 << slot;
                    self.retire_if_done(slot)?;
                }
                ATOMIC => self.line_arrived(value as u16),
                _ => {
                    for id in self.l1.fill(value as u16) {
                        self.line_arrived(id);
                    }
                }
            }
            self.ldst.blocked = false;
        }
        Ok(())
    }

    fn line_arrived(&mut self, id: u16) {
        let flight = &mut self.flights[id];
        flight.lines_missing -= 1;
        flight.ready_at = flight.ready_at.max(self.cycle + self.latch_cycles);
        if flight.lines_missing == 0 && !flight.accesses_left {
            self.wheel.schedule(flight.ready_at, id);
        }
    }

    /// One cycle of the unit.
    pub(super) fn load_store(&mut self) -> Step {
        if self.ldst.current.is_none() && self.ldst.free_at <= self.cycle {
            self.take_next()?;
        }
        let Some((id, kind)) = self.ldst.current else {
            return Ok(());
        };
        if self.ldst.next_line < self.ldst.lines.len() {
            let line = self.ldst.lines[self.ldst.next_line];
            self.ldst.blocked = !self.access_line(id, kind, line);
            if self.ldst.blocked {
                return Ok(());
            }
            self.ldst.next_line += 1;
            self.tell_line(id, line);
            if line.line >= LOCAL_BASE && self.program.has_calls {
                let op = &self.program.ops[self.flights[id].pc as usize];
                let calls = &mut self.counters.calls;
                calls.local_accesses += 1;
                calls.spill_fill_accesses += u64::from(op.spills);
            }
        }
        if self.ldst.next_line == self.ldst.lines.len() && self.ldst.free_at <= self.cycle + 1 {
            self.ldst.current = None;
            return self.all_sent(id);
        }
        Ok(())
    }

    #[inline]
    fn tell_line(&self, id: u16, line: LineAccess) {
        let op = &self.program.ops[self.flights[id].pc as usize];
        let purpose = match line.line >= LOCAL_BASE {
            false => Purpose::Global,
            true if op.spills => Purpose::SpillFill,
            true => Purpose::OtherLocal,
        };
        self.tell(Event::LineAccessed { purpose });
    }

    /// Takes the oldest instruction from its collector, when that has all its operands.
    fn take_next(&mut self) -> Step {
        let Some(&unit) = self.collectors.pools[2].queue.front() else {
            return Ok(());
        };
        let collector = &self.collectors.units[usize::from(unit)];
        if collector.missing > 0 {
            return Ok(());
        }
        let id = collector.flight;
        self.collectors.pools[2].queue.pop_front();
        self.tell(Event::Started { flight: id });
        let op = &self.program.ops[self.flights[id].pc as usize];
        let Some(access) = Access::of(&op.op) else {
            return Ok(());
        };
        self.access(op, &access, id, unit)?;
        self.collectors.pools[2].give_back(unit);
        self.seen.started += 1;
        let cycles = self.time_on_chip(&access, id);
        self.ldst.free_at = self.cycle + cycles.max(1);
        self.find_lines(&access, id);
        self.ldst.current = Some((id, access.kind));
        self.ldst.next_line = 0;
        self.flights[id].accesses_left = true;
        Ok(())
    }

    /// Scratchpad and constants: how long they keep the unit busy, and when the result is there.
    fn time_on_chip(&mut self, access: &Access, id: u16) -> u64 {
        let resolved = &self.resolved;
        let counters = &mut self.counters.memory;
        let timing = &self.memory_timing;
        let banks = timing.scratchpad_banks.into();
        let mut busy = 0;
        let mut latency = 1;
        if resolved.shared != 0 {
            let passes = match access.kind {
                AccessKind::Atomic(_) => atomic_passes(&resolved.addresses, resolved.shared, banks),
                _ => passes(&resolved.addresses, resolved.shared, access.bytes(), banks),
            };
            busy += u64::from(passes);
            latency = busy - 1 + u64::from(timing.scratchpad_latency);
            counters.scratchpad_accesses += 1;
            counters.scratchpad_conflict_cycles += busy - 1;
        }
        if resolved.constant != 0 {
            // The constant cache gives one address per cycle to all lanes that want it.
            busy += u64::from(distinct(&resolved.addresses, resolved.constant));
            latency = busy - 1 + u64::from(timing.constant_latency);
            counters.constant_accesses += 1;
        }
        if let (AccessKind::Atomic(_), true) = (access.kind, resolved.device != 0) {
            // assumed: lanes on one address go one after the other, a cycle each
            busy += u64::from(most_lanes_on_one_address(
                &resolved.addresses,
                resolved.device,
            ));
        }
        self.flights[id].ready_at = self.cycle + latency + self.latch_cycles;
        busy
    }

    /// The lines of the access in global and local memory.
    fn find_lines(&mut self, access: &Access, id: u16) {
        let lines = &mut self.ldst.lines;
        lines.clear();
        let resolved = &self.resolved;
        if resolved.device != 0 {
            coalesce(lines, &resolved.addresses, resolved.device, access.bytes());
        }
        if resolved.local != 0 {
            let warp = usize::from(self.flights[id].warp);
            for lane in (0..32).filter(|lane| resolved.local >> lane & 1 == 1) {
                let first = resolved.addresses[lane];
                for word in (first & !3..first + access.bytes()).step_by(4) {
                    let bytes = access.bytes().min(4);
                    let place = self.local.place(warp, lane, word);
                    touch(lines, LOCAL_BASE + place, bytes);
                }
            }
        }
    }

    /// One access; false when it must be tried again.
    fn access_line(&mut self, id: u16, kind: AccessKind, line: LineAccess) -> bool {
        let accepts = self.memory.accepts_from(self.cycle) <= self.cycle;
        let warp = self.flights[id].warp;
        let local = line.line >= LOCAL_BASE;
        let op = &self.program.ops[self.flights[id].pc as usize];
        if self.spill_fill_hits && op.spills {
            return self.hits_for_sure(id, kind);
        }
        let counters = &mut self.counters.memory;
        let (kind, bytes, token) = match kind {
            AccessKind::Load => {
                // A miss needs room towards memory; whether it misses is known only after the look-up.
                if !accepts && !self.l1.holds(line.line) {
                    return false;
                }
                let mshr = match self.l1.load(line.line, id) {
                    Load::Blocked => return false,
                    Load::Hit => {
                        counters.l1_loads += 1;
                        counters.l1_hits += 1;
                        let latency = u64::from(self.memory_timing.l1_hit_latency);
                        let flight = &mut self.flights[id];
                        let ready = self.cycle + latency + self.latch_cycles;
                        flight.ready_at = flight.ready_at.max(ready);
                        return true;
                    }
                    Load::Merged => {
                        counters.l1_loads += 1;
                        counters.l1_pending_hits += 1;
                        self.flights[id].lines_missing += 1;
                        return true;
                    }
                    Load::Miss(mshr) => mshr,
                };
                counters.l1_loads += 1;
                counters.l1_misses += 1;
                counters.bytes_read += LINE_BYTES;
                self.flights[id].lines_missing += 1;
                (RequestKind::Read, LINE_BYTES as u32, FILL | u32::from(mshr))
            }
            _ if !accepts => return false,
            AccessKind::Store => {
                self.l1.store(line.line, !local);
                counters.l1_stores += 1;
                counters.bytes_written += u64::from(line.sector_bytes());
                self.warps.stores[usize::from(warp)] += 1;
                let token = STORED | u32::from(warp);
                (RequestKind::Write, line.sector_bytes(), token)
            }
            AccessKind::Atomic(_) => {
                self.l1.store(line.line, true);
                counters.atomic_accesses += 1;
                counters.bytes_written += u64::from(line.sector_bytes());
                self.flights[id].lines_missing += 1;
                (
                    RequestKind::Atomic,
                    line.sector_bytes(),
                    ATOMIC | u32::from(id),
                )
            }
        };
        self.memory.send(
            self.cycle,
            Request {
                kind,
                address: line.line,
                bytes,
                sectors: line.sectors,
                token,
            },
        );
        true
    }

    /// An access that hits whatever the cache holds.
    fn hits_for_sure(&mut self, id: u16, kind: AccessKind) -> bool {
        let counters = &mut self.counters.memory;
        if kind != AccessKind::Load {
            counters.l1_stores += 1;
            return true;
        }
        counters.l1_loads += 1;
        counters.l1_hits += 1;
        let flight = &mut self.flights[id];
        let latency = u64::from(self.memory_timing.l1_hit_latency);
        let ready = self.cycle + latency + self.latch_cycles;
        flight.ready_at = flight.ready_at.max(ready);
        true
    }

    /// All accesses of the instruction have been made.
    fn all_sent(&mut self, id: u16) -> Step {
        let flight = &mut self.flights[id];
        flight.accesses_left = false;
        if flight.lines_missing > 0 {
            return Ok(());
        }
        let op = &self.program.ops[flight.pc as usize];
        if op.results.is_empty() {
            return self.finish(id);
        }
        let ready = flight.ready_at.max(self.cycle + 1);
        self.wheel.schedule(ready, id);
        Ok(())
    }
}

fn distinct(addresses: &[u64; 32], active: u32) -> u32 {
    let mut left = active;
    let mut count = 0;
    while left != 0 {
        let first = addresses[left.trailing_zeros() as usize];
        for lane in 0..32 {
            if addresses[lane] == first {
                left &= !(1 << lane);
            }
        }
        count += 1;
    }
    count
}
