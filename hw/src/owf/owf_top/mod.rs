#![doc = include_str!("README.md")]

mod adapter;
mod demand;
mod mapper;
pub mod model;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;

use super::dynamic_throttle::DynamicThrottleOut;
use super::scratchpad_lock::ADDRESS_BITS;
use crate::common::lookup::LOOKUPS;
use crate::pins::{bits_for, pins};

/// Schedulers of the SM, one for each issue port.
pub const SCHEDULERS: usize = 2;

/// Cycles after which an SM compares its stall cycles with those of SM 0 (IV-C).
pub const PERIOD: usize = 1000;

pins! {
    /// Inputs for `NW` warps, `T` CTA slots and `PACKS` packs, in port order. All are sampled at the rising edge; the outputs
    /// of the same cycle already depend on them.
    pub struct OwfTopIn<const NW, const T, const PACKS> {
        /// Starts a kernel: no pairs, no owner, every lock is free. Nothing is granted in this cycle.
        clear: bool = 1,
        /// The kernel shares registers; read only with `clear`.
        share_regs: bool = 1,
        /// The kernel shares scratchpad; read only with `clear`, and only if `share_regs` is low.
        share_scratchpad: bool = 1,
        /// Warps of a CTA, 1 ..= `NW` / 2; means nothing in a kernel that does not share. This and the next four stay as
        /// they are while a kernel runs.
        warps_per_cta: u8 = bits_for(NW / 2 + 1),
        /// Registers that a warp has for itself when it shares, Rw x t; of a kernel that does not share registers all.
        base_regs: u8 = 8,
        /// Registers that it shares with its partner, Rw - Rw x t.
        ext_regs: u8 = 8,
        /// What is added to the place of an upper warp's private registers.
        upper_offset: u16 = bits_for(PACKS),
        /// Bytes of scratchpad that a CTA has for itself when it shares.
        private_bytes: u32 = ADDRESS_BITS as u32,
        /// Makes `cta` and `partner` a pair.
        pair: bool = 1,
        /// The CTA in slot `cta` has ended. Ignored while `pair` is high.
        exit: bool = 1,
        /// The CTA; of a new pair the lower one.
        cta: u8 = bits_for(T),
        /// The upper CTA of a new pair.
        partner: u8 = bits_for(T),
        /// Slots in which a warp starts.
        launch: u64 = NW as u32,
        /// Warps that can issue in this cycle.
        ready: u64 = NW as u32,
        /// This is SM 0. Does not change while a kernel runs.
        sm_zero: bool = 1,
        /// This is a stall cycle.
        stall: bool = 1,
        /// `stalls` of SM 0; read only while `compares` is high.
        zero_stalls: u16 = bits_for(PERIOD + 1),
        /// Which port wins when the two CTAs of a pair want their first lock in the same cycle: 0 port a, 1 port b.
        favor_b: bool = 1,
        /// Port a issues an instruction in this cycle.
        a_valid: bool = 1,
        /// It ends its warp, which frees the lock of the warp's pair. Then it names no registers and accesses no memory.
        a_exit: bool = 1,
        /// It accesses the memory that all SMs share.
        a_memory: bool = 1,
        /// It accesses the scratchpad.
        a_scratch: bool = 1,
        /// The highest address there, counted from the start of the CTA's scratchpad.
        a_address: u32 = ADDRESS_BITS as u32,
        /// Its warp.
        a_warp: u8 = bits_for(NW),
        /// Architected register of its first source.
        a_x0: u8 = 8,
        /// It has one.
        a_x0_valid: bool = 1,
        /// Architected register of its second source.
        a_x1: u8 = 8,
        /// It has one.
        a_x1_valid: bool = 1,
        /// Architected register of its third source.
        a_x2: u8 = 8,
        /// It has one.
        a_x2_valid: bool = 1,
        /// Architected register of its destination.
        a_x3: u8 = 8,
        /// It has one.
        a_x3_valid: bool = 1,
        /// As `a_valid`.
        b_valid: bool = 1,
        /// As `a_exit`.
        b_exit: bool = 1,
        /// As `a_memory`.
        b_memory: bool = 1,
        /// As `a_scratch`.
        b_scratch: bool = 1,
        /// As `a_address`.
        b_address: u32 = ADDRESS_BITS as u32,
        /// As `a_warp`.
        b_warp: u8 = bits_for(NW),
        /// Architected register of its first source.
        b_x0: u8 = 8,
        /// It has one.
        b_x0_valid: bool = 1,
        /// Architected register of its second source.
        b_x1: u8 = 8,
        /// It has one.
        b_x1_valid: bool = 1,
        /// Architected register of its third source.
        b_x2: u8 = 8,
        /// It has one.
        b_x2_valid: bool = 1,
        /// Architected register of its destination.
        b_x3: u8 = 8,
        /// It has one.
        b_x3_valid: bool = 1,
    }
}

pins! {
    /// Outputs in port order. `sharing` to `owner`, `memory_allowed` to `stalls` do not depend on the inputs of the cycle but
    /// for `sm_zero`; the others are combinational.
    pub struct OwfTopOut<const NW, const T, const PACKS> {
        /// The pair is made.
        pair_grant: bool = 1,
        /// The kernel shares registers or scratchpad.
        sharing: bool = 1,
        /// Warps of CTAs in sharing mode.
        shared: u64 = NW as u32,
        /// Warps of owner CTAs.
        owner: u64 = NW as u32,
        /// Schedulers that have a ready warp, a bit each.
        chosen_valid: u8 = SCHEDULERS as u32,
        /// The slot that each scheduler issues, scheduler 0 in the lowest bits; 0 where `chosen_valid` is low.
        chosen: u16 = SCHEDULERS as u32 * bits_for(NW),
        /// Memory instructions of non-owner warps may issue in this cycle.
        memory_allowed: bool = 1,
        /// The probability of that in tenths, 0 ..= 10; 0 on SM 0.
        tenths: u8 = 4,
        /// The first cycle of a period: `stalls` is of all of the period before.
        compares: bool = 1,
        /// Stall cycles of this period before this cycle; in its first cycle, of the period before.
        stalls: u16 = bits_for(PERIOD + 1),
        /// Port a's instruction goes on. Low: its warp tries again.
        a_grant: bool = 1,
        /// `a_warp` holds its pair's lock, or its CTA that of the scratchpad (before the edge).
        a_held: bool = 1,
        /// Physical register of its first source; 0 if not valid.
        a_y0: u16 = bits_for(PACKS),
        /// The warp may use it now.
        a_y0_valid: bool = 1,
        /// Physical register of its second source; 0 if not valid.
        a_y1: u16 = bits_for(PACKS),
        /// The warp may use it now.
        a_y1_valid: bool = 1,
        /// Physical register of its third source; 0 if not valid.
        a_y2: u16 = bits_for(PACKS),
        /// The warp may use it now.
        a_y2_valid: bool = 1,
        /// Physical register of its destination; 0 if not valid.
        a_y3: u16 = bits_for(PACKS),
        /// The warp may use it now.
        a_y3_valid: bool = 1,
        /// As `a_grant`.
        b_grant: bool = 1,
        /// As `a_held`.
        b_held: bool = 1,
        /// Physical register of its first source; 0 if not valid.
        b_y0: u16 = bits_for(PACKS),
        /// The warp may use it now.
        b_y0_valid: bool = 1,
        /// Physical register of its second source; 0 if not valid.
        b_y1: u16 = bits_for(PACKS),
        /// The warp may use it now.
        b_y1_valid: bool = 1,
        /// Physical register of its third source; 0 if not valid.
        b_y2: u16 = bits_for(PACKS),
        /// The warp may use it now.
        b_y2_valid: bool = 1,
        /// Physical register of its destination; 0 if not valid.
        b_y3: u16 = bits_for(PACKS),
        /// The warp may use it now.
        b_y3_valid: bool = 1,
    }
}

/// An instruction on one of the ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Issue {
    /// Its warp.
    pub warp: u8,
    /// It ends the warp.
    pub exit: bool,
    /// It accesses the memory that all SMs share.
    pub memory: bool,
    /// The highest address of the scratchpad that it accesses.
    pub address: Option<u32>,
    /// Architected registers of its three sources and its destination.
    pub regs: [Option<u8>; LOOKUPS],
}

/// What becomes of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// It goes on.
    pub grant: bool,
    /// Its warp holds a lock, or its CTA does, before the edge.
    pub held: bool,
    /// Physical registers of its three sources and its destination.
    pub packs: [Option<u16>; LOOKUPS],
}

macro_rules! port {
    ($name:literal, $port:ident, $with:ident, $answer:ident, $set:ident, $valid:ident, $exit:ident, $memory:ident, $scratch:ident,
        $address:ident, $warp:ident, $grant:ident, $held:ident, [$($x:ident),*], [$($x_valid:ident),*], [$($y:ident),*],
        [$($y_valid:ident),*]) => {
        impl<const NW: usize, const T: usize, const PACKS: usize> OwfTopIn<NW, T, PACKS> {
            #[doc = concat!("What port ", $name, " issues.")]
            #[must_use]
            pub fn $port(&self) -> Option<Issue> {
                self.$valid.then(|| Issue {
                    warp: self.$warp,
                    exit: self.$exit,
                    memory: self.$memory,
                    address: self.$scratch.then_some(self.$address),
                    regs: [$(self.$x_valid.then_some(self.$x)),*],
                })
            }

            #[doc = concat!("These pins with `issue` on port ", $name, ".")]
            #[must_use]
            pub fn $with(mut self, issue: Issue) -> Self {
                self.$valid = true;
                self.$warp = issue.warp;
                self.$exit = issue.exit;
                self.$memory = issue.memory;
                self.$scratch = issue.address.is_some();
                self.$address = issue.address.unwrap_or_default();
                [$(self.$x),*] = issue.regs.map(Option::unwrap_or_default);
                [$(self.$x_valid),*] = issue.regs.map(|reg| reg.is_some());
                self
            }
        }

        impl<const NW: usize, const T: usize, const PACKS: usize> OwfTopOut<NW, T, PACKS> {
            #[doc = concat!("The answer on port ", $name, ".")]
            #[must_use]
            pub fn $answer(&self) -> Answer {
                Answer {
                    grant: self.$grant,
                    held: self.$held,
                    packs: [$(self.$y_valid.then_some(self.$y)),*],
                }
            }

            #[doc = concat!("Puts `answer` on port ", $name, "; the pack pin of a register that is not valid is 0.")]
            fn $set(&mut self, answer: Answer) {
                (self.$grant, self.$held) = (answer.grant, answer.held);
                [$(self.$y),*] = answer.packs.map(Option::unwrap_or_default);
                [$(self.$y_valid),*] = answer.packs.map(|pack| pack.is_some());
            }
        }
    };
}

port!(
    "a",
    a,
    with_a,
    a_answer,
    set_a,
    a_valid,
    a_exit,
    a_memory,
    a_scratch,
    a_address,
    a_warp,
    a_grant,
    a_held,
    [a_x0, a_x1, a_x2, a_x3],
    [a_x0_valid, a_x1_valid, a_x2_valid, a_x3_valid],
    [a_y0, a_y1, a_y2, a_y3],
    [a_y0_valid, a_y1_valid, a_y2_valid, a_y3_valid]
);
port!(
    "b",
    b,
    with_b,
    b_answer,
    set_b,
    b_valid,
    b_exit,
    b_memory,
    b_scratch,
    b_address,
    b_warp,
    b_grant,
    b_held,
    [b_x0, b_x1, b_x2, b_x3],
    [b_x0_valid, b_x1_valid, b_x2_valid, b_x3_valid],
    [b_y0, b_y1, b_y2, b_y3],
    [b_y0_valid, b_y1_valid, b_y2_valid, b_y3_valid]
);

impl<const NW: usize, const T: usize, const PACKS: usize> OwfTopOut<NW, T, PACKS> {
    /// The slot that `scheduler` issues; `None` if it has no ready warp.
    #[must_use]
    pub const fn warp(&self, scheduler: usize) -> Option<u8> {
        if scheduler >= SCHEDULERS || self.chosen_valid >> scheduler & 1 == 0 {
            return None;
        }
        let slot = self.chosen >> (scheduler as u32 * bits_for(NW));
        Some((slot & ((1 << bits_for(NW)) - 1)) as u8)
    }

    /// The outputs with those of the throttle.
    fn throttled(self, out: DynamicThrottleOut<PERIOD>) -> Self {
        Self {
            memory_allowed: out.memory_allowed,
            tenths: out.tenths,
            compares: out.compares,
            stalls: out.stalls,
            ..self
        }
    }
}
