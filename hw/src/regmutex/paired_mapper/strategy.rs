//! What the property tests of the mapping of paired warps draw from.

use super::PairedMapperIn;
use crate::common::lookup::Lookups;
use crate::strategies::{any_pins, lookup_draws, lookups_at};
use proptest::prelude::*;

/// Any pins, and kernels of which a pair's registers end where the file ends, or up to 40 packs before or beyond.
pub fn rows<const NW: usize, const PACKS: usize>()
-> impl Strategy<Value = Vec<PairedMapperIn<NW, PACKS>>> {
    let kernel = (
        0..NW,
        0..80usize,
        0..40usize,
        prop::bool::weighted(0.8),
        lookup_draws(),
    )
        .prop_map(|(widx, short, ext, ext_held, draws)| {
            let pair = widx / 2;
            let base = (((PACKS + 40 - short) / (pair + 1)).saturating_sub(ext) / 2).min(255);
            let mut pins = PairedMapperIn {
                widx: widx as u8,
                base_regs: base as u8,
                ext_regs: ext as u8,
                ext_held,
                ..PairedMapperIn::default()
            };
            let row = pair * (2 * base + ext);
            let left = |row: usize| PACKS as i32 - row as i32;
            let (base_end, ext_end) = (left(row + widx % 2 * base), left(row + base));
            pins.set_lookups(lookups_at(
                draws,
                &[base as i32, (base + ext) as i32, base_end, ext_end],
            ));
            pins
        });
    prop::collection::vec(prop_oneof![any_pins(), kernel], 1..20)
}
