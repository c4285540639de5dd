//! Which schemes work together: `regdem+NAME`, a compiler pass before hardware, and `NAME+owf`, a scheduler in it.

use crate::scheme::{SchemeOptions, by_name};

/// Why the schemes of a name with `+` cannot run together; `None` if they can, or if one of them does not exist.
pub(super) fn do_not_compose(name: &str, options: SchemeOptions) -> Option<String> {
    let exists = |name: &str| by_name(name, options);
    if let Some(hardware) = name.strip_prefix("regdem+") {
        if hardware == "owf" {
            return owners("regdem");
        }
        return (do_not_compose(hardware, options)).or_else(|| under_regdem(hardware, options));
    }
    let (one, other) = name.rsplit_once('+')?;
    if one == "owf" {
        return exists(&format!("{other}+owf"))
            .map(|scheme| format!("the name is `{}`", scheme.name()));
    }
    exists(one)?;
    if other == "owf" {
        return owners(one);
    }
    exists(other)?;
    Some(match other {
        "regdem" | "local-spill" => under_regdem(one, options).unwrap_or_else(|| {
            format!(
                "`{other}` rewrites the kernel before the hardware of `{one}` is planned: the name is `regdem+{one}`"
            )
        }),
        _ if matches!(one, "local-spill" | "compiler-spill") => format!(
            "`{one}` is a cap on the registers of the kernel: give `{other}` with --max-regs"
        ),
        _ => (compares(one, other, options))
            .or_else(|| compares(other, one, options))
            .unwrap_or_else(|| {
                format!(
                    "`{one}` and `{other}` both decide where the registers of an SM lie, and an SM has one register file"
                )
            }),
    })
}

/// Why a comparator is not a part of another scheme; `None` if it is none.
fn compares(comparator: &str, of: &str, options: SchemeOptions) -> Option<String> {
    let keeps_calls = by_name(of, options)?.calls().is_some();
    let what = match comparator {
        "inlined" if keeps_calls => {
            return Some(format!("`{of}` keeps calls, and `inlined` leaves none"));
        }
        "baseline" | "inlined" => {
            return Some(format!(
                "`{comparator}` is the kernel under no scheme: the name is `{of}`"
            ));
        }
        "l1-10mb" => "a larger cache",
        "all-hit" => "a cache that has what is spilled",
        "ideal-virtual-warps" => "registers for all warps",
        "double-registers" => "a larger register file",
        "double-scratchpad" => "a larger scratchpad",
        _ if comparator == "best-swl" || comparator.starts_with("swl-") => {
            "a limit on the warps that are scheduled"
        }
        _ => return None,
    };
    Some(format!(
        "`{comparator}` shows what {what} would do without a scheme; name it beside `{of}`, not as a part of it"
    ))
}

/// Why RegDem does not work on this hardware.
fn under_regdem(hardware: &str, options: SchemeOptions) -> Option<String> {
    let keeps_calls = by_name(hardware, options)?.calls().is_some();
    if hardware.starts_with("regdem") || hardware == "local-spill" {
        return Some(format!(
            "RegDem tries spilling to local memory and every way of demotion itself, so `{hardware}` adds nothing"
        ));
    }
    keeps_calls.then(|| {
        format!(
            "`{hardware}` keeps calls, and RegDem demotes registers of a kernel without calls, which it has when they are inlined (`regdem`)"
        )
    })
}

/// Why owner warps cannot go first under a scheme: there must be warps that hold what other warps wait for, and give it back.
fn owners(scheme: &str) -> Option<String> {
    Some(match scheme {
        "regmutex" | "paired" | "paired-safe" => return None,
        _ if scheme.ends_with("+owf") || scheme.starts_with("shared-owf") => {
            format!("owner warps go first under `{scheme}` already")
        }
        _ if scheme.starts_with("shared-") => {
            format!(
                "`{scheme}` has a scheduler of its own; with owner warps first it is `shared-owf-unroll`"
            )
        }
        "rfv" | "gpu-shrink" | "rfv-hardware-only" => format!(
            "a warp under `{scheme}` waits for a pack that any warp may give back, so none is the owner of what another one waits for"
        ),
        "cars" => format!(
            "a warp under `{scheme}` waits for the stack of any warp that ends or gives its own up, so none is the owner of what another one \
             waits for"
        ),
        _ => format!(
            "under `{scheme}` no warp waits for registers of another one, so there are no owners; what is left, the oldest warp first, is \
             `--scheduler oldest`"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::{SchemeError, scheme};

    #[test]
    fn what_does_not_compose_says_why() {
        let why = |name: &str| match scheme(name, SchemeOptions::default()) {
            Err(SchemeError::DoNotCompose { reason, .. }) => reason,
            Err(other) => other.to_string(),
            Ok(scheme) => format!("works as {}", scheme.name()),
        };
        for (name, said) in [
            ("cars+regmutex", "one register file"),
            ("regmutex+abi-spill", "one register file"),
            ("cars+best-swl", "a limit on the warps"),
            ("cars+l1-10mb", "a larger cache"),
            ("all-hit+l1-10mb", "beside `l1-10mb`"),
            ("inlined+regmutex", "the name is `regmutex`"),
            ("cars+inlined", "`cars` keeps calls"),
            ("double-scratchpad+rfv", "a larger scratchpad"),
            ("local-spill+regmutex", "with --max-regs"),
            ("compiler-spill+rfv", "with --max-regs"),
            ("regmutex+regdem", "the name is `regdem+regmutex`"),
            ("regdem+regdem", "itself"),
            ("regdem+local-spill", "itself"),
            ("regdem+cars", "keeps calls"),
            ("regdem+best-swl", "keeps calls"),
            ("cars+regdem", "`cars` keeps calls"),
            ("abi-spill+local-spill", "`abi-spill` keeps calls"),
            ("regdem+nothing", "there is no scheme"),
            ("nothing+rfv", "there is no scheme"),
            ("regdem+rfv", "works as regdem+rfv"),
            ("RegDem+RFV", "works as regdem+rfv"),
            ("Shared-LRR-NoOpt", "works as shared-lrr-noopt"),
            ("RegMutex+OWF", "works as regmutex+owf"),
            ("paired+owf", "works as paired+owf"),
            ("regdem+regmutex+owf", "works as regdem+regmutex+owf"),
            ("baseline+owf", "no owners"),
            ("regdem+owf", "no owners"),
            ("regdem+baseline+owf", "no owners"),
            ("rfv+owf", "any warp may give back"),
            ("cars+owf", "the stack of any warp"),
            ("shared-lrr-unroll+owf", "it is `shared-owf-unroll`"),
            ("shared-owf-unroll+owf", "already"),
            ("regmutex+owf+owf", "already"),
            ("owf+paired", "the name is `paired+owf`"),
            ("regmutex+owf+regdem", "the name is `regdem+regmutex+owf`"),
            ("regmutex+owf+rfv", "one register file"),
            ("owf", "there is no scheme"),
            ("owf+nothing", "there is no scheme"),
            ("nothing+owf", "there is no scheme"),
        ] {
            assert!(why(name).contains(said), "{name}: {}", why(name));
        }
    }
}
