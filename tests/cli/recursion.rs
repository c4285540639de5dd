//! Recursion where calls are kept: how much local memory it has, and what is said when that does not do.

use super::calls::told;
use super::{regshare_in, stderr, stdout};
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

/// `f` adds the numbers from 1 to n up, one call each, in which it saves two registers; line 4 is its first.
const SUM: &str = "\
.version 6.3
.target sm_70
.address_size 64
.func (.param .b32 r) f(.param .b32 n)
{
    .reg .b32 %a<6>; .reg .pred %p;
    ld.param.u32 %a0, [n];
    setp.eq.u32 %p, %a0, 0;
    mov.u32 %a2, 0;
    @%p bra DONE;
    sub.u32 %a1, %a0, 1;
    { .param .b32 q; .param .b32 w; st.param.b32 [q], %a1; call (w), f, (q); ld.param.b32 %a2, [w]; }
    add.u32 %a2, %a2, %a0;
DONE:
    st.param.b32 [r], %a2;
    ret;
}
.visible .entry k(.param .u64 out, .param .u64 expected, .param .u32 n)
{
    .reg .b32 %r<4>; .reg .b64 %d<3>;
    ld.param.u64 %d0, [out];
    ld.param.u32 %r2, [n];
    mov.u32 %r0, %tid.x;
    mad.wide.u32 %d0, %r0, 4, %d0;
    { .param .b32 x; .param .b32 r; st.param.b32 [x], %r2; call (r), f, (x); ld.param.b32 %r1, [r]; }
    st.global.u32 [%d0], %r1;
    ret;
}
";

/// A folder with `k.ptx`, whose text is `text`, and `k.toml`, which asks for the sum up to `n`.
fn folder(text: &str, n: u32) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.ptx"), text).expect("written");
    let buffer = |name: &str, value: u32| {
        format!(
            "[[arg]]\nbuffer = \"{name}\"\ntype = \"u32\"\nlength = 40\ncontents = {{ constant = {value} }}\n"
        )
    };
    let launch = format!(
        "kernel = \"k\"\ngrid = 1\nblock = 40\n{}{}[[arg]]\ntype = \"u32\"\nvalue = {n}\n\
         [[check]]\nbuffer = \"out\"\nequals_buffer = \"expected\"\n",
        buffer("out", 0),
        buffer("expected", n * (n + 1) / 2)
    );
    std::fs::write(folder.path().join("k.toml"), launch).expect("written");
    folder
}

fn run(folder: &Path, more: &[&str]) -> Output {
    regshare_in(
        folder,
        &[&["run", "k.ptx", "--launch", "k.toml"], more].concat(),
    )
}

#[test]
fn a_recursion_goes_as_deep_as_its_stack_allows() {
    let folder = folder(SUM, 400);
    for scheme in ["abi-spill", "all-hit", "cars"] {
        let output = run(folder.path(), &["--scheme", scheme]);
        assert_eq!(output.status.code(), Some(1), "{scheme}");
        let message = told(&output);
        for word in [
            "recursion is too deep: the stack of a thread in local memory is full",
            "more than 1024 bytes: --stack-bytes N",
        ] {
            assert!(message.contains(word), "`{word}` is missing in {message}");
        }
        let more = ["--scheme", scheme, "--stack-bytes", "3216"];
        let output = run(folder.path(), &more);
        assert!(output.status.success(), "{scheme}: {}", stderr(&output));
        assert!(stdout(&output).contains(" correct"), "{}", stdout(&output));
    }
    // Two registers of each of 401 calls take 3208 bytes.
    let more = ["--scheme", "abi-spill", "--stack-bytes", "3200"];
    assert_eq!(run(folder.path(), &more).status.code(), Some(1));
}

#[test]
fn no_stack_is_enough_for_more_calls_than_can_be_open() {
    let folder = folder(SUM, 1100);
    for scheme in ["abi-spill", "cars"] {
        let more = ["--scheme", scheme, "--stack-bytes", "524288"];
        let output = run(folder.path(), &more);
        assert_eq!(output.status.code(), Some(1), "{scheme}");
        let message = told(&output);
        assert!(
            message.contains("no stack is large enough for more than 1024 open calls"),
            "{message}"
        );
    }
}

/// An array of a function lies in its frame, too: the first access beyond the stack is one that is written in the file.
#[test]
fn local_variables_of_a_recursion_count_for_its_stack() {
    let text = SUM.replace(
        ".reg .b32 %a<6>; .reg .pred %p;",
        ".reg .b32 %a<6>; .reg .pred %p; .local .align 4 .b8 v[64]; st.local.u32 [v+60], 1;",
    );
    let folder = folder(&text, 50);
    for scheme in ["abi-spill", "cars"] {
        let output = run(folder.path(), &["--scheme", scheme]);
        assert_eq!(output.status.code(), Some(1), "{scheme}");
        let message = told(&output);
        assert!(
            message.contains("recursion is too deep") && message.contains("--stack-bytes"),
            "{message}"
        );
        let more = ["--scheme", scheme, "--stack-bytes", "8192"];
        let output = run(folder.path(), &more);
        assert!(output.status.success(), "{scheme}: {}", stderr(&output));
    }
}

#[test]
fn the_size_of_a_stack_is_refused_where_it_means_nothing_or_cannot_be() {
    let folder = folder(SUM, 4);
    for (scheme, bytes, word) in [
        (
            "baseline,regmutex",
            "2048",
            "--stack-bytes means nothing under",
        ),
        ("abi-spill", "8", "16..=524288"),
        ("cars", "524289", "16..=524288"),
        ("cars", "much", "--stack-bytes"),
    ] {
        let output = run(folder.path(), &["--scheme", scheme, "--stack-bytes", bytes]);
        assert_eq!(output.status.code(), Some(2), "{scheme} {bytes}");
        let message = told(&output);
        assert!(message.contains(word), "`{word}` is missing in {message}");
    }
    // One iteration has room in any case.
    let smallest = ["--scheme", "abi-spill", "--stack-bytes", "16"];
    let output = run(folder.path(), &smallest);
    assert!(
        told(&output).contains("more than 16 bytes"),
        "{}",
        told(&output)
    );
}

/// An address that is computed may be that of a variable of a function that lies beyond the stack, or a wrong one: both are said.
#[test]
fn an_address_beyond_the_stack_may_be_that_of_a_variable() {
    let text = SUM.replace(
        ".reg .b32 %a<6>; .reg .pred %p;",
        ".reg .b32 %a<6>; .reg .pred %p; .reg .b64 %v<3>; .local .align 4 .b8 v[64];",
    );
    let text = text.replace(
        "setp.eq.u32 %p, %a0, 0;",
        "and.b32 %a3, %a0, 15; mul.wide.u32 %v0, %a3, 4; mov.u64 %v1, v; add.u64 %v1, %v1, %v0; \
         st.local.u32 [%v1], %a0; setp.eq.u32 %p, %a0, 0;",
    );
    // Nothing is saved at the call, and the sum is 0.
    let text = text.replace("add.u32 %a2, %a2, %a0;", "");
    let folder = folder(&text, 60);
    let launch = folder.path().join("k.toml");
    let unchecked = std::fs::read_to_string(&launch).expect("is there");
    let (unchecked, _) = unchecked.split_once("[[check]]").expect("has one");
    std::fs::write(&launch, unchecked).expect("written");
    for scheme in ["abi-spill", "cars"] {
        let output = run(folder.path(), &["--scheme", scheme]);
        assert_eq!(output.status.code(), Some(1), "{scheme}");
        let mut messages = vec![told(&output)];
        let graph = ["compile", "k.ptx", "--launch", "k.toml", "--emit", "calls"];
        let output = regshare_in(folder.path(), &[&graph[..], &["--scheme", scheme]].concat());
        assert_eq!(output.status.code(), Some(1), "{scheme}");
        messages.push(told(&output));
        assert!(messages[1].contains("calls open"), "{}", messages[1]);
        for message in messages {
            for word in ["1024 bytes", "--stack-bytes N", "the address is wrong"] {
                assert!(message.contains(word), "`{word}` is missing in {message}");
            }
        }
        let enough = ["--scheme", scheme, "--stack-bytes", "8192"];
        let output = run(folder.path(), &enough);
        assert!(output.status.success(), "{scheme}: {}", stderr(&output));
    }
}

/// The fault of the run that counts calls is that of the recursion, with a place, how deep it got and what there was.
#[test]
fn the_call_graph_of_a_recursion_that_is_too_deep_says_what_is_known() {
    let folder = folder(SUM, 400);
    let graph = |more: &[&str]| {
        let args = ["compile", "k.ptx", "--launch", "k.toml", "--emit", "calls"];
        regshare_in(folder.path(), &[&args, more].concat())
    };
    let output = graph(&["--scheme", "abi-spill"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("for one iteration of what is recursive"));
    let message = told(&output);
    for word in [
        "line 4, block `f`",
        "recursion is too deep",
        "full, 1024 bytes, with 129 calls open",
        "--stack-bytes N",
        "look at its arguments",
    ] {
        assert!(message.contains(word), "`{word}` is missing in {message}");
    }
    let output = graph(&["--scheme", "abi-spill", "--stack-bytes", "4096"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("calls 401 deep"),
        "{}",
        stdout(&output)
    );
}
