use super::model::Model;
use super::rtl::Rtl;
use super::*;
use crate::clocked::Clocked;
use proptest::prelude::*;

fn pins() -> impl Strategy<Value = SrpAllocatorIn<48>> {
    (
        (prop::bool::weighted(0.02), 0u8..64, any::<bool>()),
        (any::<bool>(), any::<bool>(), 0u8..64),
        (any::<bool>(), any::<bool>(), 0u8..64),
    )
        .prop_map(|((clear, section_count, favor_b), a, b)| SrpAllocatorIn {
            clear,
            section_count,
            favor_b,
            a_valid: a.0,
            a_release: a.1,
            a_warp: a.2,
            b_valid: b.0,
            b_release: b.1,
            b_warp: b.2,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn model_and_rtl_agree_on_any_pins(sequence in prop::collection::vec(pins(), 1..200)) {
        let mut model = Model::<48>::default();
        let mut rtl = Rtl::<48, 12, 6, 6>::default();
        for pins in sequence {
            prop_assert_eq!(model.outputs(&pins), rtl.outputs(&pins));
            prop_assert_eq!(model.edge(&pins), rtl.edge(&pins));
        }
    }
}
