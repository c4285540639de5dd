//! Registers of the pipeline: instructions on the way to the collectors, and from there to the units, by kind.

use crate::gpu::decoded::KINDS;

/// Registers of one kind of unit.
#[derive(Clone, Copy, Debug)]
pub struct Latch {
    flights: [u32; 8],
    /// Order of issue of each.
    ages: [u64; 8],
    width: u8,
    /// Bits of registers that hold something, and how many.
    taken: u8,
    used: u8,
}

impl Latch {
    /// A free register: with sub-cores, that of the scheduler.
    pub fn free(&self, subcores: bool, scheduler: usize) -> Option<usize> {
        if self.used == self.width {
            return None;
        }
        match subcores {
            true => (self.taken >> scheduler & 1 == 0).then_some(scheduler),
            false => Some(self.taken.trailing_ones() as usize),
        }
    }

    /// The instruction in a register.
    pub fn get(&self, slot: usize) -> Option<u32> {
        (self.taken >> slot & 1 == 1).then(|| self.flights[slot])
    }

    /// The register with the instruction that issued first.
    pub fn oldest(&self) -> Option<usize> {
        let mut left = self.taken;
        let mut oldest = None;
        let mut age = u64::MAX;
        while left != 0 {
            let slot = left.trailing_zeros() as usize;
            left &= left - 1;
            if self.ages[slot] < age {
                (age, oldest) = (self.ages[slot], Some(slot));
            }
        }
        oldest
    }

    /// Whether it holds nothing.
    pub fn is_empty(&self) -> bool {
        self.taken == 0
    }
}

/// The registers of all kinds.
#[derive(Clone, Debug)]
pub struct Latches {
    latches: [Latch; KINDS],
    /// Bits of kinds that hold something.
    used: u16,
}

impl Latches {
    /// Empty ones of those widths.
    pub fn new(widths: [u32; KINDS]) -> Self {
        Latches {
            latches: widths.map(|width| Latch {
                flights: [0; 8],
                ages: [0; 8],
                width: width as u8,
                taken: 0,
                used: 0,
            }),
            used: 0,
        }
    }

    /// Bits of kinds that hold something.
    pub fn used(&self) -> u16 {
        self.used
    }

    /// The registers of a kind.
    pub fn of(&self, kind: usize) -> &Latch {
        &self.latches[kind]
    }

    /// Puts an instruction, by order of issue `age`, into a free register.
    pub fn put(&mut self, kind: usize, slot: usize, flight: u32, age: u64) {
        let latch = &mut self.latches[kind];
        latch.flights[slot] = flight;
        latch.ages[slot] = age;
        latch.taken |= 1 << slot;
        latch.used += 1;
        self.used |= 1 << kind;
    }

    /// Takes an instruction out.
    pub fn take(&mut self, kind: usize, slot: usize) -> Option<u32> {
        let latch = &mut self.latches[kind];
        let flight = latch.get(slot);
        latch.taken &= !(1 << slot);
        latch.used -= u8::from(flight.is_some());
        if latch.taken == 0 {
            self.used &= !(1 << kind);
        }
        flight
    }
}
