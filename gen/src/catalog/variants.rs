//! Variants of register file virtualization that the SM can have and the catalog does not offer: two things changed, or one of the
//! largest size. They come without bench, vectors and costs; `regshare run --backend verilog` makes them when it runs them.

use super::units::connected;
use super::{Entry, catalog};
use crate::export::ExportError;
use crate::package::{generate, generate_as};
use regshare_hw::manager::RenamingVariant;
use regshare_hw::rfv::rfv_top::rtl::{RfvTop48, RfvTop64};
use rust_hdl::prelude::Block;

/// The Verilog of the module with this name, generated anew, with its heading: of the catalog, or of a variant. `None`: there is none.
#[must_use]
pub fn by_name(module: &str) -> Option<Result<String, ExportError>> {
    let all = catalog();
    if let Some(entry) = all.iter().find(|entry| entry.name == module) {
        return Some(generate(entry));
    }
    let variant = RenamingVariant::all().find(|variant| variant.module() == module)?;
    let of_unit = |entry: &&Entry| entry.unit == RenamingVariant::UNIT;
    let entry = all.iter().find(of_unit)?;
    Some(generate_as(entry, module, &*block(variant)?))
}

/// Names of the modules that [`by_name`] knows and the catalog does not have.
#[must_use]
pub fn uncataloged() -> Vec<String> {
    let all = catalog();
    RenamingVariant::all()
        .map(RenamingVariant::module)
        .filter(|name| all.iter().all(|entry| entry.name != *name))
        .collect()
}

/// Blocks of one size, with sub-arrays that wake in `WAIT` cycles, counted by `GW` bits.
macro_rules! blocks {
    ($name:ident, $block:ident) => {
        fn $name<const WAIT: usize, const GW: usize>(
            of: RenamingVariant,
        ) -> Option<Box<dyn Block>> {
            Some(match (of.hardware_only, of.flag_entries) {
                (true, 10) => connected::<$block<WAIT, GW, 1, 10, 4, 13>>(),
                (false, 0) => connected::<$block<WAIT, GW, 0, 1, 1, 16, 1>>(),
                (false, 1) => connected::<$block<WAIT, GW, 0, 1, 1, 16>>(),
                (false, 2) => connected::<$block<WAIT, GW, 0, 2, 1, 15>>(),
                (false, 5) => connected::<$block<WAIT, GW, 0, 5, 3, 14>>(),
                (false, 10) => connected::<$block<WAIT, GW, 0, 10, 4, 13>>(),
                _ => return None,
            })
        }
    };
}

blocks!(of_48, RfvTop48);
blocks!(of_64, RfvTop64);

/// The hardware of a variant, connected; as `rtl` in `regshare-hw` has it.
fn block(of: RenamingVariant) -> Option<Box<dyn Block>> {
    match (of.packs, of.wake_up) {
        (1024, 1) => of_48::<1, 1>(of),
        (1024, 3) => of_48::<3, 2>(of),
        (1024, 10) => of_48::<10, 4>(of),
        (2048, 1) => of_64::<1, 1>(of),
        (2048, 3) => of_64::<3, 2>(of),
        (2048, 10) => of_64::<10, 4>(of),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_variant_has_a_block_and_a_name_of_its_own() {
        let names: BTreeSet<_> = RenamingVariant::all()
            .map(|variant| {
                assert!(block(variant).is_some(), "{variant:?}");
                variant.module()
            })
            .collect();
        assert_eq!(names.len(), 2 * (5 + 1) * 3);
        let cataloged = catalog()
            .into_iter()
            .filter(|entry| names.contains(&entry.name));
        // One thing changed with 48 warps, and what nothing is changed of.
        assert_eq!(cataloged.count(), 7 + 2);
    }
}
