//! Mutation testing of the exported Verilog: how many small faults would the property tests notice?
//!
//! Every operator, constant, condition and assignment is changed, one at a time ([`Operator`]). All changes of a unit go
//! into one *schema*: the same Verilog with one more input, the number of the change that is in force ([`Schema`]). One
//! Verilator build of it ([`Bench`]) replays cases drawn from the strategies of the property tests, with the answers of
//! the model; a mutant is killed by the first answer that differs. What survives is compared with the original by
//! structure and by SAT ([`equivalence`]): a change that no input can show is no fault.

mod aig;
mod bench;
pub mod equivalence;
mod operators;
mod origin;
mod page;
mod schema;
mod score;
mod syntax;
mod tokens;
mod tree;

use crate::export::ExportError;
use crate::tools::{Tool, ToolError};

pub use bench::Bench;
pub use operators::Operator;
pub use origin::origin;
pub use page::{Reason, page, reasons};
pub use schema::{Mutant, Schema};
pub(crate) use schema::{SELECTOR, SELECTOR_BITS};
pub use score::{Draw, Survivor, UnitScore, score, subjects};

/// Programs that running the mutants needs; [`equivalence`] needs Yosys and CaDiCaL besides.
pub const TOOLS: &[Tool] = &[Tool::Verilator];

/// Why mutants could not be made or run.
#[derive(Debug, thiserror::Error)]
pub enum MutateError {
    /// The Verilog has something that the parser of this module does not know.
    #[error(
        "line {line} of the Verilog: expected {wanted}, found `{found}`; teach `gen/src/mutate/syntax.rs`"
    )]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// What stands there.
        found: String,
        /// What was expected.
        wanted: &'static str,
    },
    /// The unit cannot be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A program is missing or failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A fault of a proof names a text that is not in the Verilog exactly once.
    #[error(transparent)]
    Fault(#[from] crate::proof::ProofError),
    /// The unchanged Verilog differs from the model: no mutant can be judged.
    #[error("{unit} itself fails case {case}, row {row}")]
    Unsound {
        /// Name of the unit.
        unit: String,
        /// Case, from 0.
        case: usize,
        /// Row of that case, from 0.
        row: usize,
    },
    /// A program wrote something else than expected.
    #[error("{what}: cannot read `{line}`")]
    Answer {
        /// Whose answer.
        what: &'static str,
        /// The line.
        line: String,
    },
}
