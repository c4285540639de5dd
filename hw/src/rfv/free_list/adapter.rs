//! Steps the block as its pins are driven.

use super::rtl::FreeList;
use super::{FreeListIn, FreeListOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

/// The block behind the same interface as the model.
pub struct Rtl<
    const PACKS: usize,
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
    const RW: usize,
> {
    block: Box<FreeList<W, IW, C, CW, PER, PW, RW>>,
    evaluated: Option<(FreeListIn<PACKS>, FreeListOut<PACKS>)>,
}

/// With 512 packs.
pub type Rtl512 = Rtl<512, 32, 5, 4, 2, 1, 7, 8>;
/// With 1024 packs.
pub type Rtl1024 = Rtl<1024, 32, 5, 8, 3, 2, 8, 9>;
/// With 2048 packs.
pub type Rtl2048 = Rtl<2048, 32, 5, 16, 4, 4, 9, 10>;
/// With 64 packs.
pub type Rtl64 = Rtl<64, 4, 2, 4, 2, 1, 4, 5>;

impl<
    const PACKS: usize,
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
    const RW: usize,
> Default for Rtl<PACKS, W, IW, C, CW, PER, PW, RW>
{
    fn default() -> Self {
        const { assert!(PACKS == 4 * C * W && RW == PW + 1) };
        let mut block = Box::new(FreeList::new());
        block.connect_all();
        settle(&mut *block);
        Self {
            block,
            evaluated: None,
        }
    }
}

impl<
    const PACKS: usize,
    const W: usize,
    const IW: usize,
    const C: usize,
    const CW: usize,
    const PER: usize,
    const PW: usize,
    const RW: usize,
> Clocked for Rtl<PACKS, W, IW, C, CW, PER, PW, RW>
{
    type In = FreeListIn<PACKS>;
    type Out = FreeListOut<PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        if let Some((last, out)) = self.evaluated
            && last == *pins
        {
            return out;
        }
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive_bits(&mut block.shrink, pins.shrink.into());
        drive_bits(&mut block.reserved, pins.reserved.into());
        drive_bits(&mut block.awake, pins.awake.into());
        drive_bits(&mut block.take, pins.take.into());
        drive_bits(&mut block.give, pins.give.into());
        drive_bits(&mut block.give0, pins.give0.into());
        drive_bits(&mut block.give1, pins.give1.into());
        drive_bits(&mut block.give2, pins.give2.into());
        drive_bits(&mut block.give3, pins.give3.into());
        settle(block);
        let out = FreeListOut {
            offer_valid: read_bits(&block.offer_valid) as u8,
            offer0: read_bits(&block.offer0) as u16,
            offer1: read_bits(&block.offer1) as u16,
            offer2: read_bits(&block.offer2) as u16,
            offer3: read_bits(&block.offer3) as u16,
            occupied: read_bits(&block.occupied) as u16,
            request: read_bits(&block.request) as u16,
        };
        self.evaluated = Some((*pins, out));
        out
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        // Nothing is remembered of a cycle without a request.
        if pins.clear || (pins.take & out.offer_valid) != 0 || pins.give != 0 {
            pulse!(&mut *self.block);
            self.evaluated = None;
        }
        out
    }
}
