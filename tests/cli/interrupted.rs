//! What a run leaves that a signal ends: nothing that is half written, and the status of the signal.

#![cfg(unix)]

use super::{regshare_in, stderr, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Name and number.
const SIGNALS: [(&str, i32); 3] = [("HUP", 1), ("INT", 2), ("TERM", 15)];

fn start(folder: &Path, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_regshare"))
        .args(args)
        .current_dir(folder)
        .env("TMPDIR", folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts")
}

/// Everything below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        found.extend(below(&entry.path()));
        found.push(entry.path());
    }
    found.sort();
    found
}

/// Sends the signal as soon as what is there says so; the status with which the run ended.
fn interrupt(
    mut run: Child,
    signal: &str,
    folder: &Path,
    begun: impl Fn(&[PathBuf]) -> bool,
) -> ExitStatus {
    let started = Instant::now();
    while !begun(&below(folder)) {
        let ended = run.try_wait().expect("a process");
        assert!(ended.is_none(), "it ended before the signal: {ended:?}");
        assert!(started.elapsed() < Duration::from_secs(120), "not begun");
        std::thread::sleep(Duration::from_millis(1));
    }
    let pid = run.id().to_string();
    let sent = Command::new("sh")
        .args(["-c", "kill -$0 $1", signal, &pid])
        .status();
    assert!(sent.expect("starts").success());
    run.wait().expect("a process")
}

fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().starts_with(".tmp")
}

/// Whether who started the tests wants the signal ignored; the program then does so, too.
fn is_ignored(number: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let bits = ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok());
    bits.unwrap_or(0) >> (number - 1) & 1 == 1
}

/// Runs and interrupts with each signal; nothing is left in the folder but what lay there before.
fn leaves_nothing(args: &[&str], files: &[(&str, &str)], begun: impl Fn(&[PathBuf]) -> bool) {
    for (signal, number) in SIGNALS {
        if is_ignored(number) {
            eprintln!("skipped: SIG{signal} is ignored here");
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let before = below(folder.path());
        let ended = interrupt(start(folder.path(), args), signal, folder.path(), &begun);
        assert_eq!(ended.code(), Some(128 + number), "{signal}: {ended}");
        assert_eq!(below(folder.path()), before, "{signal}");
    }
}

#[test]
fn interrupted_export_leaves_neither_trace_nor_folder() {
    let args = ["trace", "export", "matmul", "--out", "d/e"];
    leaves_nothing(&args, &[], |found| {
        found.iter().any(|path| is_temporary(path))
    });
}

#[test]
fn interrupted_export_leaves_a_folder_with_other_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let mine = folder.path().join("d/mine");
    std::fs::create_dir(folder.path().join("d")).expect("made");
    std::fs::write(&mine, "").expect("written");
    let run = start(folder.path(), &["trace", "export", "matmul", "--out", "d"]);
    let ended = interrupt(run, "TERM", folder.path(), |found| {
        found.iter().any(|path| is_temporary(path))
    });
    assert_eq!(ended.code(), Some(143));
    assert_eq!(below(folder.path()), [folder.path().join("d"), mine]);
}

#[test]
fn interrupted_run_leaves_neither_waveform_nor_timeline() {
    let args = ["run", "montecarlo", "--scheme", "all", "--wave", "w/w.vcd"];
    let args = [&args[..], &["--timeline", "t.json"]].concat();
    leaves_nothing(&args, &[], |found| {
        let temporary = found.iter().filter(|path| is_temporary(path));
        temporary.count() == 2 && found.iter().any(|path| path.ends_with("w.vcd"))
    });
}

#[test]
fn interrupted_demo_leaves_no_folder() {
    leaves_nothing(&["demo", "--out", "o/out"], &[], |found| {
        found.iter().any(|path| path.ends_with("out"))
    });
}

#[test]
fn interrupted_validation_leaves_no_traces() {
    let python = Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: python3 is not there");
        return;
    }
    let script = "import os, sys, time\n\
                  os.makedirs(sys.argv[1])\n\
                  open(os.path.join(sys.argv[1], 'half'), 'w').close()\n\
                  time.sleep(5)\n";
    let record = r#"[{"id": "a", "group": "micro", "trace": "gen.py DIR", "kernel_index": 1, "config": "QV100",
        "scheduler": "lrr", "cycles": 1, "launch_latency": 0, "l1": {"accesses": 0, "misses": 0},
        "l2": {"accesses": 0, "misses": 0}}]"#;
    let files = [("gen.py", script), ("cycles.json", record)];
    leaves_nothing(&["validate", "cycles.json"], &files, |found| {
        found.iter().any(|path| path.ends_with("half"))
    });
}

/// Under `nohup`, and in the background of a script, a signal is ignored before the program starts.
#[cfg(target_os = "linux")]
#[test]
fn signal_that_was_ignored_from_the_start_interrupts_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" trace export matmul --out d"])
        .arg(env!("CARGO_BIN_EXE_regshare"))
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .spawn()
        .expect("starts");
    let ended = interrupt(run, "HUP", folder.path(), |found| {
        found.iter().any(|path| is_temporary(path))
    });
    assert!(ended.success(), "{ended}");
    assert!(folder.path().join("d/kernelslist.g").is_file());
}

/// A folder with a list `t/kernelslist.g` of two kernels.
fn two_kernels() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["trace", "export", "reduction", "--out", "t"];
    let written = regshare_in(folder.path(), &args);
    assert!(written.status.success(), "{}", stderr(&written));
    let traces = folder.path().join("t");
    std::fs::copy(
        traces.join("kernel-1.traceg"),
        traces.join("kernel-2.traceg"),
    )
    .expect("copies");
    let list = "kernel-1.traceg\nkernel-2.traceg\n";
    std::fs::write(traces.join("kernelslist.g"), list).expect("written");
    folder
}

#[test]
fn replay_prints_json_where_a_dash_is_its_file_with_the_sums_of_the_kernels() {
    let folder = two_kernels();
    let args = ["trace", "run", "t/kernelslist.g", "--sms", "2", "--stalls"];
    let replay = |json: &str| {
        let output = regshare_in(folder.path(), &[&args[..], &["--json", json]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let printed = replay("-");
    assert!(!folder.path().join("-").exists());
    assert!(replay("r.json").contains("memory data"));
    let written = std::fs::read_to_string(folder.path().join("r.json")).expect("written");
    assert_eq!(printed, written);
    let report: Value = serde_json::from_str(&printed).expect("JSON");
    let kernels = report["kernels"].as_array().expect("kernels");
    assert_eq!(kernels.len(), 2);
    for field in [
        "/cycles",
        "/sm/warp_instructions",
        "/l1/accesses",
        "/l2/accesses",
        "/dram_bursts",
        "/dram_activations",
        "/simulated_sm_cycles",
        "/slots/issued",
    ] {
        let number = |value: &Value| value.pointer(field).and_then(Value::as_u64);
        let each = kernels.iter().map(|kernel| number(kernel).expect(field));
        assert_eq!(number(&report["all"]), Some(each.sum()), "{field}");
    }
}

#[test]
fn commands_name_the_line_of_a_list_whose_kernel_is_missing_and_refuse_an_empty_list() {
    let folder = two_kernels();
    let traces = folder.path().join("t");
    std::fs::remove_file(traces.join("kernel-2.traceg")).expect("removed");
    std::fs::write(traces.join("empty.g"), "MemcpyHtoD,0x10,4\n").expect("written");
    for command in [&["trace", "check"][..], &["trace", "run"], &["run"]] {
        let refused = |list: &str| {
            let output = regshare_in(folder.path(), &[command, &[list]].concat());
            assert_eq!(output.status.code(), Some(2), "{command:?}");
            assert!(output.stdout.is_empty());
            stderr(&output)
        };
        let said = refused("t/kernelslist.g");
        let place = "t/kernelslist.g:2: kernel-2.traceg: cannot be read";
        assert!(said.contains(place), "{command:?}: {said}");
        let said = refused("t/empty.g");
        assert!(
            said.contains("t/empty.g: the list names no kernel"),
            "{said}"
        );
    }
}

#[test]
fn replay_over_its_limit_names_the_trace_and_what_each_warp_waits_for() {
    let folder = two_kernels();
    let args = ["trace", "run", "t/kernel-2.traceg", "--cycle-limit", "500"];
    let output = regshare_in(folder.path(), &args);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("(t/kernel-2.traceg)"), "{said}");

    // Warp 0 waits at a barrier for warp 1, each of whose instructions needs the one before.
    let exit = "ffffffff 0 EXIT 0 0 0";
    let chain = "0010 ffffffff 1 R1 IMAD 1 R1 0 0\n".repeat(4000);
    let text = format!(
        "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 8\n\
         -binary version = 70\n-accelsim tracer version = 5\n\n#traces format\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\n\
         warp = 0\ninsts = 2\n0000 ffffffff 0 BAR.SYNC 0 0 0\n0020 {exit}\n\n\
         warp = 1\ninsts = 4001\n{chain}0020 {exit}\n\n#END_TB\n"
    );
    std::fs::write(folder.path().join("kernel-3.traceg"), text).expect("written");
    let args = ["trace", "run", "kernel-3.traceg", "--cycle-limit", "3000"];
    let output = regshare_in(folder.path(), &args);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output).replace('│', " ");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "; 2 warps have not ended SM ",
        "CTA 0,0,0, warp 0, next 0020 EXIT: waits at a barrier, where 1 of 2 warps are",
        "CTA 0,0,0, warp 1, next 0010 IMAD: waits for R1",
    ] {
        assert!(said.contains(part), "{said}");
    }
    assert!(!said.contains("[]"), "{said}");
}
