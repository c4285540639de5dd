use super::model::Model;
use super::rtl::{Rtl, StackMapper256, StackMapper1024, StackMapper2048};
use super::strategy::rows;
use super::*;
use crate::clocked::Clocked;
use crate::common::lookup::{Answers, Lookups};
use crate::testing::{agree, check_block, check_ports, check_readme};
use proptest::prelude::*;

/// A warp with 20 base registers from pack 100 on and ten packs of stack behind them.
fn warp(rfp: u16, rsp: u16) -> StackMapperIn<2048, 63> {
    StackMapperIn {
        launched: true,
        rfp,
        rsp,
        base: 100,
        first: 120,
        capacity: 10,
        ..StackMapperIn::default()
    }
}

fn answer(mut pins: StackMapperIn<2048, 63>, x: [u8; 4]) -> [Option<u16>; 4] {
    pins.set_lookups(x.map(Some));
    let out = Rtl::<2048, 11, 63, 6>::default().outputs(&pins);
    assert_eq!(out, Model::<2048, 63>.outputs(&pins));
    out.packs()
}

#[test]
fn figure_3_finds_r16_to_r18_of_fun1_in_its_frame_and_the_rest_in_the_base_set() {
    let packs = answer(warp(121, 124), [3, 16, 18, 19]);
    assert_eq!(packs, [103, 121, 123, 119].map(Some));
}

#[test]
fn in_the_kernel_all_registers_are_base_registers() {
    assert_eq!(
        answer(warp(120, 120), [0, 16, 19, 20]),
        [Some(100), Some(116), Some(119), None]
    );
}

#[test]
fn a_frame_continues_at_the_first_pack_of_the_stack() {
    let packs = answer(warp(128, 122), [16, 17, 18, 19]);
    assert_eq!(packs, [128, 129, 120, 121].map(Some));
}

#[test]
fn the_link_lies_below_the_frame_and_below_the_first_pack_is_the_last() {
    let link = |rfp| {
        Rtl::<2048, 11, 63, 6>::default()
            .outputs(&warp(rfp, rfp))
            .link_pack
    };
    assert_eq!([link(125), link(120)], [124, 129]);
}

#[test]
fn without_a_stack_only_base_registers_exist() {
    let pins = StackMapperIn {
        launched: false,
        ..warp(121, 124)
    };
    assert_eq!(
        answer(pins, [16, 18, 19, 20]),
        [Some(116), Some(118), Some(119), None]
    );
}

#[test]
fn pointers_outside_the_stack_rename_nothing() {
    for (rfp, rsp) in [(119, 124), (121, 130), (130, 121)] {
        assert_eq!(answer(warp(rfp, rsp), [16, 17, 18, 40])[0], Some(116));
    }
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(StackMapper256::new());
    check_block(StackMapper1024::new());
    check_block(StackMapper2048::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<256, 7>, _>(StackMapper256::new());
    check_ports::<Model<1024, 63>, _>(StackMapper1024::new());
    check_ports::<Model<2048, 63>, _>(StackMapper2048::new());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<2048, 63>>(include_str!("README.md"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn model_and_rtl_agree_on_any_pins(rows in rows::<2048, 63>()) {
        agree(Model::<2048, 63>, Rtl::<2048, 11, 63, 6>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_1024_packs(rows in rows::<1024, 63>()) {
        agree(Model::<1024, 63>, Rtl::<1024, 10, 63, 6>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_256_packs(rows in rows::<256, 7>()) {
        agree(Model::<256, 7>, Rtl::<256, 8, 7, 3>::default(), &rows)?;
    }
}
