//! What CARS has for stacks: Figure 4 of the paper as a program, and what the hardware cannot count.

use super::{regshare, stderr, stdout};

const GRAPH: &str = "docs/examples/calls/figure4.ptx";
const LAUNCH: &str = "docs/examples/calls/figure4.toml";

fn printed(args: &[&str]) -> String {
    let output = regshare(args);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

fn compiled(kernel: &[&str], emit: &str, watermark: &str) -> String {
    let more = ["--scheme", "cars", "--emit", emit, "--watermark", watermark];
    printed(&[&["compile"], kernel, &more].concat())
}

/// Kernel 20, largest function 10, watermarks 30 and 56.
#[test]
fn figure_4_is_a_program_that_has_its_watermarks_and_runs() {
    let kernel = [GRAPH, "--launch", LAUNCH];
    let graph = compiled(&kernel, "calls", "adaptive");
    assert!(
        graph.contains("Low-watermark 30, High-watermark 56\n"),
        "{graph}"
    );
    // All of it is as in the tables of the papers.
    let tables = printed(&["occupancy", "--paper"]);
    let rows = graph.lines().filter(|row| row.starts_with(['*', ' ']));
    for row in rows.map(str::trim_end) {
        assert!(tables.contains(row), "`{row}` is not in\n{tables}");
    }
    let page = std::fs::read_to_string("docs/cars.md").expect("a page");
    let lines: Vec<&str> = graph.lines().map(str::trim_end).collect();
    let quote = format!("--emit calls\n{}\n```", lines.join("\n"));
    assert!(
        page.contains(&quote),
        "docs/cars.md does not quote\n{quote}"
    );
    let plan = compiled(&kernel, "plan", "adaptive");
    for line in [
        "30 = 20 + 10: kernel and largest function, fun1",
        "56 = 20 + 10 + 9 + 10 + 7: kernel, fun1, fun3, fun5, fun7",
    ] {
        assert!(plan.contains(line), "{plan}");
    }
    for watermark in ["low", "2xlow", "high", "adaptive"] {
        let more = ["--scheme", "cars", "--watermark", watermark];
        let table = printed(&[&["run"], &kernel[..], &more].concat());
        assert!(table.contains(" correct"), "{table}");
    }
}

/// `reach` needs 97 packs behind its own for its deepest path; the hardware counts 63.
#[test]
fn stacks_that_are_cut_are_said_to_be_wherever_their_sizes_are_printed() {
    let cut = "largest stack 63 packs, the most that the hardware counts, of 97 that the watermark stands for";
    for emit in ["plan", "calls"] {
        for watermark in ["adaptive", "high"] {
            let text = compiled(&["reach"], emit, watermark);
            assert!(text.contains(cut), "{emit} {watermark}: {text}");
            assert!(text.contains("a warp has 83 registers, not 117"), "{text}");
        }
        let text = compiled(&["reach"], emit, "low");
        assert!(!text.contains("the watermark stands for"), "{text}");
    }
    assert!(printed(&["occupancy", "reach"]).contains(cut));
    let args = [
        "run",
        "reach",
        "--scheme",
        "cars",
        "--watermark",
        "high",
        "--json",
        "-",
    ];
    let report: serde_json::Value = serde_json::from_str(&printed(&args)).expect("JSON");
    let stacks = &report["runs"][0]["stacks"];
    assert_eq!(stacks["capacities"], serde_json::json!([63]));
    let of = |field: &str| stacks[field].as_u64().expect("a number");
    assert_eq!(of("high") - of("kernel_regs"), 97);
}

/// CTA slots leave more than three calls' worth of packs for each warp. A multiple of Low by hand has none of them, and says so; the levels
/// that the hardware chooses among begin with them.
#[test]
fn a_multiple_of_low_that_is_less_than_low_says_why() {
    let packs = |watermark: &str| {
        let plan = compiled(&["reach"], "plan", watermark);
        let line = (plan.lines()).find_map(|line| line.strip_prefix("packs of a stack"));
        (line.expect("a line").trim().to_owned(), plan)
    };
    let why = "of 24 packs, fewer than low has, 44: a multiple of it by hand has no share of what is left over";
    let (low, plan) = packs("low");
    assert_eq!(low, "44");
    assert!(!plan.contains("fewer than"), "{plan}");
    let (twice, plan) = packs("2xlow");
    assert_eq!(twice, "24");
    assert!(plan.contains(why), "{plan}");
    let listed = printed(&["occupancy", "reach", "--watermark", "2xlow"]);
    assert!(listed.contains(why), "{listed}");
    let (four, plan) = packs("4xlow");
    assert_eq!(four, "48");
    assert!(!plan.contains("fewer than"), "{plan}");
    assert!(packs("adaptive").0.starts_with("44 or 48 or 60 or 63"));
}
