//! Many kernels, every |Es|: whatever the passes return, the checker proves.

use super::checker::check;
use super::*;
use crate::compiler::regalloc::{AllocOptions, allocate};
use crate::testing::{GenOptions, generate};

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
        println!("{repeats:?}: {tally:?}");
        assert!(
            tally.proved > 0 && tally.moves > 0 && tally.acquires > 0,
            "{tally:?}"
        );
    }
}
