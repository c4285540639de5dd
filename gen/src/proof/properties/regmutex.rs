//! Theorems about the units of RegMutex.

use super::{Fault, MAPPING, PLAIN, Proof, fault, property};
use crate::proof::Verdict;

const ALLOCATOR_FAULTS: &[Fault] = &[
    fault(
        "both ports take the same section",
        "b_taken = (b_wants & may_take) & (~(a_wants & (~favor_b)));",
        "b_taken = b_wants & may_take;",
    ),
    fault(
        "release leaves the section marked",
        "srp$d = srp$q ^ section_toggle;",
        "srp$d = srp$q | section_toggle;",
    ),
    fault(
        "sections beyond the count begin free",
        "srp$d = ones << section_count;",
        "srp$d = none;",
    ),
    fault(
        "grant without a free section",
        "may_take = finder$found & (~(a_frees | b_frees));",
        "may_take = ~(a_frees | b_frees);",
    ),
    fault(
        "port b writes port a's row",
        "lut$write_row = b_warp;",
        "lut$write_row = a_warp;",
    ),
];

const LOCK_FAULTS: &[Fault] = &[fault(
    "both warps of a pair win",
    "b_takes = ((b_asks & (~b_release)) & (~b_busy)) & (~(rivals & (~favor_b)));",
    "b_takes = (b_asks & (~b_release)) & (~b_busy);",
)];

const TOP_FAULTS: &[Fault] = &[
    fault(
        "a refused instruction gets its packs",
        "mapper_a$x0_valid = a_x0_valid & a_goes;",
        "mapper_a$x0_valid = a_x0_valid;",
    ),
    fault(
        "port b maps with port a's section",
        "mapper_b$section = allocator$b_section;",
        "mapper_b$section = allocator$a_section;",
    ),
    fault(
        "a section that is acquired is not there yet",
        "b_has = allocator$b_held | (allocator$b_grant & (~b_release));",
        "b_has = allocator$b_held;",
    ),
    fault(
        "who is outbid sleeps on",
        "wake = freed | outbid;",
        "wake = freed;",
    ),
    fault(
        "an instruction without a change waits for the allocator",
        "(allocator$a_grant | (~a_change))",
        "allocator$a_grant",
    ),
];

const MAPPER_FAULTS: &[Fault] = &[fault(
    "extended rows ignore the offset",
    "origin_differs = offset_wide ^ base_wide;",
    "origin_differs = base_wide;",
)];

const PAIRED_TOP_FAULTS: &[Fault] = &[
    fault(
        "a refused instruction gets its packs",
        "mapper_b$x0_valid = b_x0_valid & b_goes;",
        "mapper_b$x0_valid = b_x0_valid;",
    ),
    fault(
        "port b maps with what port a's warp holds",
        "mapper_b$ext_held = b_has;",
        "mapper_b$ext_held = a_has;",
    ),
    fault(
        "a set that is acquired is not there yet",
        "a_has = lock$a_held | (lock$a_grant & (~a_release));",
        "a_has = lock$a_held;",
    ),
    fault(
        "who is not looked at sleeps on",
        "wake = freed | (hidden & (~clear));",
        "wake = freed;",
    ),
    fault(
        "only port a's releases wake",
        "((lock$b_grant & b_release) & lock$b_held)",
        "1'b0",
    ),
    fault(
        "an instruction without a change waits for the lock",
        "(lock$b_grant | (~b_change))",
        "lock$b_grant",
    ),
];

const PAIRED_MAPPER_FAULTS: &[Fault] = &[fault(
    "the odd warp has the even one's base set",
    "if (odd | (~is_base$1)) begin",
    "if (~is_base$1) begin",
)];

pub(super) fn proofs() -> Vec<Proof> {
    vec![
        Proof {
            name: "srp_allocator",
            claims: "No two warps hold one section; a section is marked exactly if held or beyond the count; repeated \
                     requests change nothing; a grant comes exactly when a section is free and the port is served; after \
                     a release the next acquire succeeds.",
            unit: Some("srp_allocator"),
            faults: ALLOCATOR_FAULTS,
            source: property!("srp_allocator.sv"),
            events: 9,
            power_on: true,
            ..PLAIN
        },
        Proof {
            name: "safe_paired_lock",
            claims: "Never both warps of a pair hold, whatever they ask; a grant comes exactly when the set is free.",
            unit: Some("safe_paired_lock"),
            faults: LOCK_FAULTS,
            source: property!("paired_lock.sv"),
            defines: &["SAFE"],
            events: 6,
            power_on: true,
            ..PLAIN
        },
        Proof {
            name: "paired_lock",
            claims: "Never both warps of a pair hold, if only holders release and only others acquire.",
            unit: Some("paired_lock"),
            faults: LOCK_FAULTS,
            source: property!("paired_lock.sv"),
            events: 6,
            power_on: true,
            ..PLAIN
        },
        Proof {
            name: "paired_lock_undisciplined",
            claims: "The same without the compiler's discipline: fails, one bit per pair is not enough.",
            unit: Some("paired_lock"),
            expected: Verdict::Refuted,
            source: property!("paired_lock.sv"),
            defines: &["UNDISCIPLINED"],
            ..PLAIN
        },
        Proof {
            name: "register_mapper",
            claims: "Two registers, base or extended, never share a pack; every register has one, inside the file.",
            unit: Some("register_mapper"),
            faults: MAPPER_FAULTS,
            source: property!("register_mapper.sv"),
            places: true,
            events: 4,
            ..MAPPING
        },
        Proof {
            name: "regmutex_top",
            claims: "Every register of a granted instruction has a pack, and two never share one; one change at a time; who \
                     is refused is woken.",
            unit: Some("regmutex_top"),
            faults: TOP_FAULTS,
            source: property!("regmutex_top.sv"),
            places: true,
            events: 6,
            ..MAPPING
        },
        Proof {
            name: "paired_mapper",
            claims: "Two registers of paired warps never share a pack, but for the one extended set of a pair.",
            unit: Some("paired_mapper"),
            faults: PAIRED_MAPPER_FAULTS,
            source: property!("paired_mapper.sv"),
            places: true,
            events: 4,
            ..MAPPING
        },
        Proof {
            name: "paired_top",
            claims: "Every register of a granted instruction has a pack, and two never share one; of a pair one has the set; \
                     who is refused is woken; for programs that keep the rules of the paper's lock.",
            unit: Some("paired_top"),
            faults: PAIRED_TOP_FAULTS,
            source: property!("paired_top.sv"),
            places: true,
            events: 7,
            ..MAPPING
        },
        Proof {
            name: "safe_paired_top",
            claims: "The same for any program.",
            unit: Some("safe_paired_top"),
            faults: PAIRED_TOP_FAULTS,
            source: property!("paired_top.sv"),
            places: true,
            defines: &["SAFE"],
            events: 7,
            ..MAPPING
        },
    ]
}
