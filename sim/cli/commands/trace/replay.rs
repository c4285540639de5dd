//! `regshare trace run`: kernels of a trace on a whole GPU.

use super::{is_list, read_options};
use crate::args::TraceRunArgs;
use crate::failure::{Failure, OrFail, Outcome};
use crate::output;
use crate::recorders::{Recorders, check_single};
use crate::report::{stalls, table};
use regshare_sim::gpu::cache::CacheCounts;
use regshare_sim::gpu::{
    Gpu, GpuMachine, KernelResult, ReplayError, ReplayOptions, SmCounts, Watch,
};
use regshare_sim::trace::record::Command;
use regshare_sim::trace::{KernelReader, read_list};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
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
    /// Sums over the kernels.
    all: Totals,
}

/// What can be summed of kernels; the names are those of [`KernelResult`].
#[derive(Default, Serialize)]
struct Totals {
    cycles: u64,
    sm: SmCounts,
    l1: CacheCounts,
    l2: CacheCounts,
    dram_bursts: u64,
    dram_activations: u64,
    simulated_sm_cycles: u64,
    simulated_channel_cycles: u64,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    slots: BTreeMap<String, u64>,
}

impl Totals {
    fn of(kernels: &[KernelResult]) -> Totals {
        let mut all = Totals::default();
        for kernel in kernels {
            all.cycles += kernel.cycles;
            all.sm.add(&kernel.sm);
            all.l1.add(&kernel.l1);
            all.l2.add(&kernel.l2);
            all.dram_bursts += kernel.dram_bursts;
            all.dram_activations += kernel.dram_activations;
            all.simulated_sm_cycles += kernel.simulated_sm_cycles;
            all.simulated_channel_cycles += kernel.simulated_channel_cycles;
            for (cause, slots) in &kernel.slots {
                *all.slots.entry(cause.clone()).or_default() += slots;
            }
        }
        all
    }
}

/// The machine: a preset of the replay, or a TOML file.
pub fn machine(name: &str) -> Outcome<GpuMachine> {
    let known = GpuMachine::preset_names().any(|preset| preset == name);
    if known || !Path::new(name).exists() {
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
        ReplayError::Watch(error) => Failure::input(
            error,
            "docs/see-inside.md says what can be recorded of a run",
        ),
        error => Failure::run(error),
    }
}

/// Replays, prints, writes.
pub fn run(args: &TraceRunArgs) -> Outcome {
    let options = read_options(&args.read)?;
    let mut machine = machine(&args.machine)?;
    if args.sms.is_some() || args.channels.is_some() {
        let (sms, channels) = (machine.chip.sms, machine.l2.channels);
        let asked = [
            ("--sms", args.sms, sms),
            ("--channels", args.channels, channels),
        ];
        for (option, asked, most) in asked {
            if let Some(asked) = asked.filter(|&asked| asked > most) {
                return Err(Failure::input(
                    format!("{option} {asked}: {} has {most}", machine.name),
                    format!("give 1 to {most}, or a machine of your own that has more"),
                ));
            }
        }
        machine = machine.cut(args.sms.unwrap_or(sms), args.channels.unwrap_or(channels));
    }
    let watched = watched_sm(args, &machine)?;
    let mut replay = ReplayOptions {
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
    check_single(&args.record, files.len())?;
    let recorders = Recorders::begin(&args.record)?;
    if !recorders.is_none() {
        replay.watch = Some(Watch {
            sm: watched,
            watchers: recorders.watcher().into_iter().collect(),
            probe: recorders.probe(),
        });
    }
    let started = Instant::now();
    let mut gpu = Gpu::new(&machine);
    let progress = output::progress(files.len() as u64);
    let (mut kernels, mut failure) = (Vec::new(), None);
    for file in &files {
        let mut reader = KernelReader::open(file, &options).or_input()?;
        match gpu.run(&mut reader, &replay) {
            Ok(kernel) => kernels.push(kernel),
            Err(error) => {
                failure = Some(error);
                break;
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    replay.watch = None;
    // What led to a hang is what one wants to look at.
    if let None | Some(ReplayError::Hang { .. } | ReplayError::CycleLimit { .. }) = failure {
        recorders.keep()?;
    }
    if let Some(error) = failure {
        return Err(checked(error));
    }
    for kernel in &mut kernels {
        kernel.stalls = kernel.stalls.take().filter(|_| args.stalls_by.is_some());
    }
    let seconds = started.elapsed().as_secs_f64();
    let report = Report {
        schema: "regshare-replay/1",
        machine: machine.name.clone(),
        sms: machine.chip.sms,
        channels: machine.l2.channels,
        scheduler: args.scheduler.unwrap_or(machine.issue.policy).to_string(),
        all: Totals::of(&kernels),
        kernels,
    };
    let mut shown = text(&report) + &stall_tables(&report, args);
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(&report).map_err(Failure::run)? + "\n";
        if path == Path::new("-") {
            shown = json;
        } else {
            output::write_file(path, json.as_bytes())?;
        }
    }
    if report
        .kernels
        .iter()
        .any(|kernel| kernel.watched_ctas == Some(0))
    {
        output::notes(&[format!(
            "SM {watched} got no CTA, so what is recorded of it is empty; the first CTA goes to SM 0 (--watch-sm)"
        )]);
    }
    let insts = report.all.sm.warp_instructions;
    output::note(&format!(
        "{insts} warp instructions in {seconds:.2} s, {:.2} million per second",
        insts as f64 / seconds.max(1e-9) / 1e6
    ));
    output::print(&shown)
}

/// The SM that timeline and waveform show.
fn watched_sm(args: &TraceRunArgs, machine: &GpuMachine) -> Outcome<usize> {
    let Some(sm) = args.watch_sm else {
        return Ok(0);
    };
    let sms = machine.chip.sms as usize;
    if sm >= sms {
        return Err(Failure::input(
            format!("--watch-sm {sm}: the last of {sms} SMs is {}", sms - 1),
            "give a smaller number, or leave it out for the first",
        ));
    }
    if args.record.option().is_none() {
        return Err(Failure::input(
            format!("--watch-sm {sm}: nothing is recorded of it"),
            "give --timeline or --wave, or leave it out",
        ));
    }
    Ok(sm)
}

/// Where the scheduler slots went: of all kernels by cause, of each by instruction or by warp.
fn stall_tables(report: &Report, args: &TraceRunArgs) -> String {
    let mut text = String::new();
    if args.stalls {
        let mut rows: Vec<_> = (report.kernels.iter())
            .map(|kernel| (vec![kernel.kernel.clone()], &kernel.slots))
            .collect();
        if rows.len() > 1 {
            rows.push((vec!["all".to_owned()], &report.all.slots));
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
    for kernel in &report.kernels {
        let counts = Totals::of(std::slice::from_ref(kernel));
        let ctas = kernel.ctas_per_sm.to_string();
        rows.add_row(cells(&kernel.kernel, ctas, &counts));
    }
    if report.kernels.len() > 1 {
        rows.add_row(cells("all", String::new(), &report.all));
    }
    table::right_align(&mut rows, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    format!(
        "{}, {} SMs, {} memory channels, {}\n\n{rows}\n",
        report.machine, report.sms, report.channels, report.scheduler
    )
}

fn cells(name: &str, ctas_per_sm: String, of: &Totals) -> [String; 12] {
    let insts = of.sm.warp_instructions;
    [
        name.to_owned(),
        of.cycles.to_string(),
        insts.to_string(),
        format!("{:.2}", insts as f64 / of.cycles.max(1) as f64),
        ctas_per_sm,
        of.l1.accesses.to_string(),
        of.l1.misses.to_string(),
        of.l1.pending_hits.to_string(),
        of.l2.accesses.to_string(),
        of.l2.misses.to_string(),
        of.dram_bursts.to_string(),
        of.dram_activations.to_string(),
    ]
}
