//! What the property tests of RegMutex's mapping draw from.

use super::RegisterMapperIn;
use crate::common::lookup::Lookups;
use crate::strategies::{any_pins, lookup_draws, lookups_at};
use proptest::prelude::*;

/// Any pins, and kernels whose base or extended registers end where the file ends, or up to 40 packs before or beyond.
pub fn rows<const NW: usize, const PACKS: usize>()
-> impl Strategy<Value = Vec<RegisterMapperIn<NW, PACKS>>> {
    let kernel = (
        0..NW,
        0..NW,
        0..80usize,
        0..40usize,
        prop::bool::weighted(0.8),
        lookup_draws(),
    )
        .prop_map(|(widx, section, short, ext, section_valid, draws)| {
            let base = ((PACKS + 40 - short) / (widx + 1)).min(255);
            let offset = (PACKS + 40)
                .saturating_sub(section * ext + short)
                .min(PACKS - 1);
            let mut pins = RegisterMapperIn {
                widx: widx as u8,
                base_regs: base as u8,
                ext_regs: ext as u8,
                section: section as u8,
                section_valid,
                srp_offset: offset as u16,
                ..RegisterMapperIn::default()
            };
            let left = |row: usize| PACKS as i32 - row as i32;
            let (base_end, ext_end) = (
                left(widx * base),
                left(offset + section * ext) + base as i32,
            );
            pins.set_lookups(lookups_at(
                draws,
                &[base as i32, (base + ext) as i32, base_end, ext_end],
            ));
            pins
        });
    prop::collection::vec(prop_oneof![any_pins(), kernel], 1..20)
}
