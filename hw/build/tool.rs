//! Verilator and the C++ compilers, as the build script and the library start them.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Why a tool did not do its work. By hand and not by a derive, which the build script would have to build first.
#[derive(Debug)]
pub enum ToolError {
    /// A program cannot be started.
    Start { program: String, cause: io::Error },
    /// A program says that it failed.
    Failed { command: String, log: String },
    /// A file cannot be read or written.
    File { path: PathBuf, cause: io::Error },
    /// A file holds something else than it should.
    Text { path: PathBuf, reason: String },
}

impl ToolError {
    pub fn file(path: &Path, cause: io::Error) -> Self {
        ToolError::File {
            path: path.to_owned(),
            cause,
        }
    }

    pub fn text(path: &Path, reason: impl Into<String>) -> Self {
        ToolError::Text {
            path: path.to_owned(),
            reason: reason.into(),
        }
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolError::Start { program, cause } => write!(f, "{program}: {cause}"),
            ToolError::Failed { command, log } => write!(f, "{command} failed: {log}"),
            ToolError::File { path, cause } => write!(f, "{}: {cause}", path.display()),
            ToolError::Text { path, reason } => write!(f, "{}: {reason}", path.display()),
        }
    }
}

impl std::error::Error for ToolError {}

/// Reads a whole file.
pub fn read(path: &Path) -> Result<String, ToolError> {
    std::fs::read_to_string(path).map_err(|cause| ToolError::file(path, cause))
}

/// Writes a whole file.
pub fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), ToolError> {
    std::fs::write(path, text).map_err(|cause| ToolError::file(path, cause))
}

/// Runs a program and returns what it printed.
pub fn run(command: &mut Command) -> Result<String, ToolError> {
    let output = finished(command)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program to a good end.
pub fn finished(command: &mut Command) -> Result<Output, ToolError> {
    let output = command.output().map_err(|cause| ToolError::Start {
        program: command.get_program().to_string_lossy().into_owned(),
        cause,
    })?;
    if output.status.success() {
        return Ok(output);
    }
    Err(ToolError::Failed {
        command: format!("{command:?}"),
        log: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
    })
}

/// The folder of Verilator's headers and of what every program with its modules is linked with.
pub fn include() -> Result<PathBuf, ToolError> {
    let root = run(Command::new("verilator").args(["--getenv", "VERILATOR_ROOT"]))?;
    Ok(Path::new(root.trim()).join("include"))
}

/// The compiler for modules: what clang makes of their code is up to three times as fast.
pub fn compiler() -> &'static str {
    static CLANG: OnceLock<bool> = OnceLock::new();
    let clang = || run(Command::new("clang++").arg("--version")).is_ok();
    if *CLANG.get_or_init(clang) {
        "clang++"
    } else {
        "g++"
    }
}

/// What every module runs on, compiled; `level` is how much effort that is worth. By clang++ it would need one library more.
pub fn runtime(out: &Path, include: &Path, level: &str) -> Result<Vec<PathBuf>, ToolError> {
    let sources = ["verilated.cpp", "verilated_threads.cpp"].into_iter();
    let objects = sources.map(|source| {
        let object = out.join(source).with_extension("o");
        compile("g++", &include.join(source), &object, level, include, None)?;
        Ok(object)
    });
    objects.collect()
}

/// Compiles a file for a library that is loaded anywhere. Its functions are its own but those that say otherwise.
pub fn compile(
    compiler: &str,
    source: &Path,
    object: &Path,
    level: &str,
    include: &Path,
    precompiled: Option<&Path>,
) -> Result<(), ToolError> {
    let mut command = Command::new(compiler);
    // What it leaves when it is interrupted goes with the folder.
    if let Some(folder) = object.parent() {
        command.env("TMPDIR", folder);
    }
    command.args([level, "-std=c++17", "-fPIC", "-fvisibility=hidden", "-c"]);
    if let Some(header) = precompiled {
        command.arg("-include-pch").arg(header);
    }
    command.arg("-I").arg(include);
    command.arg("-I").arg(include.join("vltstd"));
    run(command.arg(source).arg("-o").arg(object))?;
    Ok(())
}
