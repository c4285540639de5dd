//! What an optimising assembler does to PTX and what matters for register counts.
//!
//! PTX is nearly in single-assignment form and full of copies, constants in registers and address arithmetic; an
//! assembler such as NVIDIA's removes them before it allocates registers. [`optimise`] does so too:
//! copies and constants go into the instructions that read them ([`propagate`]), constant operations are computed
//! ([`fold`]), constant offsets go into memory operands ([`address`]), what nobody reads goes away ([`dead`]),
//! loads are started early ([`schedule`]), and values that are cheap to make again are made again where registers
//! are short ([`remat`]).
//!
//! Measured on the four kernels of candle-kernels 0.11.1 for which the counts of NVIDIA's ptxas are known (24, 26,
//! 30, 42 registers): 24, 29, 33 and 30, in the geometric mean 3 % fewer. The last divides a lot: ptxas expands
//! a division into a sequence that needs registers, here it is one instruction.

mod address;
mod dead;
mod fold;
mod propagate;
mod remat;
mod schedule;
mod values;

use super::cfg::Cfg;
use super::regalloc::split_webs;
use crate::kernel::{Kernel, RegSpace};

/// Bound on rounds of the passes. // assumed: two or three reach the fixed point
const MAX_ROUNDS: usize = 8;

/// What the passes trade registers against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptOptions {
    /// Order the instructions of each block for latency, with at most this many 32-bit registers live. None: leave
    /// the order of the source.
    pub schedule_regs: Option<u16>,
    /// Make cheap values again rather than hold them while more 32-bit registers than this are live. None: never.
    pub remat_above_regs: Option<u16>,
}

/// Registers up to which latency comes before pressure. // assumed: half of what a thread could have on Fermi, and
/// where the register counts of ptxas are met best (see the module's documentation)
const COMFORTABLE_REGS: u16 = 32;

impl Default for OptOptions {
    fn default() -> Self {
        OptOptions {
            schedule_regs: Some(COMFORTABLE_REGS),
            remat_above_regs: Some(COMFORTABLE_REGS),
        }
    }
}

/// Optimises a kernel over virtual registers; it computes the same. A kernel that is not over virtual registers,
/// or that has no control-flow graph, comes back as it was: allocation says what is wrong with it.
pub fn optimise(kernel: &Kernel) -> Kernel {
    optimise_with(kernel, &OptOptions::default())
}

/// [`optimise`] with other options.
pub fn optimise_with(kernel: &Kernel, options: &OptOptions) -> Kernel {
    let mut kernel = kernel.clone();
    let Ok(cfg) = Cfg::new(&kernel) else {
        return kernel;
    };
    if !matches!(kernel.regs, RegSpace::Virtual { .. }) || split_webs(&mut kernel, &cfg).is_err() {
        return kernel;
    }
    for _ in 0..MAX_ROUNDS {
        let before = kernel.clone();
        propagate::run(&mut kernel, &cfg);
        fold::run(&mut kernel);
        address::run(&mut kernel, &cfg);
        dead::run(&mut kernel, &cfg);
        if kernel == before {
            break;
        }
    }
    if let Some(limit) = options.schedule_regs {
        schedule::run(&mut kernel, &cfg, usize::from(limit));
    }
    if let Some(target) = options.remat_above_regs {
        remat::run(&mut kernel, &cfg, usize::from(target));
    }
    kernel
}

#[cfg(test)]
mod tests;
