//! Theorems about the units of resource sharing.

use super::{Fault, PLAIN, Proof, fault, property};

const PRIORITY_FAULTS: &[Fault] = &[
    fault(
        "who shares counts as an owner",
        "owners$mask = owner;",
        "owners$mask = shared;",
    ),
    fault(
        "owners count as unshared",
        "sharers$mask = shared;",
        "sharers$mask = shared & (~owner);",
    ),
    fault(
        "odd slots are launched with the even ones",
        "scheduler$1$launch = launches$hand$1;",
        "scheduler$1$launch = launches$hand$0;",
    ),
    fault(
        "clear leaves the order of the odd slots",
        "scheduler$1$clear = clear;",
        "scheduler$1$clear = 1'b0;",
    ),
    fault(
        "a younger warp in a higher slot is chosen as well",
        "best = (eligible & (~from_above)) & (~from_below);\n    end\n\nendmodule // warp_priority_w48_s2$scheduler$1\n",
        "best = eligible & (~from_above);\n    end\n\nendmodule // warp_priority_w48_s2$scheduler$1\n",
    ),
    fault(
        "who of slots 1 and 15 is older never changes",
        "q <= d;\n    end\n\nendmodule // warp_priority_w48_s2$scheduler$1$order$7",
        "q <= {d[22:1], q[0]};\n    end\n\nendmodule // warp_priority_w48_s2$scheduler$1$order$7",
    ),
];

const THROTTLE_FAULTS: &[Fault] = &[
    fault(
        "SM 0 is throttled like the others",
        "memory_allowed = draw$drawn & (~sm_zero);",
        "memory_allowed = draw$drawn;",
    ),
    fault(
        "the probability falls below 0",
        "more = (count$q > zero_stalls) & (lowered$q != full);",
        "more = count$q > zero_stalls;",
    ),
    fault(
        "as many stalls as on SM 0 raise it",
        "fewer = (count$q < zero_stalls) & (lowered$q != never);",
        "fewer = (count$q <= zero_stalls) & (lowered$q != never);",
    ),
    fault(
        "more stalls raise it",
        "lowered$d = lower;",
        "lowered$d = higher;",
    ),
    fault(
        "a period keeps the stalls of the one before",
        "counted = first;",
        "counted = count$q;",
    ),
    fault(
        "the generator begins at 0",
        "offset$d = never;",
        "offset$d = seed;",
    ),
    fault(
        "probability 1 refuses",
        "threshold$10 = 16'hffff;",
        "threshold$10 = 16'h7fff;",
    ),
];

pub(super) fn proofs() -> Vec<Proof> {
    vec![
        Proof {
            name: "warp_priority",
            claims: "The chosen warp is ready, no ready warp is of a better class, and none of its class was launched earlier; \
                 one is chosen exactly if one is ready; the order of warps is strict and total.",
            unit: Some("warp_priority"),
            params: &[("schedulers", 2)],
            faults: PRIORITY_FAULTS,
            source: property!("warp_priority.sv"),
            events: 6,
            power_on: true,
            ..PLAIN
        },
        Proof {
            name: "dynamic_throttle",
            claims: "The probability stays within 0 and 1, and moves by a tenth only when a period has ended, towards \
                     fewer stalls than SM 0; SM 0 never allows, probability 1 always does, 0 never; a draw succeeds in \
                     its tenths; the generator is never 0.",
            unit: Some("dynamic_throttle"),
            params: &[("period", 1000)],
            faults: THROTTLE_FAULTS,
            source: property!("dynamic_throttle.sv"),
            events: 6,
            power_on: true,
            ..PLAIN
        },
    ]
}
