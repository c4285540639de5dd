//! A limit on the warps that are scheduled, under every scheduler.

use super::{regshare, stderr};
use serde_json::Value;

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
