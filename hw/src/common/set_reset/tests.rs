use super::*;
use crate::common::eval::{drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

/// From 0000 on: sets 0111, then sets 1010 while it resets 0110, then nothing.
fn states(mut block: SetReset<4>) -> [u64; 3] {
    block.connect_all();
    settle(&mut block);
    assert_eq!(read_bits(&block.q), 0);
    [(0b0111, 0), (0b1010, 0b0110), (0, 0)].map(|(set, reset)| {
        drive_bits(&mut block.set, set);
        drive_bits(&mut block.reset, reset);
        settle(&mut block);
        pulse!(&mut block);
        read_bits(&block.q)
    })
}

#[test]
fn a_bit_is_set_reset_or_kept_and_what_wins_is_chosen() {
    assert_eq!(states(SetReset::reset_wins()), [0b0111, 0b1001, 0b1001]);
    assert_eq!(states(SetReset::set_wins()), [0b0111, 0b1011, 0b1011]);
}
