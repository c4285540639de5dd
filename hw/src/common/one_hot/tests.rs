use super::*;
use crate::common::eval::{drive, drive_bits, settle};
use crate::testing::check_block;
use rust_hdl::prelude::*;

/// Every number that fits, with and without `valid`.
fn decodes<const N: usize, const IW: usize>() {
    let mut block = OneHot::<N, IW>::default();
    block.connect_all();
    for index in 0..1u64 << IW {
        for valid in [true, false] {
            drive(&mut block.valid, valid);
            drive(&mut block.all, false);
            drive_bits(&mut block.index, index);
            settle(&mut block);
            let place: u64 = block.place.val().into();
            let chosen = valid && index < N as u64;
            assert_eq!(place, u64::from(chosen) << index, "{index} of {N}");
            drive(&mut block.all, true);
            settle(&mut block);
            let places: u64 = block.place.val().into();
            assert_eq!(places.count_ones() as usize, N);
        }
    }
}

/// The same of the decoder whose `valid` comes late.
fn decodes_late<const N: usize, const IW: usize>() {
    let mut block = LateOneHot::<N, IW>::default();
    block.connect_all();
    for index in 0..1u64 << IW {
        for valid in [true, false] {
            drive(&mut block.valid, valid);
            drive_bits(&mut block.index, index);
            settle(&mut block);
            let place: u64 = block.place.val().into();
            let chosen = valid && index < N as u64;
            assert_eq!(place, u64::from(chosen) << index, "{index} of {N}");
        }
    }
}

#[test]
fn it_decodes() {
    decodes::<8, 3>();
    decodes::<11, 4>();
    decodes::<24, 5>();
    decodes::<48, 6>();
    decodes::<64, 6>();
}

#[test]
fn it_decodes_what_comes_late() {
    decodes_late::<8, 3>();
    decodes_late::<11, 4>();
    decodes_late::<48, 6>();
    decodes_late::<64, 6>();
}

#[test]
fn rust_hdl_accepts_it() {
    check_block(OneHot::<8, 3>::default());
    check_block(OneHot::<48, 6>::default());
    check_block(LateOneHot::<8, 3>::default());
    check_block(LateOneHot::<48, 6>::default());
}
