//! `cargo bless`: regenerates every generated file of the repository.

use super::repro;
use crate::args::{BlessArgs, ReproArgs};
use crate::failure::{Failure, Outcome};
use crate::{output, runs};
use regshare_gen::bless::{BlessError, COSTS, bless};
use regshare_gen::runs::{DATA, RunTable};
use std::path::Path;
use std::process::Command;

/// The generated pages of results: file, what `regshare repro` is asked for, and what stands above.
const RESULTS: [(&str, &str, &str); 6] = [
    (
        "docs/results.md",
        "regmutex",
        include_str!("results_head.md"),
    ),
    (
        "docs/results-sharing.md",
        "sharing",
        include_str!("results_sharing_head.md"),
    ),
    (
        "docs/results-rfv.md",
        "rfv",
        include_str!("results_rfv_head.md"),
    ),
    (
        "docs/results-regdem.md",
        "regdem",
        include_str!("results_regdem_head.md"),
    ),
    (
        "docs/results-calls.md",
        "calls",
        include_str!("results_calls_head.md"),
    ),
    (
        "docs/results-cars.md",
        "cars",
        include_str!("results_cars_head.md"),
    ),
];

/// Regenerates costs, Verilog, results and snapshots, in the root of the repository; costs and Verilog alone where units are
/// named.
pub fn run(args: &BlessArgs) -> Outcome {
    if !Path::new(COSTS).exists() {
        return Err(Failure::input(
            "this is not the root of the repository",
            "run `cargo bless` there",
        ));
    }
    hardware(&args.units)?;
    if !args.units.is_empty() {
        return Ok(());
    }
    for (path, target, head) in RESULTS {
        let page = format!("{head}\n{}", figures(target)?);
        output::write_file(Path::new(path), page.as_bytes())?;
        output::print(&format!("{path}\n"))?;
    }
    if args.snapshots {
        let status = Command::new(env!("CARGO"))
            .args(["test", "--quiet", "--release", "--workspace"])
            .env("TRYCMD", "overwrite")
            .env("INSTA_UPDATE", "always")
            .status();
        if !status.is_ok_and(|status| status.success()) {
            return Err(Failure::run(
                "tests failed while the snapshots were written; read their output",
            ));
        }
    }
    Ok(())
}

/// The figures of a page, as Markdown.
fn figures(target: &str) -> Outcome<String> {
    repro::text(&ReproArgs {
        targets: vec![target.to_owned()],
        machine: None,
        launch: None,
        link: Vec::new(),
        out: None,
        markdown: true,
    })
}

/// The rows of runs, recorded anew with all units, and as they are committed otherwise.
fn rows_of_runs(units: &[String]) -> Outcome<RunTable> {
    if !units.is_empty() {
        return Ok(RunTable::committed());
    }
    let missing = runs::missing_tools();
    if !missing.is_empty() {
        output::print(&format!(
            "left out: rows of runs (needs {}); the committed ones stay\n",
            missing.join(", ")
        ))?;
        return Ok(RunTable::committed());
    }
    let table = runs::record().map_err(Failure::run)?;
    table.write(Path::new(".")).map_err(Failure::run)?;
    output::print(&format!(
        "{} files of rows in {DATA}\n",
        table.iter().count()
    ))?;
    Ok(table)
}

fn hardware(units: &[String]) -> Outcome {
    let rows = rows_of_runs(units)?;
    let blessed = bless(Path::new("."), units, &rows).map_err(|error| match error {
        BlessError::Select(_) => Failure::input(
            error,
            "`regshare list units` shows every unit with its parameter sets",
        ),
        _ => Failure::run(error),
    })?;
    if blessed.without_costs {
        output::print("left out: costs (needs yosys); the committed ones stay\n")?;
    }
    for path in &blessed.removed {
        output::print(&format!("removed {}\n", path.display()))?;
    }
    output::print(&format!("{} files in verilog-out\n", blessed.files))
}
