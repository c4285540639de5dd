//! Input sequences for the units of CARS.

use super::stimulus::{Random, Rows, any_values, row};
use regshare_hw::clocked::PinDef;

/// For `stack_mapper`: frames of all sizes at all places, registers around their ends; then any values.
pub(super) fn stack_look_ups(pins: &[PinDef], packs: u64, stack: u64, count: usize) -> Rows {
    let mut random = Random(6);
    let mut rows = any_values(pins, count / 4);
    for _ in 0..count {
        let capacity = 1 + random.below(stack);
        let base_regs = 16 + random.below(20);
        let base = random.below(packs - base_regs - capacity);
        let first = base + base_regs;
        let (rfp, frame) = (random.below(capacity), random.below(capacity));
        let mut values = vec![
            ("launched", u64::from(!random.once_in(10))),
            ("rfp", first + rfp),
            ("rsp", first + (rfp + frame) % capacity),
            ("base", base),
            ("first", first),
            ("capacity", capacity),
        ];
        for (register, valid) in [
            ("x0", "x0_valid"),
            ("x1", "x1_valid"),
            ("x2", "x2_valid"),
            ("x3", "x3_valid"),
        ] {
            let x = match random.below(3) {
                0 => random.below(base_regs + 2),
                1 => 16 + random.below(frame + 2),
                _ => 14 + frame + random.below(4),
            };
            values.push((register, x));
            values.push((valid, u64::from(!random.once_in(6))));
        }
        rows.push(row(pins, &values));
    }
    rows
}

/// For `stalled_warps`: all warps in and out in several orders, so that the list begins everywhere; then any requests
/// with rare clears.
pub(super) fn stalls(pins: &[PinDef], warps: u64, count: usize) -> Rows {
    let mut rows = Vec::new();
    for (step, kept) in [(1, 0), (5, warps / 2), (warps - 1, 1)] {
        for number in 0..warps {
            let warp = number * step % warps;
            rows.push(row(
                pins,
                &[("stall", 1), ("stall_warp", warp), ("a_warp", warp)],
            ));
        }
        for number in 0..warps - kept {
            rows.push(row(pins, &[("wake", 1), ("b_warp", number)]));
        }
    }
    rows.push(row(pins, &[("clear", 1), ("wake", 1), ("stall", 1)]));
    let mut random = Random(7);
    for number in 0..count as u64 {
        // Few warps meet often; others use all, and warps that do not exist.
        let crowd = if number / 64 % 2 == 0 { 4 } else { 64 };
        let wakes = [2, 3, 6][(number / 100 % 3) as usize];
        let mut values = row(
            pins,
            &[
                ("clear", u64::from(random.once_in(150))),
                ("stall", u64::from(!random.once_in(3))),
                (
                    "stall_warp",
                    random.below(crowd) % (warps.next_power_of_two()),
                ),
                ("wake", u64::from(random.once_in(wakes))),
                ("a_warp", random.below(crowd) % (warps.next_power_of_two())),
                ("b_warp", random.below(crowd) % (warps.next_power_of_two())),
            ],
        );
        values.1 = !random.once_in(6);
        rows.push(values);
    }
    rows
}

/// Kernels of all heights whose best level is anywhere, each with CTAs that finish and CTAs that are launched; one of
/// them starts again. Then any of it.
pub(super) fn finished_ctas(pins: &[PinDef], levels: u64, count: usize) -> Rows {
    let mut random = Random(23);
    let mut rows = Rows::new();
    let kernels = levels * 3;
    for kernel in 0..kernels {
        let (top, best) = (levels - 1 - kernel % levels, random.below(levels));
        let known = u64::from(kernel % 3 == 2);
        rows.push(row(
            pins,
            &[
                ("clear", 1),
                ("top", top),
                ("known", known),
                ("known_level", random.below(levels)),
            ],
        ));
        // Of four kernels one takes as long in all levels, and one in those as far from its best.
        let (step, noise) = match kernel % 4 {
            0 => (0, 1),
            2 => (1 << random.below(28), 1),
            _ => (1 << random.below(28), 16),
        };
        for number in 0..count as u64 / kernels {
            let done_level = random.below(levels);
            let far = done_level.abs_diff(best);
            let mut values = row(
                pins,
                &[
                    ("top", random.below(levels)),
                    ("known_level", random.below(levels)),
                    ("again", u64::from(random.once_in(23))),
                    ("done", u64::from(random.below(3) < 2)),
                    ("done_level", done_level),
                    ("done_cycles", 100 + far * step + random.below(noise)),
                    ("launch", random.below(2)),
                    ("launch_high", number % 2),
                ],
            );
            values.1 = !random.once_in(9);
            rows.push(values);
        }
    }
    rows.extend(any_values(pins, count / 4));
    rows
}
