//! Speed of the SM: the tiled matrix multiply on one SM of `gtx480`, in warp instructions per second.
//!
//! The goals are 1.5 million per second for `model`, and for `rtl` at most four times slower.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use regshare_hw::manager::Backend;
use regshare_sim::bundled;
use regshare_sim::compiler::regalloc::{AllocOptions, allocate};
use regshare_sim::kernel::{interp, ptx};
use regshare_sim::machine::Machine;
use regshare_sim::scheme::{CtaShape, PlanInput, SchemeOptions, by_name};
use regshare_sim::sm::{Launch, RunOptions, run};
use std::hint::black_box;
use std::time::{Duration, Instant};

fn matmul(c: &mut Criterion) {
    let machine = Machine::preset("gtx480").expect("bundled machine");
    let bundled = bundled::find("matmul").expect("bundled kernel");
    let prepared = bundled.prepare().expect("bundled launch");
    let module = ptx::read(bundled.ptx, "matmul.ptx").expect("bundled PTX");
    let read = module.kernel(&prepared.kernel).expect("its kernel");
    let kernel = allocate(read, &AllocOptions::default())
        .expect("it fits")
        .kernel;
    let launch = Launch {
        grid: prepared.grid,
        block: prepared.block,
        dynamic_scratchpad_bytes: prepared.dynamic_scratchpad_bytes,
        params: prepared.param_space(read).expect("its parameters"),
        memory: prepared.memory.clone(),
    };
    let scratchpad = interp::scratchpad_bytes(&kernel, launch.dynamic_scratchpad_bytes);
    let input = PlanInput {
        kernel: &kernel,
        machine: &machine,
        cta: CtaShape {
            threads: launch.block.iter().product(),
            scratchpad_bytes: scratchpad as u32,
        },
        shares_sm: false,
    };
    let mut group = c.benchmark_group("matmul");
    group.sample_size(10);
    for scheme in ["baseline", "regmutex"] {
        let plan = by_name(scheme, SchemeOptions::default())
            .expect("a scheme")
            .plan(&input)
            .expect("it fits");
        let mut fastest_seconds = Vec::new();
        for (name, backend) in [("model", Backend::Model), ("rtl", Backend::Rtl)] {
            let options = RunOptions {
                backend,
                ..RunOptions::default()
            };
            let once = run(&plan, &launch, &machine, &options).expect("it runs");
            group.throughput(Throughput::Elements(once.counters.warp_instructions));
            let mut fastest = Duration::MAX;
            group.bench_function(format!("{scheme}/{name}"), |bencher| {
                bencher.iter(|| {
                    let start = Instant::now();
                    let result = run(&plan, black_box(&launch), &machine, &options);
                    fastest = fastest.min(start.elapsed());
                    result
                });
            });
            // Nothing ran where a filter left it out.
            if fastest < Duration::MAX {
                let seconds = fastest.as_secs_f64();
                let millions = once.counters.warp_instructions as f64 / 1e6;
                println!(
                    "{scheme}/{name}: {:.2} million warp instructions per second at best",
                    millions / seconds
                );
                fastest_seconds.push(seconds);
            }
        }
        if let [model, rtl] = fastest_seconds[..] {
            println!(
                "{scheme}: rtl takes {:.2} times as long as model\n",
                rtl / model
            );
        }
    }
    group.finish();
}

criterion_group!(benches, matmul);
criterion_main!(benches);
