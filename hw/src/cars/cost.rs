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

/// Storage of `reservation_fsm`; the paper counts none for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReservationFsmBits {
    /// Averages of the levels: 32 bits of cycles each.
    pub averages: u64,
    /// A bit per level: it has an average.
    pub measured: u64,
    /// Levels of the two halves of the SMs.
    pub halves: u64,
    /// The kernel's highest level.
    pub highest: u64,
}

impl ReservationFsmBits {
    /// For `levels` levels.
    #[must_use]
    pub const fn new(levels: u64) -> Self {
        Self {
            averages: levels * 32,
            measured: levels,
            halves: 2 * index_bits(levels),
            highest: index_bits(levels),
        }
    }

    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.averages + self.measured + self.halves + self.highest
    }
}

/// Storage of `register_stack`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterStackBits {
    /// RFP and RSP, two pack indices per warp, as in the paper: RSP goes around in the warp's window, so that it never
    /// is one past the last pack.
    pub pointers: u64,
    /// A count of free packs per warp, 0 to all of the largest stack.
    pub free_counts: u64,
    /// A bit per warp: it has a stack.
    pub launched: u64,
}

impl RegisterStackBits {
    /// For `warps` warp slots, `packs` packs and stacks of up to `stack` packs.
    #[must_use]
    pub const fn new(warps: u64, packs: u64, stack: u64) -> Self {
        Self {
            pointers: 2 * warps * index_bits(packs),
            free_counts: warps * index_bits(stack + 1),
            launched: warps,
        }
    }

    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.pointers + self.free_counts + self.launched
    }
}
