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
    assert_eq!(rows, 13, "{text}");
    let json = std::fs::read_to_string(folder.path().join("all.json")).expect("there");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["runs"].as_array().expect("runs").len(), 13);
    assert_eq!(json["refused"][0]["scheme"], "shared-owf-unroll");
    assert_eq!(json["refused"].as_array().expect("refusals").len(), 1);
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
    assert_eq!(rows.len(), 14);
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
