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

/// What to do about a kernel with this line.
fn cure(line: &str) -> String {
    let text = format!("{HEAD}    {line}\n    exit;\n");
    let error = parse(&text, "k.rsk").unwrap_err();
    let help = miette::Diagnostic::help(&error).map(|help| help.to_string());
    help.unwrap_or_else(|| panic!("no cure: {error}"))
}

#[test]
fn every_message_says_what_to_do() {
    for (line, wanted) in [
        ("add.q32 r1, r2, r3;", "types are b8, b16"),
        ("ld.elsewhere.u32 r1, [r2];", "types are b8, b16"),
        ("cvta.elsewhere r2:3, r4:5;", "state spaces are generic"),
        ("addd.u32 r1, r2, r3;", "--emit kernel"),
        ("mul24.wide.u32 r1, r2, r3;", "write `lo` or `hi` here"),
        ("add.u32.x r1, r2, r3;", "take the modifiers off"),
        ("add.u32 r1, r2 r3;", "write `,` here"),
        ("add.u32 r1, r2, x3;", "`r4`, `p0`, `12`"),
        ("add.u32 x1, r2, r3;", "write `r4` or `p0`"),
        ("@q0 nop;", "write `p0`"),
        ("bra nowhere;", "write a line `LABEL:`"),
        (
            "ld.const.v4.u64 {r0, r1, r2, r3}, [r4];",
            "choose another type",
        ),
        ("add.u32 r1, r2;", "the operands of the PTX instruction"),
        ("mov.u32 r9, 1;", "declare at least 10 registers"),
        ("@p4 nop;", "declare at least 5 predicates"),
        ("mov.u64 r3:4, 1;", "r4:5"),
        ("bra entry; nop;", "write a label behind the branch"),
        ("push r4;", "move it behind the label of a function"),
        ("ret;", "end the kernel with `exit;`"),
    ] {
        let cure = cure(line);
        assert!(cure.contains(wanted), "{line}: {cure}");
    }
    let error = parse(
        ".kernel k; .regs virtual 1, 1; .local 524289; a: exit;",
        "k",
    )
    .unwrap_err();
    assert!(error.expected.contains("at most 524288"), "{error}");
    assert!(error.cure.contains("global memory"), "{}", error.cure);
    for text in [
        "",
        ".kernel k;",
        ".kernel k; .regs virtual 4, 1; a: add.u32 r1,",
    ] {
        let error = parse(text, "k.rsk").unwrap_err();
        assert!(error.cure.starts_with("the text is cut off"), "{error}");
    }
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
fn a_second_label_and_too_many_registers_are_shown_where_they_stand() {
    let of = |text: &str| parse(text, "k").unwrap_err().to_string();
    let twice = of(".kernel k;\n.regs virtual 1, 1;\na:\n    nop;\na:\n    exit;\n");
    assert!(
        twice.starts_with("k:5:1:") && twice.ends_with("found `a`"),
        "{twice}"
    );
    let many = of(".kernel k;\n.regs architected 300, 1;\na:\n    exit;\n");
    assert!(
        many.starts_with("k:2:19:") && many.ends_with("found `300`"),
        "{many}"
    );
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
