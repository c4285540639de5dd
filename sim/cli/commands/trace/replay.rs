//! `regshare trace run`: kernels of a trace on a whole GPU.

use super::{is_list, read_options};
use crate::args::TraceRunArgs;
use crate::failure::{Failure, OrFail, Outcome};
use crate::output;
use crate::report::{stalls, table};
use regshare_sim::gpu::{Gpu, GpuMachine, KernelResult, ReplayError, ReplayOptions};
use regshare_sim::trace::record::Command;
use regshare_sim::trace::{KernelReader, read_list};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// What `--json` holds.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    machine: String,
    sms: u32,
    channels: u32,
    scheduler: String,
    kernels: Vec<KernelResult>,
}

/// The machine: a preset of the replay, or a TOML file.
pub fn machine(name: &str) -> Outcome<GpuMachine> {
    let known = GpuMachine::preset_names().any(|preset| preset == name);
    if known || !std::path::Path::new(name).exists() {
        return GpuMachine::preset(name).or_input();
    }
    let text = std::fs::read_to_string(name).map_err(|error| {
        Failure::input(
            format!("cannot read {name}: {error}"),
            "give a machine file of the replay (TOML, UTF-8)",
        )
    })?;
    GpuMachine::from_toml(&text, name).or_input()
}

/// Sorts what a replay can end with.
pub fn checked(error: ReplayError) -> Failure {
    match error {
        ReplayError::Trace(error) => Failure::Input(error.into()),
        ReplayError::TooLarge { .. } => Failure::input(
            error,
            "take a larger machine (`--machine`), or one of your own",
        ),
        error => Failure::run(error),
    }
}

/// Replays, prints, writes.
pub fn run(args: &TraceRunArgs) -> Outcome {
    let options = read_options(&args.read)?;
    let mut machine = machine(&args.machine)?;
    if args.sms.is_some() || args.channels.is_some() {
        let sms = args.sms.unwrap_or(machine.chip.sms);
        machine = machine.cut(sms, args.channels.unwrap_or(machine.l2.channels));
    }
    let replay = ReplayOptions {
        scheduler: args.scheduler,
        cycle_limit: args.cycle_limit,
        threads: args.threads,
        stalls: args.stalls || args.stalls_by.is_some(),
        ..ReplayOptions::default()
    };
    let mut files: Vec<PathBuf> = Vec::new();
    for file in &args.files {
        if !is_list(file) {
            files.push(file.clone());
            continue;
        }
        for command in read_list(file).or_input()? {
            if let Command::Kernel(name) = command {
                files.push(file.with_file_name(name));
            }
        }
    }
    let started = Instant::now();
    let mut gpu = Gpu::new(&machine);
    let progress = output::progress(files.len() as u64);
    let mut kernels = Vec::new();
    for file in &files {
        let mut reader = KernelReader::open(file, &options).or_input()?;
        let mut kernel = gpu.run(&mut reader, &replay).map_err(checked)?;
        kernel.stalls = kernel.stalls.filter(|_| args.stalls_by.is_some());
        kernels.push(kernel);
        progress.inc(1);
    }
    progress.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64();
    let report = Report {
        schema: "regshare-replay/1",
        machine: machine.name.clone(),
        sms: machine.chip.sms,
        channels: machine.l2.channels,
        scheduler: args.scheduler.unwrap_or(machine.issue.policy).to_string(),
        kernels,
    };
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&report).unwrap_or_default() + "\n";
        output::write_file(path, text.as_bytes())?;
    }
    let insts: u64 = (report.kernels.iter())
        .map(|kernel| kernel.sm.warp_instructions)
        .sum();
    output::note(&format!(
        "{insts} warp instructions in {seconds:.2} s, {:.2} million per second",
        insts as f64 / seconds.max(1e-9) / 1e6
    ));
    output::print(&(text(&report) + &stall_tables(&report, args)))
}

/// Where the scheduler slots went: of all kernels by cause, of each by instruction or by warp.
fn stall_tables(report: &Report, args: &TraceRunArgs) -> String {
    let mut text = String::new();
    if args.stalls {
        let mut all = BTreeMap::new();
        for (cause, slots) in report.kernels.iter().flat_map(|kernel| &kernel.slots) {
            *all.entry(cause.clone()).or_default() += slots;
        }
        let mut rows: Vec<_> = (report.kernels.iter())
            .map(|kernel| (vec![kernel.kernel.clone()], &kernel.slots))
            .collect();
        if rows.len() > 1 {
            rows.push((vec!["all".to_owned()], &all));
        }
        text.push('\n');
        text += &stalls::by_cause(&["kernel"], &rows);
    }
    for kernel in &report.kernels {
        if let (Some(by), Some(record)) = (args.stalls_by, &kernel.stalls) {
            let shown = stalls::Shown {
                title: format!("{} on {}", kernel.kernel, report.machine),
                slots: &kernel.slots,
                stalls: record,
                has_addresses: true,
            };
            text.push('\n');
            text += &stalls::stalls_by(&shown, by);
        }
    }
    text
}

fn text(report: &Report) -> String {
    let mut rows = table::plain(&[
        "kernel",
        "cycles",
        "warp insts",
        "IPC",
        "CTAs/SM",
        "L1 accesses",
        "misses",
        "pending",
        "L2 accesses",
        "misses",
        "bursts",
        "rows opened",
    ]);
    let mut total = KernelResult {
        kernel: "all".to_owned(),
        ..KernelResult::default()
    };
    for kernel in &report.kernels {
        rows.add_row(cells(kernel));
        total.cycles += kernel.cycles;
        total.sm.add(&kernel.sm);
        total.l1.add(&kernel.l1);
        total.l2.add(&kernel.l2);
        total.dram_bursts += kernel.dram_bursts;
        total.dram_activations += kernel.dram_activations;
    }
    if report.kernels.len() > 1 {
        let mut cells = cells(&total);
        cells[4] = String::new();
        rows.add_row(cells);
    }
    table::right_align(&mut rows, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    format!(
        "{}, {} SMs, {} memory channels, {}\n\n{rows}\n",
        report.machine, report.sms, report.channels, report.scheduler
    )
}

fn cells(kernel: &KernelResult) -> [String; 12] {
    [
        kernel.kernel.clone(),
        kernel.cycles.to_string(),
        kernel.sm.warp_instructions.to_string(),
        format!(
            "{:.2}",
            kernel.sm.warp_instructions as f64 / kernel.cycles.max(1) as f64
        ),
        kernel.ctas_per_sm.to_string(),
        kernel.l1.accesses.to_string(),
        kernel.l1.misses.to_string(),
        kernel.l1.pending_hits.to_string(),
        kernel.l2.accesses.to_string(),
        kernel.l2.misses.to_string(),
        kernel.dram_bursts.to_string(),
        kernel.dram_activations.to_string(),
    ]
}
