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
use regshare_sim::flow::{self, FlowError, SchemeError, SchemeOption, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::scheme::{Cars, SchemeOptions};
use std::path::Path;

/// The machine of `--machine`: a preset, or a TOML file.
fn machine(args: &MachineArgs) -> Outcome<Machine> {
    machine_of(&args.machine)
}

/// The machine of that name, or in that file.
fn machine_of(name: &str) -> Outcome<Machine> {
    if Machine::preset_names().any(|preset| preset == name) || !Path::new(name).exists() {
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

/// A bundled kernel, or what a file and those that are linked with it hold.
fn workload(source: &str, link: &[String], launch: Option<&Path>) -> Outcome<Workload> {
    checked(match (link, launch) {
        ([_, ..], Some(launch)) => {
            let mut files = vec![source.to_owned()];
            files.extend(link.iter().cloned());
            Workload::open_linked(&files, launch)
        }
        (_, launch) => Workload::open(source, launch),
    })
}

/// The options of the schemes.
fn scheme_options(args: &SchemeArgs) -> Outcome<SchemeOptions> {
    fn read<T>(
        given: Option<&String>,
        read: fn(&str) -> Result<T, SchemeError>,
        otherwise: T,
    ) -> Outcome<T> {
        given.map_or(Ok(otherwise), |given| read(given).or_input())
    }
    let other = SchemeOptions::default();
    let es = args.es.as_deref().unwrap_or("auto");
    Ok(SchemeOptions {
        es: flow::es_size(es, args.es_policy.as_deref()).or_input()?,
        sharing: read(args.sharing.as_ref(), flow::percent, other.sharing)?,
        shrink: read(args.shrink.as_ref(), flow::shrink, other.shrink)?,
        demote: read(args.demote.as_ref(), flow::demote, other.demote)?,
        flag_entries: read(
            args.flag_cache.as_ref(),
            flow::flag_cache,
            other.flag_entries,
        )?,
        wake_up: read(args.wake_up.as_ref(), flow::wake_up, other.wake_up)?,
        table_clocks: args.table_clocks,
        table_bytes: args.table_bytes,
        resident: read(args.resident.as_ref(), flow::resident, other.resident)?,
        cta_throttle: read(
            args.cta_throttle.as_ref(),
            flow::cta_throttle,
            other.cta_throttle,
        )?,
        cars: Cars {
            watermark: read(
                args.watermark.as_ref(),
                flow::watermark,
                other.cars.watermark,
            )?,
            extra_cycle: !args.no_extra_cycle,
            ctas_of_an_sm: None,
            stack_bytes: args.stack_bytes(),
        },
    })
}

/// Refuses what is given and means nothing under any of the schemes that are named.
fn check_used(args: &SchemeArgs, schemes: &[impl AsRef<str>]) -> Outcome {
    let given = [
        (SchemeOption::Es, args.es.is_some()),
        (SchemeOption::EsPolicy, args.es_policy.is_some()),
        (SchemeOption::Sharing, args.sharing.is_some()),
        (SchemeOption::Shrink, args.shrink.is_some()),
        (SchemeOption::Demote, args.demote.is_some()),
        (SchemeOption::FlagCache, args.flag_cache.is_some()),
        (SchemeOption::WakeUp, args.wake_up.is_some()),
        (SchemeOption::TableClocks, args.table_clocks.is_some()),
        (SchemeOption::TableBytes, args.table_bytes.is_some()),
        (SchemeOption::Resident, args.resident.is_some()),
        (SchemeOption::CtaThrottle, args.cta_throttle.is_some()),
        (SchemeOption::Watermark, args.watermark.is_some()),
        (SchemeOption::NoExtraCycle, args.no_extra_cycle),
        (SchemeOption::StackBytes, args.stack_bytes.is_some()),
    ];
    for (option, _) in given.into_iter().filter(|(_, given)| *given) {
        option.check(schemes).or_input()?;
    }
    Ok(())
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
