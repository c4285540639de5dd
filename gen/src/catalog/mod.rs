//! What can be exported: every unit with every parameter set it is offered in.

mod param;
mod select;
mod stimulus;
mod stimulus_cars;
mod stimulus_cars_programs;
mod stimulus_cars_top;
mod stimulus_manager;
mod stimulus_owf;
mod stimulus_owf_issue;
mod stimulus_owf_top;
mod stimulus_rename;
mod stimulus_rfv;
mod stimulus_rfv_sm;
mod stimulus_rfv_top;
mod stimulus_tops;
mod units;
mod variants;

use crate::recording::Recording;
use regshare_hw::clocked::{Clocked, PinDef, Pins};
use rust_hdl::prelude::Block;

pub use param::{Param, Value};
pub use select::{SelectError, select};
pub(crate) use units::register_manager::system_and_top;
pub use variants::{by_name, uncataloged};

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
    clocked: bool,
    block: fn() -> Box<dyn Block>,
    record: fn() -> Recording,
    model: fn() -> Box<dyn Cycles>,
    cases: Cases,
}

/// A unit whose pins are numbers, in port order, without the clock.
pub trait Cycles {
    /// One cycle: the outputs for these inputs, then the rising edge.
    fn cycle(&mut self, inputs: &[u64], outputs: &mut Vec<u64>);

    /// The outputs for these inputs; the state stays.
    fn look_up(&mut self, inputs: &[u64], outputs: &mut Vec<u64>);
}

impl<M: Clocked> Cycles for M {
    fn cycle(&mut self, inputs: &[u64], outputs: &mut Vec<u64>) {
        outputs.clear();
        self.edge(&M::In::from_values(inputs)).values(outputs);
    }

    fn look_up(&mut self, inputs: &[u64], outputs: &mut Vec<u64>) {
        outputs.clear();
        self.outputs(&M::In::from_values(inputs)).values(outputs);
    }
}

/// Draws from a strategy, given a seed and a number of cases; see [`Entry::property_cases`].
type Cases = fn(u64, usize) -> Vec<Recording>;

impl Entry {
    /// A fresh, connected block.
    #[must_use]
    pub fn block(&self) -> Box<dyn Block> {
        (self.block)()
    }

    /// Its model in the power-on state.
    #[must_use]
    pub fn model(&self) -> Box<dyn Cycles> {
        (self.model)()
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

    /// Notes that the unit has a clock, though no state: others with the same ports have.
    #[must_use]
    pub(crate) fn with_clock(mut self) -> Entry {
        self.clocked = true;
        self
    }

    /// Whether the unit has a clock: whether it has state, or others with the same ports have.
    #[must_use]
    pub fn is_clocked(&self) -> bool {
        self.clocked || self.state_bits > 0
    }

    /// The value of parameter `name`, if it has that parameter and the value is a number.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<u64> {
        let found = self.params.iter().find(|param| param.name == name);
        found.and_then(|param| param.value.number())
    }

    /// A directed and pseudo-random sequence, the same each time, with the model's answers.
    #[must_use]
    pub fn recording(&self) -> Recording {
        (self.record)()
    }
}

/// Everything there is, in a fixed order.
#[must_use]
pub fn catalog() -> Vec<Entry> {
    units::all()
}

/// Name of the module of the top inside a register manager.
#[must_use]
pub fn top_of_manager(manager: &Entry) -> String {
    system_and_top(manager).1.name
}

/// Names of the units, each once, in the order of the catalog.
#[must_use]
pub fn units() -> Vec<&'static str> {
    let mut names: Vec<_> = catalog().iter().map(|entry| entry.unit).collect();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn module_names_are_distinct() {
        let mut names: Vec<_> = catalog().into_iter().map(|entry| entry.name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
