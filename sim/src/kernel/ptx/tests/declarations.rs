//! What one file says of a name twice must be the same.

use super::HEADER;
use crate::kernel::ptx::{Problem, link, read};

const DEFINITION: &str = ".func (.param .b32 r) f(.param .b32 a) { ret; }";

/// The only problem of a file with these lines behind the header.
fn refused(lines: &[&str]) -> Problem {
    let source = format!("{HEADER}{}\n.entry k() {{ ret; }}\n", lines.join("\n"));
    let error = read(&source, "one.ptx").expect_err("must be refused");
    assert_eq!(error.problems().len(), 1, "{:?}", error.problems());
    // It is the same with another file beside it.
    let other = format!("{HEADER}.entry other() {{ ret; }}\n");
    let files = [
        (source, "one.ptx".to_owned()),
        (other, "two.ptx".to_owned()),
    ];
    let linked = link(&files).expect_err("must be refused");
    assert_eq!(linked.to_string(), error.to_string());
    assert!(
        error.to_string().starts_with("one.ptx:"),
        "{error}: the file"
    );
    error.first().clone()
}

#[test]
fn a_declaration_that_differs_from_the_definition_is_refused_on_either_side_of_it() {
    let cases = [
        (
            ".func (.param .b32 r) f(.param .b64 a);",
            "argument 1 has 8 bytes here, there 4",
        ),
        (
            ".func (.param .b32 r) f(.param .b32 a, .param .b32 b);",
            "2 arguments here, there 1",
        ),
        (
            ".extern .func (.param .b64 r) f(.param .b32 a);",
            "result 1 has 8 bytes here, there 4",
        ),
        (".func f(.param .b32 a);", "0 results here, there 1"),
    ];
    for (declaration, difference) in cases {
        for declared_first in [true, false] {
            let (lines, line, defined) = match declared_first {
                true => ([declaration, DEFINITION], 4, 5),
                false => ([DEFINITION, declaration], 5, 4),
            };
            let problem = refused(&lines);
            let message = format!("`f` is not what one.ptx:{defined}:23 defines");
            assert_eq!(problem.message, message);
            assert_eq!(problem.expected, difference);
            assert_eq!((problem.line, problem.text.as_str()), (line, "f"));
            let help = problem.help.unwrap_or_default();
            assert!(help.contains("make both the same"), "{help}");
        }
    }
}

#[test]
fn a_function_and_a_variable_of_one_name_are_refused() {
    let problem = refused(&[".global .u32 f;", DEFINITION]);
    assert_eq!(problem.message, "`f` is not what one.ptx:4:14 defines");
    assert_eq!(problem.expected, "a function here, there a variable");
    assert_eq!((problem.line, problem.text.as_str()), (5, "f"));
    assert!(
        problem
            .help
            .is_some_and(|help| help.contains("another name"))
    );
    let problem = refused(&[DEFINITION, ".const .u32 f = 1;"]);
    assert_eq!(problem.expected, "a variable here, there a function");
    assert_eq!(problem.line, 5);
    // One of them is only declared, or both are.
    let problem = refused(&[".extern .func f;", ".global .u32 f;"]);
    assert_eq!(problem.message, "`f` is not what one.ptx:5:14 defines");
    assert_eq!(problem.line, 4);
    let problem = refused(&[".extern .func f;", ".extern .global .u32 f;"]);
    assert_eq!(problem.message, "`f` is not what one.ptx:4:15 declares");
    assert_eq!(problem.line, 5);
}

#[test]
fn declarations_that_say_the_same_in_other_words_are_read() {
    let same = [
        ".func (.param .b32 q) f(.param .f32 b);",
        ".extern .func (.reg .u32 q) f(.param .align 4 .b8 b[4]);",
    ];
    for declaration in same {
        let source =
            format!("{HEADER}{declaration}\n{DEFINITION}\n{declaration}\n.entry k() {{ ret; }}\n");
        assert!(read(&source, "one.ptx").is_ok(), "{declaration}");
    }
}
