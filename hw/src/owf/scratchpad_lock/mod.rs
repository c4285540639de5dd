#![doc = include_str!("README.md")]

mod adapter;
mod locks;
pub mod model;
mod port;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::pins::{bits_for, pins};

/// Bits of a scratchpad address: 128 KiB, the next power of two above the 96 KiB of Volta.
pub const ADDRESS_BITS: usize = 17;

pins! {
    /// Inputs of the lock for `NW` warps and `T` CTA slots, in port order. All are sampled at the rising edge; the outputs
    /// of the same cycle already depend on them.
    pub struct ScratchpadLockIn<const NW, const T> {
        /// Starts a kernel: no pairs, no owner, every lock is free. Wins over everything else.
        clear: bool = 1,
        /// Whether the kernel shares scratchpad; read only with `clear`.
        share: bool = 1,
        /// Warps of a CTA, 1 ..= `NW` / 2; means nothing in a kernel that does not share. Changes only with `clear`.
        warps_per_cta: u8 = bits_for(NW / 2 + 1),
        /// Bytes that a CTA has for itself when it shares, Rtb x t; those from this address on are the pair's.
        private_bytes: u32 = ADDRESS_BITS as u32,
        /// Makes `cta` and `partner` a pair.
        pair: bool = 1,
        /// The CTA in slot `cta` has ended, which frees its lock. Ignored while `pair` is high.
        exit: bool = 1,
        /// The CTA; of a new pair the lower one.
        cta: u8 = bits_for(T),
        /// The upper CTA of a new pair.
        partner: u8 = bits_for(T),
        /// Which port wins when the two CTAs of a pair want the lock in the same cycle: 0 port a, 1 port b.
        favor_b: bool = 1,
        /// Port a asks in this cycle.
        a_valid: bool = 1,
        /// The warp that port a asks for or looks up.
        a_warp: u8 = bits_for(NW),
        /// Highest address that its lanes access, counted from the start of the CTA's scratchpad.
        a_address: u32 = ADDRESS_BITS as u32,
        /// As `a_valid`.
        b_valid: bool = 1,
        /// As `a_warp`.
        b_warp: u8 = bits_for(NW),
        /// As `a_address`.
        b_address: u32 = ADDRESS_BITS as u32,
    }
}

pins! {
    /// Outputs in port order. `sharing` and `owner` are state, `shared` is made of the table of partners, the others are
    /// combinational.
    pub struct ScratchpadLockOut<const NW, const T> {
        /// The pair is made.
        pair_grant: bool = 1,
        /// Port a's warp may access the scratchpad. Low: it tries again.
        a_grant: bool = 1,
        /// The CTA of `a_warp` holds its pair's lock (before the edge).
        a_held: bool = 1,
        /// As `a_grant`.
        b_grant: bool = 1,
        /// As `a_held`.
        b_held: bool = 1,
        /// The kernel shares scratchpad.
        sharing: bool = 1,
        /// Warps of CTAs in sharing mode.
        shared: u64 = NW as u32,
        /// Warps of CTAs that their partner waits for, or that took over from one that ended.
        owner: u64 = NW as u32,
    }
}
