//! The compiler: from a kernel over virtual registers to one over architected registers, and the analyses that
//! the register-sharing schemes build on.
//!
//! Every result is a function of the kernel alone: no hash-map order, no randomness.

use crate::kernel::Kernel;
use opt::OptOptions;
use regalloc::{AllocError, AllocOptions, Allocation};

pub mod calls;
pub mod cfg;
mod definitions;
pub mod dom;
pub mod draw;
pub mod first_use;
pub mod liveness;
pub mod meet;
pub mod opt;
pub mod regalloc;
pub mod regdem;
pub mod regmutex;
pub mod respill;
pub mod rfv;
pub mod waits;

/// A kernel on its way to the machine.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The optimised kernel over virtual registers: what [`regalloc::checker`] compares the allocated one with.
    pub optimised: Kernel,
    /// The kernel over architected registers.
    pub allocation: Allocation,
}

/// Optimises a kernel and allocates its registers. A cap on registers also holds the optimiser back, so that values
/// which are cheap to make again are not spilled.
///
/// # Errors
/// As [`regalloc::allocate`].
pub fn compile(kernel: &Kernel, options: &AllocOptions) -> Result<Compiled, AllocError> {
    let at_most_the_cap = |limit: Option<u16>| limit.map(|l| l.min(options.max_regs));
    let usual = OptOptions::default();
    let optimised = opt::optimise_with(
        kernel,
        &OptOptions {
            schedule_regs: at_most_the_cap(usual.schedule_regs),
            remat_above_regs: at_most_the_cap(usual.remat_above_regs),
        },
    );
    let allocation = regalloc::allocate(&optimised, options)?;
    Ok(Compiled {
        optimised,
        allocation,
    })
}

#[cfg(test)]
mod tests;
