//! What the property tests of the decoder draw from.

use super::{FlagDecoderIn, NO_REGISTER, PBR_OPCODE, PIR_OPCODE, flag_word};
use crate::strategies::any_pins;
use proptest::prelude::*;

/// Any pins, but two words of three are flag instructions, and ids are often unused.
pub fn row() -> impl Strategy<Value = FlagDecoderIn> {
    let payload = prop_oneof![
        any::<u64>(),
        prop::collection::vec(prop_oneof![Just(NO_REGISTER), 0u8..64], 9).prop_map(|ids| ids
            .iter()
            .fold(0, |payload, &id| payload << 6 | u64::from(id))),
    ];
    let opcode = prop_oneof![
        Just(Some(PIR_OPCODE)),
        Just(Some(PBR_OPCODE)),
        Just(None::<u16>)
    ];
    (any_pins(), payload, opcode).prop_map(|(pins, payload, opcode): (FlagDecoderIn, u64, _)| {
        FlagDecoderIn {
            word: opcode.map_or(pins.word, |opcode| flag_word(opcode, payload)),
            ..pins
        }
    })
}

/// Sequences of [`row`].
pub fn rows() -> impl Strategy<Value = Vec<FlagDecoderIn>> {
    prop::collection::vec(row(), 1..60)
}
