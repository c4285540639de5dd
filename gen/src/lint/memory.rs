//! Memories in hand-written Verilog, rust-hdl's own RAM among them.

use super::design::Module;
use super::{Findings, Rule};

pub(super) const UNINITIALISED: Rule = Rule {
    id: "uninitialised-memory",
    what: "the memory's entries begin as X in Verilog and as 0 in Rust",
    cure: "fill every entry in an `initial` loop",
};

/// A `reg [..] name [first:last]` in the text, with its number of entries.
fn memories(text: &str) -> Vec<(String, Option<u64>)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("reg") {
        let word_before = text[..at]
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphanumeric() || c == '_');
        let Some(declaration) = text[at + 3..].split(';').next() else {
            continue;
        };
        let declaration = declaration.trim_start();
        if word_before
            || !(declaration.starts_with('[') || text[at + 3..].starts_with(char::is_whitespace))
        {
            continue;
        }
        let rest = match declaration
            .strip_prefix('[')
            .and_then(|rest| rest.split_once(']'))
        {
            Some((_, rest)) => rest.trim_start(),
            None => declaration,
        };
        let Some((name, range)) = rest.split_once('[') else {
            continue;
        };
        let name = name.trim();
        if name.is_empty()
            || !name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
        {
            continue;
        }
        let bounds = range.trim_end().trim_end_matches(']').split_once(':');
        let entries = bounds.and_then(|(first, last)| {
            let (first, last): (u64, u64) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            Some(first.abs_diff(last) + 1)
        });
        found.push((name.to_owned(), entries));
    }
    found
}

/// Whether an `initial` block fills the memory: in a loop, or entry by entry.
fn is_filled(text: &str, name: &str, entries: Option<u64>) -> bool {
    let blocks = text
        .split("initial")
        .skip(1)
        .map(|rest| rest.split("always").next().unwrap_or(rest));
    let assignment = format!("{name}[");
    let mut single = 0;
    for block in blocks {
        let assigned = block.matches(&assignment).count() as u64;
        if assigned > 0 && block.contains("for") {
            return true;
        }
        single += assigned;
    }
    entries.is_some_and(|entries| single >= entries)
}

pub(super) fn check(module: &Module, text: &str, findings: &mut Findings) {
    for (name, entries) in memories(text) {
        if !is_filled(text, &name, entries) {
            findings.add(&UNINITIALISED, &module.path, 0, name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a memory of three words counts as filled when `filled` entries are assigned one by one.
    fn three_words_are_filled_by(filled: usize) -> bool {
        let entries: String = (0..filled).map(|i| format!("words[{i}] = 0; ")).collect();
        let text = format!("reg [7:0] words [0:2];\ninitial begin {entries}end\n");
        let memories = memories(&text);
        assert_eq!(memories, [("words".to_owned(), Some(3))]);
        is_filled(&text, "words", memories[0].1)
    }

    #[test]
    fn memory_filled_entry_by_entry_needs_every_entry() {
        assert!(three_words_are_filled_by(3));
        assert!(!three_words_are_filled_by(2));
    }
}
