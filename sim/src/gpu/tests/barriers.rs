//! Barriers of which the trace tells number or count.

use super::{one_sm, replay, trace};
use crate::gpu::{GpuMachine, KernelResult, ReplayError, ReplayOptions};

const CHAIN: &str = "ffffffff 1 R4 IMAD 3 R4 R5 R6 0 0";

fn run(warps: u64, count: u64, body: &super::Body) -> Result<KernelResult, ReplayError> {
    let (machine, binary) = one_sm("qv100");
    let text = trace(1, warps, count, binary, body);
    replay(&machine, &text, &ReplayOptions::default())
}

fn cycles(warps: u64, count: u64, body: &super::Body) -> u64 {
    run(warps, count, body).expect("it runs").cycles
}

/// 100 dependent instructions of warp `late`; the others come to `barrier` at once, and it comes to `other` in the end.
fn late_warp(late: u64, barrier: &'static str, other: &'static str) -> impl Fn(u64, u64) -> String {
    move |warp, n| match (warp == late, n) {
        (false, 0) => format!("ffffffff 0 {barrier}"),
        (true, 100) => format!("ffffffff 0 {other}"),
        (true, _) => CHAIN.to_owned(),
        // Behind the barrier as much again.
        (false, _) => CHAIN.to_owned(),
    }
}

#[test]
fn warp_that_only_arrives_does_not_wait_for_the_late_one() {
    let waits = cycles(2, 101, &late_warp(1, "BAR.SYNC 0 0 64", "BAR.SYNC 0 0 64"));
    let arrives = cycles(2, 101, &late_warp(1, "BAR.ARV 0 0 64", "BAR.SYNC 0 0 64"));
    assert!(waits > arrives + 600, "{waits} and {arrives}");
    // Nor does it wait where the trace tells no count.
    let untold = cycles(2, 101, &late_warp(1, "BAR.ARV 0 0 0", "BAR.SYNC 0 0 0"));
    assert_eq!(untold, arrives);
}

#[test]
fn barrier_for_some_warps_does_not_wait_for_the_others() {
    let body = |count: u64| {
        move |warp: u64, n: u64| match (warp, n) {
            // Warp 2 takes its time and comes to no barrier.
            (0 | 1, 0) => format!("ffffffff 0 BAR.SYNC 0 0 {count}"),
            (0 | 1, 60..) => "ffffffff 0 NOP 0 0 0".to_owned(),
            (0 | 1, _) => CHAIN.to_owned(),
            _ => CHAIN.to_owned(),
        }
    };
    let (some, all) = (cycles(3, 120, &body(64)), cycles(3, 120, &body(0)));
    assert!(some + 300 < all, "{some} and {all}");
}

#[test]
fn producer_and_consumer_hand_over_a_buffer_in_turn() {
    // The producer waits until it is empty and says that it is full; the consumer the other way round, and is slow.
    let body = |warp: u64, n: u64| match (warp, n % 4) {
        (0, 0) => "ffffffff 0 BAR.SYNC 0 0 64".to_owned(),
        (0, 3) => "ffffffff 0 BAR.ARV 0 0 64".to_owned(),
        (1, 0) => "ffffffff 0 BAR.ARV 0 0 64".to_owned(),
        (1, 1) => "ffffffff 0 BAR.SYNC 0 0 64".to_owned(),
        (1, _) => "ffffffff 1 R4 MUFU.RCP 1 R4 0 0".to_owned(),
        _ => CHAIN.to_owned(),
    };
    let turns = 32;
    let both = cycles(2, 4 * turns, &body);
    let consumer = cycles(1, 4 * turns, &|_, n| match n % 4 {
        0 | 1 => CHAIN.to_owned(),
        _ => "ffffffff 1 R4 MUFU.RCP 1 R4 0 0".to_owned(),
    });
    // Each turn holds the consumer's two slow instructions at least.
    assert!(both >= turns * 50, "{both}");
    assert!(both < 2 * consumer, "{both} and {consumer}");
}

#[test]
fn registers_that_hold_the_number_join_any_barrier() {
    let body = |warp: u64, n: u64| match (warp, n) {
        (0, 0) => "ffffffff 0 BAR.SYNC 1 R5 0 0".to_owned(),
        (_, 0) => "ffffffff 0 BAR.SYNC 0 0 3".to_owned(),
        _ => CHAIN.to_owned(),
    };
    assert!(run(4, 8, &body).is_ok());
}

#[test]
fn lanes_that_come_apart_never_end_in_a_hang() {
    // Half a warp comes to barrier 1 by itself, and the other half again; the other warp goes on to barrier 2.
    let body = |warp: u64, n: u64| match (warp, n) {
        (0, 0) => "0000ffff 0 BAR.SYNC 0 0 1".to_owned(),
        (0, 1) => "ffff0000 0 BAR.SYNC 0 0 1".to_owned(),
        (1, 0) => "ffffffff 0 BAR.SYNC 0 0 1".to_owned(),
        (_, 2) => "ffffffff 0 BAR.SYNC 0 0 2".to_owned(),
        _ => CHAIN.to_owned(),
    };
    assert!(run(2, 4, &body).is_ok());
}

#[test]
fn barriers_of_two_numbers_hang_only_where_warps_part() {
    let number = |warp: u64, n: u64| if warp == 1 && n == 7 { 5 } else { n % 3 };
    let body = move |warp: u64, n: u64| format!("ffffffff 0 BAR.SYNC 0 0 {}", number(warp, n));
    assert!(run(4, 7, &body).is_ok());
    let error = run(4, 8, &body).expect_err("it hangs");
    let text = error.to_string();
    assert!(matches!(error, ReplayError::Hang { .. }), "{text}");
    assert!(
        text.contains("warp 1") && text.contains("waits at barrier 5, where 1 of 4"),
        "{text}"
    );
}

/// Counts and arrivals change nothing of what is skipped.
#[test]
fn skipped_cycles_change_nothing_at_barriers_with_counts() {
    let machine = GpuMachine::preset("gtx480").expect("bundled").cut(2, 2);
    let body = |warp: u64, n: u64| match (warp % 4, n % 8) {
        (0 | 1, 3) => "ffffffff 0 BAR.SYNC 0 0 64".to_owned(),
        (2, 5) => "ffffffff 0 BAR.ARV 0 0 96".to_owned(),
        (0 | 1, 5) => "ffffffff 0 BAR.SYNC 0 0 96".to_owned(),
        _ => super::mixed(warp, n),
    };
    let text = trace(5, 4, 40, 70, &body);
    for policy in super::policies() {
        let options = |every_cycle| ReplayOptions {
            scheduler: Some(policy),
            every_cycle,
            ..ReplayOptions::default()
        };
        let skipping = replay(&machine, &text, &options(false)).expect("it runs");
        let mut whole = replay(&machine, &text, &options(true)).expect("it runs");
        whole.simulated_sm_cycles = skipping.simulated_sm_cycles;
        whole.simulated_channel_cycles = skipping.simulated_channel_cycles;
        assert_eq!(skipping, whole, "{policy}");
    }
}
