//! Who has a place in the ready queue of a two-level scheduler: nobody who cannot go on.

use super::{regshare, stderr};
use serde_json::Value;

/// A warp whose stack is on its way to memory kept its place: two thirds of the slots went by with the queue full of such warps.
#[test]
fn warps_whose_stack_is_moved_take_no_place_in_a_ready_queue() {
    let run = |scheduler: &str, scheme: &str| {
        let kernel = ["run", "fibonacci", "--json", "-"];
        let how = ["--scheduler", scheduler, "--scheme", scheme];
        let output = regshare(&[&kernel[..], &how].concat());
        assert!(output.status.success(), "{scheme}: {}", stderr(&output));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        report["runs"][0].clone()
    };
    let slots = |scheme: &str| {
        let run = run("two-level:1", scheme);
        let slot = |cause: &str| run["slots"][cause].as_f64().expect("a count");
        let all = run["slots"].as_object().expect("causes").values();
        let all: f64 = all.map(|count| count.as_f64().expect("a count")).sum();
        (slot("fetch") / all, slot("acquire wait") / all)
    };
    let (spilling, stacks) = (slots("abi-spill"), slots("cars"));
    assert!(
        stacks.0 < spilling.0,
        "no more waits for fetch: {stacks:?}, {spilling:?}"
    );
    assert!(
        stacks.1 > 0.02 && spilling.1 == 0.0,
        "{stacks:?}, {spilling:?}"
    );
    // The others of a queue of one go on meanwhile: a stack that is moved costs less than the queue does.
    let cycles = ["two-level:1", "lrr"].map(|scheduler| {
        let cycles = run(scheduler, "cars")["cycles"].as_u64();
        cycles.expect("a count")
    });
    assert!(cycles[0] < 2 * cycles[1], "{cycles:?}");
}

/// A ready queue that warps beyond the limit filled had no place for those within it.
#[test]
fn warps_beyond_the_limit_take_no_place_in_a_ready_queue() {
    let cycles = |scheduler: &str, scheme: &str| {
        let kernel = ["run", "collide", "--machine", "fermi16", "--json", "-"];
        let how = ["--scheduler", scheduler, "--scheme", scheme];
        let output = regshare(&[&kernel[..], &how].concat());
        let place = format!("{scheme}, {scheduler}");
        assert!(output.status.success(), "{place}: {}", stderr(&output));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["runs"][0]["result"], "correct", "{place}");
        report["runs"][0]["cycles"].as_u64().expect("a count")
    };
    // Two warps, one of each scheduler, are the whole queue of any size.
    let two = ["two-level:1", "two-level:6", "lrr"].map(|scheduler| cycles(scheduler, "swl-2"));
    assert_eq!(two, [two[0]; 3]);
    for limit in ["swl-1", "swl-8", "best-swl"] {
        cycles("two-level:2", limit);
    }
}

#[test]
fn the_best_limit_is_the_best_of_those_under_which_the_kernel_ends() {
    let run = |schemes: &str, limit: &str| {
        let kernel = ["run", "gemm", "--scheme", schemes, "--json", "-"];
        regshare(&[&kernel[..], &["--cycle-limit", limit]].concat())
    };
    // With one warp it does not.
    let output = run("swl-16,best-swl", "200000");
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let runs = report["runs"].as_array().expect("runs");
    assert_eq!(runs[1]["variant"], "swl-16");
    assert_eq!(runs[0]["cycles"], runs[1]["cycles"]);
    let none = run("best-swl", "1000");
    assert_eq!(none.status.code(), Some(1));
    let said = stderr(&none);
    assert!(said.contains("has not ended after 1000 cycles"), "{said}");
}
