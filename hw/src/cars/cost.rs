//! Storage of CARS in bits per SM: the paper's formulas (IV-C) and what the units here keep.

use crate::cost::index_bits;

/// Storage as the paper counts it (IV-C).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CarsPaperBits {
    /// List of stalled warps: a warp index per warp.
    pub stalled_list: u64,
    /// Free registers: log2(`packs` / `warps`) bits per warp.
    pub free_counts: u64,
    /// RFP and RSP: two pack indices per warp.
    pub pointers: u64,
}

impl CarsPaperBits {
    /// For an SM with `warps` warp slots and `packs` packs; the logarithm of the free counts is rounded up.
    #[must_use]
    pub const fn new(warps: u64, packs: u64) -> Self {
        Self {
            stalled_list: warps * index_bits(warps),
            free_counts: warps * index_bits(packs / warps),
            pointers: 2 * warps * index_bits(packs),
        }
    }

    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.stalled_list + self.free_counts + self.pointers
    }
}

/// Storage of `stalled_warps`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StalledWarpsBits {
    /// The list: a warp index per warp, as in the paper.
    pub list: u64,
    /// Where the list begins and ends: two indices into it.
    pub ends: u64,
    /// A bit per warp: it is in the list.
    pub stalled: u64,
}

impl StalledWarpsBits {
    /// For `warps` warp slots.
    #[must_use]
    pub const fn new(warps: u64) -> Self {
        Self {
            list: warps * index_bits(warps),
            ends: 2 * index_bits(warps),
            stalled: warps,
        }
    }

    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.list + self.ends + self.stalled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_counts_2112_bits_or_264_bytes_for_64_warps_and_2048_packs() {
        let bits = CarsPaperBits::new(64, 2048);
        assert_eq!(
            (bits.stalled_list, bits.free_counts, bits.pointers),
            (384, 320, 1408)
        );
        assert_eq!((bits.total(), bits.total() / 8), (2112, 264));
    }

    #[test]
    fn the_papers_bytes_per_part_are_48_and_40_and_176() {
        let bits = CarsPaperBits::new(64, 2048);
        assert_eq!(
            [bits.stalled_list, bits.free_counts, bits.pointers].map(|bits| bits / 8),
            [48, 40, 176]
        );
    }
}
