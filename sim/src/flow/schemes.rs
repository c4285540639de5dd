//! The schemes by name, with the options that a user can give.

use super::compose::do_not_compose;
use crate::scheme::es::Policy;
use crate::scheme::regmutex::FIXED_SIZES;
use crate::scheme::{
    CALL_NAMES, CtaThrottle, Demote, EsSize, FLAG_CACHES, NAMES, OWF_NAMES, Percent, Resident,
    Scheme, SchemeOptions, Shrink, TEAM_NAMES, WAKE_UPS, Watermark, by_name,
};
use miette::Diagnostic;
use thiserror::Error;

/// Name and one line about every scheme, in the order of tables.
pub const SCHEMES: [(&str, &str); NAMES.len()] = [
    (
        "baseline",
        "every warp keeps its registers for life: Y = Coeff * Widx + X",
    ),
    (
        "regmutex",
        "extended sets from a common pool by acquire and release (RegMutex, III-A and III-B)",
    ),
    (
        "paired",
        "two neighbouring warps share one extended set, one bit per pair (RegMutex, III-C)",
    ),
    (
        "paired-safe",
        "the same with a bit per warp: repeated requests have no effect in hardware",
    ),
    (
        "shared-lrr-noopt",
        "pairs of CTAs share registers or scratchpad (resource sharing, III); loose round robin",
    ),
    (
        "shared-lrr-unroll",
        "the same with registers in the order of first use (resource sharing, IV-B)",
    ),
    ("shared-gto-unroll", "the same, greedy then oldest"),
    (
        "shared-owf-unroll",
        "the same, owner warps first, chosen by the register hardware (resource sharing, IV-A)",
    ),
    (
        "rfv",
        "registers are mapped when they are written and given back when they are dead (RFV, 6 and 7)",
    ),
    (
        "gpu-shrink",
        "the same with fewer packs than the architecture names (RFV, 8)",
    ),
    (
        "regdem",
        "registers are demoted to scratchpad by the compiler; a predictor picks among variants (RegDem, 3 and 4)",
    ),
    (
        "local-spill",
        "a cap on registers at the next step of occupancy, the rest in local memory (RegDem, 1)",
    ),
    (
        "rfv-hardware-only",
        "renaming without the compiler: a pack is given back when its register is written anew (RFV, 9.5)",
    ),
    (
        "compiler-spill",
        "the baseline on a smaller register file, with so few registers that as many CTAs fit (RFV, 9.2)",
    ),
    (
        "double-registers",
        "the baseline on an SM with twice the registers (resource sharing, Figure 11)",
    ),
    (
        "double-scratchpad",
        "the baseline on an SM with twice the scratchpad (resource sharing, Figure 11)",
    ),
];

/// The same of RegMutex with owner warps first.
pub const OWF_SCHEMES: [(&str, &str); OWF_NAMES.len()] = [
    (
        "regmutex+owf",
        "regmutex, where warps that hold an extended set go first, chosen by the register hardware (resource sharing, IV-A)",
    ),
    ("paired+owf", "paired, likewise"),
    ("paired-safe+owf", "paired-safe, likewise"),
];

/// The same of the schemes that need several SMs.
pub const TEAM_SCHEMES: [(&str, &str); TEAM_NAMES.len()] = [
    (
        "shared-lrr-unroll-dyn",
        "shared-lrr-unroll, where SMs hold back memory accesses of non-owners (resource sharing, IV-C); with --sms 2 or more",
    ),
    ("shared-owf-unroll-dyn", "shared-owf-unroll, likewise"),
];

/// The same of CARS and what it is compared with: they differ from the baseline only where a kernel calls functions.
pub const CALL_SCHEMES: [(&str, &str); CALL_NAMES.len()] = [
    (
        "abi-spill",
        "functions are called, and save registers in local memory (CARS, II)",
    ),
    (
        "cars",
        "functions are called, and save registers on register stacks (CARS, III)",
    ),
    (
        "l1-10mb",
        "abi-spill with a first-level cache of 10 MiB (CARS, V-D)",
    ),
    (
        "all-hit",
        "abi-spill where accesses that save registers always hit (CARS, VI-A)",
    ),
    (
        "ideal-virtual-warps",
        "abi-spill on an SM whose registers, scratchpad and CTA slots do not limit warps (CARS, V-D)",
    ),
    (
        "best-swl",
        "abi-spill with the best of 1, 2, 3, 4, 8 and 16 warps per SM, swl-1 to swl-16 (CARS, V-D)",
    ),
    (
        "inlined",
        "the baseline, whose calls are inlined (CARS, VI-F)",
    ),
];

/// Every scheme, in the order of tables; besides, there is `regdem+NAME`.
pub fn all_schemes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let special = OWF_SCHEMES.into_iter().chain(TEAM_SCHEMES);
    SCHEMES.into_iter().chain(special).chain(CALL_SCHEMES)
}

/// Reads `--es` and `--es-policy` as they stand on the command line.
///
/// # Errors
/// A size that is not even or outside 2..12, an unknown policy, or a policy beside a fixed size.
pub fn es_size(es: &str, policy: Option<&str>) -> Result<EsSize, SchemeError> {
    if es == "auto" {
        let Some(name) = policy else {
            return Ok(EsSize::default());
        };
        return Policy::ALL
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, policy)| EsSize::Auto(*policy))
            .ok_or_else(|| SchemeError::UnknownPolicy {
                name: name.to_owned(),
                known: Policy::ALL.map(|(name, _)| name).join(", "),
            });
    }
    if policy.is_some() {
        return Err(SchemeError::PolicyBesideSize);
    }
    match es.parse() {
        Ok(size) if FIXED_SIZES.contains(&size) => Ok(EsSize::Fixed(size)),
        _ => Err(SchemeError::BadSize {
            given: es.to_owned(),
        }),
    }
}

/// Reads `--sharing`, in per cent.
///
/// # Errors
/// [`SchemeError::BadPercent`] for what is no whole number from 0 to 99.
pub fn percent(given: &str) -> Result<Percent, SchemeError> {
    (given.parse().ok().and_then(Percent::new)).ok_or_else(|| SchemeError::BadPercent {
        given: given.to_owned(),
    })
}

/// Reads `--shrink`, in per cent.
///
/// # Errors
/// [`SchemeError::BadShrink`] for anything but 30, 40 and 50.
pub fn shrink(given: &str) -> Result<Shrink, SchemeError> {
    (Shrink::ALL.into_iter())
        .find(|shrink| shrink.percent().to_string() == given)
        .ok_or_else(|| SchemeError::BadShrink {
            given: given.to_owned(),
        })
}

/// Reads `--demote`.
///
/// # Errors
/// [`SchemeError::BadDemote`] for anything but `auto` and a number from 1 to 255.
pub fn demote(given: &str) -> Result<Demote, SchemeError> {
    if given == "auto" {
        return Ok(Demote::Auto);
    }
    let count = given.parse().ok().filter(|count| (1..=255).contains(count));
    (count.map(Demote::Count)).ok_or_else(|| SchemeError::BadDemote {
        given: given.to_owned(),
    })
}

/// Reads `--watermark`.
///
/// # Errors
/// [`SchemeError::BadWatermark`] for anything but `adaptive`, `low`, `high` and `Nxlow`.
pub fn watermark(given: &str) -> Result<Watermark, SchemeError> {
    given.parse().map_err(|_| SchemeError::BadWatermark {
        given: given.to_owned(),
    })
}

/// Reads `--flag-cache`, in entries.
///
/// # Errors
/// [`SchemeError::BadFlagCache`] for anything but the sizes of [`FLAG_CACHES`].
pub fn flag_cache(given: &str) -> Result<u8, SchemeError> {
    (FLAG_CACHES.into_iter())
        .find(|entries| entries.to_string() == given)
        .ok_or_else(|| SchemeError::BadFlagCache {
            given: given.to_owned(),
        })
}

/// Reads `--wake-up`, in cycles.
///
/// # Errors
/// [`SchemeError::BadWakeUp`] for anything but those of [`WAKE_UPS`].
pub fn wake_up(given: &str) -> Result<u8, SchemeError> {
    (WAKE_UPS.into_iter())
        .find(|cycles| cycles.to_string() == given)
        .ok_or_else(|| SchemeError::BadWakeUp {
            given: given.to_owned(),
        })
}

/// Reads `--resident`.
///
/// # Errors
/// [`SchemeError::BadResident`] for anything but `auto`, `all`, `fit` and a number from 1 to 32.
pub fn resident(given: &str) -> Result<Resident, SchemeError> {
    match given {
        "auto" => Ok(Resident::Auto),
        "all" => Ok(Resident::All),
        "fit" => Ok(Resident::Fit),
        _ => {
            let count = given.parse().ok().filter(|count| (1..=32).contains(count));
            (count.map(Resident::AtMost)).ok_or_else(|| SchemeError::BadResident {
                given: given.to_owned(),
            })
        }
    }
}

/// Reads `--cta-throttle`.
///
/// # Errors
/// [`SchemeError::BadCtaThrottle`] for anything but `banker` and `balance`.
pub fn cta_throttle(given: &str) -> Result<CtaThrottle, SchemeError> {
    match given {
        "banker" => Ok(CtaThrottle::Banker),
        "balance" => Ok(CtaThrottle::Balance),
        _ => Err(SchemeError::BadCtaThrottle {
            given: given.to_owned(),
        }),
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
    /// Several schemes where one is wanted.
    #[error("`all` stands for several schemes, and one is wanted here")]
    #[diagnostic(help("give one of {known}"))]
    Several {
        /// What exists.
        known: String,
    },
    /// Two schemes that exist, but not together.
    #[error("schemes `{name}` do not work together: {reason}")]
    #[diagnostic(help(
        "RegDem is a compiler pass and works with the hardware of schemes that inline calls: regdem+NAME, for example regdem+regmutex. \
         Owner warps first goes with regmutex, paired and paired-safe: NAME+owf. Both: regdem+regmutex+owf"
    ))]
    DoNotCompose {
        /// As given.
        name: String,
        /// Why not.
        reason: String,
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
    /// Not a share.
    #[error("--sharing cannot be `{given}`")]
    #[diagnostic(help(
        "give the per cent of a pair's registers or scratchpad that both share, 100 (1 - t): a whole number from 0 to 99; the paper has 0, \
         10, 30, 50, 70 and 90"
    ))]
    BadPercent {
        /// As given.
        given: String,
    },
    /// Not a size of the register file.
    #[error("--shrink cannot be `{given}`")]
    #[diagnostic(help(
        "give 30, 40 or 50: the register file keeps 716, 612 or 512 of 1024 packs; with all of them it is the scheme `rfv`"
    ))]
    BadShrink {
        /// As given.
        given: String,
    },
    /// Not a number of registers.
    #[error("--demote cannot be `{given}`")]
    #[diagnostic(help("give `auto`, or how many registers are demoted: 1 to 255"))]
    BadDemote {
        /// As given.
        given: String,
    },
    /// Not a size of the flag cache.
    #[error("--flag-cache cannot be `{given}`")]
    #[diagnostic(help(
        "give 1, 2, 5 or 10 entries, or 0 for none: each warp decodes each pir that it comes to"
    ))]
    BadFlagCache {
        /// As given.
        given: String,
    },
    /// Not a latency of the power gate.
    #[error("--wake-up cannot be `{given}`")]
    #[diagnostic(help("give 1, 3 or 10, or 0 for a register file that never sleeps"))]
    BadWakeUp {
        /// As given.
        given: String,
    },
    /// Not a number of CTAs.
    #[error("--resident cannot be `{given}`")]
    #[diagnostic(help("give `auto`, `all`, `fit`, or the most CTAs that are resident, 1 to 32"))]
    BadResident {
        /// As given.
        given: String,
    },
    /// Not a rule of who may issue when packs run short.
    #[error("--cta-throttle cannot be `{given}`")]
    #[diagnostic(help("give `banker`, or `balance` for the paper's comparison alone"))]
    BadCtaThrottle {
        /// As given.
        given: String,
    },
    /// No such stack size.
    #[error("--watermark cannot be `{given}`")]
    #[diagnostic(help("give `adaptive`, `low`, `2xlow`, `3xlow`, ... or `high`"))]
    BadWatermark {
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
/// [`SchemeError::UnknownScheme`], [`SchemeError::Several`], [`SchemeError::DoNotCompose`].
pub fn scheme(name: &str, options: SchemeOptions) -> Result<Box<dyn Scheme>, SchemeError> {
    // The papers write `Shared-LRR-NoOpt`.
    let name = &*name.to_lowercase();
    if let Some(reason) = do_not_compose(name, options) {
        return Err(SchemeError::DoNotCompose {
            name: name.to_owned(),
            reason,
        });
    }
    by_name(name, options).ok_or_else(|| {
        let known: Vec<_> = all_schemes().map(|(name, _)| name).collect();
        let known = known.join(", ");
        match name {
            "all" => SchemeError::Several { known },
            _ => SchemeError::UnknownScheme {
                name: name.to_owned(),
                known,
            },
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn every_scheme_is_described_in_the_order_of_tables() {
        assert_eq!(SCHEMES.map(|(name, _)| name), NAMES);
        assert_eq!(OWF_SCHEMES.map(|(name, _)| name), OWF_NAMES);
        assert_eq!(TEAM_SCHEMES.map(|(name, _)| name), TEAM_NAMES);
        assert_eq!(CALL_SCHEMES.map(|(name, _)| name), CALL_NAMES);
    }

    #[test]
    fn size_must_be_auto_or_even_from_2_to_12() {
        assert_eq!(es_size("6", None), Ok(EsSize::Fixed(6)));
        assert_eq!(
            es_size("auto", Some("paper-text")),
            Ok(EsSize::Auto(Policy::PaperText))
        );
        for bad in ["0", "7", "14", "-2", "", "six"] {
            assert_eq!(
                es_size(bad, None),
                Err(SchemeError::BadSize {
                    given: bad.to_owned()
                })
            );
        }
        assert_eq!(
            es_size("6", Some("paper-text")),
            Err(SchemeError::PolicyBesideSize)
        );
    }
}
