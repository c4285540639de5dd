//! Yosys to AIGER, ABC to CNF, CaDiCaL.

use super::{Proof, ProofError, replace_once};
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
    pub proof: &'a Proof,
    pub module: &'a str,
    pub warps: u64,
    pub dir: &'a Path,
}

/// CaDiCaL's exit codes.
const SATISFIABLE: i32 = 10;
const UNSATISFIABLE: i32 = 20;

impl Job<'_> {
    /// Whether any assertion of the property file can fail for this Verilog, with `defines` on.
    pub fn decide(&self, verilog: &str, defines: &[&str]) -> Result<Verdict, ProofError> {
        self.aiger(verilog, defines)?;
        let verdict = self.solve("")?;
        if self.proof.cut_products && verdict == Verdict::Proved {
            self.aiger(verilog, &["PRODUCTS"])?;
            return self.solve("");
        }
        Ok(verdict)
    }

    /// How many of the events, each an assertion that it never happens, do happen.
    pub fn events_reached(&self, verilog: &str) -> Result<usize, ProofError> {
        self.aiger(verilog, &["VACUITY"])?;
        let mut reached = 0;
        for event in 0..self.proof.events {
            reached +=
                usize::from(self.solve(&format!("cone -s -O {event};"))? == Verdict::Refuted);
        }
        Ok(reached)
    }

    fn aiger(&self, verilog: &str, defines: &[&str]) -> Result<(), ProofError> {
        let Job {
            proof,
            module,
            warps,
            dir,
        } = *self;
        let index_bits = u64::from(u64::BITS - (warps - 1).leading_zeros());
        let count_bits = u64::from(u64::BITS - warps.leading_zeros());
        // A parameter such as `packs` reaches the property file as PACKS, ceil(log2 packs) as PACKS_BITS.
        let sizes: String = (proof.params.iter())
            .map(|&(name, value)| {
                let bits = value.checked_sub(1).and_then(u64::checked_ilog2);
                let (name, bits) = (name.to_uppercase(), bits.map_or(0, |bit| bit + 1));
                format!("-D{name}={value} -D{name}_BITS={bits} ")
            })
            .collect();
        let mut seen = verilog.to_owned();
        if let Some((end, inserted)) = proof.observe {
            let inserted = inserted
                .replace("NW", &warps.to_string())
                .replace("IW", &index_bits.to_string());
            seen = replace_once(
                "to see the registers",
                module,
                verilog,
                end,
                &format!("{inserted}{end}"),
            )?;
        }
        write(&dir.join("dut.v"), &seen)?;
        write(&dir.join("property.sv"), proof.source)?;
        let defines: String = defines
            .iter()
            .chain(proof.defines)
            .map(|define| format!("-D{define} "))
            .collect();
        // Registers are freed of their power-on values, except the counter of frames, unless these are the question.
        let free = if defines.contains("POWER_ON") {
            ""
        } else {
            "setattr -unset init w:* w:second %d;"
        };
        let whole = defines.contains("PRODUCTS") || defines.contains("VACUITY");
        let cut = if proof.cut_products && !whole {
            "cutpoint t:$mul;"
        } else {
            ""
        };
        let script = format!(
            "read_verilog -formal -sv {defines} -DTOP={module} -DNW={warps} -DIW={index_bits} -DCW={count_bits} \
             {sizes} property.sv; read_verilog dut.v; hierarchy -top proof; proc; flatten; \
             opt_expr; opt_clean; {cut} memory_collect; memory_map; {free} async2sync; simplemap; dffunmap; techmap; \
             dffunmap; setundef -undriven -anyseq; aigmap; write_aiger -zinit property.aig"
        );
        Tool::Yosys.run(dir, ["-q", "-p", &script], &[0])?;
        Ok(())
    }

    /// Decides the AIGER file, or with `cone` one of its outputs.
    fn solve(&self, cone: &str) -> Result<Verdict, ProofError> {
        let frames = self.proof.frames;
        let cnf = self.dir.join("property.cnf");
        let _ = std::fs::remove_file(&cnf);
        let script = format!(
            "read_aiger property.aig; fold; strash; {cone} frames -i -F {frames}; orpos; write_cnf property.cnf"
        );
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
