//! What a watcher of an SM is told, read back from timelines and waveforms by readers of their own.

use super::threads::spread;
use super::{Body, GLOBAL, SHARED, mixed, one_sm, plain, policies, replay, trace};
use crate::gpu::{GpuMachine, KernelResult, ReplayError, ReplayOptions, Watch};
use crate::machine::SchedulerPolicy;
use crate::observe::probe::{Probe, SharedProbe};
use crate::observe::testing::{Changes, Log, Sink, Trace, read_back};
use crate::observe::timeline::{Kanata, Perfetto};
use crate::observe::watch::{SharedWatcher, Watcher};
use crate::observe::wave::{TIME_PER_CYCLE, Wave, WaveOptions, Window};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

fn watcher<W: Watcher + 'static>(make: impl FnOnce(Sink) -> W) -> (SharedWatcher, Sink) {
    let sink = Sink::default();
    (Arc::new(Mutex::new(make(sink.clone()))), sink)
}

fn watching(sm: usize, watchers: Vec<SharedWatcher>, options: &ReplayOptions) -> ReplayOptions {
    ReplayOptions {
        watch: Some(Watch {
            sm,
            watchers,
            probe: None,
        }),
        ..options.clone()
    }
}

fn perfetto(
    machine: &GpuMachine,
    text: &str,
    sm: usize,
    options: &ReplayOptions,
) -> (KernelResult, String) {
    let (watcher, sink) = watcher(|sink| Perfetto::new(sink, None));
    let result = replay(machine, text, &watching(sm, vec![watcher], options));
    (result.expect("it runs"), sink.text())
}

fn kanata(machine: &GpuMachine, text: &str, options: &ReplayOptions) -> (KernelResult, Log) {
    let (watcher, sink) = watcher(|sink| Kanata::new(sink, None));
    let result = replay(machine, text, &watching(0, vec![watcher], options));
    (result.expect("it runs"), Log::read(&sink.text()))
}

fn wave(machine: &GpuMachine, text: &str, sm: usize, options: &ReplayOptions) -> (u64, Changes) {
    let sink = Sink::default();
    let wave: Arc<Mutex<dyn Probe>> =
        Arc::new(Mutex::new(Wave::new(sink.clone(), WaveOptions::default())));
    let probe: SharedProbe = wave.clone();
    let options = ReplayOptions {
        watch: Some(Watch {
            sm,
            watchers: Vec::new(),
            probe: Some(probe),
        }),
        ..options.clone()
    };
    let result = replay(machine, text, &options).expect("it runs");
    (result.cycles, read_back(&sink.bytes()).1)
}

fn number(value: &str) -> u64 {
    u64::from_str_radix(value, 2).unwrap_or(0)
}

/// The value of a signal in each cycle.
fn values(changes: &Changes, name: &str, cycles: u64) -> Vec<u64> {
    let mut all = vec![0; cycles as usize];
    let changes = changes.get(name).map_or(&[][..], |changes| changes);
    for (at, (time, value)) in changes.iter().enumerate() {
        let until = changes
            .get(at + 1)
            .map_or(cycles, |next| next.0 / TIME_PER_CYCLE);
        for cycle in time / TIME_PER_CYCLE..until.min(cycles) {
            all[cycle as usize] = number(value);
        }
    }
    all
}

fn options(policy: SchedulerPolicy) -> ReplayOptions {
    ReplayOptions {
        scheduler: Some(policy),
        ..ReplayOptions::default()
    }
}

/// Loads, stores, arithmetic and barriers on a machine that lets SMs wait for each other.
fn crowded(name: &str) -> (GpuMachine, String) {
    let mut machine = GpuMachine::preset(name).expect("bundled").cut(3, 2);
    machine.interconnect.input_packets = 4;
    let binary = if name == "rtx3070" { 80 } else { 70 };
    let body = |warp: u64, n: u64| match n % 13 {
        12 => "ffffffff 0 BAR.SYNC 0 0 0".to_owned(),
        _ => spread(700, 3)(warp, n),
    };
    (machine, trace(9, 5, 40, binary, &body))
}

#[test]
fn watching_changes_nothing_and_shows_the_same_however_an_sm_is_simulated() {
    for name in ["qv100", "rtx3070", "gtx480"] {
        let (machine, text) = crowded(name);
        for policy in policies() {
            let unwatched = replay(&machine, &text, &options(policy)).expect("it runs");
            let (mut result, shown) = perfetto(&machine, &text, 1, &options(policy));
            let ctas = result.watched_ctas.take();
            assert!(ctas.is_some_and(|ctas| ctas > 0), "{name} under {policy}");
            assert_eq!(result, unwatched, "{name} under {policy}");
            for (threads, every_cycle) in [(2, false), (1, true)] {
                let other = ReplayOptions {
                    threads: NonZeroUsize::new(threads).expect("some"),
                    every_cycle,
                    ..options(policy)
                };
                let (_, again) = perfetto(&machine, &text, 1, &other);
                let what = format!("{name} under {policy}, {threads} threads, {every_cycle}");
                assert!(shown == again, "{what}");
            }
            let waves = [false, true].map(|every_cycle| {
                let options = ReplayOptions {
                    every_cycle,
                    ..options(policy)
                };
                wave(&machine, &text, 1, &options)
            });
            assert!(waves[0] == waves[1], "{name} under {policy}");
        }
    }
}

#[test]
fn slices_are_the_instructions_and_ctas_of_the_sm_and_its_slots() {
    for name in ["qv100", "rtx3070", "gtx480"] {
        let (machine, text) = crowded(name);
        for policy in policies() {
            let options = ReplayOptions {
                stalls: true,
                ..options(policy)
            };
            let (mut issued, mut ctas) = (0, Vec::new());
            for sm in 0..3 {
                let what = format!("{name} under {policy}, SM {sm}");
                let (result, shown) = perfetto(&machine, &text, sm, &options);
                let shown: Trace = serde_json::from_str(&shown).expect("JSON");
                let mut tracks = BTreeMap::<(u32, u32), Vec<(u64, u64)>>::new();
                for slice in shown.events.iter().filter(|event| event.ph == "X") {
                    let track = tracks.entry((slice.pid, slice.tid)).or_default();
                    track.push((slice.ts, slice.ts + slice.dur));
                }
                for slices in tracks.values_mut() {
                    slices.sort_unstable();
                    assert!(slices.windows(2).all(|two| two[0].1 <= two[1].1), "{what}");
                    let apart = slices.windows(2).all(|two| two[0].1 <= two[1].0);
                    assert!(apart, "{what}");
                    assert!(slices.last().expect("some").1 <= result.cycles, "{what}");
                }
                let waits = |name: &str| shown.of("X", "wait").any(|slice| slice.name == name);
                assert!(waits("not chosen") && !waits("no warp"), "{what}");
                let here = shown.of("X", "issue").count() as u64;
                let stalls = result.stalls.as_ref().expect("asked for");
                assert_eq!(stalls.by_sm[sm].slots["issued"], here, "{what}");
                issued += here;
                ctas.extend(shown.of("X", "cta").map(|slice| slice.name.clone()));
                // Each warp is somewhere in each of its cycles.
                let of_warps = tracks.iter().filter(|((pid, _), _)| *pid == 1);
                let covered: u64 = of_warps
                    .flat_map(|(_, slices)| slices)
                    .map(|(from, until)| until - from)
                    .sum();
                let resident = shown.of("C", "").filter(|c| c.name == "resident warps");
                let counted: Vec<(u64, u64)> = resident
                    .map(|c| (c.ts, c.args["value"].as_u64().expect("a number")))
                    .collect();
                let ends = counted.iter().skip(1).map(|next| next.0);
                let ends = ends.chain([result.cycles]);
                let warp_cycles: u64 = (counted.iter().zip(ends))
                    .map(|(&(from, warps), until)| warps * (until - from))
                    .sum();
                assert_eq!(covered, warp_cycles, "{what}");
                if sm == 2 {
                    assert_eq!(issued, result.sm.warp_instructions, "{what}");
                }
            }
            ctas.sort_unstable();
            let all: Vec<String> = (0..9).map(|cta| format!("CTA {cta}")).collect();
            assert_eq!(ctas, all, "{name} under {policy}");
        }
    }
}

#[test]
fn every_instruction_goes_through_its_stages_in_order_and_retires_once() {
    for name in ["qv100", "rtx3070", "gtx480"] {
        let (machine, text) = crowded(name);
        let machine = machine.cut(1, 2);
        for policy in policies() {
            let what = format!("{name} under {policy}");
            let (result, log) = kanata(&machine, &text, &options(policy));
            assert_eq!(
                log.insts.len() as u64,
                result.sm.warp_instructions,
                "{what}"
            );
            assert_eq!(log.retired.len(), log.insts.len(), "{what}");
            let mut kinds = BTreeMap::<String, u64>::new();
            for (id, (_, stages)) in &log.insts {
                let names: String = stages.iter().map(|(stage, _)| &**stage).collect();
                let (end, how) = log.retired[id];
                assert_eq!(how, 0, "{what}: instruction {id} was not done");
                assert!(["FDIOX", "FDIOXW"].contains(&&*names), "{what}: {names}");
                assert!(stages.windows(2).all(|two| two[0].1 <= two[1].1), "{what}");
                assert!(stages.last().expect("some").1 <= end && end <= result.cycles);
                *kinds.entry(names).or_default() += 1;
            }
            assert_eq!(kinds.len(), 2, "{what}: stores have no result");
        }
    }
}

/// Cycles from one stage of each instruction of the only warp to another one of it.
fn distances(name: &str, body: &Body, from: &str, to: &str) -> Vec<u64> {
    let (machine, binary) = one_sm(name);
    let (_, log) = kanata(
        &machine,
        &trace(1, 1, 12, binary, body),
        &options(SchedulerPolicy::Lrr),
    );
    let all = log.insts.values().skip(1).take(12);
    let cycle = |stages: &[(String, u64)], which: &str| {
        let found = stages.iter().find(|(stage, _)| stage == which);
        found.unwrap_or_else(|| panic!("no stage {which}")).1
    };
    all.map(|(_, stages)| cycle(stages, to) - cycle(stages, from))
        .collect()
}

#[test]
fn stages_take_what_the_machine_says() {
    // Latencies of the machines' files, from a unit's first cycle to where its result leaves it.
    let ffma = plain("FFMA", "3 R4 R5 R6");
    let sine = plain("MUFU.SIN", "1 R4");
    for name in ["qv100", "rtx3070", "gtx480"] {
        let units = GpuMachine::preset(name).expect("bundled").units;
        let latency = u64::from(units.sp.latency);
        assert_eq!(distances(name, &ffma, "X", "W"), [latency; 12]);
        let latency = u64::from(units.sfu.latency);
        assert_eq!(distances(name, &sine, "X", "W"), [latency; 12]);
    }
    // Two instructions are fetched at once, and decoded in the next turn of the front end, of which there are one or four in a cycle.
    assert_eq!(distances("gtx480", &ffma, "F", "D"), [1; 12]);
    assert_eq!(distances("qv100", &ffma, "F", "D"), [0; 12]);
    // The warp waits for each load before the next one: the whole way to memory and back lies in one stage.
    let loads = |_: u64, n: u64| {
        format!(
            "ffffffff 1 R4 LDG.E.SYS 1 R4 4 1 {:#x} 4 0",
            GLOBAL + n * 4096
        )
    };
    assert!(
        distances("qv100", &loads, "X", "W")
            .iter()
            .all(|&cycles| cycles > 200)
    );
    let scratchpad = move |_: u64, _: u64| format!("ffffffff 1 R4 LDS.U 1 R4 4 1 {SHARED:#x} 4 0");
    let scratchpad_latency = GpuMachine::preset("qv100")
        .expect("bundled")
        .scratchpad
        .latency;
    let latency = u64::from(scratchpad_latency);
    let found = distances("qv100", &scratchpad, "X", "W");
    assert!(
        found
            .iter()
            .all(|&cycles| (latency..latency + 4).contains(&cycles)),
        "{found:?}"
    );
}

#[test]
fn signals_add_up_to_the_counters() {
    for (name, binary) in [("qv100", 70), ("rtx3070", 80), ("gtx480", 70)] {
        let (machine, _) = one_sm(name);
        let text = trace(7, 5, 40, binary, &mixed);
        for policy in policies() {
            let what = format!("{name} under {policy}");
            let result = replay(&machine, &text, &options(policy)).expect("it runs");
            let (cycles, changes) = wave(&machine, &text, 0, &options(policy));
            assert_eq!(cycles, result.cycles, "{what}");
            let of = |name: &str| values(&changes, name, cycles);
            let time: Vec<u64> = (0..cycles).collect();
            assert!(of("sm.cycle") == time, "{what}");
            let schedulers = machine.issue.schedulers;
            let issued = (0..schedulers).flat_map(|n| of(&format!("sm.scheduler{n}.valid")));
            assert_eq!(issued.sum::<u64>(), result.sm.warp_instructions, "{what}");
            let lanes = (0..schedulers).flat_map(|n| of(&format!("sm.scheduler{n}.lanes")));
            let lanes: u64 = lanes.map(|lanes| u64::from(lanes.count_ones())).sum();
            assert_eq!(lanes, result.sm.thread_instructions, "{what}");
            let [fetched, decoded] = ["sm.fetch.warps", "sm.decode.warps"].map(|name| -> u64 {
                let warps = of(name).into_iter();
                warps.map(|warps| u64::from(warps.count_ones())).sum()
            });
            assert_eq!(fetched, decoded, "{what}");
            // Two instructions at once, but for the last one of a warp.
            assert_eq!(fetched, 7 * 5 * 21, "{what}");
            let misses = of("sm.load_store.mshrs").into_iter().max();
            assert!(
                misses.is_some_and(|most| most > 0 && most <= u64::from(machine.l1.cache.mshrs))
            );
        }
    }
}

#[test]
fn timeline_of_a_kernel_that_hangs_ends_where_nothing_can_change_any_more() {
    let (machine, binary) = one_sm("qv100");
    // Warp 0 waits for three warps; there are two.
    let hangs = trace(1, 2, 1, binary, &|warp, _| match warp {
        0 => "ffffffff 0 BAR.SYNC 0 0 96".to_owned(),
        _ => "ffffffff 0 NOP 0 0 0".to_owned(),
    });
    let (watcher, sink) = watcher(|sink| Perfetto::new(sink, None));
    let options = watching(0, vec![watcher], &ReplayOptions::default());
    let error = replay(&machine, &hangs, &options).expect_err("nobody comes");
    assert!(matches!(error, ReplayError::Hang { .. }), "{error}");
    let shown: Trace = serde_json::from_str(&sink.text()).expect("whole");
    // S2R and the barrier of one warp, all three of the other.
    assert_eq!(shown.of("X", "issue").count(), 2 + 3);
    let waits = shown
        .of("X", "wait")
        .filter(|slice| slice.name == "barrier");
    assert_eq!(waits.map(|slice| slice.tid).collect::<Vec<_>>(), [0]);
}

#[test]
fn window_behind_the_end_and_an_sm_that_is_not_there_are_refused() {
    let (machine, binary) = one_sm("qv100");
    let text = trace(1, 1, 4, binary, &mixed);
    let late = Window {
        from: 1 << 30,
        until: u64::MAX,
    };
    let (behind, _) = watcher(|sink| Kanata::new(sink, Some(late)));
    let error = replay(
        &machine,
        &text,
        &watching(0, vec![behind], &ReplayOptions::default()),
    );
    let error = error.expect_err("it ended before").to_string();
    assert!(error.contains("begin it earlier"), "{error}");
    let error = replay(
        &machine,
        &text,
        &watching(1, Vec::new(), &ReplayOptions::default()),
    );
    let error = error.expect_err("there is one SM").to_string();
    assert!(error.contains("no SM 1"), "{error}");
}
