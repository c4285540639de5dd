//! Caches of five entries, two and one.

use super::*;
use crate::rfv::cost::FlagCacheBits;
use crate::testing::{Storage, storage};

/// Fills `first` and the program counter `ENTRIES` words on, and says whether all between them stay.
fn check<const ENTRIES: usize, const EW: usize, const TAG: usize>() {
    let mut sides = (
        Model::<ENTRIES>::default(),
        Rtl::<ENTRIES, EW, TAG>::default(),
    );
    let mut step = |fill: Option<u16>, pc: u16| {
        let pins = ReleaseFlagCacheIn {
            fill: fill.is_some(),
            fill_pc: fill.unwrap_or(0),
            fill_payload: u64::from(fill.unwrap_or(0)) % 8,
            a_pc: pc,
            b_pc: pc,
            ..Default::default()
        };
        let (model, rtl) = (sides.0.edge(&pins), sides.1.edge(&pins));
        assert_eq!(model, rtl, "{pins:?}");
        rtl.a_hit.then_some(u16::from(rtl.a_flags))
    };
    let (first, count) = (60_001, ENTRIES as u16);
    for pc in first..first + count {
        step(Some(pc), 0);
    }
    for pc in first..first + count {
        assert_eq!(step(None, pc), Some(pc % 8), "{pc} of {ENTRIES}");
    }
    step(Some(first + count), 0);
    assert_eq!(step(None, first), None);
    assert_eq!(step(None, first + count), Some((first + count) % 8));
}

/// No two program counters share entry and tag.
fn check_tags<const ENTRIES: usize, const TAG: usize>() {
    let mut seen = BTreeSet::new();
    for pc in 0..=u16::MAX {
        let tag = u32::from(pc) >> (16 - TAG);
        assert!(seen.insert((usize::from(pc) % ENTRIES, tag)), "{pc}");
    }
}

#[test]
fn as_many_successive_program_counters_as_entries_stay() {
    check::<5, 3, 14>();
    check::<2, 1, 15>();
    check::<1, 1, 16>();
    check::<10, 4, 13>();
}

#[test]
fn entry_and_tag_are_the_program_counter() {
    check_tags::<5, 14>();
    check_tags::<2, 15>();
    check_tags::<1, 16>();
}

#[test]
fn a_cache_of_fewer_entries_has_the_bits_that_are_counted_and_the_same_ports() {
    fn check<const ENTRIES: usize, const EW: usize, const TAG: usize>() {
        check_block(ReleaseFlagCache::<ENTRIES, EW, TAG>::new());
        check_ports::<Model<ENTRIES>, _>(ReleaseFlagCache::<ENTRIES, EW, TAG>::new());
        let Some(counted) = storage(ReleaseFlagCache::<ENTRIES, EW, TAG>::new()) else {
            return;
        };
        let bits = FlagCacheBits::new(ENTRIES as u64, 16);
        let expected = Storage {
            memories: 2,
            memory_bits: (bits.flags + bits.tags) as usize,
            flip_flops: bits.valid as usize,
        };
        assert_eq!(counted, expected, "{ENTRIES}");
    }
    check::<5, 3, 14>();
    check::<2, 1, 15>();
    check::<1, 1, 16>();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn model_and_rtl_agree_with_5_entries(rows in strategy::rows()) {
        agree(Model::<5>::default(), Rtl::<5, 3, 14>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_2_entries(rows in strategy::rows()) {
        agree(Model::<2>::default(), Rtl::<2, 1, 15>::default(), &rows)?;
    }
    #[test]
    fn model_and_rtl_agree_with_1_entry(rows in strategy::rows()) {
        agree(Model::<1>::default(), Rtl::<1, 1, 16>::default(), &rows)?;
    }
}
