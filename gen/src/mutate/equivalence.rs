//! Whether a mutant can be told from the original at all.
//!
//! Yosys turns the schema into one circuit; with the selector at a constant, original and mutant stand in one graph with
//! the same inputs and the same state. If no input and no state, reachable or not, makes an output or a next state
//! differ, the two are equivalent. The converse does not hold: a difference may need a state that is never reached.

use super::aig::{Circuit, Copies};
use super::schema::{SELECTOR, Schema};
use super::{Mutant, MutateError};
use crate::tools::{Tool, ToolError, write};
use std::path::Path;

/// Programs that it needs.
pub const TOOLS: &[Tool] = &[Tool::Yosys, Tool::Cadical];

/// CaDiCaL's exit codes: satisfiable, unsatisfiable, and given up.
const SATISFIABLE: i32 = 10;
const UNSATISFIABLE: i32 = 20;
const UNKNOWN: i32 = 0;
/// Conflicts after which a question stays open; a number of seconds would depend on the machine.
const LIMIT_CONFLICTS: &str = "200000";

/// For each of `mutants` whether it is equivalent to the original.
///
/// # Errors
/// [`MutateError`] if a program is missing or fails.
pub fn equivalent(
    dir: &Path,
    top: &str,
    schema: &Schema,
    mutants: &[&Mutant],
) -> Result<Vec<bool>, MutateError> {
    if mutants.is_empty() {
        return Ok(Vec::new());
    }
    write(&dir.join("whole.v"), &schema.verilog(false))?;
    let script = format!(
        "read_verilog whole.v; hierarchy -top {top}; proc; flatten; opt_expr; opt_clean; memory_collect; memory_map; \
         simplemap; dffunmap; techmap; dffunmap; setundef -undriven -zero; aigmap; opt_clean; \
         write_aiger -ascii -symbols -zinit whole.aag"
    );
    Tool::Yosys.run(dir, ["-q", "-p", &script], &[0])?;
    let text = std::fs::read_to_string(dir.join("whole.aag"))
        .map_err(ToolError::io("cannot read Yosys's AIGER"))?;
    let circuit = Circuit::read(&text)?;
    let mut copies = Copies::new(&circuit, SELECTOR);
    let original = copies.copy(0);
    let mut answers = Vec::new();
    for mutant in mutants {
        // A power-on value is outside of one step.
        if mutant.at_start {
            answers.push(false);
            continue;
        }
        let changed = copies.copy(mutant.number);
        let differs = copies.graph.differs(&original, &changed);
        answers.push(match differs {
            0 => true,
            1 => false,
            _ => {
                write(&dir.join("differs.cnf"), &copies.graph.cnf(differs))?;
                let accepted = [SATISFIABLE, UNSATISFIABLE, UNKNOWN];
                let ran = Tool::Cadical.run(
                    dir,
                    ["-q", "-n", "-c", LIMIT_CONFLICTS, "differs.cnf"],
                    &accepted,
                )?;
                ran.code == UNSATISFIABLE
            }
        });
    }
    Ok(answers)
}
