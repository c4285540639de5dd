//! A set-associative cache of 128-byte lines in sectors, with miss status holding registers and a miss queue.
//!
//! One type serves the first level of an SM and a slice of the second. Only tags and states are kept, no values.
//! A line is allocated on the miss; a sector of it is reserved until its data arrive.

use super::hash::FastMap;
use super::polynomial;
use serde::{Deserialize, Serialize};

/// Bytes of a line.
pub const LINE_BYTES: u64 = 128;
/// Bytes of a sector.
pub const SECTOR_BYTES: u64 = 32;

/// How a line's address becomes a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetIndex {
    /// The bits above the line offset.
    Linear,
    /// Those bits, exclusive-or bits 13 to 15, 17 and 19, as measured on Fermi (Nugteren et al., HPCA 2014).
    Fermi,
    /// The address modulo an irreducible polynomial (Rau, ISCA 1991).
    Polynomial,
}

/// What a store does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WritePolicy {
    /// Goes through to the next level and leaves its bytes here; what is missing of a sector is fetched by a later read.
    ThroughAllocate,
    /// Goes through to the next level and drops the line if it is here; nothing is allocated.
    ThroughEvict,
    /// Stays here until the line is evicted; what is missing of a sector is fetched by a later read.
    Back,
}

/// Shape of a cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheShape {
    /// Sets, a power of two, 1 ..= 4096.
    pub sets: u32,
    /// Ways, 1 ..= 4096.
    pub ways: u32,
    /// Whether a miss fetches a 32-byte sector; if not, the whole line.
    pub sectored: bool,
    /// How sets are chosen.
    pub set_index: SetIndex,
    /// What a store does.
    pub write: WritePolicy,
    /// Dirty lines, percent of all, below which a dirty line is not evicted, 0 ..= 100.
    pub dirty_percent: u32,
    /// Miss status holding registers, 1 ..= 4096.
    pub mshrs: u32,
    /// Accesses that one of them can hold, 1 ..= 256.
    pub merges: u32,
    /// Requests that wait to be sent to the next level, 1 ..= 256.
    pub miss_queue: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sector {
    Invalid,
    Reserved,
    Valid,
    Modified,
}

#[derive(Clone, Debug)]
struct Line {
    block: u64,
    sectors: [Sector; 4],
    /// Bit of each modified sector all of whose bytes are known.
    readable: u8,
    /// Bits of sectors that become modified, or readable, when their data arrive.
    modified_on_fill: u8,
    readable_on_fill: u8,
    /// Bytes written, one bit each.
    written: u128,
    last_use: u64,
}

impl Line {
    fn is_reserved(&self) -> bool {
        self.sectors.contains(&Sector::Reserved)
    }

    fn is_modified(&self) -> bool {
        self.sectors.contains(&Sector::Modified)
    }

    fn is_invalid(&self) -> bool {
        self.sectors == [Sector::Invalid; 4]
    }
}

/// What a look-up found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Probe {
    Hit(usize),
    Reserved(usize),
    SectorMiss(usize),
    Miss,
}

/// How an access ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The data are here; for a store under [`WritePolicy::Back`], they stay.
    Hit,
    /// The sector is on its way.
    Pending,
    /// The access was taken: a load waits for its data, a store has been handed on or has stayed.
    Miss,
    /// Nothing was done; it must be tried again.
    Refused,
}

/// What the cache sends to the next level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent<T> {
    /// First byte of the sector, or of the line where whole lines travel.
    pub address: u64,
    /// Bytes.
    pub bytes: u32,
    /// A write.
    pub write: bool,
    /// Bytes of the line that a write writes.
    pub byte_mask: u128,
    /// Whose access it is; `None`: data of an evicted line.
    pub origin: Option<T>,
}

/// An access.
#[derive(Clone, Copy, Debug)]
pub struct Access<T> {
    /// Its first byte.
    pub address: u64,
    /// Bytes, not crossing a line.
    pub bytes: u32,
    /// Bytes of the line that it writes, one bit each; not used by loads.
    pub byte_mask: u128,
    /// A store.
    pub write: bool,
    /// It reads and writes in one (atomic): the sector counts as modified when its data have come.
    pub atomic: bool,
    /// Whose access it is.
    pub origin: T,
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheCounts {
    /// Accesses taken.
    pub accesses: u64,
    /// Those whose line or sector was not here.
    pub misses: u64,
    /// Those whose sector was on its way.
    pub pending_hits: u64,
    /// Refusals; one access can be refused many times.
    pub refusals: u64,
}

impl CacheCounts {
    /// Adds another's.
    pub fn add(&mut self, other: &CacheCounts) {
        self.accesses += other.accesses;
        self.misses += other.misses;
        self.pending_hits += other.pending_hits;
        self.refusals += other.refusals;
    }

    /// What was counted after `before`.
    pub fn since(&self, before: &CacheCounts) -> CacheCounts {
        CacheCounts {
            accesses: self.accesses - before.accesses,
            misses: self.misses - before.misses,
            pending_hits: self.pending_hits - before.pending_hits,
            refusals: self.refusals - before.refusals,
        }
    }
}

/// The cache. `T` names whose an access is.
#[derive(Clone, Debug)]
pub struct Cache<T> {
    shape: CacheShape,
    set_bits: u32,
    ways: usize,
    lines: Vec<Line>,
    index: FastMap<u64, u32>,
    dirty: u32,
    /// Who waits, and how many answers of the next level are to come.
    mshrs: FastMap<u64, (Vec<(T, bool)>, u32)>,
    parts: u32,
    spare: Vec<Vec<(T, bool)>>,
    /// Requests that wait to be sent.
    pub miss_queue: std::collections::VecDeque<Sent<T>>,
    ready: std::collections::VecDeque<(u64, std::collections::VecDeque<T>)>,
    /// Counters.
    pub counts: CacheCounts,
}

impl<T: Copy> Cache<T> {
    /// An empty cache of that shape, with `ways` ways instead of the shape's. The next level answers a request for a whole
    /// line in `parts` (1 or 4).
    pub fn new(shape: &CacheShape, ways: u32, parts: u32) -> Self {
        let lines = shape.sets as usize * ways as usize;
        Cache {
            set_bits: shape.sets.trailing_zeros(),
            ways: ways as usize,
            lines: vec![
                Line {
                    block: 0,
                    sectors: [Sector::Invalid; 4],
                    readable: 0,
                    modified_on_fill: 0,
                    readable_on_fill: 0,
                    written: 0,
                    last_use: 0,
                };
                lines
            ],
            index: FastMap::default(),
            dirty: 0,
            mshrs: FastMap::default(),
            parts: if shape.sectored { 1 } else { parts },
            spare: Vec::new(),
            miss_queue: std::collections::VecDeque::new(),
            ready: std::collections::VecDeque::new(),
            counts: CacheCounts::default(),
            shape: shape.clone(),
        }
    }

    fn set_of(&self, place: u64) -> usize {
        let number = place / LINE_BYTES;
        let low = number & (u64::from(self.shape.sets) - 1);
        let set = match self.shape.set_index {
            SetIndex::Linear => low,
            SetIndex::Fermi => {
                let upper = place >> 13 & 7 | (place >> 17 & 1) << 3 | (place >> 19 & 1) << 4;
                (low ^ upper) & (u64::from(self.shape.sets) - 1)
            }
            SetIndex::Polynomial => polynomial::fold(number >> self.set_bits, low, self.set_bits),
        };
        set as usize * self.ways
    }

    fn sector_of(&self, address: u64) -> usize {
        match self.shape.sectored {
            true => (address % LINE_BYTES / SECTOR_BYTES) as usize,
            false => 0,
        }
    }

    /// What is fetched at once, and which entry waits for it.
    fn atom(&self, address: u64) -> u64 {
        match self.shape.sectored {
            true => address & !(SECTOR_BYTES - 1),
            false => address & !(LINE_BYTES - 1),
        }
    }

    fn atom_bytes(&self) -> u64 {
        if self.shape.sectored {
            SECTOR_BYTES
        } else {
            LINE_BYTES
        }
    }

    fn probe(&self, address: u64, write: bool) -> Probe {
        let block = address & !(LINE_BYTES - 1);
        let Some(&at) = self.index.get(&block) else {
            return Probe::Miss;
        };
        let at = at as usize;
        let sector = self.sector_of(address);
        match self.lines[at].sectors[sector] {
            Sector::Reserved => Probe::Reserved(at),
            Sector::Valid => Probe::Hit(at),
            Sector::Modified if write || self.lines[at].readable >> sector & 1 == 1 => {
                Probe::Hit(at)
            }
            _ => Probe::SectorMiss(at),
        }
    }

    /// The line that makes room in the set of `place`: an invalid one, else the least recently used that may go.
    fn victim(&self, place: u64) -> Option<usize> {
        let first = self.set_of(place);
        let keep_dirty = self.dirty * 100 < self.shape.dirty_percent * self.lines.len() as u32;
        let mut best: Option<usize> = None;
        for at in first..first + self.ways {
            let line = &self.lines[at];
            if line.is_invalid() {
                return Some(at);
            }
            if line.is_reserved() || keep_dirty && line.is_modified() {
                continue;
            }
            if best.is_none_or(|best| line.last_use < self.lines[best].last_use) {
                best = Some(at);
            }
        }
        best
    }

    /// Reserves the sector of `address`; hands an evicted dirty line to the next level.
    fn allocate(&mut self, probe: Probe, address: u64, place: u64, now: u64) -> Option<usize> {
        let sector = self.sector_of(address);
        match probe {
            Probe::Hit(at) | Probe::Reserved(at) => {
                self.lines[at].last_use = now;
                Some(at)
            }
            Probe::SectorMiss(at) => {
                let was = self.lines[at].is_modified();
                let line = &mut self.lines[at];
                line.sectors[sector] = Sector::Reserved;
                let bit = !(1 << sector);
                // What was written of the sector stays written.
                let partly = line.written >> (sector as u32 * 32) & 0xffff_ffff != 0;
                line.modified_on_fill = line.modified_on_fill & bit | u8::from(partly) << sector;
                line.readable_on_fill = line.readable_on_fill & bit | u8::from(partly) << sector;
                line.last_use = now;
                if was && !self.lines[at].is_modified() {
                    self.dirty -= 1;
                }
                Some(at)
            }
            Probe::Miss => {
                let at = self.victim(place)?;
                if !self.lines[at].is_invalid() {
                    let line = &self.lines[at];
                    self.index.remove(&line.block);
                    if line.is_modified() {
                        self.dirty -= 1;
                        if self.shape.write == WritePolicy::Back {
                            let bytes = line.written.count_ones().max(1);
                            self.miss_queue.push_back(Sent {
                                address: line.block,
                                bytes,
                                write: true,
                                byte_mask: line.written,
                                origin: None,
                            });
                        }
                    }
                }
                let line = &mut self.lines[at];
                line.block = address & !(LINE_BYTES - 1);
                line.sectors = [Sector::Invalid; 4];
                line.sectors[sector] = Sector::Reserved;
                (line.readable, line.modified_on_fill, line.readable_on_fill) = (0, 0, 0);
                (line.written, line.last_use) = (0, now);
                self.index.insert(line.block, at as u32);
                Some(at)
            }
        }
    }

    fn room(&self, more: u32) -> bool {
        self.miss_queue.len() as u32 + more < self.shape.miss_queue
    }

    /// An access at cycle `now`. `place` is the address that chooses the set: in a slice of the second level, without the bits
    /// that chose the slice.
    pub fn access(&mut self, access: Access<T>, place: u64, now: u64) -> Outcome {
        let probe = self.probe(access.address, access.write);
        let outcome = match (access.write, self.shape.write) {
            (false, _) => self.load(access, probe, place, now),
            (true, WritePolicy::ThroughEvict) => self.store_and_evict(access, probe),
            (true, _) => self.store(access, probe, place, now),
        };
        if outcome == Outcome::Refused {
            self.counts.refusals += 1;
            return outcome;
        }
        self.counts.accesses += 1;
        match probe {
            Probe::Hit(_) => {}
            Probe::Reserved(_) => self.counts.pending_hits += 1,
            Probe::SectorMiss(_) | Probe::Miss => self.counts.misses += 1,
        }
        outcome
    }

    fn load(&mut self, access: Access<T>, probe: Probe, place: u64, now: u64) -> Outcome {
        if let Probe::Hit(at) = probe {
            let sector = self.sector_of(access.address);
            self.lines[at].last_use = now;
            if access.atomic {
                self.mark_modified(at, sector);
            }
            return Outcome::Hit;
        }
        if !self.room(1) {
            return Outcome::Refused;
        }
        let atom = self.atom(access.address);
        match self.mshrs.get(&atom) {
            Some((waiters, _)) if waiters.len() as u32 >= self.shape.merges => {
                return Outcome::Refused;
            }
            None if self.mshrs.len() as u32 >= self.shape.mshrs => return Outcome::Refused,
            _ => {}
        }
        if self.allocate(probe, access.address, place, now).is_none() {
            return Outcome::Refused;
        }
        let waiter = (access.origin, access.atomic);
        match self.mshrs.get_mut(&atom) {
            Some((waiters, _)) => waiters.push(waiter),
            None => {
                let mut waiters = self.spare.pop().unwrap_or_default();
                waiters.push(waiter);
                self.mshrs.insert(atom, (waiters, self.parts));
                self.miss_queue.push_back(Sent {
                    address: atom,
                    bytes: self.atom_bytes() as u32,
                    write: false,
                    byte_mask: 0,
                    origin: Some(access.origin),
                });
            }
        }
        match probe {
            Probe::Reserved(_) => Outcome::Pending,
            _ => Outcome::Miss,
        }
    }

    fn mark_modified(&mut self, at: usize, sector: usize) {
        if !self.lines[at].is_modified() {
            self.dirty += 1;
        }
        let line = &mut self.lines[at];
        if line.sectors[sector] == Sector::Valid {
            line.readable |= 1 << sector;
        }
        line.sectors[sector] = Sector::Modified;
        let (first, width) = match self.shape.sectored {
            true => (sector as u32 * 32, 32),
            false => (0, 128),
        };
        line.written |= u128::MAX >> (128 - width) << first;
    }

    fn hand_on(&mut self, access: Access<T>) {
        self.miss_queue.push_back(Sent {
            address: access.address,
            bytes: access.bytes,
            write: true,
            byte_mask: access.byte_mask,
            origin: Some(access.origin),
        });
    }

    fn store_and_evict(&mut self, access: Access<T>, probe: Probe) -> Outcome {
        if !self.room(0) {
            return Outcome::Refused;
        }
        self.hand_on(access);
        if let Probe::Hit(at) = probe {
            let line = &mut self.lines[at];
            line.sectors = [Sector::Invalid; 4];
            self.index.remove(&line.block);
        }
        Outcome::Miss
    }

    fn store(&mut self, access: Access<T>, probe: Probe, place: u64, now: u64) -> Outcome {
        let through = self.shape.write == WritePolicy::ThroughAllocate;
        let hit = matches!(probe, Probe::Hit(_));
        if !self.room(0) && (through || !hit) {
            return Outcome::Refused;
        }
        let Some(at) = self.allocate(probe, access.address, place, now) else {
            return Outcome::Refused;
        };
        if through {
            self.hand_on(access);
        }
        let sector = self.sector_of(access.address);
        if !self.lines[at].is_modified() {
            self.dirty += 1;
        }
        let whole = match self.shape.sectored {
            true => 0xffff_ffffu128 << (sector as u32 * 32),
            false => u128::MAX,
        };
        let line = &mut self.lines[at];
        let was_valid = line.sectors[sector] == Sector::Valid;
        line.sectors[sector] = Sector::Modified;
        line.written |= access.byte_mask;
        let bit = 1 << sector;
        if was_valid || line.written & whole == whole {
            line.readable |= bit;
        } else if !hit {
            line.readable &= !bit;
        }
        if matches!(probe, Probe::Reserved(_)) {
            line.modified_on_fill |= bit;
            line.readable_on_fill |= bit;
        }
        if hit { Outcome::Hit } else { Outcome::Miss }
    }

    /// The data of a load have come; its waiters can be taken with [`Cache::next_ready`].
    pub fn fill(&mut self, address: u64) {
        let atom = self.atom(address);
        if let Some((_, parts)) = self.mshrs.get_mut(&atom) {
            *parts -= 1;
            if *parts > 0 {
                return;
            }
        }
        let Some((mut waiters, _)) = self.mshrs.remove(&atom) else {
            return;
        };
        let block = address & !(LINE_BYTES - 1);
        if let Some(&at) = self.index.get(&block) {
            let at = at as usize;
            let sector = self.sector_of(address);
            let bit = 1u8 << sector;
            let was = self.lines[at].is_modified();
            let atomic = waiters.iter().any(|&(_, atomic)| atomic);
            let line = &mut self.lines[at];
            if line.sectors[sector] == Sector::Reserved {
                let dirty = line.modified_on_fill & bit != 0;
                line.sectors[sector] = if dirty {
                    Sector::Modified
                } else {
                    Sector::Valid
                };
            }
            if line.readable_on_fill & bit != 0 {
                line.readable |= bit;
            }
            line.modified_on_fill &= !bit;
            line.readable_on_fill &= !bit;
            if !was && line.is_modified() {
                self.dirty += 1;
            }
            if atomic {
                self.mark_modified(at, sector);
            }
        }
        let list = waiters.drain(..).map(|(origin, _)| origin).collect();
        self.spare.push(waiters);
        self.ready.push_back((atom, list));
    }

    /// Whether an access whose data have come can be taken.
    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// An access whose data have come, in the order of arrival.
    pub fn next_ready(&mut self) -> Option<T> {
        let (_, list) = self.ready.front_mut()?;
        let origin = list.pop_front();
        if list.is_empty() {
            self.ready.pop_front();
        }
        origin
    }
}
