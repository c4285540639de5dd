//! What can be exported: every unit with every parameter set it is offered in.

mod stimulus;
mod stimulus_cars;
mod stimulus_cars_programs;
mod stimulus_cars_top;
mod stimulus_owf;
mod stimulus_owf_issue;
mod stimulus_owf_top;
mod stimulus_rename;
mod stimulus_rfv;
mod stimulus_rfv_sm;
mod stimulus_rfv_top;
mod stimulus_tops;
mod units;

use crate::recording::Recording;
use regshare_hw::clocked::PinDef;
use rust_hdl::prelude::Block;

/// A named number, such as `warps = 48`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name, as in `-P name=value`.
    pub name: &'static str,
    /// Value.
    pub value: u64,
}

/// Storage as the paper counts it, where that is not what the hardware needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaperBits {
    /// Bits by the paper's formula.
    pub bits: usize,
    /// Why the hardware has more, with the paper's section.
    pub why: &'static str,
}

/// One unit with one parameter set.
pub struct Entry {
    /// Name of the unit: its folder in `hw/src`.
    pub unit: &'static str,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Name of the top module, of its folder and of the files in it.
    pub name: String,
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// Input pins in port order, without the clock.
    pub inputs: Vec<PinDef>,
    /// Output pins in port order.
    pub outputs: Vec<PinDef>,
    /// Bits of state, flip-flops and memories together; 0 for a combinational unit.
    pub state_bits: usize,
    /// Those of them that are left in memories, because they are too many to be counted as flip-flops; 0 if none is.
    pub memory_bits: usize,
    /// What the paper counts, where the hardware needs more; none where both are the same.
    pub paper_bits: Option<PaperBits>,
    /// Rust source of the pins, from which the port table takes its words.
    pub pins_source: &'static str,
    /// Rust source of the block, path and text, for rules that need the source.
    pub rtl_source: (&'static str, &'static str),
    /// Instances in its top module that are units by themselves; none for most. Their mutants are theirs.
    pub joins: &'static [&'static str],
    block: fn() -> Box<dyn Block>,
    record: fn() -> Recording,
    cases: Cases,
}

/// Draws from a strategy, given a seed and a number of cases; see [`Entry::property_cases`].
type Cases = fn(u64, usize) -> Vec<Recording>;

impl Entry {
    /// A fresh, connected block.
    #[must_use]
    pub fn block(&self) -> Box<dyn Block> {
        (self.block)()
    }

    /// Notes that the paper counts `bits` for this unit, and `why` the hardware needs more.
    #[must_use]
    pub(crate) fn with_paper_bits(mut self, bits: usize, why: &'static str) -> Entry {
        self.paper_bits = Some(PaperBits { bits, why });
        self
    }

    /// Notes that `bits` of the state are in memories that stay memories when Yosys counts.
    #[must_use]
    pub(crate) fn with_memory_bits(mut self, bits: usize) -> Entry {
        self.memory_bits = bits;
        self
    }

    /// Names what the unit's property tests draw from, where it is not any pins.
    #[must_use]
    pub(crate) fn with_cases(mut self, cases: Cases) -> Entry {
        self.cases = cases;
        self
    }

    /// Names the instances that are units by themselves.
    #[must_use]
    pub(crate) fn with_units(mut self, joins: &'static [&'static str]) -> Entry {
        self.joins = joins;
        self
    }

    /// `count` cases as the unit's property tests draw them, the same for the same seed, with the model's answers. Each
    /// begins with the unit in its power-on state.
    #[must_use]
    pub fn property_cases(&self, seed: u64, count: usize) -> Vec<Recording> {
        (self.cases)(seed, count)
    }

    /// Whether the unit has a clock: whether it has state.
    #[must_use]
    pub fn is_clocked(&self) -> bool {
        self.state_bits > 0
    }

    /// The value of parameter `name`, if it has that parameter.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<u64> {
        let found = self.params.iter().find(|param| param.name == name);
        found.map(|param| param.value)
    }

    /// A directed and pseudo-random sequence, the same each time, with the model's answers.
    #[must_use]
    pub fn recording(&self) -> Recording {
        (self.record)()
    }
}

/// A choice that cannot be met.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectError {
    /// No such unit.
    #[error("there is no unit `{name}`; units are {}", valid.join(", "))]
    UnknownUnit {
        /// What was asked for.
        name: String,
        /// What there is.
        valid: Vec<String>,
    },
    /// No unit that was asked for has such a parameter.
    #[error("no chosen unit has a parameter `{name}`; parameters are {}", valid.join(", "))]
    UnknownParam {
        /// What was asked for.
        name: String,
        /// What there is.
        valid: Vec<String>,
    },
    /// The parameter is not offered with that value.
    #[error("`{unit}` is not offered with {name}={value}; offered are {}", valid.join(", "))]
    UnsupportedValue {
        /// The unit.
        unit: String,
        /// The parameter.
        name: String,
        /// What was asked for.
        value: u64,
        /// Values it is offered with.
        valid: Vec<String>,
    },
    /// Each value is offered, but not all of them together.
    #[error("`{unit}` is not offered with these values together; offered are {}", valid.join(", "))]
    UnsupportedSet {
        /// The unit.
        unit: String,
        /// Names of the parameter sets it is offered with.
        valid: Vec<String>,
    },
}

/// Everything there is, in a fixed order.
#[must_use]
pub fn catalog() -> Vec<Entry> {
    units::all()
}

/// Names of the units, each once, in the order of the catalog.
#[must_use]
pub fn units() -> Vec<&'static str> {
    let mut names: Vec<_> = catalog().iter().map(|entry| entry.unit).collect();
    names.dedup();
    names
}

/// The entries of the named units (none named: all) whose parameters have the wanted values. A unit may also be named
/// by its module name, which fixes its parameters.
///
/// A wanted parameter only restricts the units that have it, but at least one must have it.
///
/// # Errors
/// [`SelectError`], which lists what would have been accepted.
pub fn select(names: &[String], params: &[(String, u64)]) -> Result<Vec<Entry>, SelectError> {
    let all = catalog();
    for name in names {
        if !all
            .iter()
            .any(|entry| entry.unit == name || entry.name == *name)
        {
            let valid = units().into_iter().map(String::from).collect();
            return Err(SelectError::UnknownUnit {
                name: name.clone(),
                valid,
            });
        }
    }
    let named = |entry: &Entry| {
        names.is_empty()
            || names
                .iter()
                .any(|name| entry.unit == name || entry.name == *name)
    };
    let candidates: Vec<Entry> = all.into_iter().filter(named).collect();
    for (name, value) in params {
        let known = |entry: &&Entry| entry.params.iter().any(|param| param.name == name);
        let Some(unit) = candidates.iter().find(known).map(|entry| entry.unit) else {
            return Err(SelectError::UnknownParam {
                name: name.clone(),
                valid: param_names(&candidates),
            });
        };
        let values = values_of(&candidates, name);
        if !values.contains(value) {
            let valid = values.iter().map(u64::to_string).collect();
            return Err(SelectError::UnsupportedValue {
                unit: unit.into(),
                name: name.clone(),
                value: *value,
                valid,
            });
        }
    }
    let meets = |entry: &Entry| {
        params.iter().all(|(name, value)| {
            entry
                .params
                .iter()
                .find(|param| param.name == name)
                .is_none_or(|param| param.value == *value)
        })
    };
    let (chosen, rest): (Vec<Entry>, Vec<Entry>) = candidates.into_iter().partition(meets);
    match rest
        .iter()
        .find(|entry| !chosen.iter().any(|other| other.unit == entry.unit))
    {
        Some(left) => Err(SelectError::UnsupportedSet {
            unit: left.unit.into(),
            valid: rest
                .iter()
                .filter(|entry| entry.unit == left.unit)
                .map(|entry| entry.name.clone())
                .collect(),
        }),
        None => Ok(chosen),
    }
}

fn param_names(entries: &[Entry]) -> Vec<String> {
    let mut names: Vec<_> = entries
        .iter()
        .flat_map(|entry| &entry.params)
        .map(|param| param.name.into())
        .collect();
    names.sort();
    names.dedup();
    names
}

fn values_of(entries: &[Entry], name: &str) -> Vec<u64> {
    let mut values: Vec<_> = entries
        .iter()
        .flat_map(|entry| &entry.params)
        .filter(|param| param.name == name)
        .map(|p| p.value)
        .collect();
    values.sort_unstable();
    values.dedup();
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_unit_is_refused_with_the_valid_names() {
        let error = select(&["srp_alocator".into()], &[])
            .err()
            .expect("refused");
        let text = error.to_string();
        assert!(
            text.contains("srp_alocator") && text.contains("srp_allocator"),
            "{text}"
        );
    }

    #[test]
    fn unsupported_warp_count_is_refused_with_the_offered_ones() {
        let error = select(&["srp_allocator".into()], &[("warps".into(), 47)])
            .err()
            .expect("refused");
        assert!(error.to_string().contains("48, 64"), "{error}");
    }

    #[test]
    fn unknown_parameter_is_refused() {
        let error = select(&["srp_allocator".into()], &[("warp".into(), 48)])
            .err()
            .expect("refused");
        assert!(matches!(error, SelectError::UnknownParam { .. }), "{error}");
    }

    #[test]
    fn wanted_warp_count_selects_one_allocator() {
        let chosen = select(&["srp_allocator".into()], &[("warps".into(), 48)]).expect("offered");
        assert_eq!(
            chosen
                .iter()
                .map(|entry| entry.name.as_str())
                .collect::<Vec<_>>(),
            ["srp_allocator_w48"]
        );
    }

    #[test]
    fn module_names_are_distinct() {
        let mut names: Vec<_> = catalog().into_iter().map(|entry| entry.name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
