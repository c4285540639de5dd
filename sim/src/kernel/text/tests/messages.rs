use super::super::{MAX_TEXT_BYTES, is_kernel_text, parse};

const HEAD: &str = ".kernel k;\n.regs architected 8, 2;\nentry:\n";

/// The message about a kernel with this line.
fn message(line: &str) -> String {
    let text = format!("{HEAD}    {line}\n    exit;\n");
    parse(&text, "k.rsk").unwrap_err().to_string()
}

#[test]
fn a_message_has_file_line_column_the_text_and_what_was_expected() {
    assert_eq!(
        message("add.q32 r1, r2, r3;"),
        "k.rsk:4:5: expected a type in `add.q32`, found `add.q32`"
    );
    assert_eq!(
        message("add.u32 r1, r2 r3;"),
        "k.rsk:4:20: expected `,`, found `r3`"
    );
    assert_eq!(
        message("@q0 nop;"),
        "k.rsk:4:6: expected a predicate, found `q0`"
    );
    assert_eq!(
        message("mov.u64 r2:4, 1;"),
        "k.rsk:4:16: expected `3`, the second register of the pair, found `4`"
    );
    assert_eq!(
        message("bra nowhere;"),
        "k.rsk:4:9: expected the label of a block, found `nowhere`"
    );
}

#[test]
fn malformed_instructions_are_named_as_a_whole() {
    let text = message("add.u32 r1, r2;");
    assert!(
        text.starts_with("k.rsk:4:5: expected a well-formed kernel (source 1"),
        "{text}"
    );
    assert!(text.ends_with("found `add.u32 r1, r2;`"), "{text}");
    let text = message("mov.u32 r9, 1;");
    assert!(text.contains("register 9 is not below the 8"), "{text}");
    let text = message("mov.u64 r3:4, 1;");
    assert!(text.contains("even number"), "{text}");
}

#[test]
fn a_text_that_ends_too_early_is_refused() {
    let error = parse(".kernel k; .regs architected 8", "k").unwrap_err();
    assert_eq!(
        error.to_string(),
        "k:1:31: expected `,`, found the end of the text"
    );
    assert_eq!((error.line, error.column), (1, 31));
}

#[test]
fn a_text_over_the_limit_is_refused() {
    let text = " ".repeat(MAX_TEXT_BYTES + 1);
    let error = parse(&text, "k").unwrap_err();
    assert!(error.expected.contains("at most 16777216 bytes"), "{error}");
}

#[test]
fn kernel_texts_are_told_from_others() {
    assert!(is_kernel_text("// a comment\n\n  .kernel k;"));
    assert!(!is_kernel_text(".version 7.8\n.target sm_70"));
    assert!(!is_kernel_text(".kernels"));
}
