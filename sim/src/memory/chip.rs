//! The memory of a whole chip, as one of its SMs sees it.

use super::local::LOCAL_BASE;
use super::system::{MemorySystem, Request, RequestKind};
use crate::gpu::chip::{Asked, ChipMemory};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Local memory of an SM lies so far behind that of the one before.
const LOCAL_BITS: u32 = 40;

/// What SMs of one launch share.
pub type SharedChip = Arc<Mutex<ChipMemory>>;

/// The chip, which no panic leaves half changed.
pub fn lock(chip: &SharedChip) -> MutexGuard<'_, ChipMemory> {
    chip.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The way of an SM to the memory that it shares with the others.
pub struct ChipPort {
    chip: SharedChip,
    sm: usize,
    /// By number of a request: its token, and the answers that are still to come; a request is answered with the last of them.
    waiting: Vec<(u32, u32)>,
    free: Vec<u32>,
}

impl ChipPort {
    /// That of SM `sm`.
    pub fn new(chip: SharedChip, sm: usize) -> Self {
        ChipPort {
            chip,
            sm,
            waiting: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl MemorySystem for ChipPort {
    fn accepts_from(&self, cycle: u64) -> u64 {
        match lock(&self.chip).has_room(self.sm) {
            true => cycle,
            false => cycle + 1,
        }
    }

    fn send(&mut self, cycle: u64, request: Request) {
        let asked = match request.kind {
            RequestKind::Read => Asked::Line,
            RequestKind::Write => Asked::Write(request.sectors),
            RequestKind::Atomic => Asked::Atomic(request.sectors),
        };
        let address = match request.address >= LOCAL_BASE {
            true => request.address + ((self.sm as u64) << LOCAL_BITS),
            false => request.address,
        };
        let id = self.free.pop().unwrap_or_else(|| {
            self.waiting.push((0, 0));
            (self.waiting.len() - 1) as u32
        });
        let answers = lock(&self.chip).send(self.sm, cycle, address, asked, id);
        self.waiting[id as usize] = (request.token, answers);
    }

    fn receive(&mut self, cycle: u64) -> Option<u32> {
        let mut chip = lock(&self.chip);
        while let Some(id) = chip.receive(self.sm, cycle) {
            let (token, answers) = &mut self.waiting[id as usize];
            *answers -= 1;
            if *answers == 0 {
                self.free.push(id);
                return Some(*token);
            }
        }
        None
    }

    fn next_arrival(&self) -> Option<u64> {
        let waits = self.in_flight() > 0;
        waits.then(|| lock(&self.chip).next_arrival(self.sm))
    }

    fn in_flight(&self) -> usize {
        self.waiting.len() - self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::GpuMachine;

    /// Reads a line on each of two SMs, one after the other; how many of its four sectors miss in the second level in all.
    fn misses(address: u64) -> u64 {
        let machine = GpuMachine::preset("gtx480").expect("a preset");
        let chip = Arc::new(Mutex::new(ChipMemory::new(&machine)));
        for sm in 0..2 {
            let mut port = ChipPort::new(chip.clone(), sm);
            let begin = 10_000 * sm as u64;
            port.send(
                begin,
                Request {
                    kind: RequestKind::Read,
                    address,
                    bytes: 128,
                    sectors: 1,
                    token: 7,
                },
            );
            assert_eq!(port.in_flight(), 1);
            let answers: Vec<u32> = (begin..begin + 5000)
                .filter_map(|cycle| port.receive(cycle))
                .collect();
            // One answer, with the last sector.
            assert_eq!((answers, port.in_flight()), (vec![7], 0));
            assert_eq!(port.next_arrival(), None);
        }
        lock(&chip).counts().l2.misses
    }

    #[test]
    fn global_memory_is_common_and_local_memory_of_each_sm_lies_apart() {
        assert_eq!(misses(0x1000), 4);
        assert_eq!(misses(LOCAL_BASE + 0x1000), 8);
    }
}
