//! `regshare validate`: what goes to standard output in place of the tables.

use super::{regshare_in, stderr, stdout};
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

/// A trace of one warp, and what a peer would say of it.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n\
                 -binary version = 70\n-accelsim tracer version = 5\n\n#traces format\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\n\
                 warp = 0\ninsts = 2\n0000 ffffffff 1 R1 IMAD 2 R1 R2 0 0\n0010 ffffffff 0 EXIT 0 0 0\n\n#END_TB\n";
    let peer = r#"[{"id": "one", "group": "real", "trace": "t", "kernel_index": 1, "config": "QV100-1sm", "scheduler": "lrr",
        "cycles": 20, "launch_latency": 0, "l1": {"accesses": 0, "misses": 0}, "l2": {"accesses": 0, "misses": 0}}]"#;
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    std::fs::create_dir(folder.path().join("t")).expect("a folder");
    write("t/kernelslist.g", "kernel-1.traceg\n");
    write("t/kernel-1.traceg", trace);
    write("peer.json", peer);
    folder
}

fn validate(folder: &Path, more: &[&str]) -> std::process::Output {
    regshare_in(folder, &[&["validate", "peer.json"], more].concat())
}

#[test]
fn dash_writes_json_or_drawing_to_standard_output_and_no_file() {
    let folder = folder();
    let tables = validate(folder.path(), &[]);
    assert!(tables.status.success(), "{}", stderr(&tables));
    assert!(stdout(&tables).contains("mean error"));

    let output = validate(folder.path(), &["--json", "-", "--svg", "s.svg"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["schema"], "regshare-validate/1");
    assert_eq!(report["kernels"][0]["id"], "one");

    let output = validate(folder.path(), &["--svg", "-", "--json", "j.json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let file = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    assert_eq!(stdout(&output), file("s.svg"));
    assert!(file("s.svg").starts_with("<svg"));
    assert_eq!(
        serde_json::from_str::<Value>(&file("j.json")).expect("JSON"),
        report
    );
    assert!(!folder.path().join("-").exists());
}

#[test]
fn standard_output_takes_one_of_them() {
    let folder = folder();
    let output = validate(folder.path(), &["--svg", "-", "--json", "-"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("only one of them"),
        "{}",
        stderr(&output)
    );
    assert!(output.stdout.is_empty());
}
