use super::*;
use crate::common::eval::{drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

#[test]
fn a_bit_is_reset_written_or_kept_and_reset_wins() {
    let mut block = WriteBits::<4>::default();
    block.connect_all();
    settle(&mut block);
    assert_eq!(read_bits(&block.q), 0);
    // Writes all, then 01 to the lower half while bit 1 and bit 2 are reset, then nothing.
    let steps = [
        (0, 0b1111, 0b1110, 0b1110),
        (0b0110, 0b0011, 0b0001, 0b1001),
        (0, 0, 0b0110, 0b1001),
    ];
    for (reset, write, value, q) in steps {
        drive_bits(&mut block.reset, reset);
        drive_bits(&mut block.write, write);
        drive_bits(&mut block.value, value);
        settle(&mut block);
        pulse!(&mut block);
        assert_eq!(read_bits(&block.q), q);
    }
}

#[test]
fn bits_that_rest_high_power_up_and_are_reset_to_1() {
    let mut block = WriteBits::<4>::resting_high();
    block.connect_all();
    settle(&mut block);
    assert_eq!(read_bits(&block.q), 0b1111);
    // Writes 0100 to all, then 00 to the lower half while bit 1 is reset, then nothing.
    let steps = [
        (0, 0b1111, 0b0100, 0b0100),
        (0b0010, 0b0011, 0b0000, 0b0110),
        (0, 0, 0b1111, 0b0110),
    ];
    for (reset, write, value, q) in steps {
        drive_bits(&mut block.reset, reset);
        drive_bits(&mut block.write, write);
        drive_bits(&mut block.value, value);
        settle(&mut block);
        pulse!(&mut block);
        assert_eq!(read_bits(&block.q), q);
    }
}
