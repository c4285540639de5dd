//! Messages about a text that is no kernel.

use std::ops::Range;
use std::sync::Arc;

use super::cure::cure;
use miette::{Diagnostic, NamedSource, SourceSpan};
use thiserror::Error;

/// A text that cannot be read: where, what is there, what was expected, and what to do.
#[derive(Clone, Debug, Error, Diagnostic)]
#[error("{file}:{line}:{column}: expected {expected}, found {found}")]
#[diagnostic(code(regshare::kernel_text), help("{cure}"))]
pub struct TextError {
    /// Name of the file as the caller gave it.
    pub file: Box<str>,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What would have been right.
    pub expected: String,
    /// The offending text, shortened if it is long.
    pub found: Box<str>,
    /// What to do about it.
    pub cure: Box<str>,
    #[source_code]
    source_code: Arc<NamedSource<String>>,
    #[label("expected {expected}")]
    span: SourceSpan,
}

/// Longest offending text that a message repeats, characters.
const LONGEST_QUOTE: usize = 40;

impl TextError {
    /// With the cure for what was expected.
    pub(super) fn syntax(file: &str, text: &str, at: Range<usize>, expected: &str) -> Self {
        let cure = cure(expected, text[at.clone()].is_empty());
        TextError::new(file, text, at, expected, cure)
    }

    pub(super) fn new(
        file: &str,
        text: &str,
        at: Range<usize>,
        expected: &str,
        cure: String,
    ) -> Self {
        let before = &text[..at.start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let offending = &text[at.clone()];
        let found = if offending.is_empty() {
            "the end of the text".to_owned()
        } else if offending.chars().count() > LONGEST_QUOTE {
            let start: String = offending.chars().take(LONGEST_QUOTE).collect();
            format!("`{start}...`")
        } else {
            format!("`{offending}`")
        };
        TextError {
            file: file.into(),
            line: before.matches('\n').count() + 1,
            column: text[line_start..at.start].chars().count() + 1,
            expected: expected.to_owned(),
            found: found.into(),
            cure: cure.into(),
            source_code: Arc::new(NamedSource::new(file, text.to_owned())),
            span: (at.start..at.end).into(),
        }
    }
}
