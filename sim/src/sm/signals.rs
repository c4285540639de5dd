//! The signals of the pipeline that a probe sees.

use crate::observe::probe::{Radix, SharedProbe, SignalDef, UnitRow};
use crate::observe::watch::Listing;
use crate::sm::Sm;
use crate::sm::error::{RunError, Step};
use crate::sm::scheduler::ones;
use regshare_hw::manager::{MAX_SCHEDULERS, PinSink};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the stages did in the present cycle.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub fetched: u64,
    pub decoded: u64,
    /// Warp slot and program counter, by scheduler.
    pub issued: [Option<(usize, u32)>; MAX_SCHEDULERS],
    pub read_banks: u32,
    pub written_banks: u32,
    pub started: u32,
}

impl Seen {
    /// Whether a scheduler has issued.
    pub fn any_issued(&self) -> bool {
        self.issued.iter().any(Option::is_some)
    }
}

/// Rows of the units of the register hardware, on their way to the probe.
pub type Rows = Arc<Mutex<Vec<UnitRow>>>;

/// Collects the rows of a cycle.
pub struct RowSink(pub Rows);

impl PinSink for RowSink {
    fn row(&mut self, unit: usize, inputs: &[u64], outputs: &[u64], edge: bool) {
        lock(&self.0).push(UnitRow {
            unit,
            inputs: inputs.to_vec(),
            outputs: outputs.to_vec(),
            edge,
        });
    }
}

/// A panic elsewhere does not make the data worse.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The probe of a run.
pub struct Watch {
    pub probe: SharedProbe,
    pub rows: Rows,
    pub values: Vec<u64>,
}

impl Sm<'_> {
    /// All signals, in the order of their values.
    pub(super) fn signals(&self) -> Vec<SignalDef> {
        let mut signals = Vec::new();
        let mut add = |scope: &str, name: &str, width_bits, radix| {
            signals.push(SignalDef {
                scope: scope.to_owned(),
                name: name.to_owned(),
                width_bits,
                radix,
            });
        };
        let slots = self.warps.pc.len() as u32;
        let banks = self.collectors.banks.len() as u32;
        add("sm", "cycle", 64, Radix::Decimal);
        add("sm.fetch", "valid", 1, Radix::Bit);
        add("sm.fetch", "warp", 6, Radix::Decimal);
        add("sm.decode", "warps", slots, Radix::Hexadecimal);
        for scheduler in 0..self.schedulers.len() {
            let scope = format!("sm.scheduler{scheduler}");
            add(&scope, "valid", 1, Radix::Bit);
            add(&scope, "warp", 6, Radix::Decimal);
            add(&scope, "pc", 32, Radix::Decimal);
            add(&scope, "line", 32, Radix::Decimal);
        }
        add("sm.collector", "read_banks", banks, Radix::Hexadecimal);
        for name in ["sp_units", "sfu_units", "ldst_units"] {
            add("sm.collector", name, 6, Radix::Decimal);
        }
        add("sm.execute", "started", 4, Radix::Decimal);
        add("sm.load_store", "busy", 1, Radix::Bit);
        add("sm.load_store", "blocked", 1, Radix::Bit);
        add("sm.load_store", "mshrs", 16, Radix::Decimal);
        add("sm.write_back", "banks", banks, Radix::Hexadecimal);
        let masks = ["resident", "ready", "hazard", "parked", "at_barrier"];
        for name in masks {
            add("sm.warps", name, slots, Radix::Hexadecimal);
        }
        for slot in 0..slots {
            let scope = format!("sm.warps.warp{slot:02}");
            add(&scope, "valid", 1, Radix::Bit);
            add(&scope, "pc", 32, Radix::Decimal);
            add(&scope, "lanes", 32, Radix::Hexadecimal);
        }
        signals
    }

    /// The values of all signals at the end of the cycle.
    fn values(&self, values: &mut Vec<u64>) {
        values.clear();
        values.push(self.cycle);
        values.push(u64::from(self.seen.fetched != 0));
        values.push(ones(self.seen.fetched).next().unwrap_or(0) as u64);
        values.push(self.seen.decoded);
        for issued in &self.seen.issued[..self.schedulers.len()] {
            let (slot, pc) = issued.unwrap_or((0, 0));
            let line = issued.map_or(0, |_| self.program.ops[pc as usize].line.0);
            values.extend([
                u64::from(issued.is_some()),
                slot as u64,
                pc.into(),
                line.into(),
            ]);
        }
        values.push(self.seen.read_banks.into());
        values.extend(self.collectors.pools.iter().map(|p| u64::from(p.in_use())));
        values.push(self.seen.started.into());
        values.push(self.ldst.has_work().into());
        values.push(self.ldst.blocked.into());
        values.push(self.l1.pending() as u64);
        values.push(self.seen.written_banks.into());
        let warps = &self.warps;
        values.extend([
            warps.resident,
            warps.ready(),
            warps.hazard & warps.has_inst & warps.running,
            warps.parked,
            warps.at_barrier,
        ]);
        for slot in 0..warps.pc.len() {
            let here = warps.running >> slot & 1;
            values.extend([
                here,
                u64::from(warps.pc[slot]) * here,
                u64::from(warps.lanes[slot]) * here,
            ]);
        }
    }

    /// Attaches the probe.
    pub(super) fn attach(&mut self, probe: SharedProbe) -> Step {
        let (signals, units) = (self.signals(), self.manager.units());
        lock(&probe)
            .begin(&signals, &units)
            .map_err(RunError::from)?;
        let rows = Rows::default();
        self.manager
            .set_sink(Some(Box::new(RowSink(Arc::clone(&rows)))));
        self.watch = Some(Watch {
            probe,
            rows,
            values: Vec::with_capacity(signals.len()),
        });
        Ok(())
    }

    /// Shows the cycle to the probe and forgets what the stages did in it.
    pub(super) fn sample(&mut self) -> Step {
        let Some(mut watch) = self.watch.take() else {
            return Ok(());
        };
        let mut probe = lock(&watch.probe);
        let mut rows = lock(&watch.rows);
        if probe.wants(self.cycle) {
            self.values(&mut watch.values);
            probe
                .cycle(self.cycle, &watch.values, &rows)
                .map_err(RunError::from)?;
        }
        rows.clear();
        drop((probe, rows));
        self.watch = Some(watch);
        Ok(())
    }

    /// Shows the program to the watchers.
    pub(super) fn begin_watching(&mut self, listing: &Listing) -> Step {
        for watcher in &self.watchers {
            let mut watcher = lock(watcher);
            watcher.begin(listing).map_err(RunError::from)?;
            self.tells |= watcher.wants_pipeline();
        }
        Ok(())
    }

    /// The run is over, for all watchers.
    pub(super) fn end_watching(&mut self) -> Step {
        let mut outcome = Ok(());
        for watcher in &self.watchers {
            outcome = outcome.and(lock(watcher).end(self.cycle));
        }
        Ok(outcome.map_err(RunError::from)?)
    }

    /// The run is over.
    pub(super) fn detach(&mut self) -> Step {
        self.manager.set_sink(None);
        match self.watch.take() {
            Some(watch) => Ok(lock(&watch.probe).end(self.cycle).map_err(RunError::from)?),
            None => Ok(()),
        }
    }
}
