//! The scripts that decide a proof: the same for the engine here and for the `prove` target of an exported folder.

use super::{Proof, Verdict, array, registers};
use crate::catalog::Entry;
use std::path::PathBuf;

/// Exit code of CaDiCaL when the assertions can be violated.
pub(super) const SATISFIABLE: i32 = 10;
/// Exit code of CaDiCaL when they cannot.
pub(super) const UNSATISFIABLE: i32 = 20;

/// What Yosys leaves of a question with the assertions that are asked apart.
pub(super) const WHOLE: &str = "whole.aig";

/// A proof about one module.
pub(crate) struct Recipe<'a> {
    pub proof: &'a Proof,
    /// Top module of the Verilog; empty for a lemma.
    pub module: &'a str,
    /// The property file, with the registers of that module in it.
    pub property: String,
    /// The numbers that the file knows as macros.
    sizes: Vec<(String, u64)>,
}

impl<'a> Recipe<'a> {
    /// How to prove `proof` of `entry`, or with `warps` warps where it is a lemma.
    pub fn new(proof: &'a Proof, entry: Option<&'a Entry>, warps: u64) -> Self {
        let numbers: Vec<(&str, u64)> = match entry {
            Some(entry) => (entry.params.iter())
                .filter_map(|param| Some((param.name, param.value.number()?)))
                .collect(),
            None => proof.params.to_vec(),
        };
        let warps = entry.map_or(warps, |entry| entry.param("warps").unwrap_or(1));
        let index_bits = warps.checked_sub(1).and_then(u64::checked_ilog2);
        let mut sizes = vec![
            ("NW".to_owned(), warps),
            (
                "IW".to_owned(),
                index_bits.map_or(0, |bit| u64::from(bit) + 1),
            ),
            (
                "CW".to_owned(),
                u64::from(u64::BITS - warps.leading_zeros()),
            ),
        ];
        // A parameter such as `packs` reaches the property file as PACKS, ceil(log2 packs) as PACKS_BITS.
        for (name, value) in numbers.into_iter().filter(|(name, _)| *name != "warps") {
            let bits = value.checked_sub(1).and_then(u64::checked_ilog2);
            let name = name.to_uppercase();
            sizes.push((
                format!("{name}_BITS"),
                bits.map_or(0, |bit| u64::from(bit) + 1),
            ));
            sizes.push((name, value));
        }
        let written = (proof.written)
            .zip(entry)
            .map(|(written, entry)| written(entry));
        let text = written.unwrap_or_else(|| proof.source.1.to_owned());
        Recipe {
            proof,
            module: entry.map_or("", |entry| &entry.name),
            property: registers::expanded(&text, &sizes),
            sizes,
        }
    }

    /// How to prove `proof` of `module`, which has no sizes.
    #[cfg(test)]
    pub fn of_module(proof: &'a Proof, module: &'a str) -> Self {
        Recipe {
            module,
            ..Recipe::new(proof, None, 2)
        }
    }

    /// What Yosys does with property file `property` and Verilog `dut`; leaves `property.aig`, and in `property.map` the
    /// numbers of its inputs.
    pub fn yosys(&self, property: &str, dut: &str, defines: &[&str]) -> String {
        let Recipe { proof, module, .. } = self;
        let sizes: String = (self.sizes.iter())
            .map(|(name, value)| format!("-D{name}={value} "))
            .collect();
        let defines: String = defines
            .iter()
            .chain(proof.defines)
            .map(|define| format!("-D{define} "))
            .collect();
        let power_on = defines.contains("POWER_ON");
        let arrays = match (proof.arrays, power_on) {
            (false, _) => String::new(),
            (true, false) => format!("techmap -map {}; ", array::MAP.0),
            (true, true) => format!("techmap -D POWER_ON -map {}; ", array::MAP.0),
        };
        // Registers are freed of their power-on values, except the counter of frames, unless these are the question.
        let free = if power_on {
            ""
        } else {
            "setattr -unset init w:* w:second %d;"
        };
        let whole = ["PRODUCTS", "LEMMAS", "VACUITY"]
            .iter()
            .any(|question| defines.contains(question));
        let of_units = |script: &dyn Fn(String) -> String| -> String {
            let units = proof.cut_units.iter().filter(|_| !whole);
            units
                .map(|unit| script(format!("{module}${unit}")))
                .collect()
        };
        // Of a unit that is cut, only its ports are left: most of a top is in its units, and would be flattened for nothing.
        // Not at power-on, which may be asked of a register inside.
        let mut emptied = String::new();
        if !proof.cut_units.is_empty() && !whole && !power_on {
            emptied = of_units(&|unit| format!("delete {unit}/c:* {unit}/m:* {unit}/p:*; "));
            emptied += "hierarchy -top proof; ";
        }
        let units = of_units(&|unit| format!("cutpoint {unit}/o:*; "));
        // Those of the unit, each a module of its own, and those of the property file.
        let (products, cut) = if proof.cut_products && !whole {
            (
                format!("cutpoint {module}$*rows/o:product; "),
                "cutpoint t:$mul;",
            )
        } else {
            (String::new(), "")
        };
        let dut = match module.is_empty() {
            true => String::new(),
            false => format!("read_verilog -DFORMAL {dut}; "),
        };
        format!(
            "read_verilog -formal -sv {defines} -DTOP={module} {sizes}{property}; {dut}hierarchy -top proof; {emptied}proc; {units}{products}flatten; \
             opt_clean -purge; opt_expr; opt_clean -purge; {cut} memory_collect; {arrays}memory_map; opt_expr; opt_clean; wreduce; opt_expr; opt_clean; \
             {free} async2sync; simplemap; dffunmap; techmap; opt_clean; dffunmap; setundef -undriven -anyseq; aigmap; \
             write_aiger -zinit -map property.map property.aig"
        )
    }

    /// As [`Recipe::yosys`] for the main question, but leaves `whole.aig` besides, and in `property.aig` the assertions `names`
    /// are in force no more: they are there, at the same place, and never fail.
    pub fn yosys_apart(&self, property: &str, dut: &str, names: &[String]) -> String {
        let script = self.yosys(property, dut, &[]);
        let never = names
            .iter()
            .map(|name| format!("connect -port {name} EN 1'b0; "));
        let never: String = never.collect();
        script.replace(
            "write_aiger",
            &format!("write_aiger -zinit {WHOLE}; cd proof; {never}cd ..; write_aiger"),
        )
    }

    /// The property file with its events beside its claims, where Yosys does the same for both: where nothing is cut.
    pub fn with_events(&self) -> Option<String> {
        let Proof {
            events,
            cut_units,
            cut_products,
            ..
        } = *self.proof;
        if events == 0 || cut_products || !cut_units.is_empty() {
            return None;
        }
        // Either is a sequence of statements.
        let mut open = Vec::new();
        let mut text = String::new();
        for line in self.property.lines() {
            let word = line.split_whitespace().next().unwrap_or("");
            if word.starts_with("`if") {
                open.push(line.trim() == "`ifdef VACUITY");
            }
            let is_directive = ["`ifdef", "`ifndef", "`else", "`endif"].contains(&word);
            if !(is_directive && open.last() == Some(&true)) {
                text += line;
                text.push('\n');
            }
            if word == "`endif" {
                open.pop();
            }
        }
        Some(text)
    }

    /// What ABC does with file `aiger`, or with `cone` one of its outputs; leaves `property.cnf`.
    pub fn abc(&self, aiger: &str, cone: &str) -> String {
        let frames = self.proof.frames;
        format!(
            "read_aiger {aiger}; fold; strash; {cone} frames -i -F {frames}; orpos; write_cnf property.cnf"
        )
    }

    /// Options of CaDiCaL. To look for a proof first takes a third off the main question where there is one; products take
    /// many times as long that way.
    pub fn cadical(&self, defines: &[&str]) -> &'static [&'static str] {
        match self.proof.expected {
            Verdict::Proved if defines.is_empty() => &["-q", "--unsat"],
            _ => &["-q"],
        }
    }

    /// The questions that decide the proof, each with the defines of its property file.
    pub fn questions(&self) -> Vec<&'static [&'static str]> {
        let mut questions: Vec<&'static [&'static str]> = vec![&[]];
        if self.proof.cut_products {
            questions.push(&["PRODUCTS"]);
        }
        if self.proof.lemmas {
            questions.push(&["LEMMAS"]);
        }
        if self.proof.places {
            questions.push(&["PLACES"]);
        }
        if self.proof.power_on {
            questions.push(&["POWER_ON"]);
        }
        questions
    }
}

/// A file of a proof, or its part of a Makefile.
pub(crate) struct Packed {
    /// Files besides the Verilog, by name.
    pub files: Vec<(PathBuf, String)>,
    /// Lines of a Makefile recipe, without tabs.
    pub lines: Vec<String>,
}

impl Recipe<'_> {
    /// What a folder needs, beside the Verilog in `MODULE.v`, to run this proof with `make`.
    pub fn packed(&self) -> Packed {
        let Proof { name, expected, .. } = self.proof;
        let (file, _) = self.proof.source;
        let property = file.replace(".sv", "_properties.sv");
        let mut files = vec![(PathBuf::from(&property), self.property.clone())];
        if self.proof.arrays {
            files.push((PathBuf::from(array::MAP.0), array::MAP.1.to_owned()));
        }
        let dut = format!("{}.v", self.module);
        let code = match expected {
            Verdict::Proved => UNSATISFIABLE,
            Verdict::Refuted => SATISFIABLE,
        };
        let mut lines = Vec::new();
        for defines in self.questions() {
            let yosys = self.yosys(&property, &dut, defines).replace('$', "$$");
            let words = [&[*name][..], defines].concat().join(" ");
            lines.extend([
                format!("yosys -q -p '{yosys}'"),
                format!(
                    "$(ABC) -c '{}' > property.log",
                    self.abc("property.aig", "")
                ),
                format!(
                    "cadical {} property.cnf > property.log; test $$? -eq {code}",
                    self.cadical(defines).join(" ")
                ),
                format!("@echo 'as claimed: {words}'"),
            ]);
        }
        Packed { files, lines }
    }
}
