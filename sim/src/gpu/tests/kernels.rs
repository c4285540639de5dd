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

/// Replays kernels of so many CTAs in turn.
fn replays(machine: &GpuMachine, ctas: &[u64]) -> Vec<KernelResult> {
    let mut gpu = Gpu::new(machine);
    let options = ReplayOptions {
        stalls: true,
        ..ReplayOptions::default()
    };
    let results = ctas.iter().map(|&ctas| {
        let source = Box::new(Cursor::new(kernel(ctas).into_bytes()));
        let options_of_reader = ReadOptions::default();
        let mut reader = KernelReader::new(source, Path::new("k.traceg"), &options_of_reader)
            .expect("has a head");
        gpu.run(&mut reader, &options).expect("it runs")
    });
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
    let mut gpu = Gpu::new(&machine);
    let cycles = [(); 6].map(|()| {
        let source = Box::new(Cursor::new(text.clone().into_bytes()));
        let mut reader = KernelReader::new(source, Path::new("k.traceg"), &ReadOptions::default())
            .expect("has a head");
        let result = gpu.run(&mut reader, &ReplayOptions::default());
        result.expect("it runs").cycles
    });
    // Alone, each takes what the first one takes.
    assert_eq!(cycles[0], 580);
    assert!(cycles.iter().any(|&cycles| cycles != 580), "{cycles:?}");
}
