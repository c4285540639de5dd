//! `regshare compile`: what the compiler makes of a kernel.

mod barriers;
pub mod plan;

use super::{check_used, checked, machine, scheme_options, workload};
use crate::args::{CompileArgs, Emit};
use crate::failure::{Failure, OrFail, Outcome};
use crate::output;
use regshare_sim::bundled;
use regshare_sim::compiler::calls::{CallGraph, Saves, graph_of};
use regshare_sim::compiler::cfg::Cfg;
use regshare_sim::compiler::draw;
use regshare_sim::compiler::liveness::Point;
use regshare_sim::compiler::liveness::{Liveness, WarpOptions};
use regshare_sim::flow::{self, Compiled, KernelSource, Workload};
use regshare_sim::kernel::interp::{ThreadTrace, TraceEnd};
use regshare_sim::kernel::{Inst, Kernel, Op, text};
use std::io::IsTerminal;
use std::path::Path;

/// Compiles and prints.
pub fn run(args: &CompileArgs) -> Outcome {
    let draws = matches!(args.emit, Emit::Liveness);
    if args.thread.is_some() && !draws {
        return Err(Failure::input(
            "--thread is about the picture of live registers",
            "add `--emit liveness`",
        ));
    }
    if args.svg.is_some() && !draws && !matches!(args.emit, Emit::Calls) {
        return Err(Failure::input(
            "--svg is about the pictures of live registers and of calls",
            "add `--emit liveness` or `--emit calls`",
        ));
    }
    let is_own_file = bundled::find(&args.source).is_none() && Path::new(&args.source).is_file();
    if draws && args.kernel.launch.is_none() && is_own_file {
        return draw_without_launch(args);
    }
    let machine = machine(&args.machine)?;
    let mut workload = workload(&args.source, &args.link, args.kernel.launch.as_deref())?;
    workload.stack_bytes = args.schemes.stack_bytes();
    output::notes(&workload.notes);
    let busy = output::busy(&format!("{} under {}", workload.name, args.scheme));
    let compiled = checked(flow::compile(&workload, args.kernel.max_regs))?;
    let scheme = flow::scheme(&args.scheme, scheme_options(&args.schemes)?).or_input()?;
    check_used(&args.schemes, &[&args.scheme])?;
    let with_calls = checked(flow::for_scheme(&workload, &compiled, scheme.as_ref()))?;
    let compiled = with_calls.unwrap_or(compiled);
    let planned = checked(flow::plan(&workload, &compiled, scheme.as_ref(), &machine))?;
    let alternatives = match args.emit {
        Emit::Plan => checked(flow::alternatives(
            &workload,
            &compiled,
            scheme.as_ref(),
            &machine,
        ))?,
        _ => Vec::new(),
    };
    busy.finish_and_clear();
    match args.emit {
        Emit::Kernel => output::print(&text::print(&planned.kernel)),
        Emit::Barriers => output::print(&barriers::text(&planned.kernel, &machine)),
        Emit::Calls => calls(
            args,
            &workload,
            scheme.calls().unwrap_or(Saves::LocalMemory),
            &plan::smaller(&planned).map_or_else(String::new, |why| format!("{why}\n")),
        ),
        Emit::Plan => {
            let text = plan::text(&compiled, &planned, machine.limits.packs_per_sm);
            output::print(&(text + &plan::alternatives(&alternatives)))
        }
        Emit::Liveness => {
            let thread = args.thread.unwrap_or(0);
            let trace = checked(workload.trace_thread(&planned.kernel, thread))?;
            let pictures = drawings(&planned.kernel, planned.shared_from, Some(&trace.points))?;
            show(args, pictures, &followed(&workload, thread, &trace))
        }
    }
}

/// The call graph, why stacks are smaller, what the launch makes of it, and the picture, if asked for.
fn calls(args: &CompileArgs, workload: &Workload, saves: Saves, smaller: &str) -> Outcome {
    let kept = checked(flow::compile_calls(workload, saves, args.kernel.max_regs))?;
    let kept = match kept {
        None => written_calls(args, workload, saves)?,
        kept => kept,
    };
    let Some((compiled, graph)) = kept else {
        let nothing = format!("{} calls no function", workload.name);
        return match args.svg {
            Some(_) => Err(Failure::input(
                nothing,
                "without calls there is no picture: leave out --svg",
            )),
            None => output::print(&format!("{nothing}\n")),
        };
    };
    if let Some(path) = &args.svg {
        output::write_file(path, graph.svg().as_bytes())?;
    }
    output::print(&(graph.text() + smaller))?;
    let profile = checked(flow::profile(workload, &compiled.kernel))?;
    output::print(&profile.text())
}

/// The text form has the functions behind the kernel: what they push is written there, what they save in local memory is not.
fn written_calls(
    args: &CompileArgs,
    workload: &Workload,
    saves: Saves,
) -> Outcome<Option<(Compiled, CallGraph)>> {
    let compiled = checked(flow::compile(workload, args.kernel.max_regs))?;
    let graph = graph_of(&compiled.kernel);
    if graph.nodes().len() < 2 {
        return Ok(None);
    }
    let pushes = |inst: &Inst| inst.op == Op::Push;
    let mut insts = compiled.kernel.blocks.iter().flat_map(|block| &block.insts);
    if saves == Saves::RegisterStack && insts.any(pushes) {
        return Ok(Some((compiled, graph)));
    }
    Err(Failure::input(
        "the text form says what functions push, not what they save in local memory",
        "give the PTX file, or the text of `--scheme cars` with that scheme",
    ))
}

/// A kernel file by itself: no CTA to plan for, nothing to run.
fn draw_without_launch(args: &CompileArgs) -> Outcome {
    let is_trace = flow::is_trace(Path::new(&args.source));
    if args.thread.is_some() && is_trace {
        return Err(Failure::input(
            "--thread follows a thread through a run of its kernel, and a trace is not run here",
            "leave --thread out, or give the kernel as PTX",
        ));
    }
    if args.thread.is_some() {
        return Err(Failure::input(
            "--thread follows a thread of a launch",
            "give --launch FILE: a TOML file with kernel name, grid, block and arguments",
        ));
    }
    let KernelSource {
        kernel,
        bounds,
        notes,
        not_inlined,
        ..
    } = checked(flow::read_only_kernel(Path::new(&args.source)))?;
    if let Some(cause) = not_inlined {
        return checked(Err(cause.into()));
    }
    output::notes(&notes);
    let compiled = checked(flow::compile_kernel(
        &kernel.name,
        &kernel,
        &bounds,
        args.kernel.max_regs,
    ))?;
    let note = match is_trace {
        true => {
            "Nothing was planned or run: this is the program that the trace was lifted to, before any scheme, and the curve follows its \
             text.\n"
        }
        false => {
            "Without a launch file nothing was planned or run: this is the kernel before any scheme, and the curve follows the \
             text.\nWith --launch FILE it follows the instructions that a thread executes.\n"
        }
    };
    show(args, drawings(&compiled.kernel, None, None)?, note)
}

/// Writes the picture, if asked for, and prints the drawing.
fn show(args: &CompileArgs, (terminal, svg): (String, String), note: &str) -> Outcome {
    if let Some(path) = &args.svg {
        output::write_file(path, svg.as_bytes())?;
    }
    output::print(&format!("{terminal}\n{note}"))
}

/// Whom the curve follows, and where it ends.
fn followed(workload: &Workload, thread: u64, trace: &ThreadTrace) -> String {
    let launch = &workload.launch;
    let threads: u64 =
        (launch.grid.iter().chain(&launch.block)).fold(1, |n: u64, &m| n.saturating_mul(m.into()));
    let end = match &trace.end {
        TraceEnd::Exited => String::new(),
        TraceEnd::Failed(cause) => format!("The run failed there: {cause}\n"),
        TraceEnd::Full => "It goes on: no more instructions are kept.\n".to_owned(),
    };
    format!("The curve follows thread {thread} of {threads} (--thread N for another).\n{end}")
}

/// The liveness of a kernel for the terminal and as SVG; `bs` marks the extended registers, `executed` is what the curve
/// follows.
pub fn drawings(
    kernel: &Kernel,
    bs: Option<u16>,
    executed: Option<&[Point]>,
) -> Outcome<(String, String)> {
    let cfg = Cfg::new(kernel).map_err(Failure::run)?;
    let liveness = Liveness::warp_wide_with_calls(kernel, &cfg, WarpOptions::default());
    let terminal = if std::io::stdout().is_terminal() {
        draw::terminal_colored(kernel, &liveness, bs, executed)
    } else {
        draw::terminal(kernel, &liveness, bs, executed)
    };
    Ok((terminal, draw::svg(kernel, &liveness, bs, executed)))
}
