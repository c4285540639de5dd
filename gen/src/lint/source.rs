//! What rust-hdl's tree no longer shows, looked up in the Rust source of the unit.

use super::{Finding, Findings, Rule};

pub(super) const INCLUSIVE_RANGE: Rule = Rule {
    id: "inclusive-range",
    what: "`for i in a..=b` is unrolled as a..b in Verilog; the last iteration is lost",
    cure: "write a..(b + 1)",
};

/// Findings in the source text of a unit's `rtl.rs`; `file` is only used to name the place.
///
/// Looks at every `for` loop of the file outside comments and string literals: rust-hdl's tree keeps the two bounds
/// of a range but not which kind it was.
pub fn lint_source(file: &str, text: &str) -> Vec<Finding> {
    let mut findings = Findings::default();
    let code = without_comments_and_strings(text);
    for (at, _) in code.match_indices("for ") {
        if code[..at]
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphanumeric() || c == '_')
        {
            continue;
        }
        let head = code[at..].split('{').next().unwrap_or_default();
        if head.contains(" in ") && head.contains("..=") {
            let line = code[..at].matches('\n').count() + 1;
            findings.add(&INCLUSIVE_RANGE, &format!("{file}:{line}"), 0, head.trim());
        }
    }
    findings.found
}

/// The text with comments and string contents blanked out; line breaks stay.
fn without_comments_and_strings(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(symbol) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if symbol == '"' {
            string_length(rest)
        } else {
            out.push(symbol);
            rest = &rest[symbol.len_utf8()..];
            continue;
        };
        out.extend(
            rest[..skipped]
                .chars()
                .map(|c| if c == '\n' { '\n' } else { ' ' }),
        );
        rest = &rest[skipped..];
    }
    out
}

/// Length of the string literal at the start of `text`, quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, symbol) in text.char_indices().skip(1) {
        match symbol {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return at + 1,
            _ => escaped = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inclusive_loop_is_found_with_its_line() {
        let found = lint_source("rtl.rs", "fn update() {\n    for i in 0..=7 {\n    }\n}\n");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place, "rtl.rs:2");
    }

    #[test]
    fn exclusive_loops_comments_and_strings_are_left_alone() {
        let text =
            "// for i in 0..=7 {\nlet s = \"for i in 0..=7 {\"; for i in 0..8 { let r = 0..=3; }";
        assert_eq!(lint_source("rtl.rs", text), []);
    }
}
