//! `regshare list`.

use crate::args::{ListArgs, Listing};
use crate::failure::{OrFail, Outcome};
use crate::output;
use crate::report::table::plain;
use regshare_sim::bundled;
use regshare_sim::flow;
use regshare_sim::gpu::GpuMachine;
use regshare_sim::machine::Machine;
use regshare_sim::scheme::es::Policy;

/// Lists one kind of thing.
pub fn run(args: &ListArgs) -> Outcome {
    let text = match args.what {
        Listing::Machines => machines()?,
        Listing::Schemes => schemes(),
        Listing::Kernels => kernels(),
        Listing::Units => super::verilog::units(),
    };
    output::print(&text)
}

fn machines() -> Outcome<String> {
    let mut table = plain(&[
        "machine",
        "SMs",
        "warps/SM",
        "CTAs/SM",
        "threads/SM",
        "packs/SM",
        "scratchpad",
        "schedulers",
    ]);
    for name in Machine::preset_names() {
        let machine = Machine::preset(name).or_input()?;
        let limits = &machine.limits;
        table.add_row([
            name.to_owned(),
            machine.sms.to_string(),
            limits.warps_per_sm.to_string(),
            limits.ctas_per_sm.to_string(),
            limits.threads_per_sm.to_string(),
            limits.packs_per_sm.to_string(),
            format!("{} KiB", limits.scratchpad_bytes / 1024),
            format!(
                "{}, {}",
                machine.schedulers.count, machine.schedulers.policy
            ),
        ]);
    }
    let mut replayed = plain(&[
        "trace run",
        "SMs",
        "warps/SM",
        "CTAs/SM",
        "threads/SM",
        "registers/SM",
        "scratchpad",
        "schedulers",
    ]);
    for name in GpuMachine::preset_names() {
        let machine = GpuMachine::preset(name).or_input()?;
        let limits = &machine.limits;
        replayed.add_row([
            name.to_owned(),
            machine.chip.sms.to_string(),
            limits.warps.to_string(),
            limits.ctas.to_string(),
            limits.threads.to_string(),
            limits.registers.to_string(),
            format!("{} KiB", limits.scratchpad_bytes / 1024),
            format!("{}, {}", machine.issue.schedulers, machine.issue.policy),
        ]);
    }
    Ok(format!("{table}\n\n{replayed}\n"))
}

fn schemes() -> String {
    let mut table = plain(&["scheme", "what it does"]);
    for (name, what) in flow::all_schemes() {
        table.add_row([name, what]);
    }
    let mut policies = plain(&["--es-policy", ""]);
    for (name, policy) in Policy::ALL {
        policies.add_row([
            name,
            if policy == Policy::default() {
                "default"
            } else {
                ""
            },
        ]);
    }
    format!("{table}\n\n{policies}\n")
}

fn kernels() -> String {
    let mut table = plain(&["kernel", "calls", "what it computes", "stands for"]);
    for kernel in bundled::every() {
        let calls = kernel.calls.word();
        table.add_row([kernel.name, calls, kernel.summary, kernel.class]);
    }
    format!("{table}\n")
}
