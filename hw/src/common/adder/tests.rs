use super::*;
use crate::common::eval::{drive_bits, settle};
use proptest::prelude::*;
use rust_hdl::prelude::*;

fn adds<const W: usize>(a: u64, b: u64) {
    let mask = (1u64 << W) - 1;
    let mut block = Adder::<W>::default();
    block.connect_all();
    drive_bits(&mut block.a, a & mask);
    drive_bits(&mut block.b, b & mask);
    settle(&mut block);
    let sum: u64 = block.sum.val().into();
    assert_eq!(sum, (a & mask).wrapping_add(b & mask) & mask, "{a} {b}");
}

proptest! {
    #[test]
    fn it_adds(a in any::<u64>(), b in any::<u64>()) {
        adds::<32>(a, b);
        adds::<17>(a, b);
        adds::<7>(a, b);
    }

    #[test]
    fn carries_run_through_all_places(ones in 0u32..33, one in 0u32..32) {
        adds::<32>((1u64 << ones) - 1, 1 << one);
        adds::<23>((1u64 << ones) - 1, 1 << one);
    }
}
