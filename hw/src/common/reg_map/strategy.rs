//! What the property tests of the baseline mapping draw from.

use super::RegMapIn;
use crate::common::lookup::Lookups;
use crate::strategies::{any_pins, lookup_draws, lookups_at};
use proptest::prelude::*;

/// Any pins, and kernels whose registers end where the file ends, or up to 40 packs before or beyond.
pub fn rows<const NW: usize, const PACKS: usize>() -> impl Strategy<Value = Vec<RegMapIn<NW, PACKS>>>
{
    let kernel = (0..NW, 0..80usize, lookup_draws()).prop_map(|(widx, short, draws)| {
        let coeff = ((PACKS + 40 - short) / (widx + 1)).min(255);
        let mut pins = RegMapIn {
            widx: widx as u8,
            coeff: coeff as u8,
            ..RegMapIn::default()
        };
        pins.set_lookups(lookups_at(
            draws,
            &[0, coeff as i32, PACKS as i32 - (widx * coeff) as i32],
        ));
        pins
    });
    prop::collection::vec(prop_oneof![any_pins(), kernel], 1..20)
}
