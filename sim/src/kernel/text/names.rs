//! Words of the text form, each table for both directions.

use crate::kernel::Special;
use crate::kernel::op::{
    AtomOp, BarKind, BoolOp, Cmp, Part, PrmtMode, Round, ShflMode, Space, TestProp, Ty, VoteMode,
};

/// Something that has a word of its own.
pub(super) trait Named: Copy + PartialEq + 'static {
    /// All values with their words.
    const NAMES: &'static [(Self, &'static str)];

    /// Its word.
    fn word(self) -> &'static str {
        let found = Self::NAMES.iter().find(|(value, _)| *value == self);
        found.map_or("?", |(_, word)| word)
    }

    /// The value of a word.
    fn from_word(word: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(_, name)| *name == word);
        found.map(|(value, _)| *value)
    }
}

macro_rules! named {
    ($($type:ident { $($variant:ident = $word:literal),* $(,)? })*) => {$(
        impl Named for $type {
            const NAMES: &'static [(Self, &'static str)] = &[$(($type::$variant, $word)),*];
        }
    )*};
}

named! {
    Ty {
        B8 = "b8", B16 = "b16", B32 = "b32", B64 = "b64", U8 = "u8", U16 = "u16", U32 = "u32",
        U64 = "u64", S8 = "s8", S16 = "s16", S32 = "s32", S64 = "s64", F16 = "f16",
        F16x2 = "f16x2", Bf16 = "bf16", Bf16x2 = "bf16x2", F32 = "f32", F64 = "f64", Pred = "pred",
    }
    Part { Lo = "lo", Hi = "hi", Wide = "wide" }
    Round { Nearest = "rn", Zero = "rz", Down = "rm", Up = "rp" }
    Cmp {
        Eq = "eq", Ne = "ne", Lt = "lt", Le = "le", Gt = "gt", Ge = "ge", Equ = "equ",
        Neu = "neu", Ltu = "ltu", Leu = "leu", Gtu = "gtu", Geu = "geu", Num = "num", Nan = "nan",
    }
    BoolOp { And = "and", Or = "or", Xor = "xor" }
    Space {
        Generic = "generic", Global = "global", Shared = "shared", Local = "local",
        Param = "param", Const = "const",
    }
    AtomOp {
        Add = "add", Min = "min", Max = "max", And = "and", Or = "or", Xor = "xor",
        Exch = "exch", Cas = "cas", Inc = "inc", Dec = "dec",
    }
    ShflMode { Up = "up", Down = "down", Bfly = "bfly", Idx = "idx" }
    VoteMode { All = "all", Any = "any", Uni = "uni", Ballot = "ballot" }
    PrmtMode {
        Index = "index", F4e = "f4e", B4e = "b4e", Rc8 = "rc8", Ecl = "ecl", Ecr = "ecr",
        Rc16 = "rc16",
    }
    TestProp {
        Finite = "finite", Infinite = "infinite", Number = "number",
        NotANumber = "notanumber", Normal = "normal", Subnormal = "subnormal",
    }
    BarKind {
        Sync = "sync", Arrive = "arrive", RedPopc = "popc", RedAnd = "and", RedOr = "or",
    }
}

impl Named for Special {
    const NAMES: &'static [(Self, &'static str)] = &[
        (Special::Tid(0), "%tid.x"),
        (Special::Tid(1), "%tid.y"),
        (Special::Tid(2), "%tid.z"),
        (Special::Ntid(0), "%ntid.x"),
        (Special::Ntid(1), "%ntid.y"),
        (Special::Ntid(2), "%ntid.z"),
        (Special::Ctaid(0), "%ctaid.x"),
        (Special::Ctaid(1), "%ctaid.y"),
        (Special::Ctaid(2), "%ctaid.z"),
        (Special::Nctaid(0), "%nctaid.x"),
        (Special::Nctaid(1), "%nctaid.y"),
        (Special::Nctaid(2), "%nctaid.z"),
        (Special::LaneId, "%laneid"),
        (Special::WarpId, "%warpid"),
        (Special::NwarpId, "%nwarpid"),
        (Special::SmId, "%smid"),
        (Special::NsmId, "%nsmid"),
        (Special::GridId, "%gridid"),
        (Special::Clock, "%clock"),
        (Special::Clock64, "%clock64"),
        (Special::LanemaskEq, "%lanemask_eq"),
        (Special::LanemaskLe, "%lanemask_le"),
        (Special::LanemaskLt, "%lanemask_lt"),
        (Special::LanemaskGe, "%lanemask_ge"),
        (Special::LanemaskGt, "%lanemask_gt"),
        (Special::DynamicScratchpadBytes, "%dynamic_smem_size"),
        (Special::TotalScratchpadBytes, "%total_smem_size"),
    ];
}
