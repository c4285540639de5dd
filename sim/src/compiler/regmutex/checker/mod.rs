//! A proof, kernel by kernel, that a rewritten kernel is right. It shares nothing with the passes but the kernel
//! and the definitions of reconvergence in [`Cfg`] and of loops that wait in [`Waits`].
//!
//! What it proves, of all paths and of every order in which the sides of a divergent branch may run:
//!
//! 1. *Correspondence*. Every original instruction is there once, in order, with the same operation, guard,
//!    constants and predicates. What was inserted is `acquire`, `release` or an unguarded register MOV.
//! 2. *State*. An extended register is named only where the set is surely held. At CTA barriers and exits, and
//!    where a loop reads what it waits for, it is surely not held. Where repeats are forbidden, none can execute.
//! 3. *Data flow*. Every source reads the value that the original read. A `release` destroys what is in the
//!    extended registers, in the lanes that run and in those that wait elsewhere; so no live value is there, or its
//!    next read would be refused.

mod shape;
mod simt;
mod values;

use super::{Repeats, Rewritten};
use crate::compiler::cfg::Cfg;
use crate::compiler::waits::Waits;
use crate::kernel::{BlockId, Kernel};

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("block {}, instruction {inst} of the rewritten kernel: {violation}", block.0)]
pub struct CheckError {
    /// Block.
    pub block: BlockId,
    /// Instruction of the rewritten block.
    pub inst: usize,
    /// What is wrong there.
    pub violation: Violation,
}

/// What can be wrong with a rewritten kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// The kernels differ beyond registers and inserted instructions.
    #[error("not the original kernel: {0}")]
    Shape(String),
    /// A register beyond |Bs| + |Es|, or a pair that is not aligned.
    #[error("r{reg} is not a register of this kernel, or not an aligned pair")]
    Register {
        /// The register.
        reg: u16,
    },
    /// An extended register is named where the set may not be held.
    #[error("extended register r{reg} is named but the set may not be held")]
    NotHeld {
        /// The register.
        reg: u16,
    },
    /// An acquire or release that may repeat, where the hardware forbids it ([`Repeats::Never`]).
    #[error("an acquire with the set held, or a release without it, may execute")]
    Repeats,
    /// A warp may hold its set while it waits at a CTA barrier.
    #[error("the extended set may be held at a CTA barrier")]
    HeldAtBarrier,
    /// A warp may hold its set while it waits in a loop for other threads, who may need one.
    #[error("the extended set may be held in a loop that waits for other threads")]
    HeldInWait,
    /// A warp may hold its set when lanes exit.
    #[error("the extended set may be held at an exit")]
    HeldAtExit,
    /// A source may not have the value that the original read.
    #[error("r{place} is read for the original's r{original} but may not hold its value")]
    WrongValue {
        /// Register of the original.
        original: u16,
        /// Register that is read instead.
        place: u16,
    },
}

/// Proves `rewritten` right for base registers 0 .. `bs`.
///
/// # Errors
/// The first violation, in the order of the list above.
pub fn check(
    original: &Kernel,
    rewritten: &Rewritten,
    bs: u16,
    repeats: Repeats,
) -> Result<(), CheckError> {
    shape::check(original, rewritten)?;
    let cfg = Cfg::new(&rewritten.kernel).map_err(|error| CheckError {
        block: BlockId(0),
        inst: 0,
        violation: Violation::Shape(error.to_string()),
    })?;
    let simt = simt::Simt::of(&rewritten.kernel, &cfg);
    let states = simt.states(&rewritten.kernel, &cfg);
    let waits = Waits::of(&rewritten.kernel, &cfg);
    simt::check(&rewritten.kernel, (&cfg, &waits), &states, bs, repeats)?;
    let emptied = simt.emptied_while_waiting(&rewritten.kernel, &states);
    values::check(original, rewritten, &cfg, &emptied, bs)
}

/// Shorthand for a failure at a place.
fn fail<T>(block: usize, inst: usize, violation: Violation) -> Result<T, CheckError> {
    Err(CheckError {
        block: BlockId(block as u32),
        inst,
        violation,
    })
}
