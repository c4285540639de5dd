//! One kernel under one scheme: plan, run, check, record.

use super::{Compiled, FlowError, Verdict, Workload};
use crate::kernel::{Op, RegSpace};
use crate::machine::Machine;
use crate::report::{AcquireRecord, OccupancyRecord, Registers, RenamingRecord, RunRecord};
use crate::scheme::{CtaShape, Plan, PlanInput, Scheme};
use crate::sm::{self, Launch, RunOptions, RunResult};
use regshare_hw::manager::ManagerSpec;
use std::collections::BTreeMap;

/// What a run goes on, besides kernel and scheme.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// Backend, scheduler, limits, probe.
    pub options: &'a RunOptions,
}

/// A finished run.
pub struct Ran {
    /// What the scheme decided.
    pub plan: Plan,
    /// What the SM counted, with the final memory.
    pub result: RunResult,
    /// The record for tables and JSON; its speed-up is 1 until the caller knows the reference.
    pub record: RunRecord,
    /// What the check of the memory found.
    pub verdict: Verdict,
}

/// Size of the workload's CTAs for a kernel.
pub fn cta_shape(workload: &Workload, compiled: &Compiled) -> CtaShape {
    let [x, y, z] = workload.launch.block;
    let declared = compiled.kernel.shared_bytes;
    let dynamic = workload.launch.dynamic_scratchpad_bytes;
    // Dynamic scratchpad starts 16-byte aligned behind the declared one.
    let scratchpad_bytes = if dynamic == 0 {
        declared
    } else {
        declared.next_multiple_of(16) + dynamic
    };
    CtaShape {
        threads: x * y * z,
        scratchpad_bytes,
    }
}

/// Asks the scheme.
///
/// # Errors
/// [`FlowError::Refused`].
pub fn plan(
    workload: &Workload,
    compiled: &Compiled,
    scheme: &dyn Scheme,
    machine: &Machine,
) -> Result<Plan, FlowError> {
    let machine = scheme.machine(machine);
    let input = PlanInput {
        kernel: &compiled.kernel,
        machine: &machine,
        cta: cta_shape(workload, compiled),
        shares_sm: false,
    };
    scheme.plan(&input).map_err(|cause| FlowError::Refused {
        kernel: workload.name.clone(),
        scheme: scheme.name().to_owned(),
        cause,
    })
}

/// Plans and runs.
///
/// # Errors
/// [`FlowError::Refused`] and [`FlowError::Run`]. A wrong result is a [`Verdict`], not an error.
pub fn execute(
    workload: &Workload,
    compiled: &Compiled,
    scheme: &dyn Scheme,
    setup: Setup<'_>,
) -> Result<Ran, FlowError> {
    let plan = plan(workload, compiled, scheme, setup.machine)?;
    let machine = scheme.machine(setup.machine);
    let setup = Setup {
        machine: &machine,
        ..setup
    };
    let launch = Launch {
        grid: workload.launch.grid,
        block: workload.launch.block,
        dynamic_scratchpad_bytes: workload.launch.dynamic_scratchpad_bytes,
        params: workload.params.clone(),
        memory: workload.launch.memory.clone(),
    };
    let result =
        sm::run(&plan, &launch, setup.machine, setup.options).map_err(|cause| FlowError::Run {
            kernel: workload.name.clone(),
            scheme: scheme.name().to_owned(),
            cause: Box::new(cause),
        })?;
    let verdict = workload.verdict(&result.memory);
    let record = record(workload, compiled, &plan, &result, &verdict, setup);
    Ok(Ran {
        plan,
        result,
        record,
        verdict,
    })
}

/// The name of what chooses the warps.
fn scheduler(plan: &Plan, setup: Setup<'_>) -> String {
    match plan.manager {
        ManagerSpec::Sharing {
            owner_first: true, ..
        } => "owf".to_owned(),
        _ => sm::policy(plan, setup.machine, setup.options).to_string(),
    }
}

fn record(
    workload: &Workload,
    compiled: &Compiled,
    plan: &Plan,
    result: &RunResult,
    verdict: &Verdict,
    setup: Setup<'_>,
) -> RunRecord {
    let counters = &result.counters;
    let rounded = setup.machine.limits.rounded_regs(compiled.report.regs);
    let scratchpad = cta_shape(workload, compiled).scratchpad_bytes;
    let (base, extended) = match plan.manager {
        ManagerSpec::Baseline { .. } => (rounded, 0),
        ManagerSpec::RegMutex {
            base_regs,
            ext_regs,
            ..
        }
        | ManagerSpec::Paired {
            base_regs,
            ext_regs,
            ..
        } => (base_regs, ext_regs),
        ManagerSpec::Sharing {
            private_regs,
            shared_regs,
            ..
        } => (private_regs, shared_regs),
        ManagerSpec::Renaming { regs, .. } => (regs, 0),
    };
    let predicates = match compiled.kernel.regs {
        RegSpace::Architected { preds, .. } | RegSpace::Virtual { preds, .. } => preds,
    };
    RunRecord {
        kernel: workload.name.clone(),
        scheme: plan.scheme.clone(),
        scheduler: scheduler(plan, setup),
        backend: setup.options.backend.to_string(),
        registers: Registers {
            per_thread: compiled.report.regs,
            rounded,
            base,
            extended,
            predicates,
            spilled_bytes: compiled.report.spilled_bytes,
        },
        occupancy: OccupancyRecord {
            ctas: plan.occupancy.ctas.into(),
            warps: plan.occupancy.warps.into(),
            fraction: plan.occupancy.fraction,
            limited_by: plan.occupancy.limited_by.to_string(),
            sections: plan.sections.unwrap_or(0).into(),
            scratchpad_bytes: scratchpad,
            private_scratchpad_bytes: (plan.scratchpad)
                .map_or(scratchpad, |pairs| pairs.private_bytes),
        },
        storage_bits: plan.storage_bits.into(),
        cycles: result.cycles,
        warp_insts: counters.warp_instructions,
        ipc: counters.ipc(),
        speedup: 1.0,
        acquire: (counters.acquire.executed > 0).then(|| AcquireRecord {
            executed: counters.acquire.executed,
            first_try: counters.acquire.first_try,
            attempts: counters.acquire.attempts,
            wait_cycles: counters.acquire.wait_cycles,
            success: counters.acquire.success().unwrap_or(1.0),
        }),
        renaming: renaming(plan, result),
        slots: counters
            .slots
            .named()
            .into_iter()
            .map(|(cause, slots)| (cause.to_owned(), slots))
            .collect(),
        idle_slots: counters.slots.idle(),
        stall_slots: counters.slots.stalled(),
        stalls: None,
        counters: *counters,
        result: match verdict {
            Verdict::Correct => "correct".to_owned(),
            Verdict::Unchecked => "unchecked".to_owned(),
            Verdict::Wrong(why) => why.clone(),
        },
        memory_digest: format!("{:016x}", result.memory.digest()),
    }
}

fn renaming(plan: &Plan, result: &RunResult) -> Option<RenamingRecord> {
    let counts = result.renaming?;
    let words = |op: Op| {
        let insts = plan.kernel.blocks.iter().flat_map(|block| &block.insts);
        insts.filter(|inst| inst.op == op).count() as u64
    };
    let all: usize = (plan.kernel.blocks.iter())
        .map(|block| block.insts.len())
        .sum();
    let (pirs, pbrs) = (words(Op::Pir), words(Op::Pbr));
    let cycles = result.cycles.max(1) as f64;
    let decoded = counts.pir_decoded + counts.pbr_decoded;
    Some(RenamingRecord {
        packs: counts.packs as u32,
        mean_packs: counts.pack_cycles as f64 / cycles,
        peak_packs: counts.peak_packs,
        mean_powered: counts.powered_cycles as f64 / cycles,
        static_pirs: pirs,
        static_pbrs: pbrs,
        static_increase: (pirs + pbrs) as f64 / (all as u64 - pirs - pbrs).max(1) as f64,
        dynamic_increase: decoded as f64 / result.counters.warp_instructions.max(1) as f64,
        counts,
    })
}

/// Sets every record's speed-up against the first record of the same kernel.
pub fn relate(runs: &mut [RunRecord]) {
    let mut reference: BTreeMap<String, u64> = BTreeMap::new();
    for run in runs {
        let cycles = *reference.entry(run.kernel.clone()).or_insert(run.cycles);
        run.speedup = cycles as f64 / run.cycles.max(1) as f64;
    }
}
