//! The exported Verilog in Verilator and Icarus: lint, the benches with their vectors, the Makefile.

use super::common::{has_more_gates, is_gtx480, soak};
use super::{committed_folder, common, one, text};
use regshare_gen::catalog::{Entry, catalog};
use regshare_gen::cost::CostTable;
use regshare_gen::package::write_all;
use regshare_gen::recording::Recording;
use regshare_gen::replay::{Design, Outcome, Simulator};
use regshare_gen::runs::RunTable;
use regshare_gen::tools::{Tool, run};
use regshare_hw::verilog::{cycle_log, lint_log};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::sync::LazyLock;

static RUNS: LazyLock<RunTable> = LazyLock::new(RunTable::committed);

/// Gates of the largest module whose bench Verilator compiles.
const LARGEST_BENCH: usize = 1500; // assumed: a third of the time

fn units(entries: &[Entry]) -> BTreeSet<&str> {
    entries.iter().map(|entry| entry.unit).collect()
}

fn design(entry: &Entry, recording: &Recording) -> Design {
    Design::new(entry, text(entry).into(), recording)
}

#[test]
fn verilator_finds_nothing_to_warn_of() {
    if !common::have(&[Tool::Verilator], "linting the exported Verilog") {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    for entry in catalog() {
        let file = format!("{}.v", entry.name);
        // What is linked in has been looked at already, when it was built.
        let committed = committed_folder().join(&entry.name).join(&file);
        let linked_in =
            std::fs::read_to_string(committed).is_ok_and(|linked| linked == text(&entry));
        if let Some(log) = lint_log(&entry.name).filter(|_| linked_in) {
            assert_eq!(log, "", "{}", entry.name);
            continue;
        }
        std::fs::write(dir.path().join(&file), text(&entry)).expect("written");
        let args = ["--lint-only", "-Wall", "--top-module", &entry.name, &file];
        let ran = Tool::Verilator
            .run(dir.path(), args, &[0])
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(ran.log, "", "{}", entry.name);
    }
}

#[test]
fn what_is_linked_in_computes_its_cycles_without_verilators_schedule() {
    let all = catalog();
    let logs = all
        .iter()
        .map(|entry| (&entry.name, cycle_log(&entry.name)));
    let others: Vec<_> = logs
        .filter_map(|(name, log)| Some((name, log?)))
        .filter(|(_, log)| log != "direct")
        .collect();
    let what = format!("computed by Verilator's own schedule, which is slower: {others:?}");
    // Another Verilator than the one that the tests install may write other text.
    if std::env::var_os("REGSHARE_REQUIRE_TOOLS").is_some() {
        assert!(others.is_empty(), "{what}");
    } else if !others.is_empty() {
        let _ = writeln!(std::io::stderr(), "{what}");
    }
}

#[test]
fn icarus_accepts_each_unit_as_verilog_2005() {
    if !common::have(
        &[Tool::Iverilog],
        "compiling the exported Verilog as Verilog-2005",
    ) {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    for entry in catalog() {
        let file = format!("{}.v", entry.name);
        std::fs::write(dir.path().join(&file), text(&entry)).expect("written");
        let args = ["-g2005", "-Wall", "-t", "null", "-s", &entry.name, &file];
        let ran = Tool::Iverilog
            .run(dir.path(), args, &[0])
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(ran.log, "", "{}", entry.name);
    }
}

/// In the midst of few rows, as the bench goes on after a difference.
fn assert_notices_a_wrong_bit(simulator: &Simulator, name: &str, recording: &Recording) {
    let few = recording.first(200);
    let middle = few.rows.len() / 2;
    let vectors = few.corrupted(middle).vectors();
    let bad = simulator.replay(name, &vectors).expect("runs");
    assert!(!bad.passed(), "{name}: row {middle} is wrong and passes");
}

/// The rows that were recorded of the module while a kernel ran, if some were.
fn assert_repeats_a_run(simulator: &Simulator, entry: &Entry, most: usize) {
    let Some(run) = RUNS.get(&entry.name) else {
        return;
    };
    let recording = run.recording(entry).first(most);
    let good = simulator.replay(&entry.name, &recording.vectors());
    let rows = recording.rows.len();
    assert_eq!(
        good.expect("runs"),
        Outcome::Pass { rows },
        "{}",
        entry.name
    );
    assert_notices_a_wrong_bit(simulator, &entry.name, &recording);
}

/// Rows that Icarus repeats of large modules, a thousand of which take it several seconds. Verilator repeats all (tests/backend.rs).
const ROWS_OF_LARGE: usize = 250; // assumed

#[test]
fn icarus_agrees_with_the_model_and_notices_one_wrong_bit() {
    if !common::have(
        &[Tool::Iverilog, Tool::Vvp],
        "replaying vectors under Icarus",
    ) {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    // The Verilog of every size runs under Verilator against its model in tests/backend.rs, with all rows.
    let in_this_run = |entry: &Entry| {
        // Without a cache wires have other drivers; once it went round for ever here, and under Verilator it did not.
        soak() || is_gtx480(entry) || entry.name.ends_with("_e0")
    };
    let entries: Vec<_> = catalog().into_iter().filter(in_this_run).collect();
    assert_eq!(units(&entries), units(&catalog()));
    for entry in entries {
        let mut recording = entry.recording();
        if has_more_gates(&entry, LARGEST_BENCH) && !soak() {
            recording = recording.first(ROWS_OF_LARGE);
        }
        let simulator = Simulator::icarus(dir.path(), &design(&entry, &recording))
            .unwrap_or_else(|e| panic!("{e}"));
        let good = simulator
            .replay(&entry.name, &recording.vectors())
            .expect("runs");
        assert!(good.passed(), "{good:?}");
        assert_notices_a_wrong_bit(&simulator, &entry.name, &recording);
        assert_repeats_a_run(&simulator, &entry, recording.rows.len());
    }
}

#[test]
fn verilator_agrees_with_the_model_and_notices_one_wrong_bit() {
    if !common::have(&[Tool::Verilator], "replaying vectors under Verilator") {
        return;
    }
    let dir = tempfile::tempdir().expect("temporary folder");
    // Inside Rust the vectors of all modules run under Verilator (tests/backend.rs); this is about the benches. Those of large modules take
    // as long to compile as all others, and Icarus runs them above.
    let in_this_run =
        |entry: &Entry| soak() || is_gtx480(entry) && !has_more_gates(entry, LARGEST_BENCH);
    let entries: Vec<_> = catalog().into_iter().filter(in_this_run).collect();
    assert!(units(&entries).len() >= 15, "{:?}", units(&entries));
    let recordings: Vec<_> = entries.iter().map(Entry::recording).collect();
    let designs: Vec<_> = entries
        .iter()
        .zip(&recordings)
        .map(|(entry, rec)| design(entry, rec))
        .collect();
    let simulator =
        Simulator::verilator(dir.path(), &designs).unwrap_or_else(|error| panic!("{error}"));
    for (entry, recording) in entries.iter().zip(&recordings) {
        let good = simulator
            .replay(&entry.name, &recording.vectors())
            .expect("runs");
        assert!(good.passed(), "{}: {good:?}", entry.name);
        assert_notices_a_wrong_bit(&simulator, &entry.name, recording);
        assert_repeats_a_run(&simulator, entry, usize::MAX);
    }
}

#[test]
fn make_in_a_unit_folder_lints_and_simulates_it() {
    if !common::have(
        &[Tool::Iverilog, Tool::Vvp, Tool::Verilator],
        "running the Makefile of a unit",
    ) {
        return;
    }
    let out = tempfile::tempdir().expect("temporary folder");
    write_all(
        out.path(),
        &[one("srp_allocator_w48")],
        &CostTable::committed(),
        &RunTable::committed(),
    )
    .expect("written");
    let ran = run(
        Path::new("make"),
        &out.path().join("srp_allocator_w48"),
        ["lint", "sim"],
        &[0],
    );
    assert!(
        ran.unwrap_or_else(|error| panic!("{error}"))
            .log
            .contains("PASS srp_allocator_w48")
    );
}
