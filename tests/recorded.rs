//! What the register hardware did while a real kernel ran, replayed on the exported Verilog in two simulators.

#[path = "../gen/tests/common/mod.rs"]
mod common;
#[path = "../sim/cli/runs/mod.rs"]
mod runs;

use regshare_gen::catalog::{Entry, catalog, select};
use regshare_gen::package::verilog;
use regshare_gen::recording::{Recording, Row};
use regshare_gen::replay::{Design, Outcome, Simulator};
use regshare_gen::runs::{RunTable, first_disputed};
use regshare_gen::tools::Tool;
use regshare_hw::manager::{Backend, UnitPins};
use regshare_hw::verilog::VerilogError;
use regshare_sim::bundled;
use regshare_sim::flow::{self, Setup, Workload};
use regshare_sim::machine::Machine;
use regshare_sim::observe::probe::{Probe, ProbeError, SignalDef, UnitRow};
use regshare_sim::scheme::SchemeOptions;
use regshare_sim::sm::RunOptions;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

/// Rows kept per instance: enough for all warps to acquire and release several times; with `--soak`, a large part of the run.
static ROWS: LazyLock<usize> = LazyLock::new(|| match std::env::var_os("REGSHARE_SOAK") {
    Some(_) => 20_000, // assumed
    None => 4_000,     // assumed
});

/// What part of them Icarus, the slower of the two simulators, repeats.
const PART_OF_ICARUS: usize = 4; // assumed

#[derive(Default)]
struct Collector {
    units: Vec<UnitPins>,
    rows: Vec<Vec<Row>>,
}

impl Probe for Collector {
    fn begin(&mut self, _: &[SignalDef], units: &[UnitPins]) -> Result<(), ProbeError> {
        self.units = units.to_vec();
        self.rows = vec![Vec::new(); units.len()];
        Ok(())
    }

    fn wants(&self, _: u64) -> bool {
        self.rows.iter().any(|rows| rows.len() < *ROWS)
    }

    fn cycle(&mut self, _: u64, _: &[u64], units: &[UnitRow]) -> Result<(), ProbeError> {
        for row in units {
            let rows = &mut self.rows[row.unit];
            if rows.len() < *ROWS {
                rows.push(Row {
                    inputs: row.inputs.clone(),
                    outputs: row.outputs.clone(),
                    edge: row.edge,
                });
            }
        }
        Ok(())
    }

    fn end(&mut self, _: u64) -> Result<(), ProbeError> {
        Ok(())
    }
}

/// The pins of every instance in a run of `kernel` on `gtx480`, by catalog entry.
fn record(
    kernel: &str,
    scheme: &str,
    backend: Backend,
) -> BTreeMap<String, (Entry, Vec<Recording>)> {
    let workload = Workload::of_bundled(bundled::find(kernel).expect("bundled")).expect("opens");
    let compiled = flow::compile(&workload, None).expect("allocates");
    let scheme = flow::scheme(scheme, SchemeOptions::default()).expect("exists");
    let machine = Machine::preset("gtx480").expect("exists");
    let collector = Arc::new(Mutex::new(Collector::default()));
    let options = RunOptions {
        backend,
        probe: Some(collector.clone()),
        ..RunOptions::default()
    };
    flow::execute(
        &workload,
        &compiled,
        scheme.as_ref(),
        Setup {
            machine: &machine,
            options: &options,
        },
    )
    .expect("runs");
    drop(options);
    let collector = collector.lock().expect("not poisoned");
    let mut recordings: BTreeMap<String, (Entry, Vec<Recording>)> = BTreeMap::new();
    for (unit, rows) in collector.units.iter().zip(&collector.rows) {
        let number = |(name, value): &(String, u64)| (name.clone(), value.to_string());
        let parameters: Vec<_> = unit.parameters.iter().map(number).collect();
        let entry = select(std::slice::from_ref(&unit.unit), &parameters)
            .expect("in the catalog")
            .remove(0);
        let recording = Recording {
            inputs: unit.inputs.clone(),
            outputs: unit.outputs.clone(),
            rows: rows.clone(),
        };
        let name = entry.name.clone();
        recordings
            .entry(name)
            .or_insert_with(|| (entry, Vec::new()))
            .1
            .push(recording);
    }
    recordings
}

fn replay(kernel: &str, scheme: &str, backend: Backend, units: &[&str]) {
    if !common::have(
        &[Tool::Iverilog, Tool::Vvp, Tool::Verilator],
        "replay of real runs",
    ) {
        return;
    }
    common::take_committed_verilog();
    let recordings = record(kernel, scheme, backend);
    let names: Vec<&str> = recordings.values().map(|(entry, _)| entry.unit).collect();
    assert_eq!(names, units, "the units of {scheme}");
    for (name, (entry, instances)) in &recordings {
        for recording in instances {
            // It is asked when a CTA starts or ends.
            let least = match entry.unit {
                "reservation_fsm" => 10,
                _ => 100,
            };
            let rows = recording.rows.len();
            assert!(rows > least, "{name}: only {rows} rows were recorded");
        }
        let text = verilog(entry).expect("exports");
        let design = Design::new(entry, text, &instances[0]);
        let dir = tempfile::tempdir().expect("a folder");
        let icarus = Simulator::icarus(dir.path(), &design).expect("Icarus builds");
        repeats(&icarus, name, instances, *ROWS / PART_OF_ICARUS);
        // What is linked in is compiled already.
        match common::first_wrong_row(entry, &instances[0]) {
            Ok(_) => repeats_inside_rust(entry, instances),
            Err(VerilogError::NotBuilt) => {
                let dir = tempfile::tempdir().expect("a folder");
                let verilator = Simulator::verilator(dir.path(), std::slice::from_ref(&design));
                repeats(
                    &verilator.expect("Verilator builds"),
                    name,
                    instances,
                    *ROWS,
                );
            }
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

/// The first `most` rows of each recording, and a wrong one.
fn repeats(simulator: &Simulator, name: &str, instances: &[Recording], most: usize) {
    for recording in instances {
        let rows = recording.rows.len().min(most);
        let outcome = simulator
            .replay(name, &recording.first(rows).vectors())
            .unwrap_or_else(|error| panic!("{name}, {rows} rows: {error}"));
        assert_eq!(outcome, Outcome::Pass { rows }, "{name}");
    }
    let first = instances[0].first(most);
    let wrong = first.corrupted(first.rows.len() / 2);
    let outcome = simulator.replay(name, &wrong.vectors()).expect("ends");
    assert!(!outcome.passed(), "{name}: a wrong expectation passes");
}

/// All rows of each recording, as Verilator has compiled the module for the backend `verilog`, and a wrong one.
fn repeats_inside_rust(entry: &Entry, instances: &[Recording]) {
    let wrong_row = |recording: &Recording| {
        common::first_wrong_row(entry, recording).unwrap_or_else(|error| panic!("{error}"))
    };
    for recording in instances {
        assert_eq!(wrong_row(recording), None, "{}", entry.name);
    }
    let middle = instances[0].rows.len() / 2;
    let wrong = instances[0].corrupted(middle);
    assert_eq!(wrong_row(&wrong), Some(middle), "{}", entry.name);
}

#[test]
fn verilog_of_the_baseline_repeats_a_run_of_convsep() {
    replay("convsep", "baseline", Backend::Rtl, &["reg_map"]);
}

#[test]
fn verilog_of_regmutex_repeats_a_run_of_convsep() {
    replay(
        "convsep",
        "regmutex",
        Backend::Rtl,
        &["register_mapper", "srp_allocator"],
    );
}

#[test]
fn verilog_of_both_paired_locks_repeats_a_run_of_convsep() {
    replay(
        "convsep",
        "paired",
        Backend::Rtl,
        &["paired_lock", "paired_mapper"],
    );
    replay(
        "convsep",
        "paired-safe",
        Backend::Rtl,
        &["paired_mapper", "safe_paired_lock"],
    );
}

/// From the models: whole kernels take the RTL minutes.
#[test]
fn verilog_of_resource_sharing_repeats_a_run_of_convsep() {
    replay("convsep", "shared-owf-unroll", Backend::Model, &["owf_top"]);
}

#[test]
fn verilog_of_register_file_virtualization_repeats_a_run_of_histogram() {
    replay("histogram", "rfv", Backend::Model, &["rfv_top"]);
}

/// Calls, traps, fills, and the choice of the size of stacks.
#[test]
fn verilog_of_cars_repeats_a_run_of_gemm() {
    replay(
        "gemm",
        "cars",
        Backend::Model,
        &["cars_top", "reservation_fsm"],
    );
}

/// Modules that no run drives: of 4 or 8 warps, or with other parameters, where the SM model has larger hardware, and RFV's
/// with 16 registers.
const WITHOUT_A_RUN: [&str; 12] = [
    "cars_top_w8_p256_s7",
    "cta_throttle_c4_p16",
    "dynamic_throttle_p12",
    "free_list_p64",
    "register_stack_w8_p64_s7",
    "rename_table_w48_r16_p1024_h0",
    "rename_table_w4_r63_p256_h1",
    "reservation_fsm_l4",
    "rfv_top_w48_r16_p1024",
    "rfv_top_w4_r63_p256_h1",
    "stack_mapper_p256_s7",
    "stalled_warps_w8",
];

/// What the benches of the exported folders read beside the directed rows.
#[test]
fn committed_rows_are_what_the_runs_give_now_and_all_modules_but_few_have_some() {
    if !common::have(&[Tool::Iverilog, Tool::Vvp], "recording the rows of runs") {
        return;
    }
    common::take_committed_verilog();
    let committed = RunTable::committed();
    let now = runs::record().unwrap_or_else(|error| panic!("{error}"));
    let stale: Vec<_> = now
        .iter()
        .filter(|(name, run)| committed.get(name) != Some(*run))
        .map(|(name, _)| name)
        .collect();
    let mut without: Vec<_> = catalog().into_iter().map(|entry| entry.name).collect();
    without.retain(|name| now.get(name).is_none());
    without.sort();
    assert_eq!(without, WITHOUT_A_RUN);
    assert!(stale.is_empty(), "run `cargo bless`: {stale:?}");
    assert_eq!(
        now, committed,
        "rows that no run gives any more; run `cargo bless`"
    );
}

#[test]
fn committed_rows_are_small_and_in_them_each_unit_did_what_it_is_for() {
    let table = RunTable::committed();
    for entry in catalog() {
        let Some(run) = table.get(&entry.name) else {
            continue;
        };
        assert!(run.vectors.len() <= runs::MOST_BYTES, "{}", entry.name);
        let recording = run.recording(&entry);
        assert!(runs::did_something(&entry, &recording), "{}", entry.name);
        assert_eq!(first_disputed(&entry, &recording), None, "{}", entry.name);
    }
}
