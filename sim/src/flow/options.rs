//! Options that only some schemes use.

use super::all_schemes;
use crate::scheme::AbiSpill;
use miette::Diagnostic;
use thiserror::Error;

/// An option of the command line that means nothing under some schemes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemeOption {
    /// `--es`.
    Es,
    /// `--es-policy`.
    EsPolicy,
    /// `--sharing`.
    Sharing,
    /// `--shrink`.
    Shrink,
    /// `--demote`.
    Demote,
    /// `--flag-cache`.
    FlagCache,
    /// `--wake-up`.
    WakeUp,
    /// `--table-clocks`.
    TableClocks,
    /// `--table-bytes`.
    TableBytes,
    /// `--resident`.
    Resident,
    /// `--cta-throttle`.
    CtaThrottle,
    /// `--watermark`.
    Watermark,
    /// `--no-extra-cycle`.
    NoExtraCycle,
    /// `--stack-bytes`.
    StackBytes,
    /// `--scheduler`.
    Scheduler,
}

/// An option that is given with schemes of which none uses it.
#[derive(Debug, Error, Diagnostic, PartialEq, Eq)]
#[error("{option} means nothing under {schemes}")]
#[diagnostic(help("leave {option} out, or name a scheme that uses it: {users}"))]
pub struct UnusedOption {
    /// The option, as on the command line.
    option: &'static str,
    /// The schemes that are named.
    schemes: String,
    /// Those that use it.
    users: String,
}

impl SchemeOption {
    /// As on the command line.
    #[must_use]
    pub const fn flag(self) -> &'static str {
        match self {
            SchemeOption::Es => "--es",
            SchemeOption::EsPolicy => "--es-policy",
            SchemeOption::Sharing => "--sharing",
            SchemeOption::Shrink => "--shrink",
            SchemeOption::Demote => "--demote",
            SchemeOption::FlagCache => "--flag-cache",
            SchemeOption::WakeUp => "--wake-up",
            SchemeOption::TableClocks => "--table-clocks",
            SchemeOption::TableBytes => "--table-bytes",
            SchemeOption::Resident => "--resident",
            SchemeOption::CtaThrottle => "--cta-throttle",
            SchemeOption::Watermark => "--watermark",
            SchemeOption::NoExtraCycle => "--no-extra-cycle",
            SchemeOption::StackBytes => "--stack-bytes",
            SchemeOption::Scheduler => "--scheduler",
        }
    }

    /// Whether this scheme uses it; of a name that no scheme has, anything.
    #[must_use]
    pub fn is_used_by(self, scheme: &str) -> bool {
        let (demotes, hardware) = match scheme.strip_prefix("regdem+") {
            Some(hardware) => (true, hardware),
            None => (scheme == "regdem", scheme),
        };
        match self {
            SchemeOption::Es | SchemeOption::EsPolicy => {
                hardware.starts_with("regmutex") || hardware.starts_with("paired")
            }
            SchemeOption::Sharing => hardware.starts_with("shared-"),
            SchemeOption::Shrink => matches!(hardware, "gpu-shrink" | "compiler-spill"),
            SchemeOption::Demote => demotes,
            SchemeOption::FlagCache
            | SchemeOption::TableBytes
            | SchemeOption::Resident
            | SchemeOption::CtaThrottle => matches!(hardware, "rfv" | "gpu-shrink"),
            SchemeOption::WakeUp | SchemeOption::TableClocks => {
                matches!(hardware, "rfv" | "gpu-shrink" | "rfv-hardware-only")
            }
            SchemeOption::Watermark | SchemeOption::NoExtraCycle => hardware == "cars",
            SchemeOption::StackBytes => hardware == "cars" || AbiSpill::by_name(hardware).is_some(),
            SchemeOption::Scheduler => {
                !hardware.starts_with("shared-") && !hardware.ends_with("+owf")
            }
        }
    }

    /// Refuses the option where none of `schemes` uses it; `all` stands for all of them.
    ///
    /// # Errors
    /// [`UnusedOption`].
    pub fn check(self, schemes: &[impl AsRef<str>]) -> Result<(), UnusedOption> {
        let named: Vec<String> = (schemes.iter())
            .map(|name| name.as_ref().to_lowercase())
            .collect();
        let uses = |name: &String| name == "all" || self.is_used_by(name);
        if named.iter().any(uses) {
            return Ok(());
        }
        let users: Vec<&str> = match self {
            SchemeOption::Scheduler => vec!["all but shared-* and *+owf, which bring their own"],
            _ => (all_schemes().map(|(name, _)| name))
                .filter(|name| self.is_used_by(name))
                .collect(),
        };
        Err(UnusedOption {
            option: self.flag(),
            schemes: named.join(", "),
            users: users.join(", "),
        })
    }
}
