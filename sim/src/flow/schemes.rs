//! The schemes by name, with the options that a user can give.

use crate::scheme::{Baseline, Es, Paired, Policy, RegMutex, Scheme};
use miette::Diagnostic;
use thiserror::Error;

/// Name and one line about every scheme, in the order of tables.
pub const SCHEMES: [(&str, &str); 4] = [
    ("baseline", "every warp keeps its registers for life: Y = Coeff * Widx + X"),
    ("regmutex", "extended sets from a common pool by acquire and release (RegMutex, III-A and III-B)"),
    ("paired", "two neighbouring warps share one extended set, one bit per pair (RegMutex, III-C)"),
    ("paired-safe", "the same with a bit per warp: repeated requests have no effect in hardware"),
];

/// What `--es` and `--es-policy` ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EsOption {
    /// By policy.
    Auto(Policy),
    /// This many registers.
    Fixed(u16),
}

impl EsOption {
    /// Reads the two options as they stand on the command line.
    ///
    /// # Errors
    /// A size that is not even or outside 2..12, an unknown policy, or a policy beside a fixed size.
    pub fn parse(es: &str, policy: Option<&str>) -> Result<Self, SchemeError> {
        if es == "auto" {
            let Some(name) = policy else { return Ok(EsOption::Auto(Policy::default())) };
            return Policy::ALL
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, policy)| EsOption::Auto(*policy))
                .ok_or_else(|| SchemeError::UnknownPolicy {
                    name: name.to_owned(),
                    known: Policy::ALL.map(|(name, _)| name).join(", "),
                });
        }
        if policy.is_some() {
            return Err(SchemeError::PolicyBesideSize);
        }
        match es.parse() {
            Ok(size) if (2..=12).contains(&size) && size % 2 == 0 => Ok(EsOption::Fixed(size)),
            _ => Err(SchemeError::BadSize { given: es.to_owned() }),
        }
    }

    fn choice(self) -> Es {
        match self {
            EsOption::Auto(policy) => Es::Auto(policy),
            EsOption::Fixed(size) => Es::Fixed(size),
        }
    }
}

/// A scheme or option that does not exist.
#[derive(Debug, Error, Diagnostic, PartialEq, Eq)]
pub enum SchemeError {
    /// No such scheme.
    #[error("there is no scheme `{name}`")]
    #[diagnostic(help("schemes: {known}, or `all`"))]
    UnknownScheme {
        /// As given.
        name: String,
        /// What exists.
        known: String,
    },
    /// No such policy.
    #[error("there is no |Es| policy `{name}`")]
    #[diagnostic(help("policies: {known}"))]
    UnknownPolicy {
        /// As given.
        name: String,
        /// What exists.
        known: String,
    },
    /// Not a size.
    #[error("|Es| cannot be `{given}`")]
    #[diagnostic(help("give `auto` or an even number from 2 to 12"))]
    BadSize {
        /// As given.
        given: String,
    },
    /// A policy has nothing to choose.
    #[error("--es-policy goes with `--es auto`")]
    #[diagnostic(help("leave out one of the two"))]
    PolicyBesideSize,
}

/// The scheme of that name.
///
/// # Errors
/// [`SchemeError::UnknownScheme`].
pub fn scheme(name: &str, es: EsOption) -> Result<Box<dyn Scheme>, SchemeError> {
    Ok(match name {
        "baseline" => Box::new(Baseline),
        "regmutex" => Box::new(RegMutex { es: es.choice() }),
        "paired" => Box::new(Paired { es: es.choice(), safe: false }),
        "paired-safe" => Box::new(Paired { es: es.choice(), safe: true }),
        _ => {
            let known = SCHEMES.map(|(name, _)| name).join(", ");
            return Err(SchemeError::UnknownScheme { name: name.to_owned(), known });
        }
    })
}
