//! The physical register file: real values, and a tag on each pack that says who wrote it last, and in which lanes.
//!
//! A warp's registers have no value when it starts, and those of its extended set none when it gives the set back.
//! Reading a register without a value gives 0 and is counted; it says nothing about the mapping. Reading a
//! register that has a value from a pack with another tag means that the mapping is wrong, and ends the run. So does reading a lane that
//! has a value from a pack that has it not: the register was given back too early, and other lanes have written it since.

use crate::kernel::exec::Lanes;
use crate::observe::counters::RegisterCounters;
use crate::sm::scoreboard::RegMask;
use regshare_hw::ids::{ArchReg, Pack};

/// Who wrote a pack last: the warp, by its number in the grid, and its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag {
    /// CTA number x warps per CTA + warp of the CTA.
    pub warp: u64,
    pub reg: ArchReg,
    /// Of the registers of that name, which: how often it had been pushed (CARS III-A). Of a link, how deep the call is.
    pub level: u16,
}

const NOBODY: Tag = Tag {
    warp: u64::MAX,
    reg: ArchReg(0),
    level: 0,
};

const NOTHING: Held = Held {
    tag: NOBODY,
    lanes: 0,
};

/// The name of links on a register stack; kernels have registers up to r254.
const LINK: ArchReg = ArchReg(255);

/// What a pack holds: whose value, and of which lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub tag: Tag,
    pub lanes: u32,
}

/// The value is not where it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The register has no pack.
    Pack,
    /// The pack holds somebody else's value, or nobody's.
    Foreign(Option<Tag>),
    /// The pack has none of this lane any more.
    Lane(u8),
}

/// Packs and tags, and which registers of the resident warps have a value.
#[derive(Clone, Debug)]
pub struct RegisterFile {
    values: Vec<Lanes>,
    held: Vec<Held>,
    has_value: Vec<RegMask>,
    /// Of each register of each slot that has a value, the lanes that have, 256 for a slot.
    written: Vec<u32>,
    had_value: Vec<RegMask>,
    /// Number in the grid of the warp in each slot.
    warp: Vec<u64>,
    /// The pack that each register of each slot was written to last, 256 for a slot; empty if nobody peeks.
    last_pack: Vec<u16>,
    /// How often each register of each slot has been pushed, 256 for a slot; empty before the first push.
    levels: Vec<u16>,
    /// Banks of a part of the SM, less one.
    bank_mask: u16,
    /// Parts with banks of their own, less one.
    sub_core_mask: u16,
}

impl RegisterFile {
    /// `packs` packs in `banks` banks of `sub_cores` parts (both powers of two), and `slots` warp slots. With `peeks`, [`RegisterFile::peek`] works.
    pub fn new(packs: u16, (banks, sub_cores): (u8, u8), slots: usize, peeks: bool) -> Self {
        RegisterFile {
            values: vec![[0; 32]; packs.into()],
            held: vec![NOTHING; packs.into()],
            has_value: vec![RegMask::default(); slots],
            had_value: vec![RegMask::default(); slots],
            written: vec![0; slots * 256],
            warp: vec![u64::MAX; slots],
            last_pack: vec![0; if peeks { slots * 256 } else { 0 }],
            levels: Vec::new(),
            bank_mask: u16::from(banks / sub_cores) - 1,
            sub_core_mask: u16::from(sub_cores) - 1,
        }
    }

    /// Number of packs.
    pub fn packs(&self) -> usize {
        self.values.len()
    }

    /// Bank of a pack that the warp in `slot` has.
    #[inline]
    pub fn bank(&self, slot: usize, pack: Pack) -> usize {
        let part = slot & usize::from(self.sub_core_mask);
        part * (usize::from(self.bank_mask) + 1) + usize::from(pack.0 & self.bank_mask)
    }

    /// A warp of that number in the grid moves into `slot`; none of its registers has a value.
    pub fn start(&mut self, slot: usize, warp: u64) {
        self.warp[slot] = warp;
        self.has_value[slot] = RegMask::default();
        self.had_value[slot] = RegMask::default();
        if let Some(levels) = self.levels.get_mut(slot * 256..(slot + 1) * 256) {
            levels.fill(0);
        }
    }

    #[inline]
    fn tag(&self, slot: usize, reg: ArchReg) -> Tag {
        let level = self.levels.get(slot * 256 + usize::from(reg.0)).copied();
        Tag {
            warp: self.warp[slot],
            reg,
            level: level.unwrap_or(0),
        }
    }

    /// A function has pushed `reg`: the name means another register, without a value. The lanes that have one of the caller's.
    pub fn push(&mut self, slot: usize, reg: ArchReg) -> u32 {
        let at = slot * 256 + usize::from(reg.0);
        self.levels.resize(self.has_value.len() * 256, 0);
        self.levels[at] += 1;
        let had = self.has_value[slot].contains(reg.0.into());
        self.has_value[slot].remove(reg.0.into());
        if had { self.written[at] } else { 0 }
    }

    /// The name means the caller's register again, of which these lanes had a value.
    pub fn pop(&mut self, slot: usize, reg: ArchReg, had: u32) {
        let at = slot * 256 + usize::from(reg.0);
        if let Some(level) = self.levels.get_mut(at) {
            *level = level.saturating_sub(1);
        }
        self.written[at] = had;
        match had {
            0 => self.has_value[slot].remove(reg.0.into()),
            _ => self.has_value[slot].insert(reg.0.into()),
        }
    }

    /// Writes the link of a call that is `depth` deep.
    pub fn write_link(
        &mut self,
        slot: usize,
        pack: Pack,
        depth: u16,
        word: u32,
        counters: &mut RegisterCounters,
    ) {
        counters.writes += 1;
        self.values[pack.index()] = [word; 32];
        let tag = Tag {
            warp: self.warp[slot],
            reg: LINK,
            level: depth,
        };
        self.held[pack.index()] = Held { tag, lanes: !0 };
    }

    /// Reads it; `None` if the pack does not hold that link.
    pub fn read_link(
        &self,
        slot: usize,
        pack: Pack,
        depth: u16,
        counters: &mut RegisterCounters,
    ) -> Option<u32> {
        counters.reads += 1;
        let expected = Tag {
            warp: self.warp[slot],
            reg: LINK,
            level: depth,
        };
        let is_there = self.held.get(pack.index())?.tag == expected;
        is_there.then(|| self.values[pack.index()][0])
    }

    /// Reads a pack, whoever wrote it.
    pub fn take(&self, pack: Pack, counters: &mut RegisterCounters) -> (Lanes, Held) {
        counters.reads += 1;
        (self.values[pack.index()], self.held[pack.index()])
    }

    /// Writes a pack with what [`RegisterFile::take`] gave.
    pub fn put(&mut self, pack: Pack, value: &Lanes, held: Held, counters: &mut RegisterCounters) {
        counters.writes += 1;
        self.values[pack.index()] = *value;
        self.held[pack.index()] = held;
    }

    /// The warp has given the registers of `set` back: they have no value any more.
    pub fn give_back(&mut self, slot: usize, set: &RegMask) {
        let lost = self.has_value[slot].and(set);
        self.had_value[slot].insert_all(&lost);
        self.has_value[slot].remove_all(set);
    }

    /// What register `reg` of the warp in `slot` holds, without an access; 0 if nothing.
    pub fn peek(&self, slot: usize, reg: ArchReg) -> Lanes {
        let known = self.has_value[slot].contains(reg.0.into());
        match self.last_pack.get(slot * 256 + usize::from(reg.0)) {
            Some(&pack) if known => self.values[usize::from(pack)],
            _ => [0; 32],
        }
    }

    /// Reads register `reg` of the warp in `slot` from `pack`, which exists, for `lanes`.
    #[inline]
    pub fn read(
        &self,
        slot: usize,
        reg: ArchReg,
        (pack, lanes): (Pack, u32),
        out: &mut Lanes,
        counters: &mut RegisterCounters,
    ) -> Result<(), Missing> {
        counters.reads += 1;
        if !self.has_value[slot].contains(reg.0.into()) {
            *out = [0; 32];
            if self.had_value[slot].contains(reg.0.into()) {
                counters.reads_after_release += 1;
            } else {
                counters.uninitialised_reads += 1;
            }
            return Ok(());
        }
        let Held { tag, lanes: held } = self.held[pack.index()];
        if tag != self.tag(slot, reg) {
            return Err(Missing::Foreign((tag != NOBODY).then_some(tag)));
        }
        let lost = self.written[slot * 256 + usize::from(reg.0)] & lanes & !held;
        if lost != 0 {
            return Err(Missing::Lane(lost.trailing_zeros() as u8));
        }
        *out = self.values[pack.index()];
        Ok(())
    }

    /// Reads register `reg` of the warp in `slot`, which has no pack: 0, if it has no value.
    pub fn read_nothing(
        &self,
        slot: usize,
        reg: ArchReg,
        counters: &mut RegisterCounters,
    ) -> Result<(), Missing> {
        if self.has_value[slot].contains(reg.0.into()) {
            return Err(Missing::Pack);
        }
        counters.reads += 1;
        counters.uninitialised_reads += 1;
        Ok(())
    }

    /// Forgets which lanes of register `reg` of the warp in `slot` have a value: what is written next is all of it.
    pub fn forget_lanes(&mut self, slot: usize, reg: ArchReg) {
        self.written[slot * 256 + usize::from(reg.0)] = 0;
    }

    /// Writes `lanes` of register `reg` of the warp in `slot` into `pack`, which exists. The other lanes keep what
    /// the register had, or become 0 when the pack was another's.
    #[inline]
    pub fn write(
        &mut self,
        slot: usize,
        reg: ArchReg,
        pack: Pack,
        lanes: u32,
        value: &Lanes,
        counters: &mut RegisterCounters,
    ) {
        counters.writes += 1;
        if let Some(last) = (self.last_pack).get_mut(slot * 256 + usize::from(reg.0)) {
            *last = pack.0;
        }
        let tag = self.tag(slot, reg);
        let known = self.has_value[slot].contains(reg.0.into());
        let target = &mut self.values[pack.index()];
        let held = &mut self.held[pack.index()];
        let keep = known && held.tag == tag;
        let before = if keep { held.lanes } else { 0 };
        *held = Held {
            tag,
            lanes: before | lanes,
        };
        let written = &mut self.written[slot * 256 + usize::from(reg.0)];
        *written = lanes | if known { *written } else { 0 };
        if lanes == !0 {
            *target = *value;
        } else {
            for lane in 0..32 {
                let old = if keep { target[lane] } else { 0 };
                target[lane] = if lanes >> lane & 1 == 1 {
                    value[lane]
                } else {
                    old
                };
            }
        }
        self.has_value[slot].insert(reg.0.into());
    }
}

#[cfg(test)]
mod tests;
