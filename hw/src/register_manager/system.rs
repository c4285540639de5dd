//! Which system a register manager is made of.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The systems, each a variant of `register_manager`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// No sharing (RegMutex III-B2, Figure 6a).
    Baseline,
    /// RegMutex with a shared pool (III-A, III-B).
    Regmutex,
    /// Paired warps with the paper's lock, a bit per pair (RegMutex III-C).
    Paired,
    /// Paired warps with a bit per warp.
    SafePaired,
    /// Resource sharing with owner-warp-first scheduling (OWF III, IV).
    Owf,
    /// Register file virtualization (RFV 6 to 8).
    Rfv,
    /// Register stacks (CARS III-A, IV-B).
    Cars,
}

impl System {
    /// All of them, in the order of the README.
    pub const ALL: [Self; 7] = [
        Self::Baseline,
        Self::Regmutex,
        Self::Paired,
        Self::SafePaired,
        Self::Owf,
        Self::Rfv,
        Self::Cars,
    ];

    /// Its name in the names of modules.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Regmutex => "regmutex",
            Self::Paired => "paired",
            Self::SafePaired => "safe_paired",
            Self::Owf => "owf",
            Self::Rfv => "rfv",
            Self::Cars => "cars",
        }
    }
}

/// A name that no system has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "no system is called `{0}`: write baseline, regmutex, paired, safe_paired, owf, rfv or cars"
)]
pub struct UnknownSystem(pub String);

impl FromStr for System {
    type Err = UnknownSystem;

    fn from_str(name: &str) -> Result<Self, UnknownSystem> {
        Self::ALL
            .into_iter()
            .find(|system| system.name() == name)
            .ok_or_else(|| UnknownSystem(name.to_owned()))
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
