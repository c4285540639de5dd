//! Runs a kernel and keeps what the units of the register hardware do, from power-on.

use super::plan::Planned;
use regshare_gen::recording::Row;
use regshare_gen::runs::Origin;
use regshare_gen::runs::join::Watched;
use regshare_hw::manager::{Backend, UnitPins};
use regshare_sim::bundled;
use regshare_sim::flow::{self, FlowError, SchemeError, Setup, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::observe::probe::{Probe, ProbeError, SignalDef, UnitRow};
use regshare_sim::sm::RunOptions;
use std::sync::{Arc, Mutex, PoisonError};

/// Rows kept in the run: what is not written itself can be what a unit inside needs.
pub const ROWS: usize = 3000; // assumed

/// Why a kernel did not run.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// No such kernel, or it does not run.
    #[error("{kernel} under {scheme} on {machine}: {source}")]
    Flow {
        /// The kernel.
        kernel: &'static str,
        /// The scheme.
        scheme: &'static str,
        /// The machine.
        machine: String,
        /// Why.
        source: Box<FlowError>,
    },
    /// No such kernel.
    #[error("no bundled kernel is called {0}")]
    Kernel(&'static str),
    /// No such scheme.
    #[error(transparent)]
    Scheme(#[from] SchemeError),
    /// No such machine.
    #[error(transparent)]
    Machine(#[from] regshare_sim::machine::MachineError),
}

/// A run with what its units did.
pub struct Ran {
    planned: Planned,
    machine: Machine,
    /// The rows.
    pub watched: Watched,
}

impl Ran {
    /// What rows of this run were recorded of.
    pub fn origin(&self, source: String) -> Origin {
        Origin {
            kernel: self.planned.kernel.to_owned(),
            scheme: self.planned.scheme_in_words(),
            machine: self.machine.name.clone(),
            source,
        }
    }

    /// What the machine needs of a parameter; `otherwise` of those that it says nothing about.
    pub fn needs(&self, parameter: &str, otherwise: u64) -> u64 {
        match parameter {
            "warps" => self.machine.limits.warps_per_sm.into(),
            "packs" => self.machine.limits.packs_per_sm.into(),
            _ => otherwise,
        }
    }
}

/// The rows of all units, until each has enough or the kernel ends.
#[derive(Default)]
struct Collector {
    watched: Watched,
    counts: Vec<usize>,
    is_full: bool,
}

impl Probe for Collector {
    fn begin(&mut self, _: &[SignalDef], units: &[UnitPins]) -> Result<(), ProbeError> {
        self.watched.units = units.to_vec();
        self.counts = vec![0; units.len()];
        Ok(())
    }

    fn wants(&self, _: u64) -> bool {
        true
    }

    fn cycle(&mut self, cycle: u64, _: &[u64], units: &[UnitRow]) -> Result<(), ProbeError> {
        for row in units {
            self.counts[row.unit] += 1;
            if self.counts[row.unit] <= ROWS {
                let kept = Row {
                    inputs: row.inputs.clone(),
                    outputs: row.outputs.clone(),
                    edge: row.edge,
                };
                self.watched.rows.push((cycle, row.unit, kept));
            }
        }
        self.is_full = self.counts.iter().all(|&count| count >= ROWS);
        match self.is_full {
            true => Err(ProbeError("all rows are recorded".into())),
            false => Ok(()),
        }
    }

    fn end(&mut self, _: u64) -> Result<(), ProbeError> {
        Ok(())
    }
}

/// Runs what is planned on the plain models.
///
/// # Errors
/// [`WatchError`]
pub fn watch(planned: &Planned) -> Result<Ran, WatchError> {
    let machine = planned.machine()?;
    let failed = |source: FlowError| WatchError::Flow {
        kernel: planned.kernel,
        scheme: planned.scheme,
        machine: machine.name.clone(),
        source: Box::new(source),
    };
    let kernel = bundled::find(planned.kernel).ok_or(WatchError::Kernel(planned.kernel))?;
    let workload = Workload::of_bundled(kernel).map_err(failed)?;
    let compiled = flow::compile(&workload, None).map_err(failed)?;
    let scheme = flow::scheme(planned.scheme, planned.options())?;
    let collector = Arc::new(Mutex::new(Collector::default()));
    let options = RunOptions {
        backend: Backend::Model,
        sms: planned.sms,
        probe: Some(collector.clone()),
        ..RunOptions::default()
    };
    let setup = Setup {
        machine: &machine,
        options: &options,
    };
    let ran = flow::execute(&workload, &compiled, scheme.as_ref(), setup);
    drop(options);
    let mut collector = collector.lock().unwrap_or_else(PoisonError::into_inner);
    if let Err(error) = ran
        && !collector.is_full
    {
        return Err(failed(error));
    }
    Ok(Ran {
        planned: planned.clone(),
        watched: std::mem::take(&mut collector.watched),
        machine,
    })
}
