//! Steps the block as its pins are driven.

use super::rtl::PairLock;
use super::{PairLockIn, PairLockOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

/// The block behind the same interface as the model.
pub struct Rtl<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const LW: usize,
    const HALF: usize,
> {
    block: Box<PairLock<NW, T, LOCKS, IW, TW, CW, LW, HALF>>,
    evaluated: Option<(PairLockIn<NW, T>, PairLockOut<NW, T>)>,
}

impl<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const LW: usize,
    const HALF: usize,
> Default for Rtl<NW, T, LOCKS, IW, TW, CW, LW, HALF>
{
    fn default() -> Self {
        let mut block = Box::new(PairLock::new());
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
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const LW: usize,
    const HALF: usize,
> Clocked for Rtl<NW, T, LOCKS, IW, TW, CW, LW, HALF>
{
    type In = PairLockIn<NW, T>;
    type Out = PairLockOut<NW, T>;

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
        drive_bits(&mut block.private_regs, pins.private_regs.into());
        drive(&mut block.pair, pins.pair);
        drive(&mut block.exit, pins.exit);
        drive_bits(&mut block.cta, pins.cta.into());
        drive_bits(&mut block.partner, pins.partner.into());
        drive(&mut block.favor_b, pins.favor_b);
        drive(&mut block.a_valid, pins.a_valid);
        drive(&mut block.a_exit, pins.a_exit);
        drive_bits(&mut block.a_warp, pins.a_warp.into());
        drive_bits(&mut block.a_reg, pins.a_reg.into());
        drive(&mut block.b_valid, pins.b_valid);
        drive(&mut block.b_exit, pins.b_exit);
        drive_bits(&mut block.b_warp, pins.b_warp.into());
        drive_bits(&mut block.b_reg, pins.b_reg.into());
        settle(block);
        let out = PairLockOut {
            pair_grant: block.pair_grant.val(),
            a_grant: block.a_grant.val(),
            a_held: block.a_held.val(),
            a_upper: block.a_upper.val(),
            a_home: read_bits(&block.a_home) as u8,
            b_grant: block.b_grant.val(),
            b_held: block.b_held.val(),
            b_upper: block.b_upper.val(),
            b_home: read_bits(&block.b_home) as u8,
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
