//! Many kernels, every |Es|: whatever the passes return, the checker proves.

use super::checker::check;
use super::*;
use crate::compiler::opt::optimise;
use crate::compiler::regalloc::{AllocOptions, allocate};
use crate::kernel::Line;
use crate::kernel::interp::{self, InterpError, LaunchDims};
use crate::kernel::ptx;
use crate::machine::Machine;
use crate::scheme::{CtaShape, LimitedBy, PlanInput, SchemeOptions, by_name};
use crate::testing::{GenOptions, Generated, generate};

/// What became of one kernel and size.
#[derive(Debug, Default)]
struct Tally {
    proved: usize,
    at_barrier: usize,
    no_place: usize,
    repeats: usize,
    moves: usize,
    acquires: usize,
}

fn sweep(kernel: &Kernel, repeats: Repeats, name: &str, tally: &mut Tally) {
    let RegSpace::Architected { regs, .. } = kernel.regs else {
        panic!("not allocated");
    };
    let rounded = regs.next_multiple_of(4);
    for es in [2, 4, 6, 8, 10, 12] {
        let Some(bs) = rounded.checked_sub(es).filter(|bs| *bs > 0) else {
            continue;
        };
        match rewrite(kernel, bs, es, repeats) {
            Ok(rewritten) => {
                if let Err(error) = check(kernel, &rewritten, bs, repeats) {
                    panic!("{name}, |Es| {es}, {repeats:?}: {error}");
                }
                tally.proved += 1;
                tally.moves += rewritten.moves;
                tally.acquires += rewritten.acquires;
            }
            Err(RewriteError::LiveAtBarrier { .. }) => tally.at_barrier += 1,
            Err(RewriteError::NoPlace { .. }) => tally.no_place += 1,
            Err(RewriteError::Repeats { .. }) => tally.repeats += 1,
            Err(error) => panic!("{name}, |Es| {es}: {error}"),
        }
    }
}

/// Memory after a run, and whether an original instruction read a register that holds nothing.
fn run(
    generated: &Generated,
    kernel: &Kernel,
    extended_from: Option<u16>,
) -> Result<(u64, bool), InterpError> {
    let (mut memory, params) = generated.inputs();
    let options = interp::Options {
        step_limit: 1 << 24,
        cta_step_limit: u64::MAX,
        report_unwritten_reads: true,
        extended_from,
    };
    let stats = interp::run_with(kernel, &generated.dims(), &params, &mut memory, &options)?;
    // A copy may move a register that this lane never wrote and will not read.
    let read_rubbish = stats
        .unwritten_reads
        .iter()
        .any(|read| read.line != Line(0));
    Ok((memory.digest(), read_rubbish))
}

/// The extended registers of all 32 lanes become rubbish at every release: a value that waiting lanes left there
/// would show.
#[test]
fn generated_kernels_compute_the_same_when_released_registers_turn_to_rubbish() {
    let mut rewritten_runs = 0;
    for seed in 0..40 {
        let generated = generate(seed, &GenOptions::varied(seed));
        let allocation = allocate(&generated.kernel, &AllocOptions::default()).unwrap();
        let mut original = allocation.kernel;
        for inst in original.blocks.iter_mut().flat_map(|b| &mut b.insts) {
            inst.line = Line(1);
        }
        let RegSpace::Architected { regs, .. } = original.regs else {
            panic!("not allocated");
        };
        let expected = run(&generated, &original, None).unwrap();
        assert!(!expected.1, "seed {seed}");
        for (es, repeats) in [
            (2, Repeats::Never),
            (6, Repeats::Allowed),
            (12, Repeats::Never),
        ] {
            let Some(bs) = regs
                .next_multiple_of(4)
                .checked_sub(es)
                .filter(|bs| *bs > 0)
            else {
                continue;
            };
            if let Ok(rewritten) = rewrite(&original, bs, es, repeats) {
                let got = run(&generated, &rewritten.kernel, Some(bs)).unwrap();
                assert_eq!(got, expected, "seed {seed}, |Es| {es}");
                rewritten_runs += usize::from(rewritten.releases > 0);
            }
        }
    }
    assert!(rewritten_runs > 20, "{rewritten_runs}");
}

#[test]
fn rubbish_shows_when_a_release_comes_too_early() {
    // The same emulation, on a kernel whose values are still in the extended set.
    let generated = generate(3, &GenOptions::default());
    let allocation = allocate(&generated.kernel, &AllocOptions::default()).unwrap();
    let mut kernel = allocation.kernel;
    let expected = run(&generated, &kernel, Some(0)).unwrap();
    let last = kernel.blocks[0].insts.len() - 1;
    for (at, op) in [(last, Op::Release), (0, Op::Acquire)] {
        let mut inst = kernel.blocks[0].insts[0].clone();
        (inst.op, inst.guard) = (op, None);
        inst.srcs.clear();
        inst.dsts.clear();
        kernel.blocks[0].insts.insert(at, inst);
    }
    assert_ne!(run(&generated, &kernel, Some(0)).ok(), Some(expected));
}

fn generated(seed: u64) -> Kernel {
    let generated = generate(seed, &GenOptions::varied(seed));
    allocate(&generated.kernel, &AllocOptions::default())
        .unwrap()
        .kernel
}

#[test]
fn generated_kernels_are_proved_for_every_size() {
    for repeats in [Repeats::Allowed, Repeats::Never] {
        let mut tally = Tally::default();
        for seed in 0..40 {
            sweep(
                &generated(seed),
                repeats,
                &format!("seed {seed}"),
                &mut tally,
            );
        }
        assert!(
            tally.proved > 0 && tally.moves > 0 && tally.acquires > 0,
            "{tally:?}"
        );
    }
}

/// A bundled kernel, allocated.
fn bundled_kernel(bundled: &crate::bundled::Bundled) -> Kernel {
    let module = ptx::read(bundled.ptx, bundled.name).unwrap();
    let kernel = optimise(module.kernel(bundled.name).unwrap());
    allocate(&kernel, &AllocOptions::default()).unwrap().kernel
}

#[test]
fn bundled_kernels_are_proved_for_every_size() {
    for bundled in crate::bundled::all() {
        let kernel = bundled_kernel(bundled);
        for repeats in [Repeats::Allowed, Repeats::Never] {
            let mut tally = Tally::default();
            sweep(&kernel, repeats, bundled.name, &mut tally);
            println!(
                "{:16} {:?} {repeats:?}: {tally:?}",
                bundled.name, kernel.regs
            );
        }
    }
}

/// Kernels with divergent branches, with a set of six registers or the size nearest to it that the kernel bears.
#[test]
fn bundled_kernels_give_the_right_results_when_released_registers_turn_to_rubbish() {
    for name in ["bfs", "spmv", "particlefilter"] {
        let bundled = crate::bundled::find(name).unwrap();
        let kernel = bundled_kernel(bundled);
        let RegSpace::Architected { regs, .. } = kernel.regs else {
            panic!("not allocated");
        };
        let rounded = regs.next_multiple_of(4);
        let (bs, rewritten) = ([6, 4, 2].into_iter())
            .filter_map(|es| Some((rounded.checked_sub(es).filter(|bs| *bs > 0)?, es)))
            .find_map(|(bs, es)| Some((bs, rewrite(&kernel, bs, es, Repeats::Allowed).ok()?)))
            .unwrap();
        let mut launch = bundled.prepare().unwrap();
        let params = launch.param_space(&rewritten.kernel).unwrap();
        let dims = LaunchDims {
            grid: launch.grid,
            block: launch.block,
            dynamic_scratchpad_bytes: launch.dynamic_scratchpad_bytes,
        };
        let options = interp::Options {
            extended_from: Some(bs),
            ..interp::Options::default()
        };
        let mut memory = std::mem::take(&mut launch.memory);
        interp::run_with(&rewritten.kernel, &dims, &params, &mut memory, &options).unwrap();
        launch.memory = bundled.prepare().unwrap().memory;
        if let Err(mismatch) = bundled.verify(&launch, &memory) {
            panic!("{}: {mismatch}", bundled.name);
        }
    }
}

#[test]
fn every_bundled_kernel_that_registers_limit_gains_ctas() {
    let machine = Machine::preset("gtx480").unwrap();
    let mut gained = Vec::new();
    for bundled in crate::bundled::all() {
        let kernel = bundled_kernel(bundled);
        let launch = bundled.prepare().unwrap();
        let dynamic_bytes = launch.dynamic_scratchpad_bytes;
        let input = PlanInput {
            kernel: &kernel,
            machine: &machine,
            cta: CtaShape {
                threads: launch.block.iter().product(),
                scratchpad_bytes: interp::scratchpad_bytes(&kernel, dynamic_bytes) as u32,
            },
            shares_sm: false,
        };
        let ctas = |name| {
            let scheme = by_name(name, SchemeOptions::default()).unwrap();
            let occupancy = scheme.plan(&input).unwrap().occupancy;
            (occupancy.ctas, occupancy.limited_by)
        };
        let (before, limited_by) = ctas("baseline");
        if limited_by == LimitedBy::Registers {
            let (after, _) = ctas("regmutex");
            assert!(after > before, "{}: {before} to {after}", bundled.name);
            gained.push(bundled.name);
        }
    }
    assert!(gained.len() >= 5, "{gained:?}");
}

/// The checker may accept a kernel that lacks an inserted instruction only if that one was needless: then the run
/// with rubbish in released registers still gives the same memory.
#[test]
fn kernel_without_one_inserted_instruction_is_refused_or_still_right() {
    let (mut refused, mut accepted) = (0, 0);
    for seed in 0..10 {
        let generated = generate(seed, &GenOptions::varied(seed));
        let kernel = allocate(&generated.kernel, &AllocOptions::default())
            .unwrap()
            .kernel;
        let RegSpace::Architected { regs, .. } = kernel.regs else {
            panic!("not allocated");
        };
        let Some(bs) = regs.next_multiple_of(4).checked_sub(6).filter(|bs| *bs > 0) else {
            continue;
        };
        let Ok(rewritten) = rewrite(&kernel, bs, 6, Repeats::Allowed) else {
            continue;
        };
        let expected = run(&generated, &kernel, None).unwrap().0;
        for b in 0..kernel.blocks.len() {
            for i in (0..rewritten.origin[b].len()).filter(|i| rewritten.origin[b][*i].is_none()) {
                let mut broken = rewritten.clone();
                broken.kernel.blocks[b].insts.remove(i);
                broken.origin[b].remove(i);
                if check(&kernel, &broken, bs, Repeats::Allowed).is_err() {
                    refused += 1;
                } else {
                    let got = run(&generated, &broken.kernel, Some(bs)).unwrap().0;
                    assert_eq!(got, expected, "seed {seed}, block {b}, instruction {i}");
                    accepted += 1;
                }
            }
        }
    }
    assert!(refused > accepted, "{refused} refused, {accepted} accepted");
}

/// Long kernels of which much is live. Those of the first two sizes find no place in 64 rounds if the set is held longer for one
/// value in each; that of the last finds none if it is always held longer for more, once many rounds have gone by.
#[test]
fn long_kernels_find_places_in_few_rounds_and_in_many() {
    for (seed, cap, es, repeats) in [
        (1, 32, 6, Repeats::Allowed),
        (5, 40, 2, Repeats::Never),
        (0, 40, 8, Repeats::Never),
    ] {
        let options = GenOptions {
            vars_32: 40,
            statements: 500,
            barriers: false,
            ..GenOptions::default()
        };
        let generated = generate(seed, &options);
        let options = AllocOptions {
            max_regs: cap,
            ..AllocOptions::default()
        };
        let kernel = allocate(&generated.kernel, &options).unwrap().kernel;
        let rewritten = rewrite(&kernel, cap - es, es, repeats)
            .unwrap_or_else(|error| panic!("seed {seed}, {cap} registers, |Es| {es}: {error}"));
        check(&kernel, &rewritten, cap - es, repeats).unwrap();
    }
}
