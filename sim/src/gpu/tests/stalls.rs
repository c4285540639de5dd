//! Every slot of every cycle has one cause, and it is the right one.

use super::threads::spread;
use super::{Body, GLOBAL, SHARED, mixed, one_sm, policies, replay, trace};
use crate::gpu::{Gpu, GpuMachine, KernelResult, ReplayOptions};
use crate::machine::SchedulerPolicy;
use crate::report::StallRecord;
use crate::trace::{KernelReader, ReadOptions};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;

type Slots = BTreeMap<String, u64>;

fn options(policy: SchedulerPolicy) -> ReplayOptions {
    ReplayOptions {
        scheduler: Some(policy),
        stalls: true,
        ..ReplayOptions::default()
    }
}

/// The slots without causes that have none.
fn some(slots: &Slots) -> Slots {
    let some = slots.iter().filter(|&(_, &slots)| slots > 0);
    some.map(|(cause, slots)| (cause.clone(), *slots)).collect()
}

fn sum<'a>(rows: impl Iterator<Item = &'a Slots>) -> Slots {
    let mut sum = Slots::new();
    for (cause, slots) in rows.flatten() {
        *sum.entry(cause.clone()).or_default() += slots;
    }
    sum
}

/// Over instructions, over warps and over SMs, cause by cause; and those of each SM are cycles x schedulers.
pub fn assert_complete(result: &KernelResult, machine: &GpuMachine, what: &str) {
    let all = some(&result.slots);
    let stalls = result.stalls.as_ref().expect("asked for");
    let [by_pc, by_warp] = rows(stalls);
    assert_eq!(sum(by_pc.into_iter()), all, "{what}");
    assert_eq!(sum(by_warp.into_iter()), all, "{what}");
    assert_eq!(sum(stalls.by_sm.iter().map(|sm| &sm.slots)), all, "{what}");
    assert_eq!(stalls.by_sm.len(), machine.chip.sms as usize, "{what}");
    for sm in &stalls.by_sm {
        let slots: u64 = sm.slots.values().sum();
        let wanted = result.cycles * u64::from(machine.issue.schedulers);
        assert_eq!(slots, wanted, "{what}, SM {}", sm.sm);
    }
    let issued = result.sm.warp_instructions;
    assert_eq!(result.slots["issued"], issued, "{what}");
    // Only slots that nobody had have no instruction and no warp.
    for row in &stalls.by_pc {
        let is_none = |cause: &String| matches!(cause.as_str(), "no warp" | "draining");
        assert_eq!(row.slots.keys().any(is_none), row.slots.keys().all(is_none));
        assert!(row.pc.is_none() || !row.slots.keys().any(is_none), "{what}");
    }
    for row in &stalls.by_warp {
        let lost = row.slots.contains_key("no warp");
        assert_eq!(lost, row.warp.is_none() && !row.slots.is_empty(), "{what}");
    }
}

fn rows(stalls: &StallRecord) -> [Vec<&Slots>; 2] {
    [
        stalls.by_pc.iter().map(|row| &row.slots).collect(),
        stalls.by_warp.iter().map(|row| &row.slots).collect(),
    ]
}

#[test]
fn slots_of_generated_traces_sum_to_cycles_times_schedulers_however_they_are_simulated() {
    for (name, binary) in [("qv100", 70), ("rtx3070", 80), ("gtx480", 70)] {
        for policy in policies() {
            let mut machine = GpuMachine::preset(name).expect("bundled").cut(5, 2);
            machine.chip.launch_latency = 17;
            machine.interconnect.input_packets = 4;
            let text = trace(9, 5, 40, binary, &spread(700, 3));
            let what = format!("{name} under {policy}");
            let bytes = |threads, every_cycle| {
                let options = ReplayOptions {
                    threads: NonZeroUsize::new(threads).expect("some"),
                    every_cycle,
                    ..options(policy)
                };
                let mut result = replay(&machine, &text, &options).expect("it runs");
                assert_complete(&result, &machine, &what);
                (result.simulated_sm_cycles, result.simulated_channel_cycles) = (0, 0);
                serde_json::to_string(&result).expect("plain numbers")
            };
            let skipping = bytes(1, false);
            assert_eq!(skipping, bytes(2, false), "{what}");
            assert_eq!(skipping, bytes(1, true), "{what}");
        }
    }
}

#[test]
fn slots_of_a_recorded_trace_and_of_the_kernel_after_it_are_complete() {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/trace/read/tests/data/small.traceg.xz");
    let machine = GpuMachine::preset("rtx3070").expect("bundled").cut(2, 2);
    let [skipping, whole] = [false, true].map(|every_cycle| {
        let mut gpu = Gpu::new(&machine);
        [(); 2].map(|()| {
            let mut reader = KernelReader::open(&file, &ReadOptions::default()).expect("a trace");
            let options = ReplayOptions {
                every_cycle,
                ..options(SchedulerPolicy::Gto)
            };
            let result = gpu.run(&mut reader, &options).expect("it runs");
            assert_complete(&result, &machine, "small");
            (result.cycles, result.stalls)
        })
    });
    assert_eq!(skipping, whole);
}

#[test]
fn asking_for_causes_changes_nothing_else() {
    let machine = GpuMachine::preset("qv100").expect("bundled").cut(3, 2);
    let text = trace(7, 5, 40, 70, &mixed);
    let mut asked = replay(&machine, &text, &options(SchedulerPolicy::Lrr)).expect("it runs");
    let plain = ReplayOptions {
        stalls: false,
        ..options(SchedulerPolicy::Lrr)
    };
    let plain = replay(&machine, &text, &plain).expect("it runs");
    assert_eq!((&plain.slots, &plain.stalls), (&Slots::new(), &None));
    (asked.slots, asked.stalls) = (Slots::new(), None);
    assert_eq!(asked, plain);
}

#[test]
fn each_instruction_has_as_many_issued_slots_as_warps_execute_it() {
    let machine = GpuMachine::preset("gtx480").expect("bundled").cut(2, 2);
    // At every other address, even warps execute another instruction than odd ones.
    let body = |warp: u64, n: u64| match n % 2 == 1 && warp.is_multiple_of(2) {
        true => "ffffffff 1 R4 MUFU.RCP 1 R4 0 0".to_owned(),
        false => mixed(warp, n),
    };
    let text = trace(4, 6, 10, 70, &body);
    let result = replay(&machine, &text, &options(SchedulerPolicy::Gto)).expect("it runs");
    assert_complete(&result, &machine, "two kinds of warps");
    let mut issued = BTreeMap::<u64, u64>::new();
    for row in result.stalls.expect("asked for").by_pc {
        let count = row.slots.get("issued").copied().unwrap_or(0);
        if let Some(pc) = row.pc {
            *issued.entry(pc).or_default() += count;
        }
    }
    let wanted = (0..12).map(|n| (n * 16, 4 * 6)).collect();
    assert_eq!(issued, wanted);
}

/// The causes of lost slots, by most, and at which instruction most of the first ones are; without `no warp`.
fn causes(name: &str, warps: u64, body: &Body) -> (Vec<String>, String) {
    let (machine, binary) = one_sm(name);
    let text = trace(1, warps, 60, binary, body);
    let result = replay(&machine, &text, &options(SchedulerPolicy::Lrr)).expect("it runs");
    assert_complete(&result, &machine, name);
    let mut by_most: Vec<_> = (result.slots.into_iter())
        .filter(|(cause, slots)| *slots > 0 && cause != "no warp" && cause != "issued")
        .collect();
    by_most.sort_by_key(|&(_, slots)| std::cmp::Reverse(slots));
    let first = by_most[0].0.clone();
    let by_pc = result.stalls.expect("asked for").by_pc;
    let most = by_pc
        .iter()
        .max_by_key(|row| row.slots.get(&first).copied().unwrap_or(0));
    let at = most.map_or_else(String::new, |row| row.instruction.clone());
    (by_most.into_iter().map(|(cause, _)| cause).collect(), at)
}

/// A trace in which odd instructions are one thing and even ones another.
fn in_turn(odd: &'static str, even: &'static str) -> impl Fn(u64, u64) -> String {
    move |_, n| if n % 2 == 1 { odd } else { even }.to_owned()
}

#[test]
fn waiting_is_put_down_to_what_the_instruction_waits_for() {
    let used = "ffffffff 1 R8 FFMA 3 R4 R4 R6 0 0";
    let dependent = in_turn(used, "ffffffff 1 R4 FFMA 3 R8 R8 R6 0 0");
    assert_eq!(causes("qv100", 1, &dependent).0[0], "scoreboard");

    let load = format!("ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 {GLOBAL:#x} 4 0");
    let scratchpad = format!("ffffffff 1 R4 LDS.U 1 R3 4 1 {SHARED:#x} 4 0");
    for load in [load, scratchpad] {
        let loads = move |_: u64, n: u64| {
            if n % 2 == 1 {
                used.to_owned()
            } else {
                load.clone()
            }
        };
        let (found, at) = causes("qv100", 1, &loads);
        assert_eq!(
            (found[0].as_str(), at.as_str()),
            ("memory data", "FFMA R8, R4, R4, R6")
        );
    }

    let atomic = format!("ffffffff 1 R4 ATOMG.E.ADD.STRONG.GPU 2 R2 R9 4 1 {GLOBAL:#x} 0 0");
    let atomics = move |_: u64, n: u64| {
        if n % 2 == 1 {
            atomic.clone()
        } else {
            used.to_owned()
        }
    };
    assert_eq!(causes("qv100", 1, &atomics).0[0], "memory data");
}

#[test]
fn warp_that_comes_early_waits_at_the_barrier_and_one_with_a_fence_at_the_fence() {
    let (machine, binary) = one_sm("gtx480");
    let body = |warp: u64, n: u64| match (n % 4, warp) {
        (3, _) => "ffffffff 0 BAR.SYNC 0 0 0".to_owned(),
        (2, 0) => "ffffffff 0 MEMBAR.SC.GPU 0 0 0".to_owned(),
        (_, 0) => format!("ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 {GLOBAL:#x} 4 0"),
        _ => "ffffffff 1 R5 FFMA 3 R6 R7 R8 0 0".to_owned(),
    };
    let text = trace(1, 2, 60, binary, &body);
    let result = replay(&machine, &text, &options(SchedulerPolicy::Lrr)).expect("it runs");
    assert_complete(&result, &machine, "barriers");
    let stalls = result.stalls.expect("asked for");
    let most = |slots: &Slots| {
        let most = slots.iter().max_by_key(|&(_, slots)| slots);
        most.map_or_else(String::new, |(cause, _)| cause.clone())
    };
    assert_eq!(most(&stalls.by_warp[1].slots), "barrier");
    let at = |cause: &str| -> Vec<&str> {
        let rows = stalls.by_pc.iter();
        rows.filter(|row| row.slots.contains_key(cause))
            .map(|row| row.instruction.as_str())
            .collect()
    };
    assert!(!at("barrier").is_empty() && at("barrier").iter().all(|inst| *inst == "BAR.SYNC"));
    assert!(
        at("scoreboard").contains(&"MEMBAR.SC.GPU"),
        "{:?}",
        at("scoreboard")
    );
}

#[test]
fn a_full_pipeline_is_put_down_to_what_fills_it() {
    // An instruction of double precision keeps the unit of this machine for 64 cycles and more.
    let double = |_: u64, n: u64| format!("ffffffff 1 R{} DFMA 3 R40 R42 R44 0 0", 4 + n % 16 * 2);
    assert_eq!(causes("rtx3070", 8, &double).0[0], "unit busy");
    // Sixteen-way conflicts in scratchpad.
    let conflicts = |_: u64, n: u64| {
        format!(
            "ffffffff 1 R{} LDS.U 1 R3 4 1 {SHARED:#x} 128 0",
            4 + n % 16
        )
    };
    assert_eq!(causes("qv100", 8, &conflicts).0[0], "unit busy");
    // All operands in one bank.
    let banks = |_: u64, n: u64| format!("ffffffff 1 R{} FFMA 3 R20 R36 R52 0 0", 4 + n % 12);
    assert_eq!(causes("gtx480", 2, &banks).0[0], "collector full");
    // More lines on their way than the first level can wait for.
    let misses = |warp: u64, n: u64| {
        let at = GLOBAL + (warp * 64 + n) * 4096;
        format!(
            "ffffffff 1 R{} LDG.E.SYS 1 R2 4 1 {at:#x} 128 0",
            4 + n % 32
        )
    };
    assert_eq!(causes("gtx480", 8, &misses).0[0], "memory structural");
    // What has issued all only waits for its stores.
    let stores = |warp: u64, n: u64| {
        let at = GLOBAL + (warp * 64 + n) * 4096;
        format!("ffffffff 0 STG.E.SYS 2 R2 R4 4 1 {at:#x} 128 0")
    };
    assert!(
        causes("qv100", 1, &stores)
            .0
            .contains(&"draining".to_owned())
    );
}

#[test]
fn instruction_misses_are_put_down_to_fetch_and_empty_sms_to_no_warp() {
    let machine = GpuMachine::preset("gtx480").expect("bundled").cut(4, 2);
    let body = |_: u64, n: u64| format!("ffffffff 1 R{} FFMA 3 R40 R41 R42 0 0", 4 + n % 24);
    let text = trace(1, 1, 120, 70, &body);
    let result = replay(&machine, &text, &options(SchedulerPolicy::Lrr)).expect("it runs");
    assert_complete(&result, &machine, "one warp");
    let slots = |sm: usize| &result.stalls.as_ref().expect("asked for").by_sm[sm].slots;
    let busy: Vec<usize> = (0..4).filter(|&sm| slots(sm).len() > 1).collect();
    assert_eq!(busy.len(), 1);
    let of_one = slots(busy[0]);
    assert!(of_one["fetch"] > of_one["issued"], "{of_one:?}");
    for sm in (0..4).filter(|sm| !busy.contains(sm)) {
        assert_eq!(slots(sm)["no warp"], 2 * result.cycles);
    }
}
