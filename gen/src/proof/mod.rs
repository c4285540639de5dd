//! Safety properties of the exported Verilog, proved without bound and at full size.
//!
//! A property file (`gen/proofs/*.sv`) wraps the module, sees its registers, and keeps history derived from the ports
//! alone. One step is unrolled from a free state that satisfies the invariant where the step touches it (arbitrary
//! warps, an arbitrary section), plus the base cases; Yosys writes it as AIGER, ABC as CNF, CaDiCaL decides. Every proof
//! comes with events that must be reachable (or its assumptions would prove anything) and with faults in the Verilog
//! that the same run must find: those within an expression or statement are put into one text and asked one after the other,
//! the others alone. Of large memories a proof knows what an array is, and not every word (`array.v`).

mod aiger;
mod array;
mod engine;
mod origin;
mod properties;
mod recipe;
mod registers;
mod run;
mod selector;

use crate::catalog::{Entry, SelectError};
use crate::export::ExportError;
use crate::mutate::MutateError;
use crate::tools::{Tool, ToolError};

pub use engine::Verdict;
pub use origin::{Evidence, origin};
pub use properties::{Fault, Proof, proofs};
pub(crate) use recipe::Recipe;
pub use run::{other_sizes, run, run_all, run_in_size, run_other_sizes, subject};

/// Programs that a proof needs.
pub const TOOLS: &[Tool] = &[Tool::Yosys, Tool::Abc, Tool::Cadical];

/// What came of one proof.
#[derive(Clone, Debug)]
pub struct ProofResult {
    /// Name of the theorem.
    pub name: &'static str,
    /// Module it is about; empty for a lemma of arithmetic.
    pub module: String,
    /// Warps.
    pub size: u64,
    /// Programs that decided it.
    pub engine: &'static str,
    /// Whether it was proved, and whether it was expected to be.
    pub verdict: Verdict,
    /// What the verdict should be: `Refuted` where the point is that it fails.
    pub expected: Verdict,
    /// Wall-clock seconds of everything, events and faults included.
    pub seconds: f64,
    /// Events that are reachable, of how many. In another size than its main one it is a single event: that the
    /// assumptions can be met.
    pub events_reached: (usize, usize),
    /// Faults that the same run found.
    pub mutants_killed: Vec<&'static str>,
    /// Faults that it missed; must be empty.
    pub mutants_missed: Vec<&'static str>,
}

impl ProofResult {
    /// Whether everything came out as it should.
    #[must_use]
    pub fn holds(&self) -> bool {
        let (reached, events) = self.events_reached;
        self.verdict == self.expected && reached == events && self.mutants_missed.is_empty()
    }
}

/// Why a proof could not be run.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// A program is missing or failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The unit cannot be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The Verilog with its faults cannot be made.
    #[error(transparent)]
    Faults(Box<MutateError>),
    /// There is no such unit or size.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// A text that must occur exactly once in the Verilog does not.
    #[error("{what}: `{text}` occurs {found} times in the Verilog of {module}, not once")]
    Place {
        /// What it was needed for.
        what: &'static str,
        /// The text.
        text: &'static str,
        /// How often it is there.
        found: usize,
        /// Where.
        module: String,
    },
}

impl From<MutateError> for ProofError {
    fn from(error: MutateError) -> Self {
        match error {
            MutateError::Fault(error) => error,
            other => ProofError::Faults(Box::new(other)),
        }
    }
}

impl Proof {
    /// Whether it is about this module: its unit in any size, with the named parameters of the proof.
    #[must_use]
    pub fn is_about(&self, entry: &Entry) -> bool {
        let is_value = |&(name, value): &(&str, &str)| {
            let mut params = entry.params.iter();
            params.any(|param| param.name == name && param.value.is(value))
        };
        self.unit == Some(entry.unit) && self.named.iter().all(is_value)
    }

    /// Whether what is claimed of this module takes it: it is about the module, or a lemma under a theorem that is.
    #[must_use]
    pub fn is_needed_for(&self, entry: &Entry) -> bool {
        self.is_about(entry) || self.under.contains(&entry.unit)
    }

    /// The parameters of its main size, besides the number of warps.
    fn values(&self) -> impl Iterator<Item = (&'static str, String)> {
        let numbers = self
            .params
            .iter()
            .map(|&(name, value)| (name, value.to_string()));
        let names = self
            .named
            .iter()
            .map(|&(name, value)| (name, value.to_owned()));
        numbers.chain(names)
    }
}

impl Fault {
    /// The Verilog with the fault in it.
    ///
    /// # Errors
    /// [`ProofError::Place`] unless the place exists exactly once.
    pub fn apply(&self, module: &str, verilog: &str) -> Result<String, ProofError> {
        replace_once(self.name, module, verilog, self.from, self.to)
    }
}

fn replace_once(
    what: &'static str,
    module: &str,
    verilog: &str,
    from: &'static str,
    to: &str,
) -> Result<String, ProofError> {
    match verilog.matches(from).count() {
        1 => Ok(verilog.replacen(from, to, 1)),
        found => Err(ProofError::Place {
            what,
            text: from,
            found,
            module: module.into(),
        }),
    }
}
