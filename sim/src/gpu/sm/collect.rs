//! Operand collection: an instruction takes a collector unit, which asks the register banks for each source.

use super::Sm;
use crate::gpu::decoded::{Decoded, KINDS, Kind};
use crate::gpu::machine::{GpuMachine, Pool};
use std::collections::VecDeque;

/// A collector unit.
#[derive(Clone, Copy, Debug, Default)]
struct Collector {
    flight: Option<u32>,
    kind: u8,
    scheduler: u8,
    missing: u8,
}

/// Units of one kind, and where instructions enter and leave them.
#[derive(Clone, Debug)]
struct Set {
    first: usize,
    size: usize,
}

/// A way in: from which latches, into which sets.
#[derive(Clone, Debug)]
struct Port {
    kinds: Vec<usize>,
    sets: Vec<usize>,
}

/// All collector units of an SM, and the queues of the register banks.
#[derive(Clone, Debug)]
pub struct Collectors {
    units: Vec<Collector>,
    sets: Vec<Set>,
    ports: Vec<Port>,
    /// Ways out: the set, and the unit that left last.
    exits: Vec<(usize, usize)>,
    banks: Vec<VecDeque<u8>>,
    waiting_banks: u32,
    banks_per_scheduler: usize,
    schedulers: usize,
    taken: usize,
    complete: usize,
    pub read_steps: u32,
}

impl Collectors {
    /// Those of a machine.
    pub fn new(machine: &GpuMachine) -> Self {
        let shape = &machine.collectors;
        let schedulers = machine.issue.schedulers as usize;
        let mut collectors = Collectors {
            units: Vec::new(),
            sets: Vec::new(),
            ports: Vec::new(),
            exits: Vec::new(),
            banks: vec![VecDeque::new(); shape.banks as usize],
            waiting_banks: 0,
            banks_per_scheduler: match machine.issue.subcores {
                true => shape.banks as usize / schedulers,
                false => shape.banks as usize,
            },
            schedulers,
            taken: 0,
            complete: 0,
            read_steps: shape.read_steps,
        };
        collectors.add(shape.generic, (0..KINDS).collect(), None);
        collectors.add(shape.sp, vec![Kind::Sp as usize], Some(0));
        collectors.add(shape.sfu, vec![Kind::Sfu as usize], Some(0));
        collectors.add(shape.mem, vec![Kind::Mem as usize], Some(0));
        collectors
    }

    fn add(&mut self, pool: Pool, kinds: Vec<usize>, also: Option<usize>) {
        if pool.units == 0 {
            return;
        }
        let set = self.sets.len();
        self.sets.push(Set {
            first: self.units.len(),
            size: pool.units as usize,
        });
        self.units.extend(std::iter::repeat_n(
            Collector::default(),
            pool.units as usize,
        ));
        for _ in 0..pool.ports {
            let sets = std::iter::once(set)
                .chain(also.filter(|&also| also != set))
                .collect();
            self.ports.push(Port {
                kinds: kinds.clone(),
                sets,
            });
            self.exits.push((set, 0));
        }
    }

    /// Whether instructions are in collector units.
    pub fn is_busy(&self) -> bool {
        self.taken > 0
    }

    /// Bank of a register: numbered from one, as the trace's zero stands for none.
    pub fn bank(&self, reg: u8, warp: u8, scheduler: u8, subcores: bool) -> usize {
        let number = usize::from(reg) + 1 + usize::from(warp);
        let within = number % self.banks_per_scheduler;
        match subcores {
            true => within + usize::from(scheduler) * self.banks_per_scheduler,
            false => within,
        }
    }
}

impl Sm {
    /// A step: complete instructions leave, banks serve a read each, instructions enter.
    pub(super) fn collect(&mut self, program: &[Decoded]) -> bool {
        let mut active = false;
        if self.collectors.complete > 0 {
            active |= self.leave_collectors();
        }
        if self.collectors.waiting_banks != 0 {
            active |= self.read_banks();
        }
        if self.to_collector.iter().any(|latch| latch.used > 0) {
            active |= self.enter_collectors(program);
        }
        self.written_banks = 0;
        active
    }

    fn leave_collectors(&mut self) -> bool {
        let mut any = false;
        for exit in 0..self.collectors.exits.len() {
            if self.collectors.complete == 0 {
                break;
            }
            let (set, last) = self.collectors.exits[exit];
            let Set { first, size } = self.collectors.sets[set];
            // With sub-cores the turn passes to the next one.
            let start = match self.subcores {
                true => {
                    let each = (size / self.collectors.schedulers).max(1);
                    last + each - last % each
                }
                false => last + 1,
            };
            for step in 0..size {
                let nth = (start + step) % size;
                let unit = self.collectors.units[first + nth];
                let Some(flight) = unit.flight else { continue };
                if unit.missing > 0 {
                    continue;
                }
                let latch = &mut self.to_unit[usize::from(unit.kind)];
                let Some(slot) = latch.free(self.subcores, unit.scheduler.into()) else {
                    continue;
                };
                latch.put(slot, flight);
                self.collectors.units[first + nth].flight = None;
                self.collectors.exits[exit].1 = nth;
                self.collectors.taken -= 1;
                self.collectors.complete -= 1;
                any = true;
                break;
            }
        }
        any
    }

    fn read_banks(&mut self) -> bool {
        let mut waiting = self.collectors.waiting_banks & !self.written_banks;
        let any = waiting != 0;
        while waiting != 0 {
            let bank = waiting.trailing_zeros() as usize;
            waiting &= waiting - 1;
            let queue = &mut self.collectors.banks[bank];
            if let Some(unit) = queue.pop_front() {
                let unit = &mut self.collectors.units[usize::from(unit)];
                unit.missing -= 1;
                self.collectors.complete += usize::from(unit.missing == 0);
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
        let ports = std::mem::take(&mut self.collectors.ports);
        for port in &ports {
            for &kind in &port.kinds {
                if self.to_collector[kind].used == 0 {
                    continue;
                }
                let Some(slot) = self.to_collector[kind].oldest(&self.flights) else {
                    continue;
                };
                let Some(id) = self.to_collector[kind].slots[slot] else {
                    continue;
                };
                let scheduler = self.flights[id as usize].scheduler;
                let free = port.sets.iter().find_map(|&set| {
                    let Set { first, size } = self.collectors.sets[set];
                    let range = match self.subcores {
                        true => {
                            let each = size / self.collectors.schedulers;
                            let from = first + usize::from(scheduler) * each;
                            from..from + each
                        }
                        false => first..first + size,
                    };
                    range
                        .into_iter()
                        .find(|&unit| self.collectors.units[unit].flight.is_none())
                });
                let Some(unit) = free else { continue };
                self.to_collector[kind].take(slot);
                self.enter(unit, kind, id, program);
                any = true;
            }
        }
        self.collectors.ports = ports;
        any
    }

    fn enter(&mut self, unit: usize, kind: usize, id: u32, program: &[Decoded]) {
        let flight = self.flights[id as usize];
        let inst = &program[flight.inst as usize];
        self.collectors.units[unit] = Collector {
            flight: Some(id),
            kind: kind as u8,
            scheduler: flight.scheduler,
            missing: inst.srcs.len() as u8,
        };
        self.collectors.taken += 1;
        self.collectors.complete += usize::from(inst.srcs.is_empty());
        for &reg in &inst.srcs {
            let bank = self
                .collectors
                .bank(reg, flight.warp, flight.scheduler, self.subcores);
            self.collectors.banks[bank].push_back(unit as u8);
            self.collectors.waiting_banks |= 1 << bank;
        }
    }
}
