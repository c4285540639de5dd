//! Calls through addresses whose prototype is written wrongly, or is another than the call's.

use super::calls::told;
use super::{regshare_in, stderr, stdout};
use std::process::Output;

/// Calls `twice` through its address; `PROTOTYPE` is line 13, the call line 14.
const INDIRECT: &str = "\
.version 7.0
.target sm_70
.address_size 64
.func (.param .b32 r) twice(.param .b32 x)
{
    .reg .b32 %a<2>;
    ld.param.u32 %a0, [x]; add.u32 %a1, %a0, %a0; st.param.b32 [r], %a1; ret;
}
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<2>; .reg .b64 %d<2>; .param .b32 a; .param .b32 v; .param .b64 wide;
    mov.u32 %r0, %tid.x; st.param.b32 [a], %r0; mov.u64 %d1, twice;
    PROTOTYPE
    CALL
    ld.param.b32 %r1, [v]; ld.param.u64 %d0, [out]; mad.wide.u32 %d0, %r0, 4, %d0;
    st.global.u32 [%d0], %r1;
    ret;
}
";
const CALL: &str = "call (v), %d1, (a), P;";

fn run(prototype: &str, call: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    let text = INDIRECT.replace("PROTOTYPE", prototype);
    write("k.ptx", &text.replace("CALL", call));
    write(
        "k.toml",
        "kernel = \"k\"\ngrid = 1\nblock = 32\n[[arg]]\nbuffer = \"out\"\ntype = \"u32\"\nlength = 32\n",
    );
    let args = [
        "run",
        "k.ptx",
        "--launch",
        "k.toml",
        "--scheme",
        "baseline,abi-spill,cars",
    ];
    regshare_in(folder.path(), &args)
}

#[test]
fn prototypes_of_the_isa_are_taken() {
    for prototype in [
        "P: .callprototype (.param .b32 _) _ (.param .b32 _);",
        "P : .callprototype (.param .u32 back) _ (.param .f32 x) ;",
        "P: .callprototype (.param .b32 _) _ (.param .b32 _) .abi_preserve 8 .abi_preserve_control 2;",
    ] {
        let output = run(prototype, CALL);
        assert!(output.status.success(), "{prototype}: {}", stderr(&output));
        assert!(
            stdout(&output).contains("as baseline"),
            "{}",
            stdout(&output)
        );
    }
}

#[test]
fn a_malformed_prototype_is_refused_with_its_place_and_how_one_is_written() {
    for (prototype, what) in [
        (
            "P: .callprototype banana;",
            "k.ptx:13:23: unexpected `banana`",
        ),
        ("P: .callprototype;", "k.ptx:13:22: unexpected `;`"),
        (
            "P: .callprototype (.param .b32 _) (.param .b32 _);",
            "k.ptx:13:39: unexpected `(`",
        ),
        (
            "P: .callprototype (.param .b32 _) _ (.b32 _);",
            "unexpected `.b32`",
        ),
        (
            "P: .callprototype _ (.param .b32 _) banana;",
            "k.ptx:13:41: unexpected `banana`",
        ),
    ] {
        let output = run(prototype, CALL);
        assert_eq!(output.status.code(), Some(2), "{prototype}");
        let message = told(&output);
        for word in [
            what,
            "a prototype is `label: .callprototype (results) _ (parameters);`",
        ] {
            assert!(message.contains(word), "`{word}` is missing in {message}");
        }
    }
}

#[test]
fn a_prototype_with_a_result_returns() {
    let output = run(
        "P: .callprototype (.param .b32 _) _ (.param .b32 _) .noreturn;",
        CALL,
    );
    assert_eq!(output.status.code(), Some(2));
    let message = told(&output);
    for word in ["k.ptx:13:", "`.noreturn` of a function with a result"] {
        assert!(message.contains(word), "`{word}` is missing in {message}");
    }
}

#[test]
fn a_call_with_other_arguments_or_results_than_its_prototype_is_refused() {
    let one = "P: .callprototype (.param .b32 _) _ (.param .b32 _);";
    let two = "P: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);";
    let none = "P: .callprototype _ (.param .b32 _);";
    for (prototype, call, what) in [
        (two, CALL, "a call with 1 argument"),
        (one, "call (v), %d1, (a, a), P;", "a call with 2 arguments"),
        (none, CALL, "a call with 1 result"),
        (one, "call %d1, (a), P;", "a call with 0 results"),
        (one, "call (v), %d1, (wide), P;", "argument 1 has 8 bytes"),
        (one, "call (wide), %d1, (a), P;", "result 1 has 8 bytes"),
    ] {
        let output = run(prototype, call);
        assert_eq!(output.status.code(), Some(2), "{call}");
        let message = told(&output);
        for word in [what, "k.ptx:14:", "prototype"] {
            assert!(message.contains(word), "`{word}` is missing in {message}");
        }
    }
}

#[test]
fn two_prototypes_of_one_label_are_refused() {
    let prototype = "P: .callprototype (.param .b32 _) _ (.param .b32 _);";
    let other = "P: .callprototype _ (.param .b64 _);";
    let output = run(&format!("{prototype} {other}"), CALL);
    assert_eq!(output.status.code(), Some(2));
    let message = told(&output);
    assert!(
        message.contains("k.ptx:13:58: label `P` is defined twice"),
        "{message}"
    );
}

#[test]
fn a_function_of_a_list_that_does_not_suit_the_call_is_named() {
    let wider = ".func (.param .b64 r) wider(.param .b64 x) { ret; }\n.visible .entry";
    let folder = tempfile::tempdir().expect("a folder");
    let text = INDIRECT.replace(".visible .entry", wider);
    let text = text.replace("PROTOTYPE", "P: .calltargets twice, wider;");
    let place = folder.path().join("k.ptx");
    std::fs::write(place, text.replace("CALL", CALL)).expect("written");
    let launch = "kernel = \"k\"\ngrid = 1\nblock = 32\n[[arg]]\nbuffer = \"out\"\ntype = \"u32\"\nlength = 32\n";
    std::fs::write(folder.path().join("k.toml"), launch).expect("written");
    for scheme in ["baseline", "abi-spill"] {
        let args = ["run", "k.ptx", "--launch", "k.toml", "--scheme", scheme];
        let output = regshare_in(folder.path(), &args);
        assert_eq!(output.status.code(), Some(2), "{scheme}");
        let message = told(&output);
        for word in ["argument 1 has 4 bytes", "function `wider` has 8 there"] {
            assert!(message.contains(word), "`{word}` is missing in {message}");
        }
    }
}

/// Inlined such a call was refused; where calls are kept its result was cut.
#[test]
fn a_result_goes_into_a_variable_of_its_size_where_calls_are_kept_too() {
    let prototype = "P: .callprototype (.param .b32 _) _ (.param .b32 _);";
    let output = run(prototype, "call (wide), twice, (a);");
    assert_eq!(output.status.code(), Some(2));
    let message = told(&output);
    for word in [
        "k.ptx:14:11: 8 bytes for result `r`",
        "the function gives 4",
    ] {
        assert!(message.contains(word), "`{word}` is missing in {message}");
    }
}
