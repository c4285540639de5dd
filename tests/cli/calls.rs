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
