//! The obvious way: a flag per pack, and a look at all of them for the best one to offer.

use super::{BANKS, FreeListIn, FreeListOut, SUB_ARRAYS_PER_BANK, kept_packs};
use crate::clocked::Clocked;
use bitvec::prelude::*;

/// Plain model of the free list.
#[derive(Clone, Debug)]
pub struct Model<const PACKS: usize> {
    used: [BitVec; BANKS],
    /// The last answer and the inputs that it depends on, until `used` changes.
    last: Option<([u16; 3], FreeListOut<PACKS>)>,
}

impl<const PACKS: usize> Default for Model<PACKS> {
    fn default() -> Self {
        Self {
            used: std::array::from_fn(|_| bitvec![0; PACKS / BANKS]),
            last: None,
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

    /// The lowest free pack of those that may be offered, in an awake sub-array if one has any.
    fn offer(&self, bank: usize, pins: &FreeListIn<PACKS>) -> Option<usize> {
        let size_packs = PACKS / BANKS / SUB_ARRAYS_PER_BANK;
        let kept = kept_packs(PACKS / BANKS)[usize::from(pins.shrink)];
        let offered = usize::from(pins.reserved)..kept;
        let lowest_in = |awake: u16| {
            (0..SUB_ARRAYS_PER_BANK).find_map(|sub_array| {
                let first = sub_array * size_packs;
                if pins.awake >> Self::sub_array(bank, first) & 1 != awake {
                    return None;
                }
                let first = first.max(offered.start);
                let end = ((sub_array + 1) * size_packs).min(offered.end);
                let packs = self.used[bank].get(first..end)?;
                Some(first + packs.first_zero()?)
            })
        };
        lowest_in(1).or_else(|| lowest_in(0))
    }
}

impl<const PACKS: usize> Clocked for Model<PACKS> {
    type In = FreeListIn<PACKS>;
    type Out = FreeListOut<PACKS>;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let key = [pins.shrink.into(), pins.reserved, pins.awake];
        if let Some((of, out)) = &self.last
            && *of == key
        {
            return *out;
        }
        let mut out = FreeListOut::default();
        let mut packs = [0; BANKS];
        for bank in 0..BANKS {
            if let Some(pack) = self.offer(bank, pins) {
                packs[bank] = pack as u16;
                out.offer_valid |= 1 << bank;
                out.request |= 1 << Self::sub_array(bank, pack);
            }
            let size_packs = PACKS / BANKS / SUB_ARRAYS_PER_BANK;
            for (sub_array, packs) in self.used[bank].chunks(size_packs).enumerate() {
                let reserved = sub_array * size_packs < usize::from(pins.reserved);
                let occupied = reserved || packs.any();
                out.occupied |= u16::from(occupied) << (bank * SUB_ARRAYS_PER_BANK + sub_array);
            }
        }
        [out.offer0, out.offer1, out.offer2, out.offer3] = packs;
        self.last = Some((key, out));
        out
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        if pins.clear {
            *self = Self::default();
            return out;
        }
        if pins.give | pins.take != 0 {
            self.last = None;
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
