//! One file per subcommand.

pub mod bless;
mod chosen;
pub mod compile;
pub mod cost;
pub mod demo;
pub mod list;
pub mod occupancy;
pub mod paper;
pub mod repro;
pub mod run;
pub mod trace;
pub mod validate;
pub mod verilog;

use crate::args::{MachineArgs, SchemeArgs};
use crate::failure::{Failure, OrFail, Outcome};
use regshare_sim::flow::{self, FlowError};
use regshare_sim::machine::Machine;
use regshare_sim::scheme::{Cars, SchemeOptions};

/// The machine of `--machine`: a preset, or a TOML file.
fn machine(args: &MachineArgs) -> Outcome<Machine> {
    machine_of(&args.machine)
}

/// The machine of that name, or in that file.
fn machine_of(name: &str) -> Outcome<Machine> {
    if Machine::preset_names().any(|preset| preset == name) || !std::path::Path::new(name).exists()
    {
        return Machine::preset(name).or_input();
    }
    let text = std::fs::read_to_string(name).map_err(|error| {
        Failure::input(
            format!("cannot read {name}: {error}"),
            "give a machine file (TOML, UTF-8)",
        )
    })?;
    Machine::from_toml(&text, name).or_input()
}

/// The options of the schemes.
fn scheme_options(args: &SchemeArgs) -> Outcome<SchemeOptions> {
    Ok(SchemeOptions {
        es: flow::es_size(&args.es, args.es_policy.as_deref()).or_input()?,
        sharing: flow::percent(&args.sharing).or_input()?,
        shrink: flow::shrink(&args.shrink).or_input()?,
        demote: flow::demote(&args.demote).or_input()?,
        flag_entries: flow::flag_cache(&args.flag_cache).or_input()?,
        wake_up: flow::wake_up(&args.wake_up).or_input()?,
        table_bytes: args.table_bytes,
        cars: Cars {
            watermark: flow::watermark(&args.watermark).or_input()?,
            extra_cycle: !args.no_extra_cycle,
            ctas_of_an_sm: None,
        },
    })
}

/// Sorts an error of the flow into bad input and failed run.
fn checked<T>(result: Result<T, FlowError>) -> Outcome<T> {
    result.map_err(|error| {
        if error.is_run_failure() {
            Failure::Run(error.into())
        } else {
            Failure::Input(error.into())
        }
    })
}
