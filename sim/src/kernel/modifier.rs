//! Types and modifiers of operations, as in the PTX ISA.

use super::reg::Width;

/// Type of an operation, as in PTX 5.2.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    B8,
    B16,
    B32,
    B64,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    F32,
    F64,
    /// One bit per lane.
    Pred,
}

impl Ty {
    /// Size of a value in memory, bytes; a predicate has none.
    pub fn size_bytes(self) -> u32 {
        match self {
            Ty::Pred => 0,
            Ty::B8 | Ty::U8 | Ty::S8 => 1,
            Ty::B16 | Ty::U16 | Ty::S16 | Ty::F16 | Ty::Bf16 => 2,
            Ty::B32 | Ty::U32 | Ty::S32 | Ty::F32 | Ty::F16x2 | Ty::Bf16x2 => 4,
            Ty::B64 | Ty::U64 | Ty::S64 | Ty::F64 => 8,
        }
    }

    /// Width of the register that holds a value; 32 bits for a predicate, which lives elsewhere.
    pub fn width(self) -> Width {
        if self.size_bytes() == 8 {
            Width::W64
        } else {
            Width::W32
        }
    }

    /// Whether it is a floating-point type, packed ones included.
    pub fn is_float(self) -> bool {
        matches!(
            self,
            Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2 | Ty::F32 | Ty::F64
        )
    }

    /// Whether it is a signed integer type.
    pub fn is_signed(self) -> bool {
        matches!(self, Ty::S8 | Ty::S16 | Ty::S32 | Ty::S64)
    }
}

/// Which part of a product is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// `.lo`
    Lo,
    /// `.hi`
    Hi,
    /// `.wide`: both, in a result of twice the width.
    Wide,
}

/// Rounding: `.rn .rz .rm .rp` to a float, `.rni .rzi .rmi .rpi` to an integral value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Round {
    /// To nearest, ties to even.
    Nearest,
    /// Towards zero.
    Zero,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
}

/// Float modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fp {
    /// Rounding of the result.
    pub round: Round,
    /// `.ftz`: subnormal inputs and results become zero of the same sign.
    pub ftz: bool,
    /// `.sat`: result clamped to [0, 1], NaN to 0.
    pub sat: bool,
}

/// Precision of a division, reciprocal, square root or transcendental.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// `.approx`, within the error bound that the PTX ISA gives.
    Approx,
    /// `div.full`.
    Full,
    /// Correctly rounded.
    Ieee(Round),
}

/// Comparison of `set` and `setp`.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// Unsigned `lo ls hi hs` are read as `Lt Le Gt Ge` of an unsigned type. The next are float only.
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    Num,
    Nan,
}

impl Cmp {
    /// Whether it asks about NaN, which only floats have.
    pub fn is_float_only(self) -> bool {
        !matches!(
            self,
            Cmp::Eq | Cmp::Ne | Cmp::Lt | Cmp::Le | Cmp::Gt | Cmp::Ge
        )
    }
}

/// How `set` and `setp` combine the comparison with a predicate.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoolOp {
    And,
    Or,
    Xor,
}

/// State spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Resolved per lane by the windows of [`crate::kernel::address`].
    Generic,
    /// Device memory.
    Global,
    /// Scratchpad of the CTA.
    Shared,
    /// Private to a thread, in device memory.
    Local,
    /// Kernel parameters, read only.
    Param,
    /// Constant bank, read only, in device memory.
    Const,
}

/// A load or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mem {
    /// State space.
    pub space: Space,
    /// Type of one element in memory.
    pub ty: Ty,
    /// Elements per lane: 1, 2 or 4.
    pub vec: u8,
    /// Added to the address operand, bytes.
    pub offset: i64,
    /// A load that is performed even where nobody reads its result, in its order among others of its kind: PTX `volatile`,
    /// `relaxed`, `acquire`. Stores are all performed, in order.
    pub strong: bool,
}

/// Read-modify-write operation.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomOp {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exch,
    Cas,
    Inc,
    Dec,
}

/// `shfl` modes.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShflMode {
    Up,
    Down,
    Bfly,
    Idx,
}

/// `vote` modes.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VoteMode {
    All,
    Any,
    Uni,
    Ballot,
}

/// `prmt` modes.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrmtMode {
    Index,
    F4e,
    B4e,
    Rc8,
    Ecl,
    Ecr,
    Rc16,
}

/// `testp` properties.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TestProp {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

/// What a CTA barrier does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BarKind {
    /// `bar.sync`
    Sync,
    /// `bar.arrive`
    Arrive,
    /// `bar.red.popc`, result in a register.
    RedPopc,
    /// `bar.red.and`, result in a predicate.
    RedAnd,
    /// `bar.red.or`, result in a predicate.
    RedOr,
}
