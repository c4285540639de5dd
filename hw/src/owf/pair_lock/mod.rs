#![doc = include_str!("README.md")]

mod adapter;
mod holding;
mod locks;
pub mod model;
mod partner_first;
mod port;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::pins::{bits_for, pins};

pins! {
    /// Inputs of the lock for `NW` warps and `T` CTA slots, in port order. All are sampled at the rising edge; the outputs
    /// of the same cycle already depend on them.
    pub struct PairLockIn<const NW, const T> {
        /// Starts a kernel: no pairs, no owner, every lock is free. Wins over everything else.
        clear: bool = 1,
        /// Whether the kernel shares registers; read only with `clear`.
        share: bool = 1,
        /// Warps of a CTA, 1 ..= `NW` / 2; means nothing in a kernel that does not share. Changes only with `clear`.
        warps_per_cta: u8 = bits_for(NW / 2 + 1),
        /// Registers that a warp has for itself when it shares, Rw x t; those from this number on are the pair's.
        private_regs: u8 = 8,
        /// Makes `cta` and `partner` a pair.
        pair: bool = 1,
        /// The CTA in slot `cta` has ended. Ignored while `pair` is high.
        exit: bool = 1,
        /// The CTA; of a new pair the lower one.
        cta: u8 = bits_for(T),
        /// The upper CTA of a new pair.
        partner: u8 = bits_for(T),
        /// Which port wins when two CTAs of a pair want their first lock in the same cycle: 0 port a, 1 port b.
        favor_b: bool = 1,
        /// Port a asks in this cycle.
        a_valid: bool = 1,
        /// What port a asks for: 0 an access, 1 the end of the warp, which frees its lock.
        a_exit: bool = 1,
        /// The warp that port a asks for or looks up.
        a_warp: u8 = bits_for(NW),
        /// Highest register that its instruction names.
        a_reg: u8 = 8,
        /// As `a_valid`.
        b_valid: bool = 1,
        /// As `a_exit`.
        b_exit: bool = 1,
        /// As `a_warp`.
        b_warp: u8 = bits_for(NW),
        /// As `a_reg`.
        b_reg: u8 = 8,
    }
}

pins! {
    /// Outputs in port order. `sharing`, `shared` and `owner` are state, the others combinational.
    pub struct PairLockOut<const NW, const T> {
        /// The pair is made.
        pair_grant: bool = 1,
        /// Port a's warp may access the register, or ends. Low: it tries again.
        a_grant: bool = 1,
        /// `a_warp` holds its pair's lock (before the edge).
        a_held: bool = 1,
        /// `a_warp` is a warp of the upper CTA of a pair.
        a_upper: bool = 1,
        /// The warp among whose registers those of the pair lie: the lower one of the pair, `a_warp` itself if it shares with
        /// nobody.
        a_home: u8 = bits_for(NW),
        /// As `a_grant`.
        b_grant: bool = 1,
        /// As `a_held`.
        b_held: bool = 1,
        /// As `a_upper`.
        b_upper: bool = 1,
        /// As `a_home`.
        b_home: u8 = bits_for(NW),
        /// The kernel shares registers.
        sharing: bool = 1,
        /// Warps of CTAs in sharing mode.
        shared: u64 = NW as u32,
        /// Warps of CTAs that their partner waits for, or that took over from one that ended.
        owner: u64 = NW as u32,
    }
}
