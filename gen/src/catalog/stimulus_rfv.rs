//! Input sequences for the units of register file virtualization.

use super::stimulus::{Random, Rows, any_values, row};
use regshare_hw::clocked::PinDef;
use regshare_hw::rfv::flag_decoder::{PBR_OPCODE, PIR_OPCODE, flag_word, pbr_word};

/// Every slot of a pir, pbr of all lengths, words one bit away from an opcode, then any words of all kinds.
pub(super) fn flag_words(pins: &[PinDef], count: usize) -> Rows {
    let mut random = Random(11);
    let mut rows = any_values(pins, count / 8);
    let word = |word, slot, turn| row(pins, &[("word", word), ("slot", slot), ("turn", turn)]);
    for slot in 0..32 {
        rows.push(word(flag_word(PIR_OPCODE, random.next()), slot, 0));
    }
    for length in 0..=9 {
        let ids: Vec<u8> = (0..length).map(|_| random.below(63) as u8).collect();
        for turn in 0..4 {
            rows.push(word(pbr_word(&ids).unwrap_or(0), 0, turn));
        }
    }
    for bit in (0..4).chain(58..64) {
        for opcode in [PIR_OPCODE, PBR_OPCODE] {
            rows.push(word(flag_word(opcode, random.next()) ^ 1 << bit, 3, 1));
        }
    }
    for _ in 0..count {
        let opcode = [PIR_OPCODE, PBR_OPCODE, random.below(1024) as u16][random.below(3) as usize];
        // Ids of 63 are unused; without this they would be rare.
        let unused = (0..9).fold(0, |mask, id| {
            mask | if random.once_in(2) { 63 << (6 * id) } else { 0 }
        });
        let payload = random.next() | unused;
        rows.push(word(
            flag_word(opcode, payload),
            random.below(20),
            random.below(4),
        ));
    }
    rows
}

/// Fills every entry and reads it back, lets two program counters fight for one entry, then any mixture with rare clears.
pub(super) fn pir_fills(pins: &[PinDef], count: usize) -> Rows {
    let mut random = Random(12);
    let mut rows = vec![row(pins, &[("clear", 1)])];
    for base in [0, 60_000, 65_526] {
        for pc in base..base + 10 {
            rows.push(row(
                pins,
                &[
                    ("fill", 1),
                    ("fill_pc", pc),
                    ("fill_payload", random.next()),
                    ("a_pc", pc),
                    ("b_pc", pc + 10),
                ],
            ));
        }
        for pc in base..base + 10 {
            for slot in 0..18 {
                rows.push(row(
                    pins,
                    &[
                        ("a_pc", pc),
                        ("a_slot", slot),
                        ("b_pc", pc ^ 8),
                        ("b_slot", 17 - slot),
                    ],
                ));
            }
        }
    }
    for number in 0..count as u64 {
        let range = [24, 65_536][(number / 64 % 2) as usize];
        let mut pc = || random.below(range);
        let (fill_pc, a_pc, other) = (pc(), pc(), pc());
        let b_pc = if random.once_in(2) { fill_pc } else { other };
        let mut values = row(
            pins,
            &[
                ("clear", u64::from(random.once_in(61))),
                ("fill", random.below(2)),
                ("fill_pc", fill_pc),
                ("fill_payload", random.next()),
                ("a_pc", a_pc),
                ("a_slot", random.below(20)),
                ("b_pc", b_pc),
                ("b_slot", random.below(20)),
            ],
        );
        values.1 = !random.once_in(7);
        rows.push(values);
    }
    rows
}

/// any values.
pub(super) fn cta_kernels(pins: &[PinDef], ctas: u64, packs: u64, count: usize) -> Rows {
    let mut random = Random(13);
    let mut rows = Rows::new();
    for (pack_count, need) in [
        (packs, packs / 4),
        (24, 12),
        (24, 24),
        (5, 9),
        (packs + 3, 2),
    ] {
        rows.push(row(pins, &[("clear", 1), ("pack_count", pack_count)]));
        for launch_cta in 0..ctas {
            rows.push(row(
                pins,
                &[("launch", 1), ("launch_cta", launch_cta), ("need", need)],
            ));
        }
        for number in 0..count as u64 / 5 {
            let crowd = if number / 32 % 2 == 0 { ctas } else { 2 };
            let taking = if number / 24 % 2 == 0 { 1 } else { 3 };
            let mut values = row(
                pins,
                &[
                    ("launch", u64::from(random.once_in(9))),
                    ("launch_cta", random.below(ctas)),
                    ("need", need),
                    ("exit", u64::from(random.once_in(11))),
                    ("exit_cta", random.below(ctas)),
                    ("favor_b", random.below(2)),
                    ("a_cta", random.below(crowd)),
                    ("a_take", random.below(2)),
                    ("a_give", random.below(4) / taking),
                    ("b_cta", random.below(crowd)),
                    ("b_take", random.below(2)),
                    ("b_give", random.below(4) / 3),
                ],
            );
            values.1 = !random.once_in(9);
            rows.push(values);
        }
    }
    rows.extend(any_values(pins, count / 5));
    rows
}

/// Each sub-array alone until it is awake and asleep again, then stretches of any masks.
pub(super) fn sleep_and_wake(pins: &[PinDef], count: usize) -> Rows {
    let mut random = Random(14);
    let mut rows = Rows::new();
    for sub_array in 0..16 {
        for cycle in 0..14 {
            let mask = if cycle < 12 { 1 << sub_array } else { 0 };
            let pin = if cycle < 2 { "request" } else { "occupied" };
            rows.push(row(pins, &[(pin, mask)]));
        }
    }
    while rows.len() < count {
        let (occupied, request) = (random.next(), random.next() & random.next());
        let clear = u64::from(random.once_in(9));
        for cycle in 0..random.below(14) {
            let clear = if cycle == 5 { clear } else { 0 };
            let mut values = row(
                pins,
                &[
                    ("clear", clear),
                    ("occupied", occupied),
                    ("request", request),
                ],
            );
            values.1 = !random.once_in(9);
            rows.push(values);
        }
    }
    rows
}

/// Fills all banks in every size of the file and empties them again, then any takes and gives, with stretches in which
/// packs become few.
pub(super) fn packs_in_and_out(pins: &[PinDef], packs: u64, count: usize) -> Rows {
    let mut random = Random(15);
    let bank_packs = packs / 4;
    let mut rows = Rows::new();
    let given =
        |random: &mut Random| -> [u64; 4] { std::array::from_fn(|_| random.below(bank_packs)) };
    // Banks that reserve some packs, one too few, none, and again some, not a whole chunk of them.
    let modes = [
        (3, bank_packs / 8 + 3, 0xffff),
        (2, bank_packs * 6 / 10 - 1, 0),
        (1, 0, 0x4218),
        (0, bank_packs / 4 + 1, 0xacf7),
    ];
    for (shrink, reserved, awake) in modes {
        let clear = [
            ("clear", 1),
            ("reserved", reserved),
            ("take", 15),
            ("give", 15),
        ];
        rows.push(row(pins, &clear));
        // One size is enough to see all packs go and come.
        let fill = if shrink == 0 {
            bank_packs + 2
        } else {
            bank_packs / 2
        };
        for _ in 0..fill {
            rows.push(row(
                pins,
                &[
                    ("shrink", shrink),
                    ("reserved", reserved),
                    ("awake", awake),
                    ("take", 15),
                ],
            ));
        }
        for _ in 0..fill.min(bank_packs / 2 + 9) {
            let packs = given(&mut random);
            rows.push(row(
                pins,
                &[
                    ("shrink", shrink),
                    ("reserved", reserved),
                    ("awake", awake ^ 0xffff),
                    ("take", random.below(16) & random.below(16)),
                    ("give", 15),
                    ("give0", packs[0]),
                    ("give1", packs[1]),
                    ("give2", packs[2]),
                    ("give3", packs[3]),
                ],
            ));
        }
    }
    let (mut shrink, mut reserved, mut awake) = (0, 0, 0);
    for number in 0..count as u64 {
        if number % 32 == 0 {
            (shrink, awake) = (random.below(4), random.next());
            reserved = match number / 32 % 8 {
                7 => bank_packs + random.below(bank_packs),
                odd if odd % 2 == 1 => random.below(bank_packs),
                _ => 0,
            };
        }
        let packs = given(&mut random);
        let busy = if number / 64 % 2 == 0 { 15 } else { 0 };
        let mut values = row(
            pins,
            &[
                ("clear", u64::from(random.once_in(181))),
                ("shrink", shrink),
                ("reserved", reserved),
                ("awake", awake),
                ("take", random.below(16) | busy),
                ("give", random.below(16) & (random.below(16) | (15 ^ busy))),
                ("give0", packs[0]),
                ("give1", packs[1]),
                ("give2", packs[2]),
                ("give3", packs[3]),
            ],
        );
        values.1 = !random.once_in(9);
        rows.push(values);
    }
    rows
}
