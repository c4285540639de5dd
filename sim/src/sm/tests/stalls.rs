//! Issue slots put down to instructions and warps.

use super::programs::{allocated, bundled_launch, generated_launch, plan_for};
use super::support::gtx480;
use crate::bundled;
use crate::machine::SchedulerPolicy;
use crate::observe::cause::Cause;
use crate::observe::counters::IssueSlots;
use crate::observe::stalls::StallTable;
use crate::scheme::Plan;
use crate::sm::{Launch, RunOptions, RunResult, run};
use crate::testing::{GenOptions, generate};
use std::sync::{Arc, Mutex};

fn watched(
    plan: &Plan,
    launch: &Launch,
    policy: SchedulerPolicy,
    every_cycle: bool,
) -> (RunResult, StallTable) {
    let table = Arc::new(Mutex::new(StallTable::default()));
    let options = RunOptions {
        scheduler: Some(policy),
        every_cycle,
        watchers: vec![table.clone()],
        ..RunOptions::default()
    };
    let result = run(plan, launch, &gtx480(), &options).unwrap();
    let table = table.lock().unwrap().clone();
    (result, table)
}

fn sums(of: &[IssueSlots], rest: &IssueSlots) -> Vec<u64> {
    let mut sums = vec![0; Cause::ALL.len()];
    for slots in of.iter().chain([rest]) {
        for (sum, (_, slots)) in sums.iter_mut().zip(slots.named()) {
            *sum += slots;
        }
    }
    sums
}

/// Cause by cause, over instructions and over warps, and with that cycles x schedulers.
fn assert_complete(result: &RunResult, table: &StallTable, what: &str) {
    let slots = &result.counters.slots;
    let counted = slots.named().map(|(_, slots)| slots);
    assert_eq!(sums(&table.by_pc, &table.without_pc), counted, "{what}");
    assert_eq!(sums(&table.by_warp, &table.without_warp), counted, "{what}");
    assert_eq!(slots.total(), 2 * result.cycles, "{what}");
    let only = |slots: &IssueSlots| slots.draining + slots.no_warp;
    assert_eq!(only(&table.without_pc), only(slots), "{what}");
    assert_eq!(table.without_warp.no_warp, slots.no_warp, "{what}");
}

#[test]
fn slots_of_generated_kernels_sum_over_instructions_and_over_warps_to_those_of_the_run() {
    for seed in 0..16 {
        let generated = generate(seed, &GenOptions::varied(seed));
        let launch = generated_launch(&generated);
        let kernel = allocated(&generated.kernel);
        for scheme in ["baseline", "regmutex", "paired-safe"] {
            let plan = plan_for(scheme, &kernel, &launch);
            for policy in [SchedulerPolicy::Gto, SchedulerPolicy::TwoLevel(2)] {
                let (result, table) = watched(&plan, &launch, policy, false);
                let what = format!("seed {seed} under {scheme}, {policy}");
                assert_complete(&result, &table, &what);
            }
        }
    }
}

#[test]
fn slots_of_bundled_kernels_sum_over_instructions_and_over_warps_to_those_of_the_run() {
    for (name, scheme) in [
        ("bfs", "regmutex"),
        ("convsep", "paired-safe"),
        ("treescore", "shared-owf-unroll"),
        ("treescore", "rfv"),
    ] {
        let (kernel, _, launch) = bundled_launch(bundled::find(name).unwrap());
        let plan = plan_for(scheme, &kernel, &launch);
        let (result, table) = watched(&plan, &launch, SchedulerPolicy::Gto, false);
        assert_complete(&result, &table, &format!("{name} under {scheme}"));
    }
}

#[test]
fn skipped_cycles_are_put_down_to_the_same_instructions_and_warps() {
    for seed in 0..8 {
        let generated = generate(seed, &GenOptions::varied(seed));
        let launch = generated_launch(&generated);
        let plan = plan_for("regmutex", &allocated(&generated.kernel), &launch);
        for policy in [SchedulerPolicy::Gto, SchedulerPolicy::TwoLevel(2)] {
            let (skipping, skipped) = watched(&plan, &launch, policy, false);
            let (_, every) = watched(&plan, &launch, policy, true);
            assert!(skipping.skipped_cycles > 0);
            assert_eq!(skipped, every, "seed {seed}, {policy}");
        }
    }
}

#[test]
fn watching_changes_nothing() {
    let (kernel, _, launch) = bundled_launch(bundled::find("bfs").unwrap());
    let plan = plan_for("regmutex", &kernel, &launch);
    let plain = run(&plan, &launch, &gtx480(), &RunOptions::default()).unwrap();
    let policy = gtx480().schedulers.policy;
    let (watched, _) = watched(&plan, &launch, policy, false);
    assert_eq!(plain.counters, watched.counters);
    assert_eq!(plain.skipped_cycles, watched.skipped_cycles);
}

/// Of a load and its use, the use waits; of a barrier, those at the barrier.
#[test]
fn waiting_is_put_down_to_the_instruction_that_waits() {
    let (kernel, _, launch) = bundled_launch(bundled::find("reduction").unwrap());
    let plan = plan_for("baseline", &kernel, &launch);
    let (_, table) = watched(&plan, &launch, SchedulerPolicy::Gto, false);
    let mut barriers = 0;
    for (inst, slots) in table.insts.iter().zip(&table.by_pc) {
        let is_barrier = inst.text.contains("bar.");
        assert!(is_barrier || slots.barrier == 0, "{}", inst.text);
        barriers += slots.barrier;
    }
    assert!(barriers > 0 && table.by_pc.iter().any(|slots| slots.memory_data > 0));
}
