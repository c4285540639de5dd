//! Any text is read as a kernel or refused; what is read prints to a text that reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use regshare_sim::kernel::text;

fuzz_target!(|source: &str| {
    let Ok(kernel) = text::parse(source, "fuzz") else {
        return;
    };
    let again = text::parse(&text::print(&kernel), "fuzz");
    assert!(again.is_ok_and(|again| again == kernel));
});
