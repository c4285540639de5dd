//! Fewer registers for a kernel that has been allocated already: one in text form, or one that was lifted from a trace.
//!
//! 1. `split`: each value gets registers of its own.
//! 2. `shadow`: the allocator ([`super::regalloc`]) gives the values registers under the cap, and keeps in local memory what does
//!    not fit, as it does with PTX.
//! 3. The instructions are put back, in the registers that were given; `narrow`: what is spilled of a pair is the half in question.
//!
//! Instructions stay as they are and in their order; no value is made anew, no copy removed. [`checker::check`] proves a result
//! without any of this.

pub mod checker;
mod narrow;
mod shadow;
mod split;

use super::cfg::Cfg;
use super::liveness::Liveness;
use super::regalloc::{AllocError, AllocOptions, AllocReport, Origin, allocate, is_load, is_store};
use crate::kernel::{Inst, Kernel, Op, RegSpace};
use shadow::Shadow;

/// A kernel with fewer registers.
#[derive(Clone, Debug)]
pub struct Respilled {
    /// The kernel, over architected registers.
    pub kernel: Kernel,
    /// For every block and instruction, where it comes from.
    pub origins: Vec<Vec<Origin>>,
    /// Figures. Predicates are as before.
    pub report: AllocReport,
}

/// Calls have a convention, and what a scheme has written for its hardware names registers in words of its own.
fn is_bound_to_registers(inst: &Inst) -> bool {
    use Op::{Acquire, Call, Pbr, Pir, Pop, Push, Release, Ret};
    matches!(
        inst.op,
        Acquire | Release | Pir | Pbr | Call(_) | Ret | Push | Pop
    )
}

/// Gives `kernel`, which is over architected registers, at most `max_regs` of them.
///
/// # Errors
/// [`AllocError::NotVirtual`] if instructions depend on register numbers; else as for [`allocate`].
pub fn respill(kernel: &Kernel, max_regs: u16) -> Result<Respilled, AllocError> {
    let mut insts = kernel.blocks.iter().flat_map(|block| &block.insts);
    let RegSpace::Architected { preds, .. } = kernel.regs else {
        return Err(AllocError::NotVirtual(kernel.name.clone()));
    };
    if insts.any(is_bound_to_registers) {
        return Err(AllocError::NotVirtual(kernel.name.clone()));
    }
    let cfg = Cfg::new(kernel)?;
    let shadow = Shadow::of(kernel, &cfg)?;
    let options = AllocOptions {
        max_regs,
        ..AllocOptions::default()
    };
    let mut allocation = allocate(&shadow.kernel, &options)?;
    let regs = allocation.report.regs;
    let mut respilled = Kernel {
        regs: RegSpace::Architected { regs, preds },
        ..allocation.kernel
    };
    for (b, block) in respilled.blocks.iter_mut().enumerate() {
        let origins = &mut allocation.origins[b];
        for (inst, origin) in block.insts.iter_mut().zip(&*origins) {
            if let Origin::Inst(from) = *origin {
                *inst = shadow.renamed(b, from, inst);
            }
        }
        narrow::narrow(&mut block.insts, origins);
    }
    let inserted = |wanted: fn(&Inst) -> bool| {
        let all = respilled.blocks.iter().zip(&allocation.origins);
        let pairs = all.flat_map(|(block, origins)| block.insts.iter().zip(origins));
        let inserted = pairs.filter(|(inst, origin)| **origin == Origin::Inserted && wanted(inst));
        inserted.count() as u32
    };
    let (spill_loads, spill_stores) = (inserted(is_load), inserted(is_store));
    let max_live = Liveness::per_thread(&respilled, &cfg).max_live_regs() as u16;
    Ok(Respilled {
        kernel: respilled,
        origins: allocation.origins,
        report: AllocReport {
            preds,
            max_live,
            spill_loads,
            spill_stores,
            ..allocation.report
        },
    })
}

#[cfg(test)]
mod tests;
