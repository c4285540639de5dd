//! The cycles that a waveform with a trigger keeps until it is known which are the last ones.

use super::layout::Layout;
use super::trigger::{Resolved, Trigger, TriggerError};
use crate::observe::probe::UnitRow;
use std::collections::VecDeque;

/// A cycle that may be written.
pub struct Cycle {
    pub number: u64,
    pub values: Vec<u64>,
    pub rows: Vec<UnitRow>,
}

/// The last cycles, as many as are kept.
pub struct Held {
    condition: Resolved,
    kept_cycles: usize,
    cycles: VecDeque<Cycle>,
    /// Of all signals, then unit by unit whether it is active, its edge, its pins.
    values: Vec<Option<u64>>,
    /// Where the values of each unit begin.
    units: Vec<usize>,
}

impl Held {
    pub fn new(trigger: &Trigger, layout: &Layout) -> Result<Held, TriggerError> {
        let mut names: Vec<String> = Vec::new();
        let signals = layout.signals.iter();
        names.extend(signals.map(|variable| format!("{}.{}", variable.scope, variable.name)));
        let mut units = Vec::new();
        for unit in &layout.units {
            units.push(names.len());
            let all = [&unit.active, &unit.edge].into_iter().chain(&unit.pins);
            names.extend(all.map(|variable| format!("{}.{}", variable.scope, variable.name)));
        }
        Ok(Held {
            condition: trigger.condition.resolve(&names)?,
            kept_cycles: trigger.kept_cycles.max(1),
            cycles: VecDeque::new(),
            values: vec![None; names.len()],
            units,
        })
    }

    /// Keeps a cycle; whether the condition holds in it: with the values at its end and those of any evaluation of the units.
    pub fn take(&mut self, number: u64, values: &[u64], rows: &[UnitRow]) -> bool {
        if self.cycles.len() == self.kept_cycles {
            self.cycles.pop_front();
        }
        self.cycles.push_back(Cycle {
            number,
            values: values.to_vec(),
            rows: rows.to_vec(),
        });
        for (known, value) in self.values.iter_mut().zip(values) {
            *known = Some(*value);
        }
        for &at in &self.units {
            self.values[at] = Some(0);
        }
        let mut holds = false;
        let most = (0..self.units.len())
            .map(|unit| rows.iter().filter(|row| row.unit == unit).count())
            .max()
            .unwrap_or(0);
        for step in 0..most {
            for (unit, &at) in self.units.iter().enumerate() {
                let Some(row) = rows.iter().filter(|row| row.unit == unit).nth(step) else {
                    continue;
                };
                let pins = row.inputs.iter().chain(&row.outputs).copied();
                let shown = [1, u64::from(row.edge)].into_iter().chain(pins);
                for (known, value) in self.values[at..].iter_mut().zip(shown) {
                    *known = Some(value);
                }
            }
            holds |= self.condition.holds(&self.values);
        }
        holds || most == 0 && self.condition.holds(&self.values)
    }

    /// The cycles that were kept.
    pub fn into_cycles(self) -> VecDeque<Cycle> {
        self.cycles
    }
}
