//! `trace run` of a kernel that cannot go on: it ends at once, and says who waits where for what.

use super::{regshare_in, stderr};
use std::path::Path;
use std::process::Output;

const EXIT: &str = "ffffffff 0 EXIT 0 0 0";

/// A trace of one CTA with two warps, of which each comes to that barrier and then ends.
fn write(folder: &Path, barriers: [&str; 2]) {
    let warps = [0, 1].map(|warp| {
        let barrier = barriers[warp];
        let at = 0x10 * (warp + 1);
        format!(
            "warp = {warp}\ninsts = 3\n0000 ffffffff 1 R1 S2R 0 0 0\n{at:04x} ffffffff 0 {barrier}\n0030 {EXIT}\n\n"
        )
    });
    let text = format!(
        "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 8\n\
         -binary version = 70\n-accelsim tracer version = 5\n\n#traces format\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\n\
         {}#END_TB\n",
        warps.concat()
    );
    std::fs::write(folder.join("k.traceg"), text).expect("written");
}

/// Replays it; the report in one line.
fn replay(folder: &Path, more: &[&str]) -> (Output, String) {
    let args = ["trace", "run", "k.traceg", "--json", "k.json"];
    let output = regshare_in(folder, &[&args[..], more].concat());
    let said = stderr(&output).replace('│', " ");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    (output, said)
}

/// It ends with a report that has the parts, whoever schedules and on however many threads, and leaves nothing.
fn hangs(barriers: [&str; 2], parts: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), barriers);
    let mut reports = Vec::new();
    for more in [
        &["-m", "qv100"][..],
        &["-m", "qv100", "--threads", "2"],
        &["-m", "gtx480", "--scheduler", "gto"],
        &["-m", "gtx480", "--scheduler", "two-level:6"],
    ] {
        let (output, said) = replay(folder.path(), more);
        assert_eq!(output.status.code(), Some(1), "{more:?}: {said}");
        for part in [
            "kernel k (k.traceg): no warp can ever go on after cycle",
            "2 warps have not ended",
        ]
        .iter()
        .chain(parts)
        {
            assert!(said.contains(part), "{more:?}: {part} is not in {said}");
        }
        assert!(output.stdout.is_empty());
        assert!(!folder.path().join("k.json").exists());
        reports.push(said);
    }
    assert_eq!(reports[0], reports[1], "on one thread and on two");
}

#[test]
fn warps_at_barriers_of_two_numbers_wait_for_ever() {
    hangs(
        ["BAR.SYNC 0 0 1", "BAR.SYNC 0 0 2"],
        &[
            "SM 0, CTA 0,0,0, warp 0, next 0030 EXIT: waits at barrier 1, where 1 of 2 warps are (0010 BAR.SYNC)",
            "SM 0, CTA 0,0,0, warp 1, next 0030 EXIT: waits at barrier 2, where 1 of 2 warps are (0020 BAR.SYNC)",
        ],
    );
}

#[test]
fn barrier_for_more_threads_than_come_keeps_them_for_ever() {
    let folder = tempfile::tempdir().expect("a folder");
    let at_one = |folder: &Path, threads: &str| {
        write(folder, [threads, threads]);
        let path = folder.join("k.traceg");
        let text = std::fs::read_to_string(&path).expect("written");
        // Both warps come to the same instruction.
        std::fs::write(path, text.replace("0020 ffffffff", "0010 ffffffff")).expect("written");
    };
    at_one(folder.path(), "BAR.SYNC 0 0 96");
    let (output, said) = replay(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for warp in ["warp 0", "warp 1"] {
        let line = format!(
            "CTA 0,0,0, {warp}, next 0030 EXIT: waits at a barrier for 96 threads, where 64 are (0010 BAR.SYNC)"
        );
        assert!(said.contains(&line), "{said}");
    }
    at_one(folder.path(), "BAR.SYNC 0 0 64");
    let (output, said) = replay(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(0), "{said}");
}

#[test]
fn warp_that_only_arrives_does_not_hang() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), ["BAR.ARV 0 0 64", "BAR.SYNC 0 0 64"]);
    for more in [&[][..], &["--scheduler", "two-level:6"]] {
        let (output, said) = replay(folder.path(), more);
        assert_eq!(output.status.code(), Some(0), "{said}");
    }
}

#[test]
fn warps_that_wait_are_told_with_the_source_lines_of_the_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), ["BAR.SYNC 0 0 1", "BAR.SYNC 0 0 2"]);
    let path = folder.path().join("k.traceg");
    let plain = std::fs::read_to_string(&path).expect("written");
    let mut line = 40;
    let text: String = (plain.lines())
        .map(|text| match text.contains("ffffffff") {
            true => {
                line += 1;
                format!("{line} {text}\n")
            }
            false => format!("{text}\n"),
        })
        .collect();
    let head = "-accelsim tracer version = 5\n";
    let text = text.replace(head, &format!("{head}-enable lineinfo = 1\n"));
    std::fs::write(&path, text).expect("written");
    let (output, said) = replay(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let part = "warp 1, next 0030 EXIT, line 46: waits at barrier 2, where 1 of 2 warps are (0020 BAR.SYNC, line 45)";
    assert!(said.contains(part), "{said}");
}
