//! Which hardware a plan asks for, of which size, and what stands for it.

/// Which implementation of the units runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The plain Rust models.
    #[default]
    Model,
    /// The rust-hdl blocks.
    Rtl,
    /// Both, compared in every cycle.
    Lockstep,
    /// The exported Verilog, linked in by Verilator (cargo feature `verilog`).
    Verilog,
}

impl std::fmt::Display for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Backend::Model => "model",
            Backend::Rtl => "rtl",
            Backend::Lockstep => "lockstep",
            Backend::Verilog => "verilog",
        })
    }
}

/// Size of the machine's register hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// Warp slots, 1 ..= 64.
    pub warps: u16,
    /// Physical warp-wide registers, 1 ..= 2048; of the baseline, to compare with, up to 16,384.
    pub packs: u16,
    /// Warp schedulers, 1 to 4.
    pub schedulers: u8,
}

/// Which manager a plan asks for, with the values that the compiler supplies at kernel launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManagerSpec {
    /// `Y = Coeff * Widx + X` (RegMutex III-B2, Figure 6a).
    Baseline {
        /// `Coeff`: architected registers per warp.
        regs_per_warp: u16,
    },
    /// RegMutex, Figure 6b.
    RegMutex {
        /// `|Bs|`.
        base_regs: u16,
        /// `|Es|`.
        ext_regs: u16,
        /// Sections of the shared register pool, 1 ..= warps.
        sections: u16,
        /// First pack of the pool.
        srp_offset: u16,
        /// True: the hardware chooses the warps, those with a section first (resource sharing, IV-A); false: the schedulers of the
        /// SM do.
        owner_first: bool,
    },
    /// Paired-warps specialisation (RegMutex III-C).
    Paired {
        /// `|Bs|`.
        base_regs: u16,
        /// `|Es|`.
        ext_regs: u16,
        /// True: a bit per warp; false: the paper's bit per pair.
        safe: bool,
        /// As for [`ManagerSpec::RegMutex`].
        owner_first: bool,
    },
    /// Resource sharing of registers (resource sharing, III-A) or of scratchpad (III-B), with the CTAs in the order of
    /// [`owf_top`](crate::owf::owf_top): lower ones of the pairs, unshared ones, upper ones.
    Sharing {
        /// Warps of a CTA.
        warps_per_cta: u16,
        /// `Rw t`: registers that a warp has for itself when it shares; all of them where scratchpad is shared.
        private_regs: u16,
        /// The other registers of a warp; 0 where scratchpad is shared.
        shared_regs: u16,
        /// `Rtb t`: bytes of scratchpad that a CTA has for itself when it shares scratchpad, below 2^17; `None`: registers are
        /// shared.
        private_bytes: Option<u32>,
        /// Pairs of CTAs, `S`.
        pairs: u16,
        /// CTAs without a partner, `U`.
        unshared: u16,
        /// True: the hardware chooses the warps, owners first (IV-A); false: the schedulers of the SM do.
        owner_first: bool,
        /// Dynamic warp execution (IV-C) on the SM of this number; `None`: non-owner warps access memory as they like.
        dynamic: Option<u16>,
    },
    /// Register file virtualization (RFV 6 to 8): packs are mapped when a register is written and given back when it is dead.
    Renaming {
        /// Warps of a CTA.
        warps_per_cta: u16,
        /// Registers of a thread that are renamed.
        regs: u16,
        /// CTAs that are resident at once.
        ctas: u16,
        /// How many packs the file has: 0 all of them, 1 to 3 GPU-shrink by 30, 40 and 50 %
        /// ([`kept_packs`](crate::rfv::free_list::kept_packs)).
        shrink: u8,
        /// N, registers that are not renamed: those below it lie at N x warp + id (7.1).
        exempt: u16,
        /// Entries of the cache of release flags: 0, 1, 2, 5 or 10 (7.2). With 0, each warp decodes each pir that it comes to.
        /// Only the plain model has one of 0.
        flag_entries: u8,
        /// Clock cycles of the hardware in an SM cycle, 1 or 2; with three or four schedulers always 2. An instruction, or a step of
        /// one, goes through the table in each.
        clocks: u8,
        /// Clock cycles in which a sub-array wakes: 1, 3 or 10 (9.2, Figure 11b), or 0: they never sleep. Only the plain model has
        /// 0, and 3 or 10 together with another cache or without flags.
        wake_up: u8,
        /// Hardware-only renaming (9.5): no flags; a pack is given back when its register is written anew in all lanes, or its
        /// warp ends.
        hardware_only: bool,
        /// The warps may want more packs than there are: an instruction waits for the packs that it needs before it issues, and a
        /// pending warp is spilled if none could go on (8.1): those of one CTA that does not fit, or of several of which the throttle
        /// alone says who may issue.
        spills: bool,
        /// Packs that a CTA has assigned at once in the worst case, those on their way back included: C of the throttle (8.1).
        need: u16,
        /// Most registers of each bank that a warp has mapped at once, where more CTAs are resident than can all have as many: an
        /// instruction waits for the packs that it needs before it issues, and while an older CTA may need them. `None`: all can.
        most: Option<[u16; 4]>,
    },
    /// CARS: a stack of registers behind those of each warp (CARS III).
    Stacks {
        /// Warps of a CTA.
        warps_per_cta: u16,
        /// Registers of a warp outside of its stack: the kernel's.
        base_regs: u16,
        /// Packs of a stack at each level, Low first, up to `top`.
        capacities: [u16; 8],
        /// The level that is High-watermark, 0 ..= 7.
        top: u8,
        /// The level of all CTAs; `None`: the hardware chooses (Figure 5).
        level: Option<u8>,
        /// What CTAs of each level took in the average of earlier launches, cycles; 0: none was there. If it chooses, the hardware begins with the best of
        /// them on all SMs, else with Low on half of them and High on the others.
        known: [u32; 8],
    },
}

impl ManagerSpec {
    /// Whether the hardware chooses the warps, owners first.
    #[must_use]
    pub const fn owner_first(&self) -> bool {
        match *self {
            ManagerSpec::RegMutex { owner_first, .. }
            | ManagerSpec::Paired { owner_first, .. }
            | ManagerSpec::Sharing { owner_first, .. } => owner_first,
            ManagerSpec::Baseline { .. }
            | ManagerSpec::Renaming { .. }
            | ManagerSpec::Stacks { .. } => false,
        }
    }

    /// The same for the SM of this number; what SMs have not to do with each other stays as it is.
    #[must_use]
    pub fn on_sm(mut self, sm: u16) -> Self {
        if let ManagerSpec::Sharing {
            dynamic: Some(number),
            ..
        } = &mut self
        {
            *number = sm;
        }
        self
    }
}
