//! Kernels of which only a run shows that they wait.

use super::kernels::HIDDEN;
use super::{Case, names, names_the_loop};
use rayon::prelude::*;
use regshare_sim::flow::{FlowError, Verdict};
use regshare_sim::scheme::{Refusal, SchemeOptions};

/// Where the text does not show that a loop waits, a run does: then the scheme plans for it, and the kernel ends, or is refused.
#[test]
fn what_is_seen_to_wait_only_in_a_run_ends_or_is_refused_too() {
    let mut cases = Vec::new();
    for kind in HIDDEN {
        for (words, ctas, threads) in [(24, 12, 256), (40, 3, 512), (28, 20, 64)] {
            cases.push(Case {
                kind,
                words,
                ctas,
                threads,
                machine: "gtx480",
            });
        }
    }
    let outcomes: Vec<(&str, bool, bool)> = (cases.into_par_iter())
        .flat_map_iter(|case| {
            let inlined = case.run("baseline", SchemeOptions::default());
            let inlined = inlined.unwrap_or_else(|error| panic!("{case:?}: {error}"));
            assert_eq!(inlined.verdict, Verdict::Correct, "{case:?}");
            names().map(move |name| match case.run(name, SchemeOptions::default()) {
                Ok(ran) => {
                    assert_eq!(ran.verdict, Verdict::Correct, "{case:?} under {name}");
                    (name, true, ran.plan.kernel.rounds.is_empty())
                }
                Err(FlowError::Refused { cause, .. }) => {
                    let waits = matches!(cause, Refusal::Waits { .. });
                    assert!(
                        !waits || names_the_loop(case, &cause),
                        "{case:?} under {name}: {cause}"
                    );
                    (name, false, !waits)
                }
                Err(error) => panic!("{case:?} under {name}: {error}"),
            })
        })
        .collect();
    // Some run by plans that know the loop, some are refused for it.
    let planned = |name| outcomes.contains(&(name, true, false));
    assert!(planned("regmutex") && planned("paired"), "{outcomes:?}");
    let refused = outcomes.contains(&("gpu-shrink", false, false));
    assert!(refused, "{outcomes:?}");
    // Those whose warps wait for no registers run as they are.
    for name in ["regdem", "local-spill", "rfv", "abi-spill"] {
        let mut others = outcomes.iter().filter(|(of, ..)| *of == name);
        assert!(others.all(|&ran| ran == (name, true, true)), "{name}");
    }
}
