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
fn trace_runs_under_every_scheme_that_needs_no_compiler() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = regshare_in(folder.path(), &["trace", "export", "convsep", "--out", "t"]);
    assert!(written.status.success(), "{}", stderr(&written));
    let args = [
        "run",
        "t/kernelslist.g",
        "--scheme",
        "baseline,regmutex,regdem,local-spill,compiler-spill,all",
        "--json",
        "out.json",
    ];
    let output = regshare_in(folder.path(), &args);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    for scheme in ["local-spill", "compiler-spill"] {
        let refused =
            format!("refused: kernel-1 under {scheme}: {scheme}: a trace is of a compiled kernel");
        assert!(text.contains(&refused), "{text}");
    }
    let json = std::fs::read_to_string(folder.path().join("out.json")).expect("written");
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let runs = report["runs"].as_array().expect("runs");
    assert!(runs.len() >= 14, "{}", runs.len());
    assert!(runs.iter().all(|run| run["result"] == "correct"), "{json}");
}

#[test]
fn wrong_trace_is_refused_with_file_and_line_before_anything_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = regshare_in(
        folder.path(),
        &["trace", "export", "reduction", "--out", "t"],
    );
    assert!(written.status.success(), "{}", stderr(&written));
    let file = folder.path().join("t/kernel-1.traceg");
    let good = std::fs::read_to_string(&file).expect("written");
    std::fs::write(&file, good.replacen("S2R", "S2X", 1)).expect("written");
    let output = regshare_in(folder.path(), &["run", "t/kernelslist.g"]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert!(
        told.contains("t/kernel-1.traceg:") && told.contains("S2X"),
        "{told}"
    );
    assert!(output.stdout.is_empty());
    let allowed = ["run", "t/kernel-1.traceg", "--unknown-opcode", "S2X=alu"];
    let output = regshare_in(folder.path(), &allowed);
    assert!(output.status.success(), "{}", stderr(&output));
    std::fs::write(folder.path().join("l.toml"), "").expect("written");
    let launched = ["run", "t/kernel-1.traceg", "--launch", "l.toml"];
    let output = regshare_in(folder.path(), &launched);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("leave --launch out"));
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
