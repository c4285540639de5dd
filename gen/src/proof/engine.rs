//! Yosys to AIGER, ABC to CNF, CaDiCaL.

use super::recipe::{Recipe, SATISFIABLE, UNSATISFIABLE, WHOLE};
use super::{Fault, ProofError, aiger, array, selector};
use crate::mutate::Schema;
use crate::tools::{Tool, ToolError, write};
use std::path::Path;

/// What Yosys leaves of a single question.
const QUESTION: &str = "property.aig";

/// What becomes of assertions that are asked apart from the others.
const APART: &str = "apart.aig";

/// Conflicts after which CaDiCaL leaves a question for later; a second's work or less.
const BRIEFLY: &str = "10000"; // assumed

/// Exit code of CaDiCaL when it reached a limit.
const UNKNOWN: i32 = 0;

/// The assertion that the assumptions cannot be met.
const MET: &str = "met";

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
    /// Whether any assertion of the property file can fail for this Verilog.
    pub fn decide(&self, verilog: &str) -> Result<Verdict, ProofError> {
        self.aiger(verilog, &self.recipe.property, &[])?;
        self.decide_written(verilog)
    }

    /// As [`Job::decide`], when [`QUESTION`] is the main question already.
    fn decide_written(&self, verilog: &str) -> Result<Verdict, ProofError> {
        for defines in self.recipe.questions() {
            if !defines.is_empty() {
                self.aiger(verilog, &self.recipe.property, defines)?;
            }
            if self.solve(QUESTION, "", self.recipe.cadical(defines))? == Verdict::Refuted {
                return Ok(Verdict::Refuted);
            }
        }
        Ok(Verdict::Proved)
    }

    /// The verdict, and whether some state and inputs meet what the property file assumes, in the last frame too if there is a
    /// second and the file names it: then nothing is proved of nothing. Yosys reads the Verilog once for both.
    pub fn decide_and_meet(&self, verilog: &str) -> Result<(Verdict, bool), ProofError> {
        let property = &self.recipe.property;
        let when = if self.recipe.proof.frames > 1 && property.contains("second <= 1;") {
            "if (second) "
        } else {
            ""
        };
        let (before, after) = property.rsplit_once("endmodule").unwrap_or((property, ""));
        let property =
            format!("{before}    always @(*) {when}{MET}: assert (0);\nendmodule{after}");
        self.aiger_apart(verilog, &property, &[MET.to_owned()])?;
        let verdict = self.decide_written(verilog)?;
        Ok((verdict, self.solve(APART, "", &["-q"])? == Verdict::Refuted))
    }

    /// Of each fault, whether any assertion can fail for Verilog that has it.
    pub fn finds(&self, verilog: &str, faults: &[Fault]) -> Result<Vec<bool>, ProofError> {
        self.finds_after(BRIEFLY, verilog, faults)
    }

    /// As [`Job::finds`]; a question is first asked for so many conflicts.
    fn finds_after(
        &self,
        briefly: &str,
        verilog: &str,
        faults: &[Fault],
    ) -> Result<Vec<bool>, ProofError> {
        let module = self.recipe.module;
        let (schema, numbers) = Schema::of_faults(module, verilog, faults)?;
        let text = schema.verilog(false);
        let property = selector::added_to(&self.recipe.property);
        let mut found = vec![false; schema.mutants().len() + 1];
        // The main question last: to find that it misses a fault takes longer than all the others.
        let questions = self.recipe.questions();
        let mut questions: Vec<_> = (questions.iter().rev())
            .filter(|defines| !defines.contains(&"POWER_ON"))
            .map(|defines| (Vec::new(), *defines))
            .collect();
        // Where a fault shows it is found soon, elsewhere that takes long: so all questions are asked briefly before any is
        // asked to its end.
        for (at, (open, defines)) in questions.iter_mut().enumerate() {
            let asked = || (1..found.len()).filter(|&number| !found[number]);
            if asked().next().is_none() {
                break;
            }
            self.aiger(&text, &property, defines)?;
            let question = format!("faults{at}");
            for extension in ["aig", "map"] {
                self.rename(
                    &format!("property.{extension}"),
                    &format!("{question}.{extension}"),
                )?;
            }
            for number in asked().collect::<Vec<_>>() {
                self.choose(&question, number)?;
                match self.ask("chosen.aig", "", &["-q", "-c", briefly])? {
                    Some(Verdict::Refuted) => found[number] = true,
                    Some(Verdict::Proved) => {}
                    None => open.push(number),
                }
            }
        }
        for (at, (open, _)) in questions.iter().enumerate() {
            for &number in open {
                if !found[number] {
                    self.choose(&format!("faults{at}"), number)?;
                    found[number] = self.solve("chosen.aig", "", &["-q"])? == Verdict::Refuted;
                }
            }
        }
        // What has no number is within no expression or statement.
        (faults.iter().zip(numbers))
            .map(|(fault, number)| match number {
                Some(number) => Ok(found[number]),
                None => self.finds_alone(&fault.apply(module, verilog)?),
            })
            .collect()
    }

    /// Whether any assertion can fail for `faulty`, power-on aside. That it can is what is looked for, in each question.
    fn finds_alone(&self, faulty: &str) -> Result<bool, ProofError> {
        for defines in self.recipe.questions() {
            if defines.contains(&"POWER_ON") {
                continue;
            }
            self.aiger(faulty, &self.recipe.property, defines)?;
            if self.solve(QUESTION, "", &["-q"])? == Verdict::Refuted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The verdict, and how many of the events, each an assertion that it never happens, do happen. Where nothing is cut, Yosys
    /// reads the Verilog once for both.
    pub fn decide_and_reach(&self, verilog: &str) -> Result<(Verdict, usize), ProofError> {
        let events = self.recipe.proof.events;
        let Some(property) = self.recipe.with_events() else {
            let verdict = self.decide(verilog)?;
            if events == 0 {
                return Ok((verdict, 0));
            }
            self.aiger(verilog, &self.recipe.property, &["VACUITY"])?;
            return Ok((verdict, self.reached(QUESTION)?));
        };
        let names: Vec<_> = (0..events).map(|event| format!("c{event}")).collect();
        self.aiger_apart(verilog, &property, &names)?;
        let verdict = self.decide_written(verilog)?;
        Ok((verdict, self.reached(APART)?))
    }

    /// How many of the events in an AIGER file happen.
    fn reached(&self, aiger: &str) -> Result<usize, ProofError> {
        let mut reached = 0;
        for event in 0..self.recipe.proof.events {
            let cone = format!("cone -s -O {event};");
            reached += usize::from(self.solve(aiger, &cone, &["-q"])? == Verdict::Refuted);
        }
        Ok(reached)
    }

    /// Writes [`QUESTION`].
    fn aiger(&self, verilog: &str, property: &str, defines: &[&str]) -> Result<(), ProofError> {
        self.write_files(verilog, property)?;
        let script = self.recipe.yosys("property.sv", "dut.v", defines);
        Tool::Yosys.run(self.dir, ["-q", "-p", &script], &[0])?;
        Ok(())
    }

    /// Writes [`QUESTION`] without the assertions `names`, and these as [`APART`].
    fn aiger_apart(
        &self,
        verilog: &str,
        property: &str,
        names: &[String],
    ) -> Result<(), ProofError> {
        self.write_files(verilog, property)?;
        let script = self.recipe.yosys_apart("property.sv", "dut.v", names);
        Tool::Yosys.run(self.dir, ["-q", "-p", &script], &[0])?;
        let (circuit, count) = aiger::apart(&self.read(WHOLE)?, &self.read(QUESTION)?)?;
        if count != names.len() {
            return Err(ToolError::Failed {
                program: "yosys".into(),
                code: 0,
                log: format!("{count} assertions are in force no more, not {names:?}"),
            }
            .into());
        }
        self.write(APART, &circuit)?;
        Ok(())
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, ToolError> {
        let path = self.dir.join(name);
        std::fs::read(&path).map_err(ToolError::io(format!("cannot read {}", path.display())))
    }

    fn write(&self, name: &str, circuit: &[u8]) -> Result<(), ToolError> {
        let path = self.dir.join(name);
        std::fs::write(&path, circuit)
            .map_err(ToolError::io(format!("cannot write {}", path.display())))
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), ToolError> {
        std::fs::rename(self.dir.join(from), self.dir.join(to))
            .map_err(ToolError::io(format!("cannot rename {from} to {to}")))
    }

    /// Writes `chosen.aig`: the AIGER file of `question` with fault `number` in force.
    fn choose(&self, question: &str, number: usize) -> Result<(), ProofError> {
        let map = String::from_utf8_lossy(&self.read(&format!("{question}.map"))?).into_owned();
        let bits = selector::inputs(&map, number)?;
        let circuit = aiger::hold(&self.read(&format!("{question}.aig"))?, &bits)?;
        self.write("chosen.aig", &circuit)?;
        Ok(())
    }

    fn write_files(&self, verilog: &str, property: &str) -> Result<(), ProofError> {
        write(&self.dir.join("dut.v"), verilog)?;
        write(&self.dir.join("property.sv"), property)?;
        if self.recipe.proof.arrays {
            write(&self.dir.join(array::MAP.0), array::MAP.1)?;
        }
        Ok(())
    }

    /// Decides an AIGER file, or with `cone` one of its outputs, with `options` of CaDiCaL.
    fn solve(&self, aiger: &str, cone: &str, options: &[&str]) -> Result<Verdict, ProofError> {
        let verdict = self.ask(aiger, cone, options)?;
        verdict.ok_or_else(|| {
            ToolError::Failed {
                program: "cadical".into(),
                code: UNKNOWN,
                log: format!("no verdict about {aiger}"),
            }
            .into()
        })
    }

    /// As [`Job::solve`]; `None` if a limit among the options was reached.
    fn ask(
        &self,
        aiger: &str,
        cone: &str,
        options: &[&str],
    ) -> Result<Option<Verdict>, ProofError> {
        let cnf = self.dir.join("property.cnf");
        let _ = std::fs::remove_file(&cnf);
        let script = self.recipe.abc(aiger, cone);
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
            [options, &["property.cnf"]].concat(),
            &[UNKNOWN, SATISFIABLE, UNSATISFIABLE],
        )?;
        Ok(match ran.code {
            SATISFIABLE => Some(Verdict::Refuted),
            UNSATISFIABLE => Some(Verdict::Proved),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests;
