//! Kernels that wait in loops for other threads ([`Waits`]), under schemes in which a warp may wait for registers that another one
//! has, or in which fewer CTAs are resident than without it: both may wait for each other for ever. What the schemes cannot plan
//! around they refuse.

use super::{Plan, PlanInput, Refusal};
use crate::compiler::cfg::Cfg;
use crate::compiler::waits::{Scope, Wait, Waits};
use crate::kernel::Kernel;
use regshare_hw::manager::ManagerSpec;

/// The loops of a kernel that wait; none where it has no graph, which others report.
pub(super) fn waits_of(kernel: &Kernel) -> Waits {
    Cfg::new(kernel).map_or_else(|_| Waits::default(), |cfg| Waits::of(kernel, &cfg))
}

/// The first loop that waits for another CTA.
pub(super) fn for_other_ctas(waits: &Waits) -> Option<&Wait> {
    waits.widest().filter(|wait| wait.scope == Scope::Grid)
}

/// Refuses a kernel for such a loop.
pub(super) fn refuse(scheme: &str, wait: &Wait, reason: impl Into<String>) -> Refusal {
    Refusal::Waits {
        scheme: scheme.to_owned(),
        file: None,
        line: wait.line,
        scope: wait.scope,
        reason: reason.into(),
    }
}

/// Whether as many CTAs and warps of the launch run together under a plan as without the scheme, if the kernel waits for them.
///
/// `launched`: CTAs of the launch for each SM. `unshared`: how many of them are resident without the scheme.
///
/// # Errors
/// [`Refusal::Waits`].
pub fn run_together(
    plan: &Plan,
    input: &PlanInput<'_>,
    launched: u64,
    unshared: impl FnOnce() -> u16,
) -> Result<(), Refusal> {
    let waits = waits_of(input.kernel);
    let Some(wait) = waits.widest() else {
        return Ok(());
    };
    let resident = u64::from(plan.occupancy.ctas).min(launched);
    if let Some(most) = plan.idealised.most_warps {
        let warps = resident * u64::from(input.cta.warps());
        if u64::from(most) < warps {
            let reason = format!(
                "only the {most} oldest of {warps} warps are scheduled, and they may wait for the others; take abi-spill"
            );
            return Err(refuse(&plan.scheme, wait, reason));
        }
    }
    // Who holds a lock has been launched.
    if wait.scope == Scope::Cta || wait.is_lock || resident == launched {
        return Ok(());
    }
    let wanted = u64::from(unshared()).min(launched);
    if resident < wanted {
        let by_hand = match plan.manager {
            ManagerSpec::Renaming { .. } => {
                "; or --resident fit, if none waits for a CTA that comes behind it in the grid"
            }
            _ => "",
        };
        let reason = format!(
            "{resident} CTAs are resident, {wanted} without the scheme, and those may wait for the others; launch fewer CTAs, or on more \
             SMs (--sms){by_hand}"
        );
        return Err(refuse(&plan.scheme, wait, reason));
    }
    Ok(())
}
