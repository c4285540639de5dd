//! Virtual to architected registers, as a vendor's assembler would.

use super::{FlowError, Workload};
use crate::compiler::calls::{self, CallGraph, Saves};
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Liveness;
use crate::compiler::regalloc::{AllocError, AllocOptions, AllocReport, is_load, is_store};
use crate::compiler::{self, respill};
use crate::kernel::ptx::LaunchBounds;
use crate::kernel::{Inst, Kernel, RegSpace};
use crate::scheme::Plan;

/// A kernel in architected registers.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The kernel.
    pub kernel: Kernel,
    /// What allocation did.
    pub report: AllocReport,
    /// The user's cap on registers, to compile the kernel's functions with where calls are kept.
    pub max_regs: Option<u16>,
}

/// Optimises and allocates; `max_regs` caps the registers per thread, or else the kernel's `.maxnreg` does. A kernel
/// that is over architected registers already is taken as it is, or if it has more than the cap respilled. Calls that cannot be inlined are kept.
///
/// # Errors
/// [`FlowError::Allocation`] when the cap is too tight, or what would have to be respilled depends on register numbers.
pub fn compile(workload: &Workload, max_regs: Option<u16>) -> Result<Compiled, FlowError> {
    if workload.not_inlined.is_some()
        && let Some((compiled, _)) = compile_calls(workload, Saves::LocalMemory, max_regs)?
    {
        return Ok(compiled);
    }
    compile_kernel(&workload.name, &workload.kernel, &workload.bounds, max_regs)
}

/// As [`compile`], for a kernel without a launch; `name` is what errors call it.
///
/// # Errors
/// As for [`compile`].
pub fn compile_kernel(
    name: &str,
    kernel: &Kernel,
    bounds: &LaunchBounds,
    max_regs: Option<u16>,
) -> Result<Compiled, FlowError> {
    let failed = |cause| FlowError::Allocation {
        kernel: name.to_owned(),
        cause,
    };
    if let RegSpace::Architected { regs, preds } = kernel.regs {
        if let Some(cap) = max_regs.filter(|&cap| cap < regs) {
            let fewer = respill::respill(kernel, cap).map_err(failed)?;
            respill::checker::check(kernel, &fewer)
                .map_err(|fault| failed(AllocError::Unproved(fault.to_string())))?;
            return Ok(Compiled {
                kernel: fewer.kernel,
                report: fewer.report,
                max_regs,
            });
        }
        let report = taken(kernel, regs, preds).map_err(failed)?;
        return Ok(Compiled {
            kernel: kernel.clone(),
            report,
            max_regs,
        });
    }
    let mut options = AllocOptions::default();
    let wanted = bounds.max_registers;
    let wanted = wanted.map(|cap| cap.min(options.max_regs.into()) as u16);
    if let Some(max_regs) = max_regs.or(wanted) {
        options.max_regs = max_regs;
    }
    let done = compiler::compile(kernel, &options)
        .map_err(failed)?
        .allocation;
    Ok(Compiled {
        kernel: done.kernel,
        report: done.report,
        max_regs,
    })
}

/// The workload's kernel with its functions behind it, by the calling convention; `None`: it calls none.
///
/// # Errors
/// [`FlowError::Ptx`] for what is not supported in functions that are called, [`FlowError::Calls`] where registers do not do.
pub fn compile_calls(
    workload: &Workload,
    saves: Saves,
    max_regs: Option<u16>,
) -> Result<Option<(Compiled, CallGraph)>, FlowError> {
    let Some(program) = &workload.program else {
        return Ok(None);
    };
    let failed = |cause| FlowError::Calls {
        kernel: workload.name.clone(),
        cause: Box::new(cause),
    };
    let program = program.as_ref().map_err(Clone::clone)?;
    let mut options = AllocOptions::default();
    options.max_regs = max_regs.unwrap_or(options.max_regs);
    let linked = calls::lower_with_stack(program, saves, &options, workload.stack_bytes);
    let mut linked = linked.map_err(failed)?;
    linked.kernel.rounds.clone_from(&workload.kernel.rounds);
    let (regs, preds) = match linked.kernel.regs {
        RegSpace::Architected { regs, preds } | RegSpace::Virtual { regs, preds } => (regs, preds),
    };
    let report = taken(&linked.kernel, regs, preds).map_err(|cause| FlowError::Allocation {
        kernel: workload.name.clone(),
        cause,
    })?;
    let report = AllocReport {
        spilled_bytes: linked.spilled.bytes,
        spill_loads: linked.spilled.loads,
        spill_stores: linked.spilled.stores,
        ..report
    };
    let compiled = Compiled {
        kernel: linked.kernel,
        report,
        max_regs,
    };
    Ok(Some((compiled, linked.graph)))
}

/// The figures of what runs, where a scheme has spilled or demoted registers, or renumbered them.
#[must_use]
pub fn used(compiled: &Compiled, plan: &Plan) -> AllocReport {
    let named = match plan.kernel.regs {
        RegSpace::Architected { regs, .. } | RegSpace::Virtual { regs, .. } => regs,
    };
    // Renumbering leaves gaps, or closes those of a kernel that declares more than it names.
    let regs = plan.regs.min(named);
    let report = AllocReport {
        regs,
        ..compiled.report
    };
    let more = (plan.kernel.local_bytes).saturating_sub(compiled.kernel.local_bytes);
    if regs == compiled.report.regs && more == 0 {
        return report;
    }
    let count = |kernel: &Kernel, wanted: fn(&Inst) -> bool| {
        let all = kernel.blocks.iter().flat_map(|block| &block.insts);
        all.filter(|inst| wanted(inst)).count() as u32
    };
    let added =
        |wanted| count(&plan.kernel, wanted).saturating_sub(count(&compiled.kernel, wanted));
    let max_live = Cfg::new(&plan.kernel)
        .map(|cfg| Liveness::with_calls(&plan.kernel, &cfg).max_live_regs() as u16);
    AllocReport {
        max_live: max_live.unwrap_or(report.max_live),
        spilled_bytes: report.spilled_bytes + more,
        spill_loads: report.spill_loads + added(is_load),
        spill_stores: report.spill_stores + added(is_store),
        ..report
    }
}

/// The figures of a kernel that somebody else allocated.
fn taken(kernel: &Kernel, regs: u16, preds: u16) -> Result<AllocReport, AllocError> {
    let cfg = Cfg::new(kernel)?;
    let max_live = Liveness::with_calls(kernel, &cfg).max_live_regs() as u16;
    Ok(AllocReport {
        regs,
        preds,
        max_live,
        spilled_bytes: 0,
        spill_loads: 0,
        spill_stores: 0,
        coalesced_copies: 0,
    })
}
