//! `--backend verilog` with modules that are not linked in: made when a run asks for them.

#![cfg(unix)]

use super::calls::told;
use super::{regshare, stderr, stdout};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// Two things changed on the hardware of 48 warps, and one on that of 64: neither is in `verilog-out`.
const RUNS: [(&str, &[&str]); 2] = [
    (
        "rfv_top_w48_r63_p1024_e5_l3",
        &["--scheme", "rfv", "--flag-cache", "5", "--wake-up", "3"],
    ),
    (
        "rfv_top_w64_r63_p2048_h1",
        &["--scheme", "rfv-hardware-only", "--machine", "v100"],
    ),
];

#[test]
fn variants_that_are_not_exported_give_the_json_of_the_models() {
    for (module, args) in RUNS {
        let run = |backend: &str| {
            let fixed = ["run", "histogram", "--json", "-", "--backend", backend];
            let output = regshare(&[&fixed, args].concat());
            assert!(output.status.success(), "{module}: {}", stderr(&output));
            // Progress is for terminals.
            assert!(!stderr(&output).contains(module), "{}", stderr(&output));
            let mut json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(json["runs"][0]["backend"].take(), backend);
            assert!(json["runs"][0]["cycles"].as_u64() > Some(0), "{json}");
            json
        };
        assert_eq!(run("model"), run("verilog"), "{module}");
    }
}

/// A run that needs a module made, with these folders to look for programs in; nothing is left of it.
fn refused(path: &str, words: &[&str]) {
    let (module, args) = RUNS[0];
    let folder = tempfile::tempdir().expect("a folder");
    let output: Output = Command::new(env!("CARGO_BIN_EXE_regshare"))
        .args(["run", "histogram", "--backend", "verilog"])
        .args(args)
        .env("PATH", path)
        .env("TMPDIR", folder.path())
        .current_dir(folder.path())
        .output()
        .expect("starts");
    let message = told(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(output.stdout.is_empty(), "{}", stdout(&output));
    assert!(!message.contains("panicked"), "{message}");
    for word in [&[module, "--backend rtl or lockstep"], words].concat() {
        assert!(message.contains(word), "`{word}` is missing in {message}");
    }
    let left = std::fs::read_dir(folder.path()).expect("there").count();
    assert_eq!(left, 0, "{message}");
}

#[test]
fn without_verilator_such_a_run_is_refused_with_what_to_install() {
    refused("", &["verilator:", "apt-get install verilator g++"]);
}

/// A program that complains and fails.
fn failing(folder: &Path, program: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join(program);
    std::fs::write(&path, "#!/bin/sh\necho out of order >&2\nexit 3\n").expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("set");
}

#[test]
fn without_a_compiler_that_works_such_a_run_is_refused_with_what_it_says() {
    let path = std::env::var("PATH").expect("there");
    for program in ["verilator", "g++"] {
        let folder = tempfile::tempdir().expect("a folder");
        failing(folder.path(), program);
        let first = format!("{}:{path}", folder.path().display());
        refused(&first, &[program, "failed: out of order", "Verilator 5"]);
    }
}
