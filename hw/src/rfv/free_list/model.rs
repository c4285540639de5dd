//! The obvious way: a flag per pack, and a look at all of them for the best one to offer.

use super::{BANKS, FreeListIn, FreeListOut, SUB_ARRAYS_PER_BANK, kept_packs};
use crate::clocked::Clocked;
use bitvec::prelude::*;

/// Plain model of the free list.
#[derive(Clone, Debug)]
pub struct Model<const PACKS: usize> {
    used: [BitVec; BANKS],
}

impl<const PACKS: usize> Default for Model<PACKS> {
    fn default() -> Self {
        Self {
            used: std::array::from_fn(|_| bitvec![0; PACKS / BANKS]),
        }
    }
}

impl<const PACKS: usize> Model<PACKS> {
    /// Packs in use.
    #[must_use]
    pub fn used_packs(&self) -> usize {
        self.used.iter().map(|bank| bank.count_ones()).sum()
    }

    /// The mask bit of the sub-array in which a pack lies.
    fn sub_array(bank: usize, pack: usize) -> usize {
        let size_packs = PACKS / BANKS / SUB_ARRAYS_PER_BANK;
        bank * SUB_ARRAYS_PER_BANK + pack / size_packs
    }

    fn offer(&self, bank: usize, pins: &FreeListIn<PACKS>) -> Option<usize> {
        let kept = kept_packs(PACKS / BANKS)[usize::from(pins.shrink)];
        let asleep = |pack| !pins.awake.view_bits::<Lsb0>()[Self::sub_array(bank, pack)];
        (usize::from(pins.reserved)..kept)
            .filter(|&pack| !self.used[bank][pack])
            .min_by_key(|&pack| (asleep(pack), pack))
    }
}

impl<const PACKS: usize> Clocked for Model<PACKS> {
    type In = FreeListIn<PACKS>;
    type Out = FreeListOut<PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let mut out = FreeListOut::default();
        let mut packs = [0; BANKS];
        for bank in 0..BANKS {
            if let Some(pack) = self.offer(bank, pins) {
                packs[bank] = pack as u16;
                out.offer_valid |= 1 << bank;
                out.request |= 1 << Self::sub_array(bank, pack);
            }
            let reserved = 0..usize::from(pins.reserved).min(PACKS / BANKS);
            for pack in self.used[bank].iter_ones().chain(reserved) {
                out.occupied |= 1 << Self::sub_array(bank, pack);
            }
        }
        [out.offer0, out.offer1, out.offer2, out.offer3] = packs;
        out
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        if pins.clear {
            *self = Self::default();
            return out;
        }
        for (bank, used) in self.used.iter_mut().enumerate() {
            if let Some(pack) = pins.given()[bank] {
                used.set(usize::from(pack), false);
            }
            if let Some(pack) = out.offers()[bank].filter(|_| pins.take >> bank & 1 == 1) {
                used.set(usize::from(pack), true);
            }
        }
        out
    }
}
