//! Operand collection: an instruction takes a collector unit, which asks the register banks for each source.
//!
//! Units are bits of masks, so that a step costs what moves in it and not how many units there are.

use super::Sm;
use crate::gpu::decoded::{Decoded, KINDS, Kind};
use crate::gpu::machine::{GpuMachine, Pool};
use arrayvec::ArrayVec;
use std::collections::VecDeque;

/// Collector units that an SM can have, of all pools together.
const UNITS: usize = 64;
/// The highest register, number, and warp slot.
const NUMBERS: usize = 256 + 64;

/// A collector unit.
#[derive(Clone, Copy, Debug, Default)]
struct Collector {
    flight: u32,
    kind: u8,
    scheduler: u8,
    missing: u8,
    /// Which unit of its pool is asked first after this one has left: the next one, or the first one of the next sub-core.
    turn: u8,
}

/// Units of one pool.
#[derive(Clone, Debug)]
struct Set {
    first: u32,
    size: usize,
    /// Bits of the units that instructions of each scheduler can take.
    of_scheduler: [u64; 4],
    /// Ways out: of each the unit that is asked first.
    exits: ArrayVec<u8, 32>,
}

/// The ways out of all pools, with the unit that each asks first.
pub type Exits = ArrayVec<ArrayVec<u8, 32>, 4>;

/// Ways in: from which kinds of latches (bits), into which sets, and how many of them.
#[derive(Clone, Debug)]
struct Ports {
    kinds: u16,
    sets: ArrayVec<usize, 2>,
    count: u32,
}

/// All collector units of an SM, and the queues of the register banks.
#[derive(Clone, Debug)]
pub struct Collectors {
    units: [Collector; UNITS],
    sets: Vec<Set>,
    ports: Vec<Ports>,
    banks: Vec<VecDeque<u8>>,
    waiting_banks: u32,
    /// Bank, within those of a scheduler, of a register number plus warp slot plus one.
    bank_of: Vec<u8>,
    /// With sub-cores: banks of each.
    banks_apart: usize,
    subcores: bool,
    /// Bits of units with an instruction, and of those with all operands.
    taken: u64,
    complete: u64,
    /// Something has changed since an instruction last found no way in, or out: only then is it worth another look.
    pub can_enter: bool,
    pub can_leave: bool,
    pub read_steps: u32,
}

impl Collectors {
    /// Those of a machine.
    pub fn new(machine: &GpuMachine) -> Self {
        let shape = &machine.collectors;
        let schedulers = machine.issue.schedulers as usize;
        let subcores = machine.issue.subcores;
        let banks = shape.banks as usize;
        let each = if subcores { banks / schedulers } else { banks };
        let mut collectors = Collectors {
            units: [Collector::default(); UNITS],
            sets: Vec::new(),
            ports: Vec::new(),
            banks: vec![VecDeque::new(); banks],
            waiting_banks: 0,
            bank_of: (0..NUMBERS).map(|number| (number % each) as u8).collect(),
            banks_apart: if subcores { each } else { 0 },
            subcores,
            taken: 0,
            complete: 0,
            can_enter: true,
            can_leave: true,
            read_steps: shape.read_steps,
        };
        let all = (1 << KINDS) - 1;
        collectors.add(shape.generic, schedulers, all, None);
        collectors.add(shape.sp, schedulers, 1 << Kind::Sp as usize, Some(0));
        collectors.add(shape.sfu, schedulers, 1 << Kind::Sfu as usize, Some(0));
        collectors.add(shape.mem, schedulers, 1 << Kind::Mem as usize, Some(0));
        collectors
    }

    fn add(&mut self, pool: Pool, schedulers: usize, kinds: u16, also: Option<usize>) {
        if pool.units == 0 {
            return;
        }
        let at = self.sets.len();
        let first: usize = self.sets.iter().map(|set| set.size).sum();
        let size = pool.units as usize;
        let ones = |count: usize| u64::MAX.checked_shr(64 - count as u32).unwrap_or(0);
        let each = size / schedulers;
        let each_or_one = each.max(1);
        for nth in 0..size {
            let next = match self.subcores {
                true => nth + each_or_one - nth % each_or_one,
                false => nth + 1,
            };
            self.units[first + nth].turn = (next % size) as u8;
        }
        let after = self.units[first].turn;
        self.sets.push(Set {
            first: first as u32,
            size,
            of_scheduler: std::array::from_fn(|scheduler| match self.subcores {
                true => ones(each) << (first + scheduler.min(schedulers - 1) * each),
                false => ones(size) << first,
            }),
            exits: (0..pool.ports).map(|_| after).collect(),
        });
        self.ports.push(Ports {
            kinds,
            sets: (std::iter::once(at).chain(also.filter(|&also| also != at))).collect(),
            count: pool.ports,
        });
    }

    /// Whom the ways out ask first.
    pub fn exits(&self) -> Exits {
        self.sets.iter().map(|set| set.exits.clone()).collect()
    }

    /// The ways out ask those first; none: as in the beginning.
    pub fn set_exits(&mut self, exits: Exits) {
        for (set, exits) in self.sets.iter_mut().zip(exits) {
            set.exits = exits;
        }
    }

    /// If every unit that an instruction of that kind and scheduler can enter is taken: bits of those that have all operands.
    pub fn complete_if_full(&self, kind: usize, scheduler: usize) -> u64 {
        let ports = (self.ports.iter()).filter(|ports| ports.kinds >> kind & 1 == 1);
        let sets = ports.flat_map(|ports| &ports.sets);
        let within = sets.fold(0, |units, &set| {
            units | self.sets[set].of_scheduler[scheduler]
        });
        match within & !self.taken {
            0 => within & self.complete,
            _ => 0,
        }
    }

    /// Bits of units with an instruction, and of those with all operands.
    pub fn occupied(&self) -> (u64, u64) {
        (self.taken, self.complete)
    }

    /// Instruction, kind and scheduler of a unit that is taken.
    pub fn held(&self, unit: usize) -> (u32, usize, usize) {
        let held = self.units[unit];
        (held.flight, held.kind.into(), held.scheduler.into())
    }

    /// Bank of a register: numbered from one, as the trace's zero stands for none.
    pub fn bank(&self, reg: u8, warp: u8, scheduler: u8) -> usize {
        let number = usize::from(reg) + 1 + usize::from(warp);
        usize::from(self.bank_of[number]) + usize::from(scheduler) * self.banks_apart
    }
}

impl Sm {
    /// A step: complete instructions leave, banks serve a read each, instructions enter.
    pub(super) fn collect(&mut self, program: &[Decoded]) -> bool {
        let mut active = false;
        if self.collectors.can_leave && self.collectors.complete != 0 {
            let left = self.leave_collectors();
            self.collectors.can_leave = left;
            self.collectors.can_enter |= left;
            active |= left;
        }
        if self.collectors.waiting_banks != 0 {
            active |= self.read_banks();
        }
        if self.collectors.can_enter && self.to_collector.used() != 0 {
            let entered = self.enter_collectors(program);
            self.collectors.can_enter = entered;
            self.can_issue |= entered;
            active |= entered;
        }
        self.written_banks = 0;
        active
    }

    fn leave_collectors(&mut self) -> bool {
        let mut any = false;
        for set in 0..self.collectors.sets.len() {
            let Set { first, size, .. } = self.collectors.sets[set];
            for exit in 0..self.collectors.sets[set].exits.len() {
                let ready = self.collectors.complete >> first & u64::MAX >> (64 - size);
                let behind = ready & u64::MAX << self.collectors.sets[set].exits[exit];
                let found = (self.first_to_leave(first, behind))
                    .or_else(|| self.first_to_leave(first, ready & !behind));
                // Where one way out finds nobody who can leave, those beside it do not, either.
                let Some((unit, slot)) = found else { break };
                let Collector {
                    flight, kind, turn, ..
                } = self.collectors.units[unit];
                let age = self.flights[flight as usize].number;
                self.to_unit.put(kind.into(), slot, flight, age);
                self.collectors.taken &= !(1 << unit);
                self.collectors.complete &= !(1 << unit);
                self.collectors.sets[set].exits[exit] = turn;
                any = true;
            }
        }
        any
    }

    /// Of the complete units in `ready`, numbered from `first`: the first one whose latch is free.
    fn first_to_leave(&self, first: u32, mut ready: u64) -> Option<(usize, usize)> {
        while ready != 0 {
            let unit = (first + ready.trailing_zeros()) as usize;
            ready &= ready - 1;
            let Collector {
                kind, scheduler, ..
            } = self.collectors.units[unit];
            let latch = self.to_unit.of(kind.into());
            if let Some(slot) = latch.free(self.subcores, scheduler.into()) {
                return Some((unit, slot));
            }
        }
        None
    }

    fn read_banks(&mut self) -> bool {
        let mut waiting = self.collectors.waiting_banks & !self.written_banks;
        let any = waiting != 0;
        while waiting != 0 {
            let bank = waiting.trailing_zeros() as usize;
            waiting &= waiting - 1;
            let queue = &mut self.collectors.banks[bank];
            if let Some(at) = queue.pop_front() {
                let unit = &mut self.collectors.units[usize::from(at)];
                unit.missing -= 1;
                if unit.missing == 0 {
                    self.collectors.complete |= 1 << at;
                    self.collectors.can_leave = true;
                }
            }
            if queue.is_empty() {
                self.collectors.waiting_banks &= !(1 << bank);
            }
        }
        // A bank that was written in this cycle serves its reads later.
        any || self.collectors.waiting_banks != 0
    }

    fn enter_collectors(&mut self, program: &[Decoded]) -> bool {
        let mut any = false;
        for at in 0..self.collectors.ports.len() {
            let Ports {
                kinds: mut open,
                count,
                ..
            } = self.collectors.ports[at];
            for _ in 0..count {
                open &= self.to_collector.used();
                if open == 0 {
                    break;
                }
                let mut kinds = open;
                while kinds != 0 {
                    let kind = kinds.trailing_zeros() as usize;
                    kinds &= kinds - 1;
                    match self.enter_from(at, kind, program) {
                        true => any = true,
                        // No unit gets free before the next step.
                        false => open &= !(1 << kind),
                    }
                }
            }
        }
        any
    }

    /// The oldest instruction of a kind enters a free unit, if there is one for it.
    fn enter_from(&mut self, ports: usize, kind: usize, program: &[Decoded]) -> bool {
        let latch = self.to_collector.of(kind);
        let Some(slot) = latch.oldest() else {
            return false;
        };
        let Some(id) = latch.get(slot) else {
            return false;
        };
        let scheduler = usize::from(self.flights[id as usize].scheduler);
        let free = !self.collectors.taken;
        let found = (self.collectors.ports[ports].sets.iter())
            .map(|&set| free & self.collectors.sets[set].of_scheduler[scheduler])
            .find(|&free| free != 0);
        let Some(free) = found else { return false };
        self.to_collector.take(kind, slot);
        self.enter(free.trailing_zeros() as usize, kind, id, program);
        true
    }

    fn enter(&mut self, unit: usize, kind: usize, id: u32, program: &[Decoded]) {
        let flight = &self.flights[id as usize];
        let inst = &program[flight.inst as usize];
        let collectors = &mut self.collectors;
        let taken = &mut collectors.units[unit];
        taken.flight = id;
        taken.kind = kind as u8;
        taken.scheduler = flight.scheduler;
        taken.missing = inst.srcs.len() as u8;
        collectors.taken |= 1 << unit;
        if inst.srcs.is_empty() {
            collectors.complete |= 1 << unit;
            collectors.can_leave = true;
        }
        for &reg in &inst.srcs {
            let bank = collectors.bank(reg, flight.warp, flight.scheduler);
            collectors.banks[bank].push_back(unit as u8);
            collectors.waiting_banks |= 1 << bank;
        }
    }
}
