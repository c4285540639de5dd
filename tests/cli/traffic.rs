//! Accesses and instructions by kind in the JSON of `run`.

use super::{regshare, stderr, stdout};

/// CARS, Figures 9, 11 and 13: the parts sum to the whole, over kinds and over time.
#[test]
fn accesses_and_instructions_by_kind_sum_to_all_of_the_run() {
    let output = regshare(&[
        "run",
        "interpret",
        "--scheme",
        "abi-spill,cars,inlined",
        "--l1-span",
        "500",
        "--json",
        "-",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let number = |value: &serde_json::Value| value.as_u64().expect("a number");
    for run in report["runs"].as_array().expect("runs") {
        let traffic = &run["traffic"];
        let insts =
            ["memory", "arithmetic", "at_issue"].map(|kind| number(&traffic["insts"][kind]));
        assert_eq!(insts.iter().sum::<u64>(), number(&run["warp_insts"]));
        assert!(insts[2] > number(&run["counters"]["branches"]), "{insts:?}");
        let misses = number(&run["counters"]["memory"]["l1_misses"]) as f64;
        let expected = 1000.0 * misses / number(&run["warp_insts"]) as f64;
        assert_eq!(traffic["misses_per_1000_insts"].as_f64(), Some(expected));
        let over_time = &traffic["over_time"];
        assert_eq!(over_time["span_cycles"], 500);
        let kinds = ["global", "spill_fill", "other_local"];
        let timed = kinds.map(|kind| {
            let spans = over_time[kind].as_array().expect("spans");
            assert!(spans.len() as u64 <= number(&run["cycles"]).div_ceil(500));
            spans.iter().map(number).sum::<u64>()
        });
        assert_eq!(timed.iter().sum::<u64>(), number(&traffic["l1_accesses"]));
        if run["scheme"] == "inlined" {
            assert!(traffic.get("calls").is_none());
            continue;
        }
        assert_eq!(timed, kinds.map(|kind| number(&traffic["calls"][kind])));
        let saved = 128.0 * timed[1] as f64 / number(&run["counters"]["calls"]["calls"]) as f64;
        let told = traffic["calls"]["spill_fill_bytes_per_call"].as_f64();
        assert_eq!(told, Some(saved));
        assert_eq!(saved > 0.0, run["scheme"] == "abi-spill");
    }
}
