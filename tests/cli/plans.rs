//! What schemes decide, and RegDem's variants of one kernel.

use super::{regshare, regshare_in, stderr, stdout};
use serde_json::Value;

fn plan(kernel: &str, scheme: &str) -> String {
    let output = regshare(&["compile", kernel, "--scheme", scheme, "--emit", "plan"]);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

fn output_of(args: &[&str]) -> String {
    let output = regshare(args);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

fn value<'a>(plan: &'a str, name: &str) -> &'a str {
    let line = plan.lines().find_map(|line| line.strip_prefix(name));
    line.unwrap_or_else(|| panic!("no {name} in\n{plan}"))
        .trim()
}

#[test]
fn a_plan_says_in_words_what_register_hardware_there_is() {
    for (kernel, scheme, hardware) in [
        ("matmul", "baseline", "none"),
        ("matmul", "regmutex", "shared register pool"),
        ("convsep", "paired", "paired warps, a bit per pair"),
        (
            "matmul",
            "shared-owf-unroll",
            "pairs of CTAs share registers",
        ),
        ("matmul", "rfv", "renaming table"),
    ] {
        let plan = plan(kernel, scheme);
        assert_eq!(value(&plan, "register hardware"), hardware);
        assert!(!plan.contains(['{', ':']), "{plan}");
    }
}

#[test]
fn registers_that_a_small_table_exempts_are_not_counted_as_renamed() {
    let args = ["compile", "matmul", "--scheme", "rfv", "--emit", "plan"];
    let output = regshare(&[&args[..], &["--table-bytes", "400"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let plan = stdout(&output);
    let count = |name| {
        let value = value(&plan, name);
        value.split(' ').next().map(str::parse::<u16>)
    };
    let whole = output_of(&args);
    assert_eq!(value(&whole, "registers exempt"), "0 of a thread");
    let all = value(&whole, "registers renamed");
    let (Some(Ok(renamed)), Some(Ok(exempt))) =
        (count("registers renamed"), count("registers exempt"))
    else {
        panic!("no counts in\n{plan}");
    };
    assert!(renamed > 0 && exempt > 0, "{plan}");
    assert_eq!(format!("{} of a thread", renamed + exempt), all);
}

/// An odd number of exempt registers leaves a number out before the first pair.
#[test]
fn no_more_registers_are_renamed_than_the_table_has_room_for() {
    let args = ["compile", "hotspot", "--scheme", "rfv", "--emit", "plan"];
    let plan = output_of(&[&args[..], &["--table-bytes", "60"]].concat());
    assert_eq!(value(&plan, "registers renamed"), "2 of a thread");
    assert_eq!(value(&plan, "registers exempt"), "33 of a thread");
}

#[test]
fn an_occupancy_is_one_of_the_file_that_the_scheme_leaves() {
    for (scheme, more, packs) in [
        ("rfv", None, "384 of 1024"),
        ("gpu-shrink", None, "384 of 512"),
        ("gpu-shrink", Some("30"), "384 of 716"),
        ("compiler-spill", None, "384 of 512"),
    ] {
        let more: Vec<&str> = more.iter().flat_map(|by| ["--shrink", *by]).collect();
        let text = output_of(&[&["occupancy", "histogram"], &more[..]].concat());
        let row = text
            .lines()
            .find(|line| line.split_whitespace().nth(1) == Some(scheme));
        let row = row.unwrap_or_else(|| panic!("no {scheme} in\n{text}"));
        assert!(row.trim_end().ends_with(packs), "{row}");
    }
}

/// As the paper has it for its Figure 4: 20 for the kernel and 10 for the largest function, and the sum over a path.
#[test]
fn a_plan_of_cars_says_what_its_watermarks_consist_of() {
    let plan = plan("gemm", "cars");
    assert_eq!(value(&plan, "register hardware"), "register stacks");
    assert_eq!(
        value(&plan, "Low-watermark"),
        "29 = 16 + 13: kernel and largest function, main_loop"
    );
    assert_eq!(
        value(&plan, "High-watermark"),
        "51 = 16 + 5 + 13 + 9 + 7 + 1: gemm, tile, main_loop, multiplied, fragment, load"
    );
    assert_eq!(
        value(&plan, "packs of a stack"),
        "16 or 26 or 35, chosen for each CTA"
    );
}

#[test]
fn variants_of_one_kernel_stand_side_by_side_the_pick_first() {
    let output = regshare(&["repro", "regdem:reduction", "--machine", "gtx480-half"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    for heading in [
        "Time of the launch",
        "expected",
        "registers",
        "performance of the pick",
    ] {
        assert!(text.contains(heading), "{text}");
    }
    let output = regshare(&["repro", "regdem:saxpy.ptx"]);
    assert_eq!(output.status.code(), Some(2));
    for target in ["fig7", "calls", "rfv:histogram"] {
        let output = regshare(&["repro", target, "--machine", "v100"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            stderr(&output).contains("--machine is for"),
            "{}",
            stderr(&output)
        );
    }
    let output = regshare(&["repro", "fig7", "--launch", "docs/examples/saxpy.toml"]);
    assert_eq!(output.status.code(), Some(2));
}

/// Runs a text that declares so many registers and names the first three, under `schemes`; the runs in their order.
fn runs_of_three(declared: u16, machine: &str, schemes: &str, options: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!(
        ".kernel k;\n.regs architected {declared}, 0;\n.param u64 out, offset 0, size 8, align 8;\nentry:\n\
         ld.param.u64 r0:1, [0];\nmov.u32 r2, 7;\nst.global.u32 [r0:1], r2;\nexit;\n"
    );
    let launch = "kernel = \"k\"\ngrid = 40\nblock = 256\n[[arg]]\nbuffer = \"out\"\ntype = \"u32\"\nlength = 1\n";
    std::fs::write(folder.path().join("k.txt"), text).expect("written");
    std::fs::write(folder.path().join("k.toml"), launch).expect("written");
    let args = [
        "run", "k.txt", "--launch", "k.toml", "-m", machine, "--scheme", schemes, "--json", "-",
    ];
    let output = regshare_in(folder.path(), &[&args[..], options].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    report["runs"].as_array().expect("runs").clone()
}

#[test]
fn registers_that_a_demotion_adds_are_counted() {
    // On `maxwell` registers come in eights.
    let runs = runs_of_three(
        3,
        "maxwell",
        "baseline,regdem,regdem+rfv",
        &["--demote", "1"],
    );
    let counts: Vec<_> = (runs.iter())
        .map(|run| ["per_thread", "rounded", "base"].map(|name| run["registers"][name].clone()))
        .collect();
    assert_eq!(counts, [[3, 8, 8], [4, 8, 8], [4, 8, 8]]);
}

/// Registers that a kernel declares and does not name are allocated, whatever the hardware; it calls nothing.
#[test]
fn register_stacks_do_not_take_declared_registers_from_a_kernel_without_calls() {
    let runs = runs_of_three(40, "gtx480", "baseline,cars", &[]);
    let warps = |run: &Value| run["occupancy"]["warps"].clone();
    assert_eq!((warps(&runs[0]), warps(&runs[1])), (24.into(), 24.into()));
    assert_eq!(runs[1]["registers"]["base"], 40);
}
