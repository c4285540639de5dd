//! What the tests of exported hardware share: which tools there are, and saying aloud what is left out.
#![allow(dead_code)]

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
