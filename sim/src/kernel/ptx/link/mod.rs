//! Several files as one program, as a linker sees separately compiled modules.
//!
//! What one file declares (`.extern`) another defines (`.visible`). Of several `.weak` definitions one is kept, a visible one
//! before all others; of `.common` variables the largest. What has no such directive is its file's own: where the files
//! have several of that name, all but the first get the number of their file behind it ([`own_name`]), which no name of
//! PTX has. Messages show names as they were written.

mod rename;
mod symbols;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use super::ast::{File, Linkage, Span};
use super::error::{Problem, PtxError};
use super::sources::Sources;
use super::{Entry, Module, lower, parse};
use symbols::{Item, Symbol, Symbols};

/// Reads files, each a text and its name, as one program.
///
/// # Errors
/// Syntax errors, and definitions and declarations that do not fit together; what a single kernel does
/// wrong is kept in its [`Entry::kernel`].
pub fn link(files: &[(String, String)]) -> Result<Module, PtxError> {
    module(Sources::new(
        files
            .iter()
            .map(|(text, name)| (text.as_str(), name.as_str())),
    ))
}

/// Reads what is in these files.
pub(super) fn module(sources: Sources) -> Result<Module, PtxError> {
    let fail = |problems: Vec<Problem>| {
        let mut problems = problems.into_iter();
        let first = problems
            .next()
            .unwrap_or_else(|| *Problem::new(Span::default(), "unreadable file", ""));
        PtxError::new(first, problems, &sources)
    };
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    for (text, start) in sources.texts() {
        match parse::file(text, start) {
            Ok(file) => files.push(file),
            Err(found) => problems.extend(found),
        }
    }
    if !problems.is_empty() {
        return Err(fail(problems));
    }
    let links = Links::between(&files, &sources).map_err(fail)?;
    let file = links.apply(files);
    let lowered = lower::file(&file, sources.line_starts()).map_err(fail)?;
    let entries = lowered
        .into_iter()
        .map(|lowered| Entry {
            name: lowered.name,
            line: lowered.line,
            bounds: lowered.bounds,
            notes: lowered.notes,
            kernel: lowered.kernel.map_err(fail),
            program: lowered.program.map(|program| program.map_err(fail)),
        })
        .collect();
    let (version, target) = (file.version, file.target.to_owned());
    Ok(Module {
        version,
        target,
        entries,
        sources: Arc::new(sources),
    })
}

/// The name under which the files together know what only file `number`, from 1, sees as `name`.
fn own_name(name: &str, number: usize) -> String {
    format!("{name}.{number}")
}

/// The name that was written for what [`own_name`] may have made.
pub(super) fn written(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((written, number)) if is_own(written, number) => written,
        _ => name,
    }
}

fn is_own(written: &str, number: &str) -> bool {
    let is_name = written
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%'));
    let begins = !written.is_empty() && !written.starts_with(|c: char| c.is_ascii_digit());
    is_name && begins && !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
}

/// A message with all names in it as they were written.
pub(super) fn as_written(message: &str) -> String {
    let parts: Vec<&str> = message.split('`').map(written).collect();
    parts.join("`")
}

/// What becomes of the names of several files.
#[derive(Debug, Default)]
struct Links<'s> {
    /// Of each file: names that only it sees under these, and what they become.
    renamed: Vec<Vec<(&'s str, String)>>,
    /// Definitions that another is preferred to, by file.
    dropped: Vec<(usize, Item)>,
}

impl<'s> Links<'s> {
    fn between(files: &[File<'s>], sources: &Sources) -> Result<Self, Vec<Problem>> {
        let mut links = Links {
            renamed: vec![Vec::new(); files.len()],
            dropped: Vec::new(),
        };
        let contradictions = symbols::contradictions(files, sources);
        if !contradictions.is_empty() {
            return Err(contradictions);
        }
        if files.len() < 2 {
            return Ok(links);
        }
        let symbols = Symbols::of(files);
        let mut problems = Vec::new();
        for (name, found) in symbols.shared() {
            let (own, common): (Vec<&Symbol<'s>>, Vec<&Symbol<'s>>) =
                found.iter().partition(|symbol| symbol.is_own());
            for symbol in own.iter().skip(usize::from(common.is_empty())) {
                links.renamed[symbol.file].push((name, own_name(name, symbol.file + 1)));
            }
            match symbols::chosen(&common, files, sources) {
                Err(problem) => problems.push(*problem),
                Ok(None) => problems.extend(symbols::declared_in_two_ways(&common, files, sources)),
                Ok(Some(kept)) => {
                    let others = common.iter().filter(|other| other.file != kept.file);
                    for other in others {
                        if let Err(problem) = symbols::fits(other, kept, files, sources) {
                            problems.push(*problem);
                        }
                        if other.is_defined {
                            links.dropped.push((other.file, other.item));
                        }
                    }
                }
            }
        }
        match problems.is_empty() {
            true => Ok(links),
            false => Err(problems),
        }
    }

    /// The files as one.
    fn apply<'t>(&'t self, files: Vec<File<'t>>) -> File<'t>
    where
        's: 't,
    {
        let mut whole = File::default();
        for (number, mut file) in files.into_iter().enumerate() {
            let dropped = self.dropped.iter().filter(|(of, _)| *of == number);
            for (_, item) in dropped {
                match *item {
                    Item::Function(index) => file.functions[index].body = None,
                    Item::Variable(index) => {
                        file.variables[index].linkage = Linkage::Extern;
                        file.variables[index].init = None;
                    }
                }
            }
            let pairs = self.renamed[number].iter();
            let names: HashMap<&'t str, &'t str> =
                pairs.map(|(from, to)| (*from, to.as_str())).collect();
            if !names.is_empty() {
                rename::rename(&mut file, &names);
            }
            if number == 0 {
                (whole.version, whole.target) = (file.version, file.target);
            }
            whole.variables.append(&mut file.variables);
            whole.functions.append(&mut file.functions);
        }
        whole
    }
}
