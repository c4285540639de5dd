//! A proof, kernel by kernel, that a demoted kernel is right. It shares nothing with the pass but the kernel's types.
//!
//! What it proves, of all paths:
//!
//! 1. *Correspondence*. Every original instruction is there once, in order, with the same operation, guard, constants and
//!    predicates (of special registers only the size of the scratchpad has become a constant). Added are only the three
//!    instructions at the entry that compute a thread's address, and loads and stores of a word at such an address.
//! 2. *Place*. Each of those accesses lies in the CTA's scratchpad, behind the kernel's own part, at a multiple of
//!    4 bytes times the threads of the CTA behind the first: so no two demoted values of any two threads overlap but in a
//!    slot that is the same for both.
//! 3. *Data flow*. Every source reads the value that the original read. A slot that is written again holds nothing else
//!    any more.
//!
//! Forward dataflow: for each register and slot the set of original registers whose value it surely holds. A value that
//! is undefined on all paths is held everywhere. A guarded definition is remembered until the block ends, or the
//! guard or the value changes: where the new value is in the lanes that wrote it, and where the old one is in the others;
//! a place that has both holds the value.

pub(in crate::compiler) mod flow;
pub(in crate::compiler) mod shape;

use super::{Cta, Demoted};
use crate::kernel::{BlockId, Kernel};

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("block {}, instruction {inst} of the demoted kernel: {violation}", block.0)]
pub struct CheckError {
    /// Block.
    pub block: BlockId,
    /// Instruction of the demoted block.
    pub inst: usize,
    /// What is wrong there.
    pub violation: Violation,
}

/// What can be wrong with a demoted kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// The kernels differ beyond registers and added instructions.
    #[error("not the original kernel: {0}")]
    Shape(&'static str),
    /// A register behind the last one, or a pair that is not aligned.
    #[error("r{reg} is not a register of this kernel, or not an aligned pair")]
    Register {
        /// The register.
        reg: u16,
    },
    /// An access beside the demoted registers of the CTA.
    #[error("the access at offset {offset} is not at a demoted register of this CTA")]
    Outside {
        /// Offset from the thread's first word, bytes.
        offset: i64,
    },
    /// The address of an access may be another than the thread's.
    #[error("r{reg} may not hold the thread's address")]
    Address {
        /// The register.
        reg: u16,
    },
    /// A source may not have the value that the original read.
    #[error("r{place} is read for the original's r{original} but may not hold its value")]
    WrongValue {
        /// Register of the original.
        original: u16,
        /// Register that is read instead.
        place: u16,
    },
}

/// Proves `demoted` right for CTAs of `cta`, of whose scratchpad `cta.scratchpad_bytes` are the kernel's own.
///
/// # Errors
/// The first violation found, correspondence and places before data flow.
pub fn check(original: &Kernel, demoted: &Demoted, cta: Cta) -> Result<(), CheckError> {
    let steps = shape::steps(original, demoted, cta)?;
    flow::check(original, &demoted.kernel, &steps)
}

/// Shorthand for a failure at a place.
pub(in crate::compiler) fn fail<T>(
    block: usize,
    inst: usize,
    violation: Violation,
) -> Result<T, CheckError> {
    Err(CheckError {
        block: BlockId(block as u32),
        inst,
        violation,
    })
}
