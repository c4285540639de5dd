//! The `regshare` program. Libraries return errors; only this binary prints and exits.
//!
//! Exit codes: 0 done, 1 the run failed (hang, divergence, wrong result), 2 bad input or usage, 128 and the number of the
//! signal that interrupted it.

mod args;
mod commands;
mod failure;
#[cfg(feature = "verilog")]
mod on_demand;
mod output;
mod recorders;
mod report;
mod runs;
mod timeline;
mod unfinished;
mod wave;

use clap::Parser;
use std::process::ExitCode;

/// The one variable that changes what the program does (not what it prints): a slip in it would be passed over.
fn check_environment() -> failure::Outcome {
    const THREADS: &str = "RAYON_NUM_THREADS";
    match std::env::var_os(THREADS) {
        Some(value)
            if value
                .to_str()
                .is_none_or(|text| text.parse::<u16>().is_err()) =>
        {
            Err(failure::Failure::input(
                format!("the environment variable {THREADS} is {value:?}, not a number of threads"),
                "set it to a number from 1 to 65535, or unset it: as many as there are cores",
            ))
        }
        _ => Ok(()),
    }
}

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    if let Err(failure) = check_environment() {
        return failure.report();
    }
    // Where signals cannot be heard, an interrupted run leaves more behind; no reason not to run.
    let _ = unfinished::listen();
    #[cfg(feature = "verilog")]
    on_demand::install();
    let done = match cli.command {
        args::Command::Demo(args) => commands::demo::run(&args),
        args::Command::Run(args) => commands::run::run(&args),
        args::Command::Compile(args) => commands::compile::run(&args),
        args::Command::Occupancy(args) => commands::occupancy::run(&args),
        args::Command::Verilog(args) => commands::verilog::run(&args),
        args::Command::Cost(args) => commands::cost::run(&args),
        args::Command::Repro(args) => commands::repro::run(&args),
        args::Command::Trace(command) => commands::trace::run(&command),
        args::Command::Validate(args) => commands::validate::run(&args),
        args::Command::List(args) => commands::list::run(&args),
        args::Command::Bless(args) => commands::bless::run(&args),
    };
    unfinished::wait_if_interrupted();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
