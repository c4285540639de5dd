#![doc = include_str!("README.md")]

pub mod line;
pub mod model;
pub mod rtl;
#[cfg(feature = "strategies")]
pub mod strategy;

use crate::pins::pins;

/// Entries (RFV 7.2: ten capture most of the locality).
pub const ENTRIES: usize = 10;
/// Bits of a program counter in words of 64 bits: 512 KiB of code.
pub const PC_BITS: u32 = 16; // assumed

pins! {
    /// Inputs of the cache, in port order. All are sampled at the rising edge; the outputs of the same cycle already
    /// depend on the look-ups.
    pub struct ReleaseFlagCacheIn {
        /// Empties the cache: start of a kernel. Wins over `fill`.
        clear: bool = 1,
        /// A pir was decoded: keep its flags, in place of what its entry held.
        fill: bool = 1,
        /// Program counter of that pir, in words of 64 bits.
        fill_pc: u16 = PC_BITS,
        /// Its 54 flag bits, three per instruction.
        fill_payload: u64 = 54,
        /// Program counter of the pir that port a looks up.
        a_pc: u16 = PC_BITS,
        /// Which of the 18 instructions after that pir, 0 the next one.
        a_slot: u8 = 5,
        /// As `a_pc`, for port b.
        b_pc: u16 = PC_BITS,
        /// As `a_slot`, for port b.
        b_slot: u8 = 5,
    }
}

pins! {
    /// Outputs, combinational, in port order.
    pub struct ReleaseFlagCacheOut {
        /// The cache holds the pir at `a_pc`: it need not be fetched nor decoded.
        a_hit: bool = 1,
        /// Source operands that the instruction in `a_slot` releases, bit 0 the first; 0 on a miss.
        a_flags: u8 = 3,
        /// As `a_hit`, for port b.
        b_hit: bool = 1,
        /// As `a_flags`, for port b.
        b_flags: u8 = 3,
    }
}
