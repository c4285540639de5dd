use super::model::Model;
use super::rtl::{PowerGate1, PowerGate3, PowerGate10, Rtl};
use super::*;
use crate::clocked::Clocked;
use crate::testing::{agree, check_block, check_ports, check_readme};
use proptest::prelude::*;

const fn wanted(sub_arrays: u16) -> PowerGateIn {
    PowerGateIn {
        clear: false,
        occupied: sub_arrays,
        request: 0,
    }
}

/// Cycles from the first wish until a sub-array is awake.
fn latency<const WAIT: usize, const TW: usize>() -> usize {
    let (mut model, mut rtl) = (Model::<WAIT>::default(), Rtl::<WAIT, TW>::default());
    let pins = PowerGateIn {
        request: 1 << 9,
        ..PowerGateIn::default()
    };
    (0..20)
        .position(|_| {
            let out = rtl.edge(&pins);
            assert_eq!(out, model.edge(&pins));
            out.awake == 1 << 9
        })
        .expect("wakes")
}

#[test]
fn waking_takes_1_3_or_10_cycles_as_in_figure_11b() {
    assert_eq!(
        (latency::<1, 1>(), latency::<3, 2>(), latency::<10, 4>()),
        (1, 3, 10)
    );
}

#[test]
fn a_register_file_has_4_banks_of_4_sub_arrays_as_in_figure_8() {
    assert_eq!(SUB_ARRAYS, 4 * 4);
}

#[test]
fn an_empty_sub_array_loses_power_in_the_next_cycle() {
    let mut unit = Rtl::<1, 1>::default();
    unit.edge(&wanted(0b11));
    assert_eq!(unit.edge(&wanted(0b10)).powered, 0b11);
    assert_eq!(
        unit.outputs(&wanted(0b10)),
        PowerGateOut {
            powered: 0b10,
            awake: 0b10
        }
    );
}

#[test]
fn a_sub_array_in_use_stays_awake() {
    let mut unit = Rtl::<10, 4>::default();
    (0..10).for_each(|_| {
        unit.edge(&wanted(0x8000));
    });
    assert!((0..40).all(|_| unit.edge(&wanted(0x8000)).awake == 0x8000));
}

#[test]
fn waking_starts_anew_after_a_wish_is_dropped() {
    let mut unit = Rtl::<3, 2>::default();
    let wishes = [1, 1, 0, 1, 1, 1, 1].map(wanted);
    let awake = wishes.map(|pins| unit.edge(&pins).awake);
    assert_eq!(awake, [0, 0, 0, 0, 0, 0, 1]);
}

#[test]
fn clear_puts_all_to_sleep_and_wins_over_the_masks() {
    let mut unit = Rtl::<1, 1>::default();
    unit.edge(&wanted(0xffff));
    unit.edge(&PowerGateIn {
        clear: true,
        ..wanted(0xffff)
    });
    assert_eq!(unit.outputs(&wanted(0)), PowerGateOut::default());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn model_and_rtl_agree_on_any_pins(rows in strategy::rows()) {
        agree(Model::<1>::default(), Rtl::<1, 1>::default(), &rows)?;
        agree(Model::<3>::default(), Rtl::<3, 2>::default(), &rows)?;
        agree(Model::<10>::default(), Rtl::<10, 4>::default(), &rows)?;
    }
    #[test]
    fn what_is_wanted_has_power_and_what_is_awake_was_wanted_long_enough(rows in strategy::rows()) {
        let mut unit = Rtl::<3, 2>::default();
        let mut wishes = [0u16; 3];
        for pins in rows {
            unit.edge(&pins);
            let wish = if pins.clear { 0 } else { pins.occupied | pins.request };
            wishes = [wishes[1], wishes[2], wish];
            let out = unit.outputs(&pins);
            prop_assert_eq!(out.powered, wish);
            prop_assert_eq!(out.awake, wishes[0] & wishes[1] & wishes[2]);
        }
    }
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(PowerGate1::new());
    check_block(PowerGate3::new());
    check_block(PowerGate10::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<1>, _>(PowerGate1::new());
    check_ports::<Model<10>, _>(PowerGate10::new());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<3>>(include_str!("README.md"));
}
