//! Round robin among warps that wait for the registers of their partners, and warps that have theirs.

use super::{regshare, stderr};
use serde_json::Value;
use std::fmt::Write;

/// Loads `values` words, waits at a barrier and adds them up: all are live there.
fn sums(values: usize) -> String {
    let mut body = String::new();
    for value in 0..values {
        writeln!(body, "ld.global.u32 %v{value}, [%rdx+{}];", 4 * value).expect("a string");
    }
    body += "bar.sync 0;\nmov.u32 %s, 0;\n";
    for value in 0..values {
        writeln!(body, "mad.lo.u32 %s, %s, 31, %v{value};").expect("a string");
    }
    format!(
        ".version 6.0\n.target sm_20\n.address_size 64\n.visible .entry k(.param .u64 x, .param .u64 y)\n{{\n\
         .reg .b32 %v<{values}>; .reg .b32 %s, %tid, %nt, %c, %gid; .reg .b64 %rdx, %rdy, %rd0;\n\
         mov.u32 %tid, %tid.x; mov.u32 %nt, %ntid.x; mov.u32 %c, %ctaid.x; mad.lo.s32 %gid, %c, %nt, %tid;\n\
         ld.param.u64 %rdy, [y]; mul.wide.u32 %rd0, %gid, 4; add.s64 %rdy, %rdy, %rd0;\n\
         ld.param.u64 %rdx, [x]; add.s64 %rdx, %rdx, %rd0;\n{body}st.global.u32 [%rdy], %s; ret;\n}}\n"
    )
}

/// Resource sharing, III-A: a warp of each pair may go on. Two warps of pairs without an owner that were refused together were tried
/// again together for ever, before any that may issue.
#[test]
fn kernels_end_under_round_robin_whatever_the_sizes_of_their_ctas() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    for (values, threads, machine) in [
        (36, 200, "gtx480"),
        (40, 160, "gtx480"),
        (48, 224, "v100"),
        (32, 352, "gtx480"),
    ] {
        let place = format!("{values} values, {threads} threads, {machine}");
        let (ptx, toml) = (path("k.ptx"), path("k.toml"));
        std::fs::write(&ptx, sums(values)).expect("written");
        let outputs = 18 * threads;
        let launch = format!(
            "kernel = \"k\"\ngrid = 18\nblock = {threads}\n[[arg]]\nbuffer = \"x\"\ntype = \"u32\"\nlength = {}\n\
             contents = \"iota\"\n[[arg]]\nbuffer = \"y\"\ntype = \"u32\"\nlength = {outputs}\n",
            outputs + values
        );
        std::fs::write(&toml, launch).expect("written");
        let output = regshare(&[
            "run",
            &ptx,
            "--launch",
            &toml,
            "-m",
            machine,
            "--json",
            "-",
            "--scheme",
            "baseline,shared-lrr-noopt,shared-lrr-unroll",
        ]);
        assert!(output.status.success(), "{place}: {}", stderr(&output));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        for run in &report["runs"].as_array().expect("runs")[1..] {
            assert_eq!(run["result"], "as baseline", "{place} {}", run["scheme"]);
            assert!(
                run["occupancy"]["ctas"].as_u64() > report["runs"][0]["occupancy"]["ctas"].as_u64(),
                "{place}"
            );
        }
    }
}
