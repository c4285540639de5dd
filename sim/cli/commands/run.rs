//! `regshare run`: kernels under schemes, side by side.

use super::trace::{is_list, read_options};
use super::{checked, chosen, machine};
use crate::args::{BackendArg, RunArgs};
use crate::failure::{Failure, OrFail, Outcome};
use crate::output;
use crate::report::{stalls, table};
use crate::timeline::Timeline;
use crate::wave::Recording;
use regshare_hw::manager::Backend;
use regshare_sim::bundled;
use regshare_sim::flow::{self, FlowError, Setup, Verdict, Workload};
use regshare_sim::observe::stalls::StallTable;
use regshare_sim::observe::wave::{
    Condition, Glob, KEPT_CYCLES, Trigger, TriggerError, WaveOptions, Window, WindowError,
};
use regshare_sim::report::{RefusedRecord, RunReport, SCHEMA, StallRecord};
use regshare_sim::scheme::BestLevels;
use regshare_sim::sm::RunOptions;
use regshare_sim::trace::read_list;
use regshare_sim::trace::record::Command;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Runs and compares.
pub fn run(args: &RunArgs) -> Outcome {
    let machine = machine(&args.machine)?;
    if args.sms > machine.sms {
        return Err(Failure::input(
            format!(
                "--sms {}: the machine {} has {} SMs",
                args.sms, machine.name, machine.sms
            ),
            "give fewer, or another machine with --machine",
        ));
    }
    let schemes = chosen::schemes(args)?;
    let kernels = kernels(args)?;
    let read_options = read_options(&args.read)?;
    let options = RunOptions {
        sms: args.sms,
        backend: backend(args.backend),
        scheduler: args.scheduler,
        cycle_limit: args.cycle_limit,
        best_levels: Some(BestLevels::default()),
        ..RunOptions::default()
    };
    let mut recording = match (&args.wave, wave(args)?) {
        (Some(path), Some(options)) => Some(Recording::begin(path, options)?),
        _ => None,
    };
    let mut timeline = match &args.timeline {
        Some(path) => {
            let window = window(args.timeline_window.as_deref())?;
            Some(Timeline::begin(path, window)?)
        }
        None => None,
    };
    let mut report = RunReport {
        schema: SCHEMA.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        machine: machine.name.clone(),
        runs: Vec::new(),
        refused: Vec::new(),
    };
    let launches = usize::from(args.launches);
    let bar = output::progress((launches * kernels.len() * schemes.len()) as u64);
    // What was computed is shown, even if it cannot be saved.
    let mut unsaved = Ok(());
    let mut wrong = Vec::new();
    let (mut warp_insts, start) = (0, Instant::now());
    let mut seconds_running = 0.0;
    let linked = kernels.len() > 1 && args.kernel.launch.is_some();
    let programs = kernels.chunks(if linked { kernels.len() } else { 1 });
    for files in programs.flat_map(|files| std::iter::repeat_n(files, launches)) {
        let workload = checked(match (files, args.kernel.launch.as_deref()) {
            ([name], None) if bundled::find(name).is_none() && flow::is_trace(Path::new(name)) => {
                Workload::of_trace(Path::new(name), &read_options)
            }
            ([name], launch) => Workload::open(name, launch),
            (files, Some(launch)) => Workload::open_linked(files, launch),
            (_, None) => continue,
        })?;
        output::notes(&workload.notes);
        let compiled = checked(flow::compile(&workload, args.kernel.max_regs))?;
        let mut last = None;
        let (begun_with, mut first_refusal): (usize, Option<FlowError>) = (report.runs.len(), None);
        let suited: Vec<_> = (schemes.iter())
            .filter(|chosen| chosen.suits(&workload))
            .collect();
        bar.inc((schemes.len() - suited.len()) as u64);
        for (index, chosen) in suited.iter().enumerate() {
            let scheme = &chosen.scheme;
            bar.set_message(format!("{} under {}", workload.name, scheme.name()));
            let mut options = options.clone();
            let recording = (index + 1 == suited.len())
                .then(|| recording.take())
                .flatten();
            let stalls = Arc::new(Mutex::new(StallTable::default()));
            if args.stalls_by.is_some() {
                options.watchers.push(stalls.clone());
            }
            let timeline = (index + 1 == suited.len())
                .then(|| timeline.take())
                .flatten();
            options
                .watchers
                .extend(timeline.as_ref().map(Timeline::watcher));
            options.probe = recording.as_ref().map(Recording::probe);
            let begun = Instant::now();
            let setup = Setup {
                machine: &machine,
                options: &options,
            };
            let ran = match flow::execute(&workload, &compiled, scheme.as_ref(), setup) {
                // The waveform up to a hang or fault is what one wants to look at.
                Err(error) if error.is_run_failure() => {
                    drop(options);
                    recording.map_or(Ok(()), Recording::keep)?;
                    timeline.map_or(Ok(()), Timeline::keep)?;
                    return checked(Err(error));
                }
                // Of all schemes, what one can launch another need not be able to.
                Err(error)
                    if chosen.may_be_refused && recording.is_none() && timeline.is_none() =>
                {
                    report.refused.push(RefusedRecord {
                        kernel: workload.name.clone(),
                        scheme: scheme.name().to_owned(),
                        reason: error.cause(),
                    });
                    first_refusal.get_or_insert(error);
                    bar.inc(1);
                    continue;
                }
                other => checked(other)?,
            };
            seconds_running += begun.elapsed().as_secs_f64();
            warp_insts += ran.record.warp_insts;
            drop(options);
            if let Some(recording) = recording {
                recording.keep()?;
            }
            if let Some(timeline) = timeline {
                timeline.keep()?;
            }
            if let Verdict::Wrong(why) = &ran.verdict {
                wrong.push(format!("{} under {}: {why}", workload.name, scheme.name()));
                last = None;
            } else {
                last = Some(ran.result.memory);
            }
            let mut record = ran.record;
            if args.stalls_by.is_some() {
                let table = stalls.lock().unwrap_or_else(PoisonError::into_inner);
                record.stalls = Some(StallRecord::new(&table, &workload.source));
            }
            report.runs.push(record);
            bar.inc(1);
        }
        if let (Some(error), true) = (first_refusal, report.runs.len() == begun_with) {
            return checked(Err(error));
        }
        if let Some(memory) = last {
            let saved = workload.launch.save(&memory, Path::new("."));
            unsaved = unsaved.and(saved.map(|_| ()).or_input());
        }
    }
    bar.finish_and_clear();
    flow::relate(&mut report.runs);
    let json = args.json.as_deref().map(|path| {
        let json = serde_json::to_string_pretty(&report).map_err(Failure::run)?;
        Ok((path, json + "\n"))
    });
    match json.transpose()? {
        Some((path, json)) if path == Path::new("-") => output::print(&json)?,
        Some((path, json)) => {
            output::print(&tables(&report, args))?;
            output::write_file(path, json.as_bytes())?;
        }
        None => output::print(&tables(&report, args))?,
    }
    let memory = output::peak_memory_mib();
    output::note(&format!(
        "{:.2} million warp instructions per second over {:.2} s in the SM ({:.2} s in all{})",
        warp_insts as f64 / seconds_running.max(1e-9) / 1e6,
        seconds_running,
        start.elapsed().as_secs_f64(),
        memory.map_or_else(String::new, |mib| format!(
            ", at most {mib:.0} MiB of memory"
        ))
    ));
    unsaved?;
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::run(wrong.join("\n")))
    }
}

fn kernels(args: &RunArgs) -> Outcome<Vec<String>> {
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
    let records = [
        args.wave.as_ref().map(|_| "--wave"),
        args.timeline.as_ref().map(|_| "--timeline"),
    ];
    let several = names.len() > 1 && args.kernel.launch.is_none();
    if let Some(option) = records.into_iter().flatten().next() {
        if several {
            return Err(Failure::input(
                format!("{option} records one kernel, {} are given", names.len()),
                "run each kernel on its own",
            ));
        }
        if args.launches > 1 {
            return Err(Failure::input(
                format!(
                    "{option} records one launch, {} are asked for",
                    args.launches
                ),
                "leave out --launches",
            ));
        }
    }
    Ok(names)
}

fn window(text: Option<&str>) -> Outcome<Option<Window>> {
    let bad = |error: WindowError| {
        Failure::input(
            error,
            "give for example 100:500, or 100: for all from cycle 100 on",
        )
    };
    text.map(str::parse).transpose().map_err(bad)
}

fn wave(args: &RunArgs) -> Outcome<Option<WaveOptions>> {
    if args.wave.is_none() {
        return Ok(None);
    }
    let window = window(args.wave_window.as_deref())?;
    let scope = args.wave_scope.as_deref().map(Glob::from);
    let condition = args.wave_trigger.as_deref().map(str::parse).transpose();
    let condition: Option<Condition> = condition.map_err(|error: TriggerError| {
        Failure::input(
            format!("--wave-trigger: {error}"),
            "docs/see-inside.md has the expressions",
        )
    })?;
    let trigger = condition.map(|condition| Trigger {
        condition,
        kept_cycles: args.wave_last.map_or(KEPT_CYCLES, NonZeroUsize::get),
    });
    Ok(Some(WaveOptions {
        window,
        scope,
        trigger,
    }))
}

/// The comparison, and where asked the causes of what was not issued, how registers were renamed, and energy.
fn tables(report: &RunReport, args: &RunArgs) -> String {
    let mut text = table::comparison(report);
    for refused in &report.refused {
        let _ = writeln!(
            text,
            "refused: {} under {}: {}",
            refused.kernel, refused.scheme, refused.reason
        );
    }
    if args.stalls {
        text.push('\n');
        text += &table::stalls(report);
    }
    if let Some(by) = args.stalls_by {
        for run in &report.runs {
            if let Some(record) = &run.stalls {
                text.push('\n');
                let shown = stalls::Shown {
                    title: format!("{} under {}", run.kernel, run.scheme),
                    slots: &run.slots,
                    stalls: record,
                    has_addresses: false,
                };
                text += &stalls::stalls_by(&shown, by);
            }
        }
    }
    if args.renaming {
        text.push('\n');
        text += &match report.runs.iter().any(|run| run.renaming.is_some()) {
            true => table::renaming(report),
            false => "no scheme renamed registers: try --scheme rfv\n".to_owned(),
        };
    }
    if args.energy {
        text.push('\n');
        text += &table::energy(report);
    }
    text
}

fn backend(backend: BackendArg) -> Backend {
    match backend {
        BackendArg::Model => Backend::Model,
        BackendArg::Rtl => Backend::Rtl,
        BackendArg::Lockstep => Backend::Lockstep,
        BackendArg::Verilog => Backend::Verilog,
    }
}
