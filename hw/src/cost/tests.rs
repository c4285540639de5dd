use super::*;
use crate::regmutex::paired_lock::{pair_bit, warp_bit};
use crate::regmutex::srp_allocator::rtl;
use crate::testing::flip_flops;

#[test]
fn regmutex_needs_384_bits_for_48_warps() {
    let bits = RegMutexBits::new(48);
    assert_eq!(
        (bits.warp_status, bits.srp, bits.lut, bits.total()),
        (48, 48, 288, 384)
    );
}

#[test]
fn paired_warps_need_24_bits_for_48_warps_and_the_safe_lock_48() {
    assert_eq!((paired_bits(48), paired_safe_bits(48)), (24, 48));
}

#[test]
fn the_papers_saving_of_paired_warps_is_16_fold() {
    // The text says "over 20x"; its own figures say 384 / 24.
    assert_eq!(RegMutexBits::new(48).total() / paired_bits(48), 16);
}

#[test]
fn flip_flops_of_the_exported_units_equal_the_formulas() {
    let Some(srp) = flip_flops(rtl::SrpAllocator48::new()) else {
        return;
    };
    assert_eq!(srp as u64, RegMutexBits::new(48).total());
    assert_eq!(flip_flops(pair_bit::PairedLock48::new()), Some(24));
    assert_eq!(flip_flops(warp_bit::SafePairedLock48::new()), Some(48));
}

#[test]
fn an_index_into_one_entry_needs_no_bit() {
    assert_eq!([1, 2, 48, 64, 65].map(index_bits), [0, 1, 6, 6, 7]);
}
