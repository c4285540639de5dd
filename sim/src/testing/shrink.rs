//! Making a kernel that shows a fault as short as possible.

use crate::kernel::op::{Op, Space};
use crate::kernel::{Kernel, verify};

/// Removes instructions from `kernel`, larger parts first, as long as `fails` says that what is left shows the fault; it is
/// asked only about well-formed kernels, at most `attempts` times. Barriers stay while scratchpad is accessed, so that no race
/// takes the place of the fault.
pub fn shrink(kernel: &Kernel, attempts: usize, mut fails: impl FnMut(&Kernel) -> bool) -> Kernel {
    let mut best = kernel.clone();
    let mut left = attempts;
    let mut size = count(&best).next_power_of_two();
    while size > 0 {
        let mut removed = false;
        let mut first = 0;
        while first < count(&best) {
            let candidate = without(&best, first, size);
            let changed = count(&candidate) < count(&best);
            if changed && verify::verify(&candidate).is_ok() {
                if left == 0 {
                    return best;
                }
                left -= 1;
                if fails(&candidate) {
                    best = candidate;
                    removed = true;
                    continue;
                }
            }
            first += size;
        }
        // What became removable may be anywhere.
        if size > 1 || !removed {
            size /= 2;
        }
    }
    best
}

/// Instructions of the kernel.
pub fn count(kernel: &Kernel) -> usize {
    kernel.blocks.iter().map(|block| block.insts.len()).sum()
}

/// The kernel without `size` instructions from the `first` on, all blocks in order.
fn without(kernel: &Kernel, first: usize, size: usize) -> Kernel {
    let accesses = |op: &Op| match *op {
        Op::Ld(m) | Op::St(m) => m.space == Space::Shared,
        _ => false,
    };
    let mut insts = kernel.blocks.iter().flat_map(|block| &block.insts);
    let shared = insts.any(|inst| accesses(&inst.op));
    let mut smaller = kernel.clone();
    let mut place = 0;
    for block in &mut smaller.blocks {
        block.insts.retain(|inst| {
            let inside = (first..first + size).contains(&place);
            place += 1;
            !inside || shared && matches!(inst.op, Op::Bar(_))
        });
    }
    smaller
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{GenOptions, generate};

    fn has(kernel: &Kernel, wanted: impl Fn(&Op) -> bool) -> bool {
        let mut insts = kernel.blocks.iter().flat_map(|block| &block.insts);
        insts.any(|inst| wanted(&inst.op))
    }

    #[test]
    fn what_does_not_matter_goes_away() {
        let generated = generate(5, &GenOptions::default());
        let shuffles_and_multiplies = |kernel: &Kernel| {
            has(kernel, |op| matches!(op, Op::Xor(_)))
                && has(kernel, |op| matches!(op, Op::Mad { .. }))
        };
        assert!(shuffles_and_multiplies(&generated.kernel));
        let small = shrink(&generated.kernel, 10_000, shuffles_and_multiplies);
        // With the exit.
        assert_eq!(count(&small), 3, "{small:?}");
        assert!(count(&generated.kernel) > 100);
    }

    #[test]
    fn barriers_outlive_accesses_to_scratchpad() {
        let stores = |kernel: &Kernel| {
            has(
                kernel,
                |op| matches!(op, Op::St(m) if m.space == Space::Shared),
            )
        };
        let mut kernels = (0..).map(|seed| generate(seed, &GenOptions::default()).kernel);
        let kernel = kernels.find(stores).unwrap();
        let small = shrink(&kernel, 10_000, stores);
        assert!(has(&small, |op| matches!(op, Op::Bar(_))));
    }

    #[test]
    fn attempts_are_counted() {
        let generated = generate(5, &GenOptions::default());
        let mut asked = 0;
        shrink(&generated.kernel, 7, |_| {
            asked += 1;
            false
        });
        assert_eq!(asked, 7);
    }
}
