//! The hardware of register file virtualization that fits, and its variants.

use super::{BuildError, Built, RenamingVariant};
use crate::manager::renaming::{Placement as Renames, Renaming, Rtl};
use crate::manager::{Backend, Geometry};
use crate::rfv::rfv_top::model::Model;
use crate::rfv::rfv_top::rtl::{Rtl4x63x256, Rtl16x63x512, Rtl48, Rtl64};

/// The hardware of register file virtualization for a machine: its packs, and the value of its pin `shrink`.
///
/// A machine with half the packs of the largest hardware that has enough warps gets that, shrunk.
#[must_use]
pub fn renaming_hardware(geometry: Geometry, ctas: u16, shrink: u8) -> Option<(u16, u8)> {
    match (geometry.packs, geometry.warps, ctas, shrink) {
        (256, ..=4, ..=4, _) => Some((256, shrink)),
        (512, ..=16, ..=8, _) => Some((512, shrink)),
        (512, ..=48, ..=8, 0) => Some((1024, 3)),
        (1024, ..=48, ..=8, _) => Some((1024, shrink)),
        (1024, ..=64, ..=32, 0) => Some((2048, 3)),
        (2048, ..=64, ..=32, _) => Some((2048, shrink)),
        _ => None,
    }
}

/// RTL of one size, with sub-arrays that wake in `WAIT` cycles, counted by `GW` bits.
macro_rules! rtl_of {
    ($name:ident, $block:ident, $warps:literal, $ctas:literal, $packs:literal) => {
        fn $name<const WAIT: usize, const GW: usize>(
            of: RenamingVariant,
        ) -> Rtl<$warps, $ctas, $packs> {
            match (of.hardware_only, of.flag_entries) {
                (true, _) => Box::new($block::<WAIT, GW, 1, 10, 4, 13>::default()),
                (_, 0) => Box::new($block::<WAIT, GW, 0, 1, 1, 16, 1>::default()),
                (_, 1) => Box::new($block::<WAIT, GW, 0, 1, 1, 16>::default()),
                (_, 2) => Box::new($block::<WAIT, GW, 0, 2, 1, 15>::default()),
                (_, 5) => Box::new($block::<WAIT, GW, 0, 5, 3, 14>::default()),
                _ => Box::new($block::<WAIT, GW, 0, 10, 4, 13>::default()),
            }
        }
    };
}

rtl_of!(rtl_48, Rtl48, 48, 8, 1024);
rtl_of!(rtl_64, Rtl64, 64, 32, 2048);

/// The smallest hardware that fits, or one of its variants.
pub(super) fn renaming(
    placement: Renames,
    wake_up: u8,
    hardware_only: bool,
    geometry: Geometry,
    backend: Backend,
) -> Built {
    let Geometry { warps, packs, .. } = geometry;
    let ctas = placement.ctas;
    let Some((size, shrink)) = renaming_hardware(geometry, ctas, placement.shrink) else {
        return Err(BuildError::Renaming { packs, warps, ctas });
    };
    if !matches!(wake_up, 0 | 1 | 3 | 10) {
        return Err(BuildError::WakeUp(wake_up));
    }
    let placement = Renames {
        shrink,
        ..placement
    };
    let of = RenamingVariant {
        packs: size,
        wake_up,
        hardware_only,
        flag_entries: placement.flag_entries,
    };
    if let Some(what) = of.what() {
        if size < 1024 {
            return Err(BuildError::LargeOnly { what });
        }
        if backend != Backend::Model && !of.has_rtl() {
            return Err(BuildError::ModelOnly { what, backend });
        }
    }
    macro_rules! with {
        ($warps:literal, $ctas:literal, $packs:literal, $wait:literal, $hardware_only:literal, $rtl:expr) => {
            Ok(Box::new(Renaming::<
                $warps,
                $ctas,
                $packs,
                63,
                $wait,
                $hardware_only,
            >::new(
                placement,
                geometry,
                backend,
                $rtl,
                of.parameters(),
            )?))
        };
    }
    macro_rules! of_size {
        ($warps:literal, $ctas:literal, $packs:literal, $rtl:ident) => {
            match (wake_up, hardware_only) {
                (0, false) => with!(
                    $warps,
                    $ctas,
                    $packs,
                    0,
                    0,
                    never::<$warps, $ctas, $packs>()
                ),
                (0, true) => with!(
                    $warps,
                    $ctas,
                    $packs,
                    0,
                    1,
                    never::<$warps, $ctas, $packs>()
                ),
                (3, false) => with!($warps, $ctas, $packs, 3, 0, $rtl::<3, 2>(of)),
                (3, true) => with!($warps, $ctas, $packs, 3, 1, $rtl::<3, 2>(of)),
                (10, false) => with!($warps, $ctas, $packs, 10, 0, $rtl::<10, 4>(of)),
                (10, true) => with!($warps, $ctas, $packs, 10, 1, $rtl::<10, 4>(of)),
                (_, false) => with!($warps, $ctas, $packs, 1, 0, $rtl::<1, 1>(of)),
                (_, true) => with!($warps, $ctas, $packs, 1, 1, $rtl::<1, 1>(of)),
            }
        };
    }
    match size {
        256 => with!(4, 4, 256, 3, 0, Box::new(Rtl4x63x256::default())),
        512 => with!(16, 8, 512, 1, 0, Box::new(Rtl16x63x512::default())),
        1024 => of_size!(48, 8, 1024, rtl_48),
        _ => of_size!(64, 32, 2048, rtl_64),
    }
}

/// In place of RTL that nobody asks, where there is a model alone.
fn never<const NW: usize, const T: usize, const PACKS: usize>() -> Rtl<NW, T, PACKS> {
    Box::new(Model::<NW, T, PACKS, 63, 0>::default())
}
