//! Messages name what is wrong, once, and a cure that is not in use already.

use super::calls::told;
use super::refusals::refused;
use super::regshare;
use std::path::Path;

#[test]
fn an_empty_trace_and_a_list_of_traces_are_told_apart_from_kernels_without_a_launch() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    write("kernel-1.traceg", "");
    write("kernelslist.g", "MemcpyHtoD,0x10,4\nkernel-1.traceg\n");
    write("notes.txt", "what to buy\n");
    for command in ["compile", "run", "occupancy"] {
        let words = ["kernel-1.traceg", "ends inside the head", "cut off"];
        refused(folder.path(), &[command, "kernel-1.traceg"], &words);
        let words = ["notes.txt:1:1", "not a kernel", "`.version`"];
        refused(folder.path(), &[command, "notes.txt"], &words);
    }
    for args in [
        &["compile", "kernelslist.g"][..],
        &["compile", "kernelslist.g", "--emit", "liveness"],
        &["occupancy", "kernelslist.g"],
        &["trace", "export", "kernelslist.g", "--out", "t"],
    ] {
        let words = ["kernelslist.g is a list of traces", "`kernel-1.traceg`"];
        refused(folder.path(), args, &words);
    }
    assert!(!folder.path().join("t").exists());
}

#[test]
fn the_scheme_stands_once_before_its_reason() {
    for args in [
        "run transport --scheme rfv",
        "compile transport --scheme gpu-shrink",
        "compile histogram --scheme rfv-hardware-only --machine v100 --table-clocks 1",
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        let output = regshare(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = told(&output);
        let scheme = args[3];
        let doubled = format!("under {scheme}: {scheme}:");
        assert!(said.contains(&format!("under {scheme}: ")), "{said}");
        assert!(!said.contains(&doubled), "{said}");
    }
}

#[test]
fn what_is_left_too_much_by_a_demotion_is_cured_by_a_larger_one() {
    let run = |count: &str| {
        let args = [
            "compile",
            "transport",
            "--scheme",
            "regdem+rfv",
            "--emit",
            "plan",
        ];
        regshare(&[&args[..], &["--demote", count]].concat())
    };
    let said = told(&run("4"));
    assert!(
        said.contains("66 registers of a thread are left with --demote 4"),
        "{said}"
    );
    assert!(!said.contains("(regdem+rfv)"), "{said}");
    let (_, cure) = said.split_once("give --demote ").expect("a number");
    let count = cure.split(' ').next().expect("a number");
    assert!(run(count).status.success(), "{}", told(&run(count)));
}

#[test]
fn the_papers_figures_take_no_option_that_would_change_nothing() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for option in [
        "--sharing 30",
        "--machine gtx480-half",
        "--max-regs 20",
        "--table-bytes 512",
        "--cta-throttle balance",
        "--no-extra-cycle",
        "--launch docs/examples/saxpy.toml",
    ] {
        let option: Vec<&str> = option.split(' ').collect();
        let args = [&["occupancy", "--paper"][..], &option].concat();
        refused(here, &args, &["--paper", option[0], "cannot be used with"]);
    }
}
