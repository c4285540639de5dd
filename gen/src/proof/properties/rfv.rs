//! Theorems about the units of register file virtualization.

use super::{Fault, PLAIN, Proof, fault, property};

const DECODER_FAULTS: &[Fault] = &[
    fault(
        "slots 16 and 17 read as 0 and 1",
        "select$slot = slot;",
        "select$slot = {1'b0, slot[3:0]};",
    ),
    fault(
        "unused ids are released",
        "id_valid$1 = is_pbr & (triple[(32'h6 * 1)+:(6)] != no_register);",
        "id_valid$1 = is_pbr;",
    ),
    fault(
        "six registers are released in one turn",
        "else if (used$1) begin\n                turns = count$2;",
        "else if (used$1) begin\n                turns = count$1;",
    ),
    fault(
        "the second turn is the third",
        "triple = word[(32'h16)+:(18)];",
        "triple = word[(32'h28)+:(18)];",
    ),
];

pub(super) fn proofs() -> Vec<Proof> {
    vec![Proof {
        name: "flag_decoder",
        claims: "Every output is the selection that the format of pir and pbr says.",
        unit: Some("flag_decoder"),
        faults: DECODER_FAULTS,
        source: property!("flag_decoder.sv"),
        frames: 1,
        events: 3,
        ..PLAIN
    }]
}
