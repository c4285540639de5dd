//! Runs in which warps go round for ever under a scheme.
//!
//! Which loops wait for other threads is found before the launch as far as their text shows it ([`Waits`]); others only a run shows
//! ([`RunError::WaitsForEver`]). Then the scheme plans anew, knowing them, as it does with those that it sees; and if there is nothing
//! left to plan around, a launch that ends without the scheme is refused.

use super::execute::run_prepared;
use super::prepare::prepare_one;
use super::{FlowError, Ran, Setup, Workload, compile, execute};
use crate::compiler::cfg::Cfg;
use crate::compiler::waits::Waits;
use crate::kernel::{Kernel, Line};
use crate::scheme::{AbiSpill, Baseline, Plan, Refusal, Scheme};
use crate::sm::{RunError, RunOptions};
use std::collections::BTreeSet;

/// What becomes of a launch whose run under the scheme, by `plan`, has ended with `error`; `max_regs` is the user's cap. A run that is
/// watched stays as the watchers saw it, and who has said how few CTAs are resident sees what comes of it.
pub(super) fn settle(
    workload: &Workload,
    max_regs: Option<u16>,
    (scheme, setup): (&dyn Scheme, Setup<'_>),
    plan: Plan,
    error: FlowError,
) -> Result<Ran, FlowError> {
    if scheme.has_fewer_ctas_by_hand() {
        return Err(error);
    }
    let is_watched = setup.options.probe.is_some() || !setup.options.watchers.is_empty();
    let (mut known, mut plan, mut error) = (workload.clone(), plan, error);
    while let Some((rounds, state)) = forever(&error)
        && !is_watched
    {
        let rounds = rounds
            .iter()
            .filter(|&round| !known.kernel.rounds.contains(round));
        let rounds: Vec<_> = rounds.cloned().collect();
        let learns = !rounds.is_empty();
        known.kernel.rounds.extend(rounds);
        let compiled = compile(&known, max_regs)?;
        let next = prepare_one(&known, &compiled, scheme, setup)?;
        if !learns || is_as(&plan, &next.plan) {
            let refused = refusal(scheme, &next.plan.kernel, &state);
            return Err(match refused {
                Some(cause) if ends_without(workload, max_regs, scheme, setup) => {
                    FlowError::Refused {
                        kernel: workload.name.clone(),
                        scheme: scheme.name().to_owned(),
                        cause: cause.in_files(&workload.files),
                    }
                }
                _ => error,
            });
        }
        plan = next.plan.clone();
        error = match run_prepared(&known, next, scheme, setup) {
            Err(error) => error,
            ran => return ran,
        };
    }
    Err(error)
}

/// The rounds that a run was found in, and what each warp did, if it was for ever.
fn forever(error: &FlowError) -> Option<(&[BTreeSet<Line>], String)> {
    let FlowError::Run { cause, .. } = error else {
        return None;
    };
    let cause = match &**cause {
        RunError::OnSm { cause, .. } => cause,
        cause => cause,
    };
    match cause {
        RunError::WaitsForEver { rounds, state, .. } => Some((rounds, state.to_string())),
        _ => None,
    }
}

/// Whether a run by one plan goes as by the other.
fn is_as(one: &Plan, other: &Plan) -> bool {
    one.kernel.blocks == other.kernel.blocks
        && one.manager == other.manager
        && one.occupancy == other.occupancy
}

/// For the loop that waits.
fn refusal(scheme: &dyn Scheme, kernel: &Kernel, state: &str) -> Option<Refusal> {
    let cfg = Cfg::new(kernel).ok()?;
    let waits = Waits::of(kernel, &cfg);
    let wait = waits.widest()?;
    Some(Refusal::Waits {
        scheme: scheme.name().to_owned(),
        file: None,
        line: wait.line,
        scope: wait.scope,
        reason: format!(
            "nobody writes it here, though without the scheme the kernel ends; run it without, or under another scheduler (--scheduler). \
             In {state}"
        ),
    })
}

/// Whether the kernel ends without the scheme.
fn ends_without(
    workload: &Workload,
    max_regs: Option<u16>,
    scheme: &dyn Scheme,
    setup: Setup<'_>,
) -> bool {
    let without: &dyn Scheme = match workload.not_inlined {
        Some(_) => &AbiSpill::Plain,
        None => &Baseline,
    };
    let options = RunOptions {
        best_levels: None,
        ..setup.options.clone()
    };
    let setup = Setup {
        options: &options,
        ..setup
    };
    let compiled = compile(workload, max_regs);
    let ran = compiled.and_then(|compiled| execute(workload, &compiled, without, setup));
    scheme.name() != without.name() && ran.is_ok()
}
