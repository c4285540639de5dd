//! What a register file without a free pack adds to the run-time seam: a pending warp gives its registers up and gets them
//! back (RFV 8.1).

use crate::ids::WarpSlot;

/// What the SM knows of its warps when none of them can go on. A bit of a mask and an entry of a list stand for a warp slot.
#[derive(Clone, Copy, Debug)]
pub struct Pending<'a> {
    /// Warps that have not ended.
    pub running: u64,
    /// Those that wait at a barrier.
    pub at_barrier: u64,
    /// Smaller is older.
    pub age: &'a [u64],
    /// Registers below 64 whose results are still to be written, a bit each: of a barrier that gives one.
    pub written: &'a [u64],
}

/// Registers of a warp, a bit each, that go to memory or come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spill {
    /// The warp.
    pub warp: WarpSlot,
    /// Its registers.
    pub regs: u64,
}

/// How the others can go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relief {
    /// These registers are to be saved, one after the other ([`RegisterManager::save`](super::RegisterManager::save)); the warp
    /// waits then.
    Save(Spill),
    /// There is room for a warp that had to wait: these are to be loaded, each by an instruction that writes it
    /// ([`RegOp::Refill`](super::RegOp::Refill)).
    Fill(Spill),
}
