use super::*;
use crate::owf::{pair_lock, scratchpad_lock};
use crate::testing::flip_flops;

#[test]
fn register_sharing_needs_273_bits_per_sm_and_14_sms_3822() {
    let bits = PairLockBits::new(48, 8);
    assert_eq!(
        (
            bits.mode,
            bits.partners,
            bits.shared,
            bits.owner,
            bits.locks
        ),
        (1, 32, 48, 48, 144)
    );
    assert_eq!((bits.total(), 14 * bits.total()), (273, 3822));
}

#[test]
fn scratchpad_sharing_needs_93_bits_per_sm_and_14_sms_1302() {
    let bits = ScratchpadLockBits::new(48, 8);
    assert_eq!(
        (bits.mode, bits.partners, bits.owner, bits.locks),
        (1, 32, 48, 12)
    );
    assert_eq!((bits.total(), 14 * bits.total()), (93, 1302));
}

#[test]
fn flip_flops_of_the_exported_units_equal_the_formulas() {
    let Some(counted) = flip_flops(pair_lock::rtl::PairLock48x8::new()) else {
        return;
    };
    assert_eq!(counted, 273);
    assert_eq!(
        flip_flops(scratchpad_lock::rtl::ScratchpadLock48x8::new()),
        Some(93)
    );
}
