use super::model::Model;
use super::rtl::{FindFirstZero, Rtl};
use super::*;
use crate::clocked::Clocked;
use crate::testing::{agree, any_pins, check_block, check_ports};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn model_and_tree_agree_on_any_mask(rows in prop::collection::vec(any_pins::<FindFirstZeroIn<48>>(), 1..20)) {
        agree(Model::<48>, Rtl::<48, 12, 6>::default(), &rows)?;
    }
    #[test]
    fn a_mask_full_up_to_a_bit_yields_that_bit(first in 0u32..=64, above in any::<u64>()) {
        let below = if first == 64 { u64::MAX } else { (1 << first) - 1 };
        let gap = if first == 64 { 0 } else { 1 << first };
        let mask = (above | below) & !gap;
        let out = Rtl::<64, 16, 6>::default().outputs(&FindFirstZeroIn { mask });
        prop_assert_eq!((out.found, u32::from(out.index)), (first < 64, if first < 64 { first } else { 0 }));
    }
}

#[test]
fn every_mask_of_8_bits_agrees() {
    let rows: Vec<_> = (0..256).map(|mask| FindFirstZeroIn::<8> { mask }).collect();
    agree(Model::<8>, Rtl::<8, 2, 3>::default(), &rows).expect("model and tree agree");
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(FindFirstZero::<48, 12, 6>::new());
    check_block(FindFirstZero::<64, 16, 6>::new());
    check_block(FindFirstZero::<8, 2, 3>::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<48>, _>(FindFirstZero::<48, 12, 6>::new());
}
