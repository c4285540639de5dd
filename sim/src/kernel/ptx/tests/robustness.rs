//! No text makes the reader panic, overflow its stack or fill memory; what it accepts is well formed.

use std::fmt::Write;

use proptest::prelude::*;

use super::{HEADER, file};
use crate::bundled;
use crate::kernel::ptx::read;
use crate::kernel::verify::verify;

/// Reads a text; what is accepted must be well formed.
fn survives(source: &str) {
    let Ok(module) = read(source, "any") else {
        return;
    };
    for entry in &module.entries {
        if let Ok(kernel) = &entry.kernel {
            verify(kernel).unwrap_or_else(|error| panic!("{error}\n{source}"));
        }
    }
}

#[test]
fn deep_nesting_is_refused_not_followed() {
    let deep = 20_000;
    for body in [
        "{".repeat(deep),
        format!("mov.u32 %r, {}1;", "(".repeat(deep)),
        format!("mov.u32 %r, {}1;", "-".repeat(deep)),
        format!("mov.u32 %r, 1{};", "+1".repeat(deep)),
        format!("mov.u32 %r, 1{};", "?1:1".repeat(deep)),
        format!("mov.b64 {}", "{".repeat(deep)),
        format!("ld.u32 %r, [a, {}", "[b, ".repeat(deep)),
    ] {
        assert!(read(&file("", &body), "deep").is_err());
    }
    assert!(
        read(
            &file(&format!(".global .u32 a = {}", "{".repeat(deep)), ""),
            "deep"
        )
        .is_err()
    );
}

#[test]
fn calls_that_multiply_are_refused() {
    let mut functions = String::from(".func f0() { membar.cta; ret; }\n");
    for level in 1..40 {
        let below = level - 1;
        let _ = writeln!(
            functions,
            ".func f{level}() {{ call f{below}; call f{below}; ret; }}"
        );
    }
    let source = format!("{HEADER}{functions}.entry k() {{ call f39; ret; }}");
    let module = read(&source, "bomb").expect("the syntax is right");
    assert!(module.kernel("k").is_err());
}

#[test]
fn more_registers_than_there_are_numbers_for_are_refused() {
    let mut body = String::from(".reg .b32 %r<70000>;");
    for register in 0..70_000 {
        let _ = writeln!(body, "mov.u32 %r{register}, 0;");
    }
    let module = read(&file("", &body), "large").expect("the syntax is right");
    let error = module.kernel("k").expect_err("too large");
    assert!(error.first().message.contains("too large"), "{error}");
}

/// Words as the mutations see them: runs of name characters, and single others.
fn words(source: &str) -> Vec<&str> {
    let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.');
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let end = if name(first) {
            rest.find(|c| !name(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        found.push(&rest[..end]);
        rest = &rest[end..];
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_survived(text in any::<String>()) {
        survives(&text);
        survives(&file(&text, ""));
        survives(&file("", &text));
    }

    #[test]
    fn mutated_kernels_are_survived(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3_u8), 1..6),
    ) {
        let kernels = bundled::all();
        let source = kernels[which.index(kernels.len())].ptx;
        let mut words = words(source);
        for (to, from, how) in edits {
            let (to, word) = (to.index(words.len()), words[from.index(words.len())]);
            match how {
                0 => words[to] = word,
                1 => words.insert(to, word),
                _ => drop(words.remove(to)),
            }
        }
        survives(&words.concat());
    }
}
