//! What an optimising assembler does to PTX and what matters for register counts.
//!
//! PTX is nearly in single-assignment form and full of copies, constants in registers and address arithmetic; an
//! assembler such as NVIDIA's removes them before it allocates registers. [`optimise`] does so too:
//! copies and constants go into the instructions that read them ([`propagate`]), constant operations are computed
//! ([`fold`]), constant offsets go into memory operands ([`address`]), what nobody reads goes away ([`dead`]), and
//! values that are cheap to make again are made again where registers are short ([`remat`]). No pass moves an
//! instruction over another, so that memory and barriers keep their order.

mod address;
mod dead;
mod fold;
mod propagate;
mod remat;
mod values;

use super::cfg::Cfg;
use super::regalloc::split_webs;
use crate::kernel::{Kernel, RegSpace};

/// Bound on rounds of the passes. // assumed: two or three reach the fixed point
const MAX_ROUNDS: usize = 8;

/// Optimises a kernel over virtual registers; it computes the same. A kernel that is not over virtual registers,
/// or that has no control-flow graph, comes back as it was: allocation says what is wrong with it.
pub fn optimise(kernel: &Kernel) -> Kernel {
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
    remat::run(&mut kernel, &cfg);
    dead::run(&mut kernel, &cfg);
    kernel
}

#[cfg(test)]
mod tests;
