//! What the instruction at the unit accesses, and where its accesses go.

use super::coalesce;
use crate::gpu::decoded::Decoded;
use crate::gpu::packet::Origin;
use crate::gpu::sm::Sm;
use crate::trace::record::{Addresses, Class, NO_ADDRESSES, Space};

/// Where local memory lies in device memory: far from all data. // assumed
const LOCAL_BASE: u64 = 0x3f_0000_0000_0000;
/// Bytes of the windows of generic addresses.
const WINDOW_BYTES: u64 = 1 << 24;

impl Sm {
    /// The instruction at the unit makes as many accesses as it can.
    pub(super) fn make_accesses(&mut self, program: &[Decoded]) -> bool {
        let Some(id) = self.ldst.current else {
            return false;
        };
        let inst = &program[self.flights[id as usize].inst as usize];
        match self.ldst.space {
            Space::Shared => {
                if self.ldst.busy_cycles > 1 {
                    self.ldst.busy_cycles -= 1;
                    return true;
                }
                let loads = !matches!(inst.class, Class::Store(_));
                if loads {
                    let ldst = &mut self.ldst;
                    if ldst.scratchpad_entered == self.now
                        || ldst.scratchpad.len() as u64 >= ldst.scratchpad_latency
                    {
                        return false;
                    }
                    ldst.scratchpad_entered = self.now;
                    ldst.scratchpad
                        .push_back((self.now + ldst.scratchpad_latency, id));
                } else {
                    self.retire(id);
                    self.free_flight(id);
                }
                self.ldst.current = None;
                true
            }
            _ if inst.bypasses => self.pass_by(id, inst),
            _ => self.enter_cache(id, inst),
        }
    }

    /// One access per cycle goes past the first-level cache.
    pub(super) fn pass_by(&mut self, id: u32, inst: &Decoded) -> bool {
        if let Some(&piece) = self.ldst.pieces.last() {
            if self.outbox.len() >= self.room {
                return false;
            }
            self.ldst.pieces.pop();
            let origin = match piece.write {
                true => {
                    self.warps[usize::from(piece.warp)].stores += self.ldst.acks(&piece);
                    Origin::Store(piece.warp)
                }
                false => Origin::Bypass(id),
            };
            let mut request = self
                .ldst
                .request(self.index, piece.address, piece.bytes, origin);
            request.write = piece.write;
            request.byte_mask = piece.byte_mask;
            request.atomic = matches!(inst.class, Class::Atomic(_));
            self.outbox.push(request);
        }
        self.end_if_sent(id, inst);
        true
    }

    /// Accesses enter the banks of the cache in order, one per bank and cycle, up to the first conflict.
    pub(super) fn enter_cache(&mut self, id: u32, inst: &Decoded) -> bool {
        let before = self.ldst.pieces.len();
        for _ in 0..self.ldst.banks.len() {
            let Some(&piece) = self.ldst.pieces.last() else {
                break;
            };
            let banks = self.ldst.banks.len();
            let bank = (piece.address >> 5) as usize % banks;
            let full = self.ldst.banks[bank].len() as u64 >= self.ldst.latency;
            if full || self.ldst.bank_entered[bank] == self.now {
                break;
            }
            self.ldst.bank_entered[bank] = self.now;
            self.ldst.banks[bank].push_back((self.now + self.ldst.latency, id, piece));
            self.ldst.filled |= 1 << bank;
            self.ldst.pieces.pop();
            if piece.write {
                self.warps[usize::from(piece.warp)].stores += self.ldst.acks(&piece);
            }
        }
        let left = self.ldst.pieces.len();
        self.end_if_sent(id, inst);
        left < before || left == 0
    }

    /// Whether the instruction at the unit waits for memory to take an access: for a line, an MSHR or room towards it.
    pub fn waits_for_memory(&self, program: &[Decoded]) -> bool {
        let Some(id) = self.ldst.current else {
            return false;
        };
        let Some(piece) = self.ldst.pieces.last() else {
            return false;
        };
        if self.ldst.space == Space::Shared {
            return false;
        }
        match program[self.flights[id as usize].inst as usize].bypasses {
            true => self.outbox.len() >= self.room,
            // A bank runs full only while its first access is refused.
            false => {
                let bank = (piece.address >> 5) as usize % self.ldst.banks.len();
                self.ldst.banks[bank].len() as u64 >= self.ldst.latency
            }
        }
    }

    pub(super) fn end_if_sent(&mut self, id: u32, inst: &Decoded) {
        if !self.ldst.pieces.is_empty() {
            return;
        }
        self.ldst.current = None;
        self.retire(id);
        let flight = self.flights[id as usize];
        if flight.pending > 0 {
            return;
        }
        // A store, a fence, or a load of no lane.
        let at = usize::from(flight.warp);
        if matches!(inst.class, Class::Atomic(_)) && flight.mask != 0 {
            self.warps[at].atomics -= 1;
            self.update_waiting(at);
        }
        self.free_flight(id);
        self.release(at, inst);
        self.unmark(at, inst);
    }

    /// The unit takes an instruction: which space, which pieces.
    pub(super) fn begin(&mut self, id: u32, program: &[Decoded]) {
        let flight = self.flights[id as usize];
        let inst = &program[flight.inst as usize];
        let warp = &self.warps[usize::from(flight.warp)];
        let traced = match (flight.addresses, flight.mask) {
            (NO_ADDRESSES, _) | (_, 0) => None,
            (index, _) => Some(&warp.trace.addresses[index as usize]),
        };
        let mask = traced.map_or(0, |_| flight.mask);
        let mut space = inst.class.space().unwrap_or(Space::Global);
        if space == Space::Generic {
            let first = traced.map_or(0, Addresses::first);
            let inside = |base: u64| first.checked_sub(base).is_some_and(|at| at < WINDOW_BYTES);
            space = match () {
                () if inside(self.ldst.shared_window) => Space::Shared,
                () if inside(self.ldst.local_window) => Space::Local,
                () => Space::Global,
            };
        }
        let width = inst.width.max(1).into();
        let atomic = matches!(inst.class, Class::Atomic(_));
        let contiguous = match (space, atomic) {
            (Space::Global, false) => traced.and_then(|traced| traced.contiguous(mask, width)),
            _ => None,
        };
        let mut addresses = [0u64; 32];
        if let (Some(traced), None) = (traced, contiguous) {
            traced.expand(mask, &mut addresses);
        }
        self.ldst.current = Some(id);
        self.ldst.space = space;
        self.ldst.pieces.clear();
        if space == Space::Shared {
            let banks = self.ldst.scratchpad_banks;
            let cycles = coalesce::bank_cycles(&addresses, mask, banks);
            self.ldst.busy_cycles = cycles;
            self.counts.scratchpad_conflict_cycles += u64::from(cycles.saturating_sub(1));
            return;
        }
        if space == Space::Local {
            let first = u64::from(flight.warp) * 32;
            for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
                let offset =
                    addresses[lane].wrapping_sub(self.ldst.local_window) & (WINDOW_BYTES - 1);
                addresses[lane] = LOCAL_BASE
                    + (offset / 4 * self.ldst.threads + first + lane as u64) * 4
                    + offset % 4;
            }
        }
        let request = coalesce::Warpwide {
            addresses: &addresses,
            mask,
            contiguous,
            width,
            // Local memory is laid out in words: neighbours belong to other threads.
            words_apart: (space == Space::Local).then_some(self.ldst.threads * 4),
            sectors: self.ldst.splits_sectors || inst.bypasses,
            write: matches!(inst.class, Class::Store(_)),
            atomic,
            warp: flight.warp,
        };
        coalesce::pieces(&request, &mut self.ldst.pieces);
        if !request.write && !self.ldst.pieces.is_empty() {
            self.flights[id as usize].pending = self.ldst.pieces.len() as u32;
            self.warps[usize::from(flight.warp)].stores +=
                u32::from(inst.class == Class::AsyncCopy);
        }
    }
}
