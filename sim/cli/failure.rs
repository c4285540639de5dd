//! How a command ends badly: what is printed, and the exit code.

use std::io::ErrorKind;
use std::process::ExitCode;

/// Why a command failed.
pub enum Failure {
    /// The input is wrong (exit code 2).
    Input(miette::Report),
    /// The run itself failed: hang, divergence, wrong result, stale file (exit code 1).
    Run(miette::Report),
}

/// Result of a command.
pub type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// Bad input without a place in a file.
    pub fn input(message: impl std::fmt::Display, help: impl std::fmt::Display) -> Self {
        Failure::Input(miette::miette!(help = help.to_string(), "{message}"))
    }

    /// A failed run without a place in a file.
    pub fn run(message: impl std::fmt::Display) -> Self {
        Failure::Run(miette::miette!("{message}"))
    }

    /// Prints the failure to standard error and gives its exit code.
    pub fn report(self) -> ExitCode {
        let (report, code) = match self {
            Failure::Input(report) => (report, 2),
            Failure::Run(report) => (report, 1),
        };
        if is_broken_pipe(&report) {
            return ExitCode::SUCCESS;
        }
        crate::output::note(&format!("{report:?}"));
        ExitCode::from(code)
    }
}

/// A reader such as `head` that closes the pipe is no failure of ours.
fn is_broken_pipe(report: &miette::Report) -> bool {
    report.chain().any(|cause| {
        cause
            .downcast_ref::<std::io::Error>()
            .is_some_and(|io| io.kind() == ErrorKind::BrokenPipe)
    })
}

/// Turns library errors into failures.
pub trait OrFail<T> {
    /// The error lies in what the user gave.
    fn or_input(self) -> Outcome<T>;
}

impl<T, E: miette::Diagnostic + Send + Sync + 'static> OrFail<T> for Result<T, E> {
    fn or_input(self) -> Outcome<T> {
        self.map_err(|error| Failure::Input(error.into()))
    }
}
