//! What the property tests of the search draw from.

use super::FindFirstZeroIn;
use crate::strategies::any_pins;
use proptest::prelude::*;

/// Masks: any, and such whose lowest zero is any bit or none, under anything.
pub fn rows<const N: usize>() -> impl Strategy<Value = Vec<FindFirstZeroIn<N>>> {
    let ones = u64::MAX >> (64 - N as u32);
    let lowest_at =
        (0..=N as u32, any::<u64>(), any::<bool>()).prop_map(move |(first, above, full)| {
            let above = if full { u64::MAX } else { above };
            let zero = 1u64.checked_shl(first).unwrap_or(0);
            FindFirstZeroIn {
                mask: (above | zero.wrapping_sub(1)) & !zero & ones,
            }
        });
    prop::collection::vec(prop_oneof![any_pins(), lowest_at], 1..20)
}
