//! `regshare demo`: one kernel under every scheme, with everything that the program can show of it.

use super::compile::{drawings, plan};
use super::{checked, verilog};
use crate::args::DemoArgs;
use crate::failure::{Failure, OrFail, Outcome};
use crate::output;
use crate::report::html::{self, Contents, Figure, Link};
use crate::report::table;
use crate::unfinished;
use crate::wave::Recording;
use regshare_hw::manager::{Backend, ManagerSpec};
use regshare_sim::bundled;
use regshare_sim::flow::{self, SCHEMES, Setup, Verdict, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::observe::wave::{WaveOptions, Window};
use regshare_sim::report::{RunReport, SCHEMA};
use regshare_sim::scheme::SchemeOptions;
use regshare_sim::sm::RunOptions;
use std::path::Path;

/// A kernel that waits for memory with the warps that its registers allow on `gtx480`.
pub const DEFAULT_KERNEL: &str = "treescore";
/// Cycles of the waveform. // assumed: enough to see the first acquires, small enough to open at once
const WAVE_CYCLES: u64 = 4000;

/// Runs, prints the table, fills the folder.
pub fn run(args: &DemoArgs) -> Outcome {
    let known: Vec<&str> = bundled::all().iter().map(|kernel| kernel.name).collect();
    let bundled = bundled::find(&args.kernel).ok_or_else(|| {
        Failure::input(
            format!("there is no bundled kernel `{}`", args.kernel),
            format!(
                "bundled kernels: {}; `regshare run` takes files",
                known.join(", ")
            ),
        )
    })?;
    // Before anything runs: a place that cannot be written to is known at once.
    unfinished::make_folder(&args.out)
        .and_then(|()| tempfile::tempfile_in(&args.out).map(|_| ()))
        .map_err(|error| {
            Failure::input(
                format!("cannot write to {}: {error}", args.out.display()),
                "choose another folder with --out",
            )
        })?;
    let machine = Machine::preset("gtx480").or_input()?;
    let bar = output::progress(SCHEMES.len() as u64 + 3);
    bar.set_message("compiling");
    let workload = checked(Workload::of_bundled(bundled))?;
    let compiled = checked(flow::compile(&workload, None))?;
    let mut report = RunReport {
        schema: SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        machine: machine.name.clone(),
        runs: Vec::new(),
        refused: Vec::new(),
        failed: Vec::new(),
    };
    let (mut figures, mut texts) = (Vec::new(), Vec::new());
    for (name, _) in SCHEMES {
        let scheme = flow::scheme(name, SchemeOptions::default()).or_input()?;
        let plan = checked(flow::plan(&workload, &compiled, scheme.as_ref(), &machine))?;
        // The RTL of all pair locks and of the renaming stage takes up to a minute for a kernel, that of the others a few seconds.
        let backend = match plan.manager {
            ManagerSpec::Sharing { .. } | ManagerSpec::Renaming { .. } => Backend::Model,
            _ => Backend::Rtl,
        };
        bar.set_message(format!(
            "{} under {name}, register hardware: {backend}",
            workload.name
        ));
        let options = RunOptions {
            backend,
            ..RunOptions::default()
        };
        let ran = checked(flow::execute(
            &workload,
            &compiled,
            scheme.as_ref(),
            Setup {
                machine: &machine,
                options: &options,
            },
        ))?;
        if let Verdict::Wrong(why) = ran.verdict {
            return Err(Failure::run(format!(
                "{} under {name}: {why}",
                workload.name
            )));
        }
        texts.push((
            format!("Plan: {name}"),
            plan::text(&compiled, &ran.plan, machine.limits.packs_per_sm),
        ));
        if name == "regmutex" {
            let plan = &ran.plan;
            let trace = checked(workload.trace_thread(&plan.kernel, 0))?;
            figures.push(Figure {
                title: "Live registers against the code".to_owned(),
                caption: "The kernel as RegMutex runs it: a row per instruction, a column per architected register \
                          (RegMutex, Figure 3). Registers from |Bs| on exist only between acquire and release. The \
                          curve at the end follows the instructions that the first thread executed (Figure 1)."
                    .to_owned(),
                svg: drawings(&plan.kernel, plan.shared_from, Some(&trace.points))?.1,
            });
        }
        report.runs.push(ran.record);
        bar.inc(1);
    }
    flow::relate(&mut report.runs);

    bar.set_message("waveform");
    record_wave(
        &args.out.join("regmutex.vcd"),
        &workload,
        &compiled,
        &machine,
    )?;
    bar.inc(1);

    bar.set_message("Verilog");
    verilog::write_quietly(&args.out.join("verilog"))?;
    bar.inc(1);

    bar.set_message("report");
    let page = html::render(&Contents {
        report: &report,
        figures,
        texts,
        links: links(),
    });
    output::write_file(&args.out.join("report.html"), page.as_bytes())?;
    let json = serde_json::to_string_pretty(&report).map_err(Failure::run)? + "\n";
    output::write_file(&args.out.join("report.json"), json.as_bytes())?;
    bar.finish_and_clear();

    output::print(&format!(
        "{}\n{}: report.html (open it in a browser), report.json, regmutex.vcd with .gtkw and .sucl, verilog/\n",
        table::comparison(&report),
        args.out.display()
    ))
}

fn record_wave(
    path: &Path,
    workload: &Workload,
    compiled: &flow::Compiled,
    machine: &Machine,
) -> Outcome {
    let scheme = flow::scheme("regmutex", SchemeOptions::default()).or_input()?;
    let window = Some(Window {
        from: 0,
        until: WAVE_CYCLES,
    });
    let recording = Recording::begin(
        path,
        WaveOptions {
            window,
            ..WaveOptions::default()
        },
    )?;
    let options = RunOptions {
        probe: Some(recording.probe()),
        ..RunOptions::default()
    };
    checked(flow::execute(
        workload,
        compiled,
        scheme.as_ref(),
        Setup {
            machine,
            options: &options,
        },
    ))?;
    drop(options);
    recording.keep()
}

fn links() -> Vec<Link> {
    let link = |path: &str, text: &str| Link {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    vec![
        link(
            "report.json",
            "every number of this page (schema: docs/json.md)",
        ),
        link(
            "regmutex.vcd",
            "waveform of the first cycles under RegMutex; open regmutex.gtkw in GTKWave",
        ),
        link("regmutex.gtkw", "GTKWave save file: gtkwave regmutex.gtkw"),
        link(
            "regmutex.sucl",
            "Surfer command file: surfer -c regmutex.sucl regmutex.vcd",
        ),
        link(
            "verilog/",
            "the hardware, one self-contained folder per unit",
        ),
    ]
}
