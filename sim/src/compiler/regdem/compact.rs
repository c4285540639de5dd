//! Compaction: the registers that stay move down, so that the highest index falls (RegDem 3.3 and 3.4.1).

use crate::compiler::cfg::Cfg;
use crate::kernel::{BlockId, Inst, Kernel};

/// Register banks of a Maxwell sub-core, and with that the window of the bank-aware variant (RegDem 3.4.1).
pub const BANKS: u16 = 4;

/// How registers are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Compaction {
    /// Shift into gaps; swap where a pair cannot follow (3.3).
    Plain,
    /// Fill a gap from the same bank if one is there, then swap within [`BANKS`] registers where that saves conflicts (3.4.1).
    BankAware,
}

/// A register or an aligned pair in the relocation space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Where it was.
    pub from: u16,
    /// 1, or 2 for an aligned pair.
    pub width: u16,
}

/// The relocation space: which slot lies at each register (RegDem, Figure 4).
#[derive(Clone, Debug)]
struct Space {
    at: Vec<Option<usize>>,
}

impl Space {
    fn new(slots: &[Slot]) -> Space {
        let size = slots.iter().map(|s| s.from + s.width).max().unwrap_or(0);
        // An aligned pair may leave through the place behind the last one.
        let mut at = vec![None; usize::from(size) + 2];
        for (index, slot) in slots.iter().enumerate() {
            for unit in slot.from..slot.from + slot.width {
                at[usize::from(unit)] = Some(index);
            }
        }
        Space { at }
    }

    fn take(&mut self, index: usize) {
        for place in &mut self.at {
            if *place == Some(index) {
                *place = None;
            }
        }
    }

    fn put(&mut self, index: usize, place: usize, width: u16) {
        for unit in place..place + usize::from(width) {
            self.at[unit] = Some(index);
        }
    }

    /// Places by slot.
    fn places(&self, slots: usize) -> Vec<u16> {
        let mut places = vec![0; slots];
        for (place, index) in self.at.iter().enumerate().rev() {
            if let Some(index) = index {
                places[*index] = place as u16;
            }
        }
        places
    }

    /// Shifts and swaps until there is no gap below the last register.
    fn compact(&mut self, slots: &[Slot], same_bank: bool) {
        let mut gap = 0;
        while gap < self.at.len() {
            if self.at[gap].is_some() {
                gap += 1;
                continue;
            }
            let Some(next) = self.at[gap..].iter().flatten().next().copied() else {
                break;
            };
            let from_bank = same_bank
                .then(|| self.of_bank(slots, gap))
                .flatten()
                .unwrap_or(next);
            let width = slots[from_bank].width;
            if width == 1 || gap.is_multiple_of(2) {
                self.take(from_bank);
                self.put(from_bank, gap, width);
            } else if let Some(single) = self.at[gap - 1] {
                // The pair behind an odd gap changes places with the register before it.
                self.take(from_bank);
                self.take(single);
                self.put(from_bank, gap - 1, 2);
                self.put(single, gap + 1, 1);
            }
            gap += 1;
        }
    }

    /// The first register behind `gap` that is of its bank and may lie there.
    fn of_bank(&self, slots: &[Slot], gap: usize) -> Option<usize> {
        let free = |unit: usize| self.at.get(unit).is_none_or(|at| at.is_none());
        (gap + 1..self.at.len()).find_map(|place| {
            let index = self.at[place]?;
            let first = place == 0 || self.at[place - 1] != Some(index);
            let alone = slots[index].width == 1 || gap.is_multiple_of(2) && free(gap + 1);
            (first && alone && (place - gap).is_multiple_of(usize::from(BANKS))).then_some(index)
        })
    }
}

/// One more than the highest place.
pub fn count(slots: &[Slot], places: &[u16]) -> u16 {
    (slots.iter().zip(places))
        .map(|(slot, place)| place + slot.width)
        .max()
        .unwrap_or(0)
}

/// Operands of one instruction that share a bank, two by two, each as often as its loops say.
pub fn conflicts(kernel: &Kernel, cfg: &Cfg, place: impl Fn(u16) -> u16) -> u64 {
    let in_inst = |inst: &Inst| {
        let mut read: Vec<u16> = inst.src_regs().map(|reg| place(reg.index)).collect();
        read.sort_unstable();
        read.dedup();
        let same = |i: usize| {
            read[i + 1..]
                .iter()
                .filter(|other| *other % BANKS == read[i] % BANKS)
                .count()
        };
        (0..read.len()).map(same).sum::<usize>() as u64
    };
    (kernel.blocks.iter().enumerate())
        .map(|(b, block)| {
            let all: u64 = block.insts.iter().map(in_inst).sum();
            all.saturating_mul(cfg.weight(BlockId(b as u32)))
        })
        .fold(0, u64::saturating_add)
}

/// A place for each slot. `cost` is what the bank-aware variant makes small; it gets places by slot.
///
/// With registers alone the places are 0 .. their number; a pair keeps an even place, for which one register may stay empty.
pub fn compact(slots: &[Slot], compaction: Compaction, cost: impl Fn(&[u16]) -> u64) -> Vec<u16> {
    let places = |same_bank| {
        let mut space = Space::new(slots);
        space.compact(slots, same_bank);
        space.places(slots.len())
    };
    let plain = places(false);
    if compaction == Compaction::Plain {
        return plain;
    }
    let mut aware = places(true);
    // Fewer registers come first (3.4.1).
    if count(slots, &aware) > count(slots, &plain) {
        aware = plain;
    }
    let mut best = cost(&aware);
    for a in 0..slots.len() {
        for b in 0..slots.len() {
            let near = aware[a].abs_diff(aware[b]) < BANKS;
            if a == b || slots[a].width != slots[b].width || !near {
                continue;
            }
            aware.swap(a, b);
            let now = cost(&aware);
            if now < best {
                best = now;
            } else {
                aware.swap(a, b);
            }
        }
    }
    aware
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slots(list: &[(u16, u16)]) -> Vec<Slot> {
        list.iter()
            .map(|&(from, width)| Slot { from, width })
            .collect()
    }

    #[test]
    fn a_gap_is_filled_by_the_next_register() {
        let slots = slots(&[(0, 1), (2, 1), (3, 1)]);
        assert_eq!(compact(&slots, Compaction::Plain, |_| 0), [0, 1, 2]);
    }

    #[test]
    fn a_pair_that_cannot_follow_changes_places_with_the_register_before_it() {
        // Figure 4c: R1 is gone, the pair R2, R3 needs an even place.
        let slots = slots(&[(0, 1), (2, 2), (4, 1)]);
        assert_eq!(compact(&slots, Compaction::Plain, |_| 0), [2, 0, 3]);
    }

    #[test]
    fn bank_aware_compaction_fills_a_gap_from_the_same_bank() {
        let slots = slots(&[(1, 1), (2, 1), (3, 1), (4, 1)]);
        assert_eq!(compact(&slots, Compaction::Plain, |_| 0), [0, 1, 2, 3]);
        assert_eq!(compact(&slots, Compaction::BankAware, |_| 0), [1, 2, 3, 0]);
    }

    #[test]
    fn bank_aware_compaction_never_costs_a_register_and_saves_conflicts() {
        let slots = slots(&[(0, 1), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1)]);
        // The first two are read together.
        let cost = |p: &[u16]| u64::from(p[0] % BANKS == p[1] % BANKS);
        let places = compact(&slots, Compaction::BankAware, cost);
        assert_eq!(count(&slots, &places), 6);
        assert_eq!(cost(&places), 0);
    }

    proptest! {
        #[test]
        fn no_two_registers_get_one_place_pairs_stay_even_and_no_place_is_left_empty(
            layout in prop::collection::vec((0u8..3, 1u16..3), 1..60),
            aware in any::<bool>(),
        ) {
            let mut at = 0u16;
            let mut slots = Vec::new();
            for (skip, width) in layout {
                at += u16::from(skip);
                if width == 2 { at = at.next_multiple_of(2); }
                slots.push(Slot { from: at, width });
                at += width;
            }
            let compaction = if aware { Compaction::BankAware } else { Compaction::Plain };
            let places = compact(&slots, compaction, |p| p.iter().map(|&p| u64::from(p % 3)).sum());
            let mut taken: Vec<u16> = slots.iter().zip(&places)
                .flat_map(|(s, &p)| p..p + s.width).collect();
            taken.sort_unstable();
            let words: u16 = slots.iter().map(|s| s.width).sum();
            taken.dedup();
            prop_assert_eq!(taken.len(), usize::from(words));
            prop_assert!(slots.iter().zip(&places).all(|(s, p)| s.width == 1 || p % 2 == 0));
            // One stays empty at most, where pairs only are left behind an odd place.
            prop_assert!(count(&slots, &places) <= words + u16::from(words % 2 == 1));
        }
    }
}
