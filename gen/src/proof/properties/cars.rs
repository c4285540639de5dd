//! Theorems about the units of CARS.

use super::{Fault, PLAIN, Proof, fault, property};

const MAPPER_FAULTS: &[Fault] = &[
    fault(
        "one register more than pushed is renamed",
        "(x_wide$1 < frame_end)",
        "(x_wide$1 <= frame_end)",
    ),
    fault(
        "a frame runs beyond the stack",
        "origin$2 = around;",
        "origin$2 = straight;",
    ),
    fault(
        "the base set reaches into the stack",
        "(x_wide$0 < base_regs)",
        "(x_wide$0 <= base_regs)",
    ),
    fault(
        "the link of the first frame lies below the stack",
        "last_offset = capacity_wide;",
        "last_offset = zero;",
    ),
];

const RESERVATION_FAULTS: &[Fault] = &[
    fault(
        "a level is left before it was measured",
        "may_move = |(from_mine & one);",
        "may_move = 1'b1;",
    ),
    fault(
        "of equal levels the higher one is best",
        "(cycles$13 < cycles$12)",
        "(cycles$13 <= cycles$12)",
    ),
    fault(
        "an eighth is not taken away before one is added",
        "rest = old - old_eighth;",
        "rest = old;",
    ),
    fault(
        "the first CTA counts an eighth",
        "mean = cycles;",
        "mean = sum;",
    ),
    fault(
        "a CTA above the kernel's levels is recorded",
        "records = done & (done_level <= highest$q);",
        "records = done;",
    ),
    fault(
        "a remembered level may be above High",
        "first = top;",
        "first = known_level;",
    ),
];

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
    vec![
        Proof {
            name: "reservation_fsm",
            claims: "No half of the SMs leaves the levels of the kernel, or a level that was not measured; a launch goes one \
                     step towards the best level, none is better than that, and an average stays among its CTAs.",
            unit: Some("reservation_fsm"),
            params: &[("levels", 8)],
            faults: RESERVATION_FAULTS,
            source: property!("reservation_fsm.sv"),
            events: 6,
            power_on: true,
            ..PLAIN
        },
        Proof {
            name: "stack_mapper",
            claims: "Two registers of warps with separate allotments never share a pack; every register has the one of \
                     the paper's rule, inside its warp's allotment, and none lies on the frame's link.",
            unit: Some("stack_mapper"),
            params: &[("packs", 1024), ("stack", 63)],
            faults: MAPPER_FAULTS,
            source: property!("stack_mapper.sv"),
            frames: 1,
            events: 5,
            ..PLAIN
        },
        Proof {
            name: "stalled_warps",
            claims: "No warp is in the list twice, and it never overflows; a look-up says who is in it; the warp that has \
                     waited longest is woken, and all others move up; a granted stall puts the warp at the end.",
            unit: Some("stalled_warps"),
            faults: LIST_FAULTS,
            source: property!("stalled_warps.sv"),
            events: 6,
            power_on: true,
            ..PLAIN
        },
    ]
}
