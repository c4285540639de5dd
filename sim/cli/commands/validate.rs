//! `regshare validate`: the replay beside what a peer simulator reports.

mod compare;
mod effects;
mod scatter;

use super::trace::replay::{checked, machine};
use crate::args::ValidateArgs;
use crate::failure::{Failure, OrFail, Outcome};
use crate::output;
use crate::unfinished;
use compare::Compared;
use rayon::prelude::*;
use regshare_sim::gpu::{Gpu, GpuMachine, KernelResult, ReplayOptions};
use regshare_sim::machine::SchedulerPolicy;
use regshare_sim::trace::record::Command;
use regshare_sim::trace::{KernelReader, ReadOptions, read_list};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A record of the peer's file: a kernel of a run.
#[derive(Clone, Debug, Deserialize)]
pub struct Record {
    /// Name of the run.
    pub id: String,
    /// `micro`, `synth` or `real`.
    pub group: String,
    /// How the trace is made: a generator and its arguments, or a name of a real one.
    pub trace: String,
    /// From 1, in the order of the kernel list.
    pub kernel_index: usize,
    /// `MACHINE`, `MACHINE-1sm` or `MACHINE-1sm-perfi`.
    pub config: String,
    /// `lrr`, `gto`, `oldest` or `two_level`.
    pub scheduler: String,
    /// Without the launch latency.
    pub cycles: u64,
    /// Cycles before the first CTA.
    pub launch_latency: u64,
    /// First- and second-level caches.
    pub l1: Counts,
    /// See above.
    pub l2: Counts,
}

/// Accesses and misses of a cache.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Counts {
    /// Accesses.
    pub accesses: u64,
    /// Misses.
    pub misses: u64,
}

/// A run: what its kernels share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Job {
    config: String,
    scheduler: String,
    trace: String,
    launch_latency: u64,
}

/// Runs all, prints the comparison, draws the scatter.
pub fn run(args: &ValidateArgs) -> Outcome {
    if is_stdout(args.svg.as_deref()) && is_stdout(args.json.as_deref()) {
        return Err(Failure::input(
            "--svg - and --json -: only one of them can go to standard output",
            "give one of them the name of a file",
        ));
    }
    let text = std::fs::read_to_string(&args.reference).map_err(|error| {
        Failure::input(
            format!("cannot read {}: {error}", args.reference.display()),
            "give the file with the peer's cycles (JSON)",
        )
    })?;
    let records: Vec<Record> = serde_json::from_str(&text).map_err(|error| {
        Failure::input(
            format!("{}: {error}", args.reference.display()),
            "it is a list of records as docs/replay.md describes",
        )
    })?;
    let chosen: Vec<Record> = (records.into_iter())
        .filter(|record| {
            args.config
                .as_ref()
                .is_none_or(|config| *config == record.config)
        })
        .filter(|record| {
            args.group
                .as_ref()
                .is_none_or(|group| *group == record.group)
        })
        .collect();
    if chosen.is_empty() {
        return Err(Failure::input(
            "no record of the file is chosen",
            "leave out --config or --group, or name one that the file has",
        ));
    }
    let jobs: BTreeMap<Job, ()> = chosen.iter().map(|record| (job(record), ())).collect();
    let jobs: Vec<Job> = jobs.into_keys().collect();
    let folder = unfinished::folder()
        .map_err(|error| Failure::run(format!("no temporary folder: {error}")))?;
    let progress = output::progress(jobs.len() as u64);
    let threads = args.threads.map_or(0, std::num::NonZeroUsize::get);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Failure::run(format!("no threads: {error}")))?;
    let each = |(number, job): (usize, &Job)| {
        let place = folder.path().join(number.to_string());
        let list = traces(job, args, &place)?;
        let results = replay(job, &list);
        let _ = std::fs::remove_dir_all(&place);
        progress.inc(1);
        results
    };
    let done: Vec<Vec<KernelResult>> = pool.install(|| {
        jobs.par_iter()
            .enumerate()
            .map(each)
            .collect::<Outcome<_>>()
    })?;
    progress.finish_and_clear();
    let mut compared = Vec::new();
    for record in chosen {
        let at = jobs.binary_search(&job(&record)).unwrap_or_default();
        let Some(ours) = done[at].get(record.kernel_index.wrapping_sub(1)) else {
            return Err(Failure::input(
                format!(
                    "{}: the trace has no kernel {}",
                    record.id, record.kernel_index
                ),
                "take the traces that the file was made with",
            ));
        };
        compared.push(Compared {
            ours: ours.clone(),
            peer: record,
        });
    }
    let effects = effects::effects(&compared);
    let mut shown = compare::text(&compared, args.all) + &effects::text(&effects, args.all);
    let mut leave = |path: &Path, text: String| {
        if is_stdout(Some(path)) {
            shown = text;
            return Ok(());
        }
        output::write_file(path, text.as_bytes())
    };
    if let Some(path) = &args.svg {
        leave(path, scatter::draw(&compared).map_err(Failure::run)?)?;
    }
    if let Some(path) = &args.json {
        let report = serde_json::json!({
            "schema": "regshare-validate/1",
            "kernels": compare::rows(&compared),
            "effects": effects,
        });
        let text = serde_json::to_string_pretty(&report).map_err(Failure::run)?;
        leave(path, text + "\n")?;
    }
    output::print(&shown)
}

/// Whether a result goes to standard output, in place of the tables.
fn is_stdout(path: Option<&Path>) -> bool {
    path == Some(Path::new("-"))
}

fn job(record: &Record) -> Job {
    Job {
        config: record.config.clone(),
        scheduler: record.scheduler.clone(),
        trace: record.trace.clone(),
        launch_latency: record.launch_latency,
    }
}

/// The kernel list of a run: real ones lie in the folder of traces, others are generated.
fn traces(job: &Job, args: &ValidateArgs, place: &Path) -> Outcome<PathBuf> {
    let words: Vec<&str> = job.trace.split_whitespace().collect();
    let [script, "DIR", rest @ ..] = words.as_slice() else {
        return real(&job.trace, args);
    };
    let script = args.reference.with_file_name(script);
    let made = std::process::Command::new("python3")
        .arg(&script)
        .arg(place)
        .args(rest)
        .output();
    match made {
        Ok(made) if made.status.success() => Ok(place.join("kernelslist.g")),
        Ok(made) => Err(Failure::input(
            format!(
                "{}: {}",
                script.display(),
                String::from_utf8_lossy(&made.stderr)
            ),
            "the generators of traces lie beside the file with the peer's cycles",
        )),
        Err(error) => Err(Failure::input(
            format!("python3 cannot be started: {error}"),
            "install Python 3; it runs the generators of traces",
        )),
    }
}

fn real(name: &str, args: &ValidateArgs) -> Outcome<PathBuf> {
    let wanted = name.to_lowercase();
    let folders = std::fs::read_dir(&args.traces).map_err(|error| {
        Failure::input(
            format!("cannot read {}: {error}", args.traces.display()),
            "give the folder of the real traces with --traces",
        )
    })?;
    let mut found: Vec<PathBuf> = folders
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.to_lowercase().starts_with(&wanted)
        })
        .collect();
    found.sort();
    match found.first() {
        Some(folder) => Ok(folder.join("kernelslist.g")),
        None => Err(Failure::input(
            format!("{} has no trace {name}", args.traces.display()),
            "give the folder of the real traces with --traces",
        )),
    }
}

/// The part of a chip that a configuration names.
fn configured(job: &Job) -> Outcome<GpuMachine> {
    let mut parts = job.config.split('-');
    let name = parts.next().unwrap_or_default().to_lowercase();
    let mut machine = machine(&name)?;
    for part in parts {
        match part {
            // One SM with two memory channels, addresses spread by their bits.
            "1sm" => machine = machine.cut(1, 2),
            "perfi" => machine.icache = None,
            other => {
                return Err(Failure::input(
                    format!("configuration {}: {other} is unknown", job.config),
                    "`1sm` and `perfi` can follow the name of a machine",
                ));
            }
        }
    }
    machine.chip.launch_latency = job.launch_latency;
    Ok(machine)
}

fn replay(job: &Job, list: &Path) -> Outcome<Vec<KernelResult>> {
    let machine = configured(job)?;
    let scheduler = match job.scheduler.as_str() {
        "lrr" => SchedulerPolicy::Lrr,
        "gto" => SchedulerPolicy::Gto,
        "oldest" => SchedulerPolicy::Oldest,
        "two_level" => SchedulerPolicy::TwoLevel(SchedulerPolicy::READY_QUEUE),
        other => {
            return Err(Failure::input(
                format!("scheduler {other} is unknown"),
                "lrr, gto, oldest and two_level are known",
            ));
        }
    };
    let options = ReplayOptions {
        scheduler: Some(scheduler),
        ..ReplayOptions::default()
    };
    // Some micro kernels name registers behind those that their head declares.
    let read = ReadOptions {
        undeclared_registers: true,
        ..ReadOptions::default()
    };
    let mut gpu = Gpu::new(&machine);
    let mut results = Vec::new();
    for command in read_list(list).or_input()? {
        if let Command::Kernel(name) = command {
            let mut reader = KernelReader::open(&list.with_file_name(name), &read).or_input()?;
            results.push(gpu.run(&mut reader, &options).map_err(checked)?);
        }
    }
    Ok(results)
}
