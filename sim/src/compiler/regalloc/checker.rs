//! Proves an allocation, without knowing how it was made.
//!
//! # What is checked
//! An allocated kernel A is right for the virtual kernel V when
//! 1. A has V's blocks, and V's instructions in V's order with the same operation, constants and guard sense. Missing
//!    are only unguarded copies; added are only spill loads and stores at fixed addresses behind V's local memory,
//!    copies, and predicates moved to or from a register as 1 or 0;
//! 2. on every path, every register or predicate that an instruction of A reads holds the value that V's instruction
//!    reads, or V's value is undefined on that path;
//! 3. 64-bit values are in aligned pairs, all numbers are below the counts that A declares, these are at most 255
//!    and 7, and two results of an instruction do not overlap.
//!
//! # How
//! Forward dataflow. The state is, for each place of A (32-bit register, predicate, spilled word), the set of V's
//! values that it surely holds, half by half for 64-bit ones. At the entry every value is undefined and every place
//! "holds" all. A definition of v takes v out of all places but its own, which then holds v and what is still
//! undefined. A guarded definition leaves v in its place only if v was there before, as some lanes keep the old
//! value. Where paths meet, sets are intersected. A missing copy d <- s makes every place of s one of d, and no
//! other. All that is shared with the allocator is the kernel's types.

mod flow;
mod shape;

use thiserror::Error;

use super::Origin;
use crate::kernel::{BlockId, Kernel};

/// Most 32-bit registers that an instruction can name.
const REGISTER_LIMIT: u16 = 255;
/// Most predicates that an instruction can name.
const PREDICATE_LIMIT: u16 = 7;

/// An allocation that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("block {}, instruction {inst} of the allocated kernel: {fault}", block.0)]
pub struct CheckError {
    /// Block.
    pub block: BlockId,
    /// Instruction in the block of the allocated kernel.
    pub inst: usize,
    /// What is wrong.
    pub fault: Fault,
}

/// What can be wrong with an allocation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The kernels differ in more than registers.
    #[error("{0} differs from the virtual kernel")]
    Frame(&'static str),
    /// An instruction of the virtual kernel is missing and is not a copy.
    #[error("instruction {0} of the virtual block is missing")]
    Missing(usize),
    /// Operation, operands or guard differ from the virtual instruction.
    #[error("differs from instruction {0} of the virtual block")]
    Differs(usize),
    /// An added instruction is none that an allocator may add.
    #[error("added instruction is not a spill, a copy or a predicate move")]
    Added,
    /// A spill slot is not behind the kernel's own local memory, or not aligned.
    #[error("spill slot at byte {0} of local memory is out of bounds or misaligned")]
    Slot(i64),
    /// A register number is at or above the declared count.
    #[error("R{0} is outside of the declared registers")]
    RegBound(u16),
    /// A predicate number is at or above the declared count.
    #[error("P{0} is outside of the declared predicates")]
    PredBound(u16),
    /// A 64-bit value in an odd register.
    #[error("64-bit value at odd register R{0}")]
    Misaligned(u16),
    /// Two results share a register.
    #[error("two results overlap")]
    Overlap,
    /// A register does not hold on all paths what is read.
    #[error("R{place} does not hold virtual register {value} on all paths")]
    WrongReg {
        /// Architected register, the first of a pair.
        place: u16,
        /// Virtual register that is read.
        value: u16,
    },
    /// A predicate does not hold on all paths what is read.
    #[error("P{place} does not hold virtual predicate {value} on all paths")]
    WrongPred {
        /// Architected predicate.
        place: u16,
        /// Virtual predicate that is read.
        value: u16,
    },
}

/// Checks that `allocated`, whose instructions come from `origins`, does what `kernel` does.
///
/// # Errors
/// The first fault in program order.
pub fn check(
    kernel: &Kernel,
    allocated: &Kernel,
    origins: &[Vec<Origin>],
) -> Result<(), CheckError> {
    shape::check_frame(kernel, allocated, origins)?;
    let steps = shape::steps(kernel, allocated, origins)?;
    flow::check(kernel, allocated, &steps)
}

#[cfg(test)]
mod tests;
