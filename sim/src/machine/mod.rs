//! Machines: named, complete descriptions of a GPU, read from TOML.
//!
//! A preset is a file under `sim/machines` that a user can copy and change. Every field is required, unknown
//! fields are refused, and ranges are checked once, when the file is read.

mod error;
mod limits;
mod pipeline;

pub use error::MachineError;
pub use limits::{Limits, SchedulerPolicy, Schedulers};
pub use pipeline::{MemoryTiming, Pipeline, Timing};

use serde::{Deserialize, Serialize};

/// A complete machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Name, as printed in tables.
    pub name: String,
    /// Streaming multiprocessors, 1 ..= 1024.
    pub sms: u16,
    /// Clock of the SMs, 1 ..= 10000 MHz: how long a cycle lasts, for leakage.
    pub clock_mhz: u32,
    /// What one SM can hold.
    pub limits: Limits,
    /// The warp schedulers of one SM.
    pub schedulers: Schedulers,
    /// Front end, register file and execution units of one SM.
    pub pipeline: Pipeline,
    /// Scratchpad, first-level cache and memory as one SM sees it.
    pub memory: MemoryTiming,
}

/// Name and text of each bundled machine file.
const PRESETS: &[(&str, &str)] = &[
    ("gtx480", include_str!("../../machines/gtx480.toml")),
    (
        "gtx480-half",
        include_str!("../../machines/gtx480-half.toml"),
    ),
    ("fermi14", include_str!("../../machines/fermi14.toml")),
    ("fermi16", include_str!("../../machines/fermi16.toml")),
    ("v100", include_str!("../../machines/v100.toml")),
    ("rtx3070", include_str!("../../machines/rtx3070.toml")),
    ("maxwell", include_str!("../../machines/maxwell.toml")),
];

impl Machine {
    /// The bundled machine of that name.
    ///
    /// # Errors
    /// [`MachineError::UnknownPreset`] lists the names that exist.
    pub fn preset(name: &str) -> Result<Machine, MachineError> {
        let (_, text) = PRESETS.iter().find(|(preset, _)| *preset == name).ok_or(
            MachineError::UnknownPreset {
                name: name.to_owned(),
                known: Machine::preset_names().collect::<Vec<_>>().join(", "),
            },
        )?;
        Machine::from_toml(text, &format!("sim/machines/{name}.toml"))
    }

    /// Names of the bundled machines, in the order of the manual.
    pub fn preset_names() -> impl Iterator<Item = &'static str> {
        PRESETS.iter().map(|(name, _)| *name)
    }

    /// The text of a bundled machine file, to be copied and changed.
    pub fn preset_text(name: &str) -> Option<&'static str> {
        PRESETS
            .iter()
            .find(|(preset, _)| *preset == name)
            .map(|(_, text)| *text)
    }

    /// Reads and validates a machine file. `path` only names the place in errors.
    ///
    /// # Errors
    /// [`MachineError::Syntax`] when the text is not such a file, [`MachineError::Range`] when a value makes
    /// no sense.
    pub fn from_toml(text: &str, path: &str) -> Result<Machine, MachineError> {
        let machine: Machine =
            toml::from_str(text).map_err(|cause| MachineError::syntax(text, path, &cause))?;
        if machine.name.trim().is_empty() {
            let problem = "no name; expected what reports shall call the machine".to_owned();
            return Err(MachineError::range(text, path, "", "name", problem));
        }
        if machine.sms == 0 || machine.sms > 1024 {
            let problem = format!("{} SMs; expected 1 to 1024", machine.sms);
            return Err(MachineError::range(text, path, "", "sms", problem));
        }
        if machine.clock_mhz == 0 || machine.clock_mhz > 10_000 {
            let problem = format!("{} MHz; expected 1 to 10000", machine.clock_mhz);
            return Err(MachineError::range(text, path, "", "clock_mhz", problem));
        }
        (machine.limits.problem())
            .map(|(key, problem)| ("limits", key, problem))
            .or_else(|| {
                let (key, problem) = machine.schedulers.problem()?;
                Some(("schedulers", key, problem))
            })
            .or_else(|| {
                let (key, problem) = machine.pipeline.problem()?;
                Some(("pipeline", key, problem))
            })
            .or_else(|| {
                let (key, problem) = machine.memory.problem()?;
                Some(("memory", key, problem))
            })
            .or_else(|| {
                // A part of the register file is that of a sub-core, which has a scheduler at least.
                let (parts, schedulers) = (
                    machine.pipeline.register_sub_cores,
                    machine.schedulers.count,
                );
                let problem = format!(
                    "{parts} parts of the register file for {schedulers} schedulers; expected 1 to {schedulers}"
                );
                (parts > schedulers).then_some(("pipeline", "register_sub_cores", problem))
            })
            .map_or(Ok(()), |(section, key, problem)| {
                Err(MachineError::range(text, path, section, key, problem))
            })?;
        Ok(machine)
    }
}

#[cfg(test)]
mod tests;
