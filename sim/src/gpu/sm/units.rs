//! Execution units and write-back of their results.

use super::Sm;
use crate::gpu::decoded::{Decoded, KINDS, Kind};
use crate::gpu::machine::GpuMachine;
use arrayvec::ArrayVec;

/// Cycles from a unit's last one to the register file.
const WRITE_BACK_CYCLES: u64 = 2;
/// Cycles that a result is known ahead; above the largest latency.
const AHEAD: usize = 512;

#[derive(Clone, Debug, Default)]
struct FunctionUnit {
    free_at: u64,
    /// When results leave it; no two at once.
    ends: ArrayVec<u64, 64>,
    /// The last of them.
    latest: u64,
}

impl FunctionUnit {
    /// Whether a result can leave at `end`.
    fn can_end(&mut self, end: u64, now: u64) -> bool {
        if end > self.latest && !self.ends.is_full() {
            return true;
        }
        self.ends.retain(|end| *end > now);
        !self.ends.contains(&end) && !self.ends.is_full()
    }
}

/// Units of one kind; with sub-cores, the n-th is that of scheduler n.
#[derive(Clone, Debug)]
struct Class {
    kind: Kind,
    units: Vec<FunctionUnit>,
}

/// All execution units of an SM but the one for loads and stores.
#[derive(Clone, Debug)]
pub struct FunctionUnits {
    classes: Vec<Class>,
    /// By kind: the bit of its class; of loads and stores none.
    class_of: [u8; KINDS],
    width: u8,
    /// When an instruction that waits for its unit can try again, as of the cycle simulated last.
    pub retry_at: u64,
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
        let classes = all.into_iter().map(|(kind, unit)| Class {
            kind,
            units: vec![FunctionUnit::default(); unit.count as usize],
        });
        let mut class_of = [0; KINDS];
        for (class, (kind, _)) in all.into_iter().enumerate() {
            class_of[kind as usize] = 1 << class;
        }
        FunctionUnits {
            classes: classes.collect(),
            class_of,
            width: u.writeback_width as u8,
            retry_at: u64::MAX,
            results: vec![(0, 0); AHEAD],
        }
    }

    /// Reserves the way to the register file at `cycle`.
    fn reserve(&mut self, cycle: u64) -> bool {
        let entry = &mut self.results[cycle as usize % AHEAD];
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
                let bank = (self.collectors).bank(reg, flight.warp, flight.scheduler);
                self.written_banks |= 1 << bank;
            }
            self.release(flight.warp.into(), inst);
            self.unmark(flight.warp.into(), inst);
            self.retire(id);
            self.free_flight(id);
            any = true;
        }
        any
    }

    /// Instructions with all operands enter their units.
    pub(super) fn execute(&mut self, program: &[Decoded]) -> bool {
        let mut any = false;
        self.units.retry_at = u64::MAX;
        let mut kinds = self.to_unit.used();
        let mut classes = 0u8;
        while kinds != 0 {
            classes |= self.units.class_of[kinds.trailing_zeros() as usize];
            kinds &= kinds - 1;
        }
        while classes != 0 {
            let class = classes.trailing_zeros() as usize;
            classes &= classes - 1;
            any |= self.start(class, self.units.classes[class].kind as usize, program);
        }
        any | self.load_store(program)
    }

    fn start(&mut self, class: usize, kind: usize, program: &[Decoded]) -> bool {
        let mut any = false;
        for nth in 0..self.units.classes[class].units.len() {
            let latch = self.to_unit.of(kind);
            if latch.is_empty() {
                break;
            }
            let unit = &mut self.units.classes[class].units[nth];
            if unit.free_at > self.now {
                if !self.subcores || latch.get(nth).is_some() {
                    self.units.retry_at = self.units.retry_at.min(unit.free_at);
                }
                continue;
            }
            let slot = match self.subcores {
                true => Some(nth),
                false => latch.oldest(),
            };
            let Some((slot, id)) = slot.and_then(|slot| Some((slot, latch.get(slot)?))) else {
                continue;
            };
            let inst = &program[self.flights[id as usize].inst as usize];
            let end = self.now + u64::from(inst.latency);
            if !unit.can_end(end, self.now) || !self.units.reserve(end) {
                self.units.retry_at = self.now + 1;
                continue;
            }
            let unit = &mut self.units.classes[class].units[nth];
            unit.ends.push(end);
            unit.latest = unit.latest.max(end);
            unit.free_at = self.now + u64::from(inst.interval);
            self.to_unit.take(kind, slot);
            self.collectors.can_leave = true;
            self.wheel.schedule(end + WRITE_BACK_CYCLES, id as u16);
            self.tell_started(id, Some(end));
            any = true;
        }
        any
    }
}
