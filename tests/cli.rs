//! The command line as a user sees it: what is printed, exit codes, no leftovers.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn regshare(args: &[&str]) -> Output {
    regshare_in(Path::new(env!("CARGO_MANIFEST_DIR")), args)
}

fn regshare_in(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_regshare"))
        .args(args)
        .current_dir(folder)
        .output()
        .expect("starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Runs with a bad input: exit code 2, a message with these words, nothing on standard output.
fn refused(folder: &Path, args: &[&str], words: &[&str]) {
    let output = regshare_in(folder, args);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert!(!message.contains("panicked"), "{args:?}: {message}");
    for word in words {
        assert!(
            message.contains(word),
            "{args:?}: `{word}` is missing in\n{message}"
        );
    }
}

#[test]
fn examples_in_the_snapshots_print_what_they_say() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.toml")
        .case("tests/cmd/*.trycmd");
}

#[test]
fn backends_print_the_same_json() {
    let run = |backend: &str| {
        let output = regshare(&[
            "run",
            "reduction",
            "convsep",
            "--scheme",
            "all",
            "--backend",
            backend,
            "--json",
            "-",
        ]);
        assert!(output.status.success(), "{}", stderr(&output));
        let mut json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(json["backend"].take(), backend);
        json
    };
    let model = run("model");
    assert_eq!(model["runs"].as_array().map(Vec::len), Some(8));
    assert_eq!(model, run("rtl"));
    assert_eq!(model, run("lockstep"));
}

#[test]
fn the_same_command_prints_the_same_bytes() {
    let run = || stdout(&regshare(&["run", "histogram", "--scheme", "all"]));
    assert_eq!(run(), run());
}

#[test]
fn unknown_names_are_refused_with_what_there_is() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    refused(here, &["run", "matmull"], &["matmull", "matmul, hotspot"]);
    refused(
        here,
        &["run", "histogram", "--scheme", "regmutexx"],
        &["regmutexx", "baseline, regmutex"],
    );
    refused(
        here,
        &["run", "histogram", "--machine", "gtx999"],
        &["gtx999", "gtx480"],
    );
    refused(
        here,
        &["run", "histogram", "--machine", "v100"],
        &["4 warp schedulers", "1 or 2"],
    );
    refused(here, &["run", "histogram", "--es", "7"], &["7", "even"]);
    refused(
        here,
        &["run", "histogram", "--es-policy", "best"],
        &["best", "round-up-even"],
    );
    refused(here, &["verilog", "srp"], &["srp", "srp_allocator"]);
    refused(
        here,
        &["verilog", "srp_allocator", "-P", "warps"],
        &["warps", "NAME=VALUE"],
    );
    refused(
        here,
        &["verilog", "srp_allocator", "-P", "warps=17"],
        &["17", "48"],
    );
    refused(here, &["repro", "fig99"], &["fig99", "fig7"]);
    refused(
        here,
        &[
            "run",
            "histogram",
            "--wave",
            "w.vcd",
            "--wave-window",
            "9:1",
        ],
        &["9:1"],
    );
    refused(
        here,
        &["run", "histogram", "reduction", "--wave", "w.vcd"],
        &["--wave", "one kernel"],
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

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let output = regshare(&["run", "histogram", "--json", "/dev/null"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let kind = std::fs::metadata("/dev/null").expect("there").file_type();
    assert!(kind.is_char_device());
}

#[test]
fn run_says_how_fast_it_was_and_how_much_memory_it_took() {
    let output = regshare(&["run", "histogram"]);
    let said = stderr(&output);
    assert!(
        said.contains("million warp instructions per second"),
        "{said}"
    );
    assert!(
        !cfg!(target_os = "linux") || said.contains("MiB of memory"),
        "{said}"
    );
}

#[test]
fn a_broken_kernel_file_is_refused_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let launch = "kernel = \"k\"\ngrid = 1\nblock = 32\n";
    std::fs::write(folder.path().join("k.toml"), launch).expect("writes");
    let ptx = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 %r<3>;\n\tadd.s32 %r1, %r2;\n\tret;\n}\n";
    std::fs::write(folder.path().join("k.ptx"), ptx).expect("writes");
    refused(
        folder.path(),
        &["run", "k.ptx", "--launch", "k.toml", "--json", "out.json"],
        &["k.ptx", "7"],
    );
    assert!(!folder.path().join("out.json").exists());
    refused(folder.path(), &["run", "k.ptx"], &["--launch"]);
    std::fs::write(
        folder.path().join("bad.toml"),
        "kernel = \"k\"\ngrid = 0\nblock = 32\n",
    )
    .expect("writes");
    refused(
        folder.path(),
        &["run", "k.ptx", "--launch", "bad.toml"],
        &["bad.toml", "grid"],
    );
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

#[test]
fn a_wrong_result_fails_the_run_and_names_the_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let ptx = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n\t.reg .b32 %r<2>;\n\t.reg .b64 %rd<5>;\n\tld.param.u64 %rd1, [p];\n\tmov.u32 %r1, %tid.x;\n\tmul.wide.u32 %rd2, %r1, 4;\n\tadd.s64 %rd3, %rd1, %rd2;\n\tst.global.u32 [%rd3], %r1;\n\tret;\n}\n";
    std::fs::write(folder.path().join("k.ptx"), ptx).expect("writes");
    let launch = |wanted: &str| {
        format!(
            "kernel = \"k\"\ngrid = 1\nblock = 32\n[[arg]]\nbuffer = \"x\"\ntype = \"u32\"\nlength = 32\ncontents = \"zeros\"\n\
             [[check]]\nbuffer = \"x\"\nnpy = \"{wanted}\"\n[[save]]\nbuffer = \"x\"\nnpy = \"x.npy\"\n"
        )
    };
    std::fs::write(
        folder.path().join("save.toml"),
        launch("x.npy").replace("[[check]]\nbuffer = \"x\"\nnpy = \"x.npy\"\n", ""),
    )
    .expect("writes");
    let output = regshare_in(folder.path(), &["run", "k.ptx", "--launch", "save.toml"]);
    assert!(output.status.success(), "{}", stderr(&output));
    std::fs::write(folder.path().join("check.toml"), launch("x.npy")).expect("writes");
    let output = regshare_in(folder.path(), &["run", "k.ptx", "--launch", "check.toml"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let wrong = ptx.replace(
        "st.global.u32 [%rd3], %r1;",
        "add.s32 %r1, %r1, 1;\n\tst.global.u32 [%rd3], %r1;",
    );
    std::fs::write(folder.path().join("k.ptx"), wrong).expect("writes");
    let output = regshare_in(folder.path(), &["run", "k.ptx", "--launch", "check.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("differs"), "{}", stderr(&output));
}

#[test]
fn the_demo_leaves_everything_it_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = regshare_in(folder.path(), &["demo", "--kernel", "convsep"]);
    assert!(output.status.success(), "{}", stderr(&output));
    for file in [
        "report.html",
        "report.json",
        "regmutex.vcd",
        "regmutex.gtkw",
        "regmutex.sucl",
    ] {
        let size = std::fs::metadata(folder.path().join("out").join(file))
            .map(|data| data.len())
            .unwrap_or(0);
        assert!(size > 100, "out/{file} has {size} bytes");
    }
    let report = std::fs::read_to_string(folder.path().join("out/report.html")).expect("there");
    for outside in ["http://", "https://"] {
        let links = report.replace("http://www.w3.org/2000/svg", "");
        assert!(!links.contains(outside), "the report refers to {outside}");
    }
    assert!(
        folder
            .path()
            .join("out/verilog/srp_allocator_w48/srp_allocator_w48.v")
            .exists()
    );
}

/// All figures where every check is demanded; otherwise one, because unoptimised runs take minutes.
#[test]
fn the_page_of_results_is_what_the_runs_give_now() {
    let all = std::env::var_os("REGSHARE_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    let output = regshare(&["repro", if all { "all" } else { "fig7" }, "--markdown"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/results.md"))
            .expect("there");
    assert!(
        page.contains(stdout(&output).trim()),
        "docs/results.md is stale: run `cargo bless`"
    );
}

#[test]
fn first_steps_quote_the_real_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    for file in ["saxpy.ptx", "saxpy.toml"] {
        std::fs::copy(
            root.join("docs/examples").join(file),
            folder.path().join(file),
        )
        .expect("copies");
    }
    let output = regshare_in(
        folder.path(),
        &["run", "saxpy.ptx", "--launch", "saxpy.toml"],
    );
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(folder.path().join("y.npy").exists());
    let page = std::fs::read_to_string(root.join("docs/start.md")).expect("there");
    for line in stdout(&output).lines() {
        assert!(
            page.contains(line.trim_end()),
            "docs/start.md does not quote\n{line}"
        );
    }
}
