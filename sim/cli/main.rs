//! The `regshare` program. Libraries return errors; only this binary prints and exits.
//!
//! Exit codes: 0 done, 1 the run failed (hang, divergence, wrong result), 2 bad input or usage.

mod args;
mod commands;
mod failure;
mod output;
mod report;
mod wave;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    let done = match cli.command {
        args::Command::Demo(args) => commands::demo::run(&args),
        args::Command::Run(args) => commands::run::run(&args),
        args::Command::Compile(args) => commands::compile::run(&args),
        args::Command::Occupancy(args) => commands::occupancy::run(&args),
        args::Command::Verilog(args) => commands::verilog::run(&args),
        args::Command::Cost(args) => commands::cost::run(&args),
        args::Command::Repro(args) => commands::repro::run(&args),
        args::Command::List(args) => commands::list::run(&args),
        args::Command::Bless(args) => commands::bless::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
