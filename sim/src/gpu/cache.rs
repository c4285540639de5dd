//! A set-associative cache of 128-byte lines in sectors, with miss status holding registers and a miss queue.
//!
//! One type serves the first level of an SM and a slice of the second. Only tags and states are kept, no values.
//! A line is allocated on the miss, and a sector of it reserved until its data arrive; but in a cache that is only read, when they do.

mod lines;
mod work;

use super::hash::FastMap;
use lines::Lines;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

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
    /// There are none: an instruction cache. A line takes the place of another one when its data come, not on the miss.
    ReadOnly,
}

/// Shape of a cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheShape {
    /// Sets, a power of two, 1 ..= 4096; at most 256 under [`SetIndex::Polynomial`].
    pub sets: u32,
    /// Lines of a set, 1 ..= 4096. Of a first level that shares its bytes with scratchpad, what that leaves counts.
    pub ways: u32,
    /// Whether a miss fetches a sector of 32 bytes; if not, the whole line of 128.
    pub sectored: bool,
    /// How sets are chosen.
    pub set_index: SetIndex,
    /// What a store does.
    pub write: WritePolicy,
    /// Dirty lines, percent of all lines, below which a dirty line is not evicted, 0 ..= 100.
    pub dirty_percent: u32,
    /// Miss status holding registers, one for each line or sector on its way, 1 ..= 4096.
    pub mshrs: u32,
    /// Accesses that one of them can hold, the first one included, 1 ..= 256.
    pub merges: u32,
    /// Requests that wait to be sent to the next level, 2 ..= 256: a load can need two, for its data and for a dirty line that
    /// goes.
    pub miss_queue: u32,
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

/// A miss status holding register: who waits, whether for an atomic, and how many answers of the next level are to come.
#[derive(Clone, Debug)]
struct Mshr<T> {
    waiters: VecDeque<(T, bool)>,
    parts: u32,
}

/// The cache. `T` names whose an access is.
#[derive(Clone, Debug)]
pub struct Cache<T> {
    shape: CacheShape,
    lines: Lines,
    mshrs: FastMap<u64, Mshr<T>>,
    parts: u32,
    spare: Vec<VecDeque<(T, bool)>>,
    /// Requests that wait to be sent.
    miss_queue: VecDeque<Sent<T>>,
    /// Those whose data have come, in this order; each is taken until the last of its accesses has been.
    answered: VecDeque<u64>,
    /// Bytes that the last access has sent on of a dirty line that had to go.
    pub evicted_bytes: u32,
    /// Counts changes after which an access that was refused can be taken.
    state: u64,
    /// Counters.
    pub counts: CacheCounts,
}

/// That an access was refused, and the state of the cache in which it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal(u64);

impl<T: Copy> Cache<T> {
    /// An empty cache of that shape, with `ways` ways instead of the shape's. The next level answers a request for a whole
    /// line in `parts` (1 or 4).
    pub fn new(shape: &CacheShape, ways: u32, parts: u32) -> Self {
        Cache {
            lines: Lines::new(shape, ways),
            mshrs: FastMap::default(),
            parts: if shape.sectored { 1 } else { parts },
            spare: Vec::new(),
            miss_queue: VecDeque::new(),
            answered: VecDeque::new(),
            evicted_bytes: 0,
            state: 0,
            counts: CacheCounts::default(),
            shape: shape.clone(),
        }
    }

    /// Whether stores stay here, so that the next level does not acknowledge them.
    pub fn keeps_stores(&self) -> bool {
        self.shape.write == WritePolicy::Back
    }

    /// Whether an access whose data have come can be taken.
    pub fn has_ready(&self) -> bool {
        !self.answered.is_empty()
    }

    /// An access whose data have come, in the order of arrival.
    pub fn next_ready(&mut self) -> Option<T> {
        let &atom = self.answered.front()?;
        let mshr = self.mshrs.get_mut(&atom)?;
        let (origin, _) = mshr.waiters.pop_front()?;
        self.state += 1;
        if mshr.waiters.is_empty() {
            self.answered.pop_front();
            let mshr = self.mshrs.remove(&atom);
            self.spare.extend(mshr.map(|mshr| mshr.waiters));
        }
        Some(origin)
    }

    /// Miss registers that are taken.
    pub fn taken_mshrs(&self) -> usize {
        self.mshrs.len()
    }

    /// Whether requests wait to be sent.
    pub fn has_misses(&self) -> bool {
        !self.miss_queue.is_empty()
    }

    /// The next request to the next level.
    pub fn next_miss(&mut self) -> Option<Sent<T>> {
        let sent = self.miss_queue.pop_front()?;
        self.state += 1;
        Some(sent)
    }

    /// What to keep of an access that was refused just now.
    pub fn refusal(&self) -> Refusal {
        Refusal(self.state)
    }

    /// Tries an access that was refused once more, if nothing has changed since. Returns whether it is refused again.
    pub fn refuses_again(&mut self, refusal: Option<Refusal>) -> bool {
        let again = refusal == Some(self.refusal());
        self.counts.refusals += u64::from(again);
        again
    }
}
