//! Waveforms: a run as a VCD or FST file, with a GTKWave save file (`.gtkw`) and a Surfer command file (`.sucl`) next to it.
//!
//! Scopes are those of the pipeline (`sm.fetch`, `sm.scheduler0`, ...) and, below `sm.manager`, the instance paths
//! that the units of the register hardware have in the exported Verilog. One SM cycle takes
//! [`TIME_PER_CYCLE`] units of time: the units of the register hardware are evaluated several times in a cycle when
//! several registers are looked up, and each evaluation gets a time of its own.
//!
//! A scope's valid bit comes before what it validates. For a unit that is `active`: while it is 0 the pins show
//! the last evaluation.

mod glob;
mod held;
mod layout;
mod save;
mod sink;
#[cfg(test)]
mod tests;
mod trigger;

pub use glob::Glob;
pub use trigger::{Condition, KEPT_CYCLES, Trigger, TriggerError};

use crate::observe::probe::{Probe, ProbeError, SignalDef, UnitRow};
use held::Held;
use layout::{Layout, Variable};
use regshare_hw::manager::UnitPins;
use sink::Sink;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Units of time of one SM cycle. // assumed: twice the look-ups that two schedulers make at most
pub const TIME_PER_CYCLE: u64 = 64;

/// What a waveform shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaveOptions {
    /// First cycle and the one behind the last; `None`: all. A run that ends before the first is an error.
    pub window: Option<Window>,
    /// Scopes and signals; `None`: all. `sm.cycle` is always there. A pattern that matches nothing is an error.
    pub scope: Option<Glob>,
    /// Recording ends in the first cycle in which this holds, and only the last cycles are written; `None`: all are.
    pub trigger: Option<Trigger>,
}

/// A range of cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First cycle.
    pub from: u64,
    /// The cycle behind the last.
    pub until: u64,
}

/// A window that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{text}` is not a window of cycles; give two numbers A:B with A below B, either may be left out"
)]
pub struct WindowError {
    /// What was given.
    pub text: String,
}

impl std::str::FromStr for Window {
    type Err = WindowError;

    /// Reads `A:B`, the cycles from `A` on and before `B`; a missing one is the start or the end of the run.
    fn from_str(text: &str) -> Result<Self, WindowError> {
        let error = || WindowError {
            text: text.to_owned(),
        };
        let (from, until) = text.split_once(':').ok_or_else(error)?;
        let number = |text: &str, missing| match text.trim() {
            "" => Ok(missing),
            digits => digits.parse().map_err(|_| error()),
        };
        let window = Window {
            from: number(from, 0)?,
            until: number(until, u64::MAX)?,
        };
        if window.from >= window.until {
            return Err(error());
        }
        Ok(window)
    }
}

/// Why no waveform can be written.
#[derive(Debug, Error)]
pub enum WaveError {
    /// The file cannot be made; choose another place.
    #[error("cannot create {path}: {cause}")]
    Create {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
}

/// Writes a waveform while a kernel runs.
pub struct Wave<W: Write + Send> {
    sink: Sink<W>,
    options: WaveOptions,
    layout: Layout,
    /// Where the save files go.
    path: Option<PathBuf>,
    /// Whether a cycle was written, or is kept.
    recorded: bool,
    /// With a trigger, until it is known which cycles are written.
    held: Option<Held>,
    /// The first cycle of the file.
    first: u64,
    /// Whether the trigger's condition came true.
    fired: bool,
}

impl Wave<BufWriter<File>> {
    /// A waveform in a new file at `path`: FST if its name ends in `.fst`, else VCD. The save files get its name with `.gtkw` and `.sucl`.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn create(path: &Path, options: WaveOptions) -> Result<Self, WaveError> {
        let file = File::create(path).map_err(|cause| WaveError::Create {
            path: path.to_owned(),
            cause,
        })?;
        let sink = match sink::is_fst(path) {
            true => Sink::fst(file).map_err(|cause| WaveError::Create {
                path: path.to_owned(),
                cause,
            })?,
            false => Sink::vcd(BufWriter::new(file)),
        };
        Ok(Wave {
            path: Some(path.to_owned()),
            ..Wave::of(sink, options)
        })
    }
}

impl<W: Write + Send> Wave<W> {
    /// A waveform as VCD into `writer`, without save files.
    pub fn new(writer: W, options: WaveOptions) -> Self {
        Wave::of(Sink::vcd(writer), options)
    }

    fn of(sink: Sink<W>, options: WaveOptions) -> Self {
        Wave {
            sink,
            options,
            layout: Layout::default(),
            path: None,
            recorded: false,
            held: None,
            first: 0,
            fired: false,
        }
    }

    fn write_save_files(&self, path: &Path) -> std::io::Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        std::fs::write(
            path.with_extension("gtkw"),
            save::gtkwave(&self.layout, &name, self.first * TIME_PER_CYCLE),
        )?;
        std::fs::write(path.with_extension("sucl"), save::surfer(&self.layout))
    }

    /// Writes the variable at `time` if it has changed.
    fn show(
        sink: &mut Sink<W>,
        time: u64,
        variable: &mut Variable,
        value: u64,
    ) -> std::io::Result<()> {
        let Some(id) = variable.id else {
            return Ok(());
        };
        if variable.last == Some(value) {
            return Ok(());
        }
        variable.last = Some(value);
        sink.at(time)?;
        sink.change(id, variable.width_bits, value)
    }

    fn write_cycle(&mut self, cycle: u64, values: &[u64], rows: &[UnitRow]) -> std::io::Result<()> {
        let start = cycle * TIME_PER_CYCLE;
        let (sink, layout) = (&mut self.sink, &mut self.layout);
        for (variable, &value) in layout.signals.iter_mut().zip(values) {
            Self::show(sink, start, variable, value)?;
        }
        for (index, unit) in layout.units.iter_mut().enumerate() {
            if !rows.iter().any(|row| row.unit == index) {
                Self::show(sink, start, &mut unit.active, 0)?;
            }
        }
        // Rows of all units, step by step: time must not go back.
        let longest = (0..layout.units.len())
            .map(|unit| rows.iter().filter(|row| row.unit == unit).count() as u64)
            .max()
            .unwrap_or(0);
        for step in 0..longest.min(TIME_PER_CYCLE) {
            for (index, unit) in layout.units.iter_mut().enumerate() {
                let mut mine = rows.iter().filter(|row| row.unit == index);
                let Some(row) = mine.nth(step as usize) else {
                    continue;
                };
                let time = start + step;
                Self::show(sink, time, &mut unit.active, 1)?;
                Self::show(sink, time, &mut unit.edge, row.edge.into())?;
                let values = row.inputs.iter().chain(&row.outputs);
                for (variable, &value) in unit.pins.iter_mut().zip(values) {
                    Self::show(sink, time, variable, value)?;
                }
            }
        }
        Ok(())
    }

    /// Whether the condition of the trigger came true; false without a trigger.
    pub fn fired(&self) -> bool {
        self.fired
    }

    fn write_header(&mut self, start: u64) -> std::io::Result<()> {
        self.first = start;
        self.sink.begin()?;
        self.layout.declare(&mut self.sink)?;
        let variables = self.layout.variables();
        let declared = variables.filter_map(|variable| Some((variable.id?, variable.width_bits)));
        self.sink.end_declarations(start * TIME_PER_CYCLE, declared)
    }

    /// Writes what a trigger kept. Returns the cycle behind the last.
    fn write_held(&mut self, held: Held) -> std::io::Result<u64> {
        let cycles = held.into_cycles();
        let first = cycles.front().map_or(0, |cycle| cycle.number);
        self.write_header(first)?;
        let mut next = first;
        for cycle in cycles {
            self.write_cycle(cycle.number, &cycle.values, &cycle.rows)?;
            next = cycle.number + 1;
        }
        Ok(next)
    }
}

fn failed(error: std::io::Error) -> ProbeError {
    ProbeError(format!("cannot write: {error}"))
}

impl<W: Write + Send> Probe for Wave<W> {
    fn begin(&mut self, signals: &[SignalDef], units: &[UnitPins]) -> Result<(), ProbeError> {
        self.layout = Layout::new(signals, units, self.options.scope.as_ref());
        if let (Some(scope), false) = (&self.options.scope, self.layout.shows_something()) {
            return Err(ProbeError(format!(
                "`{scope}` matches no scope and no signal; match one of {}, or a warp such as sm.warps.warp00",
                self.layout.scopes().join(", ")
            )));
        }
        if let Some(trigger) = &self.options.trigger {
            let held = Held::new(trigger, &self.layout);
            self.held = Some(held.map_err(|error| ProbeError(error.to_string()))?);
            return Ok(());
        }
        let start = self.options.window.map_or(0, |window| window.from);
        self.write_header(start).map_err(failed)
    }

    fn wants(&self, cycle: u64) -> bool {
        let window = self.options.window;
        !self.fired && window.is_none_or(|window| (window.from..window.until).contains(&cycle))
    }

    fn cycle(&mut self, cycle: u64, values: &[u64], units: &[UnitRow]) -> Result<(), ProbeError> {
        self.recorded = true;
        match &mut self.held {
            Some(held) => {
                self.fired = held.take(cycle, values, units);
                Ok(())
            }
            None => self.write_cycle(cycle, values, units).map_err(failed),
        }
    }

    fn end(&mut self, cycles: u64) -> Result<(), ProbeError> {
        let window = self.options.window;
        if let (Some(window), false) = (window, self.recorded) {
            return Err(ProbeError(format!(
                "the window begins at cycle {}, but the run ended after {cycles} cycles; begin it earlier",
                window.from
            )));
        }
        let last = match self.held.take() {
            Some(held) => self.write_held(held).map_err(failed)?,
            None => window.map_or(cycles, |w| w.until.min(cycles).max(w.from)),
        };
        self.sink
            .end(last.saturating_mul(TIME_PER_CYCLE))
            .map_err(failed)?;
        match &self.path {
            Some(path) => self.write_save_files(path).map_err(failed),
            None => Ok(()),
        }
    }
}
