//! What the tests of exported hardware share: which tools there are, and saying aloud what is left out.
#![allow(dead_code)]

use regshare_gen::catalog::Entry;
use regshare_gen::cost::CostTable;
use regshare_gen::tools::{Tool, missing};
use std::io::Write;

/// Whether all `needed` tools are installed. If not, says aloud (past the test harness's capture) that `what` is left
/// out; with `REGSHARE_REQUIRE_TOOLS=1` fails instead.
pub fn have(needed: &[Tool], what: &str) -> bool {
    let missing: Vec<_> = missing(needed).iter().map(|tool| tool.name()).collect();
    if missing.is_empty() {
        return true;
    }
    let missing = missing.join(", ");
    let required = std::env::var_os("REGSHARE_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    assert!(
        !required,
        "{what} needs {missing}, and REGSHARE_REQUIRE_TOOLS=1 forbids leaving it out"
    );
    let _ = writeln!(std::io::stderr(), "left out: {what} (needs {missing})");
    false
}

/// Whether this is `tests/run --soak`.
pub fn soak() -> bool {
    std::env::var_os("REGSHARE_SOAK").is_some()
}

/// Whether it has the size of `gtx480`.
pub fn is_gtx480(entry: &Entry) -> bool {
    entry.params.iter().all(|param| match param.name {
        "warps" => param.value.is("48"),
        "packs" => param.value.is("1024"),
        _ => true,
    })
}

/// A module of more gates than this is large: the dozen of them take as long as the hundred others.
const LARGE_GATES: usize = 8000; // assumed

/// Whether it is large, as the committed costs say.
pub fn is_large(entry: &Entry) -> bool {
    let costs = CostTable::committed();
    costs
        .get(&entry.name)
        .is_none_or(|cost| cost.gates > LARGE_GATES)
}

/// Whether it mixes sizes of several machines, such as 48 warps with 2048 packs.
pub fn is_mixture(entry: &Entry) -> bool {
    match (entry.param("warps"), entry.param("packs")) {
        (Some(48), Some(packs)) => packs != 1024,
        (Some(64), Some(packs)) => packs != 2048,
        _ => false,
    }
}
