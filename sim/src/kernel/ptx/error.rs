//! What the reader says about a file it cannot use: place, offending text, what was expected, what to do.

use std::fmt;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode, SourceSpan};
use thiserror::Error;

use super::ast::Span;

/// Most problems collected in one file or one kernel; the first ones are the useful ones.
pub(super) const MAX_PROBLEMS: usize = 20;

/// Longest offending text that is quoted, in characters.
const MAX_QUOTED_CHARS: usize = 60;

/// One thing wrong at one place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Problem {
    /// What is wrong, naming the construct.
    pub message: String,
    /// What was expected in its place, or what stands there.
    pub expected: String,
    /// What the user can do about it.
    pub help: Option<String>,
    /// Line, 1-based.
    pub line: u32,
    /// Column in characters, 1-based.
    pub column: u32,
    /// The offending text, shortened where it is long.
    pub text: String,
    span: Span,
}

impl Problem {
    pub(super) fn new(
        span: Span,
        message: impl Into<String>,
        expected: impl Into<String>,
    ) -> Box<Self> {
        Box::new(Problem {
            message: message.into(),
            expected: expected.into(),
            help: None,
            line: 0,
            column: 0,
            text: String::new(),
            span,
        })
    }

    pub(super) fn help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = Some(help.into());
        self
    }

    fn locate(&mut self, source: &str) {
        let start = self.span.start.min(source.len());
        let end = self.span.end.clamp(start, source.len());
        let before = source.get(..start).unwrap_or(source);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        self.line = u32::try_from(before.matches('\n').count() + 1).unwrap_or(u32::MAX);
        self.column = u32::try_from(before[line_start..].chars().count() + 1).unwrap_or(u32::MAX);
        let text = source.get(start..end).unwrap_or("");
        let mut quoted: String = text.chars().take(MAX_QUOTED_CHARS).collect();
        if quoted.len() < text.len() {
            quoted.push('…');
        }
        self.text = quoted;
    }
}

impl Diagnostic for Problem {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new("regshare::ptx"))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help
            .as_ref()
            .map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let length = self.span.end.saturating_sub(self.span.start);
        let label = (!self.expected.is_empty()).then(|| self.expected.clone());
        let span = SourceSpan::from((self.span.start, length));
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(
            label, span,
        ))))
    }
}

/// Why a file, or one kernel of it, cannot be used.
#[derive(Clone, Debug, Error)]
#[error("{file}:{line}:{column}: {problem}{more}", line = self.first().line, column = self.first().column,
        problem = self.first(), more = self.more())]
pub struct PtxError {
    /// Name of the file as given.
    pub file: String,
    problems: Vec<Problem>,
    text: Arc<NamedSource<String>>,
}

impl PartialEq for PtxError {
    fn eq(&self, other: &Self) -> bool {
        self.file == other.file && self.problems == other.problems
    }
}

impl Eq for PtxError {}

impl PtxError {
    pub(super) fn new(
        first: Problem,
        rest: impl IntoIterator<Item = Problem>,
        source: &Arc<NamedSource<String>>,
    ) -> Self {
        let mut problems: Vec<Problem> = std::iter::once(first)
            .chain(rest)
            .take(MAX_PROBLEMS)
            .collect();
        for problem in &mut problems {
            problem.locate(source.inner());
            problem.help.get_or_insert_with(|| {
                let cure = if problem.message.contains("not supported")
                    || problem.expected.contains("not supported")
                {
                    "use another kernel of this file, or rewrite the kernel without it"
                } else {
                    "correct this line as the PTX ISA manual describes it; if a compiler wrote it, compile the kernel again"
                };
                cure.to_owned()
            });
        }
        PtxError {
            file: source.name().to_owned(),
            problems,
            text: Arc::clone(source),
        }
    }

    /// The problems in the order of discovery; at least one, at most twenty.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The first problem.
    pub fn first(&self) -> &Problem {
        &self.problems[0]
    }

    fn more(&self) -> String {
        match self.problems.len() - 1 {
            0 => String::new(),
            1 => " (and one more problem)".to_owned(),
            n => format!(" (and {n} more problems)"),
        }
    }
}

impl Diagnostic for PtxError {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.first().code()
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Diagnostic::help(self.first())
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.first().labels()
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self.text.as_ref())
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        let rest = &self.problems[1..];
        (!rest.is_empty()).then(|| {
            Box::new(rest.iter().map(|p| p as &dyn Diagnostic)) as Box<dyn Iterator<Item = _>>
        })
    }
}

pub(super) type Res<T> = Result<T, Box<Problem>>;
