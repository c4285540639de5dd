//! Steps the block as its pins are driven.

use super::rtl::RenameTable;
use super::{RenameTableIn, RenameTableOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

/// The block behind the same interface as the model.
pub struct Rtl<
    const NW: usize,
    const RENAMED: usize,
    const PACKS: usize,
    const IW: usize,
    const HW: usize,
    const RW: usize,
    const ROWS: usize,
    const SHORT: usize,
    const PW: usize,
    const BW: usize,
    const HARDWARE_ONLY: usize,
> {
    block: Box<RenameTable<NW, IW, HW, RW, ROWS, SHORT, PW, BW, HARDWARE_ONLY>>,
}

impl<
    const NW: usize,
    const RENAMED: usize,
    const PACKS: usize,
    const IW: usize,
    const HW: usize,
    const RW: usize,
    const ROWS: usize,
    const SHORT: usize,
    const PW: usize,
    const BW: usize,
    const HARDWARE_ONLY: usize,
> Default for Rtl<NW, RENAMED, PACKS, IW, HW, RW, ROWS, SHORT, PW, BW, HARDWARE_ONLY>
{
    fn default() -> Self {
        const { assert!(PACKS == 1 << PW && (RENAMED == 63) == (HW == 4)) };
        let mut block = Box::new(RenameTable::new());
        block.connect_all();
        settle(&mut *block);
        Self { block }
    }
}

impl<
    const NW: usize,
    const RENAMED: usize,
    const PACKS: usize,
    const IW: usize,
    const HW: usize,
    const RW: usize,
    const ROWS: usize,
    const SHORT: usize,
    const PW: usize,
    const BW: usize,
    const HARDWARE_ONLY: usize,
> Clocked for Rtl<NW, RENAMED, PACKS, IW, HW, RW, ROWS, SHORT, PW, BW, HARDWARE_ONLY>
{
    type In = RenameTableIn<NW, RENAMED, PACKS>;
    type Out = RenameTableOut<NW, RENAMED, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive_bits(&mut block.exempt, pins.exempt.into());
        drive_bits(&mut block.warp, pins.warp.into());
        drive(&mut block.launch, pins.launch);
        drive(&mut block.exit, pins.exit);
        drive_bits(&mut block.x0, pins.x0.into());
        drive(&mut block.x0_valid, pins.x0_valid);
        drive(&mut block.x0_release, pins.x0_release);
        drive_bits(&mut block.x1, pins.x1.into());
        drive(&mut block.x1_valid, pins.x1_valid);
        drive(&mut block.x1_release, pins.x1_release);
        drive_bits(&mut block.x2, pins.x2.into());
        drive(&mut block.x2_valid, pins.x2_valid);
        drive(&mut block.x2_release, pins.x2_release);
        drive_bits(&mut block.x3, pins.x3.into());
        drive(&mut block.x3_valid, pins.x3_valid);
        drive(&mut block.x3_partial, pins.x3_partial);
        drive_bits(&mut block.offer_valid, pins.offer_valid.into());
        drive_bits(&mut block.offer0, pins.offer0.into());
        drive_bits(&mut block.offer1, pins.offer1.into());
        drive_bits(&mut block.offer2, pins.offer2.into());
        drive_bits(&mut block.offer3, pins.offer3.into());
        settle(block);
        RenameTableOut {
            busy: block.busy.val(),
            served: read_bits(&block.served) as u8,
            y0: read_bits(&block.y0) as u16,
            y0_valid: block.y0_valid.val(),
            y1: read_bits(&block.y1) as u16,
            y1_valid: block.y1_valid.val(),
            y2: read_bits(&block.y2) as u16,
            y2_valid: block.y2_valid.val(),
            y3: read_bits(&block.y3) as u16,
            y3_valid: block.y3_valid.val(),
            starved: block.starved.val(),
            take: read_bits(&block.take) as u8,
            give: read_bits(&block.give) as u8,
            give0: read_bits(&block.give0) as u16,
            give1: read_bits(&block.give1) as u16,
            give2: read_bits(&block.give2) as u16,
            give3: read_bits(&block.give3) as u16,
        }
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        let block = &mut *self.block;
        pulse!(block);
        out
    }
}
