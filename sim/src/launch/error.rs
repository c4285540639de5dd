//! What can be wrong with a launch, told with its place and its cure.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use miette::{Diagnostic, LabeledSpan, SourceCode};
use thiserror::Error;

use super::source::Source;
use crate::memory::image::{AllocationError, MemoryFault};

/// Why a launch was refused or could not be checked or saved.
///
/// Where the launch file itself is to blame, the error knows the place: as text in [`fmt::Display`], as a labelled
/// span in [`Diagnostic`].
pub struct LaunchError(Box<Inner>);

struct Inner {
    kind: LaunchErrorKind,
    place: Option<(Source, Range<usize>)>,
}

/// What is wrong; [`LaunchErrorKind::cure`] says what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LaunchErrorKind {
    /// The text is not TOML.
    #[error("not valid TOML: {message}")]
    Syntax {
        /// What the TOML reader says.
        message: String,
    },
    /// A field that no version of the format knows, most often a misspelling.
    #[error("unknown field `{field}` in {table}; expected one of {}", known.join(", "))]
    UnknownField {
        /// The field as written.
        field: String,
        /// The table it stands in.
        table: &'static str,
        /// The fields that the table may have.
        known: &'static [&'static str],
    },
    /// A field that must be there is not.
    #[error("{table} lacks the field `{field}`")]
    MissingField {
        /// The missing field.
        field: &'static str,
        /// The table that lacks it.
        table: &'static str,
    },
    /// A value of the wrong kind or out of range.
    #[error("`{field}` must be {expected}")]
    BadValue {
        /// The field.
        field: String,
        /// What was expected.
        expected: String,
    },
    /// Two fields that exclude each other, or a field without the one it needs.
    #[error("{problem}")]
    Conflict {
        /// The fields, and what is wrong with their meeting.
        problem: String,
        /// What to do.
        cure: String,
    },
    /// A buffer was named that no argument declares.
    #[error(
        "there is no buffer `{name}`; the arguments declare {}",
        list(declared)
    )]
    UnknownBuffer {
        /// The name as written.
        name: String,
        /// The buffers that exist.
        declared: Vec<String>,
    },
    /// The kernel file has no such kernel.
    #[error("there is no kernel `{name}`; the file has {}", list(entries))]
    UnknownKernel {
        /// The name as written.
        name: String,
        /// The kernels that exist.
        entries: Vec<String>,
    },
    /// A buffer has no room.
    #[error(transparent)]
    Allocation(#[from] AllocationError),
    /// A data file cannot be read, does not fit, or cannot be written.
    #[error("{}: {problem}", path.display())]
    File {
        /// The data file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
        /// What to do.
        cure: String,
    },
    /// The memory image given to a check or save is not one of this launch.
    #[error("the memory image lacks the buffer `{name}`: {fault}")]
    Image {
        /// The buffer.
        name: String,
        /// The access that failed.
        fault: MemoryFault,
    },
}

impl LaunchErrorKind {
    /// What the user can do about it.
    pub fn cure(&self) -> String {
        match self {
            Self::Syntax { .. } => "correct the TOML at the marked place".to_owned(),
            Self::UnknownField { field, known, .. } => match nearest(field, known) {
                Some(name) => format!("did you mean `{name}`? Otherwise remove the field"),
                None => "remove the field, or move it to the table it belongs to".to_owned(),
            },
            Self::MissingField { field, .. } => format!("add `{field} = ...`"),
            Self::BadValue { field, .. } => format!("give `{field}` such a value"),
            Self::Conflict { cure, .. } | Self::File { cure, .. } => cure.clone(),
            Self::UnknownBuffer { name, declared } => suggest(name, declared)
                .unwrap_or("declare it in an [[arg]] with type, length and contents".to_owned()),
            Self::UnknownKernel { entries, .. } if entries.is_empty() => {
                "mark the function as a kernel: `.entry` in PTX, `__global__` in CUDA".to_owned()
            }
            Self::UnknownKernel { name, entries } => suggest(name, entries)
                .unwrap_or("set `kernel` to one of them, or give another kernel file".to_owned()),
            Self::Allocation(AllocationError::TooLarge { .. }) => "use shorter buffers".to_owned(),
            Self::Allocation(_) => {
                "give every buffer its own name and at least one element".to_owned()
            }
            Self::Image { .. } => {
                "use the image that `prepare` made, as the run left it".to_owned()
            }
        }
    }

    fn code(&self) -> &'static str {
        match self {
            Self::Syntax { .. } => "launch::syntax",
            Self::UnknownField { .. } => "launch::unknown_field",
            Self::MissingField { .. } => "launch::missing_field",
            Self::BadValue { .. } => "launch::bad_value",
            Self::Conflict { .. } => "launch::conflict",
            Self::UnknownBuffer { .. } => "launch::unknown_buffer",
            Self::UnknownKernel { .. } => "launch::unknown_kernel",
            Self::Allocation(_) => "launch::allocation",
            Self::File { .. } => "launch::file",
            Self::Image { .. } => "launch::image",
        }
    }
}

impl LaunchError {
    pub(super) fn new(kind: LaunchErrorKind) -> Self {
        Self(Box::new(Inner { kind, place: None }))
    }

    pub(super) fn at(kind: LaunchErrorKind, source: &Source, span: Range<usize>) -> Self {
        let place = Some((source.clone(), source.clip(span)));
        Self(Box::new(Inner { kind, place }))
    }

    /// Adds the place in the launch file that led here, unless the error has one.
    pub(super) fn or_at(mut self, source: &Source, span: Range<usize>) -> Self {
        let place = || (source.clone(), source.clip(span));
        self.0.place.get_or_insert_with(place);
        self
    }

    /// What is wrong.
    pub fn kind(&self) -> &LaunchErrorKind {
        &self.0.kind
    }

    /// Line and column in the launch file, counted from 1 (columns in characters), where it is to blame.
    pub fn line_column(&self) -> Option<(usize, usize)> {
        let (source, span) = self.0.place.as_ref()?;
        Some(source.line_column(span.start))
    }

    /// The text in the launch file that is to blame, cut to its first line.
    pub fn offending_text(&self) -> Option<&str> {
        let (source, span) = self.0.place.as_ref()?;
        source.text()[span.clone()].lines().next()
    }
}

impl LaunchError {
    /// The word among those that were expected that the one in the file is like.
    fn meant(&self) -> Option<&str> {
        let LaunchErrorKind::BadValue { expected, .. } = &self.0.kind else {
            return None;
        };
        let word = self
            .offending_text()?
            .strip_prefix('"')?
            .strip_suffix('"')?;
        let words: Vec<&str> = match expected.strip_prefix("one of ") {
            Some(list) => list.split(", ").collect(),
            None => expected.split('"').skip(1).step_by(2).collect(),
        };
        nearest(word, &words)
    }
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((source, span)) = &self.0.place {
            let (line, column) = source.line_column(span.start);
            write!(f, "{}:{line}:{column}: ", source.path())?;
        }
        let message = self.0.kind.to_string();
        f.write_str(&message)?;
        match self.offending_text() {
            Some(text) if !text.is_empty() && !message.contains(&format!("`{text}`")) => {
                write!(f, ", found `{text}`")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Debug for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({})", self.0.kind.cure())
    }
}

impl std::error::Error for LaunchError {}

impl Diagnostic for LaunchError {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.0.kind.code()))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let meant = self.meant().map(|name| format!("did you mean `{name}`?"));
        Some(Box::new(meant.unwrap_or_else(|| self.0.kind.cure())))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        let (source, _) = self.0.place.as_ref()?;
        Some(source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (_, span) = self.0.place.as_ref()?;
        let labelled = LabeledSpan::new_primary_with_span(Some("here".to_owned()), span.clone());
        Some(Box::new(std::iter::once(labelled)))
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

fn suggest(name: &str, names: &[String]) -> Option<String> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    nearest(name, &names).map(|other| format!("did you mean `{other}`?"))
}

/// The name that differs from `word` in at most two letters, and in less than half of them, if any.
fn nearest<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let distance = |name: &str| {
        let word: Vec<char> = word.chars().take(64).collect();
        let mut row: Vec<usize> = (0..=word.len()).collect();
        for (i, a) in name.chars().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, b) in word.iter().enumerate() {
                let replaced = diagonal + usize::from(a != *b);
                diagonal = row[j + 1];
                row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
            }
        }
        row[word.len()]
    };
    let best = names.iter().min_by_key(|name| distance(name))?;
    let (letters, wrong) = (
        best.chars().count().max(word.chars().count()),
        distance(best),
    );
    (wrong <= 2 && 2 * wrong < letters).then_some(best)
}
