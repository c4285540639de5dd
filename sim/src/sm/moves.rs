//! Instructions that move a warp's registers to local memory or back, which no program has: those of the trap handler of register
//! stacks, and of the spill of a pending warp.

use crate::sm::Sm;
use regshare_hw::ids::Pack;

/// A move on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    /// What it does, as the program has it behind its end.
    pub pc: u32,
    /// The pack, or that it is not known yet.
    pub pack: Pack,
    /// Word of the reserved memory, which begins at `first_byte`.
    pub word: u32,
    /// See above.
    pub first_byte: u64,
    /// Operands that it waits for in its collector unit.
    pub missing: u8,
}

impl Sm<'_> {
    /// Puts a move of a warp into flight, in all lanes; its number there and its collector unit.
    pub(super) fn put_in_flight(&mut self, slot: usize, moved: Move) -> (u16, u8) {
        let counters = &mut self.counters;
        counters.warp_instructions += 1;
        counters.thread_instructions += 32;
        counters.ldst_instructions += 1;
        let unit = self.collectors.pools[2].take();
        let id = self.flights.take();
        let flight = &mut self.flights[id];
        flight.pc = moved.pc;
        flight.warp = slot as u8;
        flight.lanes = !0;
        flight.packs.clear();
        flight.packs.push(moved.pack);
        flight.word = moved.word;
        (flight.written, flight.lines_missing) = (0, 0);
        let collector = &mut self.collectors.units[usize::from(unit)];
        (collector.flight, collector.missing) = (id, moved.missing);
        let address = moved.first_byte + 4 * u64::from(moved.word);
        collector.operands[0].lo = [address as u32; 32];
        collector.operands[0].hi = [(address >> 32) as u32; 32];
        self.collectors.pools[2].queue.push_back(unit);
        self.warps.in_flight[slot] += 1;
        (id, unit)
    }

    /// The warp goes on with its own instruction.
    pub(super) fn own_instruction(&mut self, slot: usize) {
        let bit = 1 << slot;
        self.warps.handling &= !bit;
        self.warps.dirty |= bit;
        self.warps.pc[slot] = self.warps.stack[slot].pc();
        match self.warps.buffered[slot] {
            0 => self.warps.has_inst &= !bit,
            _ => self.warps.has_inst |= bit,
        }
    }
}
