//! The baseline of CARS: functions are called, and save the registers that they preserve in local memory (CARS II).

use super::baseline::exclusive_plan;
use super::{Plan, PlanInput, Refusal, Scheme};
use crate::compiler::calls::Saves;

/// Calls by the calling convention, with stores in the prologue and loads in the epilogue; registers as in the baseline, as
/// many per warp as the function has that needs most.
#[derive(Clone, Copy, Debug, Default)]
pub struct AbiSpill;

impl Scheme for AbiSpill {
    fn name(&self) -> &str {
        "abi-spill"
    }

    fn calls(&self) -> Option<Saves> {
        Some(Saves::LocalMemory)
    }

    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        exclusive_plan(self.name(), input, 0)
    }
}
