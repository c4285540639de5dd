//! Kernels: the instruction set and its readers.
//!
//! A [`Kernel`] is a list of basic blocks in program order. A block ends with a branch, with an unguarded
//! `exit`, or falls through into the next. It lives in one of two register spaces: virtual (as read) and
//! architected (after register allocation).

pub mod build;
pub mod exec;
pub mod exit;
pub mod interp;
pub mod modifier;
pub mod op;
pub mod program;
pub mod ptx;
pub mod reg;
#[cfg(test)]
pub(crate) mod testing;
pub mod text;
pub mod traced;
pub mod verify;

pub use op::{BlockId, Op};
pub use reg::{Dst, Guard, Operand, Pred, Reg, Special, Width};

use arrayvec::ArrayVec;
use std::collections::BTreeSet;

/// Where an instruction came from: line of the source file, 1-based; 0 when made by a compiler pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line(pub u32);

/// Most sources of an instruction: a call in virtual registers has twelve, any other six at most.
pub const MAX_SOURCES: usize = program::ARGUMENT_WORDS;

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    /// Lanes in which the guard is false do nothing.
    pub guard: Option<Guard>,
    /// What it does.
    pub op: Op,
    /// Destinations, in the order that [`Op`] documents.
    pub dsts: ArrayVec<Dst, 4>,
    /// Sources, in the order that [`Op`] documents.
    pub srcs: ArrayVec<Operand, MAX_SOURCES>,
    /// Source line.
    pub line: Line,
}

/// A basic block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Name, unique in the kernel; as in the source where it had one.
    pub label: String,
    /// Instructions in program order; a branch only as the last.
    pub insts: Vec<Inst>,
}

/// A kernel parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name in the source.
    pub name: String,
    /// Element type.
    pub ty: op::Ty,
    /// Offset in the parameter space, bytes.
    pub offset_bytes: u32,
    /// Size, bytes (an array parameter is larger than its type).
    pub size_bytes: u32,
    /// Alignment, bytes.
    pub align_bytes: u32,
}

/// A module-level variable in global or constant memory. Its address is fixed when the module is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalVar {
    /// Name in the source.
    pub name: String,
    /// Address in the global space.
    pub address: u64,
    /// Size, bytes.
    pub size_bytes: u64,
    /// Initial contents from the start; the rest is zero.
    pub init: Vec<u8>,
    /// True in the constant bank: stores to it are refused.
    pub constant: bool,
}

/// Which registers the instructions name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegSpace {
    /// One index per value; `regs` and `preds` are one more than the largest index.
    Virtual {
        /// General registers.
        regs: u16,
        /// Predicates.
        preds: u16,
    },
    /// 32-bit registers 0 .. `regs` (at most 255) and predicates 0 .. `preds`, per thread.
    Architected {
        /// 32-bit registers per thread.
        regs: u16,
        /// Predicates per thread.
        preds: u16,
    },
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Entry name.
    pub name: String,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// Module-level variables that it can reach.
    pub globals: Vec<GlobalVar>,
    /// Statically declared scratchpad, bytes; dynamic scratchpad starts behind it, 16-byte aligned.
    pub shared_bytes: u32,
    /// Local memory per thread, bytes.
    pub local_bytes: u32,
    /// Register space.
    pub regs: RegSpace,
    /// Basic blocks in program order; the first is the entry.
    pub blocks: Vec<Block>,
    /// Rounds in which runs have found warps for ever ([`RunError::WaitsForEver`](crate::sm::RunError)): the lines of each.
    pub rounds: Vec<BTreeSet<Line>>,
}

/// Addresses of the windows through which generic pointers see scratchpad and local memory, and where
/// module-level variables lie. `// assumed`: any layout that does not overlap serves.
pub mod address {
    /// Generic addresses of the scratchpad window: base .. base + 16 MiB.
    pub const SHARED_WINDOW: u64 = 0x7F00_0000_0000; // assumed
    /// Generic addresses of the local window: base .. base + 16 MiB.
    pub const LOCAL_WINDOW: u64 = 0x7E00_0000_0000; // assumed
    /// Size of each window, bytes.
    pub const WINDOW_BYTES: u64 = 1 << 24; // assumed
    /// First address of module-level variables.
    pub const MODULE_GLOBALS: u64 = 0x4000_0000; // assumed
    /// What stands for the first function of a file where its address is taken; the others follow in steps of 16. There is
    /// no memory here.
    pub const FUNCTIONS: u64 = 0x7D00_0000_0000; // assumed
}
