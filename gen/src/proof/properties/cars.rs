//! Theorems about the units of CARS.

use super::{Fault, PLAIN, Proof, fault, property};

const LIST_FAULTS: &[Fault] = &[
    fault(
        "a stalled warp is put in again",
        "adds = granted & (~known);",
        "adds = granted;",
    ),
    fault(
        "the woken warp stays marked",
        "kept = ~woken_onehot;",
        "kept = all;",
    ),
    fault(
        "the last entry is skipped over",
        "tail_up = zero;",
        "tail_up = one_up;",
    ),
    fault(
        "the warp woken is stalled in the same cycle",
        "& (~leaves)",
        "& (leaves | (~leaves))",
    ),
    fault(
        "clear keeps the begin of the list",
        "head$d = zero;",
        "head$d = head$q;",
    ),
];

pub(super) fn proofs() -> Vec<Proof> {
    vec![Proof {
        name: "stalled_warps",
        claims: "No warp is in the list twice, and it never overflows; a look-up says who is in it; the warp that has \
                     waited longest is woken, and all others move up; a granted stall puts the warp at the end.",
        unit: Some("stalled_warps"),
        faults: LIST_FAULTS,
        source: property!("stalled_warps.sv"),
        events: 6,
        power_on: true,
        ..PLAIN
    }]
}
