//! The obvious way: a queue of warps.

use super::{StalledWarpsIn, StalledWarpsOut};
use crate::clocked::Clocked;
use std::collections::VecDeque;

/// Plain model of the list.
#[derive(Clone, Debug, Default)]
pub struct Model<const NW: usize> {
    queue: VecDeque<u8>,
}

impl<const NW: usize> Model<NW> {
    /// The stalled warps, the one that has waited longest first.
    pub fn stalled(&self) -> impl Iterator<Item = u8> + '_ {
        self.queue.iter().copied()
    }
}

impl<const NW: usize> Clocked for Model<NW> {
    type In = StalledWarpsIn<NW>;
    type Out = StalledWarpsOut<NW>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let woken = self
            .queue
            .front()
            .copied()
            .filter(|_| pins.wake && !pins.clear);
        let may_stall = usize::from(pins.stall_warp) < NW && woken != Some(pins.stall_warp);
        StalledWarpsOut {
            stall_grant: pins.stall && !pins.clear && may_stall,
            woken_valid: woken.is_some(),
            woken: woken.unwrap_or(0),
            empty: self.queue.is_empty(),
            a_stalled: self.queue.contains(&pins.a_warp),
            b_stalled: self.queue.contains(&pins.b_warp),
        }
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        if pins.clear {
            self.queue.clear();
        }
        if out.stall_grant && !self.queue.contains(&pins.stall_warp) {
            self.queue.push_back(pins.stall_warp);
        }
        if out.woken_valid {
            self.queue.pop_front();
        }
        out
    }
}
