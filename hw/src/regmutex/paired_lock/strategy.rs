//! What the property tests of the locks draw from.

use super::PairedLockIn;
use crate::strategies::any_row;
use proptest::prelude::*;

/// Any sequence, but in half of the rows the two ports meet in one pair, and in some of those both warps release.
pub fn rows<const NW: usize>() -> impl Strategy<Value = Vec<PairedLockIn<NW>>> {
    let row = (any_row::<PairedLockIn<NW>>(), 0..6u8).prop_map(|(row, meet)| {
        let partner = PairedLockIn {
            b_warp: row.a_warp ^ 1,
            ..row
        };
        match meet {
            0..=2 => row,
            3 | 4 => partner,
            _ => PairedLockIn {
                a_release: true,
                b_release: true,
                a_valid: true,
                b_valid: true,
                ..partner
            },
        }
    });
    // The same pair twice: taken, then given back.
    let twice = (row, 0..3u8).prop_map(|(row, take_first)| {
        let take = PairedLockIn {
            clear: false,
            a_valid: true,
            a_release: false,
            b_valid: false,
            ..row
        };
        if take_first == 0 {
            vec![take, row]
        } else {
            vec![row]
        }
    });
    prop::collection::vec(twice, 1..150).prop_map(|rows| rows.concat())
}
