//! `regshare trace`: what is written is what is read, and wrong traces leave nothing behind.

use super::{regshare, regshare_in, stderr, stdout};
use std::path::Path;

const SMALL: &str = "sim/src/trace/read/tests/data/small.traceg.xz";

#[test]
fn exported_trace_is_found_whole_by_the_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = regshare_in(
        folder.path(),
        &["trace", "export", "particlefilter", "--out", "t"],
    );
    assert!(written.status.success(), "{}", stderr(&written));
    let checked = regshare_in(folder.path(), &["trace", "check", "t/kernelslist.g"]);
    assert!(checked.status.success(), "{}", stderr(&checked));
    let insts = |text: String| {
        let (before, _) = text.split_once(" warp instructions").expect("counted");
        before.rsplit(' ').next().expect("a number").to_owned()
    };
    assert_eq!(insts(stdout(&written)), insts(stdout(&checked)));
    let files = std::fs::read_dir(folder.path().join("t"))
        .expect("a folder")
        .count();
    assert_eq!(files, 2);
}

/// Warp instructions of a run under a scheme, of its trace, and of a replay of that.
#[test]
fn trace_under_a_scheme_has_the_instructions_of_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let json = |args: &[&str]| -> serde_json::Value {
        let output = regshare_in(folder.path(), &[args, &["--json", "-"]].concat());
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        serde_json::from_str(&stdout(&output)).expect("JSON")
    };
    let mut counts = Vec::new();
    for (kernel, scheme, more) in [
        ("reduction", "baseline", &[][..]),
        ("treescore", "regmutex", &[]),
        ("histogram", "rfv", &[]),
        ("reduction", "compiler-spill", &[]),
        ("convsep", "regdem", &[]),
        ("gemm", "abi-spill", &[]),
        // Stacks with room for all calls: no trap moves registers, which a trace does not have.
        ("gemm", "cars", &["--watermark", "high"]),
    ] {
        let out = format!("{kernel}-{scheme}");
        let under = [&["--scheme", scheme][..], more].concat();
        let args = [&["trace", "export", kernel, "--out", &out], &under[..]].concat();
        let written = regshare_in(folder.path(), &args);
        assert!(written.status.success(), "{scheme}: {}", stderr(&written));
        let ran = json(&[&["run", kernel], &under[..]].concat());
        let list = format!("{out}/kernelslist.g");
        let replayed = json(&["trace", "run", &list, "--sms", "1", "--channels", "1"]);
        let insts = replayed["all"]["sm"]["warp_instructions"].as_u64();
        assert_eq!(
            ran["runs"][0]["warp_insts"].as_u64(),
            insts,
            "{kernel} {scheme}"
        );
        counts.push(insts.expect("counted"));
    }
    // Spilled registers take instructions.
    assert!(counts[3] > counts[0]);
    let wrong = ["trace", "export", "reduction", "--es", "4", "--out", "t"];
    let output = regshare_in(folder.path(), &wrong);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--es"), "{}", stderr(&output));
    assert!(!folder.path().join("t").exists());
}

#[test]
fn kernel_that_fails_leaves_no_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    let ptx = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\ttrap;\n\tret;\n}\n";
    std::fs::write(folder.path().join("k.ptx"), ptx).expect("written");
    let launch = "kernel = \"k\"\ngrid = [1, 1, 1]\nblock = [32, 1, 1]\n";
    std::fs::write(folder.path().join("k.toml"), launch).expect("written");
    let args = [
        "trace", "export", "k.ptx", "--launch", "k.toml", "--out", "t",
    ];
    let output = regshare_in(folder.path(), &args);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(!folder.path().join("t").exists());
}

/// CTA 0 waits for what CTA 1 stores.
const WAITS: &str = ".version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
\t.reg .pred %p<3>;
\t.reg .b32 %r<4>;
\t.reg .b64 %rd<2>;
\tld.param.u64 %rd0, [out];
\tmov.u32 %r0, %ctaid.x;
\tsetp.eq.u32 %p0, %r0, 1;
\t@%p0 bra STORES;
WAITS:
\tld.volatile.global.u32 %r1, [%rd0];
\tsetp.eq.u32 %p1, %r1, 0;
\t@%p1 bra WAITS;
\tret;
STORES:
\tst.volatile.global.u32 [%rd0], %r0;
\tret;
}
";

#[test]
fn cta_that_waits_for_a_later_one_is_told_and_leaves_no_trace() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.ptx"), WAITS).expect("written");
    let launch = "kernel = \"k\"\ngrid = [2, 1, 1]\nblock = [32, 1, 1]\n\
                  [[arg]]\nbuffer = \"out\"\ntype = \"u32\"\nlength = 1\n";
    std::fs::write(folder.path().join("k.toml"), launch).expect("written");
    let args = [
        "trace",
        "export",
        "k.ptx",
        "--launch",
        "k.toml",
        "--out",
        "t",
        "--cta-instructions",
        "1000",
    ];
    let output = regshare_in(folder.path(), &args);
    let said = stderr(&output).replace('│', " ");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(1), "{said}");
    for part in [
        "CTA (0, 0, 0), warp 0: the CTA was stopped after 1000 warp instructions",
        "one that waits for a later one never ends",
        "a higher --cta-instructions",
    ] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    assert!(!folder.path().join("t").exists());
}

#[test]
fn kernel_that_a_list_names_and_that_is_missing_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("kernelslist.g"), "kernel-7.traceg\n").expect("written");
    let output = regshare_in(folder.path(), &["trace", "check", "kernelslist.g"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("kernel-7.traceg: cannot be read"));
    assert!(output.stdout.is_empty());
}

#[test]
fn mapping_to_no_class_is_refused_with_the_classes() {
    let output = regshare(&["trace", "check", SMALL, "--unknown-opcode", "VIADD=fast"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("load.global"));
}

#[test]
fn trace_runs_under_every_scheme_of_one_sm() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = regshare_in(folder.path(), &["trace", "export", "convsep", "--out", "t"]);
    assert!(written.status.success(), "{}", stderr(&written));
    let args = [
        "run",
        "t/kernelslist.g",
        "--scheme",
        "baseline,regmutex,regdem,local-spill,compiler-spill,all",
        "--json",
        "out.json",
    ];
    let output = regshare_in(folder.path(), &args);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let refused = "refused: kernel-1 under shared-lrr-unroll-dyn, shared-owf-unroll-dyn: SMs are compared with SM 0, and \
                   there are none but that; give --sms 2 or more";
    assert!(text.contains(refused), "{text}");
    assert_eq!(text.matches("\nrefused").count(), 1, "{text}");
    let json = std::fs::read_to_string(folder.path().join("out.json")).expect("written");
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let runs = report["runs"].as_array().expect("runs");
    assert!(runs.len() >= 16, "{}", runs.len());
    assert!(runs.iter().all(|run| run["result"] == "correct"), "{json}");
}

#[test]
fn wrong_trace_is_refused_with_file_and_line_before_anything_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = regshare_in(
        folder.path(),
        &["trace", "export", "reduction", "--out", "t"],
    );
    assert!(written.status.success(), "{}", stderr(&written));
    let file = folder.path().join("t/kernel-1.traceg");
    let good = std::fs::read_to_string(&file).expect("written");
    std::fs::write(&file, good.replacen("S2R", "S2X", 1)).expect("written");
    let output = regshare_in(folder.path(), &["run", "t/kernelslist.g"]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert!(
        told.contains("t/kernel-1.traceg:") && told.contains("S2X"),
        "{told}"
    );
    assert!(output.stdout.is_empty());
    let allowed = ["run", "t/kernel-1.traceg", "--unknown-opcode", "S2X=alu"];
    let output = regshare_in(folder.path(), &allowed);
    assert!(output.status.success(), "{}", stderr(&output));
    std::fs::write(folder.path().join("l.toml"), "").expect("written");
    let launched = ["run", "t/kernel-1.traceg", "--launch", "l.toml"];
    let output = regshare_in(folder.path(), &launched);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("leave --launch out"));
}

/// The two schemes that compare SMs among them; those are refused on one.
#[test]
fn every_scheme_runs_on_a_trace_on_two_sms() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = regshare_in(
        folder.path(),
        &["trace", "export", "reduction", "--out", "t"],
    );
    assert!(written.status.success(), "{}", stderr(&written));
    let run = |sms: &str| {
        let args = ["run", "t/kernelslist.g", "--scheme", "all", "--sms", sms];
        let output = regshare_in(folder.path(), &[&args[..], &["--json", "r.json"]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let json = std::fs::read_to_string(folder.path().join("r.json")).expect("written");
        serde_json::from_str::<serde_json::Value>(&json).expect("JSON")
    };
    let [one, two] = ["1", "2"].map(run);
    let named = |report: &serde_json::Value, list: &str| -> Vec<String> {
        let records = report[list].as_array().map_or(&[][..], Vec::as_slice);
        let name = |record: &serde_json::Value| record["scheme"].as_str().map(str::to_owned);
        records.iter().filter_map(name).collect()
    };
    let compared = ["shared-lrr-unroll-dyn", "shared-owf-unroll-dyn"];
    for scheme in compared.map(str::to_owned) {
        assert!(named(&one, "refused").contains(&scheme), "{one}");
        assert!(named(&two, "runs").contains(&scheme), "{two}");
    }
    let ran = [&one, &two].map(|report| named(report, "runs").len());
    assert_eq!(ran[1], ran[0] + 2);
    for run in two["runs"].as_array().expect("runs") {
        assert_eq!(run["result"], "correct", "{run}");
        assert_eq!(run["sms"], 2, "{run}");
    }
}

#[test]
fn shared_traces_of_real_runs_are_whole() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/traces");
    for (name, kernels) in [("vectoradd", 1), ("bfs-rodinia-2.0-ft", 16)] {
        let list = shared.join(name).join("kernelslist.g");
        if !list.is_file() {
            eprintln!("skipped: {} is not there", list.display());
            continue;
        }
        let output = regshare(&["trace", "check", list.to_str().expect("UTF-8")]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stdout(&output).contains(&format!("{kernels} kernels, ")));
    }
}

/// Of a trace that a run recorded: cause by cause over instructions, warp slots and SMs, and in all cycles x schedulers.
#[test]
fn stall_tables_of_a_replay_sum_to_its_slots_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = regshare_in(
        folder.path(),
        &["trace", "export", "reduction", "--out", "t"],
    );
    assert!(written.status.success(), "{}", stderr(&written));
    let replay = |more: &[&str]| {
        let args = ["trace", "run", "t/kernelslist.g", "--sms", "3"];
        let json = ["--json", "r.json"];
        let output = regshare_in(folder.path(), &[&args[..], &json[..], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let json = std::fs::read_to_string(folder.path().join("r.json")).expect("written");
        (stdout(&output), json)
    };
    let (text, json) = replay(&["--stalls", "--stalls-by", "pc"]);
    let two = replay(&["--stalls", "--stalls-by", "pc", "--threads", "2"]);
    assert_eq!((&text, &json), (&two.0, &two.1));
    let title = "on qv100: scheduler slots by instruction";
    assert!(
        text.contains(title) && text.contains(" BAR.SYNC "),
        "{text}"
    );
    let report: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let kernel = &report["kernels"][0];
    let all = slots(&kernel["slots"]);
    for list in ["by_pc", "by_warp", "by_sm"] {
        let mut sums = vec![0; all.len()];
        for row in kernel["stalls"][list].as_array().expect("rows") {
            let of_row = slots(&row["slots"]);
            for (sum, (cause, _)) in sums.iter_mut().zip(&all) {
                *sum += of_row
                    .iter()
                    .find(|slot| slot.0 == *cause)
                    .map_or(0, |slot| slot.1);
            }
        }
        let counted: Vec<u64> = all.iter().map(|slot| slot.1).collect();
        assert_eq!(sums, counted, "{list}");
    }
    let total: u64 = all.iter().map(|slot| slot.1).sum();
    let cycles = kernel["cycles"].as_u64().expect("cycles");
    assert_eq!(total, cycles * 4 * 3);

    let (text, json) = replay(&["--stalls-by", "warp"]);
    assert!(
        text.contains("on qv100: scheduler slots by warp slot"),
        "{text}"
    );
    assert!(json.contains("\"by_pc\""));
    // Without `--stalls-by` the file has the sums, without either nothing of it.
    let (text, json) = replay(&["--stalls"]);
    assert!(text.contains("memory data") && !text.contains("scheduler slots by"));
    assert!(json.contains("\"slots\"") && !json.contains("\"stalls\""));
    let (text, json) = replay(&[]);
    assert!(!text.contains("memory data") && !json.contains("\"slots\""));
}

fn slots(object: &serde_json::Value) -> Vec<(String, u64)> {
    let slots = object.as_object().expect("slots by cause").iter();
    slots
        .map(|(cause, slots)| (cause.clone(), slots.as_u64().expect("a count")))
        .collect()
}

/// A trace takes no launch file: none is asked for.
#[test]
fn liveness_of_a_trace_says_what_was_drawn_and_asks_for_nothing_it_refuses() {
    let drawn = regshare(&["compile", SMALL, "--emit", "liveness"]);
    assert!(drawn.status.success(), "{}", stderr(&drawn));
    let text = stdout(&drawn);
    assert!(text.contains("the trace was lifted to"), "{text}");
    assert!(!text.contains("--launch"), "{text}");
    let followed = regshare(&["compile", SMALL, "--emit", "liveness", "--thread", "0"]);
    assert_eq!(followed.status.code(), Some(2));
    assert!(stderr(&followed).contains("leave --thread out"));
    assert!(!stderr(&followed).contains("--launch"));
}

/// The loop of the lifted program ends with a pir that covers nothing but a branch that costs nothing.
#[test]
fn trace_without_a_flag_cache_decodes_every_pir_and_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = regshare_in(
        folder.path(),
        &["trace", "export", "histogram", "--out", "t"],
    );
    assert!(written.status.success(), "{}", stderr(&written));
    let args = [
        "run",
        "t/kernelslist.g",
        "--scheme",
        "rfv,gpu-shrink",
        "--flag-cache",
        "0",
    ];
    let output = regshare_in(folder.path(), &args);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output).matches("correct").count(), 2);
}

#[test]
fn a_program_of_several_files_is_exported() {
    let folder = tempfile::tempdir().expect("a folder");
    let main = ".version 7.0\n.target sm_70\n.address_size 64\n.extern .func (.reg .u32 y) there(.reg .u32 x);\n\
        .visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<2>; .reg .b64 %d;\nmov.u32 %r0, %tid.x;\n\
        call (%r1), there, (%r0);\nld.param.u64 %d, [out];\nmad.wide.u32 %d, %r0, 4, %d;\nst.global.u32 [%d], %r1;\nret;\n}\n";
    let lib = ".version 7.0\n.target sm_70\n.address_size 64\n\
        .visible .func (.reg .u32 y) there(.reg .u32 x)\n{\nadd.u32 y, x, 1;\nret;\n}\n";
    let launch = "kernel = \"k\"\ngrid = 1\nblock = 64\n[[arg]]\nbuffer = \"out\"\ntype = \"u32\"\nlength = 64\n";
    for (name, text) in [("main.ptx", main), ("lib.ptx", lib), ("k.toml", launch)] {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let export = |more: &[&str]| {
        let args = [
            "trace", "export", "main.ptx", "--launch", "k.toml", "--out", "t",
        ];
        regshare_in(folder.path(), &[&args[..], more].concat())
    };
    let alone = export(&[]);
    assert_eq!(alone.status.code(), Some(2));
    assert!(stderr(&alone).contains("there"), "{}", stderr(&alone));
    assert!(!folder.path().join("t").exists());
    let linked = export(&["--link", "lib.ptx"]);
    assert!(linked.status.success(), "{}", stderr(&linked));
    let ran = regshare_in(
        folder.path(),
        &["run", "t/kernel-1.traceg", "--scheme", "baseline"],
    );
    assert!(ran.status.success(), "{}", stderr(&ran));
}
