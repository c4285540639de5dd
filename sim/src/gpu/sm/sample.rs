//! The signals of an SM, cycle by cycle, for waveforms.

use super::Sm;
use crate::gpu::decoded::Decoded;
use crate::observe::probe::{ProbeError, Radix, SharedProbe, SignalDef};
use crate::trace::record::StaticInst;
use std::sync::PoisonError;

/// Schedulers that an SM can have.
const SCHEDULERS: usize = 4;

/// What the stages did in the present cycle.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Bits of warp slots that were fetched for, and whose instructions were decoded.
    pub fetched: u64,
    /// See above.
    pub decoded: u64,
    /// By scheduler, the instruction in flight.
    pub issued: [Option<u32>; SCHEDULERS],
    /// Instructions that entered their units.
    pub started: u64,
}

/// Shows the values of the signals to a probe, for each cycle.
#[derive(Clone)]
pub struct Sampler {
    probe: SharedProbe,
    start: u64,
    /// The next cycle to be shown, from the start of the kernel on.
    next: u64,
    values: Vec<u64>,
    /// Whether the signal is of what happens in one cycle, and 0 in cycles that are passed over.
    moments: Vec<bool>,
    /// Source lines of the instructions.
    lines: Vec<u32>,
    failed: Option<ProbeError>,
}

/// A signal, and whether it is of what happens in one cycle.
pub struct Signal {
    def: SignalDef,
    moment: bool,
}

impl Sampler {
    /// Begins.
    pub fn begin(probe: SharedProbe, signals: Vec<Signal>, start: u64) -> Result<Self, ProbeError> {
        let moments: Vec<bool> = signals.iter().map(|signal| signal.moment).collect();
        let defs: Vec<SignalDef> = signals.into_iter().map(|signal| signal.def).collect();
        probe
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .begin(&defs, &[])?;
        Ok(Sampler {
            probe,
            start,
            next: 0,
            values: vec![0; moments.len()],
            moments,
            lines: Vec::new(),
            failed: None,
        })
    }

    /// The trace has brought these instructions.
    pub fn more(&mut self, insts: &[StaticInst]) {
        let lines = insts.iter().map(|inst| inst.line.unwrap_or(0));
        self.lines.extend(lines);
    }

    /// Shows the cycles before `cycle` that were not simulated, as nothing in them could change.
    fn pass_over(&mut self, cycle: u64) {
        if self.next < cycle {
            for (value, moment) in self.values.iter_mut().zip(&self.moments) {
                *value *= u64::from(!moment);
            }
        }
        while self.next < cycle {
            self.values[0] = self.next;
            self.show();
        }
    }

    fn show(&mut self) {
        let mut probe = self.probe.lock().unwrap_or_else(PoisonError::into_inner);
        if self.failed.is_none() && probe.wants(self.next) {
            self.failed = probe.cycle(self.next, &self.values, &[]).err();
        }
        self.next += 1;
    }

    /// The run is over after so many cycles.
    ///
    /// # Errors
    /// The probe could not record.
    pub fn end(&mut self, cycles: u64) -> Result<(), ProbeError> {
        self.pass_over(cycles);
        let mut probe = self.probe.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = probe.end(cycles);
        self.failed.take().map_or(ended, Err)
    }
}

impl Sm {
    /// All signals, in the order of their values.
    pub(super) fn signals(&self) -> Vec<Signal> {
        let mut signals = Vec::new();
        let mut add = |scope: &str, name: &str, width_bits, radix, moment| {
            signals.push(Signal {
                def: SignalDef {
                    scope: scope.to_owned(),
                    name: name.to_owned(),
                    width_bits,
                    radix,
                },
                moment,
            });
        };
        let slots = self.warps.len() as u32;
        add("sm", "cycle", 64, Radix::Decimal, true);
        add("sm.fetch", "warps", slots, Radix::Hexadecimal, true);
        add("sm.fetch", "missing", slots, Radix::Hexadecimal, false);
        add("sm.decode", "warps", slots, Radix::Hexadecimal, true);
        for scheduler in 0..self.schedulers.len() {
            let scope = format!("sm.scheduler{scheduler}");
            add(&scope, "valid", 1, Radix::Bit, true);
            add(&scope, "warp", 6, Radix::Decimal, true);
            add(&scope, "pc", 32, Radix::Hexadecimal, true);
            add(&scope, "line", 32, Radix::Decimal, true);
            add(&scope, "lanes", 32, Radix::Hexadecimal, true);
        }
        add("sm.collector", "taken", 64, Radix::Hexadecimal, false);
        add("sm.collector", "complete", 64, Radix::Hexadecimal, false);
        add("sm.execute", "started", 4, Radix::Decimal, true);
        for name in ["busy", "refused"] {
            add("sm.load_store", name, 1, Radix::Bit, false);
        }
        add("sm.load_store", "left", 8, Radix::Decimal, false);
        add("sm.load_store", "mshrs", 16, Radix::Decimal, false);
        add("sm.memory", "requests", 8, Radix::Decimal, true);
        add("sm.memory", "answers", 8, Radix::Decimal, false);
        let masks = ["resident", "buffered", "hazard", "waiting", "at_barrier"];
        for name in masks {
            add("sm.warps", name, slots, Radix::Hexadecimal, false);
        }
        for slot in 0..slots {
            let scope = format!("sm.warps.warp{slot:02}");
            add(&scope, "valid", 1, Radix::Bit, false);
            add(&scope, "pc", 32, Radix::Hexadecimal, false);
        }
        signals
    }

    /// Shows the values of all signals at the end of the cycle.
    pub(super) fn sample(&self, sampler: &mut Sampler, seen: &Seen, program: &[Decoded]) {
        sampler.pass_over(self.now - sampler.start);
        let lines = std::mem::take(&mut sampler.lines);
        let values = &mut sampler.values;
        values.clear();
        values.push(sampler.next);
        values.push(seen.fetched);
        values.push(self.front.missing);
        values.push(seen.decoded);
        for flight in &seen.issued[..self.schedulers.len()] {
            let flight = flight.map(|flight| self.flights[flight as usize]);
            let inst = flight.map(|flight| flight.inst as usize);
            values.extend([
                flight.is_some().into(),
                flight.map_or(0, |flight| flight.warp.into()),
                inst.map_or(0, |inst| program[inst].pc),
                inst.map_or(0, |inst| lines[inst].into()),
                flight.map_or(0, |flight| flight.mask.into()),
            ]);
        }
        let (taken, complete) = self.collectors.occupied();
        values.extend([taken, complete, seen.started]);
        let ldst = &self.ldst;
        values.extend([
            ldst.is_busy().into(),
            ldst.is_refused().into(),
            ldst.accesses_left(),
            ldst.misses_on_their_way(),
            self.outbox.len() as u64,
            self.port.len() as u64,
        ]);
        let mut at_barrier = 0;
        let next_pc = |slot: usize| {
            let warp = &self.warps[slot];
            let next = warp.trace.insts.get(warp.issued as usize);
            next.map_or(0, |executed| program[executed.inst as usize].pc)
        };
        for (slot, warp) in self.warps.iter().enumerate() {
            at_barrier |= u64::from(warp.at_barrier) << slot;
        }
        values.extend([
            self.resident,
            self.buffered & self.resident,
            self.hazard & self.buffered & self.resident,
            self.waiting & self.resident,
            at_barrier & self.resident,
        ]);
        for slot in 0..self.warps.len() {
            let here = self.resident >> slot & 1;
            values.extend([here, if here == 1 { next_pc(slot) } else { 0 }]);
        }
        sampler.lines = lines;
        sampler.show();
    }
}
