//! Theorems about arithmetic, the search for a zero and the baseline mapping.

use super::{Fault, MAPPING, PLAIN, Proof, fault, property};

const BASELINE_FAULTS: &[Fault] = &[fault(
    "the register is not checked",
    "(asked$2 & exists$2)",
    "asked$2",
)];

const ZERO_FAULTS: &[Fault] = &[
    fault(
        "a zero in the first quarter is passed over",
        "low = quad_found$0 | quad_found$1;",
        "low = quad_found$1;",
    ),
    fault(
        "the last bit of a group is not looked at",
        "group_found$3 = group_low$3 | (~(mask[(32'h4 * 3) + 32'h2] & mask[(32'h4 * 3) + 32'h3]));",
        "group_found$3 = group_low$3 | (~mask[(32'h4 * 3) + 32'h2]);",
    ),
    fault(
        "a group is called by another's number",
        "index = quad_index$2;",
        "index = quad_index$1;",
    ),
    fault(
        "a full mask has a zero",
        "found = low | (quad_found$2 | quad_found$3);",
        "found = 1'b1;",
    ),
];

pub(super) fn proofs() -> Vec<Proof> {
    vec![
        Proof {
            name: "rows_do_not_overlap",
            claims: "Rows at multiples of their size do not overlap: the arithmetic under the three mappings.",
            under: &[
                "reg_map",
                "register_mapper",
                "paired_mapper",
                "regmutex_top",
                "paired_top",
                "safe_paired_top",
                "owf_top",
            ],
            source: property!("rows_do_not_overlap.sv"),
            frames: 1,
            events: 1,
            ..PLAIN
        },
        Proof {
            name: "find_first_zero",
            claims: "A zero is found exactly if there is one, and it is the lowest.",
            unit: Some("find_first_zero"),
            faults: ZERO_FAULTS,
            source: property!("find_first_zero.sv"),
            frames: 1,
            events: 3,
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
