//! What launch files may and may not say.

use std::path::Path;

use miette::Diagnostic;

use super::*;

#[test]
fn good_file_gives_parameters_and_memory() {
    let launch = prepared(GOOD);
    assert_eq!((launch.grid, launch.block), ([2, 3, 1], [64, 1, 1]));
    assert_eq!(launch.params[0].bytes, [0xfe, 0xff]);
    assert_eq!(
        (launch.params[0].align, launch.params[0].type_name),
        (2, "s16")
    );
    let data = launch.buffer("data").unwrap();
    assert_eq!(launch.params[1].bytes, data.base.to_le_bytes());
    assert_eq!(floats(&launch, "data"), [1.5; 4]);
    let sums = floats(&launch, "sums");
    assert_eq!(sums[0], 0.0);
    assert!(
        sums.windows(2)
            .all(|pair| (1.0..=9.0).contains(&(pair[1] - pair[0])))
    );
}

#[test]
fn iota_counts_from_start_by_step() {
    assert_eq!(
        floats(&one_buffer("s8", 4, "'iota'"), "x"),
        [0.0, 1.0, 2.0, 3.0]
    );
    let launch = one_buffer("s8", 3, "{ iota = { start = 5, step = -5 } }");
    assert_eq!(floats(&launch, "x"), [5.0, 0.0, -5.0]);
}

#[test]
fn random_data_never_changes_between_versions() {
    let launch = one_buffer("u32", 4, "{ random = { seed = 1, min = 0, max = 999 } }");
    assert_eq!(floats(&launch, "x"), [381.0, 294.0, 798.0, 916.0]);
    let launch = one_buffer("f64", 4, "{ random = { seed = 1, min = 0, max = 1000 } }");
    let floors: Vec<f64> = floats(&launch, "x").into_iter().map(f64::floor).collect();
    assert_eq!(floors, [381.0, 294.0, 798.0, 916.0]);
}

#[test]
fn random_integers_reach_both_ends_and_spread_evenly() {
    let launch = one_buffer("s32", 6000, "{ random = { seed = 9, min = -1, max = 1 } }");
    let values = floats(&launch, "x");
    for wanted in [-1.0, 0.0, 1.0] {
        let count = values.iter().filter(|&&value| value == wanted).count();
        assert!((1800..2200).contains(&count), "{wanted} came {count} times");
    }
}

#[test]
fn random_u64_covers_the_whole_type() {
    let launch = one_buffer(
        "u64",
        64,
        "{ random = { seed = 9, min = 0, max = 18446744073709551615 } }",
    );
    let values = floats(&launch, "x");
    assert!(
        values.iter().any(|&value| value > 1.2e19) && values.iter().any(|&value| value < 6.0e18)
    );
}

#[test]
fn buffer_named_again_is_the_same_buffer() {
    let launch = prepared(&format!("{GOOD}\n[[arg]]\nbuffer = \"data\"\n"));
    assert_eq!(launch.params[3], launch.params[1]);
    assert_eq!(launch.buffers.len(), 2);
}

#[test]
fn error_names_file_line_column_text_expectation_and_cure() {
    let error = error_of(&with("block = 64", "block = [64, 0]"));
    assert_eq!(
        error.to_string(),
        "launch.toml:4:14: `block.y` must be a whole number from 1 to 1024, found `0`"
    );
    assert_eq!(error.line_column(), Some((4, 14)));
    assert_eq!(error.offending_text(), Some("0"));
    assert_eq!(
        error.help().unwrap().to_string(),
        "give `block.y` such a value"
    );
    let label = error.labels().unwrap().next().unwrap();
    let contents = error
        .source_code()
        .unwrap()
        .read_span(label.inner(), 0, 0)
        .unwrap();
    assert_eq!(
        (contents.name(), contents.data()),
        (Some("launch.toml"), b"0".as_slice())
    );
}

#[test]
fn misspelt_field_is_refused_with_the_nearest_name() {
    let error = error_of(&with("length = 4", "lenght = 4"));
    assert!(
        matches!(error.kind(), LaunchErrorKind::UnknownField { field, .. } if field == "lenght")
    );
    assert_eq!(error.line_column(), Some((13, 1)));
    assert_eq!(error.to_string().matches("lenght").count(), 1, "{error}");
    assert!(
        error
            .help()
            .unwrap()
            .to_string()
            .contains("did you mean `length`?")
    );
}

/// The message says what is expected, so that the cure need not.
#[test]
fn a_word_that_is_like_an_expected_one_is_answered_with_that() {
    let cases = [
        ("type = \"s16\"", "type = \"s65\"", "did you mean `s64`?"),
        (
            "type = \"s16\"",
            "type = \"quad\"",
            "give `type` such a value",
        ),
        (
            "type = \"s16\"",
            "type = \"s23\"",
            "give `type` such a value",
        ),
        ("length = 4", "length = \"4\"", "give `length` such a value"),
        (
            "contents = { constant = 1.5 }",
            "contents = \"zeroes\"",
            "did you mean `zeros`?",
        ),
    ];
    for (line, other, cure) in cases {
        let error = error_of(&with(line, other));
        assert_eq!(error.help().expect("a cure").to_string(), cure, "{error}");
    }
}

#[test]
fn every_bad_value_is_refused_at_its_place() {
    let cases = [
        ("kernel = \"k\"", "kernel = 7", "7"),
        ("kernel = \"k\"", "kernel = \"\"", "\"\""),
        ("grid = [2, 3]", "grid = []", "[]"),
        ("grid = [2, 3]", "grid = [1, 70000]", "70000"),
        ("grid = [2, 3]", "grid = [1, 1, 1, 1]", "[1, 1, 1, 1]"),
        ("block = 64", "block = 1025", "1025"),
        ("block = 64", "block = [64, 17]", "[64, 17]"),
        ("block = 64", "block = 1.5", "1.5"),
        ("value = -2", "value = 40000", "40000"),
        ("value = -2", "value = 0.5", "0.5"),
        ("value = -2", "value = \"2\"", "\"2\""),
        ("type = \"s16\"", "type = \"i16\"", "\"i16\""),
        ("length = 4", "length = 0", "0"),
        ("length = 4", "length = 268435457", "268435457"),
        (
            "contents = { constant = 1.5 }",
            "contents = \"ones\"",
            "\"ones\"",
        ),
        (
            "contents = { constant = 1.5 }",
            "contents = { constant = 1e39 }",
            "1e39",
        ),
        ("contents = { constant = 1.5 }", "contents = {}", "{}"),
        ("max = 9", "max = 0", "0"),
        ("max = 9", "max = -1", "-1"),
        ("seed = 3", "seed = -3", "-3"),
    ];
    for (line, other, offending) in cases {
        let error = error_of(&with(line, other));
        assert!(
            matches!(error.kind(), LaunchErrorKind::BadValue { .. }),
            "{other}: {error}"
        );
        assert_eq!(error.offending_text(), Some(offending), "{other}: {error}");
    }
}

#[test]
fn contents_that_overflow_the_type_are_refused() {
    for contents in ["'iota'", "{ running_sum = { seed = 0, min = 0, max = 1 } }"] {
        let text = format!(
            "kernel='k'\ngrid=1\nblock=1\n[[arg]]\nbuffer='x'\ntype='u8'\nlength=257\ncontents={contents}"
        );
        assert!(matches!(
            error_of(&text).kind(),
            LaunchErrorKind::BadValue { .. }
        ));
        LaunchSpec::parse(&text.replace("257", "256"), "").unwrap();
    }
}

#[test]
fn missing_fields_are_named() {
    for (line, field) in [
        ("kernel = \"k\"", "kernel"),
        ("block = 64", "block"),
        ("value = -2", "value"),
        ("length = 4", "length"),
        ("type = \"f32\"", "type"),
    ] {
        match error_of(&with(line, "")).kind() {
            LaunchErrorKind::MissingField { field: missing, .. } => assert_eq!(*missing, field),
            other => panic!("{line}: {other}"),
        }
    }
}

#[test]
fn contradictions_are_refused() {
    for tail in [
        "[[arg]]\nbuffer = \"data\"\ntype = \"f32\"",
        "[[arg]]\nbuffer = \"z\"\nvalue = 1",
        "[[arg]]\ntype = \"f32\"\nlength = 1",
        "[[check]]\nbuffer = \"data\"",
        "[[check]]\nbuffer = \"data\"\nequals_buffer = \"sums\"",
        "[[check]]\nbuffer = \"sums\"\nnpy = \"x.npy\"\nabs = 1",
    ] {
        let error = error_of(&format!("{GOOD}{tail}"));
        assert!(
            matches!(error.kind(), LaunchErrorKind::Conflict { .. }),
            "{tail}: {error}"
        );
    }
}

#[test]
fn check_of_an_undeclared_buffer_lists_the_declared_ones() {
    let error = error_of(&format!(
        "{GOOD}[[save]]\nbuffer = \"dato\"\nnpy = \"x.npy\""
    ));
    assert!(
        error
            .to_string()
            .contains("the arguments declare data, sums"),
        "{error}"
    );
    assert!(error.help().unwrap().to_string().contains("`data`"));
}

#[test]
fn syntax_error_has_its_place() {
    let error = error_of("kernel = \"k\"\ngrid = [1,\nblock = 3\n");
    assert!(matches!(error.kind(), LaunchErrorKind::Syntax { .. }));
    assert!(
        error
            .line_column()
            .is_some_and(|(line, _)| (2..=3).contains(&line)),
        "{error}"
    );
}

#[test]
fn buffers_too_large_together_are_refused_at_the_one_that_does_not_fit() {
    let arg = |name| format!("[[arg]]\nbuffer='{name}'\ntype='u8'\nlength=1073741824\n");
    let text = format!("kernel='k'\ngrid=1\nblock=1\n{}{}", arg("a"), arg("b"));
    let error = LaunchSpec::parse(&text, "f")
        .unwrap()
        .prepare(Path::new("."))
        .unwrap_err();
    assert!(matches!(error.kind(), LaunchErrorKind::Allocation(_)));
    assert_eq!(error.offending_text(), Some("'b'"));
}
