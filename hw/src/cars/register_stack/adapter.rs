//! Steps the block as its pins are driven.

use super::rtl::RegisterStack;
use super::{RegisterStackIn, RegisterStackOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

/// The block behind the same interface as the model.
pub struct Rtl<
    const NW: usize,
    const PACKS: usize,
    const STACK: usize,
    const IW: usize,
    const PW: usize,
    const CW: usize,
> {
    block: Box<RegisterStack<NW, IW, PW, CW>>,
    evaluated: Option<(
        RegisterStackIn<NW, PACKS, STACK>,
        RegisterStackOut<NW, PACKS, STACK>,
    )>,
}

impl<
    const NW: usize,
    const PACKS: usize,
    const STACK: usize,
    const IW: usize,
    const PW: usize,
    const CW: usize,
> Default for Rtl<NW, PACKS, STACK, IW, PW, CW>
{
    fn default() -> Self {
        let mut block = Box::new(RegisterStack::new());
        block.connect_all();
        settle(&mut *block);
        Self {
            block,
            evaluated: None,
        }
    }
}

impl<
    const NW: usize,
    const PACKS: usize,
    const STACK: usize,
    const IW: usize,
    const PW: usize,
    const CW: usize,
> Clocked for Rtl<NW, PACKS, STACK, IW, PW, CW>
{
    type In = RegisterStackIn<NW, PACKS, STACK>;
    type Out = RegisterStackOut<NW, PACKS, STACK>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        if let Some((last, out)) = self.evaluated
            && last == *pins
        {
            return out;
        }
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive(&mut block.favor_b, pins.favor_b);
        drive_bits(&mut block.a_op, pins.a_op.into());
        drive_bits(&mut block.a_warp, pins.a_warp.into());
        drive_bits(&mut block.a_first, pins.a_first.into());
        drive_bits(&mut block.a_capacity, pins.a_capacity.into());
        drive_bits(&mut block.a_fru, pins.a_fru.into());
        drive_bits(&mut block.a_evicted, pins.a_evicted.into());
        drive_bits(&mut block.a_link, pins.a_link.into());
        drive(&mut block.a_link_kernel, pins.a_link_kernel);
        drive_bits(&mut block.b_op, pins.b_op.into());
        drive_bits(&mut block.b_warp, pins.b_warp.into());
        drive_bits(&mut block.b_first, pins.b_first.into());
        drive_bits(&mut block.b_capacity, pins.b_capacity.into());
        drive_bits(&mut block.b_fru, pins.b_fru.into());
        drive_bits(&mut block.b_evicted, pins.b_evicted.into());
        drive_bits(&mut block.b_link, pins.b_link.into());
        drive(&mut block.b_link_kernel, pins.b_link_kernel);
        settle(block);
        let out = RegisterStackOut {
            served_b: block.served_b.val(),
            grant: block.grant.val(),
            trap: block.trap.val(),
            pack: read_bits(&block.pack) as u16,
            count: read_bits(&block.count) as u8,
            link: read_bits(&block.link) as u16,
            link_kernel: block.link_kernel.val(),
            a_launched: block.a_launched.val(),
            a_rfp: read_bits(&block.a_rfp) as u16,
            a_rsp: read_bits(&block.a_rsp) as u16,
            a_free: read_bits(&block.a_free) as u8,
            b_launched: block.b_launched.val(),
            b_rfp: read_bits(&block.b_rfp) as u16,
            b_rsp: read_bits(&block.b_rsp) as u16,
            b_free: read_bits(&block.b_free) as u8,
        };
        self.evaluated = Some((*pins, out));
        out
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        // Nothing is remembered of a cycle without a grant or a clear.
        if out.grant || pins.clear {
            pulse!(&mut *self.block);
            self.evaluated = None;
        }
        out
    }
}
