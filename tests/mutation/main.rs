//! Mutation tests of the exported hardware: each small fault must be noticed by cases drawn as the property tests draw.

#[path = "../../gen/tests/common/mod.rs"]
mod common;
mod made;

use common::is_blessed_now;
use made::{made, run, scores};
use regshare_gen::catalog::catalog;
use regshare_gen::mutate::{
    Bench, Draw, MutateError, Schema, TOOLS, UnitScore, equivalence, page, reasons,
};
use regshare_gen::package::verilog;
use regshare_gen::proof::proofs;
use regshare_gen::record::Record;
use std::path::Path;

const LEAST_PERCENT: f64 = 95.0;
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/mutants.md");
const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/gen/data/mutation.json");

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
fn the_record_is_what_this_run_gives() {
    let Some(made) = made() else { return };
    if is_blessed_now() {
        std::fs::write(RECORD, made.record.to_json()).expect("gen/data is writable");
        return;
    }
    let committed = std::fs::read_to_string(RECORD).unwrap_or_default();
    assert!(
        made.record == Record::from_json(&committed),
        "gen/data/mutation.json is stale (`cargo bless` writes it)"
    );
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
