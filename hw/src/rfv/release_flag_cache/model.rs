//! The obvious way: an entry remembers the whole program counter and all flags; the remainder picks the entry.

use super::{ReleaseFlagCacheIn, ReleaseFlagCacheOut};
use crate::clocked::Clocked;
use crate::rfv::flag_decoder::OPERANDS;
use bitvec::prelude::*;

/// Plain model of a cache of `ENTRIES` entries, if not told otherwise.
#[derive(Clone, Debug)]
pub struct Model<const ENTRIES: usize = { super::ENTRIES }> {
    /// Program counter and flags of each entry.
    entries: Vec<Option<(u16, u64)>>,
}

impl<const ENTRIES: usize> Default for Model<ENTRIES> {
    fn default() -> Self {
        Self::of_size(ENTRIES)
    }
}

impl<const ENTRIES: usize> Model<ENTRIES> {
    /// An empty cache of another size, one entry at least.
    #[must_use]
    pub fn of_size(entries: usize) -> Self {
        Self {
            entries: vec![None; entries],
        }
    }

    /// Program counters that the cache holds.
    pub fn held(&self) -> impl Iterator<Item = u16> {
        self.entries.iter().flatten().map(|(pc, _)| *pc)
    }

    fn look_up(&self, pc: u16, slot: u8) -> Option<u8> {
        let (_, payload) =
            self.entries[usize::from(pc) % self.entries.len()].filter(|(held, _)| *held == pc)?;
        let mut slots = payload.view_bits::<Lsb0>()[..54].chunks(OPERANDS);
        Some(slots.nth(slot.into()).map_or(0, |flags| flags.load_le()))
    }
}

impl<const ENTRIES: usize> Clocked for Model<ENTRIES> {
    type In = ReleaseFlagCacheIn;
    type Out = ReleaseFlagCacheOut;

    fn outputs(&mut self, pins: &Self::In) -> Self::Out {
        let (a, b) = (
            self.look_up(pins.a_pc, pins.a_slot),
            self.look_up(pins.b_pc, pins.b_slot),
        );
        ReleaseFlagCacheOut {
            a_hit: a.is_some(),
            a_flags: a.unwrap_or(0),
            b_hit: b.is_some(),
            b_flags: b.unwrap_or(0),
        }
    }

    fn edge(&mut self, pins: &Self::In) -> Self::Out {
        let out = self.outputs(pins);
        if pins.clear {
            self.entries.fill(None);
        } else if pins.fill {
            let entry = usize::from(pins.fill_pc) % self.entries.len();
            self.entries[entry] = Some((pins.fill_pc, pins.fill_payload));
        }
        out
    }
}
