//! Runs exported benches under Icarus and Verilator.

use crate::catalog::Entry;
use crate::package::bench_for;
use crate::recording::Recording;
use crate::tools::{Tool, ToolError, run, write};
use std::path::{Path, PathBuf};

/// What a bench said at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All rows agreed; how many.
    Pass {
        /// Rows compared.
        rows: usize,
    },
    /// Some did not, or there were none; all that the bench wrote.
    Fail {
        /// Differing outputs with row, value and expectation.
        log: String,
    },
}

impl Outcome {
    /// Whether all rows agreed.
    #[must_use]
    pub fn passed(&self) -> bool {
        matches!(self, Outcome::Pass { .. })
    }

    fn of(log: String, name: &str) -> Outcome {
        let mark = format!("PASS {name}: ");
        let rows = log
            .lines()
            .find_map(|line| line.strip_prefix(&mark)?.split(' ').next()?.parse().ok());
        match rows {
            Some(rows) => Outcome::Pass { rows },
            None => Outcome::Fail { log },
        }
    }
}

/// One module with its bench.
pub struct Design {
    /// Name of the module; its bench is `<name>_tb`.
    pub name: String,
    /// Verilog of the module and its children.
    pub verilog: String,
    /// Verilog of the bench.
    pub bench: String,
}

impl Design {
    /// `verilog` instead of what is exported of `entry`, with the bench of `recording`.
    #[must_use]
    pub fn new(entry: &Entry, verilog: String, recording: &Recording) -> Design {
        Design {
            name: entry.name.clone(),
            verilog,
            bench: bench_for(entry, recording).0,
        }
    }
}

/// A built simulator of one or more benches.
pub struct Simulator {
    program: PathBuf,
    args: Vec<String>,
    dir: PathBuf,
}

impl Simulator {
    /// Compiles one bench for Icarus in folder `dir`.
    ///
    /// # Errors
    /// [`ToolError`] if Icarus is not installed or refuses the files as Verilog-2005.
    pub fn icarus(dir: &Path, design: &Design) -> Result<Simulator, ToolError> {
        let name = &design.name;
        put(dir, design)?;
        let image = format!("{name}.vvp");
        let (module, bench) = (format!("{name}.v"), format!("{name}_tb.v"));
        Tool::Iverilog.run(
            dir,
            [
                "-g2005",
                "-s",
                &format!("{name}_tb"),
                "-o",
                &image,
                &bench,
                &module,
            ],
            &[0],
        )?;
        let program = Tool::Vvp.find().ok_or(ToolError::Missing {
            tool: Tool::Vvp.name(),
        })?;
        Ok(Simulator {
            program,
            args: vec!["-n".into(), image],
            dir: dir.into(),
        })
    }

    /// Builds one program of all benches with Verilator in folder `dir`. Of several designs, the one to run is chosen
    /// by which vectors are there: a bench without its file fails at once, and alone.
    ///
    /// # Errors
    /// [`ToolError`] if Verilator or a C++ compiler is missing or refuses the files.
    pub fn verilator(dir: &Path, designs: &[Design]) -> Result<Simulator, ToolError> {
        let mut top = String::from("module all_tb;\n");
        let mut args: Vec<String> = [
            "--binary",
            "--build-jobs",
            "2",
            "--timing",
            "-Wno-fatal",
            "-Wno-lint",
            "-O1",
            "-CFLAGS",
            "-O0",
        ]
        .into_iter()
        .chain([
            "--top-module",
            "all_tb",
            "--Mdir",
            "obj",
            "-o",
            "all_tb",
            "all_tb.v",
        ])
        .map(String::from)
        .collect();
        for design in designs {
            put(dir, design)?;
            let name = &design.name;
            top.push_str(&format!("    {name}_tb bench_{name} ();\n"));
            args.extend([format!("{name}.v"), format!("{name}_tb.v")]);
        }
        write(&dir.join("all_tb.v"), &(top + "endmodule\n"))?;
        Tool::Verilator.run(dir, &args, &[0])?;
        Ok(Simulator {
            program: dir.join("obj/all_tb"),
            args: vec![],
            dir: dir.into(),
        })
    }

    /// Runs the bench of `name` on `vectors`.
    ///
    /// # Errors
    /// [`ToolError`] if the simulator does not end by itself.
    pub fn replay(&self, name: &str, vectors: &str) -> Result<Outcome, ToolError> {
        let path = self.dir.join(crate::package::vectors_name(name));
        write(&path, vectors)?;
        let ran = run(&self.program, &self.dir, &self.args, &[0]);
        std::fs::remove_file(&path).map_err(ToolError::io("cannot remove the vectors"))?;
        Ok(Outcome::of(ran?.log, name))
    }
}

fn put(dir: &Path, design: &Design) -> Result<(), ToolError> {
    write(&dir.join(format!("{}.v", design.name)), &design.verilog)?;
    write(&dir.join(format!("{}_tb.v", design.name)), &design.bench)
}
