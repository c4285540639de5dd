use super::{Verilated, VerilogError};
use crate::clocked::Clocked;
use crate::common::{find_first_zero, reg_map};
use crate::regmutex::paired_lock::model::{PairBitModel, WarpBitModel};
use crate::regmutex::{paired_mapper, register_mapper, srp_allocator};
use crate::strategies::any_rows;
use crate::testing::agree;
use proptest::prelude::*;

fn verilog<M: Clocked>(module: &str) -> Verilated<M::In, M::Out> {
    Verilated::new(module).unwrap_or_else(|error| panic!("{error}"))
}

proptest! {
    #[test]
    fn allocators_answer_as_their_model(rows in srp_allocator::strategy::rows::<48>(),
                                        more in srp_allocator::strategy::rows::<64>()) {
        type Small = srp_allocator::model::Model<48>;
        type Large = srp_allocator::model::Model<64>;
        agree(Small::default(), verilog::<Small>("srp_allocator_w48"), &rows)?;
        agree(Large::default(), verilog::<Large>("srp_allocator_w64"), &more)?;
    }

    #[test]
    fn locks_answer_as_their_models(rows in any_rows(200)) {
        type Paper = PairBitModel<48>;
        type Safe = WarpBitModel<48>;
        agree(Paper::default(), verilog::<Paper>("paired_lock_w48"), &rows)?;
        agree(Safe::default(), verilog::<Safe>("safe_paired_lock_w48"), &rows)?;
    }

    #[test]
    fn baseline_mapping_answers_as_its_model(rows in any_rows(200)) {
        type Model = reg_map::model::Model<48, 1024>;
        agree(Model::default(), verilog::<Model>("reg_map_w48_p1024"), &rows)?;
    }

    #[test]
    fn mappings_answer_as_their_models(rows in any_rows(200), pairs in any_rows(200)) {
        type Base = register_mapper::model::Model<48, 1024>;
        type Pairs = paired_mapper::model::Model<64, 2048>;
        agree(Base::default(), verilog::<Base>("register_mapper_w48_p1024"), &rows)?;
        agree(Pairs::default(), verilog::<Pairs>("paired_mapper_w64_p2048"), &pairs)?;
    }

    #[test]
    fn searches_answer_as_their_model(rows in any_rows(200)) {
        type Model = find_first_zero::model::Model<64>;
        agree(Model::default(), verilog::<Model>("find_first_zero_w64"), &rows)?;
    }
}

#[test]
fn module_that_is_not_exported_is_named() {
    type Model = srp_allocator::model::Model<8>;
    let error =
        Verilated::<<Model as Clocked>::In, <Model as Clocked>::Out>::new("srp_allocator_w9");
    assert_eq!(
        error.err(),
        Some(VerilogError::NoModule("srp_allocator_w9".into()))
    );
}

#[test]
fn module_with_other_ports_is_refused() {
    type Model = find_first_zero::model::Model<48>;
    let error =
        Verilated::<<Model as Clocked>::In, <Model as Clocked>::Out>::new("find_first_zero_w64");
    assert_eq!(
        error.err(),
        Some(VerilogError::Ports("find_first_zero_w64".into()))
    );
}
