//! How many CTAs share half a register file, and registers per thread as a scheme leaves them.

use super::{regshare, stderr, stdout};
use serde_json::Value;
use std::path::Path;

/// A histogram of 64 bins in scratchpad: 16 registers, all of which some instruction has mapped.
const HISTOGRAM: &str = ".version 3.2\n.target sm_20\n.address_size 64\n\
    .visible .entry k(.param .u64 y, .param .u64 x)\n{\n\
    .reg .pred %p<4>; .reg .b32 %r<25>; .reg .b64 %rd<19>; .reg .b64 %w<2>; .shared .align 4 .b8 bins[256];\n\
    mov.u32 %r1, %tid.x; setp.gt.s32 %p1, %r1, 63; mul.wide.s32 %rd6, %r1, 4; mov.u64 %rd7, bins; add.s64 %rd2, %rd7, %rd6;\n\
    @%p1 bra CLEARED;\nmov.u32 %r9, 0; st.shared.u32 [%rd2], %r9;\n\
    CLEARED:\nld.param.u64 %rd5, [x]; ld.param.u64 %rd4, [y]; cvt.s64.s32 %rd1, %r1; bar.sync 0;\n\
    mov.u32 %r11, %ctaid.x; mov.u32 %r12, %ntid.x; shl.b32 %r13, %r11, 4; or.b32 %r14, %r13, 1; mul.lo.s32 %r2, %r12, %r14;\n\
    shl.b32 %r3, %r12, 1; mul.lo.s32 %r15, %r12, %r11; shl.b32 %r4, %r15, 4; mov.u32 %r23, 16; mov.u32 %r24, %r1;\n\
    LOOP:\nadd.s32 %r16, %r4, %r24; cvt.s64.s32 %rd10, %r16; add.s64 %rd11, %rd5, %rd10;\nld.global.u8 %r17, [%rd11];\n\
    and.b32 %r18, %r17, 63; mul.wide.u32 %rd12, %r18, 4; add.s64 %rd8, %rd7, %rd12;\n\
    cvta.shared.u64 %w0, %rd8; red.add.u32 [%w0], 1;\n\
    add.s32 %r19, %r2, %r24; cvt.s64.s32 %rd14, %r19; add.s64 %rd15, %rd5, %rd14;\nld.global.u8 %r20, [%rd15];\n\
    and.b32 %r21, %r20, 63; mul.wide.u32 %rd16, %r21, 4; add.s64 %rd9, %rd7, %rd16;\n\
    cvta.shared.u64 %w1, %rd9; red.add.u32 [%w1], 1;\n\
    add.s32 %r24, %r24, %r3; add.s32 %r23, %r23, -2; setp.eq.s32 %p2, %r23, 0;\n@%p2 bra COUNTED;\nbra.uni LOOP;\n\
    COUNTED:\nsetp.lt.s32 %p3, %r1, 64; bar.sync 0;\n@!%p3 bra DONE;\n\
    shl.b64 %rd17, %rd1, 2; add.s64 %rd18, %rd4, %rd17; ld.shared.u32 %r22, [%rd2]; red.global.add.u32 [%rd18], %r22;\n\
    DONE:\nret;\n}\n";

/// It and its launch, as files.
fn written(folder: &Path) -> (String, String) {
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (ptx, toml) = (path("k.ptx"), path("k.toml"));
    std::fs::write(&ptx, HISTOGRAM).expect("written");
    let launch = "kernel = \"k\"\ngrid = 8\nblock = 128\n[[arg]]\nbuffer = \"y\"\ntype = \"u32\"\nlength = 64\n\
        [[arg]]\nbuffer = \"x\"\ntype = \"u8\"\nlength = 16384\ncontents = { random = { seed = 1, min = 0, max = 255 } }\n";
    std::fs::write(&toml, launch).expect("written");
    (ptx, toml)
}

/// 32 warps of 16 registers are half of 1024 packs: a load that had issued was held back by the throttle, while those of the one CTA
/// that was not waited behind it.
#[test]
fn a_kernel_that_fills_half_the_packs_ends_whichever_ctas_are_resident() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ptx, toml) = written(folder.path());
    let cycles = |resident: &str, scheduler: &str| {
        let output = regshare(&[
            "run",
            &ptx,
            "--launch",
            &toml,
            "--json",
            "-",
            "--scheme",
            "baseline,rfv,gpu-shrink",
            "--resident",
            resident,
            "--scheduler",
            scheduler,
        ]);
        let place = format!("{resident}, {scheduler}");
        assert!(output.status.success(), "{place}: {}", stderr(&output));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let run = |at: usize| &report["runs"][at];
        for renamed in [run(1), run(2)] {
            assert_eq!(renamed["result"], "as baseline", "{place}");
        }
        let counts = &run(2)["renaming"]["counts"];
        assert_eq!(counts["throttled_cycles"], 0, "{place}");
        (
            run(2)["occupancy"]["ctas"].as_u64().expect("a count"),
            counts["short"].as_u64().expect("a count") > 0,
            run(2)["cycles"].as_u64().expect("a count"),
        )
    };
    for scheduler in ["gto", "lrr", "oldest"] {
        let (all, waits, of_all) = cycles("all", scheduler);
        assert_eq!((all, waits), (8, true), "{scheduler}");
        assert_eq!(cycles("auto", scheduler), (all, waits, of_all));
        let (fit, waits, of_fit) = cycles("fit", scheduler);
        assert_eq!((fit, waits), (7, false), "{scheduler}");
        // An eighth CTA alone at the end.
        assert!(of_fit > of_all, "{scheduler}: {of_fit} and {of_all}");
        assert_eq!(cycles("5", scheduler).0, 5);
    }
}

#[test]
fn a_number_of_ctas_that_is_none_is_refused_and_so_is_one_that_nobody_reads() {
    for (value, scheme, cure) in [
        ("0", "rfv", "1 to 32"),
        ("some", "gpu-shrink", "`auto`, `all`, `fit`"),
        ("all", "baseline", "rfv, gpu-shrink"),
    ] {
        let output = regshare(&["run", "hotspot", "--scheme", scheme, "--resident", value]);
        assert_eq!(output.status.code(), Some(2), "{value}");
        assert!(stderr(&output).contains(cure), "{}", stderr(&output));
    }
}

/// The paper's comparison alone: the throttle of the hardware acts, and all end as without it.
#[test]
fn by_the_smallest_balance_alone_ctas_are_throttled_by_the_hardware() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ptx, toml) = written(folder.path());
    let run = |scheduler: &str, backend: &str| {
        let kernel = ["run", &ptx, "--launch", &toml, "--json", "-", "--scheme"];
        let scheme = ["baseline,gpu-shrink", "--cta-throttle", "balance"];
        let how = ["--scheduler", scheduler, "--backend", backend];
        let output = regshare(&[&kernel[..], &scheme, &["--resident", "all"], &how].concat());
        assert!(output.status.success(), "{scheduler}: {}", stderr(&output));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let run = report["runs"][1].clone();
        assert_eq!(run["result"], "as baseline", "{scheduler}");
        assert_eq!(run["occupancy"]["ctas"], 8, "{scheduler}");
        run
    };
    for scheduler in ["gto", "lrr", "oldest"] {
        let [model, rtl] = ["model", "rtl"].map(|backend| run(scheduler, backend));
        let throttled = &model["renaming"]["counts"]["throttled_cycles"];
        let throttled = throttled.as_u64().expect("a count");
        assert!(throttled > 1000, "{scheduler}: {throttled} cycles");
        assert_eq!(model["cycles"], rtl["cycles"], "{scheduler}");
        assert_eq!(model["renaming"], rtl["renaming"], "{scheduler}");
    }
}

/// Two CTAs of hotspot whose warps have run dry of one bank each: some are spilled, though each CTA fits alone.
#[test]
fn warps_of_several_ctas_are_spilled_where_the_throttle_leaves_nobody_with_packs() {
    let hotspot = ["run", "hotspot", "--machine", "fermi16", "--json", "-"];
    let scheme = ["--scheme", "gpu-shrink", "--cta-throttle", "balance"];
    let output = regshare(&[&hotspot[..], &scheme].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let run = &report["runs"][0];
    let counts = &run["renaming"]["counts"];
    assert_eq!(run["result"], "correct");
    assert_eq!(run["occupancy"]["ctas"], 2);
    assert!(counts["spills"].as_u64() > Some(0), "{counts}");
    assert_eq!(counts["spilled_packs"], counts["filled_packs"]);
}

#[test]
fn a_throttle_that_is_none_is_refused_and_so_is_one_that_nobody_reads() {
    for (value, scheme, cure) in [
        ("paper", "rfv", "`banker`, or `balance`"),
        ("balance", "rfv-hardware-only", "a scheme that uses it"),
    ] {
        let args = [
            "run",
            "hotspot",
            "--scheme",
            scheme,
            "--cta-throttle",
            value,
        ];
        let output = regshare(&args);
        assert_eq!(output.status.code(), Some(2), "{value}");
        assert!(stderr(&output).contains(cure), "{}", stderr(&output));
    }
}

/// The line of a plan that begins with `name`, without it.
fn line(args: &[&str], name: &str) -> String {
    let output = regshare(&[&["compile"], args, &["--emit", "plan"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.expect("is there").trim().to_owned()
}

#[test]
fn a_plan_says_what_is_left_of_the_registers_and_what_was_spilled() {
    let local = ["forest", "--machine", "maxwell", "--scheme", "local-spill"];
    assert_eq!(
        line(&local, "registers per thread"),
        "48 (48 live at once); 51 (51 live at once) before the scheme"
    );
    assert_eq!(
        line(&local, "spilled"),
        "16 bytes per thread, 5 loads, 5 stores"
    );
    // Of functions that are called, too.
    let calls = ["raytrace", "--scheme", "abi-spill", "--max-regs", "24"];
    assert!(!line(&calls, "spilled").starts_with("0 bytes"));
}

#[test]
fn a_plan_says_that_warps_wait_for_packs() {
    let rfv = |resident: &'static str| {
        let scheme = ["hotspot", "--machine", "fermi16", "--scheme", "gpu-shrink"];
        [&scheme[..], &["--resident", resident]].concat()
    };
    assert_eq!(line(&rfv("all"), "CTAs, warps per SM"), "3, 24");
    assert!(line(&rfv("all"), "warps wait").contains("other CTAs"));
    let balance = [&rfv("all")[..], &["--cta-throttle", "balance"]].concat();
    assert!(line(&balance, "warps wait").contains("smallest balance"));
    assert!(line(&balance, "spills").contains("none could go on"));
    assert_eq!(line(&rfv("fit"), "CTAs, warps per SM"), "1, 8");
}

/// 68 registers, of which the renaming table has 63: no step of occupancy is below that and near.
#[test]
fn regdem_demotes_to_what_the_renaming_table_has() {
    let rfv = [
        "transport",
        "--machine",
        "fermi16",
        "--scheme",
        "regdem+rfv",
    ];
    assert!(line(&rfv, "variant").starts_with("demoted to 63 registers"));
}
