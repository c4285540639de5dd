//! Execution units and write-back of their results.

use super::Sm;
use crate::gpu::decoded::{Decoded, Kind};
use crate::gpu::machine::GpuMachine;
use arrayvec::ArrayVec;

/// Cycles from a unit's last one to the register file.
const WRITE_BACK_CYCLES: u64 = 2;

#[derive(Clone, Debug)]
struct FunctionUnit {
    kind: Kind,
    /// With sub-cores: whose it is.
    scheduler: usize,
    free_at: u64,
    /// When results leave it; no two at once.
    ends: ArrayVec<u64, 64>,
}

/// All execution units of an SM but the one for loads and stores.
#[derive(Clone, Debug)]
pub struct FunctionUnits {
    units: Vec<FunctionUnit>,
    width: u8,
    /// Results that reach the register file in a cycle, by cycle.
    results: Vec<(u64, u8)>,
}

impl FunctionUnits {
    /// Those of a machine.
    pub fn new(machine: &GpuMachine) -> Self {
        let u = &machine.units;
        let all = [
            (Kind::Sp, u.sp),
            (Kind::Dp, u.dp),
            (Kind::Int, u.int),
            (Kind::Sfu, u.sfu),
            (Kind::Tensor, u.tensor),
            (Kind::Branch, u.branch),
            (Kind::Texture, u.texture),
            (Kind::Uniform, u.uniform),
        ];
        let units = (all.into_iter()).flat_map(|(kind, unit)| {
            (0..unit.count as usize).map(move |scheduler| FunctionUnit {
                kind,
                scheduler,
                free_at: 0,
                ends: ArrayVec::new(),
            })
        });
        FunctionUnits {
            units: units.collect(),
            width: u.writeback_width as u8,
            results: vec![(0, 0); 1024],
        }
    }

    /// Reserves the way to the register file at `cycle`.
    fn reserve(&mut self, cycle: u64) -> bool {
        let entry = &mut self.results[cycle as usize % 1024];
        if entry.0 != cycle {
            *entry = (cycle, 0);
        }
        let free = entry.1 < self.width;
        entry.1 += u8::from(free);
        free
    }
}

impl Sm {
    /// Results of the units reach the register file.
    pub(super) fn write_back(&mut self, program: &[Decoded]) -> bool {
        let mut any = false;
        while let Some(id) = self.wheel.pop() {
            let id = u32::from(id);
            let flight = self.flights[id as usize];
            let inst = &program[flight.inst as usize];
            for &reg in &inst.dsts {
                let bank = self
                    .collectors
                    .bank(reg, flight.warp, flight.scheduler, self.subcores);
                self.written_banks |= 1 << bank;
            }
            self.release(flight.warp.into(), inst);
            self.retire(id);
            self.free_flights.push(id);
            any = true;
        }
        any
    }

    /// Instructions with all operands enter their units.
    pub(super) fn execute(&mut self, program: &[Decoded]) -> bool {
        let mut any = false;
        if self.to_unit.iter().any(|latch| latch.used > 0) {
            for at in 0..self.units.units.len() {
                let unit = &self.units.units[at];
                let kind = unit.kind as usize;
                if self.to_unit[kind].used == 0 || unit.free_at > self.now {
                    continue;
                }
                let slot = match self.subcores {
                    true => Some(unit.scheduler),
                    false => self.to_unit[kind].oldest(&self.flights),
                };
                let Some(slot) = slot else { continue };
                let Some(id) = self.to_unit[kind].slots[slot] else {
                    continue;
                };
                let inst = &program[self.flights[id as usize].inst as usize];
                let end = self.now + u64::from(inst.latency);
                let unit = &mut self.units.units[at];
                let now = self.now;
                unit.ends.retain(|end| *end > now);
                if unit.ends.contains(&end) || unit.ends.is_full() || !self.units.reserve(end) {
                    continue;
                }
                let unit = &mut self.units.units[at];
                unit.ends.push(end);
                unit.free_at = self.now + u64::from(inst.interval);
                self.to_unit[kind].take(slot);
                self.wheel.schedule(end + WRITE_BACK_CYCLES, id as u16);
                any = true;
            }
        }
        any | self.load_store(program)
    }
}
