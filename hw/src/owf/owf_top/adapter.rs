//! Steps the block as its pins are driven.

use super::rtl::OwfTop;
use super::{OwfTopIn, OwfTopOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

/// The block behind the same interface as its model.
pub struct Rtl<
    const NW: usize,
    const T: usize,
    const LOCKS: usize,
    const IW: usize,
    const TW: usize,
    const CW: usize,
    const LW: usize,
    const HALF: usize,
    const N: usize,
    const M: usize,
    const H: usize,
    const NODES: usize,
    const OW: usize,
    const PACKS: usize,
    const PW: usize,
> {
    block: Box<OwfTop<NW, T, LOCKS, IW, TW, CW, LW, HALF, N, M, H, NODES, OW, PACKS, PW>>,
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
    const N: usize,
    const M: usize,
    const H: usize,
    const NODES: usize,
    const OW: usize,
    const PACKS: usize,
    const PW: usize,
> Default for Rtl<NW, T, LOCKS, IW, TW, CW, LW, HALF, N, M, H, NODES, OW, PACKS, PW>
{
    fn default() -> Self {
        let mut block = Box::new(OwfTop::default());
        block.connect_all();
        settle(&mut *block);
        Self { block }
    }
}

/// Drives the pins of a port.
macro_rules! drive_port {
    ($block:ident, $issue:expr, $valid:ident, $exit:ident, $memory:ident, $scratch:ident, $address:ident, $warp:ident,
        [$($x:ident),*], [$($x_valid:ident),*]) => {
        drive(&mut $block.$valid, $issue.$valid);
        drive(&mut $block.$exit, $issue.$exit);
        drive(&mut $block.$memory, $issue.$memory);
        drive(&mut $block.$scratch, $issue.$scratch);
        drive_bits(&mut $block.$address, $issue.$address.into());
        drive_bits(&mut $block.$warp, $issue.$warp.into());
        $(drive_bits(&mut $block.$x, $issue.$x.into());)*
        $(drive(&mut $block.$x_valid, $issue.$x_valid);)*
    };
}

/// Reads the pins of a port.
macro_rules! read_port {
    ($block:ident, $out:ident, [$($bit:ident),*], [$($pack:ident),*]) => {
        $($out.$bit = $block.$bit.val();)*
        $($out.$pack = read_bits(&$block.$pack) as u16;)*
    };
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
    const N: usize,
    const M: usize,
    const H: usize,
    const NODES: usize,
    const OW: usize,
    const PACKS: usize,
    const PW: usize,
> Clocked for Rtl<NW, T, LOCKS, IW, TW, CW, LW, HALF, N, M, H, NODES, OW, PACKS, PW>
{
    type In = OwfTopIn<NW, T, PACKS>;
    type Out = OwfTopOut<NW, T, PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive(&mut block.share_regs, pins.share_regs);
        drive(&mut block.share_scratchpad, pins.share_scratchpad);
        drive_bits(&mut block.warps_per_cta, pins.warps_per_cta.into());
        drive_bits(&mut block.base_regs, pins.base_regs.into());
        drive_bits(&mut block.ext_regs, pins.ext_regs.into());
        drive_bits(&mut block.upper_offset, pins.upper_offset.into());
        drive_bits(&mut block.private_bytes, pins.private_bytes.into());
        drive(&mut block.pair, pins.pair);
        drive(&mut block.exit, pins.exit);
        drive_bits(&mut block.cta, pins.cta.into());
        drive_bits(&mut block.partner, pins.partner.into());
        drive_bits(&mut block.launch, pins.launch);
        drive_bits(&mut block.ready, pins.ready);
        drive(&mut block.sm_zero, pins.sm_zero);
        drive(&mut block.stall, pins.stall);
        drive_bits(&mut block.zero_stalls, pins.zero_stalls.into());
        drive(&mut block.favor_b, pins.favor_b);
        drive_port!(
            block,
            pins,
            a_valid,
            a_exit,
            a_memory,
            a_scratch,
            a_address,
            a_warp,
            [a_x0, a_x1, a_x2, a_x3],
            [a_x0_valid, a_x1_valid, a_x2_valid, a_x3_valid]
        );
        drive_port!(
            block,
            pins,
            b_valid,
            b_exit,
            b_memory,
            b_scratch,
            b_address,
            b_warp,
            [b_x0, b_x1, b_x2, b_x3],
            [b_x0_valid, b_x1_valid, b_x2_valid, b_x3_valid]
        );
        settle(block);
        let mut out = OwfTopOut {
            pair_grant: block.pair_grant.val(),
            sharing: block.sharing.val(),
            shared: read_bits(&block.shared),
            owner: read_bits(&block.owner),
            chosen_valid: read_bits(&block.chosen_valid) as u8,
            chosen: read_bits(&block.chosen) as u16,
            memory_allowed: block.memory_allowed.val(),
            tenths: read_bits(&block.tenths) as u8,
            compares: block.compares.val(),
            stalls: read_bits(&block.stalls) as u16,
            ..OwfTopOut::default()
        };
        read_port!(
            block,
            out,
            [
                a_grant, a_held, a_y0_valid, a_y1_valid, a_y2_valid, a_y3_valid
            ],
            [a_y0, a_y1, a_y2, a_y3]
        );
        read_port!(
            block,
            out,
            [
                b_grant, b_held, b_y0_valid, b_y1_valid, b_y2_valid, b_y3_valid
            ],
            [b_y0, b_y1, b_y2, b_y3]
        );
        out
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        pulse!(&mut *self.block);
        out
    }
}
