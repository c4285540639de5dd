//! Theorems about the units of CARS.

use super::{Fault, PLAIN, Proof, fault, property};

const MAPPER_FAULTS: &[Fault] = &[
    fault(
        "one register more than pushed is renamed",
        "renamed$1 = frame$sound & is_pushed$1;",
        "renamed$1 = frame$sound & (is_pushed$1 | (above$1 == frame$pushed));",
    ),
    fault(
        "a frame runs beyond the stack",
        "origin$2 = frame$around;",
        "origin$2 = frame$straight;",
    ),
    fault(
        "the base set reaches into the stack",
        "(renamed$0 | (is_base$0 & frame$has_base))",
        "(renamed$0 | ((is_base$0 | (x_wide$0 == frame$base_regs)) & frame$has_base))",
    ),
    fault(
        "the link of the first frame lies below the stack",
        "if (~at_first) begin",
        "if (1'b1) begin",
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
        "final_right = present$13 & ((~present$12) | left_more[32'h1f]);",
        "final_right = present$13 & ((~present$12) | (cycles$12 >= cycles$13));",
    ),
    fault(
        "an eighth is not taken away before one is added",
        "less = ~old_eighth;",
        "less = ~32'h0;",
    ),
    fault(
        "the first CTA counts an eighth",
        "mean = cycles;",
        "mean = adder$sum;",
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
        "adds = asked & (~known);",
        "adds = asked;",
    ),
    fault(
        "the woken warp stays marked",
        "removed$valid = wakes;",
        "removed$valid = 1'b0;",
    ),
    fault(
        "the last entry is skipped over",
        "(tail$q == last)",
        "((tail$q + one_up) == last)",
    ),
    fault(
        "the warp woken is stalled in the same cycle",
        "& (~leaves)",
        "& (leaves | (~leaves))",
    ),
    fault(
        "clear keeps the begin of the list",
        "if (clear | (wakes & (head$q == last))) begin",
        "if (wakes & (head$q == last)) begin",
    ),
];

const STACK_FAULTS: &[Fault] = &[
    fault(
        "a call takes a pack that is not free",
        "enough = more_than_needed$above;",
        "enough = more_than_needed$above | (need == available$sum);",
    ),
    fault(
        "a push evicts its own link",
        "not_free = ~free_wide;",
        "not_free = -free_wide;",
    ),
    fault(
        "the caller's link is not filled",
        "lacks = |(not_wanted_and_present$sum & lack_bit);",
        "lacks = |(not_wanted_and_present$sum & lack_bit) & (wanted != present);",
    ),
    fault(
        "a return leaves the callee's registers on the stack",
        "down_from = rfp;",
        "down_from = rsp;",
    ),
    fault(
        "the stack runs beyond its window",
        "bottom = ~around$sum;",
        "bottom = straight$sum;",
    ),
    fault(
        "a call forgets the caller's frame",
        "new_link = rfp;",
        "new_link = rsp;",
    ),
    fault(
        "a function's caller is taken for the kernel",
        "(opened & call) & in_kernel",
        "opened & call",
    ),
    fault(
        "port a's row is written for port b",
        " warp = b_warp;",
        " warp = a_warp;",
    ),
];

const TOP_FAULTS: &[Fault] = &[
    fault(
        "a stalled warp goes on",
        "a_demand$stalled = waiting$a_stalled;",
        "a_demand$stalled = waiting$b_stalled;",
    ),
    fault(
        "an instruction goes on while a kernel starts",
        "b_demand$clear = clear;",
        "b_demand$clear = 1'b0;",
    ),
    fault(
        "port b goes on with what port a is granted",
        "(registers$grant & registers$served_b)",
        "registers$grant",
    ),
    fault(
        "a finish that is refused wakes a warp",
        "(b_goes & (b_op == finish))",
        "(b_op == finish)",
    ),
    fault(
        "a finish wakes nobody if the SM does not",
        "waiting$wake = wake | finishes;",
        "waiting$wake = wake;",
    ),
    fault(
        "a refused instruction has a destination",
        "a_mapper$x3_valid = a_x3_valid & a_goes;",
        "a_mapper$x3_valid = a_x3_valid;",
    ),
    fault(
        "pushed registers of port b are looked for in the frame of port a's warp",
        "b_mapper$rfp = registers$b_rfp;",
        "b_mapper$rfp = registers$a_rfp;",
    ),
    fault(
        "what the trap handler saved for port b's warp is not heard of",
        "registers$b_evicted = b_evicted;",
        "registers$b_evicted = a_evicted;",
    ),
];

/// A lemma about the step that `register_stack` does.
const STACK_LEMMA: Proof = Proof {
    under: &["register_stack"],
    params: &[("packs", 1024), ("stack", 63)],
    source: property!("register_stack.sv"),
    frames: 1,
    ..PLAIN
};

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
            name: "register_stack",
            claims: "A request is answered and done as the paper says, to its warp alone: a trap comes exactly when room is \
                     missing and can be made; a return restores what its call pushed, however deep the calls between.",
            unit: Some("register_stack"),
            params: &[("packs", 1024), ("stack", 63)],
            faults: STACK_FAULTS,
            source: property!("register_stack.sv"),
            events: 8,
            power_on: true,
            ..PLAIN
        },
        Proof {
            name: "register_stack_step",
            claims: "What the paper says of a launch, a call, a push and a pop keeps RFP and RSP in the window and the frame \
                     in control in registers; a pack given out held nothing, or was saved; a trap names the bottom.",
            defines: &["STEP"],
            events: 3,
            ..STACK_LEMMA
        },
        Proof {
            name: "register_stack_return",
            claims: "The same of a return: of the packs in use it keeps those below the frame that goes, and fills what is \
                     missing of the caller's frame, which is in registers then; a fill overwrites nothing.",
            defines: &["STEP", "RETURN"],
            events: 2,
            ..STACK_LEMMA
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
        Proof {
            name: "cars_top",
            claims: "Every register of an instruction that goes on has the pack of the paper's rule in its warp's own packs; two \
                     never share one, and none lies on a link or on a pack that is given; a stalled warp does not go on and asks \
                     nothing; what asks nothing or is granted goes on, and nothing else; a warp that finishes wakes one that \
                     waits; stacks and list are asked exactly what the ports say.",
            cut_units: &["registers", "waiting"],
            unit: Some("cars_top"),
            params: &[("packs", 1024), ("stack", 63)],
            faults: TOP_FAULTS,
            source: property!("cars_top.sv"),
            frames: 1,
            events: 6,
            ..PLAIN
        },
    ]
}
