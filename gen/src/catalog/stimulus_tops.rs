//! Input sequences for the tops that join the units of a system.

use super::stimulus::{Random, Rows, row};
use regshare_hw::clocked::PinDef;

/// Sizes of a kernel's sets.
struct Kernel {
    base: u64,
    ext: u64,
    /// What stays on the pins while it runs.
    pins: Vec<(&'static str, u64)>,
    /// What is on them besides while it starts.
    start: Vec<(&'static str, u64)>,
    /// How many warps meet in a crowd.
    crowd: u64,
}

/// For `regmutex_top`: kernels that fill the register file, in which every warp acquires, uses both sets and releases;
/// then warps that meet, and warps that do not exist.
pub(super) fn regmutex_issues(pins: &[PinDef], warps: u64, packs: u64, count: usize) -> Rows {
    let mut random = Random(31);
    let mut rows = Rows::new();
    let base = (packs / warps).saturating_sub(4).min(40);
    let room = packs - base * warps;
    for ext in [8, 2, 12] {
        let sections = (room / ext).min(warps);
        let kernel = Kernel {
            base,
            ext,
            pins: vec![("srp_offset", base * warps)],
            start: vec![("section_count", sections)],
            crowd: sections + 2,
        };
        run(pins, &kernel, warps, count / 3, &mut random, &mut rows);
    }
    rows
}

/// For the tops of paired warps: kernels whose pairs fill the register file, in which every warp acquires, uses both sets and
/// releases; then a few pairs and many, and warps that do not exist.
pub(super) fn paired_issues(pins: &[PinDef], warps: u64, packs: u64, count: usize) -> Rows {
    let mut random = Random(37);
    let mut rows = Rows::new();
    for ext in [8, 2, 12] {
        let kernel = Kernel {
            base: (2 * packs / warps - ext) / 2,
            ext,
            pins: Vec::new(),
            start: Vec::new(),
            crowd: 6,
        };
        run(pins, &kernel, warps, count / 3, &mut random, &mut rows);
    }
    rows
}

fn run(
    pins: &[PinDef],
    kernel: &Kernel,
    warps: u64,
    count: usize,
    random: &mut Random,
    rows: &mut Rows,
) {
    let &Kernel { base, ext, .. } = kernel;
    let same = [("base_regs", base), ("ext_regs", ext)];
    let with = |more: &[(&'static str, u64)]| row(pins, &[&same, &kernel.pins[..], more].concat());
    rows.push(with(&[&[("clear", 1)], &kernel.start[..]].concat()));
    // Every warp acquires on one port while another uses its registers on the other, then all release.
    for (number, release) in (0..2 * warps).map(|number| (number % warps, number / warps)) {
        rows.push(with(&[
            ("a_valid", 1),
            ("a_change", 1),
            ("a_release", release),
            ("a_warp", number),
            ("a_x0", base),
            ("a_x0_valid", 1),
            ("a_x3", base - 1),
            ("a_x3_valid", 1),
            ("b_valid", 1),
            ("b_warp", warps - 1 - number),
            ("b_x1", base + ext - 1),
            ("b_x1_valid", 1),
            ("b_x2", base + ext),
            ("b_x2_valid", 1),
        ]));
    }
    for at in 0..count {
        let crowd = if at / 50 % 2 == 0 {
            kernel.crowd
        } else {
            warps + 1
        };
        let mut values = vec![("favor_b", random.below(2))];
        let ports: [[&'static str; 12]; 2] = [
            [
                "a_valid",
                "a_change",
                "a_release",
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
                "b_change",
                "b_release",
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
        for port in ports {
            values.push((port[0], u64::from(!random.once_in(6))));
            values.push((port[1], random.below(2)));
            values.push((port[2], u64::from(random.once_in(3))));
            values.push((port[3], random.below(crowd)));
            for x in 4..8 {
                values.push((port[x], random.below(base + ext + 2)));
                values.push((port[x + 4], u64::from(!random.once_in(4))));
            }
        }
        let mut row = with(&values);
        row.1 = !random.once_in(5);
        rows.push(row);
    }
}
