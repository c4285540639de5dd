use super::*;
use crate::common::eval::{drive_bits, settle};
use rust_hdl::prelude::*;

fn multiplies<const AW: usize, const BW: usize>(step: usize) {
    let mut block = Product::<AW, BW>::default();
    block.connect_all();
    for a in 0..1u64 << AW {
        for b in (0..1u64 << BW).step_by(step).chain([(1 << BW) - 1]) {
            drive_bits(&mut block.a, a);
            drive_bits(&mut block.b, b);
            settle(&mut block);
            let product: u64 = block.product.val().into();
            assert_eq!(product, a * b, "{a} {b}");
        }
    }
}

#[test]
fn it_is_the_product_of_all_pairs_of_numbers() {
    multiplies::<6, 8>(1);
    multiplies::<3, 8>(1);
    multiplies::<1, 4>(1);
    // The widest, every seventh.
    multiplies::<6, 10>(7);
}

#[test]
fn what_the_block_around_it_drives_is_multiplied_without_settling_that() {
    let mut block = Product::<4, 10>::default();
    block.connect_all();
    block.a.next = 11u64.into();
    block.b.next = 765u64.into();
    block.evaluate();
    let product: u64 = block.product.val().into();
    assert_eq!(product, 8415);
}

#[test]
fn what_cannot_be_1_takes_no_step() {
    let mut block = Product::<6, 10>::of_bits(5);
    block.connect_all();
    for a in 0..32u64 {
        for b in (0..1024u64).step_by(11) {
            drive_bits(&mut block.a, a);
            drive_bits(&mut block.b, b);
            settle(&mut block);
            let product: u64 = block.product.val().into();
            assert_eq!(product, a * b, "{a} {b}");
        }
    }
}
