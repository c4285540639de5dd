//! Model and RTL side by side, on what the property tests of the tops draw.

use super::*;

/// Model and RTL agree on `rows`.
fn agree<const NW: usize, const T: usize, const PACKS: usize>(
    mut both: Both<NW, T, PACKS>,
    rows: &[RegisterManagerIn<NW, T, PACKS>],
) -> Result<(), TestCaseError> {
    for pins in rows {
        prop_assert_eq!(
            both.model.outputs(pins),
            both.rtl.outputs(pins),
            "look-up with {:?}",
            pins
        );
        prop_assert_eq!(
            both.model.edge(pins),
            both.rtl.edge(pins),
            "edge with {:?}",
            pins
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn model_and_rtl_agree_at_the_baseline(rows in rows(System::Baseline)) {
        agree(Both::new(System::Baseline), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_regmutex(rows in rows(System::Regmutex)) {
        agree(Both::new(System::Regmutex), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_paired_warps(rows in rows(System::Paired)) {
        agree(Both::new(System::Paired), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_safely_paired_warps(rows in rows(System::SafePaired)) {
        agree(Both::new(System::SafePaired), &rows)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn model_and_rtl_agree_with_resource_sharing(rows in rows(System::Owf)) {
        agree(Both::new(System::Owf), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_renaming(rows in rows(System::Rfv)) {
        agree(Both::new(System::Rfv), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_stacks(rows in rows(System::Cars)) {
        agree(Both::new(System::Cars), &rows)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn model_and_rtl_agree_at_the_baseline_and_64_warps(rows in rows::<64, 32, 2048>(System::Baseline)) {
        agree(Both::w64(System::Baseline), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_regmutex_and_64_warps(rows in rows::<64, 32, 2048>(System::Regmutex)) {
        agree(Both::w64(System::Regmutex), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_paired_warps_and_64_warps(rows in rows::<64, 32, 2048>(System::Paired)) {
        agree(Both::w64(System::Paired), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_safely_paired_warps_and_64_warps(rows in rows::<64, 32, 2048>(System::SafePaired)) {
        agree(Both::w64(System::SafePaired), &rows)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]
    #[test]
    fn model_and_rtl_agree_with_resource_sharing_and_64_warps(rows in rows::<64, 32, 2048>(System::Owf)) {
        agree(Both::w64(System::Owf), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_renaming_and_64_warps(rows in rows::<64, 32, 2048>(System::Rfv)) {
        agree(Both::w64(System::Rfv), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_stacks_and_64_warps(rows in rows::<64, 32, 2048>(System::Cars)) {
        agree(Both::w64(System::Cars), &rows)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn model_and_rtl_agree_at_the_baseline_and_16_warps(rows in rows::<16, 8, 512>(System::Baseline)) {
        agree(Both::w16(System::Baseline), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_regmutex_and_16_warps(rows in rows::<16, 8, 512>(System::Regmutex)) {
        agree(Both::w16(System::Regmutex), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_paired_warps_and_16_warps(rows in rows::<16, 8, 512>(System::Paired)) {
        agree(Both::w16(System::Paired), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_safely_paired_warps_and_16_warps(rows in rows::<16, 8, 512>(System::SafePaired)) {
        agree(Both::w16(System::SafePaired), &rows)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn model_and_rtl_agree_with_resource_sharing_and_16_warps(rows in rows::<16, 8, 512>(System::Owf)) {
        agree(Both::w16(System::Owf), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_renaming_and_16_warps(rows in rows::<16, 8, 512>(System::Rfv)) {
        agree(Both::w16(System::Rfv), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_stacks_and_16_warps(rows in rows::<16, 8, 512>(System::Cars)) {
        agree(Both::w16(System::Cars), &rows)?;
    }
}
