//! What holds for real kernels: the bundled ones, and those that come with figures of NVIDIA's assembler.

use std::path::Path;

use super::compile;
use super::opt::optimise;
use super::regalloc::{AllocError, AllocOptions, Allocation, allocate, checker};
use crate::bundled::{self, Bundled};
use crate::kernel::interp::{self, LaunchDims};
use crate::kernel::{Kernel, ptx};
use crate::launch::PreparedLaunch;
use crate::memory::image::MemoryImage;

fn read(bundled: &Bundled) -> Kernel {
    let module = ptx::read(bundled.ptx, bundled.name).unwrap();
    module.kernel(bundled.name).unwrap().clone()
}

fn capped(kernel: &Kernel, max_regs: u16) -> Result<Allocation, AllocError> {
    let options = AllocOptions {
        max_regs,
        ..AllocOptions::default()
    };
    allocate(kernel, &options)
}

/// Memory after at most two CTAs along each axis of the launch.
fn run(kernel: &Kernel, launch: &PreparedLaunch) -> MemoryImage {
    let mut memory = launch.memory.clone();
    let dims = LaunchDims {
        grid: launch.grid.map(|n| n.min(2)),
        block: launch.block,
        dynamic_scratchpad_bytes: launch.dynamic_scratchpad_bytes,
    };
    let params = launch.param_space(kernel).unwrap();
    interp::run(kernel, &dims, &params, &mut memory)
        .unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
    memory
}

#[test]
fn bundled_kernels_are_allocated_right_and_compute_the_same() {
    for bundled in bundled::all() {
        let kernel = read(bundled);
        let optimised = optimise(&kernel);
        let whole = capped(&optimised, 255).unwrap();
        let cap = (whole.report.regs * 3 / 4).max(14);
        let spilled = capped(&optimised, cap).unwrap();
        let launch = bundled.prepare().unwrap();
        let expected = run(&kernel, &launch);
        for (what, allocation) in [("whole", &whole), ("spilled", &spilled)] {
            checker::check(&optimised, &allocation.kernel, &allocation.origins)
                .unwrap_or_else(|e| panic!("{}, {what}: {e}", bundled.name));
            let found = run(&allocation.kernel, &launch);
            assert_eq!(
                expected.first_difference(&found),
                None,
                "{}, {what}",
                bundled.name
            );
        }
    }
}

#[test]
fn cap_is_met_by_making_cheap_values_again_before_anything_is_spilled() {
    let kernel = read(bundled::find("bfs").unwrap());
    let options = AllocOptions {
        max_regs: 24,
        ..AllocOptions::default()
    };
    let compiled = compile(&kernel, &options).unwrap();
    assert!(compiled.allocation.report.regs <= 24);
    assert_eq!(compiled.allocation.report.spilled_bytes, 0);
    let late = allocate(&optimise(&kernel), &options).unwrap();
    assert!(late.report.spilled_bytes > 0);
}

#[test]
fn registers_are_near_those_of_ptxas_and_never_under_the_live_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/kernels");
    let mut logs = Vec::new();
    for (name, ptxas) in [
        ("softmax_f32", 24),
        ("layernorm_f32", 26),
        ("fast_sum_f32", 30),
        ("im2col_f32", 42),
    ] {
        let path = folder.join(format!("{name}.ptx"));
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("skipped: {} is not there", path.display());
            return;
        };
        let module = ptx::read(&text, name).unwrap();
        let kernel = module.kernel(name).unwrap();
        let optimised = optimise(kernel);
        let allocation = capped(&optimised, 255).unwrap();
        assert!(
            checker::check(&optimised, &allocation.kernel, &allocation.origins).is_ok(),
            "{name}"
        );
        eprintln!(
            "{name}: {} registers, ptxas {ptxas}",
            allocation.report.regs
        );
        assert!(allocation.report.regs >= allocation.report.max_live);
        logs.push((f64::from(allocation.report.regs) / f64::from(ptxas)).ln());
    }
    let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    eprintln!("geometric mean of registers, ours over ptxas: {mean:.3}");
    assert!((0.85..=1.15).contains(&mean), "{mean}");
}
