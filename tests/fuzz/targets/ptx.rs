//! Any text is read as PTX or refused; what is read is well formed, and reading is repeatable.
#![no_main]

use libfuzzer_sys::fuzz_target;
use regshare_sim::kernel::{ptx, verify};

fuzz_target!(|source: &str| {
    let Ok(module) = ptx::read(source, "fuzz.ptx") else {
        return;
    };
    for entry in &module.entries {
        match &entry.kernel {
            Ok(kernel) => {
                if let Err(error) = verify::verify(kernel) {
                    panic!("{error}");
                }
            }
            Err(error) => assert!(!error.problems().is_empty()),
        }
    }
    let again = ptx::read(source, "fuzz.ptx").expect("as before");
    assert!(module.entries == again.entries);
});
