//! Kernels that call functions: the same memory inlined, with calls kept, and on register stacks of every size.

use super::soak::RENAMES;
use super::{run, run_with};
use rayon::prelude::*;
use regshare_hw::manager::Backend;
use regshare_sim::bundled::{self, Bundled};
use regshare_sim::flow::{self, SCHEMES};
use regshare_sim::scheme::{Cars, SchemeOptions, Watermark};
use regshare_sim::sm::RunOptions;
use std::io::Write;

fn cars(watermark: Watermark) -> SchemeOptions {
    SchemeOptions {
        cars: Cars {
            watermark,
            ..Cars::default()
        },
        ..SchemeOptions::default()
    }
}

/// Where it can, every scheme inlines them, and one keeps the calls. One kernel, unless every check is demanded.
#[test]
fn kernels_with_calls_leave_the_same_memory_inlined_and_with_calls_kept() {
    let all = std::env::var_os("REGSHARE_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    let kernels = bundled::calling().par_iter();
    let chosen = kernels.filter(|kernel| all || kernel.name == "raytrace");
    chosen.for_each(|kernel| {
        let kept = run(kernel, "abi-spill", "gtx480", &RunOptions::default());
        let inlines = SCHEMES.iter().filter(|_| kernel.calls.can_inline());
        for (scheme, _) in inlines.filter(|(name, _)| all || !RENAMES.contains(name)) {
            let inlined = run(kernel, scheme, "gtx480", &RunOptions::default());
            let difference = inlined.result.memory.first_difference(&kept.result.memory);
            assert_eq!(difference, None, "{} {scheme}", kernel.name);
        }
    });
}

/// Kernels with calls: register stacks of every size, and what CARS is compared with, compute what the reference says; the stacks do
/// the same in every backend.
#[test]
fn kernels_with_calls_are_right_under_everything_that_keeps_calls() {
    let all = std::env::var_os("REGSHARE_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    if !all {
        let _ = writeln!(
            std::io::stderr(),
            "left out: agreement on all kernels with calls but fibonacci (tests/run runs all)"
        );
    }
    let kernels = (bundled::calling().iter()).filter(|kernel| all || kernel.name == "fibonacci");
    let kernels: Vec<&'static Bundled> = kernels.collect();
    kernels.into_par_iter().for_each(|kernel| {
        for (scheme, _) in flow::CALL_SCHEMES {
            if scheme == "inlined" && !kernel.calls.can_inline() {
                continue;
            }
            run(kernel, scheme, "gtx480", &RunOptions::default());
        }
        // The machine of CARS, with four schedulers, and then that of the others.
        let verilog = match cfg!(feature = "verilog") {
            true => Backend::Verilog,
            false => Backend::Rtl,
        };
        let on_v100 = |scheme, backend| {
            let options = RunOptions {
                backend,
                ..RunOptions::default()
            };
            run(kernel, scheme, "v100", &options).result.counters
        };
        // The second has the largest file, with all registers of 64 warps.
        for scheme in ["cars", "ideal-virtual-warps"] {
            let (model, other) = (on_v100(scheme, Backend::Model), on_v100(scheme, verilog));
            assert_eq!(model, other, "{} {scheme}", kernel.name);
        }
        for watermark in [
            Watermark::Adaptive,
            Watermark::Low,
            Watermark::Times(2),
            Watermark::High,
        ] {
            let with = |backend| {
                let options = RunOptions {
                    backend,
                    ..RunOptions::default()
                };
                run_with(kernel, "cars", cars(watermark), "gtx480", &options)
            };
            let model = with(Backend::Model);
            let calls = model.result.counters.calls;
            assert!(
                calls.calls > 0 && calls.calls == calls.returns,
                "{}",
                kernel.name
            );
            assert_eq!(calls.spilled_packs, calls.filled_packs, "{}", kernel.name);
            let mut others = Vec::new();
            if (kernel.name, watermark) == ("fibonacci", Watermark::Low) {
                others.push(Backend::Lockstep);
            }
            if cfg!(feature = "verilog") {
                others.push(Backend::Verilog);
            }
            for backend in others {
                let other = with(backend);
                assert_eq!(
                    (other.result.counters, other.result.stacks),
                    (model.result.counters, model.result.stacks),
                    "{} {watermark:?} {backend}",
                    kernel.name
                );
            }
        }
    });
}

/// Two SMs choose the size of register stacks together, and the same in Verilog.
#[test]
fn register_stacks_of_two_sms_leave_the_memory_of_one() {
    let kernel = bundled::find("gemm").expect("exists");
    let on = |sms, backend| RunOptions {
        sms,
        backend,
        ..RunOptions::default()
    };
    let alone = run(kernel, "cars", "gtx480", &on(1, Backend::Model));
    let team = run(kernel, "cars", "gtx480", &on(2, Backend::Model));
    let difference = (team.result.memory).first_difference(&alone.result.memory);
    assert_eq!(difference, None);
    if cfg!(feature = "verilog") {
        let verilog = run(kernel, "cars", "gtx480", &on(2, Backend::Verilog));
        assert_eq!(verilog.result.counters, team.result.counters);
        assert_eq!(verilog.result.stacks, team.result.stacks);
    }
}
