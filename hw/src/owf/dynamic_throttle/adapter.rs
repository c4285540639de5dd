//! Steps the block as its pins are driven.

use super::rtl::DynamicThrottle;
use super::{DynamicThrottleIn, DynamicThrottleOut};
use crate::clocked::Clocked;
use crate::common::eval::{drive, drive_bits, pulse, read_bits, settle};
use rust_hdl::prelude::*;

/// The block behind the same interface as the model.
pub struct Rtl<const PERIOD: usize, const CW: usize> {
    block: Box<DynamicThrottle<PERIOD, CW>>,
}

impl<const PERIOD: usize, const CW: usize> Default for Rtl<PERIOD, CW> {
    fn default() -> Self {
        let mut block = Box::new(DynamicThrottle::new());
        block.connect_all();
        settle(&mut *block);
        Self { block }
    }
}

impl<const PERIOD: usize, const CW: usize> Clocked for Rtl<PERIOD, CW> {
    type In = DynamicThrottleIn<PERIOD>;
    type Out = DynamicThrottleOut<PERIOD>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let block = &mut *self.block;
        drive(&mut block.clear, pins.clear);
        drive(&mut block.sm_zero, pins.sm_zero);
        drive(&mut block.stall, pins.stall);
        drive_bits(&mut block.zero_stalls, pins.zero_stalls.into());
        settle(block);
        DynamicThrottleOut {
            memory_allowed: block.memory_allowed.val(),
            tenths: read_bits(&block.tenths) as u8,
            compares: block.compares.val(),
            stalls: read_bits(&block.stalls) as u16,
        }
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        pulse!(&mut *self.block);
        out
    }
}
