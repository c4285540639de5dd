//! Input sequences for the top of resource sharing.

use super::stimulus::{Random, Rows, row};
use regshare_hw::clocked::PinDef;

/// CTAs of a kernel that shares: the first two with the last two, those between with nobody.
const CTAS: u64 = 6;

/// A row with these values beside those that stay.
type With<'a> = dyn Fn(&[(&'static str, u64)]) -> (Vec<u64>, bool) + 'a;

/// A kernel, and what stays on the pins while it runs.
struct Kernel {
    size: u64,
    base: u64,
    ext: u64,
    bytes: u64,
    same: Vec<(&'static str, u64)>,
}

impl Kernel {
    fn new(warps: u64, packs: u64, base: u64, bytes: u64) -> Self {
        let size = warps / CTAS;
        let ext = packs / warps - base;
        let same = vec![
            ("warps_per_cta", size),
            ("base_regs", base),
            ("ext_regs", ext),
            ("upper_offset", (CTAS - 2) * size * ext),
            ("private_bytes", bytes),
        ];
        Self {
            size,
            base,
            ext,
            bytes,
            same,
        }
    }

    /// The pair of a number: lower and upper CTA.
    fn pair(&self, number: u64) -> (u64, u64) {
        (number % 2, CTAS - 2 + number % 2)
    }
}

/// For `owf_top`: kernels that share registers, scratchpad and both; in each every CTA starts, every warp of a pair takes, is
/// refused, and ends; then mixtures, and once a period in which SM 0 stalls less.
pub(super) fn owf_issues(pins: &[PinDef], warps: u64, packs: u64, count: usize) -> Rows {
    let mut random = Random(41);
    let mut rows = Rows::new();
    for (base, share) in [(4, [1, 0]), (9, [0, 1]), (2, [1, 1])] {
        let kernel = Kernel::new(warps, packs, base, 3000 * base);
        let with = |more: &[(&'static str, u64)]| row(pins, &[&kernel.same, more].concat());
        let start = [("share_regs", share[0]), ("share_scratchpad", share[1])];
        rows.push(with(
            &[&[("clear", 1), ("a_valid", 1)], &start[..]].concat(),
        ));
        for number in 0..2 {
            let (lower, upper) = kernel.pair(number);
            rows.push(with(&[("pair", 1), ("cta", lower), ("partner", upper)]));
        }
        for cta in [5, 2, 0, 4, 1, 3] {
            let launch = ((1 << kernel.size) - 1) << (cta * kernel.size);
            rows.push(with(&[("launch", launch)]));
        }
        if base == 4 {
            // In the first cycle of the next period SM 0 has had fewer.
            rows.extend((0..1000).map(|cycle| {
                with(&[
                    ("stall", u64::from(cycle % 3 != 0)),
                    ("zero_stalls", 500),
                    ("ready", random.next()),
                ])
            }));
        }
        every_warp(&kernel, &with, &mut rows);
        mixture(&kernel, &with, warps, count / 3, &mut random, &mut rows);
    }
    rows
}

/// Every warp of a lower CTA takes what its partner then asks for, in memory instructions, on either kind of SM.
fn every_warp(kernel: &Kernel, with: &With, rows: &mut Rows) {
    for (number, place) in (0..2).flat_map(|number| (0..kernel.size).map(move |at| (number, at))) {
        let (lower, upper) = kernel.pair(number);
        let (first, then) = (lower * kernel.size + place, upper * kernel.size + place);
        let asks = [
            ("ready", 1 << first | 1 << then | 1 << (2 * kernel.size)),
            ("a_valid", 1),
            ("a_warp", first),
            ("a_x0", kernel.base),
            ("a_x0_valid", 1),
            ("a_x3", kernel.base + kernel.ext - 1),
            ("a_x3_valid", 1),
            ("a_scratch", 1),
            ("a_address", kernel.bytes),
            ("b_valid", 1),
            ("b_warp", then),
            ("b_x1", kernel.base),
            ("b_x1_valid", place & 1),
            ("b_x2", kernel.base - 1),
            ("b_x2_valid", 1),
            ("b_scratch", 1),
            ("b_address", kernel.bytes - place % 2),
        ];
        let memory = [("a_memory", place & 1), ("b_memory", 1), ("sm_zero", 1)];
        rows.push(with(&[&asks[..], &memory].concat()));
        rows.push(with(&asks));
        rows.push(with(&asks));
    }
    for place in 0..kernel.size {
        let ends = [
            ("a_valid", 1),
            ("a_exit", 1),
            ("a_warp", place),
            ("b_valid", 1),
            ("b_exit", 1),
            ("b_warp", (CTAS - 1) * kernel.size + place),
            ("b_x0_valid", 1),
        ];
        rows.push(with(&ends));
    }
    rows.push(with(&[("exit", 1)]));
    rows.push(with(&[("exit", 1), ("cta", CTAS - 1)]));
}

/// Pins of the two ports, alike.
const PORTS: [[&str; 14]; 2] = [
    [
        "a_valid",
        "a_exit",
        "a_memory",
        "a_scratch",
        "a_address",
        "a_warp",
        "a_x0",
        "a_x1",
        "a_x2",
        "a_x3",
        "a_x0_valid",
        "a_x1_valid",
        "a_x2_valid",
        "a_x3_valid",
    ],
    [
        "b_valid",
        "b_exit",
        "b_memory",
        "b_scratch",
        "b_address",
        "b_warp",
        "b_x0",
        "b_x1",
        "b_x2",
        "b_x3",
        "b_x0_valid",
        "b_x1_valid",
        "b_x2_valid",
        "b_x3_valid",
    ],
];

fn mixture(
    kernel: &Kernel,
    with: &With,
    warps: u64,
    count: usize,
    random: &mut Random,
    rows: &mut Rows,
) {
    let last = warps.next_power_of_two();
    for _ in 0..count {
        let mut values = vec![
            ("exit", u64::from(random.once_in(12))),
            ("cta", random.below(CTAS)),
            ("partner", random.below(CTAS)),
            (
                "launch",
                if random.once_in(4) {
                    random.next() & random.next()
                } else {
                    0
                },
            ),
            ("ready", random.next() & random.next()),
            ("sm_zero", u64::from(random.once_in(5))),
            ("stall", random.below(2)),
            ("zero_stalls", random.below(1024)),
            ("favor_b", random.below(2)),
        ];
        for port in PORTS {
            let warp = if random.once_in(9) {
                random.below(last)
            } else {
                let (lower, upper) = kernel.pair(random.below(2));
                let cta = if random.once_in(2) { lower } else { upper };
                cta * kernel.size + random.below(kernel.size).min(random.below(kernel.size))
            };
            let few = random.once_in(2);
            values.extend([
                (port[0], u64::from(!random.once_in(6))),
                (port[1], u64::from(random.once_in(5))),
                (port[2], u64::from(random.once_in(3))),
                (port[3], u64::from(random.once_in(3))),
                (port[4], kernel.bytes - 1 + random.below(3)),
                (port[5], warp),
            ]);
            for x in 6..10 {
                let all = kernel.base + if few { 0 } else { kernel.ext + 1 };
                values.push((port[x], random.below(all)));
                values.push((port[x + 4], u64::from(!random.once_in(3))));
            }
        }
        let mut row = with(&values);
        row.1 = !random.once_in(9);
        rows.push(row);
    }
}
