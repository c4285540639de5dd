//! Storage of resource sharing in bits per SM, by the formulas of section V. Yosys counts the same flip-flops in the
//! exported Verilog.

use crate::cost::index_bits;

/// Storage of register sharing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairLockBits {
    /// Whether the SM shares.
    pub mode: u64,
    /// Partner of each CTA, or that it has none.
    pub partners: u64,
    /// Whether each warp shares.
    pub shared: u64,
    /// Whether each warp is an owner warp.
    pub owner: u64,
    /// Holder of the lock of each pair of warps.
    pub locks: u64,
}

impl PairLockBits {
    /// For an SM with `warps` warp slots and `ctas` CTA slots.
    #[must_use]
    pub const fn new(warps: u64, ctas: u64) -> Self {
        Self {
            mode: 1,
            partners: ctas * index_bits(ctas + 1),
            shared: warps,
            owner: warps,
            locks: (warps / 2) * index_bits(warps),
        }
    }

    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.mode + self.partners + self.shared + self.owner + self.locks
    }
}

/// Storage of scratchpad sharing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScratchpadLockBits {
    /// Whether the SM shares.
    pub mode: u64,
    /// Partner of each CTA, or that it has none.
    pub partners: u64,
    /// Whether each warp is an owner warp.
    pub owner: u64,
    /// Holder of the lock of each pair of CTAs.
    pub locks: u64,
}

impl ScratchpadLockBits {
    /// For an SM with `warps` warp slots and `ctas` CTA slots.
    #[must_use]
    pub const fn new(warps: u64, ctas: u64) -> Self {
        Self {
            mode: 1,
            partners: ctas * index_bits(ctas + 1),
            owner: warps,
            locks: (ctas / 2) * index_bits(ctas),
        }
    }

    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.mode + self.partners + self.owner + self.locks
    }
}

/// The order of warps (IV-A, "oldest first"): a bit per pair of warps of one scheduler. The paper counts none.
#[must_use]
pub const fn warp_priority_bits(warps: u64, schedulers: u64) -> u64 {
    let own = warps / schedulers;
    schedulers * (own * (own - 1) / 2)
}

/// Storage of the dynamic throttle (IV-C). The paper counts none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DynamicThrottleBits {
    /// The cycle of the period.
    pub cycle: u64,
    /// Stall cycles of the period, 0 to all of them.
    pub stalls: u64,
    /// The probability in tenths, 0 to 10.
    pub probability: u64,
    /// The random number generator.
    pub generator: u64,
}

impl DynamicThrottleBits {
    /// For periods of `period` cycles.
    #[must_use]
    pub const fn new(period: u64) -> Self {
        Self {
            cycle: index_bits(period + 1),
            stalls: index_bits(period + 1),
            probability: index_bits(11),
            generator: 16,
        }
    }

    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.cycle + self.stalls + self.probability + self.generator
    }
}
