//! Mutation tests of the exported hardware: each small fault must be noticed by cases drawn as the property tests draw.

#[path = "../gen/tests/common/mod.rs"]
mod common;

use regshare_gen::catalog::{Entry, catalog};
use regshare_gen::cost::CostTable;
use regshare_gen::mutate::{
    Bench, Draw, MutateError, Record, Schema, TOOLS, UnitScore, equivalence, origin, page, reasons,
    score, subjects,
};
use regshare_gen::package::verilog;
use regshare_gen::proof::{Fault, proofs};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

/// Warp slots of `gtx480`.
const WARPS: u64 = 48;
const LEAST_PERCENT: f64 = 95.0;
const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/gen/data/mutation.json");
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/mutants.md");

/// The scores of `subjects`, two at a time, the largest first so that none is left to run alone; a line for each is printed.
fn run(subjects: &[(Entry, Vec<Fault>)], draw: Draw) -> Vec<UnitScore> {
    let size = |at: &usize| {
        let name = &subjects[*at].0.name;
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("verilog-out/{name}/{name}.v"));
        std::cmp::Reverse(std::fs::metadata(file).map_or(0, |file| file.len()))
    };
    let mut order: Vec<_> = (0..subjects.len()).collect();
    order.sort_by_cached_key(size);
    let next = AtomicUsize::new(0);
    let scores = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let dir = tempfile::tempdir().expect("temporary folder");
                while let Some(&at) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (entry, faults) = &subjects[at];
                    let start = Instant::now();
                    let score = score(entry, faults, draw, dir.path())
                        .unwrap_or_else(|error| panic!("{error}"));
                    let _ = writeln!(
                        std::io::stderr(),
                        "{}: {} of {} mutants, {} killed, {} equivalent, {:.1} %, {:.0} s",
                        score.name,
                        score.mutants,
                        score.possible,
                        score.killed(),
                        score.equivalent(),
                        score.percent(),
                        start.elapsed().as_secs_f64()
                    );
                    scores.lock().expect("no panic").push((at, score));
                }
            });
        }
    });
    let mut scores = scores.into_inner().expect("no panic");
    scores.sort_by_key(|(at, _)| *at);
    scores.into_iter().map(|(_, score)| score).collect()
}

/// Gates of the largest module whose mutants are made anew in each run.
const LARGEST_MADE: usize = 1500; // assumed: a fifth of the time

fn is_large(entry: &Entry) -> bool {
    let costs = CostTable::committed();
    costs
        .get(&entry.name)
        .is_none_or(|cost| cost.gates > LARGEST_MADE)
}

fn committed() -> Record {
    Record::from_json(&std::fs::read_to_string(RECORD).unwrap_or_default())
}

fn is_blessed_now() -> bool {
    std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always")
}

/// The run that all tests judge; `None` (said aloud) where a tool is missing. What was recorded of large modules for just this
/// Verilog, these faults and these cases is taken from there; the soak run makes all anew.
fn scores() -> Option<&'static [UnitScore]> {
    static SCORES: OnceLock<Option<Vec<UnitScore>>> = OnceLock::new();
    let all = || {
        common::take_committed_verilog();
        let tools = [TOOLS, equivalence::TOOLS].concat();
        if !common::have(&tools, "mutation tests of the hardware") {
            return None;
        }
        let committed = committed();
        let mut scores = Vec::new();
        let (mut to_make, mut subjects_to_make) = (Vec::new(), Vec::new());
        for (at, (entry, faults)) in
            (subjects(WARPS).expect("in the catalog").into_iter()).enumerate()
        {
            let origin = origin(&entry, &faults, Draw::COMMITTED).expect("lint-clean");
            let recorded = committed.get(&entry.name, &origin);
            let recorded = recorded.filter(|_| is_large(&entry) && !common::soak());
            match recorded {
                Some(score) => scores.push((at, origin, score.clone())),
                None => {
                    to_make.push((at, origin));
                    subjects_to_make.push((entry, faults));
                }
            }
        }
        if !scores.is_empty() {
            let names: Vec<_> = scores.iter().map(|(_, _, score)| &score.name).collect();
            let _ = writeln!(
                std::io::stderr(),
                "left out: mutants of {names:?}, recorded for this Verilog and these cases (tests/run --soak makes all)"
            );
        }
        let made = run(&subjects_to_make, Draw::COMMITTED);
        for ((at, origin), score) in to_make.into_iter().zip(made) {
            scores.push((at, origin, score));
        }
        scores.sort_by_key(|(at, _, _)| *at);
        let mut record = Record::default();
        for (_, origin, score) in &scores {
            record.insert(origin.clone(), score.clone());
        }
        if is_blessed_now() {
            std::fs::write(RECORD, record.to_json()).expect("gen/data is writable");
        } else {
            assert!(
                record == committed,
                "gen/data/mutation.json is stale (`cargo bless` writes it)"
            );
        }
        Some(scores.into_iter().map(|(_, _, score)| score).collect())
    };
    SCORES.get_or_init(all).as_deref()
}

#[test]
fn cases_of_the_property_tests_kill_95_percent_of_the_mutants_of_every_unit() {
    let poor = |score: &&UnitScore| score.percent() < LEAST_PERCENT;
    if let Some(score) = scores().unwrap_or_default().iter().find(poor) {
        let left = score
            .survivors
            .iter()
            .filter(|survivor| !survivor.equivalent);
        let left: Vec<_> = left
            .map(|survivor| format!("{} {}", survivor.mutant.line, survivor.mutant.id()))
            .collect();
        panic!(
            "{}: {:.1} %; what is left:\n{}",
            score.name,
            score.percent(),
            left.join("\n")
        );
    }
}

#[test]
fn cases_of_the_property_tests_kill_every_fault_that_a_proof_must_find() {
    for score in scores().unwrap_or_default() {
        assert!(
            score.faults_missed.is_empty(),
            "{}: {:?}",
            score.name,
            score.faults_missed
        );
    }
    let faults: usize = scores()
        .unwrap_or_default()
        .iter()
        .map(|score| score.faults_killed.len())
        .sum();
    let expected: usize = proofs().iter().map(|proof| proof.faults.len()).sum();
    assert!(
        scores().is_none() || faults == expected,
        "{faults} of {expected}"
    );
}

#[test]
fn every_mutant_that_is_left_has_a_reason_and_every_reason_a_mutant() {
    let Some(scores) = scores() else { return };
    let reasons = reasons();
    let mut unused = reasons.clone();
    for score in scores {
        for survivor in score
            .survivors
            .iter()
            .filter(|survivor| !survivor.equivalent)
        {
            let fits = reasons
                .iter()
                .find(|reason| reason.fits(&score.unit, survivor));
            let id = survivor.mutant.id();
            let fits = fits.unwrap_or_else(|| {
                panic!(
                    "{}: {id} is left without a reason in gen/data/mutants.json",
                    score.name
                )
            });
            unused.retain(|reason| reason != fits);
        }
    }
    assert!(unused.is_empty(), "no mutant is left for {unused:?}");
}

#[test]
fn the_page_of_mutants_is_what_this_run_gives() {
    let Some(scores) = scores() else { return };
    let page = page(scores, Draw::COMMITTED.cases);
    if is_blessed_now() {
        std::fs::write(PAGE, page).expect("docs is writable");
        return;
    }
    let committed = std::fs::read_to_string(Path::new(PAGE)).unwrap_or_default();
    let differs = page
        .lines()
        .zip(committed.lines())
        .find(|(now, then)| now != then);
    assert!(
        page == committed,
        "docs/mutants.md is stale (`cargo bless` writes it); first difference: {differs:?}"
    );
}

#[test]
fn a_change_that_no_input_shows_is_proved_equivalent_and_a_fault_is_not() {
    if !common::have(equivalence::TOOLS, "comparing mutants with the original") {
        return;
    }
    // Either half is 0 where the other is not.
    let text = "module m(a,b,c,y);\n    input wire a;\n    input wire b;\n    input wire c;\n    output reg y;\n\
        \x20   always @(*) begin\n        y = (a & c) | (b & (~c));\n    end\nendmodule\n";
    let (schema, _) = Schema::new("m", text, &[], &[], usize::MAX).expect("understood");
    let joins = schema
        .mutants()
        .iter()
        .filter(|mutant| mutant.from.contains(") | ("));
    let joins: Vec<_> = joins
        .filter(|mutant| mutant.to.contains(") & (") || mutant.to.contains(") ^ ("))
        .collect();
    let dir = tempfile::tempdir().expect("temporary folder");
    let answers = equivalence::equivalent(dir.path(), "m", &schema, &joins).expect("decided");
    let answers: Vec<_> = joins
        .iter()
        .map(|mutant| mutant.to.contains(") ^ ("))
        .zip(answers)
        .collect();
    assert_eq!(answers, [(false, false), (true, true)]);
}

#[test]
fn verilog_that_differs_from_the_model_is_refused_before_any_mutant() {
    if !common::have(TOOLS, "replaying cases against mutants") {
        return;
    }
    common::take_committed_verilog();
    let entry = catalog()
        .into_iter()
        .find(|entry| entry.name == "safe_paired_lock_w48")
        .expect("in the catalog");
    let (schema, _) = Schema::new(
        &entry.name,
        &verilog(&entry).expect("lint-clean"),
        &[],
        &[],
        10,
    )
    .expect("understood");
    let dir = tempfile::tempdir().expect("temporary folder");
    let bench = Bench::build(dir.path(), &entry, &schema.verilog(true)).expect("builds");
    let mut cases = entry.property_cases(3, 5);
    assert!(bench.replay(&cases, &[]).is_ok());
    cases[4] = cases[4].corrupted(0);
    let refused = bench.replay(&cases, &[]);
    assert!(
        matches!(
            refused,
            Err(MutateError::Unsound {
                case: 4,
                row: 0,
                ..
            })
        ),
        "{refused:?}"
    );
}

#[test]
fn under_soak_mutants_of_all_sizes_are_killed_by_other_cases_too() {
    if std::env::var_os("REGSHARE_SOAK").is_none() || scores().is_none() {
        return;
    }
    common::take_committed_verilog();
    let all: Vec<_> = catalog()
        .into_iter()
        .map(|entry| (entry, Vec::new()))
        .collect();
    let draw = Draw {
        seed: 2,
        cases: 1000,
        mutants: 5000,
    };
    for score in run(&all, draw) {
        assert!(
            score.percent() >= LEAST_PERCENT,
            "{}: {:.1} %",
            score.name,
            score.percent()
        );
    }
}
