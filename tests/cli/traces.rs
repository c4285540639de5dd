//! `regshare trace`: what is written is what is read, and wrong traces leave nothing behind.

use super::{regshare, regshare_in, stderr, stdout};
use std::path::Path;

const SMALL: &str = "sim/src/trace/read/tests/data/small.traceg.xz";

#[test]
fn exported_trace_is_found_whole_by_the_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = regshare_in(
        folder.path(),
        &["trace", "export", "particlefilter", "--out", "t"],
    );
    assert!(written.status.success(), "{}", stderr(&written));
    let checked = regshare_in(folder.path(), &["trace", "check", "t/kernelslist.g"]);
    assert!(checked.status.success(), "{}", stderr(&checked));
    let insts = |text: String| {
        let (before, _) = text.split_once(" warp instructions").expect("counted");
        before.rsplit(' ').next().expect("a number").to_owned()
    };
    assert_eq!(insts(stdout(&written)), insts(stdout(&checked)));
    let files = std::fs::read_dir(folder.path().join("t"))
        .expect("a folder")
        .count();
    assert_eq!(files, 2);
}

#[test]
fn kernel_that_fails_leaves_no_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    let ptx = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\ttrap;\n\tret;\n}\n";
    std::fs::write(folder.path().join("k.ptx"), ptx).expect("written");
    let launch = "kernel = \"k\"\ngrid = [1, 1, 1]\nblock = [32, 1, 1]\n";
    std::fs::write(folder.path().join("k.toml"), launch).expect("written");
    let args = [
        "trace", "export", "k.ptx", "--launch", "k.toml", "--out", "t",
    ];
    let output = regshare_in(folder.path(), &args);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(!folder.path().join("t").exists());
}

#[test]
fn kernel_that_a_list_names_and_that_is_missing_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("kernelslist.g"), "kernel-7.traceg\n").expect("written");
    let output = regshare_in(folder.path(), &["trace", "check", "kernelslist.g"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("kernel-7.traceg: cannot be read"));
    assert!(output.stdout.is_empty());
}

#[test]
fn mapping_to_no_class_is_refused_with_the_classes() {
    let output = regshare(&["trace", "check", SMALL, "--unknown-opcode", "VIADD=fast"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("load.global"));
}

#[test]
fn shared_traces_of_real_runs_are_whole() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/traces");
    for (name, kernels) in [("vectoradd", 1), ("bfs-rodinia-2.0-ft", 16)] {
        let list = shared.join(name).join("kernelslist.g");
        if !list.is_file() {
            eprintln!("skipped: {} is not there", list.display());
            continue;
        }
        let output = regshare(&["trace", "check", list.to_str().expect("UTF-8")]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stdout(&output).contains(&format!("{kernels} kernels, ")));
    }
}
