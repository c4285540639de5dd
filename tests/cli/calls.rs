//! Programs of several files with calls.

use super::{regshare, regshare_in, stderr, stdout};
use std::process::Output;

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
    assert!(
        alone.contains("no given file defines the function") && alone.contains("`fibonacci`"),
        "{alone}"
    );
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
    let refused =
        (text.lines()).find(|line| line.starts_with("refused: fibonacci under baseline, "));
    let (refused, _) = refused
        .and_then(|line| line.split_once(": its calls cannot be inlined"))
        .expect(&text);
    for scheme in ["baseline", "regmutex", "shared-owf-unroll", "inlined"] {
        assert!(!row(scheme), "{scheme} is in\n{text}");
        let named = refused.split([' ', ',']).any(|name| name == scheme);
        assert!(named, "{scheme} is not refused in\n{text}");
    }

    let text = stdout(&regshare(&["run", "reduction", "--scheme", "all"]));
    // Without calls CARS shows what it costs, and the comparators that keep calls are the baseline.
    assert!(
        text.contains(" regmutex ") && text.contains(" cars ") && !text.contains("abi-spill"),
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

/// Stores what `there` gives for each thread's number, passed on to the file's own `helper`.
const CALLER: &str = "\
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 v) there(.param .b32 a);
.global .u32 number = 9;
.func (.param .b32 v) helper(.param .b32 a)
{
    .reg .b32 %r<3>;
    ld.param.u32 %r0, [a];
    ld.global.u32 %r1, [number];
    add.u32 %r0, %r0, %r1;
    st.param.b32 [v], %r0;
    ret;
}
.visible .entry k(.param .u64 out, .param .u64 expected)
{
    .reg .b32 %r<3>; .reg .b64 %d<2>;
    mov.u32 %r0, %tid.x;
    { .param .b32 a; .param .b32 v; st.param.b32 [a], %r0; call (v), there, (a); ld.param.b32 %r1, [v]; }
    { .param .b32 a; .param .b32 v; st.param.b32 [a], %r1; call (v), helper, (a); ld.param.b32 %r1, [v]; }
    ld.param.u64 %d0, [out];
    mad.wide.u32 %d1, %r0, 4, %d0;
    st.global.u32 [%d1], %r1;
    ret;
}
";

/// A file with `there`, whose body is `body`, from line 8 on.
fn callee(before: &str, body: &str) -> String {
    format!(
        ".version 7.0\n.target sm_70\n.address_size 64 {before}\n\
         .visible .func (.param .b32 v) there(.param .b32 a)\n{{\n    \
         .reg .b32 %r<3>; .reg .b64 %d<2>; .reg .pred %p;\n    \
         ld.param.u32 %r0, [a];\n{body}\n    st.param.b32 [v], %r0;\n    ret;\n}}\n"
    )
}

/// Runs `main.ptx` with these other files, two warps of it, and checks that `out` counts up from `first`.
fn run_linked(files: &[(&str, &str)], first: u32, more: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    for (name, text) in files {
        write(name, text);
    }
    let buffer = |name: &str, contents: &str| {
        format!(
            "[[arg]]\nbuffer = \"{name}\"\ntype = \"u32\"\nlength = 64\ncontents = {contents}\n"
        )
    };
    let counts = format!("{{ iota = {{ start = {first}, step = 1 }} }}");
    let launch = format!(
        "kernel = \"k\"\ngrid = 1\nblock = 64\n{}{}[[check]]\nbuffer = \"out\"\nequals_buffer = \"expected\"\n",
        buffer("out", "\"zeros\""),
        buffer("expected", &counts)
    );
    write("launch.toml", &launch);
    let mut args = vec!["run"];
    args.extend(files.iter().map(|(name, _)| *name));
    args.extend(["--launch", "launch.toml"]);
    args.extend(more);
    regshare_in(folder.path(), &args)
}

/// What is said on standard error, in one line.
pub fn told(output: &Output) -> String {
    let text = stderr(output).replace('│', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn linked_files_have_their_own_functions_and_variables_of_one_name() {
    let before = "
.global .u32 number = 100;
.func (.param .b32 v) helper(.param .b32 a)
{
    .reg .b32 %r<3>;
    ld.param.u32 %r0, [a];
    ld.global.u32 %r1, [number];
    mad.lo.u32 %r0, %r1, 3, %r0;
    st.param.b32 [v], %r0;
    ret;
}";
    let body = "{ .param .b32 b; .param .b32 w; st.param.b32 [b], %r0; call (w), helper, (b); ld.param.b32 %r0, [w]; }";
    let other = callee(before, body);
    for files in [
        [("main.ptx", CALLER), ("lib.ptx", &other)],
        [("lib.ptx", &other), ("main.ptx", CALLER)],
    ] {
        for scheme in ["baseline", "abi-spill", "cars"] {
            let output = run_linked(&files, 309, &["--scheme", scheme]);
            assert!(output.status.success(), "{scheme}: {}", stderr(&output));
            assert!(stdout(&output).contains(" correct"), "{}", stdout(&output));
        }
    }
}

#[test]
fn of_weak_functions_of_several_files_one_is_kept() {
    let weak = |number: u32| {
        format!(
            ".weak .func (.param .b32 v) each(.param .b32 a)\n{{ .reg .b32 %r; ld.param.u32 %r, [a]; \
             add.u32 %r, %r, {number}; st.param.b32 [v], %r; ret; }}\n"
        )
    };
    let body = "{ .param .b32 b; .param .b32 w; st.param.b32 [b], %r0; call (w), each, (b); ld.param.b32 %r0, [w]; }";
    let main = format!("{CALLER}{}", weak(1000));
    let other = callee(&format!("\n{}", weak(2000)), body);
    let first = [("main.ptx", &*main), ("lib.ptx", &other)];
    let output = run_linked(&first, 1009, &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    // A visible one is preferred, wherever it stands.
    let visible = other.replace(".weak", ".visible");
    let output = run_linked(&[("main.ptx", &main), ("lib.ptx", &visible)], 2009, &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let twice = main.replace(".weak", ".visible");
    let output = run_linked(&[("main.ptx", &twice), ("lib.ptx", &visible)], 0, &[]);
    assert_eq!(output.status.code(), Some(2));
    let message = told(&output);
    for word in [
        "lib.ptx:4:32: function `each` is defined twice",
        "the first is at main.ptx:26:32",
        "give one of them another name",
    ] {
        assert!(message.contains(word), "`{word}` is missing in {message}");
    }
}

#[test]
fn problems_of_linked_files_are_shown_in_their_file() {
    let other = callee("", "    frobnicate.u32 %r0, %r0;");
    for scheme in ["baseline", "abi-spill"] {
        let files = [("main.ptx", CALLER), ("lib.ptx", &other)];
        let output = run_linked(&files, 0, &["--scheme", scheme]);
        assert_eq!(output.status.code(), Some(2));
        let message = stderr(&output);
        for word in [
            "lib.ptx:8:5: unknown instruction",
            "[lib.ptx:8:5]",
            " 8 │     frobnicate.u32 %r0, %r0;",
        ] {
            assert!(message.contains(word), "`{word}` is missing in\n{message}");
        }
        assert!(!message.contains("main.ptx"), "{message}");
    }
}

#[test]
fn faults_traps_and_hangs_name_the_file_of_their_line() {
    let cases = [
        (
            "    ld.global.u32 %r0, [4096];",
            "memory fault at line 8 of lib.ptx",
        ),
        ("    trap;", "trap at line 8 of lib.ptx"),
        (
            "    setp.gt.u32 %p, %r0, 31; @%p bra END;\n    bar.sync 1, 64;\nEND:",
            "line 9 of lib.ptx (instruction",
        ),
    ];
    for (body, place) in cases {
        let other = callee("", body);
        for scheme in ["baseline", "abi-spill"] {
            let files = [("main.ptx", CALLER), ("lib.ptx", &other)];
            let output = run_linked(&files, 0, &["--scheme", scheme]);
            let message = told(&output);
            assert_eq!(output.status.code(), Some(1), "{message}");
            assert!(
                message.contains(place),
                "{scheme}: `{place}` is missing in {message}"
            );
        }
    }
}

#[test]
fn stall_table_of_linked_files_names_the_file_of_each_line() {
    let other = callee("", "    add.u32 %r0, %r0, 1;");
    let files = [("main.ptx", CALLER), ("lib.ptx", &other)];
    let more = ["--scheme", "abi-spill", "--stalls-by", "pc"];
    let output = run_linked(&files, 10, &more);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let shows = |place: &str, code: &str| {
        let mut rows = text
            .lines()
            .map(|row| row.split_whitespace().collect::<Vec<_>>());
        rows.any(|row| row.get(1) == Some(&place) && row.get(2) == Some(&code))
    };
    assert!(shows("lib.ptx:8", "add.u32"), "{text}");
    assert!(shows("main.ptx:11", "add.u32"), "{text}");

    let output = run_linked(&files, 10, &[&more[..], &["--json", "-"]].concat());
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let rows = report["runs"][0]["stalls"]["by_pc"]
        .as_array()
        .expect("rows");
    let of_lib = |row: &&serde_json::Value| row["file"] == "lib.ptx" && row["line"] == 8;
    let row = rows.iter().find(of_lib).expect("a row");
    assert_eq!(row["source"], "add.u32 %r0, %r0, 1;");
}

#[test]
fn a_missing_function_is_reported_once_with_what_to_do() {
    let more = CALLER.replace("), helper, (", "), there, (");
    for scheme in ["baseline", "abi-spill"] {
        let output = run_linked(&[("main.ptx", &more)], 0, &["--scheme", scheme]);
        assert_eq!(output.status.code(), Some(2));
        let message = told(&output);
        let what = "main.ptx:19:70: no given file defines the function `there`";
        for word in [what, "regshare run a.ptx b.ptx"] {
            assert!(message.contains(word), "`{word}` is missing in {message}");
        }
        assert!(!message.contains("more problem"), "{message}");
    }
}
