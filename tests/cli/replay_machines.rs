//! `trace run -m FILE`: machines that contradict themselves are refused before anything runs, and those at the edge of what is
//! allowed run to the end.

use super::{regshare, regshare_in, stderr, stdout};
use std::fmt::Write;
use std::process::Output;

const QV100: &str = include_str!("../../sim/machines/replay/qv100.toml");
const GTX480: &str = include_str!("../../sim/machines/replay/gtx480.toml");

/// Loads, stores, atomics and arithmetic of all kinds, by two CTAs of four warps.
fn kernel() -> String {
    let mut text = "-kernel name = k\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (128,1,1)\n-shmem = 4096\n-nregs = 32\n\
                    -binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x00007efe00000000\n\
                    -local mem base_addr = 0x00007efd00000000\n-nvbit version = 1.5.5\n-accelsim tracer version = 5\n\
                    -enable lineinfo = 0\n\n#traces format = x\n"
        .to_owned();
    for cta in 0..2u64 {
        let _ = write!(text, "\n#BEGIN_TB\n\nthread block = {cta},0,0\n");
        for warp in 0..4 {
            let _ = write!(text, "\nwarp = {warp}\ninsts = 17\n");
            for n in 0..16u64 {
                let at = 0x7f00_0000_0000 + (cta * 4 + warp) * 0x40_0000 + n * 0x3000;
                let inst = match n % 8 {
                    0 => format!("ffffffff 1 R{} LDG.E.SYS 1 R2 4 1 {at:#x} 4 0", 4 + n),
                    1 => format!("ffffffff 0 STG.E.SYS 2 R2 R4 4 1 {at:#x} 4 0"),
                    2 => "ffffffff 1 R20 ATOMG.E.ADD.STRONG.GPU 2 R2 R4 4 1 0x7f0000000000 0 0"
                        .to_owned(),
                    3 => "ffffffff 1 R21 IMAD 3 R20 R5 R6 0 0".to_owned(),
                    4 => "ffffffff 1 R22 FFMA 3 R20 R5 R6 0 0".to_owned(),
                    5 => "ffffffff 1 R24 DFMA 3 R4 R6 R8 0 0".to_owned(),
                    6 => "ffffffff 1 R23 MUFU.RCP 1 R22 0 0".to_owned(),
                    _ => "ffffffff 0 BRA 0 0 0".to_owned(),
                };
                let _ = writeln!(text, "{:04x} {inst} ", 16 * n);
            }
            let _ = writeln!(text, "0100 ffffffff 0 EXIT 0 0 0 ");
        }
        text.push_str("\n#END_TB\n");
    }
    text
}

/// Replays the kernel on the machine with those texts instead of others.
fn replay(machine: &str, changes: &[(&str, &str)]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let without_comment = |line: &str| {
        line.split('#')
            .next()
            .map(|line| line.trim_end().to_owned() + "\n")
    };
    let mut text: String = machine.lines().filter_map(without_comment).collect();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    std::fs::write(folder.path().join("m.toml"), text).expect("written");
    std::fs::write(folder.path().join("k.traceg"), kernel()).expect("written");
    let args = ["trace", "run", "k.traceg", "-m", "m.toml", "--sms", "2"];
    regshare_in(
        folder.path(),
        &[&args[..], &["--cycle-limit", "200000"]].concat(),
    )
}

#[test]
fn machines_that_contradict_themselves_are_refused_at_the_line() {
    let rows: [(&[(&str, &str)], &str); 7] = [
        (
            &[("port_bytes = 32", "port_bytes = 0")],
            "l2.port_bytes: 0;",
        ),
        (
            &[("sp = { count = 4", "sp = { count = 1")],
            "units.sp: count = 1;",
        ),
        (
            &[("miss_queue = 16", "miss_queue = 1")],
            "l1.cache.miss_queue: 1;",
        ),
        (
            &[("unified_bytes = 131072", "unified_bytes = 1000")],
            "l1.unified_bytes: 1000;",
        ),
        (&[("wl = 2", "wl = 13")], "dram.wl: 13;"),
        (
            &[("row_bit = 15", "row_bit = 64")],
            "addresses.row_bit: 64;",
        ),
        (
            &[
                ("[8, 12, 13, 14]", "[]"),
                (
                    "\nbanks = 16\nbank_groups = 4",
                    "\nbanks = 1\nbank_groups = 1",
                ),
            ],
            "l2.slices_per_channel: 2;",
        ),
    ];
    for (changes, said) in rows {
        let output = replay(QV100, changes);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{changes:?}: {message}");
        assert!(message.contains(said), "{changes:?}: {message}");
        assert!(message.contains("[m.toml:"), "{changes:?}: {message}");
        assert!(output.stdout.is_empty(), "{changes:?}");
    }
}

#[test]
fn machines_at_the_edge_of_what_is_allowed_end() {
    let rows: [(&str, &[(&str, &str)]); 9] = [
        (
            QV100,
            &[
                ("miss_queue = 16", "miss_queue = 2"),
                ("miss_queue = 32", "miss_queue = 2"),
            ],
        ),
        (QV100, &[("input_packets = 512", "input_packets = 1")]),
        (
            QV100,
            &[
                ("output_packets = 512", "output_packets = 1"),
                ("sm_packets = 32", "sm_packets = 1"),
            ],
        ),
        (
            QV100,
            &[(
                "\nqueue = 64\nreturn_queue = 192",
                "\nqueue = 1\nreturn_queue = 1",
            )],
        ),
        (
            QV100,
            &[("wl = 2", "wl = 12"), ("port_bytes = 32", "port_bytes = 1")],
        ),
        (
            QV100,
            &[(
                "generic = { units = 8, ports = 8 }",
                "generic = { units = 4, ports = 1 }",
            )],
        ),
        (
            QV100,
            &[
                ("[8, 12, 13, 14]", "[]"),
                (
                    "\nbanks = 16\nbank_groups = 4",
                    "\nbanks = 1\nbank_groups = 1",
                ),
                ("slices_per_channel = 2", "slices_per_channel = 1"),
            ],
        ),
        (
            GTX480,
            &[(
                "generic = { units = 4, ports = 4 }",
                "generic = { units = 1, ports = 1 }",
            )],
        ),
        (
            GTX480,
            // Of the instruction cache.
            &[("merges = 48\nmiss_queue = 4", "merges = 48\nmiss_queue = 2")],
        ),
    ];
    for (machine, changes) in rows {
        let output = replay(machine, changes);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{changes:?}: {}",
            stderr(&output)
        );
        let text = stdout(&output);
        // 2 CTAs of 4 warps, 17 instructions each.
        assert!(text.contains(" 136 "), "{changes:?}: {text}");
    }
}

#[test]
fn more_than_the_machine_has_is_refused() {
    for (option, value, most) in [("--sms", "81", "80"), ("--channels", "33", "32")] {
        let output = regshare(&["trace", "run", "no.traceg", "-m", "qv100", option, value]);
        assert_eq!(output.status.code(), Some(2), "{option}");
        let message = stderr(&output);
        assert!(message.contains(&format!("has {most}")), "{message}");
    }
}
