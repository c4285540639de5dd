//! The first-level data cache of one SM: tags, LRU, and miss status holding registers (MSHRs).
//!
//! Lines are allocated on a load miss and fetched whole. Stores write through and never allocate: a store to
//! global memory drops the line, one to local memory leaves it (nobody else can have changed it). Only tags are
//! kept; values live in the memory image.

use super::coalescer::LINE_BYTES;
use arrayvec::ArrayVec;

/// Most accesses that can wait for one line, whatever the machine says.
pub const MAX_MERGES: usize = 64;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Invalid,
    Valid,
    /// On its way; the MSHR that waits for it.
    Pending(u16),
}

#[derive(Clone, Copy, Debug, Default)]
struct Line {
    address: u64,
    state: State,
    last_use: u64,
}

/// Outcome of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// The line is here.
    Hit,
    /// The line is on its way; the waiter joined its MSHR.
    Merged,
    /// The line must be fetched; this MSHR waits for it.
    Miss(u16),
    /// No MSHR, no room in the line's MSHR, or every way of the set is on its way: try again later.
    Blocked,
}

/// The cache. `Waiter`s are the sender's numbers for whoever waits for a line.
#[derive(Clone, Debug)]
pub struct L1 {
    lines: Vec<Line>,
    ways: usize,
    sets: u64,
    merges: usize,
    waiters: Vec<ArrayVec<u16, MAX_MERGES>>,
    way_of_mshr: Vec<usize>,
    free_mshrs: Vec<u16>,
    clock: u64,
}

impl L1 {
    /// An empty cache of `sets` (a power of two) x `ways` lines with `mshrs` MSHRs of `merges` waiters each.
    pub fn new(sets: u16, ways: u16, mshrs: u16, merges: u8) -> Self {
        let ways = usize::from(ways);
        L1 {
            lines: vec![Line::default(); usize::from(sets) * ways],
            ways,
            sets: sets.into(),
            merges: usize::from(merges).min(MAX_MERGES),
            waiters: vec![ArrayVec::new(); usize::from(mshrs)],
            way_of_mshr: vec![0; usize::from(mshrs)],
            free_mshrs: (0..mshrs).rev().collect(),
            clock: 0,
        }
    }

    /// Folds the line number so that power-of-two strides spread over the sets. // assumed: Fermi hashes, how is not published
    fn set(&self, address: u64) -> std::ops::Range<usize> {
        let number = address / LINE_BYTES;
        let bits = self.sets.trailing_zeros();
        let folded = number ^ number >> bits ^ number >> (2 * bits);
        let first = (folded & (self.sets - 1)) as usize * self.ways;
        first..first + self.ways
    }

    fn find(&self, address: u64) -> Option<usize> {
        self.set(address)
            .find(|&at| self.lines[at].state != State::Invalid && self.lines[at].address == address)
    }

    /// Whether the line at `address` is here or on its way.
    pub fn holds(&self, address: u64) -> bool {
        self.find(address).is_some()
    }

    /// A load of the line at `address`, for `waiter`.
    pub fn load(&mut self, address: u64, waiter: u16) -> Load {
        self.clock += 1;
        if let Some(at) = self.find(address) {
            if let State::Pending(mshr) = self.lines[at].state {
                let waiters = &mut self.waiters[usize::from(mshr)];
                if waiters.len() == self.merges {
                    return Load::Blocked;
                }
                waiters.push(waiter);
                self.lines[at].last_use = self.clock;
                return Load::Merged;
            }
            self.lines[at].last_use = self.clock;
            return Load::Hit;
        }
        let victim = self
            .set(address)
            .filter(|&at| !matches!(self.lines[at].state, State::Pending(_)))
            .min_by_key(|&at| {
                (
                    self.lines[at].state == State::Valid,
                    self.lines[at].last_use,
                )
            });
        let Some(victim) = victim else {
            return Load::Blocked;
        };
        let Some(mshr) = self.free_mshrs.pop() else {
            return Load::Blocked;
        };
        self.lines[victim] = Line {
            address,
            state: State::Pending(mshr),
            last_use: self.clock,
        };
        self.way_of_mshr[usize::from(mshr)] = victim;
        self.waiters[usize::from(mshr)].push(waiter);
        Load::Miss(mshr)
    }

    /// The line of an MSHR has arrived; returns who waited for it.
    pub fn fill(&mut self, mshr: u16) -> ArrayVec<u16, MAX_MERGES> {
        let line = &mut self.lines[self.way_of_mshr[usize::from(mshr)]];
        if line.state == State::Pending(mshr) {
            line.state = State::Valid;
        }
        self.free_mshrs.push(mshr);
        std::mem::take(&mut self.waiters[usize::from(mshr)])
    }

    /// A store or atomic to the line at `address`; returns whether it was here. `drop_line` invalidates it. A line
    /// on its way stays: its waiters come before or after the store in the order of the load/store unit.
    pub fn store(&mut self, address: u64, drop_line: bool) -> bool {
        let Some(at) = self.find(address) else {
            return false;
        };
        if drop_line && self.lines[at].state == State::Valid {
            self.lines[at].state = State::Invalid;
        }
        true
    }

    /// Lines on their way.
    pub fn pending(&self) -> usize {
        self.waiters.len() - self.free_mshrs.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_misses_once_merges_while_it_travels_and_hits_afterwards() {
        let mut l1 = L1::new(32, 4, 64, 8);
        let Load::Miss(mshr) = l1.load(0x1000, 1) else {
            panic!("cold cache hits");
        };
        assert_eq!(l1.load(0x1000, 2), Load::Merged);
        assert_eq!(l1.fill(mshr).as_slice(), [1, 2]);
        assert_eq!(l1.load(0x1000, 3), Load::Hit);
        assert_eq!(l1.pending(), 0);
    }

    #[test]
    fn load_is_blocked_when_all_mshrs_are_taken() {
        let mut l1 = L1::new(32, 4, 1, 8);
        assert!(matches!(l1.load(0, 1), Load::Miss(0)));
        assert_eq!(l1.load(128, 1), Load::Blocked);
    }

    #[test]
    fn load_is_blocked_when_the_mshr_has_no_room_left() {
        let mut l1 = L1::new(32, 4, 4, 2);
        assert!(matches!(l1.load(0, 1), Load::Miss(_)));
        assert_eq!(l1.load(0, 2), Load::Merged);
        assert_eq!(l1.load(0, 3), Load::Blocked);
    }

    #[test]
    fn load_is_blocked_when_every_way_is_on_its_way() {
        let mut l1 = L1::new(1, 2, 8, 8);
        assert!(matches!(l1.load(0, 1), Load::Miss(_)));
        assert!(matches!(l1.load(128, 1), Load::Miss(_)));
        assert_eq!(l1.load(256, 1), Load::Blocked);
    }

    #[test]
    fn least_recently_used_line_goes_first() {
        let mut l1 = L1::new(1, 2, 8, 8);
        for address in [0, 128] {
            if let Load::Miss(mshr) = l1.load(address, 1) {
                l1.fill(mshr);
            }
        }
        assert_eq!(l1.load(0, 1), Load::Hit);
        if let Load::Miss(mshr) = l1.load(256, 1) {
            l1.fill(mshr);
        }
        assert_eq!(l1.load(0, 1), Load::Hit);
        assert!(matches!(l1.load(128, 1), Load::Miss(_)));
    }

    #[test]
    fn store_to_global_memory_drops_the_line_and_store_to_local_leaves_it() {
        let mut l1 = L1::new(32, 4, 8, 8);
        if let Load::Miss(mshr) = l1.load(0, 1) {
            l1.fill(mshr);
        }
        assert!(l1.store(0, false));
        assert_eq!(l1.load(0, 1), Load::Hit);
        assert!(l1.store(0, true));
        assert!(matches!(l1.load(0, 1), Load::Miss(_)));
        assert!(!l1.store(128, true), "stores do not allocate");
    }
}
