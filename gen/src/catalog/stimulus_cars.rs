//! Input sequences for the units of CARS.

use super::stimulus::{Random, Rows, row};
use regshare_hw::clocked::PinDef;

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
