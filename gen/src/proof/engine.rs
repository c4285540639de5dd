//! Yosys to AIGER, ABC to CNF, CaDiCaL.

use super::ProofError;
use super::array;
use super::recipe::{Recipe, SATISFIABLE, UNSATISFIABLE};
use crate::tools::{Tool, ToolError, write};
use std::path::Path;

/// Outcome of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No state and inputs violate any assertion.
    Proved,
    /// Some do.
    Refuted,
}

pub(super) struct Job<'a> {
    pub recipe: Recipe<'a>,
    pub dir: &'a Path,
}

impl Job<'_> {
    /// Whether any assertion of the property file can fail for this Verilog; `power_on` asks about that base case too.
    pub fn decide(&self, verilog: &str, power_on: bool) -> Result<Verdict, ProofError> {
        for defines in self.recipe.questions() {
            if defines.contains(&"POWER_ON") && !power_on {
                continue;
            }
            self.aiger(verilog, defines)?;
            if self.solve("")? == Verdict::Refuted {
                return Ok(Verdict::Refuted);
            }
        }
        Ok(Verdict::Proved)
    }

    /// How many of the events, each an assertion that it never happens, do happen.
    pub fn events_reached(&self, verilog: &str) -> Result<usize, ProofError> {
        self.aiger(verilog, &["VACUITY"])?;
        let mut reached = 0;
        for event in 0..self.recipe.proof.events {
            reached +=
                usize::from(self.solve(&format!("cone -s -O {event};"))? == Verdict::Refuted);
        }
        Ok(reached)
    }

    fn aiger(&self, verilog: &str, defines: &[&str]) -> Result<(), ProofError> {
        let Job { recipe, dir } = *self;
        write(&dir.join("dut.v"), verilog)?;
        write(&dir.join("property.sv"), recipe.proof.source.1)?;
        if recipe.proof.arrays {
            write(&dir.join(array::MAP.0), array::MAP.1)?;
        }
        let script = recipe.yosys("property.sv", "dut.v", defines);
        Tool::Yosys.run(dir, ["-q", "-p", &script], &[0])?;
        Ok(())
    }

    /// Decides the AIGER file, or with `cone` one of its outputs.
    fn solve(&self, cone: &str) -> Result<Verdict, ProofError> {
        let cnf = self.dir.join("property.cnf");
        let _ = std::fs::remove_file(&cnf);
        let script = self.recipe.abc(cone);
        let ran = Tool::Abc.run(self.dir, ["-c", &script], &[0])?;
        if !cnf.is_file() {
            // ABC reports its errors in words only, and says so when nothing is left to ask.
            return Err(ToolError::Failed {
                program: "abc".into(),
                code: ran.code,
                log: ran.log,
            }
            .into());
        }
        let ran = Tool::Cadical.run(
            self.dir,
            ["-q", "property.cnf"],
            &[SATISFIABLE, UNSATISFIABLE],
        )?;
        Ok(if ran.code == SATISFIABLE {
            Verdict::Refuted
        } else {
            Verdict::Proved
        })
    }
}
