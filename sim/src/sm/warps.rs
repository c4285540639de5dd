//! Warp slots: where each warp is, and bit masks over all of them that the stages work on.

use crate::sm::simt::SimtStack;

/// State of all warp slots. A bit of a mask stands for a warp slot.
#[derive(Clone, Debug)]
pub struct Warps {
    /// SIMT stacks.
    pub stack: Vec<SimtStack>,
    /// Program counter and running lanes of each stack's top.
    pub pc: Vec<u32>,
    pub lanes: Vec<u32>,
    /// Instructions in the buffer; the first is at `pc`.
    pub buffered: Vec<u8>,
    /// Instructions between issue and write-back.
    pub in_flight: Vec<u32>,
    /// Stores and reductions on their way to memory.
    pub stores: Vec<u32>,
    pub cta_slot: Vec<u8>,
    pub warp_in_cta: Vec<u8>,
    /// CTA number x warps per CTA + warp of the CTA: also the age, less is older.
    pub number: Vec<u64>,
    /// Predicates.
    pub preds: Vec<[u32; 64]>,
    /// Cycle of the first refusal of the instruction that a warp waits to issue.
    pub refused_at: Vec<Option<u64>>,
    /// The barrier instruction of a warp that waits at a barrier.
    pub barrier_pc: Vec<u32>,

    /// A warp is here and not all of its accesses have ended.
    pub resident: u64,
    /// Not all of its lanes have ended.
    pub running: u64,
    /// The buffer holds an instruction.
    pub has_inst: u64,
    /// Fetched, not yet decoded.
    pub fetching: u64,
    /// The hazards of the next instruction must be looked at again.
    pub dirty: u64,
    /// The next instruction has a hazard; with `on_memory`, for a load.
    pub hazard: u64,
    pub on_memory: u64,
    /// Waits at a barrier.
    pub at_barrier: u64,
    /// Was refused by the register hardware, and nothing has been freed since.
    pub parked: u64,
    /// The next instruction is a word of flags, for the register hardware.
    pub at_word: u64,
    /// The last that it did was to have registers released by a pbr.
    pub behind_pbr: u64,
    /// Needs a pir that the register hardware has not got: it is to be fetched; then, it waits at decode.
    pub wants_pir: u64,
    pub pir_at_decode: u64,
    /// Its pir has been decoded since it was refused: it goes first, and no other pir is decoded while it can.
    pub pir_arrived: u64,
    /// A trap handler works for it, or it has no registers; with `handling`, the next instruction is the handler's.
    pub away: u64,
    pub handling: u64,
    /// Not among those that its scheduler may choose from.
    pub limited: u64,
    /// The next instruction goes to the arithmetic units, the SFU, the load/store unit.
    pub for_unit: [u64; 3],
    /// The next instruction accesses global or local memory.
    pub for_memory: u64,
    /// The next instruction acquires an extended set.
    pub for_acquire: u64,
}

impl Warps {
    /// `slots` empty warp slots.
    pub fn new(slots: usize) -> Self {
        Warps {
            stack: vec![SimtStack::default(); slots],
            pc: vec![0; slots],
            lanes: vec![0; slots],
            buffered: vec![0; slots],
            in_flight: vec![0; slots],
            stores: vec![0; slots],
            cta_slot: vec![0; slots],
            warp_in_cta: vec![0; slots],
            number: vec![0; slots],
            preds: vec![[0; 64]; slots],
            refused_at: vec![None; slots],
            barrier_pc: vec![0; slots],
            resident: 0,
            running: 0,
            has_inst: 0,
            fetching: 0,
            dirty: 0,
            hazard: 0,
            on_memory: 0,
            at_barrier: 0,
            parked: 0,
            at_word: 0,
            behind_pbr: 0,
            wants_pir: 0,
            pir_at_decode: 0,
            pir_arrived: 0,
            away: 0,
            handling: 0,
            limited: 0,
            for_unit: [0; 3],
            for_memory: 0,
            for_acquire: 0,
        }
    }

    /// A warp of these lanes moves into `slot`.
    pub fn start(
        &mut self,
        slot: usize,
        lanes: u32,
        cta_slot: usize,
        warp_in_cta: u32,
        number: u64,
    ) {
        self.stack[slot].start(lanes);
        self.pc[slot] = 0;
        self.lanes[slot] = lanes;
        self.buffered[slot] = 0;
        self.cta_slot[slot] = cta_slot as u8;
        self.warp_in_cta[slot] = warp_in_cta as u8;
        self.number[slot] = number;
        self.preds[slot] = [0; 64];
        self.wants_pir &= !(1 << slot);
        self.resident |= 1 << slot;
        self.running |= 1 << slot;
    }

    /// After a change of the stack: program counter and lanes follow it. Unless the warp simply goes on with the
    /// next instruction, its buffer is of no use any more.
    #[inline]
    pub fn follow_stack(&mut self, slot: usize, expected_pc: u32) {
        let stack = &self.stack[slot];
        self.pc[slot] = stack.pc();
        self.lanes[slot] = stack.lanes();
        if self.pc[slot] != expected_pc {
            self.buffered[slot] = 0;
            self.has_inst &= !(1 << slot);
        }
        // Without lanes, it may have calls to return from.
        if self.lanes[slot] == 0 && self.stack[slot].has_ended() {
            self.running &= !(1 << slot);
        }
    }

    /// Warps whose next instruction has no hazard; whether a unit takes it is not looked at.
    #[inline]
    pub fn ready(&self) -> u64 {
        self.takes_part() & !self.hazard
    }

    /// Warps with an instruction that a scheduler can issue once it has no hazard.
    #[inline]
    pub fn takes_part(&self) -> u64 {
        let waits = self.at_barrier | self.parked | self.at_word | self.away | self.limited;
        self.running & self.has_inst & !(waits & !self.handling)
    }

    /// Warps whose next word of flags can be decoded.
    #[inline]
    pub fn ready_words(&self) -> u64 {
        self.running & self.has_inst & !self.hazard & !self.at_barrier & !self.away & self.at_word
    }

    /// Warps to fetch for.
    #[inline]
    pub fn to_fetch(&self) -> u64 {
        self.running & !self.has_inst & !self.fetching & !self.pir_at_decode
    }
}
