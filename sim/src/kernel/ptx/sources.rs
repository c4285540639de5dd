//! The texts that are read together, and where in them a place lies.
//!
//! Places ([`Span`]) and lines ([`Line`]) count through all files, as if these stood one behind the other, each from a new line
//! on. What the user sees has its own file's name, line and column.

use std::sync::Arc;

use miette::NamedSource;

use super::ast::Span;
use crate::kernel::Line;

/// The files that a program was linked from, by the lines of its instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// Name and number of the first line of each; empty if there is but one.
    first_lines: Vec<(Arc<str>, u32)>,
}

impl Files {
    /// The file that a line is of, and its number there; `None` for line 0, and if there is but one file.
    pub fn place(&self, line: Line) -> Option<(&Arc<str>, Line)> {
        let before = self
            .first_lines
            .partition_point(|(_, first)| *first <= line.0);
        let (name, first) = &self.first_lines[before.checked_sub(1)?];
        Some((name, Line(line.0 - first + 1)))
    }
}

/// One file.
#[derive(Clone, Debug)]
struct Source {
    text: Arc<NamedSource<String>>,
    /// Where it begins, bytes through all files.
    start: usize,
    /// The number of its first line, through all files.
    first_line: u32,
}

/// The files, at least one.
#[derive(Clone, Debug)]
pub(super) struct Sources(Vec<Source>);

/// A place as the user knows it.
pub(super) struct Place<'a> {
    pub file: &'a Arc<NamedSource<String>>,
    /// In that file.
    pub span: Span,
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file.name(), self.line, self.column)
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Sources {
    /// From texts with their names.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let (mut start, mut first_line) = (0, 1_u32);
        let place = |(text, name): (&str, &str)| {
            let source = Source {
                text: Arc::new(NamedSource::new(name, text.to_owned())),
                start,
                first_line,
            };
            start += text.len() + 1;
            first_line = first_line.saturating_add(number(text.matches('\n').count() + 1));
            source
        };
        let mut sources: Vec<Source> = files.into_iter().map(place).collect();
        if sources.is_empty() {
            sources.push(Source {
                text: Arc::new(NamedSource::new("", String::new())),
                start: 0,
                first_line: 1,
            });
        }
        Sources(sources)
    }

    /// Each text, and where it begins.
    pub fn texts(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().map(|s| (s.text.inner().as_str(), s.start))
    }

    /// Whether there are several.
    pub fn are_linked(&self) -> bool {
        self.0.len() > 1
    }

    /// The table for who shows lines.
    pub fn files(&self) -> Files {
        let named = |s: &Source| (Arc::from(s.text.name()), s.first_line);
        Files {
            first_lines: match self.are_linked() {
                true => self.0.iter().map(named).collect(),
                false => Vec::new(),
            },
        }
    }

    /// All texts as one, in which lines have the numbers that instructions have.
    pub fn joined(&self) -> String {
        let texts: Vec<&str> = self.texts().map(|(text, _)| text).collect();
        texts.join("\n")
    }

    /// Where each line begins.
    pub fn line_starts(&self) -> Vec<usize> {
        let of_text = |(text, start): (&str, usize)| {
            let newlines = text.match_indices('\n').map(move |(at, _)| start + at + 1);
            std::iter::once(start)
                .chain(newlines)
                .collect::<Vec<usize>>()
        };
        self.texts().flat_map(of_text).collect()
    }

    /// Where the user finds a place.
    pub fn place(&self, span: Span) -> Place<'_> {
        let before = self.0.partition_point(|source| source.start <= span.start);
        let source = &self.0[before.saturating_sub(1)];
        let text = source.text.inner();
        let start = (span.start - source.start).min(text.len());
        let end = span
            .end
            .saturating_sub(source.start)
            .clamp(start, text.len());
        let before = text.get(..start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Place {
            file: &source.text,
            span: Span { start, end },
            line: number(before.matches('\n').count() + 1),
            column: number(before[line_start..].chars().count() + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_number_of_its_file() {
        let sources = Sources::new([("a\nb\n", "one"), ("c", "two"), ("d\n\nf", "three")]);
        let joined = sources.joined();
        let lines: Vec<&str> = joined.lines().collect();
        let files = sources.files();
        let of = |text: &str| {
            let at = lines.iter().position(|line| *line == text).expect("there");
            let (name, line) = files.place(Line(at as u32 + 1)).expect("of a file");
            (name.to_string(), line.0)
        };
        assert_eq!(of("b"), ("one".to_owned(), 2));
        assert_eq!(of("c"), ("two".to_owned(), 1));
        assert_eq!(of("f"), ("three".to_owned(), 3));
        assert_eq!(files.place(Line(0)), None);
        let starts = sources.line_starts();
        assert_eq!(starts.len(), lines.len());
        assert!(
            starts
                .iter()
                .zip(&lines)
                .all(|(at, line)| joined[*at..].starts_with(line))
        );
    }

    #[test]
    fn the_end_of_a_file_is_of_that_file() {
        let sources = Sources::new([("ab", "one"), ("cd", "two")]);
        let at = |start, end| sources.place(Span { start, end }).to_string();
        assert_eq!(at(2, 2), "one:1:3");
        assert_eq!(at(3, 4), "two:1:1");
        assert_eq!(at(4, 9), "two:1:2");
    }

    #[test]
    fn one_file_alone_is_not_named() {
        let files = Sources::new([("a\nb", "one")]).files();
        assert_eq!(files.place(Line(2)), None);
    }
}
