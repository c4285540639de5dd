//! The obvious way: a time stamp per warp, and the least of class, time and slot among those that are ready.

use super::{WarpPriorityIn, WarpPriorityOut};
use crate::clocked::Clocked;
use crate::pins::bits_for;

/// Which warps go first: owners hold what others wait for, and non-owners soon stall (IV-A).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Shares a resource and owns it.
    SharedOwner,
    /// Shares nothing.
    Unshared,
    /// Shares a resource that its partner owns.
    SharedNonOwner,
}

impl Class {
    /// Of a warp with these two bits.
    #[must_use]
    pub const fn of(shared: bool, owner: bool) -> Self {
        match (shared, owner) {
            (true, true) => Self::SharedOwner,
            (false, _) => Self::Unshared,
            (true, false) => Self::SharedNonOwner,
        }
    }
}

/// Plain model of the choice.
#[derive(Clone, Debug)]
pub struct Model<const NW: usize, const SCHEDULERS: usize> {
    /// When the warp in each slot was launched, in cycles since the kernel start.
    launched: [u64; NW],
    now: u64,
}

impl<const NW: usize, const SCHEDULERS: usize> Default for Model<NW, SCHEDULERS> {
    fn default() -> Self {
        Self {
            launched: [0; NW],
            now: 0,
        }
    }
}

/// The slots whose bits are set, the lowest first.
fn slots(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let slot = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        slot
    })
}

impl<const NW: usize, const SCHEDULERS: usize> Clocked for Model<NW, SCHEDULERS> {
    type In = WarpPriorityIn<NW, SCHEDULERS>;
    type Out = WarpPriorityOut<NW, SCHEDULERS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let bit = |mask: u64, slot: usize| mask >> slot & 1 == 1;
        let mut best = [None; SCHEDULERS];
        for slot in slots(pins.ready).take_while(|&slot| slot < NW) {
            let class = Class::of(bit(pins.shared, slot), bit(pins.owner, slot));
            let key = (class, self.launched[slot], slot);
            let best = &mut best[slot % SCHEDULERS];
            if best.is_none_or(|best| key < best) {
                *best = Some(key);
            }
        }
        let mut out = WarpPriorityOut::default();
        for (scheduler, best) in best.into_iter().enumerate() {
            if let Some((_, _, slot)) = best {
                out.chosen_valid |= 1 << scheduler;
                out.chosen |= (slot as u32) << (scheduler as u32 * bits_for(NW));
            }
        }
        out
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        self.now += 1;
        if pins.clear {
            *self = Self::default();
            return out;
        }
        for slot in slots(pins.launch).take_while(|&slot| slot < NW) {
            self.launched[slot] = self.now;
        }
        out
    }
}
