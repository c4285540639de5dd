//! Programs: a kernel and the functions that it calls, each over virtual registers of its own.
//!
//! In a unit of a program [`Op::Call`](super::Op::Call) names a function by its number, not by a block, and has arguments and
//! results as operands. [`compiler::calls`](crate::compiler::calls) makes one kernel of it that follows a calling convention.

use super::{Kernel, Line, Width};
use std::collections::BTreeSet;

/// Most pieces of arguments, numbers or words of structures, that a call passes; as many come back at most.
pub const MAX_ARGUMENTS: usize = 1024; // assumed: a parameter list of PTX has 4096 bytes at most
/// Most pieces of results in registers. // assumed
pub const RESULTS_IN_REGISTERS: usize = 4;
/// Most 32-bit words of arguments in registers, and of results: R4 to R15 (CARS II; seen in code of NVIDIA's compiler). What is
/// behind them goes through local memory.
pub const ARGUMENT_WORDS: usize = 12;

/// A function, or the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its code in virtual registers, with local memory as if it were called first. Parameters, module-level variables and
    /// scratchpad are those of the kernel, and stand there only.
    pub code: Kernel,
    /// Width of each argument in registers.
    pub arguments: Vec<Width>,
    /// Width of each result in registers.
    pub results: Vec<Width>,
    /// Source lines of its calls through addresses: the calls of such a line are one site with several possible callees.
    pub indirect: BTreeSet<Line>,
}

/// A kernel with its functions, from one file or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The kernel first.
    pub units: Vec<Unit>,
}
