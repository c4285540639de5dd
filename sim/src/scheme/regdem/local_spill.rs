//! What RegDem is compared with: the allocator's spilling to local memory under a cap.

use super::Variant;
use super::steps::targets;
use crate::kernel::{Kernel, RegSpace};
use crate::scheme::{Baseline, Plan, PlanInput, Refusal, Scheme};

/// A cap on registers at the next step of occupancy, with what does not fit spilled to local memory by the register
/// allocator. A kernel without such a step is left alone; other caps are for `--max-regs`.
#[derive(Clone, Copy, Debug, Default)]
pub struct LocalSpill;

impl Scheme for LocalSpill {
    fn name(&self) -> &str {
        "local-spill"
    }

    fn caps(&self, input: &PlanInput<'_>) -> Vec<u16> {
        let all = targets(input, input.regs().unwrap_or(0), None);
        all.into_iter().take(1).collect()
    }

    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        self.plan_with(input, &[])
    }

    fn plan_with(&self, input: &PlanInput<'_>, capped: &[Kernel]) -> Result<Plan, Refusal> {
        let kernel = capped.first().unwrap_or(input.kernel);
        let mut plan = Baseline.plan(&PlanInput { kernel, ..*input })?;
        plan.scheme = self.name().to_owned();
        let variant = match (capped.first(), kernel.regs) {
            (Some(_), RegSpace::Architected { regs, .. }) => Variant::LocalSpill(regs),
            _ => Variant::Untouched,
        };
        plan.variant = Some(variant.to_string());
        Ok(plan)
    }
}
