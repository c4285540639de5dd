//! What can be wrong with a kernel, and what to do about it.

use thiserror::Error;

use super::{MAX_ARCHITECTED_REGS, MAX_LOCAL_BYTES};
use crate::kernel::exec::IllegalOp;
use crate::kernel::{Pred, Reg};

/// What is wrong with a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// Give it an entry block.
    #[error("the kernel has no blocks")]
    NoBlocks,
    /// Rename one of the blocks.
    #[error("there is another block of this name")]
    DuplicateLabel,
    /// End the last block with `exit`, `trap` or an unguarded branch.
    #[error("the last block runs off the end of the kernel")]
    FallsOffTheEnd,
    /// Split the block behind the branch.
    #[error("a branch must be the last instruction of its block")]
    BranchInside,
    /// Correct the target.
    #[error("the branch or call leads to block {0}, which does not exist")]
    NoSuchBlock(u32),
    /// Choose another type, space or modifier.
    #[error(transparent)]
    IllegalOp(#[from] IllegalOp),
    /// Add or remove destinations.
    #[error("destination {index} is missing, superfluous or of the wrong kind")]
    Destination {
        /// Place of the destination, from 0.
        index: usize,
    },
    /// Add or remove sources.
    #[error("source {index} is missing, superfluous, or of the wrong kind or width")]
    Source {
        /// Place of the source, from 0.
        index: usize,
    },
    /// Declare more registers.
    #[error("register {} is not below the {count} that are declared", reg.index)]
    RegisterOutOfRange {
        /// The register.
        reg: Reg,
        /// Declared registers.
        count: u16,
    },
    /// Declare more predicates.
    #[error("predicate {} is not below the {count} that are declared", pred.0)]
    PredicateOutOfRange {
        /// The predicate.
        pred: Pred,
        /// Declared predicates.
        count: u16,
    },
    /// Start the pair at an even register.
    #[error("the pair of registers {0} and the next does not start at an even number")]
    UnalignedPair(u16),
    /// Use two virtual registers.
    #[error("virtual register {0} is used with 32 and with 64 bits")]
    TwoWidths(u16),
    /// Spill, or take a machine with more.
    #[error("{0} registers per thread are declared; {MAX_ARCHITECTED_REGS} is the most")]
    TooManyRegisters(u16),
    /// Declare less.
    #[error(
        "{0} bytes of local memory per thread (`.local`) are too many: a thread has at most {MAX_LOCAL_BYTES}"
    )]
    TooMuchLocal(u32),
    /// Move it out of the predicated code.
    #[error("acquire and release are for the whole warp and take no guard")]
    GuardedAcquire,
    /// Lower the program's calls to the calling convention first.
    #[error("calls, returns and arguments are between functions in architected registers")]
    VirtualCall,
    /// Pass them in the registers of the calling convention.
    #[error("a call or return in architected registers has no operands")]
    CallOperands,
    /// Move it out of the predicated code.
    #[error("push and pop are for the whole warp and take no guard")]
    GuardedPush,
    /// Write the 64 bits as a constant.
    #[error("pir and pbr take a constant of 64 bits and no guard")]
    FlagWord,
    /// Move it into a function.
    #[error("push and pop stand in functions, and this is the kernel's own code")]
    PushOutside,
    /// End the kernel with `exit`.
    #[error("a return stands in functions, and this is the kernel's own code")]
    ReturnOutside,
    /// Push the registers in order.
    #[error("the next register to be pushed here is r{0}: they are pushed from r16 on in order")]
    PushOrder(u16),
    /// Pop the register that was pushed last.
    #[error(
        "the register that was pushed last here is r{0}: they are popped in the order against that of the pushes"
    )]
    PopOrder(u16),
    /// Push a register before.
    #[error("nothing is pushed here that could be popped")]
    NothingPushed,
    /// Push or pop on the other way, too.
    #[error(
        "{here} registers are pushed here, {there} on another way to the block where this goes on"
    )]
    UnequalPushes {
        /// On this way.
        here: u16,
        /// On the other.
        there: u16,
    },
}

impl Problem {
    /// What to do about it.
    pub fn cure(&self) -> String {
        use Problem::*;
        match self {
            NoBlocks => "write a label such as `entry:` and instructions behind it".into(),
            DuplicateLabel => "rename one of the blocks".into(),
            FallsOffTheEnd => "end the last block with `exit;`, `ret;`, `trap;` or a `bra` without a guard".into(),
            BranchInside => "write a label behind the branch, so that the next instruction begins a block".into(),
            NoSuchBlock(_) => "correct the target".into(),
            IllegalOp(_) => "choose another type, state space or modifier".into(),
            Destination { .. } | Source { .. } => {
                "give it the operands of the PTX instruction of that name: 64-bit values are pairs such as `r4:5`, or `rd4` where \
                 registers are virtual; `setp` has predicates as results"
                    .into()
            }
            RegisterOutOfRange { reg, .. } => {
                let least = u32::from(reg.index) + u32::from(reg.width.regs());
                format!("declare at least {least} registers (`.regs`), or take another")
            }
            PredicateOutOfRange { pred, .. } => {
                let least = u32::from(pred.0) + 1;
                format!("declare at least {least} predicates (the second number of `.regs`), or take another")
            }
            UnalignedPair(reg) => format!("take r{}:{} or another pair that starts at an even number", reg + 1, reg + 2),
            TwoWidths(_) => "use two registers, one of each width".into(),
            TooManyRegisters(_) => format!(
                "declare at most {MAX_ARCHITECTED_REGS}, or `.regs virtual` and let the compiler choose registers"
            ),
            TooMuchLocal(_) => "declare less, or put it into a buffer in global memory".into(),
            GuardedAcquire | GuardedPush => {
                "take the guard off; to skip it, branch around it with the whole warp".into()
            }
            VirtualCall => "write the kernel in architected registers (`.regs architected`), as `regshare compile KERNEL --scheme \
                            abi-spill --emit kernel` does, or give the PTX file"
                .into(),
            CallOperands => "pass arguments and results in the registers from r4 on (docs/cars.md)".into(),
            FlagWord => "write the word as one constant, such as `pir 0x1f;`, without a guard".into(),
            PushOutside => "move it behind the label of a function, which is one that a `call` names".into(),
            ReturnOutside => "end the kernel with `exit;`, and see that its code does not run into a function".into(),
            PushOrder(reg) => format!("push r{reg} here"),
            PopOrder(reg) => format!("pop r{reg} here"),
            NothingPushed => "take it out, or push the register before".into(),
            UnequalPushes { .. } => "push and pop the same registers on both ways before they meet".into(),
        }
    }
}
