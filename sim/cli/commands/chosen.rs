//! The schemes that `regshare run` compares.

use super::{check_used, scheme_options};
use crate::args::RunArgs;
use crate::failure::{OrFail, Outcome};
use regshare_sim::flow::{self, CALL_SCHEMES, SCHEMES, SchemeOption, TEAM_SCHEMES, Workload};
use regshare_sim::scheme::Scheme;

/// One scheme of the command line.
pub struct Chosen {
    /// The scheme.
    pub scheme: Box<dyn Scheme>,
    /// `all` was asked for: where this one cannot be launched the others still are.
    pub may_be_refused: bool,
    /// It is there because of `all`, and differs from another one only where functions are called.
    only_for_calls: bool,
}

impl Chosen {
    /// Whether there is something to compare: of `all`, schemes for calls are for kernels that call functions.
    pub fn suits(&self, workload: &Workload) -> bool {
        !self.only_for_calls || workload.program.is_some()
    }
}

/// What `--scheme` names, each once, in its order; `all` stands for the schemes that are not named beside it, without those whose
/// names are put together (`NAME+owf`, `regdem+NAME`).
///
/// # Errors
///
/// A name that no scheme has, with the names there are; an option that none of the schemes uses.
pub fn schemes(args: &RunArgs) -> Outcome<Vec<Chosen>> {
    let options = scheme_options(&args.schemes)?;
    let of_calls = |name: &str| CALL_SCHEMES.iter().any(|(known, _)| *known == name);
    // The papers write `Shared-LRR-NoOpt`.
    let given: Vec<String> = (args.scheme.iter())
        .map(|name| name.to_lowercase())
        .collect();
    let may_be_refused = given.iter().any(|name| name == "all");
    let mut chosen: Vec<(&str, bool)> = Vec::new();
    for name in &given {
        let these: Vec<&str> = if name == "all" {
            // Where there is one SM, those that compare SMs are refused.
            let all = SCHEMES.iter().chain(&TEAM_SCHEMES).chain(&CALL_SCHEMES);
            all.map(|(name, _)| *name).collect()
        } else {
            vec![name]
        };
        for one in these {
            let named = given.iter().any(|given| given == one);
            if chosen.iter().all(|(known, _)| *known != one) {
                // CARS is a system of its own: without calls, what it costs.
                chosen.push((one, !named && of_calls(one) && one != "cars"));
            }
        }
    }
    let chosen: Vec<Chosen> = (chosen.into_iter())
        .map(|(name, only_for_calls)| {
            Ok(Chosen {
                scheme: flow::scheme(name, options).or_input()?,
                may_be_refused,
                only_for_calls,
            })
        })
        .collect::<Outcome<_>>()?;
    check_used(&args.schemes, &given)?;
    if args.scheduler.is_some() {
        SchemeOption::Scheduler.check(&given).or_input()?;
    }
    Ok(chosen)
}
