//! The baseline of CARS: functions are called, and save the registers that they preserve in local memory (CARS II); and what the
//! paper compares with it besides (CARS V-D).

use super::baseline::exclusive_plan;
use super::{Plan, PlanInput, Refusal, Scheme};
use crate::compiler::calls::Saves;
use crate::machine::Machine;
use regshare_hw::manager::MOST_BASELINE_PACKS;

/// Warps of an SM that its schedulers may choose from, of which `best-swl` takes the best (CARS V-D).
pub const SWL_LIMITS: [u8; 6] = [1, 2, 3, 4, 8, 16];
/// Lines of 128 bytes in 10 MiB: sets, and ways of each. // assumed: 20 ways
const TEN_MIB: (u16, u16) = (4096, 20);
/// Packs and CTA slots of the idealised SM: as many as 64 warps can use.
const VIRTUAL: (u16, u16) = (MOST_BASELINE_PACKS, 64);

/// Calls by the calling convention, with stores in the prologue and loads in the epilogue; registers as in the baseline, as
/// many per warp as the function has that needs most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AbiSpill {
    /// On the machine as it is.
    #[default]
    Plain,
    /// With a first-level cache of 10 MiB (`l1-10mb`).
    LargeL1,
    /// Every access that saves or restores a register hits, and no store of one goes to memory (`all-hit`).
    AllHit,
    /// Idealised virtual warps: registers, scratchpad and CTA slots do not limit warps (`ideal-virtual-warps`, after Zorua).
    VirtualWarps,
    /// The schedulers of an SM choose from so many of its oldest warps together (`swl-N`).
    Swl(u8),
    /// The best of those (`best-swl`).
    BestSwl,
}

impl AbiSpill {
    /// The scheme of that name.
    pub fn by_name(name: &str) -> Option<AbiSpill> {
        let limited = SWL_LIMITS.map(AbiSpill::Swl);
        [
            AbiSpill::Plain,
            AbiSpill::LargeL1,
            AbiSpill::AllHit,
            AbiSpill::VirtualWarps,
            AbiSpill::BestSwl,
        ]
        .into_iter()
        .chain(limited)
        .find(|scheme| scheme.name() == name)
    }
}

impl Scheme for AbiSpill {
    fn name(&self) -> &str {
        match self {
            AbiSpill::Plain => "abi-spill",
            AbiSpill::LargeL1 => "l1-10mb",
            AbiSpill::AllHit => "all-hit",
            AbiSpill::VirtualWarps => "ideal-virtual-warps",
            AbiSpill::BestSwl => "best-swl",
            AbiSpill::Swl(1) => "swl-1",
            AbiSpill::Swl(2) => "swl-2",
            AbiSpill::Swl(3) => "swl-3",
            AbiSpill::Swl(4) => "swl-4",
            AbiSpill::Swl(8) => "swl-8",
            AbiSpill::Swl(_) => "swl-16",
        }
    }

    fn machine(&self, machine: &Machine) -> Machine {
        let mut changed = machine.clone();
        match self {
            AbiSpill::LargeL1 => {
                (changed.memory.l1_sets, changed.memory.l1_ways) = TEN_MIB;
            }
            AbiSpill::VirtualWarps => {
                changed.limits.packs_per_sm = VIRTUAL.0;
                changed.limits.ctas_per_sm = VIRTUAL.1;
                let per_cta = changed.limits.scratchpad_bytes;
                changed
                    .limits
                    .scratchpad_bytes_per_cta
                    .get_or_insert(per_cta);
                changed.limits.scratchpad_bytes = per_cta.saturating_mul(VIRTUAL.1.into());
            }
            _ => {}
        }
        changed
    }

    fn calls(&self) -> Option<Saves> {
        Some(Saves::LocalMemory)
    }

    fn candidates(&self) -> Vec<Box<dyn Scheme>> {
        match self {
            AbiSpill::BestSwl => (SWL_LIMITS.into_iter())
                .map(|limit| Box::new(AbiSpill::Swl(limit)) as Box<dyn Scheme>)
                .collect(),
            _ => Vec::new(),
        }
    }

    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        let mut plan = exclusive_plan(self.name(), input, 0)?;
        match self {
            AbiSpill::AllHit => plan.idealised.spill_fill_hits = true,
            AbiSpill::Swl(limit) => plan.idealised.most_warps = Some(*limit),
            _ => {}
        }
        Ok(plan)
    }
}

/// Everything inlined: what calls cost at best (CARS VI-F).
#[derive(Clone, Copy, Debug, Default)]
pub struct Inlined;

impl Scheme for Inlined {
    fn name(&self) -> &str {
        "inlined"
    }

    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        exclusive_plan(self.name(), input, 0)
    }
}
