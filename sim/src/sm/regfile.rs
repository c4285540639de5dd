//! The physical register file: real values, and a tag on each pack that says who wrote it last.
//!
//! A warp's registers have no value when it starts, and those of its extended set none when it gives the set back.
//! Reading a register without a value gives 0 and is counted; it says nothing about the mapping. Reading a
//! register that has a value from a pack with another tag means that the mapping is wrong, and ends the run.

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

/// The name of links on a register stack; kernels have registers up to r254.
const LINK: ArchReg = ArchReg(255);

/// The pack holds somebody else's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foreign(pub Option<Tag>);

/// Packs and tags, and which registers of the resident warps have a value.
#[derive(Clone, Debug)]
pub struct RegisterFile {
    values: Vec<Lanes>,
    tags: Vec<Tag>,
    has_value: Vec<RegMask>,
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
            tags: vec![NOBODY; packs.into()],
            has_value: vec![RegMask::default(); slots],
            had_value: vec![RegMask::default(); slots],
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

    /// A function has pushed `reg`: the name means another register, without a value. Whether the caller's has one.
    pub fn push(&mut self, slot: usize, reg: ArchReg) -> bool {
        self.levels.resize(self.has_value.len() * 256, 0);
        self.levels[slot * 256 + usize::from(reg.0)] += 1;
        let had = self.has_value[slot].contains(reg.0.into());
        self.has_value[slot].remove(reg.0.into());
        had
    }

    /// The name means the caller's register again.
    pub fn pop(&mut self, slot: usize, reg: ArchReg, had: bool) {
        if let Some(level) = self.levels.get_mut(slot * 256 + usize::from(reg.0)) {
            *level = level.saturating_sub(1);
        }
        match had {
            true => self.has_value[slot].insert(reg.0.into()),
            false => self.has_value[slot].remove(reg.0.into()),
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
        self.tags[pack.index()] = Tag {
            warp: self.warp[slot],
            reg: LINK,
            level: depth,
        };
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
        let is_there = *self.tags.get(pack.index())? == expected;
        is_there.then(|| self.values[pack.index()][0])
    }

    /// Reads a pack, whoever wrote it.
    pub fn take(&self, pack: Pack, counters: &mut RegisterCounters) -> (Lanes, Tag) {
        counters.reads += 1;
        (self.values[pack.index()], self.tags[pack.index()])
    }

    /// Writes a pack with what [`RegisterFile::take`] gave.
    pub fn put(&mut self, pack: Pack, value: &Lanes, tag: Tag, counters: &mut RegisterCounters) {
        counters.writes += 1;
        self.values[pack.index()] = *value;
        self.tags[pack.index()] = tag;
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

    /// Reads register `reg` of the warp in `slot` from `pack`, which exists.
    #[inline]
    pub fn read(
        &self,
        slot: usize,
        reg: ArchReg,
        pack: Pack,
        out: &mut Lanes,
        counters: &mut RegisterCounters,
    ) -> Result<(), Foreign> {
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
        let tag = self.tags[pack.index()];
        if tag != self.tag(slot, reg) {
            return Err(Foreign((tag != NOBODY).then_some(tag)));
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
    ) -> Result<(), Foreign> {
        if self.has_value[slot].contains(reg.0.into()) {
            return Err(Foreign(None));
        }
        counters.reads += 1;
        counters.uninitialised_reads += 1;
        Ok(())
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
        let target = &mut self.values[pack.index()];
        if lanes == !0 {
            *target = *value;
        } else {
            let keep =
                self.tags[pack.index()] == tag && self.has_value[slot].contains(reg.0.into());
            for lane in 0..32 {
                let old = if keep { target[lane] } else { 0 };
                target[lane] = if lanes >> lane & 1 == 1 {
                    value[lane]
                } else {
                    old
                };
            }
        }
        self.tags[pack.index()] = tag;
        self.has_value[slot].insert(reg.0.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const R3: ArchReg = ArchReg(3);

    fn read(file: &RegisterFile, slot: usize, pack: u16) -> Result<u32, Foreign> {
        let mut out = [9; 32];
        let mut counters = RegisterCounters::default();
        file.read(slot, R3, Pack(pack), &mut out, &mut counters)?;
        Ok(out[0])
    }

    fn file_with_two_warps() -> RegisterFile {
        let mut file = RegisterFile::new(16, (4, 1), 2, true);
        file.start(0, 100);
        file.start(1, 101);
        let mut counters = RegisterCounters::default();
        for slot in 0..2 {
            let value = [slot as u32 + 1; 32];
            file.write(slot, R3, Pack(slot as u16), !0, &value, &mut counters);
        }
        file
    }

    #[test]
    fn sub_cores_have_banks_of_their_own() {
        let whole = RegisterFile::new(64, (16, 1), 8, false);
        let parts = RegisterFile::new(64, (16, 4), 8, false);
        for slot in 0..8 {
            assert_eq!(whole.bank(slot, Pack(21)), 5);
            assert_eq!(parts.bank(slot, Pack(21)), 4 * (slot % 4) + 1);
        }
    }

    #[test]
    fn value_is_read_back_from_its_pack() {
        let file = file_with_two_warps();
        assert_eq!(read(&file, 0, 0), Ok(1));
        assert_eq!(read(&file, 1, 1), Ok(2));
    }

    #[test]
    fn a_register_is_peeked_where_it_was_written_last() {
        let mut file = file_with_two_warps();
        assert_eq!((file.peek(0, R3)[0], file.peek(1, R3)[0]), (1, 2));
        let mut counters = RegisterCounters::default();
        file.write(1, R3, Pack(9), !0, &[8; 32], &mut counters);
        assert_eq!((file.peek(1, R3)[0], file.peek(1, ArchReg(4))[0]), (8, 0));
        file.start(1, 103);
        assert_eq!(file.peek(1, R3)[0], 0);
        assert_eq!(counters.reads, 0);
    }

    #[test]
    fn pack_of_another_warp_is_refused_with_its_owner() {
        let file = file_with_two_warps();
        let owner = Tag {
            warp: 101,
            reg: R3,
            level: 0,
        };
        assert_eq!(read(&file, 0, 1), Err(Foreign(Some(owner))));
        assert_eq!(read(&file, 0, 5), Err(Foreign(None)));
    }

    #[test]
    fn register_never_written_reads_zero_and_is_counted() {
        let mut file = file_with_two_warps();
        file.start(0, 102);
        let (mut out, mut counters) = ([9; 32], RegisterCounters::default());
        assert_eq!(file.read(0, R3, Pack(1), &mut out, &mut counters), Ok(()));
        assert_eq!((out[0], counters.uninitialised_reads), (0, 1));
    }

    #[test]
    fn register_given_back_reads_zero_and_is_counted_apart() {
        let mut file = file_with_two_warps();
        file.give_back(0, &RegMask::from_index(3));
        let (mut out, mut counters) = ([9; 32], RegisterCounters::default());
        assert_eq!(file.read(0, R3, Pack(0), &mut out, &mut counters), Ok(()));
        assert_eq!((out[0], counters.reads_after_release), (0, 1));
    }

    #[test]
    fn lanes_not_written_keep_the_old_value_or_are_zero() {
        let mut file = file_with_two_warps();
        let mut counters = RegisterCounters::default();
        let lane_of = |file: &RegisterFile, pack, lane: usize| {
            let (mut out, mut counters) = ([9; 32], RegisterCounters::default());
            file.read(0, R3, Pack(pack), &mut out, &mut counters)
                .unwrap();
            out[lane]
        };
        file.write(0, R3, Pack(0), 1, &[7; 32], &mut counters);
        assert_eq!((lane_of(&file, 0, 0), lane_of(&file, 0, 1)), (7, 1));
        file.write(0, R3, Pack(1), 1, &[7; 32], &mut counters);
        assert_eq!((lane_of(&file, 1, 0), lane_of(&file, 1, 1)), (7, 0));
    }
}
