//! What renaming hardware adds to the run-time seam: instruction words with release flags, and packs that are known later.

use crate::ids::{Pack, WarpSlot};
use crate::rfv::flag_decoder::OPERANDS;
use serde::{Deserialize, Serialize};

/// Where a register stands in its instruction. The renaming table takes an instruction of three sources and a destination;
/// a wider one is taken in steps: a 64-bit operand has a register in each of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Step, from 0.
    pub step: u8,
    /// 0 ..= 2 source operand, 3 destination.
    pub pin: u8,
    /// The flags of the pir are for this step; all registers of a step agree.
    pub flagged: bool,
}

/// The pir that covers an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlagSource {
    /// Its program counter, in words.
    pub pc: u16,
    /// Which instruction after it this is, 0 ..= 17.
    pub slot: u8,
    /// The word itself, as the fetch stage finds it in the program.
    pub word: u64,
}

impl FlagSource {
    /// Flags of the instruction, bit 0 its first source: what decode shows of its pir.
    #[must_use]
    pub fn flags(self) -> u8 {
        let word = self.word >> 4 >> (OPERANDS as u32 * u32::from(self.slot));
        (word & ((1 << OPERANDS) - 1)) as u8
    }
}

/// A word of flags that arrives at decode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagWord {
    /// The warp that fetched it.
    pub warp: WarpSlot,
    /// Its program counter, in words.
    pub pc: u16,
    /// The word.
    pub word: u64,
}

/// What the rest of the SM says in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decode {
    /// The word at decode, until [`CycleReply::word_done`](super::CycleReply::word_done).
    pub word: Option<FlagWord>,
    /// Some register that was located, in this cycle or before, will not have been read by the end of the next.
    pub hold: bool,
}

/// A register has been located.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Of which instruction: [`IssueReply::ticket`](super::IssueReply::ticket).
    pub ticket: u32,
    /// Which of its registers.
    pub reg: u8,
    /// Its pack; `None`: it has none, because it was never written or has been released.
    pub pack: Option<Pack>,
}

/// What renaming hardware did in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenamingCounts {
    /// Instructions, or steps of them, that went through the table.
    pub steps: u64,
    /// Cycles that these took beyond the first, because operands share a bank of the table.
    pub bank_conflict_cycles: u64,
    /// Cycles in which the table was walked for a warp that ended.
    pub walk_cycles: u64,
    /// Cycles in which nothing was taken in because operands had not been read.
    pub hold_cycles: u64,
    /// pir words decoded: all that the cache did not have.
    pub pir_decoded: u64,
    /// pbr words decoded.
    pub pbr_decoded: u64,
    /// Destinations that found no free pack in their bank, and asked again.
    pub starved: u64,
    /// Instructions refused because the packs that they map are not free, or an older CTA may need them.
    #[serde(default)]
    pub short: u64,
    /// Cycles in which only one CTA could issue.
    pub throttled_cycles: u64,
    /// Operands that were looked up in the table, those of pbr words among them; exempt registers are not.
    pub lookups: u64,
    /// Words of the table that were written: packs assigned, and packs given back by a flag or a pbr. A walk comes on top.
    pub updates: u64,
    /// Packs that can be in use.
    pub packs: u64,
    /// Sum over all cycles of the packs that were in use.
    pub pack_cycles: u64,
    /// Most packs in use at once.
    pub peak_packs: u64,
    /// Sum over all cycles of the sub-arrays with power, of those that the file has: 16, or fewer if it is shrunk.
    pub powered_cycles: u64,
    /// Sum over all cycles of the packs in them. Of the last sub-array of a bank a shrunk file may have a part.
    #[serde(default)]
    pub powered_packs: u64,
    /// Warps that were spilled because none could go on (8.1).
    #[serde(default)]
    pub spills: u64,
    /// Times that a warp got its registers back.
    #[serde(default)]
    pub refills: u64,
    /// Packs stored to memory for that, of 128 bytes each.
    #[serde(default)]
    pub spilled_packs: u64,
    /// Packs loaded again.
    #[serde(default)]
    pub filled_packs: u64,
    /// Cycles in which a warp was being spilled or got its registers back.
    #[serde(default)]
    pub spill_cycles: u64,
}

impl RenamingCounts {
    /// Adds what the hardware of another SM did in the same run: sums, but for `packs`, which an SM has, and `peak_packs`, the most
    /// of any SM.
    pub fn add(&mut self, other: &RenamingCounts) {
        let RenamingCounts {
            steps,
            bank_conflict_cycles,
            walk_cycles,
            hold_cycles,
            pir_decoded,
            pbr_decoded,
            starved,
            short,
            throttled_cycles,
            lookups,
            updates,
            packs: _,
            pack_cycles,
            peak_packs,
            powered_cycles,
            powered_packs,
            spills,
            refills,
            spilled_packs,
            filled_packs,
            spill_cycles,
        } = *other;
        self.steps += steps;
        self.bank_conflict_cycles += bank_conflict_cycles;
        self.walk_cycles += walk_cycles;
        self.hold_cycles += hold_cycles;
        self.pir_decoded += pir_decoded;
        self.pbr_decoded += pbr_decoded;
        self.starved += starved;
        self.short += short;
        self.throttled_cycles += throttled_cycles;
        self.lookups += lookups;
        self.updates += updates;
        self.pack_cycles += pack_cycles;
        self.peak_packs = self.peak_packs.max(peak_packs);
        self.powered_cycles += powered_cycles;
        self.powered_packs += powered_packs;
        self.spills += spills;
        self.refills += refills;
        self.spilled_packs += spilled_packs;
        self.filled_packs += filled_packs;
        self.spill_cycles += spill_cycles;
    }
}
