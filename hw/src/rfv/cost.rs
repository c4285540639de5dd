//! Storage of register file virtualization in bits per SM. The tests hold the papers' figures, and Yosys counts the same
//! flip-flops in the exported Verilog.

use crate::cost::index_bits;

/// Storage of the release flag cache (7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagCacheBits {
    /// Release flags, 54 per entry: what the paper counts.
    pub flags: u64,
    /// Tags: the program counter without the three bits that the entry knows.
    pub tags: u64,
    /// A valid bit per entry.
    pub valid: u64,
}

impl FlagCacheBits {
    /// For `entries` entries and program counters of `pc_bits` bits.
    #[must_use]
    pub const fn new(entries: u64, pc_bits: u64) -> Self {
        Self {
            flags: entries * 54,
            tags: entries * (pc_bits - 3),
            valid: entries,
        }
    }

    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.flags + self.tags + self.valid
    }
}

/// Storage of the CTA throttle (8.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CtaThrottleBits {
    /// Balance counters, 0 to all packs: what the paper asks for.
    pub counters: u64,
    /// A bit per active CTA.
    pub active: u64,
    /// Number of free packs.
    pub free: u64,
}

impl CtaThrottleBits {
    /// For `ctas` CTA slots and `packs` packs.
    #[must_use]
    pub const fn new(ctas: u64, packs: u64) -> Self {
        let number = index_bits(packs + 1);
        Self {
            counters: ctas * number,
            active: ctas,
            free: number,
        }
    }

    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.counters + self.active + self.free
    }
}

/// Storage of the power gate: a timer per sub-array that counts to `wake_cycles`.
#[must_use]
pub const fn power_gate_bits(sub_arrays: u64, wake_cycles: u64) -> u64 {
    sub_arrays * index_bits(wake_cycles + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rfv::{cta_throttle, power_gate, release_flag_cache};
    use crate::testing::{Storage, flip_flops, storage};

    #[test]
    fn ten_entries_of_release_flags_have_540_bits_or_68_bytes() {
        let bits = FlagCacheBits::new(10, 16);
        assert_eq!((bits.flags, bits.flags.div_ceil(8)), (540, 68));
        assert_eq!((bits.tags, bits.valid, bits.total()), (130, 10, 680));
    }

    #[test]
    fn flags_and_tags_are_inferred_as_two_memories() {
        let Some(storage) = storage(release_flag_cache::rtl::ReleaseFlagCache::new()) else {
            return;
        };
        let bits = FlagCacheBits::new(10, 16);
        assert_eq!(
            storage,
            Storage {
                memories: 2,
                memory_bits: (bits.flags + bits.tags) as usize,
                flip_flops: bits.valid as usize,
            }
        );
    }

    #[test]
    fn a_throttle_of_8_ctas_has_8_counters_of_11_bits_and_19_bits_more() {
        let bits = CtaThrottleBits::new(8, 1024);
        assert_eq!(
            (bits.counters, bits.active + bits.free, bits.total()),
            (88, 19, 107)
        );
    }

    #[test]
    fn timers_of_the_power_gate_have_16_32_and_64_bits() {
        assert_eq!(
            [1, 3, 10].map(|cycles| power_gate_bits(16, cycles)),
            [16, 32, 64]
        );
    }

    #[test]
    fn flip_flops_of_the_exported_units_equal_the_formulas() {
        let Some(cache) = flip_flops(release_flag_cache::rtl::ReleaseFlagCache::new()) else {
            return;
        };
        assert_eq!(cache as u64, FlagCacheBits::new(10, 16).total());
        let throttle = flip_flops(cta_throttle::rtl::CtaThrottle8x1024::new());
        assert_eq!(
            throttle,
            Some(CtaThrottleBits::new(8, 1024).total() as usize)
        );
        assert_eq!(flip_flops(power_gate::rtl::PowerGate1::new()), Some(16));
        assert_eq!(flip_flops(power_gate::rtl::PowerGate3::new()), Some(32));
        assert_eq!(flip_flops(power_gate::rtl::PowerGate10::new()), Some(64));
    }
}
