//! Whether a mutant can be told from the original at all.
//!
//! Yosys turns the schema into one circuit; with the selector at a constant, original and mutant stand in one graph with
//! the same inputs and the same state. If no input and no state, reachable or not, makes an output or a next state
//! differ, the two are equivalent. The converse does not hold: a difference may need a state that is never reached. A changed
//! power-on value is equivalent if no input of the first cycle makes an output or the next state differ.

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
        let differs = if mutant.at_start {
            let Some(flipped) = flipped(&circuit, mutant) else {
                answers.push(false);
                continue;
            };
            let [original, changed] = [&[][..], &flipped].map(|bits| copies.first_cycle(bits));
            copies.graph.differs(&original, &changed)
        } else {
            let changed = copies.copy(mutant.number);
            copies.graph.differs(&original, &changed)
        };
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

/// The latches of which a mutant changes the power-on value; `None` if they are not all found.
fn flipped(circuit: &Circuit, mutant: &Mutant) -> Option<Vec<usize>> {
    let value = |text: &str| u64::from_str_radix(text.split_once("'h")?.1, 16).ok();
    let changes = value(&mutant.from)? ^ value(&mutant.to)?;
    let (register, _) = mutant.code.split_once(" = ")?;
    let path = format!("{}${register}", mutant.module);
    let path = path.strip_prefix('$').unwrap_or(&path);
    let bits = (0..64).filter(|bit| changes >> bit & 1 == 1);
    bits.map(|bit| {
        let wire = circuit.latch(&format!("{path}[{bit}]"));
        // A register of one bit has no index.
        wire.or_else(|| circuit.latch(path).filter(|_| bit == 0))
    })
    .collect()
}
