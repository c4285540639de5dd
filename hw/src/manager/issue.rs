//! What the SM asks for an instruction, and what it is told.

use super::{FlagSource, Place, StackAsk, StackReply};
use crate::ids::{ArchReg, Pack, WarpSlot};
use arrayvec::ArrayVec;

/// Most registers one instruction names (a product of matrices: 4, 2 and 4 that it reads, 4 that it writes).
pub const MAX_REGS_PER_INST: usize = 14;

/// What an instruction does to the warp's share of the register file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegOp {
    /// Nothing but reading and writing registers.
    #[default]
    Access,
    /// Asks for the extended set (RegMutex III-A3).
    Acquire,
    /// Gives the extended set back (RegMutex III-A3).
    Release,
    /// Calls a function that pushes `saved` registers (CARS III-A).
    Call {
        /// How many.
        saved: u8,
    },
    /// Gives the next callee-saved register a pack of its own (CARS III-A).
    Push,
    /// Gives the one pushed last back.
    Pop,
    /// The last lanes return to the caller (CARS III-C).
    Return,
    /// Writes a register that comes back from memory (RFV 8.1).
    Refill,
}

/// One scheduler's proposal for this cycle.
#[derive(Clone, Debug, Default)]
pub struct IssueRequest {
    /// The warp that wants to issue.
    pub warp: WarpSlot,
    /// What it does to the register file.
    pub op: RegOp,
    /// The architected registers to locate: each 32-bit half of a pair on its own, sources first.
    pub regs: ArrayVec<ArchReg, MAX_REGS_PER_INST>,
    /// The highest byte of its CTA's scratchpad that it accesses, counted from the start of that; `None`: it accesses none, or
    /// CTAs do not share scratchpad.
    pub scratchpad: Option<u32>,
    /// Where each of `regs` stands in the instruction, for hardware that looks operands up one instruction word at a time.
    pub places: ArrayVec<Place, MAX_REGS_PER_INST>,
    /// The pir that covers the instruction (RFV 6.2); `None`: there is none.
    pub flags: Option<FlagSource>,
    /// It accesses the memory that all SMs share: global or local memory.
    pub memory: bool,
    /// What a written register had is still needed: only some of the lanes that the warp still has are written, or a later step of
    /// the instruction reads it.
    pub partial: bool,
    /// What a call, push or return brings along.
    pub stack: StackAsk,
}

/// The hardware's answer to one proposal.
#[derive(Clone, Debug, Default)]
pub struct IssueReply {
    /// Whether the instruction issues in this cycle. If not, the warp waits for [`CycleReply::wake`], but see `again`.
    pub granted: bool,
    /// The packs of `regs`, in order; filled only when granted.
    pub packs: ArrayVec<Pack, MAX_REGS_PER_INST>,
    /// Granted, but the packs come later, as [`super::Answer`]s with this number; `None`: `packs` has them.
    pub ticket: Option<u32>,
    /// Refused because the pir that covers the instruction is not known: it is to be fetched and shown at decode.
    pub missing_flags: bool,
    /// What the register stack says to a call, push or return.
    pub stack: StackReply,
    /// Refused because the hardware is still taking in an instruction of another scheduler: the warp may ask again in the next
    /// cycle.
    pub again: bool,
}

/// What happened in one cycle besides the answers to the proposals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CycleReply {
    /// Something was freed at the end of this cycle, or a warp was refused only because the other scheduler's
    /// request came first: refused warps may try again from the next cycle on.
    pub wake: bool,
    /// Of the refused warps those that would be refused again, a bit each: they are not to try.
    pub stay: u64,
    /// Decode is done with the word that was shown ([`super::Decode::word`]).
    pub word_done: bool,
}
