use super::*;
use crate::common::eval::{drive_bits, settle};
use rust_hdl::prelude::*;

#[test]
fn it_is_the_order_of_numbers() {
    for (mut block, or_equal) in [
        (Compare::<5>::strictly(), false),
        (Compare::or_equal(), true),
    ] {
        block.connect_all();
        for a in 0..32u64 {
            for b in 0..32u64 {
                drive_bits(&mut block.a, a);
                drive_bits(&mut block.b, b);
                settle(&mut block);
                let wanted = a > b || (or_equal && a == b);
                assert_eq!(block.above.val(), wanted, "{a} {b}");
            }
        }
    }
}
