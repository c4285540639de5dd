//! Speed of the replay by stage, in warp instructions per second: reading a trace, lifting it, and kernels most of whose time goes
//! into one part of the machine; one SM, a whole chip, on one thread and two.
//!
//! The goals are 20 times Accel-Sim on one SM and 50 times on the whole chip, on one thread (docs/replay.md).

#[path = "traces/mod.rs"]
mod traces;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use regshare_sim::gpu::{Gpu, GpuMachine, ReplayOptions};
use regshare_sim::trace::lift;
use std::hint::black_box;
use std::num::NonZeroUsize;
use std::path::Path;
use traces::{Trace, arithmetic, dram, l1, l2, mix, scratchpad};

fn stages(c: &mut Criterion) {
    let mut group = c.benchmark_group("replay");
    group.sample_size(10);
    let small = Trace::new(16, 8, 20, mix);
    group.throughput(Throughput::Elements(small.insts));
    group.bench_function("read", |bencher| {
        bencher.iter(|| {
            let mut reader = small.reader();
            while let Some(cta) = reader.next_cta().expect("a trace") {
                black_box(&cta);
            }
        });
    });
    group.bench_function("lift", |bencher| {
        bencher.iter(|| {
            let mut reader = small.reader();
            let header = reader.header().clone();
            lift::lift(&mut reader, &header, Path::new("bench.traceg")).expect("a trace")
        });
    });
    let whole = GpuMachine::preset("qv100").expect("bundled");
    let one_sm = whole.clone().cut(1, 2);
    let large = Trace::new(160, 8, 8, mix);
    for (name, machine, trace, threads) in [
        ("one-sm", &one_sm, &small, 1),
        ("issue", &one_sm, &Trace::new(8, 8, 40, arithmetic), 1),
        ("scratchpad", &one_sm, &Trace::new(8, 8, 20, scratchpad), 1),
        ("l1", &one_sm, &Trace::new(8, 8, 40, l1), 1),
        ("l2", &whole, &Trace::new(80, 8, 8, l2), 1),
        ("dram", &whole, &Trace::new(160, 8, 8, dram), 1),
        ("80-sms", &whole, &large, 1),
        ("80-sms-two-threads", &whole, &large, 2),
    ] {
        let options = ReplayOptions {
            threads: NonZeroUsize::new(threads).expect("some"),
            ..ReplayOptions::default()
        };
        group.throughput(Throughput::Elements(trace.insts));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let result = Gpu::new(machine).run(&mut trace.reader(), &options);
                result.expect("it runs").cycles
            });
        });
    }
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
