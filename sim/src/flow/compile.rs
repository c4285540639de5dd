//! Virtual to architected registers, as a vendor's assembler would.

use super::{FlowError, Workload};
use crate::compiler::opt;
use crate::compiler::regalloc::{self, AllocOptions, AllocReport};
use crate::kernel::{Kernel, RegSpace};

/// A kernel in architected registers.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The kernel.
    pub kernel: Kernel,
    /// What allocation did.
    pub report: AllocReport,
}

/// Optimises and allocates; `max_regs` caps the registers per thread.
///
/// # Errors
/// [`FlowError::Allocation`] when the cap is too tight.
pub fn compile(workload: &Workload, max_regs: Option<u16>) -> Result<Compiled, FlowError> {
    if let RegSpace::Architected { .. } = workload.kernel.regs {
        return Ok(Compiled {
            kernel: workload.kernel.clone(),
            report: AllocReport::of_architected(&workload.kernel),
        });
    }
    let optimised = opt::optimise(&workload.kernel);
    let mut options = AllocOptions::default();
    if let Some(max_regs) = max_regs {
        options.max_regs = max_regs;
    }
    let done = regalloc::allocate(&optimised, &options)
        .map_err(|cause| FlowError::Allocation { kernel: workload.name.clone(), cause })?;
    Ok(Compiled { kernel: done.kernel, report: done.report })
}
