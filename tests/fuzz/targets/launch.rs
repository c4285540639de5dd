//! Any text is read as a launch file or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use regshare_sim::launch::LaunchSpec;

fuzz_target!(|source: &str| {
    if let Err(error) = LaunchSpec::parse(source, "fuzz.toml") {
        assert!(!error.to_string().is_empty());
    }
});
