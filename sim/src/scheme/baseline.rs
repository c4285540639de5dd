//! The baseline: every warp owns all its registers from launch to exit (RegMutex, Figure 6a).

use super::{Occupancy, Plan, PlanInput, Refusal, Scheme};
use crate::kernel::verify::MAX_ARCHITECTED_REGS;
use regshare_hw::manager::ManagerSpec;

/// `Y = Coeff * Widx + X`, nothing shared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Baseline;

impl Scheme for Baseline {
    fn name(&self) -> &str {
        "baseline"
    }

    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        exclusive_plan(self.name(), input, 0)
    }
}

/// Of `rounded` registers per warp those that instructions can name: numbers have 8 bits, and of 256 the last has none.
pub(super) fn named_regs(rounded: u16) -> u16 {
    rounded.min(MAX_ARCHITECTED_REGS)
}

/// The plan that leaves the kernel untouched on a machine with `storage_bits` of hardware that it does not use.
pub(super) fn exclusive_plan(
    scheme: &str,
    input: &PlanInput<'_>,
    storage_bits: u32,
) -> Result<Plan, Refusal> {
    let limits = &input.machine.limits;
    let regs_per_warp = limits.rounded_regs(input.regs()?);
    let occupancy = Occupancy::with_regs(limits, input.cta, regs_per_warp)?;
    Ok(Plan {
        scheme: scheme.to_owned(),
        kernel: input.kernel.clone(),
        regs: input.regs()?,
        manager: ManagerSpec::Baseline {
            regs_per_warp: named_regs(regs_per_warp),
        },
        packs_allocated: u32::from(occupancy.warps) * u32::from(regs_per_warp),
        occupancy,
        shared_from: None,
        sections: None,
        scratchpad: None,
        es: None,
        scheduler: None,
        storage_bits,
        stacks: None,
        idealised: Default::default(),
        variant: None,
    })
}
