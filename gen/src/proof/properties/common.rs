//! Theorems about arithmetic and the baseline mapping.

use super::{Fault, MAPPING, PLAIN, Proof, fault, property};

const BASELINE_FAULTS: &[Fault] = &[fault(
    "the register is not checked",
    "(asked$2 & (x$2 < coeff))",
    "asked$2",
)];

pub(super) fn proofs() -> Vec<Proof> {
    vec![
        Proof {
            name: "rows_do_not_overlap",
            claims: "Rows at multiples of their size do not overlap: the arithmetic under the three mappings.",
            source: property!("rows_do_not_overlap.sv"),
            frames: 1,
            events: 1,
            ..PLAIN
        },
        Proof {
            name: "reg_map",
            claims: "Two registers of resident warps never share a pack; every register has one, inside the file.",
            unit: Some("reg_map"),
            faults: BASELINE_FAULTS,
            source: property!("reg_map.sv"),
            events: 3,
            ..MAPPING
        },
    ]
}
