//! What the property tests draw from: the rows of each top on the common pins, and noise on the pins that it does not read.

use super::model::input_name;
use super::{RegisterManagerIn, STACK, System};
use crate::cars::cars_top;
use crate::clocked::{PinDef, Pins};
use crate::common::reg_map::{self, RegMapIn};
use crate::owf::owf_top;
use crate::regmutex::{paired_top, regmutex_top};
use crate::rfv::rfv_top;
use crate::strategies::any_row;
use proptest::prelude::*;

/// Puts the values `own` of a top's pins where the common pins have them; `values` are on these otherwise. A register that a
/// top of 6 bits calls 63 has some name from there on; with `wide`, so has any other where `values` has.
///
/// # Panics
/// If the top has a pin that is not among the common ones.
pub fn put(
    system: System,
    common: &[PinDef],
    values: &mut [u64],
    top: &[PinDef],
    own: &[u64],
    wide: bool,
) {
    for (pin, &value) in top.iter().zip(own) {
        let name = input_name(system, pin.name);
        let at = common.iter().position(|common| common.name == name);
        let at = at.unwrap_or_else(|| panic!("{system} reads {name}, which is no pin of the list"));
        let narrow = pin.width_bits < common[at].width_bits;
        values[at] = match values[at] {
            name if narrow && value == 63 => name.max(63),
            // The bits that the top sees stay as they are.
            name if narrow && wide => name & !63 | value,
            _ => value,
        };
    }
}

/// The row of a top, on pins that are otherwise `noise`.
fn spread<P: Pins, const NW: usize, const T: usize, const PACKS: usize>(
    system: System,
    row: &P,
    noise: &RegisterManagerIn<NW, T, PACKS>,
) -> RegisterManagerIn<NW, T, PACKS> {
    let (mut values, mut own) = (Vec::new(), Vec::new());
    noise.values(&mut values);
    row.values(&mut own);
    let common = RegisterManagerIn::<NW, T, PACKS>::pins();
    // In one row of eight, registers have names that the top of RFV has no word for.
    let wide = noise.word % 8 == 7;
    put(system, &common, &mut values, &P::pins(), &own, wide);
    RegisterManagerIn::from_values(&values)
}

/// The rows of a top, spread over the common pins.
fn spread_all<P: Pins + 'static, const NW: usize, const T: usize, const PACKS: usize>(
    system: System,
    rows: impl Strategy<Value = Vec<P>> + 'static,
) -> BoxedStrategy<Vec<RegisterManagerIn<NW, T, PACKS>>> {
    let noise = prop::collection::vec(any_row::<RegisterManagerIn<NW, T, PACKS>>(), 1..12);
    (rows, noise)
        .prop_map(move |(rows, noise)| {
            let rows = rows.iter().zip(noise.iter().cycle());
            rows.map(|(row, noise)| spread(system, row, noise))
                .collect()
        })
        .boxed()
}

/// Kernels that share nothing, with registers about where the file ends.
fn baseline<const NW: usize, const T: usize, const PACKS: usize>()
-> BoxedStrategy<Vec<RegisterManagerIn<NW, T, PACKS>>> {
    let rows = || reg_map::strategy::rows::<NW, PACKS>();
    let noise = prop::collection::vec(any_row::<RegisterManagerIn<NW, T, PACKS>>(), 1..20);
    let on_ports = |(a, b, noise): (
        Vec<RegMapIn<NW, PACKS>>,
        Vec<RegMapIn<NW, PACKS>>,
        Vec<RegisterManagerIn<NW, T, PACKS>>,
    )| {
        let rows = a.iter().zip(b.iter().cycle()).zip(noise.iter().cycle());
        rows.map(|((a, b), noise)| {
            use crate::common::lookup::Lookups;
            let mut pins = RegisterManagerIn {
                base_regs: a.coeff,
                a_warp: a.widx,
                b_warp: b.widx,
                ..*noise
            };
            pins.set_a_regs(a.lookups());
            pins.set_b_regs(b.lookups());
            pins
        })
        .collect()
    };
    (rows(), rows(), noise).prop_map(on_ports).boxed()
}

/// Programs for `system` with `NW` warps, `T` CTA slots and `PACKS` packs.
pub fn rows<const NW: usize, const T: usize, const PACKS: usize>(
    system: System,
) -> BoxedStrategy<Vec<RegisterManagerIn<NW, T, PACKS>>> {
    match system {
        System::Baseline => baseline(),
        System::Regmutex => spread_all(system, regmutex_top::strategy::rows::<NW, PACKS>()),
        System::Paired | System::SafePaired => {
            spread_all(system, paired_top::strategy::rows::<NW, PACKS>())
        }
        System::Owf => spread_all(system, owf_top::strategy::rows::<NW, T, PACKS>()),
        System::Rfv => spread_all(system, rfv_top::strategy::rows::<NW, T, PACKS>()),
        System::Cars => spread_all(system, cars_top::strategy::rows::<NW, PACKS, STACK>()),
    }
}
