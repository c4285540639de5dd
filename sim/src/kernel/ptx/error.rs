//! What the reader says about a file it cannot use: place, offending text, what was expected, what to do.

use std::fmt;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode, SourceSpan};
use thiserror::Error;

use super::ast::Span;
use super::link::as_written;
use super::sources::Sources;

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
    /// Further lines of the file with the same problem.
    pub also: Vec<u32>,
    span: Span,
    file: Option<Quoted>,
}

/// The file that a problem is in.
#[derive(Clone, Debug)]
struct Quoted(Arc<NamedSource<String>>);

impl PartialEq for Quoted {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for Quoted {}

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
            also: Vec::new(),
            span,
            file: None,
        })
    }

    pub(super) fn help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = Some(help.into());
        self
    }

    /// From a place that counts through all files to one in its file, names as they are there.
    fn locate(&mut self, sources: &Sources) {
        let place = sources.place(self.span);
        (self.line, self.column, self.span) = (place.line, place.column, place.span);
        self.file = Some(Quoted(Arc::clone(place.file)));
        if sources.are_linked() {
            for text in [&mut self.message, &mut self.expected] {
                *text = as_written(text);
            }
            self.help = self.help.as_deref().map(as_written);
        }
        let text = (place.file.inner())
            .get(self.span.start..self.span.end)
            .unwrap_or("");
        let mut quoted: String = text.chars().take(MAX_QUOTED_CHARS).collect();
        if quoted.len() < text.len() {
            quoted.push('…');
        }
        self.text = quoted;
    }
}

impl Diagnostic for Problem {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.file.as_ref().map(|file| &*file.0 as &dyn SourceCode)
    }

    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new("regshare::ptx"))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = self.help.as_ref()?;
        let lines: Vec<_> = self.also.iter().map(u32::to_string).collect();
        let also = match &lines[..] {
            [] => String::new(),
            [line] => format!("; the same in line {line}"),
            [lines @ .., last] => format!("; the same in lines {} and {last}", lines.join(", ")),
        };
        Some(Box::new(format!("{help}{also}")))
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
    /// Name of the first problem's file, as given.
    pub file: String,
    problems: Vec<Problem>,
    /// How many there were before those that are alike were put together.
    found: usize,
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
        sources: &Sources,
    ) -> Self {
        let mut problems: Vec<Problem> = std::iter::once(first)
            .chain(rest)
            .take(MAX_PROBLEMS)
            .collect();
        for problem in &mut problems {
            problem.locate(sources);
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
        let found = problems.len();
        let problems = put_together(problems);
        PtxError {
            found,
            file: (problems.first())
                .and_then(|first| first.file.as_ref())
                .map_or_else(String::new, |file| file.0.name().to_owned()),
            problems,
        }
    }

    /// The problems in the order of discovery, each once; at least one, at most twenty.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The first problem.
    pub fn first(&self) -> &Problem {
        &self.problems[0]
    }

    fn more(&self) -> String {
        match self.found - 1 {
            0 => String::new(),
            1 => " (and one more problem)".to_owned(),
            n if self.found < MAX_PROBLEMS => format!(" (and {n} more problems)"),
            // No more were looked for.
            n => format!(" (and at least {n} more problems)"),
        }
    }
}

/// Each problem once, with the other lines where it is the same.
fn put_together(problems: Vec<Problem>) -> Vec<Problem> {
    let mut kept: Vec<Problem> = Vec::new();
    for problem in problems {
        let alike = |other: &&mut Problem| {
            (&other.message, &other.expected, &other.help, &other.file)
                == (
                    &problem.message,
                    &problem.expected,
                    &problem.help,
                    &problem.file,
                )
        };
        match kept.iter_mut().find(alike) {
            Some(first) if first.line == problem.line || first.also.contains(&problem.line) => {}
            Some(first) => first.also.push(problem.line),
            None => kept.push(problem),
        }
    }
    kept
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
        self.first().source_code()
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        let rest = &self.problems[1..];
        (!rest.is_empty()).then(|| {
            Box::new(rest.iter().map(|p| p as &dyn Diagnostic)) as Box<dyn Iterator<Item = _>>
        })
    }
}

pub(super) type Res<T> = Result<T, Box<Problem>>;
