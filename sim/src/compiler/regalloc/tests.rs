use super::*;
use crate::testing::{GenOptions, generate};

fn allocated(seed: u64, max_regs: u16) -> (Kernel, Allocation) {
    let kernel = generate(seed, &GenOptions::varied(seed)).kernel;
    let options = AllocOptions {
        max_regs,
        ..AllocOptions::default()
    };
    let allocation = allocate(&kernel, &options).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    (kernel, allocation)
}

#[test]
fn every_allocation_of_a_generated_kernel_passes_the_checker() {
    for seed in 0..120 {
        let (kernel, allocation) = allocated(seed, 255);
        checker::check(&kernel, &allocation.kernel, &allocation.origins)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
}

#[test]
fn every_capped_allocation_passes_the_checker_and_keeps_the_cap() {
    for seed in 0..120 {
        let cap = [12, 16, 24][seed as usize % 3];
        let (kernel, allocation) = allocated(seed, cap);
        assert!(allocation.report.regs <= cap, "seed {seed}");
        checker::check(&kernel, &allocation.kernel, &allocation.origins)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
}

#[test]
fn registers_are_never_fewer_than_live_at_once_and_rarely_more() {
    let (mut regs, mut live) = (0u32, 0u32);
    for seed in 0..60 {
        let (_, allocation) = allocated(seed, 255);
        assert!(
            allocation.report.regs >= allocation.report.max_live,
            "seed {seed}"
        );
        regs += u32::from(allocation.report.regs);
        live += u32::from(allocation.report.max_live);
    }
    assert!(regs * 100 <= live * 103, "{regs} registers for {live} live");
}

#[test]
fn same_kernel_gets_the_same_registers() {
    let (_, first) = allocated(3, 16);
    let (_, second) = allocated(3, 16);
    assert_eq!(first.kernel, second.kernel);
}
