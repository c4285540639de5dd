//! Kernels one after another on a GPU: where the next one begins, and what it finds.

use super::{independent, one_sm, trace};
use crate::gpu::{Gpu, GpuMachine, KernelResult, ReplayOptions};
use crate::trace::{KernelReader, ReadOptions};
use std::io::Cursor;
use std::path::Path;

/// A kernel of so many CTAs of one warp.
fn kernel(ctas: u64) -> String {
    trace(ctas, 1, 20, 70, &|_, _| {
        "ffffffff 1 R4 IMAD 3 R4 R5 R6 0 0".to_owned()
    })
}

/// Replays one kernel on that GPU.
fn play(gpu: &mut Gpu, text: &str, options: &ReplayOptions) -> KernelResult {
    let source = Box::new(Cursor::new(text.to_owned().into_bytes()));
    let mut reader = KernelReader::new(source, Path::new("k.traceg"), &ReadOptions::default())
        .expect("has a head");
    gpu.run(&mut reader, options).expect("it runs")
}

/// Replays kernels of so many CTAs in turn.
fn replays(machine: &GpuMachine, ctas: &[u64]) -> Vec<KernelResult> {
    let mut gpu = Gpu::new(machine);
    let options = ReplayOptions {
        stalls: true,
        ..ReplayOptions::default()
    };
    let results = (ctas.iter()).map(|&ctas| play(&mut gpu, &kernel(ctas), &options));
    results.collect()
}

/// SMs on which instructions issued.
fn busy(result: &KernelResult) -> Vec<usize> {
    let stalls = result.stalls.as_ref().expect("asked for");
    let busy = stalls
        .by_sm
        .iter()
        .filter(|sm| sm.slots.contains_key("issued"));
    busy.map(|sm| sm.sm).collect()
}

#[test]
fn next_kernel_begins_on_the_sm_behind_the_one_that_got_a_cta_last() {
    let machine = GpuMachine::preset("gtx480").expect("bundled").cut(3, 2);
    let results = replays(&machine, &[2, 2, 1, 3]);
    let found: Vec<_> = results.iter().map(busy).collect();
    assert_eq!(found, [vec![0, 1], vec![0, 2], vec![1], vec![0, 1, 2]]);
}

#[test]
fn kernel_misses_its_instructions_on_each_sm_that_has_not_run_them() {
    let machine = GpuMachine::preset("gtx480").expect("bundled").cut(3, 2);
    let results = replays(&machine, &[2, 1, 1]);
    // Nothing but instructions is loaded.
    let loaded: Vec<u64> = results.iter().map(|result| result.l2.accesses).collect();
    // The second kernel runs on SM 2 for the first time, the third on SM 0 again.
    assert_eq!(loaded, [2 * loaded[1], loaded[1], 0]);
    assert!(results[1].cycles > results[2].cycles + 100);
}

#[test]
fn kernel_on_one_sm_finds_the_instructions_of_the_one_before() {
    let (machine, _) = one_sm("gtx480");
    let perfect = replays(&machine, &[1])[0].cycles;
    let machine = GpuMachine::preset("gtx480").expect("bundled").cut(1, 2);
    let results = replays(&machine, &[1, 1]);
    assert!(results[0].cycles > results[1].cycles);
    assert!(results[1].cycles.abs_diff(perfect) <= 2 * 22);
}

#[test]
fn turns_of_an_sm_go_on_from_kernel_to_kernel() {
    // Which scheduler issues first decides who enters the collectors first, where four warps contend for double precision.
    let body = independent("DFMA", "3 R20 R22 R24");
    let (machine, binary) = one_sm("qv100");
    let text = trace(1, 4, 128, binary, &body);
    let (_, cycles) = in_turn(&machine, &vec![text; 6], false);
    // Alone, each takes what the first one takes.
    assert_eq!(cycles[0], 580);
    assert!(cycles.iter().any(|&cycles| cycles != 580), "{cycles:?}");
}

/// Kernels in turn on a GPU with instruction caches that always hit.
fn in_turn(machine: &GpuMachine, texts: &[String], every_cycle: bool) -> (Gpu, Vec<u64>) {
    let mut gpu = Gpu::new(machine);
    let options = ReplayOptions {
        every_cycle,
        ..ReplayOptions::default()
    };
    let cycles = (texts.iter()).map(|text| play(&mut gpu, text, &options).cycles);
    let cycles = cycles.collect();
    (gpu, cycles)
}

#[test]
fn what_an_sm_keeps_is_whose_turn_it_was() {
    let (machine, binary) = one_sm("qv100");
    let scratchpad = |_: u64, _: u64| "ffffffff 1 R4 LDS.U 1 R5 4 1 0x7efe00000000 4 0".to_owned();
    let mut fetched = Vec::new();
    for count in 1..9 {
        let text = trace(1, 5, count, binary, &scratchpad);
        let (gpu, cycles) = in_turn(&machine, &[text], false);
        let turns = gpu.turns[0].as_ref().expect("it has run");
        // It was empty in the first of them.
        assert_eq!(turns.first_scheduler as u64, (cycles[0] - 1) % 4, "{count}");
        // Behind a result of scratchpad come those from past the cache.
        assert_eq!(turns.writes_back, 1);
        let last = |scheduler: usize| turns.schedulers[scheduler].last;
        assert_eq!([1, 2, 3].map(last), [Some(1), Some(2), Some(3)]);
        assert!(turns.exits.iter().flatten().any(|&unit| unit != 2));
        fetched.push(turns.fetched);
    }
    assert!(fetched.iter().all(|&warp| warp < 5) && fetched.iter().any(|&warp| warp > 0));
}

#[test]
fn turns_of_an_empty_sm_rest() {
    // The second SM is empty while the first one still has work, and counts only the cycles of its own CTAs.
    let machine = GpuMachine::preset("qv100").expect("bundled").cut(2, 2);
    let long = |warp: u64, _: u64| match warp {
        0 => "ffffffff 1 R4 MUFU.RCP 1 R4 0 0".to_owned(),
        _ => "ffffffff 0 BRA 0 0 0".to_owned(),
    };
    let texts = [trace(2, 1, 33, 70, &long), trace(2, 1, 20, 70, &long)];
    let turns = [false, true].map(|every_cycle| {
        let (gpu, _) = in_turn(&machine, &texts, every_cycle);
        let turns = gpu.turns.iter().flatten();
        turns.map(|turns| turns.first_scheduler).collect::<Vec<_>>()
    });
    assert_eq!(turns[0], turns[1]);
    let alone = |text: &String| {
        let (gpu, _) = in_turn(&machine, std::slice::from_ref(text), false);
        let turns = gpu.turns[1].as_ref().expect("it has run");
        turns.first_scheduler
    };
    assert_eq!(turns[0][1], (alone(&texts[0]) + alone(&texts[1])) % 4);
}

#[test]
fn each_turn_that_was_kept_counts() {
    let (machine, binary) = one_sm("qv100");
    let text = trace(1, 4, 128, binary, &independent("DFMA", "3 R20 R22 R24"));
    let with = |change: &dyn Fn(&mut crate::gpu::sm::Turns)| {
        let mut turns = crate::gpu::sm::Turns::new(&machine);
        change(&mut turns);
        let mut gpu = Gpu::new(&machine);
        gpu.turns[0] = Some(turns);
        play(&mut gpu, &text, &ReplayOptions::default()).cycles
    };
    assert_eq!(with(&|_| ()), 580);
    assert_ne!(with(&|turns| turns.first_scheduler = 1), 580);
    assert_ne!(with(&|turns| turns.fetched = 63), 580);
}
