//! `regshare compile`: what the compiler makes of a kernel.

use super::paper::candidates;
use super::{checked, es, machine};
use crate::args::{CompileArgs, Emit};
use crate::failure::{Failure, OrFail, Outcome};
use crate::output;
use regshare_sim::compiler::cfg::Cfg;
use regshare_sim::compiler::draw;
use regshare_sim::compiler::liveness::{Liveness, WarpOptions};
use regshare_sim::flow::{self, Compiled, Workload};
use regshare_sim::kernel::{Kernel, text};
use regshare_sim::scheme::Plan;
use std::fmt::Write;
use std::io::IsTerminal;

/// Compiles and prints.
pub fn run(args: &CompileArgs) -> Outcome {
    if args.svg.is_some() && !matches!(args.emit, Emit::Liveness) {
        return Err(Failure::input(
            "--svg draws the liveness",
            "add `--emit liveness`",
        ));
    }
    let machine = machine(&args.machine)?;
    let workload = checked(Workload::open(&args.source, args.kernel.launch.as_deref()))?;
    let compiled = checked(flow::compile(&workload, args.kernel.max_regs))?;
    let scheme = flow::scheme(&args.scheme, es(&args.es)?).or_input()?;
    let plan = checked(flow::plan(&workload, &compiled, scheme.as_ref(), &machine))?;
    match args.emit {
        Emit::Kernel => output::print(&text::print(&plan.kernel)),
        Emit::Plan => output::print(&plan_text(&compiled, &plan)),
        Emit::Liveness => {
            let (terminal, svg) = drawings(&plan.kernel, plan.shared_from)?;
            if let Some(path) = &args.svg {
                output::write_file(path, svg.as_bytes())?;
            }
            output::print(&terminal)
        }
    }
}

/// The liveness of a kernel for the terminal and as SVG; `bs` marks the extended registers.
pub fn drawings(kernel: &Kernel, bs: Option<u16>) -> Outcome<(String, String)> {
    let cfg = Cfg::new(kernel).map_err(Failure::run)?;
    let liveness = Liveness::warp_wide(kernel, &cfg, WarpOptions::default());
    let terminal = if std::io::stdout().is_terminal() {
        draw::terminal_colored(kernel, &liveness, bs)
    } else {
        draw::terminal(kernel, &liveness, bs)
    };
    Ok((terminal, draw::svg(kernel, &liveness, bs, None)))
}

/// The plan in words, one fact per line.
pub fn plan_text(compiled: &Compiled, plan: &Plan) -> String {
    let report = &compiled.report;
    let occupancy = &plan.occupancy;
    let mut out = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(out, "{name:<24}{value}");
    };
    line("kernel", plan.kernel.name.clone());
    line("scheme", plan.scheme.clone());
    line(
        "registers per thread",
        format!("{} ({} live at once)", report.regs, report.max_live),
    );
    line(
        "spilled",
        format!(
            "{} bytes per thread, {} loads, {} stores",
            report.spilled_bytes, report.spill_loads, report.spill_stores
        ),
    );
    line("register hardware", format!("{:?}", plan.manager));
    line(
        "CTAs, warps per SM",
        format!("{}, {}", occupancy.ctas, occupancy.warps),
    );
    line("occupancy", format!("{:.1} %", 100.0 * occupancy.fraction));
    line("limited by", occupancy.limited_by.to_string());
    line("packs set aside", plan.packs_allocated.to_string());
    line(
        "extended sets",
        plan.sections
            .map_or_else(|| "none".into(), |sections| sections.to_string()),
    );
    line("storage bits per SM", plan.storage_bits.to_string());
    if let Some(choice) = &plan.es {
        let _ = writeln!(out, "\n{}", candidates(choice));
    }
    out
}
