//! `regshare run`: kernels under schemes, side by side.

mod asked;
mod launch;

use super::trace::read_options;
use super::{checked, chosen, machine};
use crate::args::RunArgs;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::recorders::Recorders;
use crate::report::{stalls, table};
use launch::Runner;
use regshare_sim::bundled;
use regshare_sim::flow::{self, Workload};
use regshare_sim::report::{RefusedRecord, RunReport, SCHEMA};
use regshare_sim::scheme::BestLevels;
use regshare_sim::sm::RunOptions;
use std::fmt::Write;
use std::path::Path;
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
    let chip = asked::chip(args, &machine)?;
    let schemes = chosen::schemes(args)?;
    let kernels = asked::kernels(args)?;
    let read_options = read_options(&args.read)?;
    let recorders = Recorders::begin(&args.record)?;
    let launches = usize::from(args.launches);
    let start = Instant::now();
    let mut runner = Runner {
        args,
        machine: &machine,
        options: RunOptions {
            sms: args.sms,
            backend: asked::backend(args.backend),
            scheduler: args.scheduler,
            cycle_limit: args.cycle_limit,
            best_levels: Some(BestLevels::default()),
            chip,
            ..RunOptions::default()
        },
        recorders,
        bar: output::progress((launches * kernels.len() * schemes.len()) as u64),
        report: RunReport {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            machine: machine.name.clone(),
            runs: Vec::new(),
            refused: Vec::new(),
            failed: Vec::new(),
        },
        unsaved: Ok(()),
        wrong: Vec::new(),
        failure: None,
        warp_insts: 0,
        seconds: 0.0,
    };
    let linked = kernels.len() > 1 && args.kernel.launch.is_some();
    let programs = kernels.chunks(if linked { kernels.len() } else { 1 });
    for files in programs.flat_map(|files| std::iter::repeat_n(files, launches)) {
        let mut workload = checked(match (files, args.kernel.launch.as_deref()) {
            ([name], None) if bundled::find(name).is_none() && flow::is_trace(Path::new(name)) => {
                Workload::of_trace(Path::new(name), &read_options)
            }
            ([name], launch) => Workload::open(name, launch),
            (files, Some(launch)) => Workload::open_linked(files, launch),
            (_, None) => continue,
        })?;
        workload.stack_bytes = args.schemes.stack_bytes();
        runner.launch(&workload, &schemes)?;
    }
    runner.bar.finish_and_clear();
    flow::relate(&mut runner.report.runs);
    show(&runner.report, args)?;
    let memory = output::peak_memory_mib();
    #[cfg(feature = "verilog")]
    {
        runner.seconds -= crate::on_demand::spent().as_secs_f64();
    }
    output::note(&format!(
        "{:.2} million warp instructions per second over {:.2} s in the SM ({:.2} s in all{})",
        runner.warp_insts as f64 / runner.seconds.max(1e-9) / 1e6,
        runner.seconds,
        start.elapsed().as_secs_f64(),
        memory.map_or_else(String::new, |mib| format!(
            ", at most {mib:.0} MiB of memory"
        ))
    ));
    runner.unsaved?;
    if let Some(failure) = runner.failure {
        return Err(failure);
    }
    if runner.wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::run(runner.wrong.join("\n")))
    }
}

/// Prints the report, and writes it where asked.
fn show(report: &RunReport, args: &RunArgs) -> Outcome {
    let json = args.json.as_deref().map(|path| {
        let json = serde_json::to_string_pretty(report).map_err(Failure::run)?;
        Ok((path, json + "\n"))
    });
    match json.transpose()? {
        Some((path, json)) if path == Path::new("-") => output::print(&json),
        Some((path, json)) => {
            output::print(&tables(report, args))?;
            output::write_file(path, json.as_bytes())
        }
        None => output::print(&tables(report, args)),
    }
}

/// Who is refused for one reason, in one line: of a kernel the schemes, then the kernels of which these are the same.
fn together(refused: &[RefusedRecord]) -> Vec<(Vec<&str>, Vec<&str>, &str)> {
    let mut of_kernels: Vec<(&str, Vec<&str>, &str)> = Vec::new();
    for record in refused {
        let same = (of_kernels.iter_mut())
            .find(|(kernel, _, reason)| *kernel == record.kernel && *reason == record.reason);
        match same {
            Some((_, schemes, _)) if schemes.contains(&&*record.scheme) => {}
            Some((_, schemes, _)) => schemes.push(&record.scheme),
            None => of_kernels.push((&record.kernel, vec![&record.scheme], &record.reason)),
        }
    }
    let mut lines: Vec<(Vec<&str>, Vec<&str>, &str)> = Vec::new();
    for (kernel, schemes, reason) in of_kernels {
        match (lines.iter_mut()).find(|line| line.1 == schemes && line.2 == reason) {
            Some((kernels, ..)) => kernels.push(kernel),
            None => lines.push((vec![kernel], schemes, reason)),
        }
    }
    lines
}

/// The comparison, and where asked the causes of what was not issued, how registers were renamed, and energy.
fn tables(report: &RunReport, args: &RunArgs) -> String {
    let mut text = table::comparison(report);
    for run in &report.runs {
        if let Some(variant) = &run.variant {
            let _ = writeln!(text, "{} under {}: {variant}", run.kernel, run.scheme);
        }
    }
    for (kernels, schemes, reason) in together(&report.refused) {
        let (kernels, schemes) = (kernels.join(", "), schemes.join(", "));
        let _ = writeln!(text, "refused: {kernels} under {schemes}: {reason}");
    }
    for failed in &report.failed {
        let _ = writeln!(
            text,
            "failed: {} under {}: {}",
            failed.kernel, failed.scheme, failed.reason
        );
    }
    text += &table::chip(report);
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
            false if report.refused.is_empty() => {
                "no scheme renamed registers: try --scheme rfv\n".to_owned()
            }
            false => "no scheme renamed registers\n".to_owned(),
        };
    }
    if args.energy {
        text.push('\n');
        text += &table::energy(report);
    }
    text
}
