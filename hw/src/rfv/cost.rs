//! Storage of register file virtualization in bits per SM. The tests hold the papers' figures, and Yosys counts the same
//! flip-flops in the exported Verilog.

use crate::cost::index_bits;

/// Availability vectors (7.1): a bit per physical register.
#[must_use]
pub const fn availability_bits(packs: u64) -> u64 {
    packs
}

/// Storage of the release flag cache (7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagCacheBits {
    /// Release flags, 54 per entry: what the paper counts.
    pub flags: u64,
    /// Tags: the program counter without the bits that the entry knows: three with ten entries, two with five, one with two.
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
            tags: entries * (pc_bits - known_bits(entries)),
            valid: entries,
        }
    }

    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.flags + self.tags + self.valid
    }
}

/// Bits of a program counter that need not be kept, since an entry's number is a remainder by the number of entries.
const fn known_bits(entries: u64) -> u64 {
    match entries {
        10 => 3,
        5 => 2,
        2 => 1,
        _ => 0,
    }
}

/// Storage of the renaming table (7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenameTableBits {
    /// A pack number per warp and renamed register, in four memories: what the paper counts.
    pub names: u64,
    /// Where the banks read: the warp, again for bank 3 if that holds fewer registers, and the word in each bank.
    pub rows: u64,
    /// What was asked: four register ids, and for each whether it is exempt or renamed.
    pub asked: u64,
    /// Operands that release; the destination does only with hardware-only renaming.
    pub releases: u64,
    /// Whether a walk goes on, and whether it gives packs back.
    pub walk: u64,
}

impl RenameTableBits {
    /// For `warps` warps with `registers` renamed registers each and `packs` packs.
    #[must_use]
    pub const fn new(warps: u64, registers: u64, packs: u64, hardware_only: bool) -> Self {
        let warp = index_bits(warps);
        let rows_of_bank_3 = if registers.is_multiple_of(4) { 0 } else { warp };
        Self {
            names: warps * registers * index_bits(packs),
            rows: warp + rows_of_bank_3 + 4 * index_bits(registers.div_ceil(4)),
            asked: 4 * 6 + 2 * 4,
            releases: 3 + hardware_only as u64,
            walk: 2,
        }
    }

    /// Flip-flops: all but the memories.
    #[must_use]
    pub const fn flip_flops(self) -> u64 {
        self.rows + self.asked + self.releases + self.walk
    }

    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.names + self.flip_flops()
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

/// What `rfv_top` adds to its units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RfvStageBits {
    /// Who is being looked up, the operands that are done, the flags, the turn of a pbr.
    pub serving: u64,
    /// What the next answer belongs to: who, whether a destination, whether a warp that starts or ends, the CTA.
    pub answer: u64,
    /// Packs on their way back: a bank's bit and a pack each, their CTA, whether their warp has ended, whether they are held.
    pub returns: u64,
}

impl RfvStageBits {
    /// For `packs` packs and `ctas` CTA slots.
    #[must_use]
    pub const fn new(packs: u64, ctas: u64) -> Self {
        let cta = index_bits(ctas);
        Self {
            serving: 2 + 4 + 3 + 2,
            answer: 2 + 1 + 1 + cta,
            returns: 4 * (1 + index_bits(packs / 4)) + cta + 1 + 1,
        }
    }

    /// With hardware-only renaming: without a throttle nobody needs to know that a destination was served.
    #[must_use]
    pub const fn without_throttle(self) -> Self {
        Self {
            answer: self.answer - 1,
            ..self
        }
    }

    /// All of it.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.serving + self.answer + self.returns
    }
}
