//! Calls: from a program of functions in virtual registers to one kernel that follows a calling convention.
//!
//! The convention is that of NVIDIA's compiler as CARS describes it (II) and as its code shows: arguments and results from R4
//! on, R16 and up preserved by who is called and used without gaps, R1 the stack pointer of a stack in local memory, which
//! here grows upwards. R2 is spare for copies, R0 and R3 are not used. Predicates are not preserved.

mod abi;
mod copies;
mod graph;
mod lowered;
mod picture;
#[cfg(test)]
pub(crate) mod tests;
mod writer;

pub use abi::{FIRST_SAVED, Linked, STACK_POINTER, Saves, lower};
pub use graph::{CallGraph, Node};
pub use lowered::{graph_of, pushes_at, saves};

use crate::compiler::regalloc::AllocError;
use crate::kernel::verify::VerifyError;
use thiserror::Error;

/// Bytes of stack per thread where recursion has no bound: the default of the CUDA runtime (`cudaLimitStackSize`).
pub const RECURSION_STACK_BYTES: u32 = 1024;

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
    /// A defect of this compiler: the result is not well formed.
    #[error("the program with calls is malformed: {0}")]
    Malformed(#[from] VerifyError),
    /// A defect of this compiler: a predicate would be lost in a call.
    #[error("function `{0}`: a predicate is live across a call")]
    Predicate(String),
}
