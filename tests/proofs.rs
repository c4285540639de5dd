//! The proofs of the exported hardware at full size, and that vectors notice the same faults.

#[path = "../gen/tests/common/mod.rs"]
mod common;

use common::{has_more_gates, is_blessed_now, is_large, is_mixture, soak};
use rayon::prelude::*;
use regshare_gen::catalog::{Entry, catalog};
use regshare_gen::package::verilog;
use regshare_gen::proof::{
    Evidence, Proof, ProofResult, TOOLS, origin, proofs, run_all, run_other_sizes, subject,
};
use regshare_gen::record::Record;
use regshare_gen::replay::{Design, Simulator};
use regshare_gen::tools::Tool;
use std::collections::BTreeMap;
use std::io::Write;

/// Warp slots of `gtx480`.
const WARPS: u64 = 48;

/// What was found when proofs were last asked for their events and faults.
const EVIDENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/gen/data/evidence.json");

/// The evidence that is committed for just this Verilog, these properties and these scripts, of proofs about large modules. What is
/// asked about the hardware itself is asked in each run.
fn recorded(origins: &BTreeMap<&'static str, String>) -> BTreeMap<&'static str, Evidence> {
    let committed = Record::from_json(&std::fs::read_to_string(EVIDENCE).unwrap_or_default());
    let large = |proof: &Proof| {
        let entry = subject(proof, WARPS).expect("in the catalog");
        entry.is_some_and(|entry| is_large(&entry))
    };
    let known: BTreeMap<_, _> = (proofs().iter())
        .filter(|proof| large(proof) && !soak())
        .filter_map(|proof| {
            let evidence: &Evidence = committed.get(proof.name, &origins[proof.name])?;
            Some((proof.name, evidence.clone()))
        })
        .collect();
    if !known.is_empty() {
        let names: Vec<_> = known.keys().collect();
        let _ = writeln!(
            std::io::stderr(),
            "left out: events and faults of the proofs {names:?}, recorded for this Verilog and these properties (tests/run --soak asks for all)"
        );
    }
    known
}

#[test]
fn every_theorem_is_proved_for_48_warps_and_every_fault_refutes_it() {
    if !common::have(TOOLS, "the proofs of the hardware") {
        return;
    }
    common::take_committed_verilog();
    let dir = tempfile::tempdir().expect("temporary folder");
    let origins: BTreeMap<_, _> = (proofs().iter())
        .map(|proof| (proof.name, origin(proof, WARPS).expect("in the catalog")))
        .collect();
    let known = recorded(&origins);
    let results = run_all(WARPS, dir.path(), |proof| known.get(proof.name).cloned());
    let results = results.unwrap_or_else(|error| panic!("{error}"));
    let mut record = Record::default();
    for result in &results {
        println!("{result:#?}");
        let origin = origins[result.name].clone();
        record.insert(result.name.to_owned(), origin, Evidence::of(result));
    }
    let failed: Vec<_> = results.iter().filter(|result| !result.holds()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    let unproved =
        |result: &&ProofResult| result.mutants_killed.is_empty() && !result.module.is_empty();
    // Only the run that is meant to fail has no fault to find.
    let without_fault: Vec<_> = results
        .iter()
        .filter(unproved)
        .map(|result| result.name)
        .collect();
    assert_eq!(without_fault, ["paired_lock_undisciplined"]);
    if is_blessed_now() {
        std::fs::write(EVIDENCE, record.to_json()).expect("gen/data is writable");
        return;
    }
    let committed = std::fs::read_to_string(EVIDENCE).unwrap_or_default();
    assert!(
        record == Record::from_json(&committed),
        "gen/data/evidence.json is stale (`cargo bless` writes it)"
    );
}

/// Units whose theorems take longer than all others together in their other sizes; all of them take 10 seconds or more in one.
const LONG: [&str; 16] = [
    "cars_top",
    "cta_throttle",
    "owf_top",
    "pair_lock",
    "paired_top",
    "register_mapper",
    "register_stack",
    "regmutex_top",
    "rename_table",
    "rfv_top",
    "safe_paired_top",
    "scratchpad_lock",
    "srp_allocator",
    "stack_mapper",
    "stalled_warps",
    "warp_priority",
];

#[test]
fn every_theorem_is_proved_in_every_other_size_that_is_exported() {
    if !common::have(TOOLS, "the proofs of the hardware in other sizes") {
        return;
    }
    common::take_committed_verilog();
    let dir = tempfile::tempdir().expect("temporary folder");
    // A theorem that takes long is proved in its main size above, and in the others in the soak run; so are those about large
    // modules, mixtures of sizes that are proved without being mixed, and remainders by five.
    let wanted = |entry: &Entry| {
        let long = LONG.contains(&entry.unit)
            || is_large(entry)
            || is_mixture(entry)
            || entry.name == "release_flag_cache_e5";
        soak() || !long
    };
    let results = run_other_sizes(WARPS, dir.path(), wanted);
    let results = results.unwrap_or_else(|error| panic!("{error}"));
    let fewest = if soak() { proofs().len() } else { 10 };
    assert!(results.len() >= fewest, "{} left", results.len());
    for result in &results {
        let ProofResult { name, module, .. } = result;
        println!(
            "{name} of {module}: {:?}, {:.0} s",
            result.verdict, result.seconds
        );
    }
    let failed: Vec<_> = results.iter().filter(|result| !result.holds()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn every_exported_module_has_a_theorem() {
    let proofs = proofs();
    let without: Vec<_> = (catalog().into_iter())
        .filter(|entry| !proofs.iter().any(|proof| proof.is_about(entry)))
        .map(|entry| entry.name)
        .collect();
    assert_eq!(without, [""; 0]);
}

/// Gates of the largest module whose faults Icarus replays: with a larger one it is busy for most of a minute per fault.
const LARGEST_REPLAYED: usize = 1000; // assumed

/// Rows that are replayed before all are: most faults show at once, and the bench goes on after a difference.
const FIRST_ROWS: [usize; 3] = [25, 120, 500]; // assumed

#[test]
fn every_fault_that_a_proof_finds_fails_the_committed_vectors_too() {
    if !common::have(&[Tool::Iverilog, Tool::Vvp], "replaying faulty hardware") {
        return;
    }
    common::take_committed_verilog();
    if !soak() {
        let _ = writeln!(
            std::io::stderr(),
            "left out: the committed vectors on faulty modules of more than {LARGEST_REPLAYED} gates; the cases of the property tests kill \
             these faults (tests/mutation), and tests/run --soak replays all"
        );
    }
    proofs().par_iter().for_each(|proof| {
        let Some(entry) = subject(proof, WARPS).expect("in the catalog") else {
            return;
        };
        if has_more_gates(&entry, LARGEST_REPLAYED) && !soak() {
            return;
        }
        let recording = entry.recording();
        let text = verilog(&entry).expect("lint-clean");
        let dir = tempfile::tempdir().expect("temporary folder");
        for fault in proof.faults {
            let verilog = fault
                .apply(&entry.name, &text)
                .unwrap_or_else(|error| panic!("{error}"));
            let design = Design::new(&entry, verilog, &recording);
            let simulator =
                Simulator::icarus(dir.path(), &design).unwrap_or_else(|error| panic!("{error}"));
            let mut steps = FIRST_ROWS.into_iter().chain([recording.rows.len()]);
            let missed = steps.all(|rows| {
                let vectors = recording.first(rows).vectors();
                let outcome = simulator.replay(&entry.name, &vectors).expect("runs");
                outcome.passed()
            });
            assert!(
                !missed,
                "{}: vectors miss the fault: {}",
                proof.name, fault.name
            );
        }
    });
}
