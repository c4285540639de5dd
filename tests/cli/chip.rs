//! `run --memory`: interconnect, second level and memory channels of a chip behind the SMs of a run.

use super::refusals::refused;
use super::{regshare, stderr, stdout};
use std::path::Path;

const ALL: &str = "baseline,regmutex,rfv,cars";

fn run(schemes: &str, more: &[&str]) -> serde_json::Value {
    let args = ["run", "histogram", "--scheme", schemes, "--json", "-"];
    let output = regshare(&[&args[..], more].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).expect("JSON")
}

fn of_runs(report: &serde_json::Value, field: &str) -> Vec<serde_json::Value> {
    let runs = report["runs"].as_array().expect("runs");
    runs.iter().map(|run| run[field].clone()).collect()
}

#[test]
fn all_schemes_and_backends_share_the_memory_of_the_chip() {
    let shared = run(ALL, &["--memory", "chip", "--sms", "3"]);
    let alone = run(ALL, &["--sms", "3"]);
    assert!(
        of_runs(&alone, "chip")
            .iter()
            .all(serde_json::Value::is_null)
    );
    assert_ne!(of_runs(&shared, "cycles"), of_runs(&alone, "cycles"));
    assert_eq!(
        of_runs(&shared, "memory_digest"),
        of_runs(&alone, "memory_digest")
    );
    for (chip, run) in of_runs(&shared, "chip")
        .iter()
        .zip(shared["runs"].as_array().unwrap())
    {
        let count = |of: &serde_json::Value, name: &str| of[name].as_u64().expect(name);
        assert_eq!(chip["name"], "gtx480");
        assert!(count(chip, "l2_misses") > 0);
        // Every line that the first level misses is four sectors of the second, every store and atomic one or more.
        let counters = &run["counters"]["memory"];
        let sectors = 4 * count(counters, "l1_misses") + count(counters, "bytes_written") / 32;
        assert_eq!(count(chip, "l2_accesses"), sectors);
    }
    let two = ["--memory", "chip", "--sms", "2", "--backend"];
    let on = |backend| run("baseline,regmutex", &[&two[..], &[backend]].concat());
    let (model, lockstep) = (on("model"), on("lockstep"));
    for field in ["cycles", "chip", "counters"] {
        assert_eq!(of_runs(&model, field), of_runs(&lockstep, field));
    }
    let other = run(ALL, &["--memory", "qv100", "--sms", "3"]);
    assert_eq!(
        of_runs(&other, "memory_digest"),
        of_runs(&alone, "memory_digest")
    );
    assert!(
        of_runs(&other, "chip")
            .iter()
            .all(|chip| chip["name"] == "qv100")
    );
}

#[test]
fn what_no_chip_has_is_refused() {
    let here = Path::new(".");
    let args = ["run", "bfs", "--scheme", "baseline", "--memory"];
    let with = |more: &[&str], words: &[&str]| refused(here, &[&args[..], more].concat(), words);
    with(
        &["chip", "--machine", "maxwell"],
        &["maxwell", "qv100", "machine file"],
    );
    with(&["nothing"], &["nothing", "qv100"]);
    with(
        &["gtx480", "--machine", "v100", "--sms", "16"],
        &["--sms 16", "15 SMs"],
    );
}
