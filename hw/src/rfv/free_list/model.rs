//! The obvious way: a flag per pack, and the lowest one that is clear, sub-array by sub-array.

use super::{BANKS, FreeListIn, FreeListOut, SUB_ARRAYS_PER_BANK, kept_packs};
use crate::clocked::Clocked;

/// Plain model of the free list.
#[derive(Clone, Debug)]
pub struct Model<const PACKS: usize> {
    /// Of each sub-array, the first of bank 0 first, a bit per pack that is in use.
    used: [u128; BANKS * SUB_ARRAYS_PER_BANK],
    /// The last answer and the inputs that it depends on, until `used` changes.
    last: Option<([u16; 3], FreeListOut<PACKS>)>,
}

impl<const PACKS: usize> Default for Model<PACKS> {
    fn default() -> Self {
        const { assert!(PACKS <= 128 * BANKS * SUB_ARRAYS_PER_BANK) };
        Self {
            used: [0; BANKS * SUB_ARRAYS_PER_BANK],
            last: None,
        }
    }
}

impl<const PACKS: usize> Model<PACKS> {
    /// Packs of a sub-array.
    const SIZE: usize = PACKS / BANKS / SUB_ARRAYS_PER_BANK;

    /// Packs in use.
    #[must_use]
    pub fn used_packs(&self) -> usize {
        self.used
            .iter()
            .map(|used| used.count_ones() as usize)
            .sum()
    }

    /// The sub-array in which a pack of a bank lies, and its bit there.
    fn place(bank: usize, pack: usize) -> (usize, u128) {
        let sub_array = bank * SUB_ARRAYS_PER_BANK + pack / Self::SIZE;
        (sub_array, 1 << (pack % Self::SIZE))
    }

    /// The lowest free pack of those that may be offered, in an awake sub-array if one has any.
    fn offer(&self, bank: usize, pins: &FreeListIn<PACKS>) -> Option<usize> {
        let kept = kept_packs(PACKS / BANKS)[usize::from(pins.shrink)];
        let mut asleep = None;
        for sub_array in 0..SUB_ARRAYS_PER_BANK {
            let first = sub_array * Self::SIZE;
            let at = bank * SUB_ARRAYS_PER_BANK + sub_array;
            // Of its packs those below `kept`, and not those below `reserved`.
            let kept = lowest(kept.saturating_sub(first).min(Self::SIZE));
            let reserved = lowest(usize::from(pins.reserved).saturating_sub(first));
            let free = kept & !reserved & !self.used[at];
            if free != 0 {
                let pack = first + free.trailing_zeros() as usize;
                if pins.awake >> at & 1 == 1 {
                    return Some(pack);
                }
                asleep = asleep.or(Some(pack));
            }
        }
        asleep
    }
}

/// The `count` lowest bits.
fn lowest(count: usize) -> u128 {
    match count {
        0..128 => (1 << count) - 1,
        _ => u128::MAX,
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
                out.request |= 1 << Self::place(bank, pack).0;
            }
            for sub_array in 0..SUB_ARRAYS_PER_BANK {
                let at = bank * SUB_ARRAYS_PER_BANK + sub_array;
                let reserved = sub_array * Self::SIZE < usize::from(pins.reserved);
                let occupied = reserved || self.used[at] != 0;
                out.occupied |= u16::from(occupied) << at;
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
        for bank in 0..BANKS {
            if let Some(pack) = pins.given()[bank] {
                let (at, bit) = Self::place(bank, pack.into());
                self.used[at] &= !bit;
            }
            if let Some(pack) = out.offers()[bank].filter(|_| pins.take >> bank & 1 == 1) {
                let (at, bit) = Self::place(bank, pack.into());
                self.used[at] |= bit;
            }
        }
        out
    }
}
