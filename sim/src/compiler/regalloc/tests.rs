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

/// Long kernels of which much is live: what fits under a low cap fits under each higher one.
#[test]
fn every_cap_above_one_that_does_is_kept() {
    for seed in 0..4 {
        let options = GenOptions {
            vars_32: 40,
            statements: 300,
            ..GenOptions::default()
        };
        let kernel = generate(seed, &options).kernel;
        for cap in (20..50).step_by(3) {
            let options = AllocOptions {
                max_regs: cap,
                ..AllocOptions::default()
            };
            let allocation =
                allocate(&kernel, &options).unwrap_or_else(|e| panic!("seed {seed}, {cap}: {e}"));
            checker::check(&kernel, &allocation.kernel, &allocation.origins)
                .unwrap_or_else(|e| panic!("seed {seed}, {cap}: {e}"));
        }
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

fn same_results(seed: u64, max_regs: u16, optimised: bool) {
    let generated = generate(seed, &GenOptions::varied(seed));
    let kernel = match optimised {
        true => crate::compiler::opt::optimise(&generated.kernel),
        false => generated.kernel.clone(),
    };
    let options = AllocOptions {
        max_regs,
        ..AllocOptions::default()
    };
    let allocation = allocate(&kernel, &options).unwrap();
    let before = generated.run(&generated.kernel).unwrap();
    let after = generated
        .run(&allocation.kernel)
        .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    assert_eq!(before.first_difference(&after), None, "seed {seed}");
}

#[test]
fn allocated_kernels_compute_the_same() {
    (0..120).for_each(|seed| same_results(seed, 255, seed % 2 == 0));
}

#[test]
fn spilled_kernels_compute_the_same() {
    (120..240).for_each(|seed| same_results(seed, [12, 16, 24][seed as usize % 3], seed % 2 == 0));
}

#[test]
fn cap_below_the_needs_of_one_instruction_is_refused_with_a_message() {
    let kernel = generate(1, &GenOptions::default()).kernel;
    let options = AllocOptions {
        max_regs: 2,
        ..AllocOptions::default()
    };
    let message = allocate(&kernel, &options).unwrap_err().to_string();
    assert!(
        message.contains("does not fit into 2 registers"),
        "{message}"
    );
}

#[test]
fn allocated_kernel_is_not_allocated_again() {
    let (_, allocation) = allocated(1, 255);
    let again = allocate(&allocation.kernel, &AllocOptions::default());
    assert!(matches!(again, Err(AllocError::NotVirtual(_))));
}

#[test]
fn more_than_seven_live_predicates_are_kept_in_registers() {
    let options = GenOptions {
        vars_pred: 12,
        ..GenOptions::default()
    };
    let kernel = generate(5, &options).kernel;
    let allocation = allocate(&kernel, &AllocOptions::default()).unwrap();
    assert_eq!(allocation.report.preds, 7);
    assert!(checker::check(&kernel, &allocation.kernel, &allocation.origins).is_ok());
}
