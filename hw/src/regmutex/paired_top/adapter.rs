//! Steps the blocks as their pins are driven.

use super::rtl::{PairedTop, SafePairedTop};
use super::{PairedTopIn, PairedTopOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

macro_rules! adapter {
    ($rtl:ident, $block:ident, $doc:literal) => {
        #[doc = $doc]
        pub struct $rtl<
            const NW: usize,
            const PAIRS: usize,
            const GROUPS: usize,
            const IW: usize,
            const PACKS: usize,
            const PW: usize,
        > {
            block: Box<$block<NW, PAIRS, GROUPS, IW, PACKS, PW>>,
        }

        impl<
            const NW: usize,
            const PAIRS: usize,
            const GROUPS: usize,
            const IW: usize,
            const PACKS: usize,
            const PW: usize,
        > Default for $rtl<NW, PAIRS, GROUPS, IW, PACKS, PW>
        {
            fn default() -> Self {
                let mut block = Box::new($block::default());
                block.connect_all();
                settle(&mut *block);
                Self { block }
            }
        }

        impl<
            const NW: usize,
            const PAIRS: usize,
            const GROUPS: usize,
            const IW: usize,
            const PACKS: usize,
            const PW: usize,
        > Clocked for $rtl<NW, PAIRS, GROUPS, IW, PACKS, PW>
        {
            type In = PairedTopIn<NW, PACKS>;
            type Out = PairedTopOut<NW, PACKS>;

            fn outputs(&mut self, pins: &Self::In) -> Self::Out {
                let block = &mut *self.block;
                drive(&mut block.clear, pins.clear);
                drive_bits(&mut block.base_regs, pins.base_regs.into());
                drive_bits(&mut block.ext_regs, pins.ext_regs.into());
                drive(&mut block.favor_b, pins.favor_b);
                drive(&mut block.a_valid, pins.a_valid);
                drive(&mut block.a_change, pins.a_change);
                drive(&mut block.a_release, pins.a_release);
                drive_bits(&mut block.a_warp, pins.a_warp.into());
                drive_bits(&mut block.a_x0, pins.a_x0.into());
                drive(&mut block.a_x0_valid, pins.a_x0_valid);
                drive_bits(&mut block.a_x1, pins.a_x1.into());
                drive(&mut block.a_x1_valid, pins.a_x1_valid);
                drive_bits(&mut block.a_x2, pins.a_x2.into());
                drive(&mut block.a_x2_valid, pins.a_x2_valid);
                drive_bits(&mut block.a_x3, pins.a_x3.into());
                drive(&mut block.a_x3_valid, pins.a_x3_valid);
                drive(&mut block.b_valid, pins.b_valid);
                drive(&mut block.b_change, pins.b_change);
                drive(&mut block.b_release, pins.b_release);
                drive_bits(&mut block.b_warp, pins.b_warp.into());
                drive_bits(&mut block.b_x0, pins.b_x0.into());
                drive(&mut block.b_x0_valid, pins.b_x0_valid);
                drive_bits(&mut block.b_x1, pins.b_x1.into());
                drive(&mut block.b_x1_valid, pins.b_x1_valid);
                drive_bits(&mut block.b_x2, pins.b_x2.into());
                drive(&mut block.b_x2_valid, pins.b_x2_valid);
                drive_bits(&mut block.b_x3, pins.b_x3.into());
                drive(&mut block.b_x3_valid, pins.b_x3_valid);
                settle(block);
                PairedTopOut {
                    a_grant: block.a_grant.val(),
                    a_held: block.a_held.val(),
                    a_y0: read_bits(&block.a_y0) as u16,
                    a_y0_valid: block.a_y0_valid.val(),
                    a_y1: read_bits(&block.a_y1) as u16,
                    a_y1_valid: block.a_y1_valid.val(),
                    a_y2: read_bits(&block.a_y2) as u16,
                    a_y2_valid: block.a_y2_valid.val(),
                    a_y3: read_bits(&block.a_y3) as u16,
                    a_y3_valid: block.a_y3_valid.val(),
                    b_grant: block.b_grant.val(),
                    b_held: block.b_held.val(),
                    b_y0: read_bits(&block.b_y0) as u16,
                    b_y0_valid: block.b_y0_valid.val(),
                    b_y1: read_bits(&block.b_y1) as u16,
                    b_y1_valid: block.b_y1_valid.val(),
                    b_y2: read_bits(&block.b_y2) as u16,
                    b_y2_valid: block.b_y2_valid.val(),
                    b_y3: read_bits(&block.b_y3) as u16,
                    b_y3_valid: block.b_y3_valid.val(),
                    wake: block.wake.val(),
                }
            }

            fn edge(&mut self, pins: &Self::In) -> Self::Out {
                let out = self.outputs(pins);
                pulse!(&mut *self.block);
                out
            }
        }
    };
}

adapter!(
    PairBitRtl,
    PairedTop,
    "The paper's variant behind the same interface as its model."
);
adapter!(
    WarpBitRtl,
    SafePairedTop,
    "The safe variant behind the same interface as its model."
);
