use super::*;
use crate::common::eval::{drive_bits, settle};
use rust_hdl::prelude::*;

#[test]
fn it_moves_and_stops_at_both_ends() {
    let mut block = Moved::<5>::default();
    block.connect_all();
    for old in 0..32i64 {
        for change in -2..=6i64 {
            drive_bits(&mut block.old, old as u64);
            drive_bits(&mut block.change, (change & 15) as u64);
            settle(&mut block);
            let now: u64 = block.now.val().into();
            assert_eq!(now as i64, (old + change).clamp(0, 31), "{old} {change}");
        }
    }
}
