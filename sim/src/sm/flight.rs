//! Instructions between issue and write-back.

use crate::kernel::exec::Lanes;
use crate::sm::program::MAX_WRITES;
use arrayvec::ArrayVec;
use regshare_hw::ids::Pack;
use regshare_hw::manager::MAX_REGS_PER_INST;

/// Of an instruction that no watch has written down.
pub const UNRECORDED: u32 = u32::MAX;

/// One instruction in flight.
#[derive(Clone, Debug)]
pub struct Flight {
    pub pc: u32,
    pub warp: u8,
    /// Lanes that execute it.
    pub lanes: u32,
    /// Packs of the registers of its request.
    pub packs: ArrayVec<Pack, MAX_REGS_PER_INST>,
    /// Of a move of the trap handler: the word of its memory.
    pub word: u32,
    /// Predicate sources, inversion applied.
    pub preds: [u32; 2],
    /// Results, in the order of the registers written.
    pub results: [Lanes; MAX_WRITES],
    pub pred_results: [u32; 2],
    /// Line of the warp's trace that it follows, and lanes in which all that it reads has been written.
    pub record: u32,
    pub defined: u32,
    /// Registers written back so far.
    pub written: u8,
    /// Lines on their way from memory.
    pub lines_missing: u16,
    /// Line accesses not yet made.
    pub accesses_left: bool,
    /// First cycle at which the accesses that need not wait are complete.
    pub ready_at: u64,
    /// Which instruction of its warp it is, for the watch over rounds.
    pub recorded: u32,
}

/// All instructions in flight, by number.
#[derive(Clone, Debug, Default)]
pub struct Flights {
    flights: Vec<Flight>,
    free: Vec<u16>,
}

impl Flights {
    /// A place for a new instruction.
    #[inline]
    pub fn take(&mut self) -> u16 {
        match self.free.pop() {
            Some(id) => {
                self.flights[usize::from(id)].recorded = UNRECORDED;
                id
            }
            None => {
                self.flights.push(Flight {
                    pc: 0,
                    warp: 0,
                    lanes: 0,
                    packs: ArrayVec::new(),
                    word: 0,
                    preds: [0; 2],
                    results: [[0; 32]; MAX_WRITES],
                    pred_results: [0; 2],
                    record: 0,
                    defined: 0,
                    written: 0,
                    lines_missing: 0,
                    accesses_left: false,
                    ready_at: 0,
                    recorded: UNRECORDED,
                });
                (self.flights.len() - 1) as u16
            }
        }
    }

    /// The instruction has ended.
    #[inline]
    pub fn give_back(&mut self, id: u16) {
        self.free.push(id);
    }

    /// Whether nothing is in flight.
    pub fn is_empty(&self) -> bool {
        self.free.len() == self.flights.len()
    }
}

impl std::ops::Index<u16> for Flights {
    type Output = Flight;

    #[inline]
    fn index(&self, id: u16) -> &Flight {
        &self.flights[usize::from(id)]
    }
}

impl std::ops::IndexMut<u16> for Flights {
    #[inline]
    fn index_mut(&mut self, id: u16) -> &mut Flight {
        &mut self.flights[usize::from(id)]
    }
}
