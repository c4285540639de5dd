//! Calls that are kept: how deep they may go, and how many registers they may take.

use super::{regshare, stderr};

/// `f` calls itself for ever and saves nothing: its frames need no room anywhere.
#[test]
fn a_recursion_without_end_ends_with_a_place_where_no_frame_needs_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let text = ".version 6.3\n.target sm_70\n.address_size 64\n.func (.param .b32 r) f(.param .b32 x)\n{\n.reg .b32 %a<2>;\n\
        ld.param.u32 %a0, [x];\n{ .param .b32 q; .param .b32 w; st.param.b32 [q], %a0;\ncall (w), f, (q);\n\
        ld.param.b32 %a1, [w]; }\nadd.u32 %a1, %a1, 1; st.param.b32 [r], %a1; ret;\n}\n\
        .visible .entry k(.param .u64 o)\n{\n.reg .b32 %r<2>; .reg .b64 %d<1>;\nld.param.u64 %d0, [o]; mov.u32 %r0, %tid.x;\n\
        { .param .b32 x; .param .b32 r; st.param.b32 [x], %r0; call (r), f, (x); ld.param.b32 %r1, [r]; }\n\
        st.global.u32 [%d0], %r1; ret;\n}\n";
    std::fs::write(path("k.ptx"), text).expect("written");
    let launch = "kernel = \"k\"\ngrid = 1\nblock = 32\n[[arg]]\nbuffer = \"o\"\ntype = \"u32\"\nlength = 1\n";
    std::fs::write(path("k.toml"), launch).expect("written");
    let (ptx, toml) = (path("k.ptx"), path("k.toml"));
    for scheme in ["abi-spill", "all-hit", "cars"] {
        let output = regshare(&["run", &ptx, "--launch", &toml, "--scheme", scheme]);
        assert_eq!(output.status.code(), Some(1), "{scheme}");
        let message = stderr(&output);
        assert!(
            message.contains("too deep") && message.contains("line 9"),
            "{message}"
        );
    }
    let compile = [
        "compile",
        &ptx,
        "--launch",
        &toml,
        "--scheme",
        "abi-spill",
        "--emit",
        "calls",
    ];
    let output = regshare(&compile);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("too deep"), "{}", stderr(&output));
}

/// A cap is one on the numbers of registers, R16 and up among them.
#[test]
fn a_cap_on_registers_holds_where_calls_are_kept() {
    for (cap, scheme) in [("30", "abi-spill"), ("26", "abi-spill"), ("30", "cars")] {
        let output = regshare(&[
            "run",
            "collide",
            "--scheme",
            scheme,
            "--max-regs",
            cap,
            "--json",
            "-",
        ]);
        assert!(
            output.status.success(),
            "{cap} {scheme}: {}",
            stderr(&output)
        );
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let run = &report["runs"][0];
        let used = run["registers"]["per_thread"].as_u64().expect("a number");
        assert!(
            used <= cap.parse().expect("a number"),
            "{cap} {scheme}: {used}"
        );
        assert_eq!(run["result"], "correct");
    }
    let output = regshare(&[
        "run",
        "collide",
        "--scheme",
        "abi-spill",
        "--max-regs",
        "12",
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("16 registers would do"),
        "{}",
        stderr(&output)
    );
}
