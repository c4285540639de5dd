//! Whole programs: bundled and generated kernels give what the references say, under every scheme, scheduler and
//! backend.

use super::support::gtx480;
use crate::bundled::{self, Bundled};
use crate::compiler::regalloc::{AllocOptions, allocate};
use crate::kernel::interp::{self, LaunchDims};
use crate::kernel::{Kernel, ptx};
use crate::launch::PreparedLaunch;
use crate::machine::SchedulerPolicy;
use crate::memory::image::MemoryImage;
use crate::scheme::{CtaShape, Plan, PlanInput, SchemeOptions, by_name};
use crate::sm::{Launch, RunOptions, RunResult, run};
use crate::testing::{GenOptions, Generated, generate};
use regshare_hw::manager::Backend;

pub(super) fn allocated(kernel: &Kernel) -> Kernel {
    allocate(kernel, &AllocOptions::default()).unwrap().kernel
}

pub(super) fn plan_for(scheme: &str, kernel: &Kernel, launch: &Launch) -> Plan {
    let scratchpad = interp::scratchpad_bytes(kernel, launch.dynamic_scratchpad_bytes);
    by_name(scheme, SchemeOptions::default())
        .unwrap()
        .plan(&PlanInput {
            kernel,
            machine: &gtx480(),
            cta: CtaShape {
                threads: launch.block.iter().product(),
                scratchpad_bytes: scratchpad as u32,
            },
            shares_sm: false,
        })
        .unwrap()
}

pub(super) fn bundled_launch(bundled: &Bundled) -> (Kernel, PreparedLaunch, Launch) {
    let prepared = bundled.prepare().unwrap();
    let module = ptx::read(bundled.ptx, bundled.name).unwrap();
    let kernel = module.kernel(&prepared.kernel).unwrap();
    let launch = Launch {
        grid: prepared.grid,
        block: prepared.block,
        dynamic_scratchpad_bytes: prepared.dynamic_scratchpad_bytes,
        params: prepared.param_space(kernel).unwrap(),
        memory: prepared.memory.clone(),
    };
    (allocated(kernel), prepared, launch)
}

pub(super) fn generated_launch(generated: &Generated) -> Launch {
    let mut memory = MemoryImage::new();
    let base = memory.allocate("slots", generated.buffer_bytes).unwrap();
    for at in (0..generated.buffer_bytes).step_by(4) {
        let word = (at as u32).wrapping_mul(0x9e37_79b9);
        memory.write_u32(base + at, word).unwrap();
    }
    let mut params = base.to_le_bytes().to_vec();
    params.extend(generated.scalar.to_le_bytes());
    Launch {
        grid: generated.grid,
        block: generated.block,
        dynamic_scratchpad_bytes: 0,
        params,
        memory,
    }
}

pub(super) fn interpreted(kernel: &Kernel, launch: &Launch) -> MemoryImage {
    let dims = LaunchDims {
        grid: launch.grid,
        block: launch.block,
        dynamic_scratchpad_bytes: launch.dynamic_scratchpad_bytes,
    };
    let mut memory = launch.memory.clone();
    interp::run(kernel, &dims, &launch.params, &mut memory).unwrap();
    memory
}

fn run_with(plan: &Plan, launch: &Launch, options: RunOptions) -> RunResult {
    run(plan, launch, &gtx480(), &options)
        .unwrap_or_else(|error| panic!("{} on {}: {error}", plan.kernel.name, plan.scheme))
}

fn options(policy: SchedulerPolicy, backend: Backend, every_cycle: bool) -> RunOptions {
    RunOptions {
        backend,
        scheduler: Some(policy),
        every_cycle,
        ..RunOptions::default()
    }
}

#[test]
fn bundled_kernels_agree_with_their_references_under_every_scheme() {
    use SchedulerPolicy::{Gto, Lrr};
    let others = [("baseline", Lrr), ("paired-safe", Lrr), ("paired", Gto)];
    for (bundled, other) in bundled::all().iter().zip(others.iter().cycle()) {
        let (kernel, prepared, launch) = bundled_launch(bundled);
        for (scheme, policy) in [("regmutex", Gto), *other] {
            let plan = plan_for(scheme, &kernel, &launch);
            let result = run_with(&plan, &launch, options(policy, Backend::Model, false));
            bundled
                .verify(&prepared, &result.memory)
                .unwrap_or_else(|wrong| panic!("{} under {scheme}: {wrong}", bundled.name));
        }
    }
}

#[test]
fn generated_kernels_leave_the_memory_that_the_interpreter_leaves() {
    for seed in 0..24 {
        let generated = generate(seed, &GenOptions::varied(seed));
        let launch = generated_launch(&generated);
        let expected = interpreted(&generated.kernel, &launch);
        let kernel = allocated(&generated.kernel);
        for scheme in ["baseline", "regmutex", "paired", "paired-safe"] {
            let plan = plan_for(scheme, &kernel, &launch);
            use SchedulerPolicy::{Gto, Lrr, TwoLevel};
            for policy in [Gto, Lrr, TwoLevel(1), TwoLevel(3)] {
                let result = run_with(&plan, &launch, options(policy, Backend::Model, false));
                let difference = result.memory.first_difference(&expected);
                assert_eq!(difference, None, "seed {seed}, {scheme}, {policy:?}");
                assert_eq!(result.counters.registers.uninitialised_reads, 0);
            }
        }
    }
}

/// Nobody waits outside a ready queue in which all have a place.
#[test]
fn two_levels_with_room_for_all_warps_are_loose_round_robin() {
    let mut fewer_are_others = 0;
    for seed in 0..8 {
        let generated = generate(seed, &GenOptions::varied(seed));
        let launch = generated_launch(&generated);
        let kernel = allocated(&generated.kernel);
        let plan = plan_for("regmutex", &kernel, &launch);
        let cycles =
            |policy| run_with(&plan, &launch, options(policy, Backend::Model, false)).cycles;
        let lrr = cycles(SchedulerPolicy::Lrr);
        assert_eq!(cycles(SchedulerPolicy::TwoLevel(64)), lrr, "seed {seed}");
        fewer_are_others += u32::from(cycles(SchedulerPolicy::TwoLevel(1)) != lrr);
    }
    assert!(fewer_are_others > 0);
}

#[test]
fn skipping_idle_cycles_changes_nothing() {
    for seed in 0..12 {
        let generated = generate(seed, &GenOptions::varied(seed));
        let launch = generated_launch(&generated);
        let plan = plan_for("regmutex", &allocated(&generated.kernel), &launch);
        for policy in [SchedulerPolicy::Gto, SchedulerPolicy::TwoLevel(2)] {
            let skipped = run_with(&plan, &launch, options(policy, Backend::Model, false));
            let every = run_with(&plan, &launch, options(policy, Backend::Model, true));
            assert_eq!(skipped.counters, every.counters, "seed {seed}, {policy}");
            assert_eq!(skipped.memory, every.memory);
            assert!(skipped.skipped_cycles > 0);
            assert_eq!(every.skipped_cycles, 0);
        }
    }
}

#[test]
fn every_issue_slot_has_one_cause() {
    for name in ["bfs", "reduction"] {
        let Some(bundled) = bundled::find(name) else {
            continue;
        };
        let (kernel, _, launch) = bundled_launch(bundled);
        let plan = plan_for("regmutex", &kernel, &launch);
        let result = run_with(&plan, &launch, RunOptions::default());
        let slots = result.counters.slots;
        assert_eq!(slots.total(), result.cycles * 2, "{name}: {slots:?}");
        assert_eq!(slots.issued, result.counters.warp_instructions);
    }
}

#[test]
fn backends_agree_in_cycles_counters_and_memory() {
    for seed in [1, 5, 8] {
        let generated = generate(seed, &GenOptions::varied(seed));
        let launch = generated_launch(&generated);
        let kernel = allocated(&generated.kernel);
        for scheme in ["baseline", "regmutex", "paired", "paired-safe"] {
            let plan = plan_for(scheme, &kernel, &launch);
            let results = [Backend::Model, Backend::Rtl, Backend::Lockstep].map(|backend| {
                run_with(
                    &plan,
                    &launch,
                    options(SchedulerPolicy::Gto, backend, false),
                )
            });
            for other in &results[1..] {
                assert_eq!(results[0].counters, other.counters, "seed {seed}, {scheme}");
                assert_eq!(results[0].memory, other.memory, "seed {seed}, {scheme}");
            }
        }
    }
}
