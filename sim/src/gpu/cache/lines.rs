//! Lines of a cache: where an address is, in which state, and who goes first.

use super::{CacheShape, LINE_BYTES, SECTOR_BYTES, SetIndex};
use crate::gpu::hash::FastMap;
use crate::gpu::polynomial::Folder;

/// What a look-up found, and the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// The sector is here.
    Hit(usize),
    /// It is on its way.
    Reserved(usize),
    /// The line is here without it.
    SectorMiss(usize),
    /// The line is not here.
    Miss,
}

/// A line; sectors are bits. A sector is at most one of reserved, valid and modified; none: it is invalid.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    block: u64,
    /// Bytes written, one bit each.
    written: u128,
    last_use: u64,
    set: u32,
    reserved: u8,
    valid: u8,
    modified: u8,
    /// Modified sectors all of whose bytes are known.
    readable: u8,
    /// Sectors that become modified, or readable, when their data arrive.
    modified_on_fill: u8,
    readable_on_fill: u8,
}

/// A dirty line that had to go.
#[derive(Clone, Copy, Debug)]
pub struct Evicted {
    /// Its first byte.
    pub block: u64,
    /// Bytes written, one bit each.
    pub written: u128,
    /// Bytes of its modified sectors: they travel whole.
    pub bytes: u32,
}

/// Neighbours in the order of use of a set; a line that is not valid is not in it.
#[derive(Clone, Copy, Debug)]
struct Link {
    older: u32,
    newer: u32,
}

const NONE: u32 = u32::MAX;

/// A set: its lines in the order of use, those used in the same cycle by number.
#[derive(Clone, Copy, Debug)]
struct Set {
    oldest: u32,
    newest: u32,
    /// No line from this number on is invalid.
    last_invalid: u32,
}

/// All lines.
#[derive(Clone, Debug)]
pub struct Lines {
    set_index: SetIndex,
    sets: u64,
    ways: usize,
    sectored: bool,
    dirty_percent: u32,
    folder: Option<Folder>,
    /// How many; there are none before the first is used.
    count: usize,
    lines: Vec<Line>,
    links: Vec<Link>,
    order: Vec<Set>,
    index: FastMap<u64, u32>,
    dirty: u32,
}

impl Lines {
    /// Invalid ones of that shape, with `ways` ways.
    pub fn new(shape: &CacheShape, ways: u32) -> Self {
        let count = shape.sets as usize * ways as usize;
        let set = |set: u32| Set {
            oldest: NONE,
            newest: NONE,
            last_invalid: (set + 1) * ways,
        };
        let bits = shape.sets.trailing_zeros();
        Lines {
            set_index: shape.set_index,
            sets: shape.sets.into(),
            ways: ways as usize,
            sectored: shape.sectored,
            dirty_percent: shape.dirty_percent,
            folder: (shape.set_index == SetIndex::Polynomial).then(|| Folder::new(bits)),
            count,
            lines: Vec::new(),
            links: Vec::new(),
            order: (0..shape.sets).map(set).collect(),
            index: FastMap::default(),
            dirty: 0,
        }
    }

    fn set_of(&self, place: u64) -> usize {
        let number = place / LINE_BYTES;
        let low = number & (self.sets - 1);
        let set = match self.set_index {
            SetIndex::Linear => low,
            SetIndex::Fermi => {
                let upper = place >> 13 & 7 | (place >> 17 & 1) << 3 | (place >> 19 & 1) << 4;
                (low ^ upper) & (self.sets - 1)
            }
            SetIndex::Polynomial => {
                let upper = number >> self.sets.trailing_zeros();
                self.folder
                    .as_ref()
                    .map_or(0, |folder| folder.fold(upper, low))
            }
        };
        set as usize
    }

    fn sector_bit(&self, address: u64) -> u8 {
        match self.sectored {
            true => 1 << (address % LINE_BYTES / SECTOR_BYTES),
            false => 1,
        }
    }

    /// Bytes of the line that belong to a sector.
    fn sector_bytes(&self, bit: u8) -> u128 {
        match self.sectored {
            true => 0xffff_ffff << (bit.trailing_zeros() * SECTOR_BYTES as u32),
            false => u128::MAX,
        }
    }

    /// Looks an address up; what a load needs is more than what a store needs.
    pub fn probe(&self, address: u64, write: bool) -> Probe {
        let block = address & !(LINE_BYTES - 1);
        let Some(&at) = self.index.get(&block) else {
            return Probe::Miss;
        };
        let at = at as usize;
        let bit = self.sector_bit(address);
        let line = &self.lines[at];
        let readable = match write {
            true => line.modified,
            false => line.modified & line.readable,
        };
        match bit {
            _ if line.reserved & bit != 0 => Probe::Reserved(at),
            _ if (line.valid | readable) & bit != 0 => Probe::Hit(at),
            _ => Probe::SectorMiss(at),
        }
    }

    /// Reserves the sector of `address`: the line, and the dirty one that had to go.
    pub fn allocate(
        &mut self,
        probe: Probe,
        address: u64,
        place: u64,
        now: u64,
    ) -> Option<(usize, Option<Evicted>)> {
        match probe {
            Probe::Hit(at) | Probe::Reserved(at) => {
                self.touch(at, now);
                Some((at, None))
            }
            Probe::SectorMiss(at) => {
                self.reserve(at, address, now);
                Some((at, None))
            }
            Probe::Miss => {
                let at = self.victim(place)?;
                Some((at, self.replace(at, address, now)))
            }
        }
    }

    /// The line that makes room in the set of `place`: an invalid one, else the least recently used that may go.
    pub fn victim(&mut self, place: u64) -> Option<usize> {
        if self.lines.is_empty() {
            self.make();
        }
        let set = self.set_of(place);
        let begin = set * self.ways;
        let end = self.order[set].last_invalid as usize;
        // Of several, GPGPU-Sim takes the last.
        let invalid = (begin..end).rev().find(|&at| {
            let line = &self.lines[at];
            line.reserved | line.valid | line.modified == 0
        });
        self.order[set].last_invalid = invalid.map_or(begin, |at| at + 1) as u32;
        if invalid.is_some() {
            return invalid;
        }
        let keep_dirty = self.dirty * 100 < self.dirty_percent * self.count as u32;
        let oldest = self.order[set].oldest;
        let (mut at, mut all_stay) = (oldest, true);
        while at != NONE {
            let line = &self.lines[at as usize];
            if line.reserved == 0 && !(keep_dirty && line.modified != 0) {
                return Some(at as usize);
            }
            all_stay &= line.reserved == 0;
            at = self.links[at as usize].newer;
        }
        // All are dirty, and nothing is on its way to any of them that could make it clean. // assumed
        (all_stay && oldest != NONE).then_some(oldest as usize)
    }

    fn make(&mut self) {
        let none = Link {
            older: NONE,
            newer: NONE,
        };
        self.links = vec![none; self.count];
        self.lines = (0..self.count)
            .map(|at| Line {
                set: (at / self.ways) as u32,
                ..Line::default()
            })
            .collect();
    }

    /// The line was used at cycle `now`, which is none of the past.
    pub fn touch(&mut self, at: usize, now: u64) {
        if self.lines[at].last_use == now {
            return;
        }
        self.unlink(at);
        self.link(at, now);
    }

    fn unlink(&mut self, at: usize) {
        let set = self.lines[at].set as usize;
        let Link { older, newer } = self.links[at];
        match older {
            NONE => self.order[set].oldest = newer,
            older => self.links[older as usize].newer = newer,
        }
        match newer {
            NONE => self.order[set].newest = older,
            newer => self.links[newer as usize].older = older,
        }
    }

    fn link(&mut self, at: usize, now: u64) {
        self.lines[at].last_use = now;
        let set = self.lines[at].set as usize;
        let (mut older, mut newer) = (self.order[set].newest, NONE);
        while older != NONE && older as usize > at && self.lines[older as usize].last_use == now {
            newer = older;
            older = self.links[older as usize].older;
        }
        self.links[at] = Link { older, newer };
        match older {
            NONE => self.order[set].oldest = at as u32,
            older => self.links[older as usize].newer = at as u32,
        }
        match newer {
            NONE => self.order[set].newest = at as u32,
            newer => self.links[newer as usize].older = at as u32,
        }
    }

    /// Reserves another sector of a line.
    pub fn reserve(&mut self, at: usize, address: u64, now: u64) {
        let bit = self.sector_bit(address);
        let line = &mut self.lines[at];
        let was = line.modified != 0;
        line.reserved |= bit;
        line.valid &= !bit;
        line.modified &= !bit;
        // What was written of the sector stays written.
        let written = line.written >> (bit.trailing_zeros() * SECTOR_BYTES as u32) & 0xffff_ffff;
        let partly = if written != 0 { bit } else { 0 };
        line.modified_on_fill = line.modified_on_fill & !bit | partly;
        line.readable_on_fill = line.readable_on_fill & !bit | partly;
        self.dirty -= u32::from(was && line.modified == 0);
        self.touch(at, now);
    }

    /// Gives a line to the block of `address` and reserves its sector. Returns what was there, if that was dirty.
    pub fn replace(&mut self, at: usize, address: u64, now: u64) -> Option<Evicted> {
        let old = self.lines[at];
        if old.reserved | old.valid | old.modified != 0 {
            self.index.remove(&old.block);
            self.unlink(at);
        }
        let dirty = old.modified != 0;
        self.dirty -= u32::from(dirty);
        let block = address & !(LINE_BYTES - 1);
        self.lines[at] = Line {
            block,
            set: old.set,
            reserved: self.sector_bit(address),
            ..Line::default()
        };
        self.index.insert(block, at as u32);
        self.link(at, now);
        let sector = match self.sectored {
            true => SECTOR_BYTES,
            false => LINE_BYTES,
        };
        dirty.then_some(Evicted {
            block: old.block,
            written: old.written,
            bytes: old.modified.count_ones() * sector as u32,
        })
    }

    /// All bytes of a sector that is here have been written.
    pub fn modify(&mut self, at: usize, address: u64) {
        let bit = self.sector_bit(address);
        let bytes = self.sector_bytes(bit);
        let line = &mut self.lines[at];
        self.dirty += u32::from(line.modified == 0);
        line.readable |= line.valid & bit;
        line.reserved &= !bit;
        line.valid &= !bit;
        line.modified |= bit;
        line.written |= bytes;
    }

    /// Bytes of a sector have been written, after that look-up.
    pub fn write(&mut self, at: usize, address: u64, byte_mask: u128, probe: Probe) {
        let bit = self.sector_bit(address);
        let whole = self.sector_bytes(bit);
        let line = &mut self.lines[at];
        self.dirty += u32::from(line.modified == 0);
        let was_valid = line.valid & bit != 0;
        line.reserved &= !bit;
        line.valid &= !bit;
        line.modified |= bit;
        line.written |= byte_mask;
        if was_valid || line.written & whole == whole {
            line.readable |= bit;
        } else if !matches!(probe, Probe::Hit(_)) {
            line.readable &= !bit;
        }
        if matches!(probe, Probe::Reserved(_)) {
            line.modified_on_fill |= bit;
            line.readable_on_fill |= bit;
        }
    }

    /// The data of a sector have come, if its line is still here; `atomic`: they are changed at once.
    pub fn fill(&mut self, address: u64, atomic: bool) {
        let block = address & !(LINE_BYTES - 1);
        let Some(&at) = self.index.get(&block) else {
            return;
        };
        let at = at as usize;
        let bit = self.sector_bit(address);
        let line = &mut self.lines[at];
        let was = line.modified != 0;
        if line.reserved & bit != 0 {
            line.reserved &= !bit;
            match line.modified_on_fill & bit {
                0 => line.valid |= bit,
                _ => line.modified |= bit,
            }
        }
        line.readable |= line.readable_on_fill & bit;
        line.modified_on_fill &= !bit;
        line.readable_on_fill &= !bit;
        self.dirty += u32::from(!was && line.modified != 0);
        if atomic {
            self.modify(at, address);
        }
    }

    /// The line is invalid from now on.
    pub fn drop_line(&mut self, at: usize) {
        self.unlink(at);
        let line = &mut self.lines[at];
        (line.reserved, line.valid, line.modified) = (0, 0, 0);
        self.index.remove(&line.block);
        let set = &mut self.order[line.set as usize];
        set.last_invalid = set.last_invalid.max(at as u32 + 1);
    }
}
