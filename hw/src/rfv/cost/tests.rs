use super::*;
use crate::rfv::{cta_throttle, free_list, power_gate, release_flag_cache, rename_table};
use crate::testing::{Storage, flip_flops, storage};

#[test]
fn availability_vectors_have_1024_bits_in_four_banks_of_256() {
    assert_eq!(
        (availability_bits(1024), availability_bits(1024) / 4),
        (1024, 256)
    );
    let Some(counted) = flip_flops(free_list::rtl::FreeList64::new()) else {
        return;
    };
    assert_eq!(counted as u64, availability_bits(64));
}

#[test]
fn ten_entries_of_release_flags_have_540_bits_or_68_bytes() {
    let bits = FlagCacheBits::new(10, 16);
    assert_eq!((bits.flags, bits.flags.div_ceil(8)), (540, 68));
    assert_eq!((bits.tags, bits.valid, bits.total()), (130, 10, 680));
}

#[test]
fn flags_and_tags_are_inferred_as_two_memories() {
    let Some(storage) = storage(release_flag_cache::rtl::ReleaseFlagCache::<10, 4, 13>::new())
    else {
        return;
    };
    let bits = FlagCacheBits::new(10, 16);
    assert_eq!(
        storage,
        Storage {
            memories: 2,
            memory_bits: (bits.flags + bits.tags) as usize,
            flip_flops: bits.valid as usize,
        }
    );
}

#[test]
fn renaming_table_of_48_warps_and_63_registers_has_30240_bits() {
    // RFV 7.1: "the total renaming table size is 3.8KB".
    let bits = RenameTableBits::new(48, 63, 1024, false);
    assert_eq!((bits.names, bits.names / 8), (30_240, 3780));
    assert_eq!((bits.flip_flops(), bits.total()), (65, 30_305));
}

#[test]
fn a_constrained_renaming_table_fits_into_1_kib() {
    let bits = RenameTableBits::new(48, 16, 1024, false);
    assert_eq!(bits.names / 8, 960);
    assert!(RenameTableBits::new(48, 17, 1024, false).names / 8 <= 1024);
    assert!(RenameTableBits::new(48, 18, 1024, false).names / 8 > 1024);
}

#[test]
fn names_are_inferred_as_four_memories_without_valid_bits() {
    use rename_table::rtl;
    let is = |found: Option<Storage>, bits: RenameTableBits| {
        let expected = Storage {
            memories: 4,
            memory_bits: bits.names as usize,
            flip_flops: bits.flip_flops() as usize,
        };
        assert!(
            found.is_none_or(|found| found == expected),
            "{found:?}, not {expected:?}"
        );
    };
    is(
        storage(rtl::RenameTable48x63x1024::new()),
        RenameTableBits::new(48, 63, 1024, false),
    );
    is(
        storage(rtl::HardwareOnly48x63x1024::new()),
        RenameTableBits::new(48, 63, 1024, true),
    );
    // With banks of equal height both registers of the warp are the same; only mapping to gates merges them.
    let merged = RenameTableBits::new(48, 16, 1024, false);
    let found = storage(rtl::RenameTable48x16x1024::new());
    let unmerged = (merged.names as usize, merged.flip_flops() as usize + 6);
    assert!(
        found.is_none_or(|found| (found.memory_bits, found.flip_flops) == unmerged),
        "{found:?}"
    );
}

#[test]
fn a_throttle_of_8_ctas_has_8_counters_of_11_bits_and_19_bits_more() {
    let bits = CtaThrottleBits::new(8, 1024);
    assert_eq!(
        (bits.counters, bits.active + bits.free, bits.total()),
        (88, 19, 107)
    );
}

#[test]
fn timers_of_the_power_gate_have_16_32_and_64_bits() {
    assert_eq!(
        [1, 3, 10].map(|cycles| power_gate_bits(16, cycles)),
        [16, 32, 64]
    );
}

#[test]
fn flip_flops_of_the_exported_units_equal_the_formulas() {
    let Some(cache) = flip_flops(release_flag_cache::rtl::ReleaseFlagCache::<10, 4, 13>::new())
    else {
        return;
    };
    assert_eq!(cache as u64, FlagCacheBits::new(10, 16).total());
    let throttle = flip_flops(cta_throttle::rtl::CtaThrottle8x1024::new());
    assert_eq!(
        throttle,
        Some(CtaThrottleBits::new(8, 1024).total() as usize)
    );
    assert_eq!(flip_flops(power_gate::rtl::PowerGate1::new()), Some(16));
    assert_eq!(flip_flops(power_gate::rtl::PowerGate3::new()), Some(32));
    assert_eq!(flip_flops(power_gate::rtl::PowerGate10::new()), Some(64));
}
