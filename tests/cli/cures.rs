//! Messages name what is wrong, once, and a cure that is not in use already.

use super::calls::told;
use super::refusals::refused;
use super::{regshare, regshare_in, stdout};
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

const HEAD: &str = ".version 7.8\n.target sm_70\n.address_size 64\n";
const LAUNCH: &str = "kernel = \"k\"\ngrid = 1\nblock = 512\n[[arg]]\nbuffer = \"out\"\ntype = \"u32\"\nlength = 512\n";

/// A folder with `k.ptx`, of this text, and its launch.
fn folder_of(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.ptx"), format!("{HEAD}{text}")).expect("written");
    std::fs::write(folder.path().join("k.toml"), LAUNCH).expect("written");
    folder
}

#[test]
fn what_takes_one_scheme_does_not_offer_all() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = regshare(&["compile", "gemm", "--scheme", "all"]);
    assert!(!told(&output).contains("or `all`"), "{}", told(&output));
    let words = ["`all` stands for several schemes", "give one of baseline"];
    refused(here, &["compile", "gemm", "--scheme", "all"], &words);
}

#[test]
fn arguments_that_are_too_large_are_told_the_limit_in_bytes() {
    let folder = folder_of(
        ".func f (.param .align 4 .b8 a[4100]) { ret; }\n\
         .visible .entry k (.param .u64 out) { .param .align 4 .b8 a[4100]; st.param.b32 [a], 1; call f, (a); ret; }\n",
    );
    let run = [
        "run",
        "k.ptx",
        "--launch",
        "k.toml",
        "--scheme",
        "abi-spill",
    ];
    refused(
        folder.path(),
        &run,
        &["k.ptx:4:", "more than 4096 bytes of arguments"],
    );
}

#[test]
fn a_text_that_pushes_is_refused_where_registers_are_saved_in_memory() {
    let launch = ["--launch", "docs/examples/calls/figure4.toml"];
    let compile = [
        "compile",
        "docs/examples/calls/figure4.ptx",
        "--scheme",
        "cars",
    ];
    let text = stdout(&regshare(&[&compile[..], &launch].concat()));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.txt");
    std::fs::write(&path, text).expect("written");
    let run = [
        "run",
        path.to_str().expect("UTF-8"),
        "--scheme",
        "abi-spill",
    ];
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let words = ["under abi-spill", "push registers", "run it under cars"];
    refused(here, &[&run[..], &launch].concat(), &words);
}

#[test]
fn an_unknown_name_in_a_table_may_be_meant_as_a_function() {
    let folder = folder_of(
        ".global .align 8 .u64 table[1] = {nobody};\n\
         .visible .entry k (.param .u64 out) { .reg .b64 %d<2>; mov.u64 %d0, table; ld.global.u64 %d1, [%d0]; ret; }\n",
    );
    let run = ["run", "k.ptx", "--launch", "k.toml", "--scheme", "baseline"];
    refused(
        folder.path(),
        &run,
        &["k.ptx:4:", "`nobody`", "or a function"],
    );
}

#[test]
fn a_watermark_that_helps_nothing_is_no_cure() {
    // Registers and the stack of one call, of 16 warps, are more than the file has.
    let values: String = (1..40)
        .map(|n| format!("mul.lo.u32 %v{n}, %v0, {n}; "))
        .collect();
    let sum: String = (1..40)
        .map(|n| format!("xor.b32 %v0, %v0, %v{n}; "))
        .collect();
    let deep = format!(
        ".func (.param .b32 r) g (.param .b32 n) {{ .reg .b32 %v<40>; ld.param.b32 %v0, [n]; {values}\
         {{ .param .b32 a; .param .b32 q; st.param.b32 [a], %v0; call.uni (q), h, (a); ld.param.b32 %v0, [q]; }} {sum}\
         st.param.b32 [r], %v0; ret; }}\n"
    );
    let leaf = ".func (.param .b32 r) h (.param .b32 n) { .reg .b32 %v; ld.param.b32 %v, [n]; st.param.b32 [r], %v; ret; }\n";
    let kernel = ".visible .entry k (.param .u64 out) { .reg .b32 %x<4>; .reg .b64 %d; .reg .pred %p; mov.u32 %x0, %tid.x;\
                  { .param .b32 a; .param .b32 q; st.param.b32 [a], %x0; call.uni (q), g, (a); ld.param.b32 %x1, [q]; }\
                  setp.gt.u32 %p, %x1, 77; bar.red.popc.u32 %x2, 0, %p; ld.param.u64 %d, [out]; st.global.u32 [%d], %x2; ret; }\n";
    let folder = folder_of(&format!("{leaf}{deep}{kernel}"));
    for watermark in ["low", "adaptive", "high"] {
        let run = [
            "run",
            "k.ptx",
            "--launch",
            "k.toml",
            "-m",
            "gtx480-half",
            "--scheme",
            "cars",
        ];
        let run = [&run[..], &["--watermark", watermark]].concat();
        let output = regshare_in(folder.path(), &run);
        assert_eq!(output.status.code(), Some(2), "{watermark}");
        let said = told(&output);
        assert!(
            said.contains("use smaller CTAs, or take abi-spill"),
            "{said}"
        );
    }
}

/// 36 values of 1024 threads are live over a barrier: too many registers for a CTA with few of them demoted, and too much scratchpad
/// with many.
#[test]
fn a_count_with_which_no_cta_fits_is_answered_with_the_way_to_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut body = String::new();
    for value in 0..36 {
        body += &format!("ld.global.u32 %r{value}, [%d0+{}];\n", 4096 * value);
    }
    body += "bar.sync 0;\n";
    for value in (0..36).rev() {
        body += &format!("st.global.u32 [%d0+{}], %r{value};\n", 4096 * (35 - value));
    }
    let text = format!(
        ".version 6.3\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<41>; .reg .b64 %d<2>;\n\
         ld.param.u64 %d0, [p];\nmov.u32 %r40, %tid.x;\nmad.wide.u32 %d0, %r40, 4, %d0;\n{body}ret;\n}}\n"
    );
    std::fs::write(folder.path().join("k.ptx"), text).expect("written");
    let launch = "kernel = \"k\"\ngrid = 1\nblock = 1024\n[[arg]]\nbuffer = \"p\"\ntype = \"u32\"\nlength = 40960\ncontents = \"iota\"\n";
    std::fs::write(folder.path().join("k.toml"), launch).expect("written");
    let run = |count: &str| {
        let args = ["run", "k.ptx", "--launch", "k.toml", "--scheme", "regdem"];
        regshare_in(folder.path(), &[&args[..], &["--demote", count]].concat())
    };
    for (count, what, cure) in [
        ("2", "packs (registers of 32 threads)", "demote more"),
        ("30", "bytes of scratchpad", "demote fewer"),
    ] {
        let output = run(count);
        assert_eq!(output.status.code(), Some(2), "{count}");
        let said = told(&output);
        assert!(
            said.contains(&format!("with {count} registers demoted one CTA needs")),
            "{said}"
        );
        assert!(said.contains(what) && said.contains(cure), "{said}");
    }
    assert!(run("11").status.success(), "{}", told(&run("11")));
}
