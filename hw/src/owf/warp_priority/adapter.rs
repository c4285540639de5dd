//! Steps the block as its pins are driven.

use super::rtl::WarpPriority;
use super::{WarpPriorityIn, WarpPriorityOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

/// The block behind the same interface as the model.
pub struct Rtl<
    const NW: usize,
    const S: usize,
    const N: usize,
    const M: usize,
    const H: usize,
    const NODES: usize,
    const IW: usize,
    const OW: usize,
> {
    block: Box<WarpPriority<NW, S, N, M, H, NODES, IW, OW>>,
    evaluated: Option<(WarpPriorityIn<NW, S>, WarpPriorityOut<NW, S>)>,
}

impl<
    const NW: usize,
    const S: usize,
    const N: usize,
    const M: usize,
    const H: usize,
    const NODES: usize,
    const IW: usize,
    const OW: usize,
> Default for Rtl<NW, S, N, M, H, NODES, IW, OW>
{
    fn default() -> Self {
        let mut block = Box::new(WarpPriority::new());
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
    const S: usize,
    const N: usize,
    const M: usize,
    const H: usize,
    const NODES: usize,
    const IW: usize,
    const OW: usize,
> Clocked for Rtl<NW, S, N, M, H, NODES, IW, OW>
{
    type In = WarpPriorityIn<NW, S>;
    type Out = WarpPriorityOut<NW, S>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        if let Some((last, out)) = self.evaluated
            && last == *pins
        {
            return out;
        }
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive_bits(&mut block.launch, pins.launch);
        drive_bits(&mut block.ready, pins.ready);
        drive_bits(&mut block.shared, pins.shared);
        drive_bits(&mut block.owner, pins.owner);
        settle(block);
        let out = WarpPriorityOut {
            chosen_valid: read_bits(&block.chosen_valid) as u8,
            chosen: read_bits(&block.chosen) as u32,
        };
        self.evaluated = Some((*pins, out));
        out
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        // The order changes only when warps are launched and when a kernel starts.
        if pins.launch != 0 || pins.clear {
            pulse!(&mut *self.block);
            self.evaluated = None;
        }
        out
    }
}
