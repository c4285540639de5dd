//! Files and streams that are written: what cannot be is refused before the run, nothing is left behind.

use super::refusals::refused;
use super::{regshare, regshare_in, stderr, stdout};
use std::path::Path;
use std::process::Command;

#[test]
fn timeline_that_cannot_be_is_refused_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let timeline = |place: &str, more: &[&str], words: &[&str]| {
        let args = ["run", "histogram", "--scheme", "baseline"];
        let args = [&args[..], &["--timeline", place], more].concat();
        refused(folder.path(), &args, words);
    };
    timeline("t.txt", &[], &["t.txt", "t.json", "t.kanata"]);
    timeline(
        "t.json",
        &["--timeline-window", "9:1"],
        &["`9:1`", "A below B"],
    );
    let late = ["--timeline-window", "99999999:"];
    timeline("t.json", &late, &["99999999", "the run ended"]);
    timeline("t.log", &late, &["99999999", "the run ended"]);
    timeline(".json", &[], &[".json", "for Perfetto"]);
    let left = std::fs::read_dir(folder.path()).expect("there").count();
    assert_eq!(left, 0, "files are left");
    refused(
        folder.path(),
        &["run", "histogram", "bfs", "--timeline", "t.json"],
        &["--timeline", "one kernel"],
    );
}

#[test]
fn waveform_that_cannot_be_is_refused_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let wave = |place: &str, more: &[&str], words: &[&str]| {
        let args = ["run", "histogram", "--scheme", "baseline", "--wave", place];
        refused(folder.path(), &[&args, more].concat(), words);
    };
    wave("w.vcd", &["--wave-window", "9:1"], &["`9:1`", "A below B"]);
    wave("w.vcd", &["--wave-window", "5:5"], &["`5:5`", "A below B"]);
    wave(
        "w.vcd",
        &["--wave-window", "99999999:"],
        &["99999999", "the run ended"],
    );
    wave(
        "w.vcd",
        &["--wave-scope", "*nothing*"],
        &["*nothing*", "sm.fetch"],
    );
    wave("w.gtkw", &[], &["w.gtkw", "--wave w.vcd"]);
    wave(".", &[], &["cannot write"]);
    #[cfg(unix)]
    wave("/dev/null", &[], &["/dev/null", "not a file"]);
    let left = std::fs::read_dir(folder.path()).expect("there").count();
    assert_eq!(left, 0, "files are left");
}

#[test]
fn a_device_is_written_to_and_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let output = regshare(&["run", "histogram", "--json", "/dev/null"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let kind = std::fs::metadata("/dev/null").expect("there").file_type();
    assert!(kind.is_char_device());
}

#[test]
fn a_result_that_cannot_be_saved_is_shown_and_bad_input() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
    let folder = tempfile::tempdir().expect("a folder");
    let text = std::fs::read_to_string(root.join("saxpy.toml")).expect("there");
    let kernel = root.join("saxpy.ptx");
    let kernel = kernel.to_str().expect("UTF-8");
    let run = |place: &str| {
        let launch = text.replace("\"y.npy\"", &format!("\"{place}\""));
        std::fs::write(folder.path().join("l.toml"), launch).expect("writes");
        regshare_in(folder.path(), &["run", kernel, "--launch", "l.toml"])
    };
    let output = run("new/folder/y.npy");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(folder.path().join("new/folder/y.npy").is_file());
    let output = run("l.toml/y.npy");
    assert_eq!(output.status.code(), Some(2));
    assert!(stdout(&output).contains("unchecked"), "the table is lost");
    assert!(
        stderr(&output).contains("l.toml/y.npy"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_demo_refuses_a_folder_that_it_cannot_write_before_it_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file"), "").expect("writes");
    refused(
        folder.path(),
        &["demo", "--out", "file/out"],
        &["cannot write to file/out", "--out"],
    );
    refused(
        folder.path(),
        &["demo", "--kernel", "matmull"],
        &["matmull", "treescore"],
    );
}

#[test]
fn a_full_standard_error_does_not_fail_a_run() {
    let full = || {
        std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("there")
    };
    let run = |kernel: &str| {
        Command::new(env!("CARGO_BIN_EXE_regshare"))
            .args(["run", kernel])
            .stderr(full())
            .output()
            .expect("starts")
    };
    let output = run("histogram");
    assert!(output.status.success() && !output.stdout.is_empty());
    assert_eq!(run("nothing").status.code(), Some(2));
}

#[test]
fn output_that_cannot_be_written_is_bad_input() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file"), "").expect("writes");
    let place = folder.path().join("file/out.json");
    let place = place.to_str().expect("UTF-8");
    let output = regshare(&["run", "histogram", "--json", place]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("file/out.json"));
}

/// Long work says on a terminal what it is at, and is quiet in a pipe.
#[cfg(target_os = "linux")]
#[test]
fn progress_is_shown_on_a_terminal_and_nowhere_else() {
    for (args, shown) in [
        (
            "compile forest --machine maxwell --scheme regdem",
            "forest under regdem",
        ),
        (
            "run treescore --scheme baseline,paired",
            "treescore under paired: planning",
        ),
        ("occupancy flux", "flux under "),
    ] {
        let quiet = regshare(&args.split(' ').collect::<Vec<_>>());
        assert!(!stderr(&quiet).contains(shown), "{args}");
        let line = format!("{} {args}", env!("CARGO_BIN_EXE_regshare"));
        let mut terminal = Command::new("script");
        terminal
            .args(["-qec", &line, "/dev/null"])
            .env("TERM", "xterm");
        let seen = stdout(&terminal.output().expect("`script` is there"));
        assert!(seen.contains(shown), "{args}: {seen}");
    }
}
