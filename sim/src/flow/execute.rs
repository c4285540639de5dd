//! One kernel under one scheme: plan, run, check, record.

use super::forever::settle;
use super::plan::scratchpad_bytes;
use super::prepare::{Prepared, prepare_one, suits_sms};
use super::{Compiled, FlowError, Verdict, Workload, too_deep, used};
use crate::compiler::rfv::insts_of;
use crate::kernel::{Op, RegSpace};
use crate::machine::Machine;
use crate::report::energy::{EnergyConstants, energy};
use crate::report::traffic::TrafficRecord;
use crate::report::{
    AcquireRecord, ChipRecord, OccupancyRecord, Registers, RenamingRecord, RunRecord, StackRecord,
};
use crate::scheme::{Baseline, Plan, Refusal, Scheme};
use crate::sm::{self, Launch, RunOptions, RunResult};
use regshare_hw::manager::ManagerSpec;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

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
    /// Time that the SM took, without planning.
    pub took: Duration,
}

/// Plans and runs.
///
/// # Errors
/// [`FlowError::Refused`], [`FlowError::TooDeep`] and [`FlowError::Run`]. A wrong result is a [`Verdict`], not an error.
pub fn execute(
    workload: &Workload,
    compiled: &Compiled,
    scheme: &dyn Scheme,
    setup: Setup<'_>,
) -> Result<Ran, FlowError> {
    suits_sms(workload, scheme, setup.options.sms)?;
    let candidates = scheme.candidates();
    if !candidates.is_empty() {
        return best_of(&candidates, workload, compiled, scheme, setup);
    }
    let prepared = prepare_one(workload, compiled, scheme, setup)?;
    execute_prepared(workload, prepared, scheme, setup)
}

/// Runs what [`prepare`](super::prepare) gave for the same scheme and setup.
///
/// # Errors
/// [`FlowError::TooDeep`] and [`FlowError::Run`]; [`FlowError::Refused`] where only a run shows that the kernel never ends under the
/// scheme, though it does without.
pub fn execute_prepared(
    workload: &Workload,
    prepared: Prepared,
    scheme: &dyn Scheme,
    setup: Setup<'_>,
) -> Result<Ran, FlowError> {
    let (max_regs, plan) = (prepared.compiled.max_regs, prepared.plan.clone());
    match run_prepared(workload, prepared, scheme, setup) {
        Err(error) if scheme.name() != Baseline.name() => {
            settle(workload, max_regs, (scheme, setup), plan, error)
        }
        ran => ran,
    }
}

/// As [`execute_prepared`], once.
pub(super) fn run_prepared(
    workload: &Workload,
    prepared: Prepared,
    scheme: &dyn Scheme,
    setup: Setup<'_>,
) -> Result<Ran, FlowError> {
    let Prepared { compiled, mut plan } = prepared;
    if let Some(known) = &setup.options.best_levels {
        known.apply(&mut plan);
    }
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
    let begun = Instant::now();
    let ran = match &workload.trace {
        Some(trace) => trace.run(&plan, setup.machine, setup.options),
        None => sm::run(&plan, &launch, setup.machine, setup.options),
    };
    let took = begun.elapsed();
    let result = ran.map_err(|cause| {
        let cause = Box::new(cause.in_files(&workload.files));
        let deep = too_deep::in_run(workload, scheme.name(), &plan.kernel, &cause);
        deep.unwrap_or_else(|| FlowError::Run {
            kernel: workload.name.clone(),
            scheme: scheme.name().to_owned(),
            cause,
        })
    })?;
    if let Some(known) = &setup.options.best_levels {
        known.learn(&plan, &result);
    }
    let verdict = match &workload.trace {
        Some(trace) => trace.verdict(&result),
        None => workload.verdict(&result.memory),
    };
    let record = record(workload, &compiled, &plan, &result, &verdict, setup);
    Ok(Ran {
        plan,
        result,
        record,
        verdict,
        took,
    })
}

/// Runs all `candidates`, and gives the run with the fewest cycles of those that end, under the name of `scheme`.
fn best_of(
    candidates: &[Box<dyn Scheme>],
    workload: &Workload,
    compiled: &Compiled,
    scheme: &dyn Scheme,
    setup: Setup<'_>,
) -> Result<Ran, FlowError> {
    let unwatched = RunOptions {
        probe: None,
        watchers: Vec::new(),
        ..setup.options.clone()
    };
    let quiet = Setup {
        options: &unwatched,
        ..setup
    };
    let mut best: Option<(usize, Ran)> = None;
    let mut without = None;
    for (number, candidate) in candidates.iter().enumerate() {
        let ran = match execute(workload, compiled, &**candidate, quiet) {
            Ok(ran) => ran,
            Err(error) if cannot_wait(&error) || error.is_endless() => {
                without.get_or_insert(error);
                continue;
            }
            Err(error) => return Err(error),
        };
        if (best.as_ref()).is_none_or(|(_, best)| ran.result.cycles < best.result.cycles) {
            best = Some((number, ran));
        }
    }
    let nothing = || FlowError::Refused {
        kernel: workload.name.clone(),
        scheme: scheme.name().to_owned(),
        cause: Refusal::Option {
            scheme: scheme.name().to_owned(),
            reason: "there is nothing to choose from".to_owned(),
        },
    };
    let (number, mut ran) = best.ok_or_else(|| without.unwrap_or_else(nothing))?;
    if setup.options.probe.is_some() || !setup.options.watchers.is_empty() {
        ran = execute(workload, compiled, &*candidates[number], setup)?;
    }
    ran.record.scheme = scheme.name().to_owned();
    ran.record.variant = Some(candidates[number].name().to_owned());
    Ok(ran)
}

/// Whether a candidate is refused because the kernel would wait for ever under it: then it is none of those that the best is of.
pub(super) fn cannot_wait(error: &FlowError) -> bool {
    matches!(
        error,
        FlowError::Refused {
            cause: Refusal::Waits { .. },
            ..
        }
    )
}

/// The name of what chooses the warps.
fn scheduler(plan: &Plan, setup: Setup<'_>) -> String {
    match plan.manager.owner_first() {
        true => "owf".to_owned(),
        false => sm::policy(plan, setup.machine, setup.options).to_string(),
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
    let (named, predicates) = match plan.kernel.regs {
        RegSpace::Architected { regs, preds } | RegSpace::Virtual { regs, preds } => (regs, preds),
    };
    let used = used(compiled, plan);
    let per_thread = used.regs;
    let rounded = setup.machine.limits.rounded_regs(per_thread);
    let scratchpad = scratchpad_bytes(workload, &plan.kernel);
    let (base, extended) = match plan.manager {
        ManagerSpec::Baseline { .. } => (setup.machine.limits.rounded_regs(named), 0),
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
        ManagerSpec::Renaming { .. } => (rounded, 0),
        ManagerSpec::Stacks {
            base_regs,
            capacities,
            top,
            level,
            ..
        } => (base_regs, capacities[usize::from(level.unwrap_or(top) & 7)]),
    };
    RunRecord {
        kernel: workload.name.clone(),
        scheme: plan.scheme.clone(),
        variant: plan.variant.clone(),
        scheduler: scheduler(plan, setup),
        backend: setup.options.backend.to_string(),
        registers: Registers {
            per_thread,
            rounded,
            base,
            extended,
            predicates,
            spilled_bytes: used.spilled_bytes,
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
        sms: result.sms,
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
        stacks: stacks(plan, result),
        energy: energy(&EnergyConstants::default(), setup.machine, plan, result),
        slots: counters
            .slots
            .named()
            .into_iter()
            .map(|(cause, slots)| (cause.to_owned(), slots))
            .collect(),
        idle_slots: counters.slots.idle(),
        stall_slots: counters.slots.stalled(),
        stalls: None,
        chip: chip(result, setup),
        traffic: TrafficRecord::new(counters),
        counters: *counters,
        result: match verdict {
            Verdict::Correct => "correct".to_owned(),
            Verdict::Unchecked => "unchecked".to_owned(),
            Verdict::Wrong(why) => why.clone(),
        },
        memory_digest: format!("{:016x}", result.memory.digest()),
    }
}

fn chip(result: &RunResult, setup: Setup<'_>) -> Option<ChipRecord> {
    let (machine, counts) = (setup.options.chip.as_ref()?, result.chip?);
    Some(ChipRecord {
        name: machine.name.clone(),
        l2_accesses: counts.l2.accesses,
        l2_misses: counts.l2.misses,
        l2_pending_hits: counts.l2.pending_hits,
        dram_bytes: counts.dram_bursts * u64::from(machine.dram.burst_bytes),
        dram_bursts: counts.dram_bursts,
        dram_activations: counts.dram_activations,
    })
}

fn stacks(plan: &Plan, result: &RunResult) -> Option<StackRecord> {
    let (planned, counts) = (plan.stacks.as_ref()?, result.stacks?);
    let ManagerSpec::Stacks {
        base_regs,
        capacities,
        top,
        level,
        ..
    } = plan.manager
    else {
        return None;
    };
    let levels = usize::from(top & 7) + 1;
    Some(StackRecord {
        kernel_regs: base_regs,
        low: planned.graph.low(),
        high: planned.graph.high(),
        is_recursive: planned.graph.has_recursion(),
        capacities: capacities[..levels].to_vec(),
        is_adaptive: level.is_none(),
        remembered: planned.remembered,
        ctas_at_level: counts.ctas_at_level[..levels].to_vec(),
        best_level: counts.best_level,
        stalls: counts.stalls,
        context_switches: counts.context_switches,
    })
}

fn renaming(plan: &Plan, result: &RunResult) -> Option<RenamingRecord> {
    let counts = result.renaming?;
    let words = |op: Op| {
        let insts = plan.kernel.blocks.iter().flat_map(|block| &block.insts);
        insts.filter(|inst| inst.op == op).count() as u64
    };
    let (pirs, pbrs) = (words(Op::Pir), words(Op::Pbr));
    let cycles = (result.cycles.max(1) * u64::from(result.sms)) as f64;
    let decoded = counts.pir_decoded + counts.pbr_decoded;
    Some(RenamingRecord {
        packs: counts.packs as u32,
        mean_packs: counts.pack_cycles as f64 / cycles,
        peak_packs: counts.peak_packs,
        mean_powered: counts.powered_cycles as f64 / cycles,
        static_pirs: pirs,
        static_pbrs: pbrs,
        static_increase: (pirs + pbrs) as f64 / insts_of(&plan.kernel).max(1) as f64,
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
