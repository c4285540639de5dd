//! The command line as a user sees it: what is printed, exit codes, no leftovers.

mod barriers;
mod call_limits;
mod calls;
mod chip;
mod compare;
mod cures;
mod early_exits;
mod interrupted;
mod limited_warps;
mod linked_variants;
mod outputs;
mod places;
mod plans;
mod prototypes;
mod real;
mod recursion;
mod refusals;
mod replay_hangs;
mod replay_machines;
mod replay_watched;
mod resident;
mod round_robin;
mod tables;
mod text_form;
mod traces;
mod traffic;
mod validate;
#[cfg(feature = "verilog")]
mod verilog_made_now;
mod watermarks;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

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

fn every_check_is_demanded() -> bool {
    std::env::var_os("REGSHARE_REQUIRE_TOOLS").is_some_and(|value| value == "1")
}

#[test]
fn examples_in_the_snapshots_print_what_they_say() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.toml")
        .case("tests/cmd/*.trycmd");
}

#[test]
fn backends_print_the_same_json() {
    let run = |kernel: &str, schemes: &str, backend: &str| {
        let output = regshare(&[
            "run",
            kernel,
            "--scheme",
            schemes,
            "--backend",
            backend,
            "--json",
            "-",
        ]);
        assert!(output.status.success(), "{}", stderr(&output));
        let mut json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        for run in json["runs"].as_array_mut().expect("runs") {
            assert_eq!(run["backend"].take(), backend);
        }
        json
    };
    // Resource sharing changes nothing in `reduction`; of a kernel whose CTAs share, and of renaming, the RTL takes minutes.
    let quick = "baseline,regmutex,paired,paired-safe,shared-lrr-noopt,shared-lrr-unroll,shared-gto-unroll,\
                 shared-owf-unroll,double-registers,double-scratchpad";
    for (kernel, schemes, runs) in [
        ("reduction", quick, 10),
        ("convsep", "baseline,regmutex,paired,paired-safe", 4),
    ] {
        let model = run(kernel, schemes, "model");
        assert_eq!(model["runs"].as_array().map(Vec::len), Some(runs));
        assert_eq!(model, run(kernel, schemes, "rtl"));
        assert_eq!(model, run(kernel, schemes, "lockstep"));
    }
}

/// A kernel of 23,000 cycles in the full size; 5000 of them take a second.
#[test]
fn renaming_prints_the_same_json_from_the_model_and_in_lockstep_with_the_rtl() {
    if !every_check_is_demanded() {
        eprintln!("left out: the RTL of renaming (tests/run has it)");
        return;
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples");
    let run = |backend: &str| {
        let output = regshare_in(
            &examples,
            &[
                "run",
                "saxpy.ptx",
                "--launch",
                "saxpy.toml",
                "--scheme",
                "rfv,gpu-shrink",
                "--backend",
                backend,
                "--json",
                "-",
            ],
        );
        assert!(output.status.success(), "{}", stderr(&output));
        let mut json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        for run in json["runs"].as_array_mut().expect("runs") {
            assert_eq!(run["backend"].take(), backend);
            assert!(run["renaming"]["counts"]["pir_decoded"].as_u64() > Some(0));
        }
        json
    };
    assert_eq!(run("model"), run("lockstep"));
}

#[test]
fn the_same_command_prints_the_same_bytes() {
    let run = || stdout(&regshare(&["run", "histogram", "--scheme", "all"]));
    assert_eq!(run(), run());
}

#[cfg(unix)]
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

/// Against the page of results, which another number of threads has written.
#[test]
fn the_number_of_threads_changes_no_byte() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/results.md")).expect("there");
    let numbers: &[&str] = if every_check_is_demanded() {
        &["1", "8"]
    } else {
        &["3"]
    };
    for threads in numbers {
        let output = Command::new(env!("CARGO_BIN_EXE_regshare"))
            .args(["repro", "fig7", "--markdown"])
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .expect("starts");
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(page.contains(stdout(&output).trim()), "{threads} threads");
    }
}

/// The folder in which the demo ran, and what it printed. It runs once for all tests here: its RTL takes a minute.
fn demo() -> &'static (PathBuf, Output) {
    static DEMO: LazyLock<(PathBuf, Output)> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("demo");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let output = regshare_in(&folder, &["demo", "--kernel", "convsep"]);
        assert!(output.status.success(), "{}", stderr(&output));
        (folder, output)
    });
    &DEMO
}

#[cfg(target_os = "linux")]
#[test]
fn the_demo_leaves_everything_it_names() {
    let (folder, _) = demo();
    for file in [
        "report.html",
        "report.json",
        "regmutex.vcd",
        "regmutex.gtkw",
        "regmutex.sucl",
    ] {
        let size = std::fs::metadata(folder.join("out").join(file))
            .map(|data| data.len())
            .unwrap_or(0);
        assert!(size > 100, "out/{file} has {size} bytes");
    }
    let report = std::fs::read_to_string(folder.join("out/report.html")).expect("there");
    for outside in ["http://", "https://"] {
        let links = report.replace("http://www.w3.org/2000/svg", "");
        assert!(!links.contains(outside), "the report refers to {outside}");
    }
    assert!(
        folder
            .join("out/verilog/srp_allocator_w48/srp_allocator_w48.v")
            .exists()
    );
}

#[test]
fn report_table_and_json_of_the_demo_have_the_same_numbers() {
    let (folder, output) = demo();
    let read = |name: &str| std::fs::read_to_string(folder.join("out").join(name)).expect("there");
    let page = read("report.html");
    let json: Value = serde_json::from_str(&read("report.json")).expect("JSON");
    let table = stdout(output);
    let headings = table.lines().next().expect("headings");
    for wanted in [
        "scheme",
        "registers",
        "occupancy",
        "cycles",
        "speed-up",
        "stalls by cause",
        "acquire success",
    ] {
        assert!(headings.contains(wanted), "{headings}");
    }
    let runs = json["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 16);
    for (run, line) in runs.iter().zip(table.lines().skip(2)) {
        let cells: Vec<&str> = (line.split("  ").map(str::trim))
            .filter(|cell| !cell.is_empty())
            .collect();
        let row: String = cells
            .iter()
            .map(|cell| format!("<td>{cell}</td>"))
            .collect();
        assert!(page.contains(&row), "{row} is not in the report");
        assert_eq!(cells[1], run["scheme"]);
        assert_eq!(cells[2], run["scheduler"]);
        assert_eq!(cells[6], run["cycles"].to_string());
        let speedup = run["speedup"].as_f64().expect("a number");
        assert_eq!(cells[7], format!("{speedup:.3}"));
        let slots = run["slots"].as_object().expect("causes");
        let all: u64 = slots.values().filter_map(Value::as_u64).sum();
        let part =
            |of: &Value| format!("{:.1} %", 100.0 * of.as_u64().unwrap() as f64 / all as f64);
        assert_eq!(cells[8], part(&slots["issued"]));
        assert_eq!(cells[9], part(&run["idle_slots"]));
        assert_eq!(cells[10], part(&run["stall_slots"]));
        // The largest causes, largest first, as parts of the same sum.
        let lost = |(cause, of): (&String, &Value)| {
            let part = 100.0 * of.as_u64().unwrap() as f64 / all as f64;
            (cause != "issued" && part >= 0.5).then(|| (part, format!("{cause} {part:.0} %")))
        };
        let mut lost: Vec<_> = slots.iter().filter_map(lost).collect();
        lost.sort_by(|left, right| right.0.total_cmp(&left.0));
        let lost: Vec<_> = lost.into_iter().take(3).map(|(_, told)| told).collect();
        assert_eq!(cells[11], lost.join(", "));
        let success = run["acquire"]["success"].as_f64();
        let success = success.map_or("-".to_owned(), |s| format!("{:.1} %", 100.0 * s));
        assert_eq!(cells[12], success);
    }
}

/// What of a page is made anew: by plain `cargo test`, where unoptimised runs take minutes; by `tests/run`; and whole by its
/// `--soak`, which alone has the sweeps, the figures that compare more machines or schedulers, and those pages that have two
/// machines on both.
const PAGES: [(&str, &[&str], &[&str], &str); 5] = [
    (
        "docs/results.md",
        &["fig7"],
        &["fig7", "fig8", "fig13", "why"],
        "regmutex",
    ),
    (
        "docs/results-sharing.md",
        &["sharing-fig8"],
        &["sharing-fig8"],
        "sharing",
    ),
    (
        "docs/results-regdem.md",
        &[],
        &["regdem", "--machine", "maxwell"],
        "regdem",
    ),
    ("docs/results-calls.md", &["calls"], &["calls"], "calls"),
    (
        "docs/results-cars.md",
        &[],
        &["cars", "--machine", "gtx480"],
        "cars",
    ),
];

#[test]
fn the_pages_of_results_are_what_the_runs_give_now() {
    let all = every_check_is_demanded();
    let soak = std::env::var_os("REGSHARE_SOAK").is_some();
    for (page, quick, demanded, whole) in &PAGES {
        let targets = match (all, soak) {
            (_, true) => &[*whole],
            (true, false) => *demanded,
            (false, false) => *quick,
        };
        if targets != [*whole] {
            eprintln!("of {page} made anew here: {targets:?}; `tests/run --soak`: all");
        }
        if targets.is_empty() {
            continue;
        }
        let output = regshare(&[&["repro", "--markdown"], targets].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page));
        let text = text.expect("there");
        let output = stdout(&output);
        // Those parts that are not made anew may lie between.
        let parts: Vec<&str> = output.split("\n## ").map(str::trim).collect();
        let named = targets
            .iter()
            .take_while(|target| !target.starts_with("--"));
        assert!(parts.len() >= named.count(), "{output}");
        for part in parts {
            assert!(
                text.contains(part),
                "{page} is stale: run `cargo bless`; it has not\n{part}"
            );
        }
    }
}

/// One kernel of the page, whose runs are the shortest; the page has all in minutes.
#[test]
fn the_page_of_renaming_has_the_rows_that_a_kernel_gives_now() {
    let output = regshare(&["repro", "rfv:histogram", "--markdown"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/results-rfv.md");
    let page = std::fs::read_to_string(page).expect("there");
    let (mut heading, mut rows) = (String::new(), 0);
    for line in stdout(&output).lines() {
        if line.starts_with("| histogram ") {
            let table = page.split_once(&heading).expect("a table of the page").1;
            let found = table.lines().find(|row| row.starts_with("| histogram "));
            assert_eq!(found, Some(line), "{heading}: run `cargo bless`");
            rows += 1;
        } else if line.ends_with(':') {
            line.clone_into(&mut heading);
        }
    }
    assert_eq!(rows, 14);
    let output = regshare(&["repro", "rfv:nothing"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("montecarlo"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn first_steps_quote_the_real_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    for file in ["saxpy.ptx", "saxpy.toml"] {
        std::fs::copy(
            root.join("docs/examples").join(file),
            folder.path().join(file),
        )
        .expect("copies");
    }
    let machine = std::fs::read_to_string(root.join("sim/machines/gtx480.toml")).expect("there");
    let mut mine = machine.clone();
    for (key, value) in [
        ("name", "\"mine\""),
        ("packs_per_sm", "768"),
        ("miss_latency", "500"),
    ] {
        let mut lines = machine.lines();
        let line = lines.find(|line| line.starts_with(&format!("{key} =")));
        mine = mine.replace(line.expect("is a field"), &format!("{key} = {value}"));
    }
    std::fs::write(folder.path().join("my.toml"), mine).expect("writes");
    let page = std::fs::read_to_string(root.join("docs/start.md")).expect("there");
    for arguments in [
        "run saxpy.ptx --launch saxpy.toml",
        "run montecarlo",
        "run montecarlo --machine my.toml",
        "occupancy saxpy.ptx --launch saxpy.toml",
    ] {
        let words: Vec<&str> = arguments.split(' ').collect();
        let output = regshare_in(folder.path(), &words);
        assert!(output.status.success(), "{}", stderr(&output));
        let lines: Vec<String> = stdout(&output)
            .lines()
            .map(|l| l.trim_end().to_owned())
            .collect();
        let quote = format!("$ regshare {arguments}\n{}\n```", lines.join("\n"));
        assert!(
            page.contains(&quote),
            "docs/start.md does not quote\n{quote}"
        );
    }
    assert!(folder.path().join("y.npy").exists());
}
