//! Input sequences for the committed test benches: directed where it matters, pseudo-random beyond.

use regshare_hw::clocked::PinDef;

/// Rows of pin values, each with a flag for the rising edge.
pub(super) type Rows = Vec<(Vec<u64>, bool)>;

/// SplitMix64 (Steele, Lea, Flood 2014): the same sequence on every machine.
pub(super) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

fn ones(pin: &PinDef) -> u64 {
    u64::MAX >> (64 - pin.width_bits)
}

/// All pins low, all high, then `count` rows of any values; every fourth value is a corner of its pin.
pub(super) fn any_values(pins: &[PinDef], count: usize) -> Rows {
    let mut random = Random(1);
    let mut rows: Rows = vec![
        (vec![0; pins.len()], true),
        (pins.iter().map(ones).collect(), true),
    ];
    for _ in 0..count {
        let values = pins.iter().map(|pin| match random.below(8) {
            0 => 0,
            1 => ones(pin),
            _ => random.next() & ones(pin),
        });
        rows.push((values.collect(), true));
    }
    rows
}

/// Masks with one zero, with all below or above it set, and any others.
pub(super) fn masks(pins: &[PinDef], count: usize) -> Rows {
    let all = ones(&pins[0]);
    let mut rows: Rows = vec![(vec![0], true), (vec![all], true)];
    for bit in 0..pins[0].width_bits {
        for mask in [
            all ^ (1 << bit),
            (1 << bit) - 1,
            all & (u64::MAX << bit),
            1 << bit,
        ] {
            rows.push((vec![mask], true));
        }
    }
    let mut random = Random(2);
    for _ in 0..count {
        let mask = random.next() | random.next() | random.next();
        rows.push((vec![mask & all], true));
    }
    rows
}

/// One row, pins by name; those not named are 0, and bits that a pin does not have are dropped.
pub(super) fn row(pins: &[PinDef], values: &[(&str, u64)]) -> (Vec<u64>, bool) {
    let value = |pin: &PinDef| {
        values
            .iter()
            .find(|(name, _)| *name == pin.name)
            .map_or(0, |(_, value)| value & ones(pin))
    };
    (pins.iter().map(value).collect(), true)
}

/// For units with two request ports: fills up, asks again, gives back twice, then any requests with rare clears.
pub(super) fn requests(pins: &[PinDef], warps: u64, count: usize) -> Rows {
    let mut rows = Vec::new();
    for (sections, port) in [(warps, "a"), (warps / 2, "b"), (1, "a"), (0, "b")] {
        let [valid, release, warp] =
            ["valid", "release", "warp"].map(|pin| format!("{port}_{pin}"));
        rows.push(row(pins, &[("clear", 1), ("section_count", sections)]));
        for releasing in [0, 0, 1, 1, 0] {
            for number in 0..warps {
                rows.push(row(
                    pins,
                    &[(&valid, 1), (&release, releasing), (&warp, number)],
                ));
            }
        }
    }
    let mut random = Random(3);
    let few = warps.min(6);
    for number in 0..count as u64 {
        // Long stretches with few warps and sections make them meet; others use all, and warps that do not exist.
        let crowd = if number / 64 % 2 == 0 { few } else { 64 };
        let clear = u64::from(random.once_in(97));
        let sections = if random.once_in(2) {
            random.below(5)
        } else {
            random.below(128)
        };
        let (a, b) = (random.below(crowd), random.below(crowd));
        let mut values = row(
            pins,
            &[
                ("clear", clear),
                ("section_count", sections),
                ("favor_b", random.below(2)),
                ("a_valid", random.below(2)),
                ("a_release", u64::from(random.once_in(3))),
                ("a_warp", a),
                ("b_valid", random.below(2)),
                ("b_release", u64::from(random.once_in(3))),
                ("b_warp", b),
            ],
        );
        values.1 = !random.once_in(5);
        rows.push(values);
    }
    rows
}

/// For units that map registers: legal kernels of all sizes, then any values.
pub(super) fn look_ups(pins: &[PinDef], warps: u64, packs: u64, count: usize) -> Rows {
    let mut random = Random(4);
    let mut rows = any_values(pins, count / 4);
    for _ in 0..count {
        let regs = 1 + random.below((packs / warps).clamp(1, 250));
        let ext = random.below(regs.min(13));
        let base = regs - ext;
        let widx = random.below(warps);
        let mut values = vec![
            ("widx", widx),
            ("coeff", regs),
            ("base_regs", base),
            ("ext_regs", ext),
            ("section", random.below(warps)),
            ("section_valid", random.below(2)),
            ("ext_held", random.below(2)),
            ("srp_offset", (base * warps).min(packs - 1)),
        ];
        for (register, valid) in [
            ("x0", "x0_valid"),
            ("x1", "x1_valid"),
            ("x2", "x2_valid"),
            ("x3", "x3_valid"),
        ] {
            values.push((register, random.below(regs + 2)));
            values.push((valid, u64::from(!random.once_in(6))));
        }
        rows.push(row(pins, &values));
    }
    rows
}
