use super::model::Model;
use super::rtl::{RegMap, Rtl};
use super::*;
use crate::testing::{agree, check_block, check_ports, check_readme};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn model_and_rtl_agree_on_any_pins(rows in strategy::rows::<48, 1024>()) {
        agree(Model::<48, 1024>, Rtl::<48, 6, 1024, 10>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_64_warps_and_2048_packs(rows in strategy::rows::<64, 2048>()) {
        agree(Model::<64, 2048>, Rtl::<64, 6, 2048, 11>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_16_warps_and_512_packs(rows in strategy::rows::<16, 512>()) {
        agree(Model::<16, 512>, Rtl::<16, 4, 512, 9>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_8_warps_and_512_packs(rows in strategy::rows::<8, 512>()) {
        agree(Model::<8, 512>, Rtl::<8, 3, 512, 9>::default(), &rows)?;
    }
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(RegMap::<48, 6, 512, 9>::new());
    check_block(RegMap::<48, 6, 1024, 10>::new());
    check_block(RegMap::<64, 6, 2048, 11>::new());
    check_block(RegMap::<16, 4, 512, 9>::new());
    check_block(RegMap::<8, 3, 512, 9>::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<48, 1024>, _>(RegMap::<48, 6, 1024, 10>::new());
    check_ports::<Model<16, 512>, _>(RegMap::<16, 4, 512, 9>::new());
    check_ports::<Model<8, 512>, _>(RegMap::<8, 3, 512, 9>::new());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<48, 1024>>(include_str!("README.md"));
}
