use super::model::{PairBitModel, WarpBitModel};
use super::{PairedLockIn, pair_bit, warp_bit};
use crate::testing::{agree, any_pins, check_block, check_ports};
use proptest::prelude::*;

/// Any pins, but a kernel start only now and then.
fn row<const NW: usize>() -> impl Strategy<Value = PairedLockIn<NW>> {
    (any_pins::<PairedLockIn<NW>>(), prop::bool::weighted(0.03))
        .prop_map(|(pins, clear)| PairedLockIn { clear, ..pins })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn pair_bit_model_and_rtl_agree_on_any_pins(rows in prop::collection::vec(row::<48>(), 1..150)) {
        agree(PairBitModel::<48>::default(), pair_bit::Rtl::<48, 24, 6, 5>::default(), &rows)?;
    }
    #[test]
    fn pair_bit_model_and_rtl_agree_with_8_warps(rows in prop::collection::vec(row::<8>(), 1..150)) {
        agree(PairBitModel::<8>::default(), pair_bit::Rtl::<8, 4, 3, 2>::default(), &rows)?;
    }
    #[test]
    fn warp_bit_model_and_rtl_agree_on_any_pins(rows in prop::collection::vec(row::<48>(), 1..150)) {
        agree(WarpBitModel::<48>::default(), warp_bit::Rtl::<48, 6>::default(), &rows)?;
    }
    #[test]
    fn warp_bit_model_and_rtl_agree_with_8_warps(rows in prop::collection::vec(row::<8>(), 1..150)) {
        agree(WarpBitModel::<8>::default(), warp_bit::Rtl::<8, 3>::default(), &rows)?;
    }
}

#[test]
fn rust_hdl_accepts_every_parameter_set() {
    check_block(pair_bit::PairedLock48::new());
    check_block(pair_bit::PairedLock64::new());
    check_block(pair_bit::PairedLock8::new());
    check_block(warp_bit::SafePairedLock48::new());
    check_block(warp_bit::SafePairedLock64::new());
    check_block(warp_bit::SafePairedLock8::new());
}

#[test]
fn pins_are_the_ports_of_the_block() {
    check_ports::<PairBitModel<48>, _>(pair_bit::PairedLock48::new());
    check_ports::<WarpBitModel<48>, _>(warp_bit::SafePairedLock48::new());
}
