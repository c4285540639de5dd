//! The block as a whole: lockstep with the model in every size, ports, memories.

use super::*;
use crate::rfv::rename_table::rtl::{
    HardwareOnly4x16x64, HardwareOnly4x63x256, HardwareOnly48x63x1024, RenameTable4x16x64,
    RenameTable48x16x1024, RenameTable48x63x1024, RenameTable64x63x2048,
};
use crate::testing::{agree, check_block, check_ports, check_readme, verilog, yosys};
use proptest::prelude::*;

#[test]
fn yosys_infers_every_bank_as_a_block_ram() {
    let count = |block: String| {
        let log = yosys(
            &block,
            "synth_ice40 -top top -flatten -run begin:map_ffram; stat",
        )?;
        let cells = log.rsplit("Number of cells:").next()?;
        let line = cells.lines().find(|line| line.contains("SB_RAM40_4K"))?;
        line.split_whitespace().last()?.parse::<usize>().ok()
    };
    if yosys("", "").is_none() {
        return;
    }
    assert_eq!(count(verilog(RenameTable48x16x1024::new(), "top")), Some(4));
    assert_eq!(count(verilog(RenameTable48x63x1024::new(), "top")), Some(8));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn model_and_rtl_agree_on_any_pins(rows in strategy::rows::<48, 63, 1024>()) {
        agree(Model::<48, 63, 1024, 0>::default(), Rtl48::<0>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_where_definitions_release(rows in strategy::rows::<48, 63, 1024>()) {
        agree(Model::<48, 63, 1024, 1>::default(), Rtl48::<1>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_16_registers(rows in strategy::rows::<48, 16, 1024>()) {
        agree(Model::<48, 16, 1024, 0>::default(), Rtl48x16::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_4_warps(rows in strategy::rows::<4, 16, 64>()) {
        agree(Model::<4, 16, 64, 0>::default(), Rtl4::<0>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_4_warps_and_63_registers(rows in strategy::rows::<4, 63, 256>()) {
        let rtl = Rtl::<4, 63, 256, 2, 4, 6, 64, 60, 8, 6, 1>::default();
        agree(Model::<4, 63, 256, 1>::default(), rtl, &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_64_warps(rows in strategy::rows::<64, 63, 2048>()) {
        agree(Model::<64, 63, 2048, 0>::default(), Rtl64::default(), &rows)?;
    }
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(RenameTable48x63x1024::new());
    check_block(HardwareOnly48x63x1024::new());
    check_block(RenameTable48x16x1024::new());
    check_block(RenameTable64x63x2048::new());
    check_block(RenameTable4x16x64::new());
    check_block(HardwareOnly4x63x256::new());
    check_block(HardwareOnly4x16x64::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<Model<48, 63, 1024, 0>, _>(RenameTable48x63x1024::new());
    check_ports::<Model<48, 16, 1024, 0>, _>(RenameTable48x16x1024::new());
    check_ports::<Model<64, 63, 2048, 0>, _>(RenameTable64x63x2048::new());
    check_ports::<Model<4, 16, 64, 0>, _>(RenameTable4x16x64::new());
    check_ports::<Model<4, 63, 256, 1>, _>(HardwareOnly4x63x256::new());
}

#[test]
fn readme_lists_the_ports() {
    check_readme::<Model<48, 63, 1024, 0>>(include_str!("../README.md"));
}
