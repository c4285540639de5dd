//! `cargo bless`: regenerates every generated file of the repository.

use super::repro;
use crate::args::{BlessArgs, ReproArgs};
use crate::failure::{Failure, Outcome};
use crate::output;
use regshare_gen::catalog::catalog;
use regshare_gen::cost::{CostTable, measure};
use regshare_gen::package::{Stale, check, verilog, write_all};
use regshare_gen::tools::Tool;
use std::path::Path;
use std::process::Command;

/// Where the measured costs are kept; `regshare-gen` compiles them in.
const COSTS: &str = "gen/data/cost.json";
/// The generated page of results.
pub const RESULTS: &str = "docs/results.md";

/// Regenerates costs, Verilog, results and snapshots, in the root of the repository.
pub fn run(args: &BlessArgs) -> Outcome {
    if !Path::new(COSTS).exists() {
        return Err(Failure::input(
            "this is not the root of the repository",
            "run `cargo bless` there",
        ));
    }
    hardware()?;
    let page = results()?;
    output::write_file(Path::new(RESULTS), page.as_bytes())?;
    output::print(&format!("{RESULTS}\n"))?;
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

/// The page with all figures, as text.
pub fn results() -> Outcome<String> {
    let args = ReproArgs {
        targets: vec!["all".to_owned()],
        out: None,
        markdown: true,
    };
    let figures = repro::text(&args)?;
    Ok(format!("{}\n{figures}", include_str!("results_head.md")))
}

fn hardware() -> Outcome {
    let entries = catalog();
    let out = Path::new("verilog-out");
    let mut costs = CostTable::committed();
    if Tool::Yosys.find().is_some() {
        let folder = tempfile::tempdir().map_err(Failure::run)?;
        let known = std::mem::take(&mut costs);
        for entry in &entries {
            let text = verilog(entry).map_err(Failure::run)?;
            let committed =
                std::fs::read_to_string(out.join(&entry.name).join(format!("{}.v", entry.name)));
            let cost = match known.get(&entry.name) {
                Some(cost) if committed.is_ok_and(|committed| committed == text) => cost.clone(),
                _ => measure(folder.path(), &entry.name, &text).map_err(Failure::run)?,
            };
            costs.insert(&entry.name, cost);
        }
        output::write_file(Path::new(COSTS), costs.to_json().as_bytes())?;
    } else {
        output::print("left out: costs (needs yosys); the committed ones stay\n")?;
    }
    let written = write_all(out, &entries, &costs).map_err(Failure::run)?;
    for stale in check(out, &entries, &costs, true).map_err(Failure::run)? {
        if let Stale::Extra(path) = &stale {
            std::fs::remove_file(out.join(path)).map_err(Failure::run)?;
            output::print(&format!("removed {}\n", path.display()))?;
        }
    }
    output::print(&format!("{} files in {}\n", written.len(), out.display()))
}
