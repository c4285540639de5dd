//! Bad input: place, cause and cure, exit code 2, nothing left behind. Runs that fail: exit code 1.

use super::{regshare, regshare_in, stderr};
use std::path::Path;
use std::process::Command;

/// Runs with a bad input: exit code 2, a message with these words, nothing on standard output.
pub(super) fn refused(folder: &Path, args: &[&str], words: &[&str]) {
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
        &[
            "run",
            "histogram",
            "--scheme",
            "shared-lrr-unroll",
            "--sharing",
            "-5",
        ],
        &["`-5`", "0 to 99"],
    );
    refused(
        here,
        &["run", "histogram", "--scheme", "rfv", "--wake-up", "2"],
        &["--wake-up", "1, 3 or 10"],
    );
    refused(
        here,
        &["run", "histogram", "--sms", "16"],
        &["--sms 16", "gtx480 has 15 SMs"],
    );
    refused(
        here,
        &["run", "histogram", "--scheme", "shared-owf-unroll-dyn"],
        &["compared with SM 0", "--sms 2"],
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
    refused(
        here,
        &["verilog", "register_manager", "-P", "system=rvf"],
        &["rvf", "rfv", "list units"],
    );
    refused(
        here,
        &["verilog", "register_manager", "-P", "system="],
        &["system=", "NAME=VALUE"],
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
    refused(
        here,
        &["run", "histogram", "--launches", "2", "--wave", "w.vcd"],
        &["--wave records one launch", "leave out --launches"],
    );
}

/// Each with a scheme that does not use it; beside one that does, or with `all`, it is taken (the other tests run such).
#[test]
fn an_option_that_no_scheme_named_uses_is_refused_with_those_that_do() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (option, scheme, user) in [
        ("--es 4", "rfv", "paired-safe+owf"),
        ("--es auto", "baseline", "regmutex"),
        ("--es-policy paper-text", "cars,rfv", "paired"),
        ("--sharing 50", "regmutex", "shared-owf-unroll-dyn"),
        ("--shrink 50", "rfv", "gpu-shrink, compiler-spill"),
        ("--demote 3", "regmutex", "regdem"),
        ("--flag-cache 5", "baseline", "rfv, gpu-shrink"),
        ("--flag-cache 10", "regdem+regmutex", "rfv, gpu-shrink"),
        ("--flag-cache 5", "rfv-hardware-only", "rfv, gpu-shrink"),
        ("--wake-up 3", "Baseline,PAIRED", "rfv-hardware-only"),
        ("--table-bytes 1024", "rfv-hardware-only", "rfv, gpu-shrink"),
        (
            "--table-clocks 1",
            "regmutex",
            "rfv, gpu-shrink, rfv-hardware-only",
        ),
        ("--watermark low", "abi-spill", "cars"),
        ("--no-extra-cycle", "abi-spill", "cars"),
        ("--scheduler lrr", "regmutex+owf", "bring their own"),
        (
            "--scheduler lrr",
            "shared-lrr-unroll,shared-gto-unroll",
            "bring their own",
        ),
    ] {
        let option: Vec<&str> = option.split(' ').collect();
        let args = [&["run", "histogram", "--scheme", scheme], &option[..]].concat();
        let output = regshare_in(here, &args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        // Lines are broken, also behind hyphens.
        let close = |text: &str| text.replace(['\n', ' ', '│'], "").to_lowercase();
        let said = close(&stderr(&output));
        for words in [&format!("{} means nothing under {scheme}", option[0]), user] {
            assert!(
                said.contains(&close(words)),
                "{args:?}: {words} is missing in {said}"
            );
        }
    }
    let args = ["compile", "histogram", "--flag-cache", "5"];
    refused(here, &args, &["--flag-cache", "regmutex", "gpu-shrink"]);
    for args in [
        "run histogram --scheme baseline,rfv --flag-cache 5 --cycle-limit 1",
        "run histogram --scheme all --flag-cache 5 --cycle-limit 1",
        "run histogram --scheme regdem+paired+owf --es 4 --demote 2 --cycle-limit 1",
        "run histogram --scheme baseline,regmutex+owf --scheduler lrr --cycle-limit 1",
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        let output = regshare(&args);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    }
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
fn a_file_that_is_no_kernel_is_refused_with_what_a_kernel_begins_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("writes");
    };
    write("k.toml", "kernel = \"k\"\ngrid = 1\nblock = 32\n");
    write("page.md", "\n# A page\n");
    write("empty.ptx", "");
    write(
        "func.ptx",
        ".version 7.0\n.target sm_70\n.address_size 64\n.func k()\n{\n\tret;\n}\n",
    );
    let run = |file: &str, words: &[&str]| {
        refused(folder.path(), &["run", file, "--launch", "k.toml"], words);
        refused(folder.path(), &["compile", file, "--emit", "liveness"], &[]);
    };
    run("page.md", &["page.md:2:1", "`.version`", "`.kernel`"]);
    run("empty.ptx", &["empty.ptx:1:1", "nothing"]);
    run("func.ptx", &["k.toml:1:10", "`.entry`"]);
}

#[test]
fn a_thread_is_followed_only_where_it_can_be() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let spmv = ["compile", "spmv", "--thread"];
    refused(
        here,
        &[&spmv[..], &["4"]].concat(),
        &["--thread", "--emit liveness"],
    );
    refused(
        here,
        &[&spmv[..], &["6144", "--emit", "liveness"]].concat(),
        &["no thread 6144", "0 to 6143"],
    );
    refused(
        here,
        &[
            "compile",
            "docs/examples/saxpy.ptx",
            "--emit",
            "liveness",
            "--thread",
            "1",
        ],
        &["--thread", "--launch FILE"],
    );
}

#[test]
fn a_broken_machine_file_is_refused_with_the_numbers_it_may_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = include_str!("../../sim/machines/gtx480.toml");
    let broken = text.replace("packs_per_sm = 1024", "packs_per_sm = -4");
    std::fs::write(folder.path().join("m.toml"), broken).expect("writes");
    refused(
        folder.path(),
        &["run", "histogram", "--machine", "m.toml"],
        &["m.toml:13", "`-4`", "65535"],
    );
}

#[test]
fn a_number_of_threads_that_is_none_is_refused() {
    let output = Command::new(env!("CARGO_BIN_EXE_regshare"))
        .args(["list", "schemes"])
        .env("RAYON_NUM_THREADS", "two")
        .output()
        .expect("starts");
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(
        message.contains("RAYON_NUM_THREADS") && message.contains("two"),
        "{message}"
    );
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

/// A run may take an hour: what it is compared with is looked at before.
#[test]
fn a_file_to_compare_with_that_is_not_there_is_found_before_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let launch = folder.path().join("launch.toml");
    let text = std::fs::read_to_string("docs/examples/saxpy.toml").expect("an example");
    let check = "\n[[check]]\nbuffer = \"x\"\nnpy = \"nowhere.npy\"\n";
    std::fs::write(&launch, text + check).expect("written");
    let path = launch.to_str().expect("UTF-8");
    let json = folder.path().join("out.json");
    let json = json.to_str().expect("UTF-8");
    let output = regshare(&[
        "run",
        "docs/examples/saxpy.ptx",
        "--launch",
        path,
        "--json",
        json,
    ]);
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(
        message.contains("nowhere.npy") && message.contains("launch.toml"),
        "{message}"
    );
    assert!(!std::path::Path::new(json).exists());
}
