//! Storage of the schemes in bits per SM, by the papers' formulas. The tests hold them against the printed
//! figures; Yosys counts the same flip-flops in the exported Verilog.

/// ceil(log2 `count`): the bits of an index into `count` entries.
#[must_use]
pub const fn index_bits(count: u64) -> u64 {
    if count <= 1 {
        0
    } else {
        (u64::BITS - (count - 1).leading_zeros()) as u64
    }
}

/// Storage of RegMutex (III-B1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegMutexBits {
    /// Warp-status mask: a bit per warp.
    pub warp_status: u64,
    /// SRP mask: a bit per section, and there are never more sections than warps.
    pub srp: u64,
    /// Look-up table: a section index per warp.
    pub lut: u64,
}

impl RegMutexBits {
    /// For an SM with `warps` warp slots.
    #[must_use]
    pub const fn new(warps: u64) -> Self {
        Self {
            warp_status: warps,
            srp: warps,
            lut: warps * index_bits(warps),
        }
    }

    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.warp_status + self.srp + self.lut
    }
}

/// Storage of paired warps as the paper has it (III-C): a bit per pair. An odd last warp has no partner and
/// needs none.
#[must_use]
pub const fn paired_bits(warps: u64) -> u64 {
    warps / 2
}

/// Storage of the safe lock for paired warps: a bit per warp.
#[must_use]
pub const fn paired_safe_bits(warps: u64) -> u64 {
    warps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regmutex::paired_lock::{pair_bit, warp_bit};
    use crate::regmutex::srp_allocator::rtl;
    use crate::testing::flip_flops;

    #[test]
    fn regmutex_needs_384_bits_for_48_warps() {
        let bits = RegMutexBits::new(48);
        assert_eq!(
            (bits.warp_status, bits.srp, bits.lut, bits.total()),
            (48, 48, 288, 384)
        );
    }

    #[test]
    fn paired_warps_need_24_bits_for_48_warps_and_the_safe_lock_48() {
        assert_eq!((paired_bits(48), paired_safe_bits(48)), (24, 48));
    }

    #[test]
    fn the_papers_saving_of_paired_warps_is_16_fold() {
        // The text says "over 20x"; its own figures say 384 / 24.
        assert_eq!(RegMutexBits::new(48).total() / paired_bits(48), 16);
    }

    #[test]
    fn flip_flops_of_the_exported_units_equal_the_formulas() {
        let Some(srp) = flip_flops(rtl::SrpAllocator48::new()) else {
            return;
        };
        assert_eq!(srp as u64, RegMutexBits::new(48).total());
        assert_eq!(flip_flops(pair_bit::PairedLock48::new()), Some(24));
        assert_eq!(flip_flops(warp_bit::SafePairedLock48::new()), Some(48));
    }

    #[test]
    fn an_index_into_one_entry_needs_no_bit() {
        assert_eq!([1, 2, 48, 64, 65].map(index_bits), [0, 1, 6, 6, 7]);
    }
}
