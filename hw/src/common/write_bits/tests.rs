use super::*;
use crate::common::eval::{drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

/// The state at power-on, and after each step of what is reset, what is written, and the value.
fn states(mut block: WriteBits<4>, steps: [(u64, u64, u64); 3]) -> [u64; 4] {
    block.connect_all();
    settle(&mut block);
    let start = read_bits(&block.q);
    let after = steps.map(|(reset, write, value)| {
        drive_bits(&mut block.reset, reset);
        drive_bits(&mut block.write, write);
        drive_bits(&mut block.value, value);
        settle(&mut block);
        pulse!(&mut block);
        read_bits(&block.q)
    });
    [start, after[0], after[1], after[2]]
}

#[test]
fn a_bit_is_reset_written_or_kept_and_reset_wins() {
    // Writes all, then 01 to the lower half while bit 1 and bit 2 are reset, then nothing.
    let steps = [
        (0, 0b1111, 0b1110),
        (0b0110, 0b0011, 0b0001),
        (0, 0, 0b0110),
    ];
    let expected = [0, 0b1110, 0b1001, 0b1001];
    assert_eq!(states(WriteBits::default(), steps), expected);
}

#[test]
fn bits_that_rest_high_power_up_and_are_reset_to_1() {
    // Writes 0100 to all, then 00 to the lower half while bit 1 is reset, then nothing.
    let steps = [
        (0, 0b1111, 0b0100),
        (0b0010, 0b0011, 0b0000),
        (0, 0, 0b1111),
    ];
    let expected = [0b1111, 0b0100, 0b0110, 0b0110];
    assert_eq!(states(WriteBits::resting_high(), steps), expected);
}
