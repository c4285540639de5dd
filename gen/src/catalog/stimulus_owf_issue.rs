//! Input sequences for the units of resource sharing that decide who issues.

use super::stimulus::{Random, Rows, row};
use regshare_hw::clocked::PinDef;

/// For `warp_priority`: every slot launched alone, in three orders, and all neighbours in age compared; then CTAs that
/// come and go, in all classes.
pub(super) fn warps_in_order(pins: &[PinDef], warps: u64, schedulers: u64, count: usize) -> Rows {
    let mut rows = Vec::new();
    for step in [1, 5, warps - 1] {
        let order: Vec<u64> = (0..warps).map(|number| number * step % warps).collect();
        for slot in &order {
            rows.push(row(pins, &[("launch", 1 << slot)]));
        }
        for pair in order.windows(1 + schedulers as usize) {
            let ready = 1 << pair[0] | 1 << pair[schedulers as usize];
            rows.push(row(pins, &[("ready", ready)]));
        }
    }
    rows.push(row(pins, &[("clear", 1), ("launch", u64::MAX)]));
    let mut random = Random(21);
    for number in 0..count as u64 {
        let cta = 1 << random.below(4);
        let first = random.below(warps / cta) * cta;
        let launch = if random.once_in(3) {
            ((1 << cta) - 1) << first
        } else {
            0
        };
        let few = (0..4).fold(0, |mask, _| mask | 1 << random.below(warps));
        let (owner, any) = (random.next(), random.next());
        // Stretches in which all warps are of one class, and some in which they are mixed.
        let (shared, owner) = [
            (0, owner),
            (u64::MAX, u64::MAX),
            (u64::MAX, 0),
            (any, owner),
        ][(number / 16 % 4) as usize];
        let mut values = row(
            pins,
            &[
                ("clear", u64::from(random.once_in(120))),
                ("launch", launch),
                (
                    "ready",
                    if random.once_in(3) {
                        random.next()
                    } else {
                        few
                    },
                ),
                ("shared", shared),
                ("owner", owner),
            ],
        );
        values.1 = !random.once_in(7);
        rows.push(values);
    }
    rows
}

/// For `dynamic_throttle`: the probability falls to 0 and rises, period by period, and stays in some; then SM 0, kernel
/// starts and any pins.
pub(super) fn throttled_periods(pins: &[PinDef], period: u64, count: usize) -> Rows {
    let mut random = Random(22);
    let mut rows = vec![row(pins, &[("clear", 1), ("stall", 1)])];
    let mut own = 0;
    for number in 0..15u64 {
        // Less than one's own count in periods 1 to 11, then as many, then more.
        let pattern = random.next() | 1;
        let before = match number {
            0 | 12 => own,
            1..=11 => own - 1,
            _ => own + 1,
        };
        own = 0;
        for cycle in 0..period {
            let stall = pattern >> (cycle % 64) & 1;
            own += stall;
            let zero_stalls = if cycle == 0 { before } else { random.next() };
            rows.push(row(pins, &[("stall", stall), ("zero_stalls", zero_stalls)]));
        }
    }
    for _ in 0..40 {
        rows.push(row(pins, &[("sm_zero", 1), ("stall", random.below(2))]));
    }
    for number in 0..count as u64 {
        let mut values = row(
            pins,
            &[
                ("clear", u64::from(random.once_in(60))),
                ("sm_zero", u64::from(number / 50 % 4 == 3)),
                ("stall", random.below(2)),
                ("zero_stalls", random.next()),
            ],
        );
        values.1 = !random.once_in(7);
        rows.push(values);
    }
    rows
}
