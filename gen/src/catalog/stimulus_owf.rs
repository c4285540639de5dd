//! Input sequences for the units of resource sharing.

use super::stimulus::{Random, Rows, row};
use regshare_hw::clocked::PinDef;

/// A kernel of as many pairs as fit: warps per CTA, and the pairs.
struct Kernel {
    size: u64,
    pairs: Vec<(u64, u64)>,
}

impl Kernel {
    /// The lower CTAs in the first slots, the upper ones in the last, so that pair (0, last) occurs, or right above them.
    fn new(warps: u64, ctas: u64, size: u64, from_last: bool) -> Self {
        let fit = ctas.min(warps / size);
        let count = fit / 2;
        let upper = |pair| {
            if from_last {
                fit - 1 - pair
            } else {
                count + pair
            }
        };
        Self {
            size,
            pairs: (0..count).map(|pair| (pair, upper(pair))).collect(),
        }
    }

    /// What starts it: `clear`, then its pairs.
    fn start(&self, pins: &[PinDef], same: &[(&'static str, u64)]) -> Rows {
        let with = |more: &[(&'static str, u64)]| {
            let all = [same, &[("warps_per_cta", self.size)], more].concat();
            row(pins, &all)
        };
        let mut rows = vec![with(&[("clear", 1), ("share", 1)])];
        for &(cta, partner) in &self.pairs {
            rows.push(with(&[("pair", 1), ("cta", cta), ("partner", partner)]));
        }
        rows
    }
}

/// CTAs that cannot be pairs, of warps that do not divide those of the SM: one whose last warps have no lock, one that does
/// not fit, two in the wrong order, one with itself; then one that has a partner.
fn refused(pins: &[PinDef], warps: u64, ctas: u64) -> Rows {
    let size = warps / ctas + 1;
    let (beyond, last) = (warps / 2 / size, warps / size);
    let kernel = Kernel {
        size,
        pairs: vec![
            (beyond, beyond + 2),
            (0, last),
            (2, 1),
            (1, 1),
            (0, last - 1),
            (1, last - 1),
            (0, 2),
        ],
    };
    kernel.start(pins, &[])
}

/// CTAs of every size, also of none: while a lower CTA holds, the first warp and the last ask, whether their CTAs share or
/// not. Then a pair beside a start, which comes to nothing.
fn every_size(pins: &[PinDef], (warps, ctas): (u64, u64), lock: &Lock) -> Rows {
    let mut rows = Rows::new();
    for (size, lower) in (0..warps / 2 + 2).flat_map(|size| [(size, 0), (size, 1)]) {
        let fit = warps.checked_div(size).unwrap_or(ctas).min(ctas);
        let last = fit.saturating_sub(1);
        let kernel = Kernel {
            size,
            pairs: vec![(lower, last.max(lower))],
        };
        rows.extend(kernel.start(pins, &[(lock.private, 1)]));
        let ends = (0, warps - 1);
        for (a, b) in [(lower * size, last * size), ends, (ends.1, ends.0)] {
            let asks = [("a_valid", 1), ("a_warp", a), (lock.access[0], 1)];
            let both = [("b_valid", 1), ("b_warp", b), (lock.access[1], 1)];
            let same = [("warps_per_cta", size), (lock.private, 1)];
            rows.push(row(pins, &[&same[..], &asks, &both].concat()));
        }
        let both = [("clear", 1), ("pair", 1), ("cta", lower), ("partner", last)];
        rows.push(row(pins, &both));
    }
    rows
}

/// In what the two locks differ.
struct Lock {
    /// Pin with how much is not shared.
    private: &'static str,
    /// The most of it.
    most: u64,
    /// Pins of what the two ports access.
    access: [&'static str; 2],
    /// In how many cycles a CTA ends.
    exits: u64,
    seed: u64,
}

/// Every warp of every pair takes, is refused, waits and ends; then mixtures.
fn pairs(pins: &[PinDef], (warps, ctas): (u64, u64), lock: &Lock, count: usize) -> Rows {
    let Lock {
        private, access, ..
    } = *lock;
    let mut random = Random(lock.seed);
    let mut rows = refused(pins, warps, ctas);
    rows.extend(every_size(pins, (warps, ctas), lock));
    let last = warps.next_power_of_two();
    for (size, from_last) in [
        (warps / ctas, true),
        (warps / ctas, false),
        (warps / 4, true),
        (warps / 2, false),
        (1, true),
    ] {
        let kernel = Kernel::new(warps, ctas, size, from_last);
        let limit = 1 + random.below(lock.most);
        let same = [("warps_per_cta", size), (private, limit)];
        rows.extend(kernel.start(pins, &same));
        for &(lower, upper) in &kernel.pairs {
            for (first, then) in [(lower, upper), (upper, lower)] {
                for place in 0..size {
                    let (a, b) = (first * size + place, then * size + place);
                    let asks = [
                        ("a_valid", 1),
                        ("a_warp", a),
                        (access[0], limit),
                        ("b_warp", b),
                    ];
                    let both = [("b_valid", 1), (access[1], limit), ("favor_b", place & 1)];
                    rows.push(row(pins, &[&same[..], &asks, &both].concat()));
                    rows.push(row(pins, &[&same[..], &asks].concat()));
                    let below = [("b_valid", 1), (access[1], limit - 1)];
                    rows.push(row(pins, &[&same[..], &asks, &below].concat()));
                }
                for place in 0..size {
                    let ends = [
                        ("a_valid", 1),
                        ("a_exit", 1),
                        ("a_warp", first * size + place),
                        ("b_valid", 1),
                        ("b_exit", 1),
                        ("b_warp", then * size + place),
                    ];
                    rows.push(row(pins, &[&same[..], &ends].concat()));
                }
                for cta in [first, then] {
                    rows.push(row(
                        pins,
                        &[&same[..], &[("exit", 1), ("cta", cta)]].concat(),
                    ));
                }
            }
        }
        for _ in 0..count / 5 {
            let mut warp = || {
                if random.once_in(9) {
                    return random.below(last);
                }
                let (lower, upper) = kernel.pairs[random.below(kernel.pairs.len() as u64) as usize];
                let cta = if random.once_in(2) { lower } else { upper };
                cta * size + random.below(size).min(random.below(size))
            };
            let (a, b) = (warp(), warp());
            let values = [
                ("pair", u64::from(random.once_in(40))),
                ("exit", u64::from(random.once_in(lock.exits))),
                ("cta", random.below(ctas)),
                ("partner", random.below(ctas)),
                ("favor_b", random.below(2)),
                ("a_valid", u64::from(!random.once_in(5))),
                ("a_exit", u64::from(random.once_in(4))),
                ("a_warp", a),
                (access[0], limit - 1 + random.below(3)),
                ("b_valid", u64::from(!random.once_in(5))),
                ("b_exit", u64::from(random.once_in(4))),
                ("b_warp", b),
                (access[1], limit - 1 + random.below(3)),
            ];
            let mut values = row(pins, &[&same[..], &values].concat());
            values.1 = !random.once_in(9);
            rows.push(values);
        }
    }
    rows
}

/// For `pair_lock`.
pub(super) fn register_pairs(pins: &[PinDef], warps: u64, ctas: u64, count: usize) -> Rows {
    let lock = Lock {
        private: "private_regs",
        most: 200,
        access: ["a_reg", "b_reg"],
        exits: 12,
        seed: 21,
    };
    pairs(pins, (warps, ctas), &lock, count)
}

/// For `scratchpad_lock`.
pub(super) fn scratchpad_pairs(pins: &[PinDef], warps: u64, ctas: u64, count: usize) -> Rows {
    let lock = Lock {
        private: "private_bytes",
        most: 120_000,
        access: ["a_address", "b_address"],
        exits: 4,
        seed: 22,
    };
    pairs(pins, (warps, ctas), &lock, count)
}
