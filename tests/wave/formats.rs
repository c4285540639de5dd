//! FST beside VCD, and what a trigger keeps.

use super::{Files, collect, record};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use vcd::{Parser, Var};

/// Time and value of every change, by the full name of the signal.
type Changes = BTreeMap<String, Vec<(u64, String)>>;

fn changes_of_vcd(waveform: &[u8]) -> (Changes, u64) {
    let mut parser = Parser::new(waveform);
    let mut variables = Vec::new();
    let header = parser.parse_header().expect("a VCD header");
    collect(&header.items, "", &mut variables);
    let name = |(scope, var): &(String, Var)| match var.index {
        Some(range) => (var.code, format!("{scope}.{} {range}", var.reference)),
        None => (var.code, format!("{scope}.{}", var.reference)),
    };
    let names: BTreeMap<_, _> = variables.iter().map(name).collect();
    let (mut time, mut changes) = (0, Changes::new());
    for command in parser {
        let (code, value) = match command.expect("a command") {
            vcd::Command::Timestamp(now) => {
                time = now;
                continue;
            }
            vcd::Command::ChangeScalar(code, value) => (code, value.to_string()),
            vcd::Command::ChangeVector(code, value) => (code, value.to_string()),
            _ => continue,
        };
        let list = changes.entry(names[&code].clone()).or_default();
        list.push((time, value));
    }
    (changes, time)
}

/// By a reader that shares no code with the writer.
fn changes_of_fst(path: &Path) -> (Changes, u64) {
    use fst_reader::{FstFilter, FstHierarchyEntry, FstReader, FstSignalValue};
    let file = std::fs::File::open(path).expect("there");
    let mut reader = FstReader::open(std::io::BufReader::new(file)).expect("an FST file");
    let end = reader.get_header().end_time;
    let (mut scopes, mut names) = (Vec::new(), BTreeMap::new());
    let each = |entry: FstHierarchyEntry| match entry {
        FstHierarchyEntry::Scope { name, .. } => scopes.push(name),
        FstHierarchyEntry::UpScope => {
            scopes.pop();
        }
        FstHierarchyEntry::Var { name, handle, .. } => {
            names.insert(handle.get_index(), format!("{}.{name}", scopes.join(".")));
        }
        _ => {}
    };
    reader.read_hierarchy(each).expect("declarations");
    let mut changes = Changes::new();
    let each = |time, handle: fst_reader::FstSignalHandle, value: FstSignalValue<'_>| {
        let FstSignalValue::String(value) = value else {
            panic!("no bits")
        };
        let value = String::from_utf8_lossy(value).into_owned();
        let list = changes.entry(names[&handle.get_index()].clone());
        list.or_default().push((time, value));
        Ok::<(), ()>(())
    };
    reader
        .read_signals(&FstFilter::all(), each)
        .expect("values");
    (changes, end)
}

#[test]
fn fst_holds_what_vcd_holds_and_the_same_bytes_each_time() {
    let folder = tempfile::tempdir().expect("a folder");
    for more in [
        &["--wave-window", "40:400"][..],
        &["--wave-trigger", "sm.cycle == 300"],
    ] {
        for name in ["w.vcd", "w.fst", "again.FST"] {
            let output = Command::new(env!("CARGO_BIN_EXE_regshare"))
                .args(["run", "treescore", "--scheme", "regmutex", "--wave", name])
                .args(more)
                .current_dir(folder.path())
                .output()
                .expect("starts");
            assert!(output.status.success());
        }
        let at = |name: &str| folder.path().join(name);
        let (vcd, vcd_end) = changes_of_vcd(&std::fs::read(at("w.vcd")).expect("there"));
        let (fst, fst_end) = changes_of_fst(&at("w.fst"));
        assert!(vcd.len() > 200, "{}", vcd.len());
        assert_eq!(vcd_end, fst_end);
        assert_eq!(
            vcd.keys().collect::<Vec<_>>(),
            fst.keys().collect::<Vec<_>>()
        );
        // FST has no time for what is not known yet.
        let known = |changes: &[(u64, String)]| -> Vec<(u64, String)> {
            let known = changes.iter().filter(|(_, value)| !value.contains('x'));
            known.cloned().collect()
        };
        for (name, changes) in &vcd {
            assert_eq!(known(changes), known(&fst[name]), "{name}");
        }
        let bytes = |name| std::fs::read(at(name)).expect("there");
        assert!(bytes("w.fst") == bytes("again.FST"), "other bytes");
        assert!(bytes("w.fst").len() * 4 < bytes("w.vcd").len());
        let save = std::fs::read_to_string(at("w.gtkw")).expect("there");
        assert!(save.contains("w.fst\"") || save.contains("again.FST\""));
    }
}

/// Cycles of a waveform, by the signal that every one has.
fn cycles(files: &Files) -> Vec<u64> {
    let (changes, _) = changes_of_vcd(files.waveform.as_bytes());
    let known = changes["sm.cycle"].iter();
    let number = |(_, value): &(u64, String)| u64::from_str_radix(value, 2).ok();
    known.filter_map(number).collect()
}

#[test]
fn trigger_keeps_the_last_cycles_up_to_the_first_match() {
    let args = |trigger, last| ["--wave-trigger", trigger, "--wave-last", last];
    let record = |args: [&str; 4]| record("treescore", "regmutex", "gtx480", &args);
    let files = record(args("cycle == 300", "20"));
    assert_eq!(cycles(&files), (281..=300).collect::<Vec<_>>());
    assert!(files.gtkw.contains(&format!("[timestart] {}", 281 * 64)));
    let files = record(args("cycle >= 7 && cycle < 9", "20"));
    assert_eq!(cycles(&files), (0..=7).collect::<Vec<_>>());

    // The first acquire that is granted: the pin of a unit, in one of its evaluations.
    let whole = ["--wave-window", ":6400"];
    let whole = super::record("treescore", "regmutex", "gtx480", &whole);
    let (changes, _) = changes_of_vcd(whole.waveform.as_bytes());
    let mut grants = changes["sm.manager.srp_allocator.a_grant"].iter();
    let first = grants.find(|(_, value)| value == "1").expect("a grant").0 / 64;
    let files = record(args("srp_allocator.a_grant", "1"));
    assert_eq!(cycles(&files), [first]);
}

#[test]
fn trigger_that_never_comes_true_leaves_the_end_of_the_run_and_of_one_that_fails_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_regshare"))
            .args(["run", "treescore", "--scheme", "regmutex"])
            .args(["--wave", "w.vcd", "--wave-last", "5"])
            .args(more)
            .current_dir(folder.path())
            .output()
            .expect("starts");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), told)
    };
    let (code, told) = run(&["--wave-trigger", "cycle == 123456789"]);
    assert!(
        code == Some(0) && told.contains("the trigger never came true"),
        "{told}"
    );
    let (code, told) = run(&["--wave-trigger", "cycle == 600", "--cycle-limit", "500"]);
    assert_eq!(code, Some(1), "{told}");
    let waveform = std::fs::read(folder.path().join("w.vcd")).expect("there");
    let (changes, _) = changes_of_vcd(&waveform);
    let last = changes["sm.cycle"].last().expect("a cycle");
    let last = u64::from_str_radix(&last.1, 2).expect("a number");
    assert!((498..=500).contains(&last), "{last}");
    assert_eq!(changes["sm.cycle"].len(), 6, "unknown, and five cycles");

    let (code, told) = run(&["--wave-trigger", "srp_allocator.grant"]);
    assert!(
        code == Some(2) && told.contains("srp_allocator.a_grant"),
        "{told}"
    );
    for wrong in ["cycle ==", "cycle = 1"] {
        let (code, told) = run(&["--wave-trigger", wrong]);
        assert!(
            code == Some(2) && told.contains("is not understood"),
            "{told}"
        );
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("there").count(), 3);
}
