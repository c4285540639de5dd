#![doc = include_str!("README.md")]

mod adapter;
mod admission;
mod decode;
mod entry;
pub mod model;
mod power;
mod returns;
pub mod rtl;
mod sizes;
mod stage;
#[cfg(feature = "strategies")]
pub mod strategy;

use super::free_list::{BANKS, kept_packs};
use super::power_gate::SUB_ARRAYS;
use super::release_flag_cache::PC_BITS;
use super::rename_table::OPERANDS;
use crate::pins::{bits_for, pins};

/// Packs that can be assigned in a register file of `packs`: what [`kept_packs`] keeps for `shrink` without the `reserved`
/// ones, in four banks. The pin `pack_count` gets this.
#[must_use]
pub const fn pack_count(packs: usize, shrink: usize, reserved: usize) -> usize {
    BANKS * kept_packs(packs / BANKS)[shrink].saturating_sub(reserved)
}

pins! {
    /// Inputs for `NW` warps, `T` CTA slots and `PACKS` packs, in port order. All are sampled at the rising edge; the outputs
    /// of the same cycle already depend on them.
    pub struct RfvTopIn<const NW, const T, const PACKS> {
        /// Starts a kernel: no CTA, all packs free, the cache empty, nothing on its way. Nothing is granted in this cycle.
        clear: bool = 1,
        /// N, registers that are not renamed: those below it. This and the next two stay as they are while a kernel runs.
        exempt: u8 = 6,
        /// How many packs the file has, as `free_list` says.
        shrink: u8 = 2,
        /// Packs at the bottom of each bank that hold exempt registers.
        reserved: u16 = bits_for(PACKS / BANKS + 1),
        /// Packs that may be assigned: those that `shrink` keeps, without the `reserved` ones of each bank; read only with `clear`.
        pack_count: u16 = bits_for(PACKS + 1),
        /// A CTA starts in slot `launch_cta`.
        cta_launch: bool = 1,
        /// Its slot.
        launch_cta: u8 = bits_for(T),
        /// Packs that it needs in the worst case: registers that are renamed x warps. Read only with `cta_launch`.
        need: u16 = bits_for(PACKS + 1),
        /// The CTA in slot `exit_cta` ends: all its warps have, and `busy` is low.
        cta_exit: bool = 1,
        /// Its slot.
        exit_cta: u8 = bits_for(T),
        /// The warp starts: its part of the table is made unmapped. To be held until `walk_grant`.
        launch: bool = 1,
        /// The warp ends, and its packs are given back: all its operands have been read. To be held until `walk_grant`.
        exit: bool = 1,
        /// That warp.
        warp: u8 = bits_for(NW),
        /// Its CTA.
        warp_cta: u8 = bits_for(T),
        /// Nothing is taken in, and what was given back is not offered after the next cycle: some operand that was answered, in
        /// this cycle or before, will not have been read by then.
        hold: bool = 1,
        /// A word arrives at decode. To be held until `word_done`.
        word_valid: bool = 1,
        /// The word.
        word: u64 = 64,
        /// Its program counter, in words.
        word_pc: u16 = PC_BITS,
        /// Of a pir, the instruction after it whose flags are shown in `word_flags`.
        word_slot: u8 = 5,
        /// The warp that fetched it.
        word_warp: u8 = bits_for(NW),
        /// The CTA of that warp.
        word_cta: u8 = bits_for(T),
        /// Which port goes first if both can: 0 port a, 1 port b.
        favor_b: bool = 1,
        /// Port a issues an instruction, and keeps its pins as they are until `a_grant`.
        a_valid: bool = 1,
        /// Its warp.
        a_warp: u8 = bits_for(NW),
        /// The CTA of that warp.
        a_cta: u8 = bits_for(T),
        /// The throttle does not hold it back: an SM says so of a further part of an instruction that has begun, of a register that
        /// comes back from memory, and of what it has spilled warps for.
        a_urgent: bool = 1,
        /// A pir says which of its sources are dead after it.
        a_flagged: bool = 1,
        /// Program counter of that pir; looked up in every cycle, whatever the other pins are.
        a_pir: u16 = PC_BITS,
        /// Which of the 18 instructions after it this is. Without a flag cache bits 2:0 are its flags, bit 0 of its first source.
        /// With hardware-only renaming bit 0 says that the destination is written in some lanes only.
        a_slot: u8 = 5,
        /// Architected register of its first source.
        a_x0: u8 = 6,
        /// It has one.
        a_x0_valid: bool = 1,
        /// Architected register of its second source.
        a_x1: u8 = 6,
        /// It has one.
        a_x1_valid: bool = 1,
        /// Architected register of its third source.
        a_x2: u8 = 6,
        /// It has one.
        a_x2_valid: bool = 1,
        /// Architected register of its destination.
        a_x3: u8 = 6,
        /// It has one.
        a_x3_valid: bool = 1,
        /// As `a_valid`.
        b_valid: bool = 1,
        /// As `a_warp`.
        b_warp: u8 = bits_for(NW),
        /// As `a_cta`.
        b_cta: u8 = bits_for(T),
        /// As `a_urgent`.
        b_urgent: bool = 1,
        /// As `a_flagged`.
        b_flagged: bool = 1,
        /// As `a_pir`.
        b_pir: u16 = PC_BITS,
        /// As `a_slot`.
        b_slot: u8 = 5,
        /// As `a_x0`.
        b_x0: u8 = 6,
        /// As `a_x0_valid`.
        b_x0_valid: bool = 1,
        /// As `a_x1`.
        b_x1: u8 = 6,
        /// As `a_x1_valid`.
        b_x1_valid: bool = 1,
        /// As `a_x2`.
        b_x2: u8 = 6,
        /// As `a_x2_valid`.
        b_x2_valid: bool = 1,
        /// As `a_x3`.
        b_x3: u8 = 6,
        /// As `a_x3_valid`.
        b_x3_valid: bool = 1,
    }
}

pins! {
    /// Outputs in port order. From `busy`, `may_issue` to `awake` and `y0` to `starved` they come from state; the others are
    /// combinational.
    pub struct RfvTopOut<const NW, const T, const PACKS> {
        /// The warp's start or end is taken in.
        walk_grant: bool = 1,
        /// A start or an end goes on: nothing else is taken in.
        busy: bool = 1,
        /// The word is a pir.
        pir: bool = 1,
        /// The word is a pbr.
        pbr: bool = 1,
        /// Of a pir, the sources that the instruction in `word_slot` releases.
        word_flags: u8 = 3,
        /// Decode is done with the word: a pir is kept, all ids of a pbr are released, or it is neither.
        word_done: bool = 1,
        /// CTAs whose warps may issue, a bit per slot.
        may_issue: u64 = T as u32,
        /// The CTA that is nearest to having all it can need.
        chosen: u8 = bits_for(T),
        /// Only that one may issue.
        throttled: bool = 1,
        /// Fewer packs are free than even that one may need: spill a warp.
        spill: bool = 1,
        /// Packs that are not assigned.
        free_packs: u16 = bits_for(PACKS + 1),
        /// Banks without a free pack.
        dry: u8 = BANKS as u32,
        /// Sub-arrays with power, bit 4b + s for sub-array s of bank b.
        powered: u16 = SUB_ARRAYS as u32,
        /// Sub-arrays that can be read and written.
        awake: u16 = SUB_ARRAYS as u32,
        /// The cache holds the pir at `a_pir`; low if there is no cache.
        a_hit: bool = 1,
        /// The instruction is refused because the cache does not: fetch and decode the pir.
        a_miss: bool = 1,
        /// Operands that are looked up in this cycle, bit 0 the first source, bit 3 the destination.
        a_served: u8 = OPERANDS as u32,
        /// All operands are, now or before: the instruction goes on.
        a_grant: bool = 1,
        /// `y0` to `starved` are the answer to what this port was served in the cycle before.
        a_answer: bool = 1,
        /// As `a_hit`.
        b_hit: bool = 1,
        /// As `a_miss`.
        b_miss: bool = 1,
        /// As `a_served`.
        b_served: u8 = OPERANDS as u32,
        /// As `a_grant`.
        b_grant: bool = 1,
        /// As `a_answer`.
        b_answer: bool = 1,
        /// Pack of the first source; 0 if not valid.
        y0: u16 = bits_for(PACKS),
        /// It has one.
        y0_valid: bool = 1,
        /// Its sub-array is awake: it can be read now.
        y0_awake: bool = 1,
        /// Pack of the second source; 0 if not valid.
        y1: u16 = bits_for(PACKS),
        /// It has one.
        y1_valid: bool = 1,
        /// Its sub-array is awake: it can be read now.
        y1_awake: bool = 1,
        /// Pack of the third source; 0 if not valid.
        y2: u16 = bits_for(PACKS),
        /// It has one.
        y2_valid: bool = 1,
        /// Its sub-array is awake: it can be read now.
        y2_awake: bool = 1,
        /// Pack of the destination; 0 if not valid.
        y3: u16 = bits_for(PACKS),
        /// It has one.
        y3_valid: bool = 1,
        /// Its sub-array is awake: it can be written now.
        y3_awake: bool = 1,
        /// The destination has no pack and none is free in its bank: ask again for it alone.
        starved: bool = 1,
    }
}

/// An instruction on one of the ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Issue {
    /// Its warp.
    pub warp: u8,
    /// The CTA of that warp.
    pub cta: u8,
    /// The throttle does not hold it back.
    pub urgent: bool,
    /// Program counter of the pir that covers it, and its slot there.
    pub pir: Option<(u16, u8)>,
    /// Architected registers of its three sources and its destination.
    pub regs: [Option<u8>; OPERANDS],
}

/// What becomes of it in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The cache holds the pir.
    pub hit: bool,
    /// It waits for the pir.
    pub miss: bool,
    /// Operands that are looked up, a bit each.
    pub served: u8,
    /// It goes on.
    pub grant: bool,
    /// The answer of this cycle is for this port.
    pub answer: bool,
}

macro_rules! port {
    ($name:literal, $port:ident, $with:ident, $progress:ident, $set:ident, $valid:ident, $warp:ident, $cta:ident,
        $urgent:ident, $flagged:ident, $pir:ident, $slot:ident, $hit:ident, $miss:ident, $served:ident, $grant:ident, $answer:ident,
        [$($x:ident),*], [$($x_valid:ident),*]) => {
        impl<const NW: usize, const T: usize, const PACKS: usize> RfvTopIn<NW, T, PACKS> {
            #[doc = concat!("What port ", $name, " issues.")]
            #[must_use]
            pub fn $port(&self) -> Option<Issue> {
                self.$valid.then(|| Issue {
                    warp: self.$warp,
                    cta: self.$cta,
                    urgent: self.$urgent,
                    pir: self.$flagged.then_some((self.$pir, self.$slot)),
                    regs: [$(self.$x_valid.then_some(self.$x)),*],
                })
            }

            #[doc = concat!("These pins with `issue` on port ", $name, ".")]
            #[must_use]
            pub fn $with(mut self, issue: Issue) -> Self {
                self.$valid = true;
                (self.$warp, self.$cta) = (issue.warp, issue.cta);
                self.$urgent = issue.urgent;
                self.$flagged = issue.pir.is_some();
                (self.$pir, self.$slot) = issue.pir.unwrap_or_default();
                [$(self.$x),*] = issue.regs.map(Option::unwrap_or_default);
                [$(self.$x_valid),*] = issue.regs.map(|reg| reg.is_some());
                self
            }
        }

        impl<const NW: usize, const T: usize, const PACKS: usize> RfvTopOut<NW, T, PACKS> {
            #[doc = concat!("How far port ", $name, " is.")]
            #[must_use]
            pub const fn $progress(&self) -> Progress {
                Progress {
                    hit: self.$hit,
                    miss: self.$miss,
                    served: self.$served,
                    grant: self.$grant,
                    answer: self.$answer,
                }
            }

            fn $set(&mut self, progress: Progress) {
                (self.$hit, self.$miss) = (progress.hit, progress.miss);
                (self.$served, self.$grant) = (progress.served, progress.grant);
                self.$answer = progress.answer;
            }
        }
    };
}

port!(
    "a",
    a,
    with_a,
    a_progress,
    set_a,
    a_valid,
    a_warp,
    a_cta,
    a_urgent,
    a_flagged,
    a_pir,
    a_slot,
    a_hit,
    a_miss,
    a_served,
    a_grant,
    a_answer,
    [a_x0, a_x1, a_x2, a_x3],
    [a_x0_valid, a_x1_valid, a_x2_valid, a_x3_valid]
);
port!(
    "b",
    b,
    with_b,
    b_progress,
    set_b,
    b_valid,
    b_warp,
    b_cta,
    b_urgent,
    b_flagged,
    b_pir,
    b_slot,
    b_hit,
    b_miss,
    b_served,
    b_grant,
    b_answer,
    [b_x0, b_x1, b_x2, b_x3],
    [b_x0_valid, b_x1_valid, b_x2_valid, b_x3_valid]
);

impl<const NW: usize, const T: usize, const PACKS: usize> RfvTopOut<NW, T, PACKS> {
    /// Packs of the operands that were served in the cycle before, as far as they have one.
    #[must_use]
    pub fn packs(&self) -> [Option<u16>; OPERANDS] {
        [
            self.y0_valid.then_some(self.y0),
            self.y1_valid.then_some(self.y1),
            self.y2_valid.then_some(self.y2),
            self.y3_valid.then_some(self.y3),
        ]
    }
}
