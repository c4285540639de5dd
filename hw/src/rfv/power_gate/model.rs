//! The obvious way: remember since when each sub-array has been wanted.

use super::{PowerGateIn, PowerGateOut, SUB_ARRAYS};
use crate::clocked::Clocked;
use bitvec::prelude::*;

/// Plain model of the gate; waking takes `WAIT` cycles. With 0 there is no gate: all sub-arrays are awake.
#[derive(Clone, Debug, Default)]
pub struct Model<const WAIT: usize> {
    now: u64,
    /// Cycle in which each sub-array was first wanted after it slept.
    wanted_since: [Option<u64>; SUB_ARRAYS],
}

impl<const WAIT: usize> Clocked for Model<WAIT> {
    type In = PowerGateIn;
    type Out = PowerGateOut;

    fn outputs(&mut self, _: &PowerGateIn) -> PowerGateOut {
        let mut out = PowerGateOut::default();
        if WAIT == 0 {
            out.powered.view_bits_mut::<Lsb0>()[..SUB_ARRAYS].fill(true);
            out.awake.view_bits_mut::<Lsb0>()[..SUB_ARRAYS].fill(true);
            return out;
        }
        for (sub_array, since) in self.wanted_since.iter().enumerate() {
            let Some(since) = since else { continue };
            let awake = self.now - since >= WAIT as u64;
            out.powered.view_bits_mut::<Lsb0>().set(sub_array, true);
            out.awake.view_bits_mut::<Lsb0>().set(sub_array, awake);
        }
        out
    }

    fn edge(&mut self, pins: &PowerGateIn) -> PowerGateOut {
        let out = self.outputs(pins);
        let wanted = if pins.clear {
            0
        } else {
            pins.occupied | pins.request
        };
        for (since, wanted) in self.wanted_since.iter_mut().zip(wanted.view_bits::<Lsb0>()) {
            *since = wanted.then(|| since.unwrap_or(self.now));
        }
        self.now += 1;
        out
    }
}
