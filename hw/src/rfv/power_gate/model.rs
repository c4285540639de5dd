//! The obvious way: remember since when each sub-array has been wanted.

use super::{PowerGateIn, PowerGateOut, SUB_ARRAYS};
use crate::clocked::Clocked;

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
            let all = u16::MAX;
            (out.powered, out.awake) = (all, all);
            return out;
        }
        for (sub_array, since) in self.wanted_since.iter().enumerate() {
            let Some(since) = since else { continue };
            let awake = self.now - since >= WAIT as u64;
            out.powered |= 1 << sub_array;
            out.awake |= u16::from(awake) << sub_array;
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
        for (sub_array, since) in self.wanted_since.iter_mut().enumerate() {
            let wanted = wanted >> sub_array & 1 == 1;
            *since = wanted.then(|| since.unwrap_or(self.now));
        }
        self.now += 1;
        out
    }
}
