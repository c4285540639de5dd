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
