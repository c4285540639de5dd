//! Steps the block as its pins are driven.

use super::rtl::CtaThrottle;
use super::{CtaThrottleIn, CtaThrottleOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

/// The block behind the same interface as the model.
pub struct Rtl<
    const N: usize,
    const PACKS: usize,
    const IW: usize,
    const BW: usize,
    const KW: usize,
> {
    block: Box<CtaThrottle<N, IW, BW, KW>>,
}

impl<const N: usize, const PACKS: usize, const IW: usize, const BW: usize, const KW: usize> Default
    for Rtl<N, PACKS, IW, BW, KW>
{
    fn default() -> Self {
        let mut block = Box::new(CtaThrottle::new());
        block.connect_all();
        settle(&mut *block);
        Self { block }
    }
}

impl<const N: usize, const PACKS: usize, const IW: usize, const BW: usize, const KW: usize> Clocked
    for Rtl<N, PACKS, IW, BW, KW>
{
    type In = CtaThrottleIn<N, PACKS>;
    type Out = CtaThrottleOut<N, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive_bits(&mut block.pack_count, pins.pack_count.into());
        drive(&mut block.launch, pins.launch);
        drive_bits(&mut block.launch_cta, pins.launch_cta.into());
        drive_bits(&mut block.need, pins.need.into());
        drive(&mut block.exit, pins.exit);
        drive_bits(&mut block.exit_cta, pins.exit_cta.into());
        drive(&mut block.favor_b, pins.favor_b);
        drive_bits(&mut block.a_cta, pins.a_cta.into());
        drive(&mut block.a_take, pins.a_take);
        drive_bits(&mut block.a_give, pins.a_give.into());
        drive_bits(&mut block.b_cta, pins.b_cta.into());
        drive(&mut block.b_take, pins.b_take);
        drive_bits(&mut block.b_give, pins.b_give.into());
        settle(block);
        CtaThrottleOut {
            a_may_issue: read_bits(&block.a_may_issue),
            b_may_issue: read_bits(&block.b_may_issue),
            chosen: read_bits(&block.chosen) as u8,
            throttled: block.throttled.val(),
            spill: block.spill.val(),
            free_packs: read_bits(&block.free_packs) as u16,
        }
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        pulse!(&mut *self.block);
        out
    }
}
