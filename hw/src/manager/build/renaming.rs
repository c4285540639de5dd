//! The hardware of register file virtualization that fits, and which of its variants there are.

use super::{BuildError, Built};
use crate::manager::renaming::{Placement as Renames, Renaming};
use crate::manager::{Backend, Geometry, RegisterManager};
use crate::rfv::rfv_top;

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
    let placement = Renames {
        shrink,
        ..placement
    };
    use rfv_top::rtl::{Rtl4x63x256, Rtl16x63x512, Rtl48x63x1024, Rtl64x63x2048};
    type Smallest = Renaming<Rtl4x63x256, 4, 4, 256, 63, 3, 0>;
    type Small = Renaming<Rtl16x63x512, 16, 8, 512, 63, 1, 0>;
    type Middle = Renaming<Rtl48x63x1024, 48, 8, 1024, 63, 1, 0>;
    type Large = Renaming<Rtl64x63x2048, 64, 32, 2048, 63, 1, 0>;
    if !matches!(wake_up, 0 | 1 | 3 | 10) {
        return Err(BuildError::WakeUp(wake_up));
    }
    let Some(what) = variant(placement.flag_entries, wake_up, hardware_only) else {
        return Ok(match size {
            256 => Box::new(Smallest::new(placement, geometry, backend)?),
            512 => Box::new(Small::new(placement, geometry, backend)?),
            1024 => Box::new(Middle::new(placement, geometry, backend)?),
            _ => Box::new(Large::new(placement, geometry, backend)?),
        });
    };
    if size < 1024 {
        return Err(BuildError::LargeOnly { what });
    }
    renaming_variant(
        placement,
        (wake_up, hardware_only),
        size,
        geometry,
        backend,
        what,
    )
}

/// What is asked for beside the cache of ten entries, the wake-up of one cycle and the flags; `None`: nothing.
fn variant(flag_entries: u8, wake_up: u8, hardware_only: bool) -> Option<String> {
    let what = [
        hardware_only.then(|| "hardware-only renaming".to_owned()),
        (flag_entries != 10).then(|| format!("a flag cache of {flag_entries} entries")),
        (wake_up != 1).then(|| format!("a wake-up of {wake_up} cycles")),
    ];
    let what: Vec<_> = what.into_iter().flatten().collect();
    (!what.is_empty()).then(|| what.join(" with "))
}

/// The large hardware with one of its parameters changed; where several are, or to what there is no RTL of, the model.
fn renaming_variant(
    placement: Renames,
    (wake_up, hardware_only): (u8, bool),
    size: u16,
    geometry: Geometry,
    backend: Backend,
    what: String,
) -> Built {
    use rfv_top::model::Model;
    use rfv_top::rtl::{Rtl48, Rtl64};
    macro_rules! of {
        ($middle:ty, $large:ty, $wait:literal, $hardware_only:literal) => {
            Ok(match size {
                1024 => Box::new(
                    Renaming::<$middle, 48, 8, 1024, 63, $wait, $hardware_only>::new(
                        placement, geometry, backend,
                    )?,
                ) as Box<dyn RegisterManager>,
                _ if backend == Backend::Verilog => {
                    return Err(BuildError::NotExported { what });
                }
                _ => Box::new(
                    Renaming::<$large, 64, 32, 2048, 63, $wait, $hardware_only>::new(
                        placement, geometry, backend,
                    )?,
                ),
            })
        };
    }
    macro_rules! of_rtl {
        ($wait:literal, $bits:literal, $hardware_only:literal, $entries:literal, $index:literal, $tag:literal) => {
            of!(
                Rtl48<$wait, $bits, $hardware_only, $entries, $index, $tag>,
                Rtl64<$wait, $bits, $hardware_only, $entries, $index, $tag>,
                $wait,
                $hardware_only
            )
        };
    }
    macro_rules! of_model {
        ($wait:literal, $hardware_only:literal) => {
            match backend {
                Backend::Model => of!(
                    Model<48, 8, 1024, 63, $wait, $hardware_only>,
                    Model<64, 32, 2048, 63, $wait, $hardware_only>,
                    $wait,
                    $hardware_only
                ),
                _ => Err(BuildError::ModelOnly { what, backend }),
            }
        };
    }
    match (wake_up, hardware_only, placement.flag_entries) {
        (1, true, 10) => of_rtl!(1, 1, 1, 10, 4, 13),
        (3, false, 10) => of_rtl!(3, 2, 0, 10, 4, 13),
        (10, false, 10) => of_rtl!(10, 4, 0, 10, 4, 13),
        (1, false, 5) => of_rtl!(1, 1, 0, 5, 3, 14),
        (1, false, 2) => of_rtl!(1, 1, 0, 2, 1, 15),
        (1, false, 1) => of_rtl!(1, 1, 0, 1, 1, 16),
        (0, false, _) => of_model!(0, 0),
        (0, true, _) => of_model!(0, 1),
        (3, false, _) => of_model!(3, 0),
        (3, true, _) => of_model!(3, 1),
        (10, false, _) => of_model!(10, 0),
        (10, true, _) => of_model!(10, 1),
        (_, false, _) => of_model!(1, 0),
        (_, true, _) => of_model!(1, 1),
    }
}
