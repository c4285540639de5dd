//! What can be wrong with a machine file, and where.

use miette::{Diagnostic, NamedSource, SourceSpan};
use std::sync::Arc;
use thiserror::Error;

/// A machine that cannot be used.
#[derive(Debug, Error, Diagnostic)]
pub enum MachineError {
    /// No bundled machine has this name.
    #[error("there is no machine named `{name}`")]
    #[diagnostic(help("bundled machines: {known}; or give the path of a machine file"))]
    UnknownPreset {
        /// What was asked for.
        name: String,
        /// What exists.
        known: String,
    },
    /// Not TOML, a missing or unknown field, or a value of the wrong type.
    #[error("{path}: {problem}")]
    #[diagnostic(help("copy a bundled machine file and change it: it has every field"))]
    Syntax {
        /// File.
        path: String,
        /// What the reader did not understand.
        problem: String,
        /// The whole text.
        #[source_code]
        text: Arc<NamedSource<String>>,
        /// The offending text.
        #[label("here")]
        at: SourceSpan,
    },
    /// A value that makes no sense.
    #[error("{path}: {key}: {problem}")]
    #[diagnostic(help("change this value to one in the range"))]
    Range {
        /// File.
        path: String,
        /// Section and field.
        key: String,
        /// Value found and range expected.
        problem: String,
        /// The whole text.
        #[source_code]
        text: Arc<NamedSource<String>>,
        /// The offending line.
        #[label("this value")]
        at: SourceSpan,
    },
}

impl MachineError {
    pub(crate) fn syntax(text: &str, path: &str, cause: &toml::de::Error) -> Self {
        let span = cause.span().unwrap_or(0..0);
        MachineError::Syntax {
            path: path.to_owned(),
            problem: without_rust_types(cause.message()),
            text: Arc::new(NamedSource::new(path, text.to_owned())),
            at: span.into(),
        }
    }

    /// `section` is empty for a field above the first `[section]`.
    pub(crate) fn range(text: &str, path: &str, section: &str, key: &str, problem: String) -> Self {
        MachineError::Range {
            path: path.to_owned(),
            key: [section, key].join(".").trim_start_matches('.').to_owned(),
            problem,
            text: Arc::new(NamedSource::new(path, text.to_owned())),
            at: line_of(text, section, key).into(),
        }
    }
}

/// Says which numbers are expected where the reader names a Rust type.
fn without_rust_types(message: &str) -> String {
    [
        (
            "expected u8",
            format!("expected a whole number from 0 to {}", u8::MAX),
        ),
        (
            "expected u16",
            format!("expected a whole number from 0 to {}", u16::MAX),
        ),
        (
            "expected u32",
            format!("expected a whole number from 0 to {}", u32::MAX),
        ),
        ("expected u64", "expected a whole number".to_owned()),
    ]
    .iter()
    .fold(message.to_owned(), |message, (rust, words)| {
        message.replace(rust, words)
    })
}

/// Bytes of the line that sets `key` in `[section]`; the start of the file when there is none.
fn line_of(text: &str, section: &str, key: &str) -> std::ops::Range<usize> {
    let mut current = String::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if let Some(name) = trimmed.strip_prefix('[') {
            current = name.split(']').next().unwrap_or_default().trim().to_owned();
        } else if current == section
            && let Some((name, _)) = trimmed.split_once('=')
            && name.trim() == key
        {
            return start..start + line.trim_end().len();
        }
        start += line.len();
    }
    0..0
}
