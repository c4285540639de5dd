//! The text of a launch file, and reading its tables with an eye on places.

use std::ops::Range;
use std::sync::Arc;

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::element::Number;
use super::error::{LaunchError, LaunchErrorKind};

/// A launch file; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Source {
    path: Arc<str>,
    text: Arc<str>,
}

type Value<'t> = Spanned<DeValue<'t>>;

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
        }
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The span cut to the text and to whole characters.
    pub(super) fn clip(&self, span: Range<usize>) -> Range<usize> {
        let floor = |mut at: usize| {
            at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = floor(span.start);
        start..floor(span.end).max(start)
    }

    /// Line and column from 1, the column in characters.
    pub(super) fn line_column(&self, offset: usize) -> (usize, usize) {
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        )
    }

    fn bad(&self, field: &str, value: &Value<'_>, expected: impl Into<String>) -> LaunchError {
        let kind = LaunchErrorKind::BadValue {
            field: field.to_owned(),
            expected: expected.into(),
        };
        LaunchError::at(kind, self, value.span())
    }

    pub(super) fn string(&self, field: &str, value: &Value<'_>) -> Result<String, LaunchError> {
        match value.get_ref() {
            DeValue::String(text) if !text.is_empty() => Ok(text.clone().into_owned()),
            _ => Err(self.bad(field, value, "a string that is not empty")),
        }
    }

    pub(super) fn number(
        &self,
        field: &str,
        value: &Value<'_>,
        expected: &str,
    ) -> Result<Number, LaunchError> {
        let number = match value.get_ref() {
            DeValue::Integer(integer) => i128::from_str_radix(integer.as_str(), integer.radix())
                .ok()
                .map(Number::Int),
            DeValue::Float(float) => float.as_str().parse().ok().map(Number::Float),
            _ => None,
        };
        number.ok_or_else(|| self.bad(field, value, expected))
    }

    pub(super) fn integer(
        &self,
        field: &str,
        value: &Value<'_>,
        range: std::ops::RangeInclusive<u64>,
    ) -> Result<u64, LaunchError> {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        match self.number(field, value, &expected)? {
            Number::Int(number) => u64::try_from(number)
                .ok()
                .filter(|number| range.contains(number)),
            Number::Float(_) => None,
        }
        .ok_or_else(|| self.bad(field, value, expected))
    }

    /// A table with no fields but `known`.
    pub(super) fn fields<'s, 't>(
        &'s self,
        name: &'static str,
        span: Range<usize>,
        table: &'s DeTable<'t>,
        known: &'static [&'static str],
    ) -> Result<Fields<'s, 't>, LaunchError> {
        for key in table.keys() {
            if !known.contains(&key.get_ref().as_ref()) {
                let field = key.get_ref().clone().into_owned();
                let kind = LaunchErrorKind::UnknownField {
                    field,
                    table: name,
                    known,
                };
                return Err(LaunchError::at(kind, self, key.span()));
            }
        }
        Ok(Fields {
            source: self,
            name,
            span,
            table,
        })
    }
}

/// One table of a launch file whose field names have been checked.
pub(super) struct Fields<'s, 't> {
    pub(super) source: &'s Source,
    name: &'static str,
    pub(super) span: Range<usize>,
    table: &'s DeTable<'t>,
}

impl<'s, 't> Fields<'s, 't> {
    pub(super) fn optional(&self, field: &str) -> Option<&'s Value<'t>> {
        self.table.get(field)
    }

    pub(super) fn required(&self, field: &'static str) -> Result<&'s Value<'t>, LaunchError> {
        self.optional(field).ok_or_else(|| {
            let kind = LaunchErrorKind::MissingField {
                field,
                table: self.name,
            };
            LaunchError::at(kind, self.source, self.span.clone())
        })
    }

    /// The tables of `[[field]]`, none where it is absent.
    pub(super) fn tables(
        &self,
        field: &'static str,
        name: &'static str,
        known: &'static [&'static str],
    ) -> Result<Vec<Fields<'s, 't>>, LaunchError> {
        let Some(value) = self.optional(field) else {
            return Ok(Vec::new());
        };
        let expected = format!("a list of tables, each under [[{field}]]");
        let DeValue::Array(items) = value.get_ref() else {
            return Err(self.bad(field, value, expected));
        };
        items
            .iter()
            .map(|item| match item.get_ref() {
                DeValue::Table(table) => self.source.fields(name, item.span(), table, known),
                _ => Err(self.bad(field, item, expected.clone())),
            })
            .collect()
    }

    pub(super) fn bad(
        &self,
        field: &str,
        value: &Value<'_>,
        expected: impl Into<String>,
    ) -> LaunchError {
        self.source.bad(field, value, expected)
    }

    pub(super) fn conflict(&self, problem: impl Into<String>, cure: &str) -> LaunchError {
        let kind = LaunchErrorKind::Conflict {
            problem: problem.into(),
            cure: cure.to_owned(),
        };
        LaunchError::at(kind, self.source, self.span.clone())
    }
}

impl SourceCode for Source {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let contents = self
            .text
            .as_ref()
            .read_span(span, lines_before, lines_after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.path.to_string(),
            contents.data(),
            *contents.span(),
            contents.line(),
            contents.column(),
            contents.line_count(),
        )))
    }
}
