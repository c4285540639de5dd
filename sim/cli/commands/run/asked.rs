//! What `regshare run` was asked for: kernels, the chip, the backend.

use crate::args::{BackendArg, RunArgs};
use crate::commands::trace::replay;
use crate::failure::{Failure, OrFail, Outcome};
use crate::recorders::check_single;
use regshare_hw::manager::Backend;
use regshare_sim::bundled;
use regshare_sim::flow::is_list;
use regshare_sim::gpu::GpuMachine;
use regshare_sim::machine::Machine;
use regshare_sim::trace::read_list;
use regshare_sim::trace::record::Command;
use std::path::Path;
use std::sync::Arc;

/// The chip whose memory SMs share; `None`: each has a share of the machine's.
pub(super) fn chip(args: &RunArgs, machine: &Machine) -> Outcome<Option<Arc<GpuMachine>>> {
    let name = match args.memory.as_str() {
        "share" => return Ok(None),
        "chip" => &machine.name,
        name => name,
    };
    let mut presets = GpuMachine::preset_names();
    if args.memory == "chip" && !presets.any(|preset| preset == name) {
        let presets: Vec<_> = GpuMachine::preset_names().collect();
        return Err(Failure::input(
            format!("--memory chip: nothing is known of a whole `{name}`"),
            format!(
                "name another chip ({}), or give a machine file of `trace run`",
                presets.join(", ")
            ),
        ));
    }
    let chip = replay::machine(name)?;
    if u32::from(args.sms) > chip.chip.sms {
        return Err(Failure::input(
            format!(
                "--sms {}: the chip {} has {} SMs",
                args.sms, chip.name, chip.chip.sms
            ),
            "give fewer, or another chip with --memory",
        ));
    }
    Ok(Some(Arc::new(chip)))
}

/// The kernels, in the order of the command line; a list of a trace stands for its kernels.
pub(super) fn kernels(args: &RunArgs) -> Outcome<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    for name in &args.kernels {
        if name == "all" {
            names.extend(bundled::all().iter().map(|kernel| kernel.name.to_owned()));
        } else if bundled::find(name).is_none() && is_list(Path::new(name)) {
            let list = Path::new(name);
            for command in read_list(list).or_input()? {
                if let Command::Kernel(file) = command {
                    names.push(list.with_file_name(file).to_string_lossy().into_owned());
                }
            }
        } else {
            names.push(name.clone());
        }
    }
    let is_file = |name: &String| bundled::find(name).is_none();
    if names.len() > 1 && args.kernel.launch.is_some() && !names.iter().all(is_file) {
        return Err(Failure::input(
            format!("--launch starts one kernel, {} are given", names.len()),
            "run each kernel on its own; only PTX files are linked into one program",
        ));
    }
    if args.kernel.launch.is_none() {
        check_single(&args.record, names.len())?;
    }
    if let (Some(option), 2..) = (args.record.option(), args.launches) {
        return Err(Failure::input(
            format!(
                "{option} records one launch, {} are asked for",
                args.launches
            ),
            "leave out --launches",
        ));
    }
    Ok(names)
}

pub(super) fn backend(backend: BackendArg) -> Backend {
    match backend {
        BackendArg::Model => Backend::Model,
        BackendArg::Rtl => Backend::Rtl,
        BackendArg::Lockstep => Backend::Lockstep,
        BackendArg::Verilog => Backend::Verilog,
    }
}
