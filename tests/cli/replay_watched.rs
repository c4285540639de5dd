//! `trace run --timeline` and `--wave`: what an SM of the whole GPU does, and what of it cannot be recorded.

use super::{regshare_in, stderr, stdout};
use serde_json::Value;
use std::path::Path;

/// A trace of a bundled kernel, its source lines named, in `k.traceg` of the folder.
fn export(folder: &Path) {
    let args = ["trace", "export", "reduction", "--lines", "--out", "t"];
    let output = regshare_in(folder, &args);
    assert!(output.status.success(), "{}", stderr(&output));
    std::fs::rename(folder.join("t/kernel-1.traceg"), folder.join("k.traceg")).expect("moved");
}

fn run(folder: &Path, more: &[&str]) -> std::process::Output {
    let args = ["trace", "run", "k.traceg", "--sms", "2", "--channels", "2"];
    regshare_in(folder, &[&args[..], more].concat())
}

/// Number of the slices that are instructions, and the JSON.
fn slices(folder: &Path, name: &str) -> (u64, Value) {
    let text = std::fs::read_to_string(folder.join(name)).expect("written");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    let events = json["traceEvents"].as_array().expect("events");
    let issued = events.iter().filter(|event| event["cat"] == "issue");
    (issued.count() as u64, json)
}

#[test]
fn timelines_of_both_sms_have_all_instructions_with_address_and_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    export(folder);
    let plain = run(folder, &["--json", "-"]);
    let counts: Value = serde_json::from_str(&stdout(&plain)).expect("JSON");
    let mut issued = 0;
    for (sm, threads) in [("0", "1"), ("1", "2")] {
        let name = format!("t{sm}.json");
        let more = ["--timeline", &name, "--watch-sm", sm, "--threads", threads];
        let output = run(folder, &[&more[..], &["--json", "-"]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(stdout(&output), stdout(&plain), "watching changes nothing");
        let (here, json) = slices(folder, &name);
        assert!(here > 0);
        issued += here;
        let events = json["traceEvents"].as_array().expect("events");
        let last = events.iter().rfind(|event| event["cat"] == "issue");
        let last = last.expect("some");
        assert_eq!(last["name"], "EXIT");
        assert!(
            last["args"]["pc"]
                .as_u64()
                .is_some_and(|pc| pc > 0 && pc % 16 == 0)
        );
        assert!(last["args"]["line"].as_u64().is_some_and(|line| line > 0));
    }
    assert_eq!(counts["all"]["sm"]["warp_instructions"], issued);
    let more = ["--timeline", "t.kanata", "--timeline-window", "0:100"];
    let output = run(folder, &more);
    assert!(output.status.success(), "{}", stderr(&output));
    let log = std::fs::read_to_string(folder.join("t.kanata")).expect("written");
    assert!(log.starts_with("Kanata\t0004\n"));
    assert!(log.contains("\t0\t0x0010: "), "an address and its opcode");
}

#[test]
fn waveform_of_an_sm_has_its_cycles_and_stops_at_a_trigger() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    export(folder);
    let trigger = ["--wave-trigger", "sm.warps.at_barrier", "--wave-last", "20"];
    let output = run(folder, &[&["--wave", "w.vcd"][..], &trigger].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let text = std::fs::read(folder.join("w.vcd")).expect("written");
    let mut parser = vcd::Parser::new(&text[..]);
    let header = parser.parse_header().expect("a header");
    let cycle = header.find_var(&["sm", "cycle"]).expect("a signal").code;
    let times = parser.filter_map(|command| match command.expect("VCD") {
        // It is unknown before the first.
        vcd::Command::ChangeVector(id, value) if id == cycle => {
            u64::from_str_radix(&value.to_string(), 2).ok()
        }
        _ => None,
    });
    let times: Vec<u64> = times.collect();
    assert_eq!(times.len(), 20);
    assert!(
        times.windows(2).all(|two| two[0] + 1 == two[1]),
        "{times:?}"
    );
    for name in ["w.gtkw", "w.sucl"] {
        assert!(folder.join(name).is_file(), "{name}");
    }
}

#[test]
fn what_cannot_be_recorded_is_refused_and_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    export(folder);
    let refused = |more: &[&str], words: &[&str]| {
        let output = run(folder, more);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{more:?}: {text}");
        for word in words {
            assert!(text.contains(word), "{more:?}: {text}");
        }
        let left: Vec<_> = (std::fs::read_dir(folder).expect("a folder").flatten())
            .map(|entry| entry.file_name())
            .filter(|name| name != "k.traceg" && name != "t")
            .collect();
        assert!(left.is_empty(), "{more:?} left {left:?}");
    };
    refused(
        &["--watch-sm", "2", "--wave", "w.vcd"],
        &["--watch-sm 2", "of 2 SMs is 1"],
    );
    refused(
        &["--watch-sm", "1"],
        &["--watch-sm 1", "--timeline or --wave"],
    );
    refused(
        &["k.traceg", "--timeline", "t.json"],
        &["--timeline", "one kernel, 2"],
    );
    refused(&["--timeline", "t.txt"], &["t.txt", "t.kanata"]);
    let late = ["--timeline", "t.json", "--timeline-window", "9999999:"];
    refused(&late, &["9999999", "begin it earlier"]);
    let late = ["--wave", "w.fst", "--wave-window", "9999999:"];
    refused(&late, &["9999999", "begin it earlier"]);
}

#[test]
fn sm_without_a_cta_is_told_to_be_empty() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    export(folder);
    let args = ["trace", "run", "k.traceg", "--timeline", "t.json"];
    let of = |sm| {
        stderr(&regshare_in(
            folder,
            &[&args[..], &["--watch-sm", sm]].concat(),
        ))
    };
    let told = of("79");
    assert!(told.contains("SM 79 got no CTA"), "{told}");
    assert!(told.contains("--watch-sm"), "{told}");
    let told = of("0");
    assert!(!told.contains("got no CTA"), "{told}");
}

#[test]
fn timeline_of_a_run_over_its_limit_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    export(folder);
    let output = run(folder, &["--timeline", "t.json", "--cycle-limit", "300"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let (issued, json) = slices(folder, "t.json");
    assert!(issued > 0);
    let events = json["traceEvents"].as_array().expect("events");
    let ends = events
        .iter()
        .filter_map(|event| Some(event["ts"].as_u64()? + event["dur"].as_u64()?));
    assert!(ends.max().is_some_and(|end| (200..400).contains(&end)));
}
