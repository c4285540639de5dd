//! The programs that check the exported Verilog: Icarus, Verilator, Yosys, ABC, CaDiCaL, nextpnr.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program that need not be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Icarus Verilog, the compiler.
    Iverilog,
    /// Icarus Verilog, the simulator.
    Vvp,
    /// Verilator, linter and simulator (needs a C++ compiler and make for the latter).
    Verilator,
    /// Yosys, synthesis.
    Yosys,
    /// ABC, here to unroll and to write CNF.
    Abc,
    /// CaDiCaL, SAT solver.
    Cadical,
    /// nextpnr for iCE40, place and route.
    Nextpnr,
}

impl Tool {
    /// Names under which distributions install it, preferred first.
    fn programs(self) -> &'static [&'static str] {
        match self {
            Tool::Iverilog => &["iverilog"],
            Tool::Vvp => &["vvp"],
            Tool::Verilator => &["verilator"],
            Tool::Yosys => &["yosys"],
            Tool::Abc => &["berkeley-abc", "yosys-abc", "abc"],
            Tool::Cadical => &["cadical"],
            Tool::Nextpnr => &["nextpnr-ice40"],
        }
    }

    /// Name for people.
    pub fn name(self) -> &'static str {
        self.programs()[0]
    }

    /// Where it is installed, if it is.
    pub fn find(self) -> Option<PathBuf> {
        let path = std::env::var_os("PATH")?;
        let found = |program: &&str| {
            std::env::split_paths(&path)
                .map(|dir| dir.join(program))
                .find(|p| p.is_file())
        };
        self.programs().iter().find_map(found)
    }

    /// Runs it in `dir` and returns all it wrote, standard output first.
    ///
    /// # Errors
    /// [`ToolError::Missing`] if it is not installed, [`ToolError::Io`] if it cannot be started,
    /// [`ToolError::Failed`] if its exit code is not in `accepted`.
    pub fn run<S: AsRef<OsStr>>(
        self,
        dir: &Path,
        args: impl IntoIterator<Item = S>,
        accepted: &[i32],
    ) -> Result<Ran, ToolError> {
        let program = self
            .find()
            .ok_or(ToolError::Missing { tool: self.name() })?;
        run(&program, dir, args, accepted)
    }
}

/// The tools of `needed` that are not installed.
pub fn missing(needed: &[Tool]) -> Vec<Tool> {
    needed
        .iter()
        .copied()
        .filter(|tool| tool.find().is_none())
        .collect()
}

/// Whether all `needed` tools are installed. If not, says aloud (past the test harness's capture) that `what` is left
/// out; with `REGSHARE_REQUIRE_TOOLS=1` fails instead. For tests.
///
/// # Panics
/// If a tool is missing and the environment has `REGSHARE_REQUIRE_TOOLS=1`.
#[must_use]
pub fn have(needed: &[Tool], what: &str) -> bool {
    let missing: Vec<_> = missing(needed).iter().map(|tool| tool.name()).collect();
    if missing.is_empty() {
        return true;
    }
    let missing = missing.join(", ");
    let required = std::env::var_os("REGSHARE_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    assert!(
        !required,
        "{what} needs {missing}, and REGSHARE_REQUIRE_TOOLS=1 forbids leaving it out"
    );
    let _ = writeln!(io::stderr(), "left out: {what} (needs {missing})");
    false
}

/// What a program that ran left behind.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Exit code.
    pub code: i32,
    /// Standard output, then standard error.
    pub log: String,
}

/// Why a tool did not do its work.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// Not installed.
    #[error("{tool} is not installed")]
    Missing {
        /// Name of the program.
        tool: &'static str,
    },
    /// Could not be started, or its files could not be written.
    #[error("{what}: {source}")]
    Io {
        /// What was being done.
        what: String,
        /// Why it failed.
        source: io::Error,
    },
    /// It ran and refused.
    #[error("{program} failed with exit code {code}:\n{log}")]
    Failed {
        /// Path of the program.
        program: String,
        /// Its exit code; -1 when a signal ended it.
        code: i32,
        /// All it wrote.
        log: String,
    },
}

impl ToolError {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> ToolError {
        let what = what.into();
        move |source| ToolError::Io { what, source }
    }
}

/// Runs any program; see [`Tool::run`].
///
/// # Errors
/// As [`Tool::run`], without [`ToolError::Missing`].
pub fn run<S: AsRef<OsStr>>(
    program: &Path,
    dir: &Path,
    args: impl IntoIterator<Item = S>,
    accepted: &[i32],
) -> Result<Ran, ToolError> {
    let name = program.display().to_string();
    let output = Command::new(program)
        .args(args)
        .current_dir(dir)
        .env_remove("MAKEFLAGS")
        .output()
        .map_err(ToolError::io(format!("cannot start {name}")))?;
    let code = output.status.code().unwrap_or(-1);
    let mut log = String::from_utf8_lossy(&output.stdout).into_owned();
    log.push_str(&String::from_utf8_lossy(&output.stderr));
    if accepted.contains(&code) {
        Ok(Ran { code, log })
    } else {
        Err(ToolError::Failed {
            program: name,
            code,
            log,
        })
    }
}

/// Writes a file for a tool to read.
///
/// # Errors
/// [`ToolError::Io`] if it cannot be written.
pub fn write(path: &Path, text: &str) -> Result<(), ToolError> {
    std::fs::write(path, text).map_err(ToolError::io(format!("cannot write {}", path.display())))
}
