//! The rows of a module that no run uses: its inputs are those of the units that a run uses in its place, cycle by cycle, its
//! outputs those of its model. What both have must agree.

use super::answered;
use crate::catalog::{Entry, system_and_top};
use crate::recording::{Recording, Row};
use regshare_hw::manager::UnitPins;
use regshare_hw::register_manager::strategy::put;

/// What the units of a run did, in order.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// The instances.
    pub units: Vec<UnitPins>,
    /// SM cycle, index of the instance, and its row.
    pub rows: Vec<(u64, usize, Row)>,
}

impl Watched {
    /// The rows of one instance.
    #[must_use]
    pub fn of(&self, unit: usize) -> Recording {
        let own = self.rows.iter().filter(|(_, of, _)| *of == unit);
        Recording {
            inputs: self.units[unit].inputs.clone(),
            outputs: self.units[unit].outputs.clone(),
            rows: own.map(|(_, _, row)| row.clone()).collect(),
        }
    }

    /// Its first `most` rows.
    #[must_use]
    pub fn first(&self, most: usize) -> Watched {
        Watched {
            units: self.units.clone(),
            rows: self.rows.iter().take(most).cloned().collect(),
        }
    }
}

/// Why units cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// The unit has a value that the module has no pin for.
    #[error("{module} has no input for {unit} {pin} = {value:#x}")]
    Input {
        /// The module.
        module: String,
        /// Instance in the run.
        unit: String,
        /// Its pin.
        pin: String,
        /// The value.
        value: u64,
    },
    /// The model of the module gives another output than the unit gave in the run.
    #[error("{module}, row {row}: {pin} is {got:#x}, in the run {expected:#x}")]
    Output {
        /// The module.
        module: String,
        /// Row, from 0 on.
        row: usize,
        /// Output of the module.
        pin: String,
        /// In the run.
        expected: u64,
        /// Of the model.
        got: u64,
    },
}

/// What a unit is to the module that joins it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The allocator, or a lock.
    Lock,
    /// The mapper of a port.
    Mapper(char),
}

fn part(unit: &UnitPins) -> Option<Part> {
    match unit.unit.as_str() {
        "srp_allocator" | "paired_lock" | "safe_paired_lock" => Some(Part::Lock),
        "register_mapper" | "paired_mapper" | "reg_map" => {
            unit.path.chars().last().map(Part::Mapper)
        }
        _ => None,
    }
}

/// The input of the module that an input of a part is; none where the module makes it itself.
fn input_name(part: Part, pin: &str) -> Option<String> {
    match (part, pin) {
        (Part::Lock, "a_valid") => Some("a_change".into()),
        (Part::Lock, "b_valid") => Some("b_change".into()),
        (Part::Lock, same) => Some(same.into()),
        (Part::Mapper(_), "section" | "section_valid" | "ext_held") => None,
        (Part::Mapper(_), "coeff") => Some("base_regs".into()),
        (Part::Mapper(_), "base_regs" | "ext_regs" | "srp_offset") => Some(pin.into()),
        (Part::Mapper(port), "widx") => Some(format!("{port}_warp")),
        (Part::Mapper(port), of_port) => Some(format!("{port}_{of_port}")),
    }
}

/// What stays as it is while a kernel runs.
const PLACEMENT: [&str; 3] = ["base_regs", "ext_regs", "srp_offset"];

/// Parts of one row of the module, each with its row.
type Parts<'a> = Vec<(Part, &'a UnitPins, &'a Row)>;

/// The rows of a cycle belong together, but for those of a unit that is asked again: for an instruction with more registers than
/// a mapper looks up at once, or for another pair of schedulers.
fn grouped(watched: &Watched) -> Vec<Parts<'_>> {
    let mut groups: Vec<(u64, Parts<'_>)> = Vec::new();
    for (cycle, unit, row) in &watched.rows {
        let unit = &watched.units[*unit];
        let Some(part) = part(unit) else { continue };
        let new = (part, unit, row);
        match groups.last_mut() {
            Some((last, parts)) if last == cycle && goes_with(new, parts) => parts.push(new),
            _ => groups.push((*cycle, vec![new])),
        }
    }
    groups.into_iter().map(|(_, parts)| parts).collect()
}

/// Whether a mapper is the first of its port after the lock was asked, and for the same warp.
fn goes_with((part, unit, row): (Part, &UnitPins, &Row), parts: &Parts<'_>) -> bool {
    let Part::Mapper(port) = part else {
        return false;
    };
    let is_for = |lock: &UnitPins, asked: &Row| {
        input(lock, asked, "clear") == 0
            && input(lock, asked, &format!("{port}_warp")) == input(unit, row, "widx")
    };
    parts.iter().all(|(other, lock, asked)| match other {
        Part::Lock => is_for(lock, asked),
        Part::Mapper(_) => *other != part,
    })
}

fn input(unit: &UnitPins, row: &Row, pin: &str) -> u64 {
    let at = unit.inputs.iter().position(|input| input.name == pin);
    at.map_or(0, |at| row.inputs[at])
}

/// The module `top` driven with what the units of a run were asked, every row a cycle.
///
/// # Errors
/// [`JoinError`]
pub fn joined(top: &Entry, watched: &Watched) -> Result<Recording, JoinError> {
    let groups = grouped(watched);
    let mut still = vec![0; top.inputs.len()];
    let first = groups
        .iter()
        .flatten()
        .find(|(part, ..)| *part != Part::Lock);
    if let Some((part, unit, row)) = first {
        for (pin, &value) in unit.inputs.iter().zip(&row.inputs) {
            let name = input_name(*part, pin.name).unwrap_or_default();
            if PLACEMENT.contains(&name.as_str()) {
                set(top, &mut still, unit, &name, value)?;
            }
        }
    }
    let mut inputs = Vec::new();
    for parts in &groups {
        let mut values = still.clone();
        for (part, unit, row) in parts {
            for (pin, &value) in unit.inputs.iter().zip(&row.inputs) {
                let Some(name) = input_name(*part, pin.name) else {
                    continue;
                };
                set(top, &mut values, unit, &name, value)?;
                // Who asks the lock for a change, or has registers looked up, issues.
                let issues = match part {
                    Part::Lock if value == 1 => pin.name.strip_suffix("_valid"),
                    Part::Mapper('a') => Some("a"),
                    Part::Mapper(_) => Some("b"),
                    Part::Lock => None,
                };
                if let Some(port) = issues {
                    set(top, &mut values, unit, &format!("{port}_valid"), 1)?;
                }
            }
        }
        inputs.push((values, true));
    }
    let recording = answered(top, &inputs);
    for (row, parts) in groups.iter().enumerate() {
        for part in parts {
            agrees(top, &recording.rows[row], row, *part)?;
        }
    }
    Ok(recording)
}

fn set(
    top: &Entry,
    values: &mut [u64],
    unit: &UnitPins,
    pin: &str,
    value: u64,
) -> Result<(), JoinError> {
    let at = top.inputs.iter().position(|input| input.name == pin);
    let fits = |at: &usize| value >> top.inputs[*at].width_bits.min(63) == 0;
    match at.filter(fits) {
        Some(at) => values[at] = value,
        None if value == 0 => {}
        None => {
            return Err(JoinError::Input {
                module: top.name.clone(),
                unit: unit.path.clone(),
                pin: pin.to_owned(),
                value,
            });
        }
    }
    Ok(())
}

/// Whether the module answers as the part did, where it has its output.
fn agrees(
    top: &Entry,
    answer: &Row,
    row: usize,
    (part, unit, own): (Part, &UnitPins, &Row),
) -> Result<(), JoinError> {
    let asked = |name: &str| {
        let at = top.inputs.iter().position(|pin| pin.name == name);
        at.map_or(0, |at| answer.inputs[at])
    };
    for (pin, &expected) in unit.outputs.iter().zip(&own.outputs) {
        let name = match part {
            // The module grants what the lock is not asked for, and says by itself who may try again.
            Part::Lock => match pin.name.strip_suffix("_grant") {
                Some(port) if asked(&format!("{port}_change")) == 1 => pin.name.to_owned(),
                _ => continue,
            },
            Part::Mapper(port) => format!("{port}_{}", pin.name),
        };
        let Some(at) = top.outputs.iter().position(|pin| pin.name == name) else {
            continue;
        };
        let got = answer.outputs[at];
        if got != expected {
            return Err(JoinError::Output {
                module: top.name.clone(),
                row,
                pin: name,
                expected,
                got,
            });
        }
    }
    Ok(())
}

/// A register manager driven with the inputs of the top in it; pins that its system does not read are low.
#[must_use]
pub fn on_manager(manager: &Entry, top: &Recording) -> Recording {
    let (system, _) = system_and_top(manager);
    let inputs: Vec<_> = (top.rows.iter())
        .map(|row| {
            let mut values = vec![0; manager.inputs.len()];
            put(
                system,
                &manager.inputs,
                &mut values,
                &top.inputs,
                &row.inputs,
                false,
            );
            (values, row.edge)
        })
        .collect();
    answered(manager, &inputs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::select;

    fn entry(name: &str) -> Entry {
        select(&[name.to_owned()], &[])
            .expect("in the catalog")
            .remove(0)
    }

    /// Both mappers of the baseline, asked alternately and, in every third cycle, together.
    fn watched(map: &Entry) -> Watched {
        let unit = |port: char| UnitPins {
            path: format!("reg_map_{port}"),
            unit: "reg_map".into(),
            parameters: Vec::new(),
            inputs: map.inputs.clone(),
            outputs: map.outputs.clone(),
        };
        // A kernel has as many registers in all of its warps.
        let mut inputs = Vec::new();
        for (at, row) in map.recording().rows.iter().take(60).enumerate() {
            let mut pins = row.inputs.clone();
            pins[map
                .inputs
                .iter()
                .position(|pin| pin.name == "coeff")
                .expect("a pin")] = 20;
            inputs.push((at, pins));
        }
        let asked: Vec<_> = inputs
            .iter()
            .map(|(_, pins)| (pins.clone(), false))
            .collect();
        let answers = answered(map, &asked);
        let rows = answers.rows.into_iter().enumerate();
        Watched {
            units: vec![unit('a'), unit('b')],
            rows: rows
                .map(|(at, row)| (at as u64 * 2 / 3, at % 2, row))
                .collect(),
        }
    }

    #[test]
    fn mappers_on_both_ports_are_the_baseline_and_a_wrong_pack_is_found() {
        let (map, top) = (
            entry("reg_map_w48_p1024"),
            entry("register_manager_baseline_w48_p1024"),
        );
        let mut watched = watched(&map);
        let rows = joined(&top, &watched).expect("agrees").rows;
        assert_eq!(rows.len(), 40, "two of three are asked alone or in pairs");
        let last = watched.rows.last_mut().expect("rows");
        last.2.outputs[1] ^= 1;
        let refused = joined(&top, &watched).expect_err("one bit is wrong");
        assert!(
            matches!(refused, JoinError::Output { row: 39, .. }),
            "{refused}"
        );
    }

    #[test]
    fn a_warp_that_the_module_has_no_bits_for_is_refused() {
        let (map, top) = (
            entry("reg_map_w48_p1024"),
            entry("register_manager_baseline_w16_p512"),
        );
        let mut watched = watched(&map);
        for (_, _, row) in &mut watched.rows {
            row.inputs[map
                .inputs
                .iter()
                .position(|pin| pin.name == "widx")
                .expect("a pin")] = 40;
        }
        let refused = joined(&top, &watched).expect_err("16 warps");
        assert!(
            matches!(refused, JoinError::Input { value: 40, .. }),
            "{refused}"
        );
    }
}
