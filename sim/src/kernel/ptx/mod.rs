//! Reader for PTX, NVIDIA's virtual assembly (PTX ISA 7.x), into kernels in virtual register space.
//!
//! ```text
//! text -> token -> parse (ast) -> link -> lower: names, types, instructions, inlined calls -> params, tidy -> Kernel
//! ```
//!
//! What is not understood is refused with its place; no modifier is skipped over. A file is read as long as its
//! syntax is right; a kernel that uses something unsupported keeps its own error and leaves the others usable.
//!
//! Direct calls of functions in the same text are inlined; where they are kept ([`Entry::program`]) recursion works, too.
//! Calls through addresses become direct ones behind comparisons. [`link`](link()) reads several files as one program.

mod ast;
mod constant;
mod error;
mod link;
mod lower;
mod params;
mod parse;
mod sources;
mod tidy;
mod token;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use error::{Problem, PtxError};
pub use link::link;
pub use sources::Files;

use crate::kernel::program::Program;
use crate::kernel::{Kernel, Line};
use ast::Span;
use sources::Sources;

/// What a kernel's performance directives ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaunchBounds {
    /// `.maxntid`: largest CTA, in threads along x, y, z; the product counts.
    pub max_threads: Option<[u32; 3]>,
    /// `.reqntid`: the only CTA size it may be launched with.
    pub required_threads: Option<[u32; 3]>,
    /// `.minnctapersm`: CTAs that the compiler should let fit on an SM. Without effect: it speaks of the SM that the
    /// PTX was made for, and here the machine is chosen when the kernel runs.
    pub min_ctas_per_sm: Option<u32>,
    /// `.maxnreg`: most 32-bit registers per thread.
    pub max_registers: Option<u32>,
}

/// Something in a kernel that is legal but has no effect here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Source line; of several files counted through all ([`Module::files`]).
    pub line: Line,
    /// What was done with it.
    pub text: String,
}

/// A kernel (`.entry`) of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Where it is declared; of several files counted through all ([`Module::files`]).
    pub line: Line,
    /// Its performance directives.
    pub bounds: LaunchBounds,
    /// Instructions without effect here.
    pub notes: Vec<Note>,
    /// The kernel in virtual register space, or why it cannot be used.
    pub kernel: Result<Kernel, PtxError>,
    /// The kernel with the functions that it calls, calls kept, or why it cannot be used so; `None`: it calls none.
    pub program: Option<Result<Program, PtxError>>,
}

/// A file, or several that were linked.
#[derive(Clone, Debug)]
pub struct Module {
    /// PTX ISA version, (major, minor); of several files that of the first, as the target.
    pub version: (u32, u32),
    /// `.target`, as `sm_70`.
    pub target: String,
    /// Kernels in the order of the files.
    pub entries: Vec<Entry>,
    sources: Arc<Sources>,
}

impl Module {
    /// The kernel of that name.
    ///
    /// # Errors
    /// What in the kernel is not supported; or, where there is no such kernel, the names of those there are.
    pub fn kernel(&self, name: &str) -> Result<&Kernel, PtxError> {
        match self.entries.iter().find(|entry| entry.name == name) {
            Some(entry) => entry.kernel.as_ref().map_err(Clone::clone),
            None => {
                let files = match self.sources.are_linked() {
                    true => "these files",
                    false => "this file",
                };
                let problem = Problem::new(
                    Span::default(),
                    format!("there is no kernel `{name}` in {files}"),
                    "",
                );
                Err(PtxError::new(
                    *problem.help(self.names_for_help()),
                    [],
                    &self.sources,
                ))
            }
        }
    }

    /// The names of the kernels in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// Where lines of its instructions are.
    pub fn files(&self) -> Files {
        self.sources.files()
    }

    /// The text; of several files one behind the other, with the lines that instructions have.
    pub fn text(&self) -> String {
        self.sources.joined()
    }

    fn names_for_help(&self) -> String {
        let names: Vec<&str> = self.names().take(20).collect();
        if names.is_empty() {
            return "it has no `.entry`".to_owned();
        }
        format!("it has: {}", names.join(", "))
    }
}

/// Whether a text is PTX and not another kind of kernel file: its first word is `.version`.
pub fn looks_like_ptx(source: &str) -> bool {
    let mut rest = source.trim_start_matches('\u{feff}');
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once('\n').map_or("", |(_, after)| after);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, after)| after);
        } else {
            return rest
                .strip_prefix(".version")
                .is_some_and(|after| after.starts_with(char::is_whitespace));
        }
    }
}

/// Reads a file.
///
/// `file_name` is only used in messages.
///
/// # Errors
/// Syntax errors and contradictions between declarations; what a single kernel does wrong is kept in its
/// [`Entry::kernel`].
pub fn read(source: &str, file_name: &str) -> Result<Module, PtxError> {
    link::module(Sources::new([(source, file_name)]))
}
