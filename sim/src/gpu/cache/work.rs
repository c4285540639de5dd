//! What an access and a fill do to lines, miss status holding registers and the miss queue.

use super::lines::{Evicted, Probe};
use super::{Access, Cache, LINE_BYTES, Mshr, Outcome, SECTOR_BYTES, Sent, WritePolicy};
use std::collections::hash_map::Entry;

impl<T: Copy> Cache<T> {
    /// What is fetched at once, and which entry waits for it.
    fn atom(&self, address: u64) -> u64 {
        address & !(self.atom_bytes() - 1)
    }

    fn atom_bytes(&self) -> u64 {
        if self.shape.sectored {
            SECTOR_BYTES
        } else {
            LINE_BYTES
        }
    }

    /// Hands a dirty line that had to go to the next level.
    fn write_back(&mut self, evicted: Option<Evicted>) {
        if let Some(evicted) = evicted
            && self.shape.write == WritePolicy::Back
        {
            self.evicted_bytes = evicted.bytes;
            self.miss_queue.push_back(Sent {
                address: evicted.block,
                bytes: evicted.bytes,
                write: true,
                byte_mask: evicted.written,
                origin: None,
            });
        }
    }

    fn room(&self, more: u32) -> bool {
        self.miss_queue.len() as u32 + more < self.shape.miss_queue
    }

    /// An access at cycle `now`. `place` is the address that chooses the set: in a slice of the second level, without the bits
    /// that chose the slice.
    pub fn access(&mut self, access: Access<T>, place: u64, now: u64) -> Outcome {
        self.evicted_bytes = 0;
        let probe = self.lines.probe(access.address, access.write);
        let outcome = match (access.write, self.shape.write) {
            (false, _) => self.load(access, probe, place, now),
            (true, WritePolicy::ThroughEvict) => self.store_and_evict(access, probe),
            (true, _) => self.store(access, probe, place, now),
        };
        if outcome == Outcome::Refused {
            self.counts.refusals += 1;
            return outcome;
        }
        self.state += 1;
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
            self.lines.touch(at, now);
            if access.atomic {
                self.lines.modify(at, access.address);
            }
            return Outcome::Hit;
        }
        let on_fill = self.shape.write == WritePolicy::ReadOnly;
        // A dirty line that goes takes a place, too.
        if !self.room(u32::from(!on_fill)) {
            return Outcome::Refused;
        }
        let atom = self.atom(access.address);
        let waiter = (access.origin, access.atomic);
        let all_taken = self.mshrs.len() as u32 >= self.shape.mshrs;
        // A line for the data, and the dirty one that had to go for it.
        let mut take_line = || match on_fill {
            true => Some(None),
            false => {
                (self.lines.allocate(probe, access.address, place, now)).map(|(_, evicted)| evicted)
            }
        };
        let evicted = match self.mshrs.entry(atom) {
            Entry::Occupied(mut entry) => {
                let waiters = &mut entry.get_mut().waiters;
                if waiters.len() as u32 >= self.shape.merges {
                    return Outcome::Refused;
                }
                let Some(evicted) = take_line() else {
                    return Outcome::Refused;
                };
                waiters.push_back(waiter);
                evicted
            }
            Entry::Vacant(_) if all_taken => return Outcome::Refused,
            Entry::Vacant(entry) => {
                let Some(evicted) = take_line() else {
                    return Outcome::Refused;
                };
                let mut waiters = self.spare.pop().unwrap_or_default();
                waiters.push_back(waiter);
                let parts = self.parts;
                entry.insert(Mshr { waiters, parts });
                self.miss_queue.push_back(Sent {
                    address: atom,
                    bytes: self.atom_bytes() as u32,
                    write: false,
                    byte_mask: 0,
                    origin: Some(access.origin),
                });
                evicted
            }
        };
        // What is asked for goes first.
        self.write_back(evicted);
        match probe {
            Probe::Reserved(_) => Outcome::Pending,
            _ => Outcome::Miss,
        }
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
            self.lines.drop_line(at);
        }
        Outcome::Miss
    }

    fn store(&mut self, access: Access<T>, probe: Probe, place: u64, now: u64) -> Outcome {
        let through = self.shape.write == WritePolicy::ThroughAllocate;
        let hit = matches!(probe, Probe::Hit(_));
        if !self.room(0) && (through || !hit) {
            return Outcome::Refused;
        }
        let Some((at, evicted)) = self.lines.allocate(probe, access.address, place, now) else {
            return Outcome::Refused;
        };
        self.write_back(evicted);
        if through {
            self.hand_on(access);
        }
        self.lines
            .write(at, access.address, access.byte_mask, probe);
        if hit { Outcome::Hit } else { Outcome::Miss }
    }

    /// The data of a load have come at cycle `now`; its waiters can be taken with [`Cache::next_ready`].
    pub fn fill(&mut self, address: u64, now: u64) {
        let atom = self.atom(address);
        let Some(mshr) = self.mshrs.get_mut(&atom) else {
            return;
        };
        mshr.parts -= 1;
        if mshr.parts > 0 {
            return;
        }
        self.state += 1;
        let atomic = mshr.waiters.iter().any(|&(_, atomic)| atomic);
        if self.shape.write == WritePolicy::ReadOnly {
            // Nothing is on its way to any line, so one of them can go.
            self.lines.allocate(Probe::Miss, address, address, now);
        }
        self.lines.fill(address, atomic);
        self.answered.push_back(atom);
    }
}
