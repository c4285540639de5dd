//! Steps the block as its pins are driven.

use super::rtl::ScratchpadLock;
use super::{ScratchpadLockIn, ScratchpadLockOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

/// The block behind the same interface as the model.
pub struct Rtl<
    const NW: usize,
    const T: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const AW: usize,
    const HALF: usize,
> {
    block: Box<ScratchpadLock<NW, T, IW, TW, CW, AW, HALF>>,
    evaluated: Option<(ScratchpadLockIn<NW, T>, ScratchpadLockOut<NW, T>)>,
}

impl<
    const NW: usize,
    const T: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const AW: usize,
    const HALF: usize,
> Default for Rtl<NW, T, IW, TW, CW, AW, HALF>
{
    fn default() -> Self {
        let mut block = Box::new(ScratchpadLock::new());
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
    const T: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const AW: usize,
    const HALF: usize,
> Clocked for Rtl<NW, T, IW, TW, CW, AW, HALF>
{
    type In = ScratchpadLockIn<NW, T>;
    type Out = ScratchpadLockOut<NW, T>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        if let Some((last, out)) = self.evaluated
            && last == *pins
        {
            return out;
        }
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive(&mut block.share, pins.share);
        drive_bits(&mut block.warps_per_cta, pins.warps_per_cta.into());
        drive_bits(&mut block.private_bytes, pins.private_bytes.into());
        drive(&mut block.pair, pins.pair);
        drive(&mut block.exit, pins.exit);
        drive_bits(&mut block.cta, pins.cta.into());
        drive_bits(&mut block.partner, pins.partner.into());
        drive(&mut block.favor_b, pins.favor_b);
        drive(&mut block.a_valid, pins.a_valid);
        drive_bits(&mut block.a_warp, pins.a_warp.into());
        drive_bits(&mut block.a_address, pins.a_address.into());
        drive(&mut block.b_valid, pins.b_valid);
        drive_bits(&mut block.b_warp, pins.b_warp.into());
        drive_bits(&mut block.b_address, pins.b_address.into());
        settle(block);
        let out = ScratchpadLockOut {
            pair_grant: block.pair_grant.val(),
            a_grant: block.a_grant.val(),
            a_held: block.a_held.val(),
            b_grant: block.b_grant.val(),
            b_held: block.b_held.val(),
            sharing: block.sharing.val(),
            shared: read_bits(&block.shared),
            owner: read_bits(&block.owner),
        };
        self.evaluated = Some((*pins, out));
        out
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        // Without a command or a request nothing changes.
        if pins.clear || pins.pair || pins.exit || pins.a_valid || pins.b_valid {
            pulse!(&mut *self.block);
            self.evaluated = None;
        }
        out
    }
}
