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
