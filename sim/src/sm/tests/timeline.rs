//! Timelines, read back by readers of their own.

use super::programs::{allocated, generated_launch, plan_for};
use super::sharing::sharing_kernel;
use super::support::{gtx480, launch, sharing_plan};
use crate::observe::testing::{Log, Sink, Trace};
use crate::observe::timeline::{Kanata, Perfetto};
use crate::observe::watch::Watcher;
use crate::observe::wave::Window;
use crate::scheme::Plan;
use crate::sm::{Launch, RunError, RunOptions, RunResult, run};
use crate::testing::{GenOptions, generate};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

fn record<W: Watcher + 'static>(
    plan: &Plan,
    launch: &Launch,
    watcher: impl FnOnce(Sink) -> W,
) -> (Result<RunResult, RunError>, String) {
    let sink = Sink::default();
    let options = RunOptions {
        watchers: vec![Arc::new(Mutex::new(watcher(sink.clone())))],
        ..RunOptions::default()
    };
    let result = run(plan, launch, &gtx480(), &options);
    let text = sink.text();
    (result, text)
}

/// A small kernel whose registers are renamed.
fn renaming() -> (Plan, Launch) {
    let generated = generate(3, &GenOptions::varied(3));
    let launch = generated_launch(&generated);
    (
        plan_for("rfv", &allocated(&generated.kernel), &launch),
        launch,
    )
}

fn perfetto(plan: &Plan, launch: &Launch) -> (RunResult, Trace) {
    let (result, text) = record(plan, launch, |sink| Perfetto::new(sink, None));
    (result.unwrap(), serde_json::from_str(&text).unwrap())
}

#[test]
fn slices_of_a_track_follow_one_another_and_end_with_the_run() {
    let kernel = sharing_kernel(3);
    let plan = sharing_plan(&kernel, 64, 16, 8, 2);
    let (result, trace) = perfetto(&plan, &launch(12, 64));
    let mut tracks = BTreeMap::<(u32, u32), Vec<(u64, u64)>>::new();
    for slice in trace.events.iter().filter(|event| event.ph == "X") {
        assert!(slice.dur > 0);
        let track = tracks.entry((slice.pid, slice.tid)).or_default();
        track.push((slice.ts, slice.ts + slice.dur));
    }
    for (track, mut slices) in tracks {
        slices.sort_unstable();
        for pair in slices.windows(2) {
            assert!(pair[0].1 <= pair[1].0, "track {track:?}: {pair:?}");
        }
        assert!(slices.last().unwrap().1 <= result.cycles);
    }
    assert_eq!(trace.of("X", "cta").count() as u64, result.counters.ctas);
}

#[test]
fn slices_of_a_trace_are_the_instructions_and_refusals_that_the_run_counted() {
    let kernel = sharing_kernel(3);
    let plan = sharing_plan(&kernel, 64, 16, 8, 2);
    let (result, trace) = perfetto(&plan, &launch(12, 64));
    let issued = trace.of("X", "issue").count() as u64;
    assert_eq!(issued, result.counters.warp_instructions);
    let named = |name: &str| trace.of("X", "wait").any(|slice| slice.name == name);
    assert!(
        named("not chosen") && !named("no warp"),
        "of warps that are there"
    );
    let waits = trace.of("X", "wait");
    let refused: u64 = (waits.filter(|slice| slice.name == "refused"))
        .map(|slice| slice.dur)
        .sum();
    assert!(refused > 0);
    assert_eq!(refused, result.counters.slots.refused);
}

#[test]
fn arrows_go_from_a_release_to_the_acquire_that_it_wakes() {
    let kernel = sharing_kernel(1);
    let plan = sharing_plan(&kernel, 64, 16, 8, 1);
    let (result, trace) = perfetto(&plan, &launch(8, 64));
    let acquire = result.counters.acquire;
    let ends: BTreeMap<u64, _> = trace.of("f", "wakes").map(|f| (f.id, f)).collect();
    let starts: Vec<_> = trace.of("s", "wakes").collect();
    // With one section, each that was refused waits for the one before it.
    assert_eq!(starts.len() as u64, acquire.executed - acquire.first_try);
    assert!(starts.len() > 2 && starts.len() == ends.len());
    for start in starts {
        let end = ends[&start.id];
        assert_eq!((&*start.name, &*end.name), ("section 0", "section 0"));
        assert!(start.ts < end.ts && start.tid != end.tid);
        assert!(trace.slice_at(start).name.contains("release"));
        assert!(trace.slice_at(end).name.contains("acquire"));
    }
}

#[test]
fn counters_of_a_trace_reach_the_peaks_of_the_run_and_come_back_to_nothing() {
    let counter = |trace: &Trace, name: &str| -> Vec<u64> {
        let named = trace.of("C", "").filter(|event| event.name == name);
        named
            .map(|event| event.args["value"].as_u64().unwrap())
            .collect()
    };
    let (result, trace) = perfetto(
        &sharing_plan(&sharing_kernel(3), 64, 16, 8, 2),
        &launch(12, 64),
    );
    let warps = counter(&trace, "resident warps");
    assert_eq!(warps.iter().max(), Some(&result.counters.peak_warps));
    assert_eq!(counter(&trace, "resident CTAs").last(), Some(&0));
    assert_eq!(counter(&trace, "held of the shared pool").last(), Some(&0));
    assert!(counter(&trace, "held of the shared pool").len() > 2);
    let (plan, launch) = renaming();
    let (result, trace) = perfetto(&plan, &launch);
    let packs = counter(&trace, "packs mapped");
    let peak = result.renaming.unwrap().peak_packs;
    assert_eq!(packs.iter().max(), Some(&peak));
}

#[test]
fn every_instruction_of_a_kanata_log_goes_through_its_stages_in_order_and_retires_once() {
    let kernel = sharing_kernel(3);
    let shared = sharing_plan(&kernel, 64, 16, 8, 2);
    let (renamed, grid) = renaming();
    for (name, plan, launch) in [
        ("shared", shared, launch(12, 64)),
        ("renamed", renamed, grid),
    ] {
        let (result, text) = record(&plan, &launch, |sink| Kanata::new(sink, None));
        let (result, log) = (result.unwrap(), Log::read(&text));
        assert_eq!(log.insts.len(), log.retired.len(), "{name}");
        let done = log.retired.values().filter(|(_, how)| *how == 0).count() as u64;
        let words = result.renaming.map_or(0, |counts| counts.pbr_decoded);
        assert_eq!(done, result.counters.warp_instructions + words, "{name}");
        let mut by_cycle = BTreeMap::<u64, u32>::new();
        for (id, (_, stages)) in &log.insts {
            let names: String = stages.iter().map(|(stage, _)| &**stage).collect();
            let (end, how) = log.retired[id];
            let known = match how {
                0 => ["FD", "FDI", "FDIOX", "FDIOXW"].contains(&&*names),
                _ => ["F", "FD"].contains(&&*names),
            };
            assert!(known, "{name}: instruction {id} went through {names}");
            assert!(stages.windows(2).all(|two| two[0].1 <= two[1].1));
            assert!(stages.last().unwrap().1 <= end && end <= result.cycles);
            if let Some((_, cycle)) = stages.iter().find(|(stage, _)| stage == "I") {
                *by_cycle.entry(*cycle).or_default() += 1;
                assert_eq!(stages[0].1 + 1, stages[1].1, "decoded in the next cycle");
            }
        }
        assert!(by_cycle.values().all(|&issued| issued <= 2));
        assert!(log.insts.values().any(|(thread, _)| *thread > 0));
    }
}

#[test]
fn timeline_keeps_to_its_window_and_refuses_one_behind_the_end() {
    let kernel = sharing_kernel(1);
    let plan = sharing_plan(&kernel, 64, 16, 8, 1);
    let launch = launch(8, 64);
    let window = |from, until| Some(Window { from, until });
    let (_, text) = record(&plan, &launch, |sink| Perfetto::new(sink, window(20, 60)));
    let trace: Trace = serde_json::from_str(&text).unwrap();
    let timed = || trace.events.iter().filter(|event| event.ph != "M");
    assert!(timed().all(|event| event.ts >= 20 && event.ts + event.dur <= 60));
    assert!(timed().count() > 20);
    let (_, text) = record(&plan, &launch, |sink| Kanata::new(sink, window(20, 60)));
    let log = Log::read(&text);
    let fetched = log.insts.values().map(|(_, stages)| stages[0].1);
    assert!(fetched.clone().all(|cycle| (20..60).contains(&cycle)) && fetched.count() > 5);
    let late = |sink| Kanata::new(sink, window(1 << 30, u64::MAX));
    let (result, _) = record(&plan, &launch, late);
    let error = result.unwrap_err().to_string();
    assert!(error.contains("begin it earlier"), "{error}");
}
