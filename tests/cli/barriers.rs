//! `compile --emit barriers`: the six barriers of RegDem's predictor beside the instructions.

use super::{regshare, stdout};

/// Eight loads that do not wait for each other, then their sum.
const KERNEL: &str = "\
.version 8.0
.target sm_50
.address_size 64
.visible .entry eight(.param .u64 out) {
    .reg .b32 %r<10>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [out];
    ld.global.u32 %r1, [%rd1];
    ld.global.u32 %r2, [%rd1+4];
    ld.global.u32 %r3, [%rd1+8];
    ld.global.u32 %r4, [%rd1+12];
    ld.global.u32 %r5, [%rd1+16];
    ld.global.u32 %r6, [%rd1+20];
    ld.global.u32 %r7, [%rd1+24];
    add.u32 %r1, %r1, %r2;
    add.u32 %r3, %r3, %r4;
    add.u32 %r5, %r5, %r6;
    add.u32 %r1, %r1, %r3;
    add.u32 %r5, %r5, %r7;
    add.u32 %r1, %r1, %r5;
    st.global.u32 [%rd1], %r1;
    ret;
}
";

const LAUNCH: &str = "\
kernel = \"eight\"
grid = [1, 1, 1]
block = [32, 1, 1]
[[arg]]
buffer = \"data\"
type = \"u32\"
length = 8
contents = \"iota\"
";

#[test]
fn a_seventh_load_takes_a_barrier_that_another_has_and_stalls_for_it() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let path = |name: &str| dir.path().join(name).to_str().expect("UTF-8").to_owned();
    std::fs::write(path("k.ptx"), KERNEL).expect("written");
    std::fs::write(path("k.toml"), LAUNCH).expect("written");
    let (ptx, toml) = (path("k.ptx"), path("k.toml"));
    let barriers = [
        "compile", &ptx, "--launch", &toml, "--scheme", "baseline", "-m", "maxwell", "--emit",
        "barriers",
    ];
    let text = stdout(&regshare(&barriers));
    assert!(
        text.starts_with("// 6 of 6 barriers, set by 8 accesses;"),
        "{text}"
    );
    let noted: Vec<_> = (text.lines())
        .filter(|line| line.contains("ld.global"))
        .filter_map(|line| line.split_once(" // "))
        .map(|(_, note)| note)
        .collect();
    assert_eq!(noted.len(), 7, "{text}");
    // Loads are set one cycle after the other and last 200 cycles.
    // The first waits for its address besides.
    let sets: Vec<_> = (noted[..6].iter())
        .map(|note| note.rsplit(", ").next().expect("a part"))
        .collect();
    assert_eq!(sets, [0, 1, 2, 3, 4, 5].map(|at| format!("sets {at}")));
    assert!(
        noted[..6].iter().all(|note| !note.contains("waits")),
        "{text}"
    );
    let Some(rest) = noted[6].strip_prefix("waits for 0, stalls ") else {
        panic!("{text}");
    };
    assert!(rest.ends_with(", sets 0"), "{text}");
    // What it prints is the text form still.
    std::fs::write(path("k.txt"), &text).expect("written");
    let again = [
        "compile",
        &path("k.txt"),
        "--launch",
        &toml,
        "--scheme",
        "baseline",
        "-m",
        "maxwell",
        "--emit",
        "barriers",
    ];
    assert_eq!(stdout(&regshare(&again)), text);
}
