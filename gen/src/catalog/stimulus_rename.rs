//! Input sequences for RFV's renaming table.

use super::stimulus::{Random, Rows, any_values, row};
use regshare_hw::clocked::PinDef;

/// Maps registers of the first and the last warp, reads and releases them, ends and starts both warps, then instructions of
/// few warps with rare walks, under several numbers of exempt registers.
pub(super) fn renamings(
    pins: &[PinDef],
    warps: u64,
    registers: u64,
    packs: u64,
    count: usize,
) -> Rows {
    let mut random = Random(15);
    let mut rows = any_values(pins, 40);
    let last = (1 << 6) - 1;
    for warp in [0, warps - 1] {
        rows.push(row(pins, &[("warp", warp), ("launch", 1)]));
        rows.extend((0..16).map(|_| row(pins, &[])));
        let offer = |random: &mut Random, values: &mut Vec<(&str, u64)>| {
            for pin in ["offer0", "offer1", "offer2", "offer3"] {
                values.push((pin, random.below(packs / 4)));
            }
            values.push(("offer_valid", 15));
        };
        // Every register is written, read and released; one more cycle answers the last one.
        for pin in [
            &["x3", "x3_valid"][..],
            &["x0", "x0_valid"],
            &["x1", "x1_valid", "x1_release"],
        ] {
            for x in 0..registers {
                let mut values = vec![("warp", warp), (pin[0], x)];
                values.extend(pin[1..].iter().map(|pin| (*pin, 1)));
                offer(&mut random, &mut values);
                rows.push(row(pins, &values));
            }
        }
        for x in 0..registers.min(24) {
            let mut values = vec![("warp", warp), ("x3", 2 * x), ("x3_valid", 1)];
            offer(&mut random, &mut values);
            rows.push(row(pins, &values));
        }
        rows.push(row(pins, &[("warp", warp), ("exit", 1)]));
        rows.extend((0..17).map(|_| row(pins, &[("x0_valid", 1)])));
    }
    for number in 0..count as u64 {
        let exempt = [0, 4, 9, 40][(number / 150 % 4) as usize];
        let crowd = [2, warps][(number / 75 % 2) as usize];
        let mut values = vec![
            ("clear", u64::from(random.once_in(190))),
            ("exempt", exempt),
            ("warp", random.below(crowd)),
            ("launch", u64::from(random.once_in(120))),
            ("exit", u64::from(random.once_in(60))),
            ("x3_partial", random.below(2)),
            (
                "offer_valid",
                if random.once_in(4) {
                    random.below(16)
                } else {
                    15
                },
            ),
        ];
        for pin in ["offer0", "offer1", "offer2", "offer3"] {
            values.push((pin, random.below(packs / 4)));
        }
        for [x, valid, release] in [
            ["x0", "x0_valid", "x0_release"],
            ["x1", "x1_valid", "x1_release"],
            ["x2", "x2_valid", "x2_release"],
            ["x3", "x3_valid", ""],
        ] {
            let near = exempt + random.below(8);
            let any = random.below(last + 1);
            values.push((
                x,
                if random.once_in(9) {
                    any
                } else {
                    near.min(last)
                },
            ));
            values.push((valid, u64::from(!random.once_in(4))));
            values.push((release, u64::from(random.once_in(3))));
        }
        let mut values = row(pins, &values);
        values.1 = !random.once_in(7);
        rows.push(values);
    }
    rows
}
