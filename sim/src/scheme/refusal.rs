//! Why a scheme does not take a kernel.

use super::LimitedBy;
use crate::compiler::waits::Scope;
use crate::kernel::Line;
use crate::kernel::ptx::Files;
use std::sync::Arc;

/// Why a kernel cannot be launched under a scheme.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// One CTA needs more than an SM has.
    #[error(
        "one CTA needs {needed} {}, an SM has {available}; use smaller CTAs{} or a larger machine",
        unit(*resource),
        match resource {
            LimitedBy::Registers => ", fewer registers (--max-regs, or the scheme regdem)",
            _ => "",
        }
    )]
    DoesNotFit {
        /// What runs out.
        resource: LimitedBy,
        /// Demand of one CTA.
        needed: u64,
        /// Supply of one SM.
        available: u64,
    },
    /// One CTA needs more scratchpad than the machine gives one.
    #[error(
        "one CTA needs {needed} bytes of scratchpad, the machine gives a CTA at most {available}; use smaller CTAs or less scratchpad"
    )]
    CtaScratchpad {
        /// Demand of one CTA.
        needed: u32,
        /// Most that one may have.
        available: u32,
    },
    /// The kernel still names virtual registers.
    #[error("kernel {kernel} has no architected registers yet; run register allocation first")]
    NotAllocated {
        /// The kernel.
        kernel: String,
    },
    /// A CTA without threads.
    #[error("a CTA has no threads; give it at least one")]
    EmptyCta,
    /// The kernel waits in a loop for other threads, which may wait for what the scheme gives to it.
    #[error(
        "{scheme}: the loop at line {}{} waits for what a thread of {} writes, and {reason}",
        line.0,
        file.as_ref().map_or_else(String::new, |file| format!(" of {file}")),
        match scope { Scope::Cta => "its CTA", Scope::Grid => "any CTA" }
    )]
    Waits {
        /// The scheme.
        scheme: String,
        /// The file of the line, if the program is of several.
        file: Option<Arc<str>>,
        /// Line of the access that reads what is waited for.
        line: Line,
        /// Who writes that.
        scope: Scope,
        /// Why it may wait for ever, and what would do.
        reason: String,
    },
    /// An option that this scheme cannot follow.
    #[error("{scheme}: {reason}")]
    Option {
        /// The scheme.
        scheme: String,
        /// What is wrong and what would do.
        reason: String,
    },
}

impl Refusal {
    /// The reason, told to who knows that it is about `name`: that of the scheme goes before it only if it is another one.
    #[must_use]
    pub fn under(&self, name: &str) -> String {
        let whole = self.to_string();
        match self {
            Refusal::Waits { scheme, .. } | Refusal::Option { scheme, .. } if scheme == name => {
                let reason = whole.strip_prefix(&format!("{name}: "));
                reason.map(str::to_owned).unwrap_or(whole)
            }
            _ => whole,
        }
    }

    /// The same with the name of the file that its line is of, and the number there, if the program is of several.
    #[must_use]
    pub fn in_files(mut self, files: &Files) -> Self {
        if let Refusal::Waits { file, line, .. } = &mut self
            && let Some((name, own)) = files.place(*line)
        {
            (*file, *line) = (Some(Arc::clone(name)), own);
        }
        self
    }
}

/// What is counted of a resource. Registers are allocated to warps: a pack is one register of 32 threads.
fn unit(resource: LimitedBy) -> String {
    match resource {
        LimitedBy::Registers => "packs (registers of 32 threads)".to_owned(),
        other => other.to_string(),
    }
}
