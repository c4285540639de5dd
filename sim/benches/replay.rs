//! Speed of the replay by stage, in warp instructions per second: reading a trace, one SM, a whole chip, on one thread and two.
//!
//! The goals are 20 times Accel-Sim on one SM and 50 times on the whole chip, on one thread (docs/replay.md).

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use regshare_sim::gpu::{Gpu, GpuMachine, ReplayOptions};
use regshare_sim::trace::{KernelReader, ReadOptions};
use std::fmt::Write;
use std::hint::black_box;
use std::io::Cursor;
use std::num::NonZeroUsize;
use std::path::Path;

/// Loads, scratchpad between two barriers, and arithmetic in a loop, as `mix` of the peer's generator of traces.
fn mix(ctas: u64, warps: u64, trips: u64) -> (String, u64) {
    let mut text = format!(
        "-kernel name = mix\n-kernel id = 1\n-grid dim = ({ctas},1,1)\n-block dim = ({},1,1)\n-shmem = {}\n-nregs = 32\n\
         -binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x00007efe00000000\n-local mem base_addr = \
         0x00007efe02000000\n-nvbit version = 1.5.5\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format\n\n",
        warps * 32,
        warps * 128
    );
    let (private, common, scratchpad) = (
        0x7f00_0000_0000_u64,
        0x7f00_1000_0000_u64,
        0x7efe_0000_0000_u64,
    );
    let mut insts = 0;
    for cta in 0..ctas {
        let _ = write!(text, "\n#BEGIN_TB\n\nthread block = {cta},0,0\n");
        for warp in 0..warps {
            let _ = write!(text, "\nwarp = {warp}\ninsts = {}\n", trips * 20 + 1);
            for trip in 0..trips {
                let mut pc = 0;
                let mut line = |body: std::fmt::Arguments<'_>| {
                    let _ = writeln!(text, "{pc:04x} ffffffff {body} 0 ");
                    pc += 16;
                };
                let own = private + ((cta * warps + warp) * trips + trip) * 128;
                line(format_args!("1 R10 LDG.E.SYS 1 R4 4 1 {own:#x} 4"));
                line(format_args!(
                    "1 R11 LDG.E.SYS 1 R6 4 1 {:#x} 4",
                    common + trip * 128
                ));
                line(format_args!(
                    "0 STS 2 R2 R10 4 1 {:#x} 4",
                    scratchpad + warp * 128
                ));
                line(format_args!("0 BAR.SYNC 0 0"));
                let other = scratchpad + (warp + 1) % warps * 128;
                line(format_args!("1 R12 LDS.U 1 R2 4 1 {other:#x} 4"));
                for n in 0..8 {
                    line(format_args!("1 R{0} FFMA 3 R10 R12 R{0} 0", 14 + n));
                }
                for n in 0..4 {
                    line(format_args!("1 R{0} IMAD 2 R12 R{0} 0", 22 + n));
                }
                line(format_args!("1 R26 MUFU.RCP 1 R14 0"));
                line(format_args!("0 BAR.SYNC 0 0"));
                line(format_args!("0 BRA 0 0"));
            }
            text.push_str("2000 ffffffff 0 EXIT 0 0 0 \n");
            insts += trips * 20 + 1;
        }
        text.push_str("\n#END_TB\n");
    }
    (text, insts)
}

fn reader(text: &str) -> KernelReader {
    let source = Box::new(Cursor::new(text.as_bytes().to_vec()));
    KernelReader::new(source, Path::new("mix.traceg"), &ReadOptions::default()).expect("a trace")
}

fn stages(c: &mut Criterion) {
    let mut group = c.benchmark_group("replay");
    group.sample_size(10);
    let (text, insts) = mix(16, 8, 20);
    group.throughput(Throughput::Elements(insts));
    group.bench_function("read", |bencher| {
        bencher.iter(|| {
            let mut reader = reader(&text);
            while let Some(cta) = reader.next_cta().expect("a trace") {
                black_box(&cta);
            }
        });
    });
    let whole = GpuMachine::preset("qv100").expect("bundled");
    let one_sm = whole.clone().cut(1, 2);
    let large = mix(160, 8, 8);
    for (name, machine, (text, insts), threads) in [
        ("one-sm", &one_sm, &(text, insts), 1),
        ("80-sms", &whole, &large, 1),
        ("80-sms-two-threads", &whole, &large, 2),
    ] {
        let options = ReplayOptions {
            threads: NonZeroUsize::new(threads).expect("some"),
            ..ReplayOptions::default()
        };
        group.throughput(Throughput::Elements(*insts));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let result = Gpu::new(machine).run(&mut reader(text), &options);
                result.expect("it runs").cycles
            });
        });
    }
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
