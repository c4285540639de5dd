//! What the property tests of the allocator draw from.

use super::SrpAllocatorIn;
use crate::strategies::any_rows;
use proptest::prelude::*;

/// Any sequence, and such that first fill the pool: every warp acquires, in any order, after a kernel start or after
/// power-on.
pub fn rows<const NW: usize>() -> impl Strategy<Value = Vec<SrpAllocatorIn<NW>>> {
    let warps: Vec<u8> = (0..NW as u8).collect();
    let order = (
        Just(warps).prop_shuffle(),
        any::<bool>(),
        prop::option::of(0..=NW as u8),
    );
    let filled = (order, any_rows(100)).prop_map(|((warps, on_b, start), rows)| {
        let start = start.map(|section_count| SrpAllocatorIn {
            clear: true,
            section_count,
            ..SrpAllocatorIn::default()
        });
        let acquire = |warp| SrpAllocatorIn {
            a_valid: !on_b,
            a_warp: warp,
            b_valid: on_b,
            b_warp: warp,
            ..SrpAllocatorIn::default()
        };
        start
            .into_iter()
            .chain(warps.into_iter().map(acquire))
            .chain(rows)
            .collect()
    });
    prop_oneof![2 => any_rows(150), 1 => filled]
}
