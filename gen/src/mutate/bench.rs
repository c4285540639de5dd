//! One Verilator program per unit that replays cases against every mutant.

use super::MutateError;
use super::schema::SELECTOR;
use crate::catalog::Entry;
use crate::recording::Recording;
use crate::tools::{Tool, ToolError, run, write};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Where a mutant's answer first differs from the model's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Killed {
    /// Case, from 0.
    pub case: usize,
    /// Row of the case, from 0.
    pub row: usize,
}

/// A built simulator of a unit with all its mutants.
pub struct Bench {
    dir: PathBuf,
    unit: String,
}

const FILE: &str = "cases.bin";

impl Bench {
    /// Builds `verilog`, the schema of `entry` (or any Verilog of its ports and the selector), in folder `dir`. A folder
    /// in which another bench was built is faster; that bench is gone.
    ///
    /// # Errors
    /// [`ToolError`] if Verilator or a C++ compiler is missing or refuses the files.
    pub fn build(dir: &Path, entry: &Entry, verilog: &str) -> Result<Bench, ToolError> {
        clean(&dir.join("obj"))
            .map_err(ToolError::io("cannot clean the folder of an earlier build"))?;
        write(&dir.join("schema.v"), verilog)?;
        write(&dir.join("main.cpp"), &program(entry))?;
        // Verilator's library depends on the makefile of the design, for no reason that matters here: call that old.
        let args = [
            "--cc",
            "--exe",
            "--build",
            "-j",
            "1",
            "-MAKEFLAGS",
            "-o Vschema.mk",
            "-Wno-fatal",
            "-Wno-lint",
            "-Wno-style",
            "-O3",
            "-CFLAGS",
            "-O1",
            "--top-module",
            &entry.name,
            "--prefix",
            "Vschema",
            "--Mdir",
            "obj",
            "-o",
            "mutants",
            "schema.v",
            "main.cpp",
        ];
        Tool::Verilator.run(dir, args, &[0])?;
        Ok(Bench {
            dir: dir.into(),
            unit: entry.name.clone(),
        })
    }

    /// Replays `cases`, each from power-on, with each mutant up to the first answer that differs; `None` for those
    /// that survive. The original is replayed first.
    ///
    /// # Errors
    /// [`MutateError::Unsound`] if the original differs from the model; [`MutateError::Tool`] if the program fails.
    pub fn replay(
        &self,
        cases: &[Recording],
        mutants: &[usize],
    ) -> Result<Vec<Option<Killed>>, MutateError> {
        let mut words: Vec<u64> = vec![1 + mutants.len() as u64, 0];
        words.extend(mutants.iter().map(|&number| number as u64));
        words.push(cases.len() as u64);
        for case in cases {
            words.push(case.rows.len() as u64);
            for row in &case.rows {
                words.push(row.edge.into());
                words.extend(row.inputs.iter().chain(&row.outputs));
            }
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(self.dir.join(FILE), bytes)
            .map_err(ToolError::io("cannot write the cases"))?;
        let ran = run(&self.dir.join("obj/mutants"), &self.dir, [FILE], &[0])?;
        let answers = ran
            .log
            .lines()
            .filter_map(|line| line.strip_prefix("mutant "));
        let answers = answers.map(|line| {
            let numbers: Vec<usize> = line
                .split(' ')
                .filter_map(|word| word.parse().ok())
                .collect();
            match numbers[..] {
                [number, case, row] => Ok((number, Some(Killed { case, row }))),
                [number] => Ok((number, None)),
                _ => Err(MutateError::Answer {
                    what: "mutants",
                    line: line.to_owned(),
                }),
            }
        });
        let answers = answers.collect::<Result<Vec<_>, _>>()?;
        if let Some((0, Some(Killed { case, row }))) = answers.first() {
            return Err(MutateError::Unsound {
                unit: self.unit.clone(),
                case: *case,
                row: *row,
            });
        }
        let numbers: Vec<_> = answers.iter().map(|(number, _)| *number).collect();
        if numbers.first() != Some(&0) || numbers[1..] != *mutants {
            return Err(MutateError::Answer {
                what: "mutants",
                line: ran.log,
            });
        }
        Ok(answers
            .into_iter()
            .skip(1)
            .map(|(_, killed)| killed)
            .collect())
    }
}

/// Removes what an earlier build left, but for Verilator's own library, which takes long to compile and stays the same.
fn clean(obj: &Path) -> std::io::Result<()> {
    if !obj.is_dir() {
        return Ok(());
    }
    for file in std::fs::read_dir(obj)? {
        let file = file?;
        if !file.file_name().to_string_lossy().starts_with("verilated") {
            std::fs::remove_file(file.path())?;
        }
    }
    Ok(())
}

/// The C++ around the verilated module. A fresh model per case is a fresh power-on state.
fn program(entry: &Entry) -> String {
    let width = 1 + entry.inputs.len() + entry.outputs.len();
    let (mut drive, mut compare) = (String::new(), String::new());
    for (at, pin) in (1..).zip(&entry.inputs) {
        let _ = writeln!(drive, "    dut.{} = row[{at}];", pin.name);
    }
    for (at, pin) in (1 + entry.inputs.len()..).zip(&entry.outputs) {
        let _ = writeln!(
            compare,
            "    if (uint64_t(dut.{}) != row[{at}]) return false;",
            pin.name
        );
    }
    let edge = if entry.is_clocked() {
        "    if (row[0]) { dut.clock = 1; dut.eval(); dut.clock = 0; dut.eval(); }\n"
    } else {
        ""
    };
    let low = if entry.is_clocked() {
        "    dut.clock = 0;\n"
    } else {
        ""
    };
    format!(
        "// Replays cases against every mutant. Input: 64-bit words; mutants, then cases of rows of edge flag, inputs,
// expected outputs. Output: a line per mutant, with case and row of the first difference if there is one.
#include \"Vschema.h\"
#include \"verilated.h\"
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

static bool step(Vschema& dut, const uint64_t* row) {{
{low}{drive}    dut.eval();
{compare}{edge}    return true;
}}

int main(int argc, char** argv) {{
    std::ifstream file(argv[argc - 1], std::ios::binary | std::ios::ate);
    std::vector<uint64_t> words(size_t(file.tellg()) / 8);
    file.seekg(0);
    file.read(reinterpret_cast<char*>(words.data()), std::streamsize(words.size() * 8));
    const uint64_t* mutants = words.data() + 1;
    const uint64_t* cases = mutants + words[0];
    for (uint64_t m = 0; m < words[0]; m++) {{
        const uint64_t* at = cases;
        uint64_t left = *at++;
        bool alive = true;
        for (uint64_t number = 0; alive && number < left; number++) {{
            VerilatedContext context;
            Vschema dut(&context);
            dut.{SELECTOR} = mutants[m];
            uint64_t rows = *at++;
            for (uint64_t row = 0; alive && row < rows; row++, at += {width}) {{
                alive = step(dut, at);
                if (!alive) printf(\"mutant %llu %llu %llu\\n\", (unsigned long long)mutants[m],
                                   (unsigned long long)number, (unsigned long long)row);
            }}
        }}
        if (alive) printf(\"mutant %llu\\n\", (unsigned long long)mutants[m]);
    }}
    return 0;
}}
"
    )
}
