//! Registers and operands of the instruction set.

/// Width of a general register operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// One 32-bit register.
    W32,
    /// Two 32-bit registers; architected ones are an aligned pair, named by the even one.
    W64,
}

impl Width {
    /// How many 32-bit registers it takes.
    pub fn regs(self) -> u16 {
        match self {
            Width::W32 => 1,
            Width::W64 => 2,
        }
    }
}

/// A general register.
///
/// Before register allocation (`RegSpace::Virtual`) every index is one value of its own width. Afterwards
/// (`RegSpace::Architected`) the index counts 32-bit registers, and a 64-bit value takes `index` and `index + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg {
    /// Number of the register.
    pub index: u16,
    /// Width of the value.
    pub width: Width,
}

impl Reg {
    /// A 32-bit register.
    pub fn r32(index: u16) -> Self {
        Reg {
            index,
            width: Width::W32,
        }
    }

    /// A 64-bit register.
    pub fn r64(index: u16) -> Self {
        Reg {
            index,
            width: Width::W64,
        }
    }

    /// Indices of the 32-bit architected registers it covers.
    pub fn units(self) -> impl Iterator<Item = u16> {
        self.index..self.index + self.width.regs()
    }
}

/// A predicate register: one bit per lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pred(pub u16);

/// A special register of the PTX ISA (chapter 10), read as a 32-bit value unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Special {
    /// `%tid`, axis 0..3.
    Tid(u8),
    /// `%ntid`.
    Ntid(u8),
    /// `%ctaid`.
    Ctaid(u8),
    /// `%nctaid`.
    Nctaid(u8),
    /// `%laneid`.
    LaneId,
    /// `%warpid` (the warp's number within its CTA here).
    WarpId,
    /// `%nwarpid`.
    NwarpId,
    /// `%smid`.
    SmId,
    /// `%nsmid`.
    NsmId,
    /// `%gridid`.
    GridId,
    /// `%clock` (low 32 bits of the SM cycle).
    Clock,
    /// `%clock64` (64-bit).
    Clock64,
    /// `%lanemask_eq`.
    LanemaskEq,
    /// `%lanemask_le`.
    LanemaskLe,
    /// `%lanemask_lt`.
    LanemaskLt,
    /// `%lanemask_ge`.
    LanemaskGe,
    /// `%lanemask_gt`.
    LanemaskGt,
    /// `%dynamic_smem_size`.
    DynamicScratchpadBytes,
    /// `%total_smem_size`.
    TotalScratchpadBytes,
}

/// A source of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A general register.
    Reg(Reg),
    /// A predicate, possibly negated.
    Pred {
        /// The predicate register.
        pred: Pred,
        /// Read inverted.
        negated: bool,
    },
    /// A constant, as the bits of the instruction's type (low bits valid).
    Imm(u64),
    /// A special register.
    Special(Special),
}

/// A destination of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dst {
    /// A general register.
    Reg(Reg),
    /// A predicate register.
    Pred(Pred),
}

/// Guard `@p` or `@!p`: lanes in which it is false do nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The predicate register.
    pub pred: Pred,
    /// `@!p`.
    pub negated: bool,
}
