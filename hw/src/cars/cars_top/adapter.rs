//! Steps the block as its pins are driven.

use super::rtl::CarsTop;
use super::{CarsTopIn, CarsTopOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

/// The block behind the same interface as the model.
pub struct Rtl<
    const NW: usize,
    const IW: usize,
    const PACKS: usize,
    const PW: usize,
    const STACK: usize,
    const CW: usize,
> {
    block: Box<CarsTop<NW, IW, PACKS, PW, STACK, CW>>,
}

impl<
    const NW: usize,
    const IW: usize,
    const PACKS: usize,
    const PW: usize,
    const STACK: usize,
    const CW: usize,
> Default for Rtl<NW, IW, PACKS, PW, STACK, CW>
{
    fn default() -> Self {
        let mut block = Box::new(CarsTop::default());
        block.connect_all();
        settle(&mut *block);
        Self { block }
    }
}

impl<
    const NW: usize,
    const IW: usize,
    const PACKS: usize,
    const PW: usize,
    const STACK: usize,
    const CW: usize,
> Clocked for Rtl<NW, IW, PACKS, PW, STACK, CW>
{
    type In = CarsTopIn<NW, PACKS, STACK>;
    type Out = CarsTopOut<NW, PACKS, STACK>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive(&mut block.favor_b, pins.favor_b);
        drive(&mut block.stall, pins.stall);
        drive_bits(&mut block.stall_warp, pins.stall_warp.into());
        drive(&mut block.wake, pins.wake);
        drive(&mut block.a_valid, pins.a_valid);
        drive_bits(&mut block.a_op, pins.a_op.into());
        drive_bits(&mut block.a_warp, pins.a_warp.into());
        drive_bits(&mut block.a_base, pins.a_base.into());
        drive_bits(&mut block.a_first, pins.a_first.into());
        drive_bits(&mut block.a_capacity, pins.a_capacity.into());
        drive_bits(&mut block.a_fru, pins.a_fru.into());
        drive_bits(&mut block.a_evicted, pins.a_evicted.into());
        drive_bits(&mut block.a_link, pins.a_link.into());
        drive(&mut block.a_link_kernel, pins.a_link_kernel);
        drive_bits(&mut block.a_x0, pins.a_x0.into());
        drive(&mut block.a_x0_valid, pins.a_x0_valid);
        drive_bits(&mut block.a_x1, pins.a_x1.into());
        drive(&mut block.a_x1_valid, pins.a_x1_valid);
        drive_bits(&mut block.a_x2, pins.a_x2.into());
        drive(&mut block.a_x2_valid, pins.a_x2_valid);
        drive_bits(&mut block.a_x3, pins.a_x3.into());
        drive(&mut block.a_x3_valid, pins.a_x3_valid);
        drive(&mut block.b_valid, pins.b_valid);
        drive_bits(&mut block.b_op, pins.b_op.into());
        drive_bits(&mut block.b_warp, pins.b_warp.into());
        drive_bits(&mut block.b_base, pins.b_base.into());
        drive_bits(&mut block.b_first, pins.b_first.into());
        drive_bits(&mut block.b_capacity, pins.b_capacity.into());
        drive_bits(&mut block.b_fru, pins.b_fru.into());
        drive_bits(&mut block.b_evicted, pins.b_evicted.into());
        drive_bits(&mut block.b_link, pins.b_link.into());
        drive(&mut block.b_link_kernel, pins.b_link_kernel);
        drive_bits(&mut block.b_x0, pins.b_x0.into());
        drive(&mut block.b_x0_valid, pins.b_x0_valid);
        drive_bits(&mut block.b_x1, pins.b_x1.into());
        drive(&mut block.b_x1_valid, pins.b_x1_valid);
        drive_bits(&mut block.b_x2, pins.b_x2.into());
        drive(&mut block.b_x2_valid, pins.b_x2_valid);
        drive_bits(&mut block.b_x3, pins.b_x3.into());
        drive(&mut block.b_x3_valid, pins.b_x3_valid);
        settle(block);
        CarsTopOut {
            stall_grant: block.stall_grant.val(),
            woken_valid: block.woken_valid.val(),
            woken: read_bits(&block.woken) as u8,
            empty: block.empty.val(),
            served_b: block.served_b.val(),
            trap: block.trap.val(),
            pack: read_bits(&block.pack) as u16,
            count: read_bits(&block.count) as u8,
            link: read_bits(&block.link) as u16,
            link_kernel: block.link_kernel.val(),
            a_grant: block.a_grant.val(),
            a_stalled: block.a_stalled.val(),
            a_launched: block.a_launched.val(),
            a_rfp: read_bits(&block.a_rfp) as u16,
            a_rsp: read_bits(&block.a_rsp) as u16,
            a_free: read_bits(&block.a_free) as u8,
            a_link_pack: read_bits(&block.a_link_pack) as u16,
            a_y0: read_bits(&block.a_y0) as u16,
            a_y0_valid: block.a_y0_valid.val(),
            a_y1: read_bits(&block.a_y1) as u16,
            a_y1_valid: block.a_y1_valid.val(),
            a_y2: read_bits(&block.a_y2) as u16,
            a_y2_valid: block.a_y2_valid.val(),
            a_y3: read_bits(&block.a_y3) as u16,
            a_y3_valid: block.a_y3_valid.val(),
            b_grant: block.b_grant.val(),
            b_stalled: block.b_stalled.val(),
            b_launched: block.b_launched.val(),
            b_rfp: read_bits(&block.b_rfp) as u16,
            b_rsp: read_bits(&block.b_rsp) as u16,
            b_free: read_bits(&block.b_free) as u8,
            b_link_pack: read_bits(&block.b_link_pack) as u16,
            b_y0: read_bits(&block.b_y0) as u16,
            b_y0_valid: block.b_y0_valid.val(),
            b_y1: read_bits(&block.b_y1) as u16,
            b_y1_valid: block.b_y1_valid.val(),
            b_y2: read_bits(&block.b_y2) as u16,
            b_y2_valid: block.b_y2_valid.val(),
            b_y3: read_bits(&block.b_y3) as u16,
            b_y3_valid: block.b_y3_valid.val(),
        }
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        pulse!(&mut *self.block);
        out
    }
}
