use super::*;
use crate::common::eval::{drive_bits, settle};
use rust_hdl::prelude::*;

fn check<const ENTRIES: usize>() {
    let mut block = LineOf::<ENTRIES>::default();
    block.connect_all();
    for pc in 0..=u64::from(u16::MAX) {
        drive_bits(&mut block.pc, pc);
        settle(&mut block);
        let line: u64 = block.line.val().into();
        assert_eq!(line, pc % ENTRIES as u64, "{pc}");
    }
}

#[test]
fn it_is_the_remainder_by_ten() {
    check::<10>();
}

#[test]
fn it_is_the_remainder_by_fewer_entries() {
    check::<5>();
    check::<2>();
    check::<1>();
}
