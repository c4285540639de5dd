//! What `run` prints besides its table: causes of stalls, schemes that cannot run, instructions left out.

use super::*;

/// The choice of owner warps first is hardware for two schedulers.
#[test]
fn of_all_schemes_those_that_cannot_run_are_named_below_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let preset = Path::new(env!("CARGO_MANIFEST_DIR")).join("sim/machines/gtx480.toml");
    let machine = std::fs::read_to_string(preset).expect("there");
    assert!(machine.contains("\ncount = 2 "));
    let one = machine.replace("\ncount = 2 ", "\ncount = 1 ");
    std::fs::write(folder.path().join("one.toml"), one).expect("writes");
    let run = |schemes: &str, json: &[&str]| {
        let arguments = [
            "run",
            "dct8x8",
            "--machine",
            "one.toml",
            "--scheme",
            schemes,
        ];
        regshare_in(folder.path(), &[&arguments, json].concat())
    };
    let output = run("all", &["--json", "all.json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let refused = "refused: dct8x8 under shared-owf-unroll: ";
    let line = text
        .lines()
        .find(|line| line.starts_with(refused))
        .expect(&text);
    assert!(line.ends_with("the machine has 1"), "{line}");
    let rows = text
        .lines()
        .filter(|line| line.starts_with(" dct8x8 "))
        .count();
    assert_eq!(rows, 16, "{text}");
    let json = std::fs::read_to_string(folder.path().join("all.json")).expect("there");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["runs"].as_array().expect("runs").len(), 16);
    assert_eq!(json["refused"][0]["scheme"], "shared-owf-unroll");
    // Those that compare SMs are left out aloud on one of them.
    assert_eq!(json["refused"].as_array().expect("refusals").len(), 3);
    for (at, scheme) in [(1, "shared-lrr-unroll-dyn"), (2, "shared-owf-unroll-dyn")] {
        let record = &json["refused"][at];
        assert_eq!(record["scheme"], scheme);
        let reason = record["reason"].as_str().expect("a reason");
        assert!(reason.ends_with("give --sms 2 or more"), "{reason}");
    }
    let left_out = "refused: dct8x8 under shared-lrr-unroll-dyn, shared-owf-unroll-dyn: SMs are compared with SM 0";
    assert_eq!(text.matches(left_out).count(), 1, "{text}");
    // Who asks for one gets no table without it.
    let output = run("baseline,shared-owf-unroll", &[]);
    assert_eq!(
        (output.status.code(), stdout(&output).as_str()),
        (Some(2), "")
    );
}

#[test]
fn an_instruction_that_is_left_out_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
    let read = |name: &str| std::fs::read_to_string(examples.join(name)).expect("there");
    let ptx = read("saxpy.ptx").replacen("    ret;", "    nanosleep.u32 100;\n    ret;", 1);
    assert!(ptx.contains("nanosleep"));
    let line = 1 + ptx
        .lines()
        .position(|line| line.contains("nanosleep"))
        .unwrap();
    std::fs::write(folder.path().join("k.ptx"), ptx).expect("writes");
    std::fs::write(folder.path().join("k.toml"), read("saxpy.toml")).expect("writes");
    let wanted = format!("note: k.ptx:{line}: `nanosleep` changes only timing; it is left out");
    for arguments in [
        "run k.ptx --launch k.toml --scheme baseline",
        "compile k.ptx --launch k.toml",
        "compile k.ptx --emit liveness",
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let output = regshare_in(folder.path(), &words);
        let told = stderr(&output);
        assert!(output.status.success(), "{told}");
        assert_eq!(
            told.lines().filter(|line| *line == wanted).count(),
            1,
            "{told}"
        );
    }
}

#[test]
fn stalls_by_cause_sum_to_all_slots() {
    let output = regshare(&["run", "reduction", "--scheme", "all", "--stalls"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let (_, table) = text.split_once("\n\n").expect("two tables");
    for heading in ["issued", "memory data", "scoreboard", "barrier"] {
        assert!(table.lines().next().expect("headings").contains(heading));
    }
    let rows: Vec<&str> = table.lines().skip(2).collect();
    assert_eq!(rows.len(), 17);
    for row in rows {
        let cells = row
            .split("  ")
            .map(str::trim)
            .filter(|cell| cell.ends_with('%'));
        let parts: Vec<f64> = cells
            .map(|cell| cell[..cell.len() - 2].parse().unwrap())
            .collect();
        // Each is rounded to a tenth.
        let most = 0.05 * parts.len() as f64;
        assert!((parts.iter().sum::<f64>() - 100.0).abs() <= most, "{row}");
    }
}

/// Below the table stands what is of one SM and what of all; in the JSON slots and stalls are of all.
#[test]
fn a_run_on_several_sms_says_so_and_sums_over_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = "run reduction --sms 3 --scheme all --stalls-by warp --renaming --json s.json";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let output = regshare_in(folder.path(), &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("\non 3 SMs: "));
    let json = std::fs::read_to_string(folder.path().join("s.json")).expect("there");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let runs = json["runs"].as_array().expect("runs");
    // With two or more SMs, `all` has the schemes that compare them.
    assert_eq!(runs.len(), 19);
    let number = |value: &Value| value.as_u64().expect("a number");
    for run in runs {
        let slots = run["slots"].as_object().expect("slots");
        let total: u64 = slots.values().map(number).sum();
        assert_eq!(total, 2 * 3 * number(&run["cycles"]));
        let by_warp = run["stalls"]["by_warp"].as_array().expect("warps");
        let of_warps = by_warp.iter().flat_map(|row| {
            let slots = row["slots"].as_object().expect("slots");
            slots.values().map(number).collect::<Vec<_>>()
        });
        assert_eq!(of_warps.sum::<u64>(), total);
        assert_eq!(
            (run["sms"].as_u64(), &run["result"]),
            (Some(3), &"correct".into())
        );
        if let Some(renaming) = run["renaming"].as_object() {
            let mean = renaming["mean_packs"].as_f64().expect("packs");
            assert!(mean <= renaming["peak_packs"].as_f64().expect("packs"));
            let powered = renaming["mean_powered"].as_f64().expect("sub-arrays");
            assert!(powered > 0.0 && powered <= 16.0);
        }
    }
    let alone = regshare(&["run", "reduction"]);
    assert!(!stdout(&alone).contains("on 1 SM"));
}

/// In the JSON both lists are complete, whichever table was asked for.
#[test]
fn stall_table_by_instruction_and_by_warp_sums_to_the_slots_of_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = ["run", "bfs", "--scheme", "regmutex", "--json", "s.json"];
    let output = regshare_in(folder.path(), &[&args[..], &["--stalls-by", "pc"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let json = std::fs::read_to_string(folder.path().join("s.json")).expect("there");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let run = &json["runs"][0];
    let wanted: std::collections::BTreeMap<String, u64> =
        serde_json::from_value(run["slots"].clone()).expect("slots by cause");
    for list in ["by_pc", "by_warp"] {
        let mut sums = std::collections::BTreeMap::<String, u64>::new();
        for row in run["stalls"][list].as_array().expect("rows") {
            for (cause, slots) in row["slots"].as_object().expect("slots") {
                *sums.entry(cause.clone()).or_default() += slots.as_u64().expect("a count");
            }
        }
        let named: Vec<_> = wanted.iter().filter(|(_, slots)| **slots > 0).collect();
        assert_eq!(sums.iter().collect::<Vec<_>>(), named, "{list}");
    }
    let total = json["runs"][0]["cycles"].as_u64().expect("cycles") * 2;
    assert_eq!(wanted.values().sum::<u64>(), total);
    // Each instruction stands beside the source line that it came from.
    let ptx = Path::new(env!("CARGO_MANIFEST_DIR")).join("sim/kernels/bfs/kernel.ptx");
    let ptx = std::fs::read_to_string(ptx).expect("there");
    let lines: Vec<&str> = ptx.lines().map(str::trim).collect();
    let mut shown = 0;
    for row in run["stalls"]["by_pc"].as_array().expect("rows") {
        let (line, source) = (row["line"].as_u64().expect("a line"), &row["source"]);
        if line > 0 {
            assert_eq!(source, lines[line as usize - 1]);
            shown += usize::from(text.contains(&format!(" {line} ")));
        }
    }
    assert!(shown > 20, "{text}");
    assert!(text.contains("bfs under regmutex: scheduler slots by instruction"));
    let by_warp = regshare(&["run", "bfs", "--scheme", "regmutex", "--stalls-by", "warp"]);
    assert!(stdout(&by_warp).contains("scheduler slots by warp slot"));
}

/// Of the SM's cycles, not of the run's: on two SMs each spills what one did in half the time.
#[test]
fn cycles_of_spilling_are_a_part_of_the_cycles_of_all_sms() {
    let share = |sms: &str| {
        let kernel = "docs/examples/pressure.ptx";
        let launch = ["--launch", "docs/examples/pressure.toml"];
        let how = ["--scheme", "gpu-shrink", "--renaming", "--sms", sms];
        let output = regshare(&[&["run", kernel][..], &launch, &how].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let text = stdout(&output);
        let (_, table) = text.split_once("warps spilled").expect("a table of spills");
        let row = table.lines().last().expect("a row");
        let part = row
            .trim_end()
            .strip_suffix(" %")
            .and_then(|row| row.split_whitespace().last());
        part.expect("a part").parse::<f64>().expect("a number")
    };
    let (one, two) = (share("1"), share("2"));
    assert!(one > 10.0 && (one - two).abs() < 2.0, "{one} %, {two} %");
}
