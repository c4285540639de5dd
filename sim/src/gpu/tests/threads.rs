//! The result does not depend on the number of threads, and what is idle costs nothing.

use super::stalls::assert_complete;
use super::{GLOBAL, mixed, one_sm, policies, replay, trace};
use crate::gpu::{GpuMachine, KernelResult, ReplayOptions};
use crate::machine::SchedulerPolicy;
use proptest::prelude::*;
use std::num::NonZeroUsize;

fn on(machine: &GpuMachine, text: &str, policy: SchedulerPolicy, threads: usize) -> KernelResult {
    let options = ReplayOptions {
        scheduler: Some(policy),
        threads: NonZeroUsize::new(threads).expect("some"),
        stalls: true,
        ..ReplayOptions::default()
    };
    replay(machine, text, &options).expect("it runs")
}

/// The result with all in step and every cycle simulated; what was simulated is taken from `other`.
fn in_step(
    machine: &GpuMachine,
    text: &str,
    policy: SchedulerPolicy,
    other: &KernelResult,
) -> KernelResult {
    let options = ReplayOptions {
        scheduler: Some(policy),
        every_cycle: true,
        stalls: true,
        ..ReplayOptions::default()
    };
    KernelResult {
        simulated_sm_cycles: other.simulated_sm_cycles,
        simulated_channel_cycles: other.simulated_channel_cycles,
        ..replay(machine, text, &options).expect("it runs")
    }
}

/// Loads that miss, stores, atomics and arithmetic, spread over as much memory as `lines` says.
pub(super) fn spread(lines: u64, seed: u64) -> impl Fn(u64, u64) -> String {
    move |warp, n| {
        let number = (warp * 977 + n * 31 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let at = GLOBAL + number % lines * 128;
        let dst = 4 + number % 20;
        match number % 5 {
            0 => format!("ffffffff 1 R{dst} LDG.E.SYS 1 R2 4 1 {at:#x} 4 0"),
            1 => format!("ffffffff 1 R{dst} LDG.E.SYS 1 R2 4 1 {at:#x} 128 0"),
            2 => format!("00ff00ff 0 STG.E.SYS 2 R2 R{dst} 4 0{} 0", list(at)),
            _ => mixed(warp, n),
        }
    }
}

/// Addresses of the sixteen lanes of a store.
fn list(at: u64) -> String {
    (0..16)
        .map(|lane| format!(" {:#x}", at + lane * 4))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn small_traces_replay_the_same_on_any_number_of_threads(
        name in prop::sample::select(vec!["qv100", "rtx3070", "gtx480"]),
        policy in prop::sample::select(policies().to_vec()),
        sms in 1u32..12,
        channels in 1u32..4,
        ctas in 1u64..30,
        warps in 1u64..7,
        count in 1u64..40,
        lines in 1u64..5000,
        latency in prop::sample::select(vec![0, 1, 20, 160]),
        packets in prop::sample::select(vec![2, 8, 512]),
        seed in 0u64..1000,
    ) {
        let mut machine = GpuMachine::preset(name).expect("bundled").cut(sms, channels);
        machine.l2.latency = latency;
        machine.interconnect.input_packets = packets;
        machine.interconnect.output_packets = packets;
        let binary = if name == "rtx3070" { 80 } else { 70 };
        let text = trace(ctas, warps, count, binary, &spread(lines, seed));
        let one = on(&machine, &text, policy, 1);
        assert_complete(&one, &machine, name);
        prop_assert_eq!(&one, &on(&machine, &text, policy, 2));
        prop_assert_eq!(&one, &on(&machine, &text, policy, 8));
        let whole = in_step(&machine, &text, policy, &one);
        prop_assert_eq!(one, whole, "in step");
    }
}

#[test]
fn whole_chip_gives_the_same_bytes_on_any_number_of_threads() {
    let machine = GpuMachine::preset("qv100").expect("bundled");
    let text = trace(200, 8, 30, 70, &spread(20_000, 1));
    let bytes = |threads| {
        let result = on(&machine, &text, machine.issue.policy, threads);
        serde_json::to_string(&result).expect("plain numbers")
    };
    let one = bytes(1);
    assert_eq!(
        (one.as_str(), one.as_str()),
        (bytes(2).as_str(), bytes(8).as_str())
    );
}

#[test]
fn long_spans_give_what_all_in_step_give() {
    for (name, binary) in [("qv100", 70), ("rtx3070", 80), ("gtx480", 70)] {
        let machine = GpuMachine::preset(name).expect("bundled").cut(4, 2);
        let text = trace(16, 4, 400, binary, &spread(3000, 7));
        let policy = machine.issue.policy;
        let spans = on(&machine, &text, policy, 2);
        assert_eq!(spans, in_step(&machine, &text, policy, &spans), "{name}");
    }
}

#[test]
fn idle_sms_and_channels_cost_nothing() {
    let (small, binary) = one_sm("qv100");
    let mut large = GpuMachine::preset("qv100").expect("bundled").cut(80, 2);
    large.icache = None;
    let text = trace(1, 4, 60, binary, &mixed);
    let [small, large] = [small, large].map(|machine| on(&machine, &text, SchedulerPolicy::Lrr, 1));
    assert_eq!(large.cycles, small.cycles);
    assert_eq!(large.simulated_sm_cycles, small.simulated_sm_cycles);
    assert_eq!(
        large.simulated_channel_cycles,
        small.simulated_channel_cycles
    );
    // One warp that waits for memory: neither does the SM that has it cost anything meanwhile.
    let loads = |_: u64, n: u64| {
        format!(
            "ffffffff 1 R4 LDG.E.SYS 1 R4 4 1 {:#x} 4 0",
            GLOBAL + n * 4096
        )
    };
    let machine = GpuMachine::preset("qv100").expect("bundled");
    let result = on(
        &machine,
        &trace(1, 1, 60, binary, &loads),
        SchedulerPolicy::Lrr,
        1,
    );
    assert!(result.simulated_sm_cycles * 4 < result.cycles, "{result:?}");
    assert!(
        result.simulated_channel_cycles < 2 * result.cycles,
        "{result:?}"
    );
}
