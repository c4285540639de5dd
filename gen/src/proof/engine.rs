//! Yosys to AIGER, ABC to CNF, CaDiCaL.

use super::recipe::{Recipe, SATISFIABLE, UNSATISFIABLE, WHOLE};
use super::{Fault, ProofError, aiger, array, selector};
use crate::mutate::{Mutant, Schema};
use crate::tools::{Tool, ToolError, write};
use std::path::Path;

/// What Yosys leaves of a single question.
const QUESTION: &str = "property.aig";

/// What becomes of assertions that are asked apart from the others.
const APART: &str = "apart.aig";

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
        let module = self.recipe.module;
        let (schema, _) = Schema::new(module, verilog, &[], faults, 0)?;
        let at_once: Vec<_> = (schema.mutants().iter())
            .map(|mutant| mutant.number)
            .collect();
        let text = schema.verilog(false);
        let property = selector::added_to(&self.recipe.property);
        let mut found = vec![false; schema.mutants().len() + 1];
        // The main question last: to find that it misses a fault takes longer than all the others.
        for defines in self.recipe.questions().into_iter().rev() {
            if defines.contains(&"POWER_ON") {
                continue;
            }
            let asked: Vec<_> = (at_once.iter().copied())
                .filter(|&number| !found[number])
                .collect();
            if asked.is_empty() {
                break;
            }
            self.aiger(&text, &property, defines)?;
            for number in asked {
                self.choose(number)?;
                found[number] = self.solve("chosen.aig", "", &["-q"])? == Verdict::Refuted;
            }
        }
        let by_number = |fault: &Fault| {
            let same = |mutant: &&Mutant| mutant.from == fault.from && mutant.to == fault.to;
            schema
                .mutants()
                .iter()
                .find(same)
                .map(|mutant| found[mutant.number])
        };
        // What has no number replaces no whole expression or statement.
        (faults.iter())
            .map(|fault| match by_number(fault) {
                Some(found) => Ok(found),
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

    /// Writes `chosen.aig`: the AIGER file with fault `number` in force.
    fn choose(&self, number: usize) -> Result<(), ProofError> {
        let map = String::from_utf8_lossy(&self.read("property.map")?).into_owned();
        let bits = selector::inputs(&map, number)?;
        let circuit = aiger::hold(&self.read(QUESTION)?, &bits)?;
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
            &[SATISFIABLE, UNSATISFIABLE],
        )?;
        Ok(if ran.code == SATISFIABLE {
            Verdict::Refuted
        } else {
            Verdict::Proved
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::properties::PLAIN;
    use crate::proof::{Proof, TOOLS};
    use crate::tools::have;

    const ADDER: &str = "\
module adder(a, b, y);
    input wire [3:0] a;
    input wire [3:0] b;
    output reg [3:0] y;
    reg [3:0] sum;
    always @(*) begin
        sum = a + b;
        y = sum;
    end
endmodule
";

    /// The unit inside the top; in a module of its own, connected by name; the same by place.
    const CLAIMS: [&str; 3] = [
        "\
module proof (input wire clock, input wire [3:0] a, b);
    wire [3:0] y;
    `TOP uut (.*);
    always @(*) claim: assert (y == a + b);
endmodule
",
        "\
module sum (input wire [3:0] a, b, output wire [3:0] y);
    `TOP uut (.a(a), .b(b), .y(y));
endmodule
module proof (input wire clock, input wire [3:0] a, b);
    wire [3:0] y;
    sum s (
        .a(a), .b(b), .y(y)
    );
    always @(*) claim: assert (y == a + b);
endmodule
",
        "\
module sum (input wire [3:0] a, b, output wire [3:0] y);
    `TOP uut (.a(a), .b(b), .y(y));
endmodule
module proof (input wire clock, input wire [3:0] a, b);
    wire [3:0] y;
    sum s (a, b, y);
    always @(*) claim: assert (y == a + b);
endmodule
",
    ];

    #[test]
    fn faults_that_are_asked_together_are_told_apart() {
        if !have(TOOLS, "faults that are asked together") {
            return;
        }
        let fault = |from, to| Fault { name: "", from, to };
        let faults = [
            fault("sum = a + b;", "sum = b + a;"),
            fault("y = sum;", "y = sum | 4'h1;"),
            fault("a + b", "a - b"),
            // No whole expression: asked alone.
            fault("+ b", "+ a"),
        ];
        for claim in CLAIMS {
            let proof = Proof {
                source: ("claim.sv", claim),
                frames: 1,
                ..PLAIN
            };
            let recipe = Recipe::of_module(&proof, "adder");
            let dir = tempfile::tempdir().expect("temporary folder");
            let job = Job {
                recipe,
                dir: dir.path(),
            };
            assert_eq!(job.decide(ADDER).expect("runs"), Verdict::Proved);
            let found = job.finds(ADDER, &faults).expect("runs");
            assert_eq!(found, [false, true, true, true], "{claim}");
        }
    }

    /// One frame, or a second one of which `LATER` is assumed.
    const ASSUMED: &str = "\
module proof (input wire clock, input wire [3:0] a, b);
    wire [3:0] y;
    `TOP uut (.*);
    reg second;
    initial second = 0;
    always @(posedge clock) second <= 1;
    always @(*) begin
        if (second) assume (LATER);
        claim: assert (y == a + b);
    end
endmodule
";

    #[test]
    fn assumptions_that_contradict_each_other_are_noticed() {
        if !have(TOOLS, "assumptions that contradict each other") {
            return;
        }
        for (later, expected) in [("a < b", true), ("a < b && b < a", false)] {
            let text = ASSUMED.replace("LATER", later);
            let proof = Proof {
                source: ("claim.sv", Box::leak(text.into_boxed_str())),
                ..PLAIN
            };
            let recipe = Recipe::of_module(&proof, "adder");
            let dir = tempfile::tempdir().expect("temporary folder");
            let job = Job {
                recipe,
                dir: dir.path(),
            };
            let found = job.decide_and_meet(ADDER).expect("runs");
            assert_eq!(found, (Verdict::Proved, expected), "{later}");
        }
    }
}
