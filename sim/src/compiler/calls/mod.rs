//! Calls: from a program of functions in virtual registers to one kernel that follows a calling convention.
//!
//! The convention is that of NVIDIA's compiler as CARS describes it (II) and as its code shows: arguments and results from R4
//! on, R16 and up preserved by who is called and used without gaps, R1 the stack pointer of a stack in local memory, which
//! here grows upwards. R2 is spare for copies, R0 and R3 are not used. Predicates are not preserved.

mod abi;
mod aside;
mod copies;
mod graph;
mod link;
mod lowered;
mod picture;
mod placed;
mod places;
#[cfg(test)]
pub(crate) mod tests;
mod writer;

pub use abi::{FIRST_SAVED, Linked, STACK_POINTER, Saves, Spilled, lower, lower_with_stack};
pub use graph::{CallGraph, Node};
pub use lowered::{graph_of, pushes_at, saves};

use crate::compiler::regalloc::AllocError;
use crate::kernel::verify::VerifyError;
use thiserror::Error;

/// Bytes of stack per thread where recursion has no bound and nobody says how many: the default of the CUDA runtime
/// (`cudaLimitStackSize`).
pub const RECURSION_STACK_BYTES: u32 = 1024;

/// Bytes of stack per thread that can be asked for. At most what local memory of a thread has on NVIDIA hardware (CUDA C++ Programming
/// Guide, technical specifications per compute capability); at least one aligned frame.
pub const STACK_BYTES: std::ops::RangeInclusive<u32> = 16..=crate::kernel::verify::MAX_LOCAL_BYTES;

/// Calls of a lane that are open at once, at most. A frame in which nothing is saved takes no room in the stack of a thread, so that
/// alone would let a recursion without end go on for ever; it is also what the stacks of CARS have room for with such frames.
pub const MOST_OPEN_CALLS: usize = 1024; // assumed

/// Why a program cannot be lowered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CallError {
    /// Register allocation of one of its functions failed.
    #[error("function `{function}`: {cause}")]
    Allocation {
        /// The function.
        function: String,
        /// Why.
        cause: AllocError,
    },
    /// The cap on registers is too low: R0 to R15 have their uses in the convention.
    #[error(
        "function `{function}`: `--max-regs {cap}` is too low where calls are kept; {needed} registers would do"
    )]
    Cap {
        /// The function.
        function: String,
        /// Registers that it takes.
        needed: u16,
        /// The cap.
        cap: u16,
    },
    /// A defect of this compiler: the result is not well formed.
    #[error("the program with calls is malformed: {0}")]
    Malformed(#[from] VerifyError),
    /// A defect of this compiler: a predicate would be lost in a call.
    #[error("function `{0}`: a predicate is live across a call")]
    Predicate(String),
}
