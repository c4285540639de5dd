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
