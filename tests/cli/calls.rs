//! Programs of several files with calls.

use super::{regshare, stderr, stdout};

const MAIN: &str = "docs/examples/calls/main.ptx";
const OTHER: &str = "docs/examples/calls/fibonacci.ptx";
const LAUNCH: &str = "docs/examples/calls/launch.toml";

#[test]
fn two_files_are_linked_and_run_with_calls() {
    let args = [
        "run",
        MAIN,
        OTHER,
        "--launch",
        LAUNCH,
        "--scheme",
        "abi-spill",
    ];
    let output = regshare(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("abi-spill"));
}

#[test]
fn recursion_is_refused_where_calls_are_inlined_with_a_scheme_that_keeps_them() {
    let output = regshare(&["run", MAIN, OTHER, "--launch", LAUNCH]);
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    for word in [
        "cannot be inlined",
        "recursive call",
        "fibonacci",
        "--scheme abi-spill",
    ] {
        assert!(message.contains(word), "`{word}` is missing in\n{message}");
    }
    let alone = stderr(&regshare(&[
        "run",
        MAIN,
        "--launch",
        LAUNCH,
        "--scheme",
        "abi-spill",
    ]));
    assert!(alone.contains("in another file"), "{alone}");
}

#[test]
fn what_is_wrong_besides_a_recursion_is_what_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = std::fs::read_to_string(OTHER).expect("an example");
    let Some((before, after)) = good.rsplit_once("ret;") else {
        panic!("no `ret;` in {OTHER}");
    };
    let bad = folder.path().join("fibonacci.ptx");
    std::fs::write(&bad, format!("{before}frobnicate.u32 %r1, %r1;{after}")).expect("written");
    let path = bad.to_str().expect("text");
    for scheme in ["baseline", "abi-spill"] {
        let output = regshare(&["run", MAIN, path, "--launch", LAUNCH, "--scheme", scheme]);
        assert_eq!(output.status.code(), Some(2));
        let message = stderr(&output);
        assert!(message.contains("frobnicate"), "{message}");
        assert!(!message.contains("recursive call"), "{message}");
    }
}

#[test]
fn call_graph_of_a_linked_program_says_that_it_recurses() {
    let args = ["compile", MAIN, "--link", OTHER, "--launch", LAUNCH];
    let output = regshare(&[&args[..], &["--scheme", "abi-spill", "--emit", "calls"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("* fibonacci") && text.contains("one iteration"),
        "{text}"
    );
}

#[test]
fn bundled_kernel_with_calls_is_drawn_and_profiled() {
    let folder = tempfile::tempdir().expect("a folder");
    let svg = folder.path().join("gemm.svg");
    let path = svg.to_str().expect("text");
    let args = [
        "compile",
        "gemm",
        "--scheme",
        "abi-spill",
        "--emit",
        "calls",
        "--svg",
        path,
    ];
    let output = regshare(&args);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("calls 5 deep") && text.contains("* multiplied"),
        "{text}"
    );
    let drawn = std::fs::read_to_string(&svg).expect("written");
    let high = r#"<path class="call high" data-from="main_loop" data-to="multiplied""#;
    assert!(drawn.contains(high), "{drawn}");
}

#[test]
fn kernel_without_calls_has_no_picture_of_them() {
    let args = ["compile", "spmv", "--emit", "calls", "--svg", "spmv.svg"];
    let output = regshare(&args);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("spmv calls no function"));
    let args = ["compile", "spmv", "--emit", "plan", "--svg", "spmv.svg"];
    let message = stderr(&regshare(&args));
    assert!(message.contains("--emit calls"), "{message}");
}

/// Lane 5 calls an address at which there is no function.
const ASTRAY: &str = "\
.version 7.0
.target sm_70
.address_size 64
.func f() { ret; }
.visible .entry astray(.param .u64 out) {
    .reg .b64 %d<3>; .reg .b32 %r<3>; .reg .pred %p;
    mov.u64 %d0, f;
    mov.u32 %r0, %tid.x;
    setp.eq.u32 %p, %r0, 5;
    @%p add.u64 %d0, %d0, 4;
    names : .callprototype _ ();
    call %d0, (), names;
    ret;
}
";

#[test]
fn call_of_an_address_without_a_function_ends_the_run_with_line_warp_and_lane() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (ptx, launch) = (place("astray.ptx"), place("launch.toml"));
    std::fs::write(&ptx, ASTRAY).expect("written");
    let text = "kernel = \"astray\"\ngrid = 1\nblock = 32\n[[arg]]\nbuffer = \"out\"\ntype = \"u32\"\nlength = 4\n";
    std::fs::write(&launch, text).expect("written");
    for scheme in ["baseline", "abi-spill"] {
        let output = regshare(&["run", &ptx, "--launch", &launch, "--scheme", scheme]);
        let message = stderr(&output)
            .replace('│', " ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert_eq!(output.status.code(), Some(1), "{message}");
        for word in [
            "where there is no function",
            "line 12 ",
            "CTA 0, warp 0",
            "lane 5",
        ] {
            assert!(
                message.contains(word),
                "{scheme}: `{word}` is missing in {message}"
            );
        }
    }
}

#[test]
fn all_schemes_keep_calls_too_where_there_are_any() {
    let output = regshare(&["run", "fibonacci", "--scheme", "all"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let row = |scheme: &str| {
        let head = format!(" fibonacci  {scheme} ");
        text.lines().any(|line| line.starts_with(&head))
    };
    // Recursion cannot be inlined.
    for scheme in ["abi-spill", "cars", "l1-10mb", "all-hit", "best-swl"] {
        assert!(row(scheme), "{scheme} is missing in\n{text}");
    }
    for scheme in ["baseline", "regmutex", "shared-owf-unroll", "inlined"] {
        assert!(!row(scheme), "{scheme} is in\n{text}");
        let refused = format!("refused: fibonacci under {scheme}: ");
        assert!(
            text.contains(&refused),
            "{scheme} is not refused in\n{text}"
        );
    }

    let text = stdout(&regshare(&["run", "reduction", "--scheme", "all"]));
    assert!(
        text.contains(" regmutex ") && !text.contains("cars"),
        "{text}"
    );
}

#[test]
fn a_second_launch_begins_with_what_was_best_in_the_first() {
    let output = regshare(&[
        "run",
        "reach",
        "--scheme",
        "abi-spill,cars",
        "--launches",
        "2",
        "--json",
        "-",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let runs = report["runs"].as_array().expect("runs");
    let schemes: Vec<_> = runs
        .iter()
        .map(|run| run["scheme"].as_str().expect("a name"))
        .collect();
    assert_eq!(schemes, ["abi-spill", "cars", "abi-spill", "cars"]);
    assert_eq!(runs[0]["cycles"], runs[2]["cycles"]);
    let (first, second) = (&runs[1]["stacks"], &runs[3]["stacks"]);
    assert!(first["best_level"].is_u64() && first.get("remembered").is_none());
    assert_eq!(second["remembered"], first["best_level"]);
}
