//! Signals of the pipeline, cycle by cycle, for waveforms and timelines.

use regshare_hw::manager::UnitPins;
use std::sync::{Arc, Mutex};

/// How a signal's value is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Radix {
    /// One bit.
    Bit,
    /// A number.
    Decimal,
    /// A mask or an address.
    Hexadecimal,
}

/// One signal of the pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalDef {
    /// Scope, outermost first, separated by dots: `sm.scheduler0`.
    pub scope: String,
    /// Name in the scope.
    pub name: String,
    /// Width in bits, 1 ..= 64.
    pub width_bits: u32,
    /// How to read it.
    pub radix: Radix,
}

/// The pins of a unit of the register hardware in one of its clock cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitRow {
    /// Index in the units that [`Probe::begin`] got.
    pub unit: usize,
    /// Values of the input pins, in order.
    pub inputs: Vec<u64>,
    /// Values of the output pins, in order.
    pub outputs: Vec<u64>,
    /// Whether the row ends in a rising edge; otherwise it is a look-up.
    pub edge: bool,
}

/// What a probe cannot do, in words; it ends the run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ProbeError(pub String);

/// Watches a run. The SM calls it; while one is attached no cycle is skipped.
pub trait Probe: Send {
    /// Before the first cycle: all signals of the pipeline, and the units of the register hardware.
    ///
    /// # Errors
    /// The probe cannot record.
    fn begin(&mut self, signals: &[SignalDef], units: &[UnitPins]) -> Result<(), ProbeError>;

    /// Whether it wants this cycle; the SM gathers nothing for others.
    fn wants(&self, cycle: u64) -> bool;

    /// The values of all signals at the end of `cycle`, in the order of [`Probe::begin`], and what the units saw in it.
    ///
    /// # Errors
    /// The probe cannot record.
    fn cycle(&mut self, cycle: u64, values: &[u64], units: &[UnitRow]) -> Result<(), ProbeError>;

    /// After the last cycle; also after a run that failed.
    ///
    /// # Errors
    /// The probe cannot record.
    fn end(&mut self, cycles: u64) -> Result<(), ProbeError>;
}

/// A probe as the options of a run hold it: its owner looks at it after the run.
pub type SharedProbe = Arc<Mutex<dyn Probe>>;
