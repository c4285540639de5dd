//! The compile-time seam: what a register-sharing system makes of a kernel on a machine.
//!
//! Given a kernel after register allocation, the machine and the shape of a CTA, a [`Scheme`] returns a
//! [`Plan`] (the rewritten kernel, the hardware it asks for, and what each CTA and warp may use) or a
//! [`Refusal`] with the reason.

mod abi_spill;
mod baseline;
mod best_levels;
mod cars;
mod compiler_spill;
mod doubled;
pub mod es;
pub mod occupancy;
pub mod paper;
mod refusal;
pub mod regdem;
pub mod regmutex;
pub mod rfv;
pub mod sharing;
mod waits;

pub use abi_spill::{AbiSpill, Inlined, SWL_LIMITS};
pub use baseline::Baseline;
pub use best_levels::BestLevels;
pub use cars::{Cars, StackPlan, Watermark};
pub use compiler_spill::CompilerSpill;
pub use doubled::Doubled;
pub use es::EsChoice;
pub use occupancy::{CtaShape, LimitedBy, Occupancy};
pub use refusal::Refusal;
pub use regdem::{Demote, LocalSpill, RegDem};
pub use regmutex::{EsSize, RegMutex, Variant};
pub use rfv::{CtaThrottle, FLAG_CACHES, Resident, Rfv, Shrink, WAKE_UPS};
pub use sharing::{Percent, SharedCtas, Sharing, SharingVariant};
pub use waits::run_together;

use crate::compiler::calls::Saves;
use crate::compiler::regdem::predict::Prediction;
use crate::kernel::{Kernel, RegSpace};
use crate::machine::{Machine, SchedulerPolicy};
use crate::memory::scratchpad::Pairs;
use regshare_hw::manager::ManagerSpec;

/// What a scheme plans for.
#[derive(Clone, Copy, Debug)]
pub struct PlanInput<'a> {
    /// The kernel, in architected registers.
    pub kernel: &'a Kernel,
    /// The machine.
    pub machine: &'a Machine,
    /// Size of one CTA.
    pub cta: CtaShape,
    /// True when CTAs of another kernel may be on the same SM; RegMutex then leaves the kernel alone
    /// (RegMutex IV).
    pub shares_sm: bool,
}

impl PlanInput<'_> {
    /// Registers per thread that the kernel names.
    ///
    /// # Errors
    /// [`Refusal::NotAllocated`] before register allocation.
    pub fn regs(&self) -> Result<u16, Refusal> {
        match self.kernel.regs {
            RegSpace::Architected { regs, .. } => Ok(regs),
            RegSpace::Virtual { .. } => Err(Refusal::NotAllocated {
                kernel: self.kernel.name.clone(),
            }),
        }
    }
}

/// What a scheme decided.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Name of the scheme.
    pub scheme: String,
    /// The kernel to run.
    pub kernel: Kernel,
    /// Registers per thread before the scheme renumbers any for its hardware, which can leave gaps.
    pub regs: u16,
    /// The register hardware it runs on.
    pub manager: ManagerSpec,
    /// CTAs and warps that fit on one SM.
    pub occupancy: Occupancy,
    /// Packs of one SM that are set aside when it is full, shared ones included.
    pub packs_allocated: u32,
    /// Registers at or above this index are valid only while acquired.
    pub shared_from: Option<u16>,
    /// Sections that warps share; `None` when nothing is shared.
    pub sections: Option<u16>,
    /// CTA slots that share scratchpad; `None`: each has its own.
    pub scratchpad: Option<Pairs>,
    /// How |Es| was chosen (RegMutex III-A2); `None` where there is nothing to choose.
    pub es: Option<EsChoice>,
    /// How the schedulers choose, where that is part of the scheme; `None`: as the run or the machine says.
    pub scheduler: Option<SchedulerPolicy>,
    /// Storage bits per SM that the scheme adds to the baseline.
    pub storage_bits: u32,
    /// Register stacks; `None` where there are none.
    pub stacks: Option<StackPlan>,
    /// What is not as on a real SM, in a scheme that is only there to be compared with.
    pub idealised: Idealised,
    /// What the scheme made of the kernel, in words, where it had a choice; `None`: there was none.
    pub variant: Option<String>,
}

/// What comparators change about an SM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Idealised {
    /// Accesses to local memory that save or restore registers always hit, and their stores go no further.
    pub spill_fill_hits: bool,
    /// The schedulers choose from so many of the SM's oldest warps; `None`: from all.
    pub most_warps: Option<u8>,
}

/// One of several things that a scheme can make of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// In words.
    pub what: String,
    /// Registers per thread.
    pub regs: u16,
    /// What fits on an SM.
    pub occupancy: Occupancy,
    /// What is expected of it.
    pub predicted: Prediction,
}

/// A register-sharing system at compile time.
pub trait Scheme: Sync {
    /// Name on the command line and in tables.
    fn name(&self) -> &str;

    /// The machine that it runs on: another than the one it is compared on where that is what is compared.
    fn machine(&self, machine: &Machine) -> Machine {
        machine.clone()
    }

    /// The most registers per thread that its hardware takes, if fewer than an instruction can name.
    fn most_regs(&self) -> Option<u16> {
        None
    }

    /// The fewest SMs on which it has something to do.
    fn least_sms(&self) -> u16 {
        1
    }

    /// Whether the user has said how few CTAs are resident.
    fn has_fewer_ctas_by_hand(&self) -> bool {
        false
    }

    /// The scheme for a launch that has so many CTAs for each SM, 1 or more, where that makes a difference.
    fn for_launch(&self, _ctas_of_an_sm: u64) -> Option<Box<dyn Scheme>> {
        None
    }

    /// How functions that are called preserve registers; `None`: it runs kernels with all calls inlined.
    fn calls(&self) -> Option<Saves> {
        None
    }

    /// Schemes of which this one is the best, in cycles; empty: it stands for itself.
    fn candidates(&self) -> Vec<Box<dyn Scheme>> {
        Vec::new()
    }

    /// The cap on registers per thread with which the kernel is to be compiled anew for this scheme; `None`: none. The machine
    /// of `input` is the one that the scheme is compared on.
    ///
    /// # Errors
    /// A [`Refusal`] when not even one CTA can run.
    fn max_regs(&self, _input: &PlanInput<'_>) -> Result<Option<u16>, Refusal> {
        Ok(None)
    }

    /// Plans a kernel.
    ///
    /// # Errors
    /// A [`Refusal`] when not even one CTA can run.
    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal>;

    /// What it chooses among by a prediction, the one that it picks first; empty: it chooses nothing that way.
    ///
    /// # Errors
    /// As [`Scheme::plan`].
    fn alternatives(
        &self,
        _input: &PlanInput<'_>,
        _capped: &[Kernel],
    ) -> Result<Vec<Alternative>, Refusal> {
        Ok(Vec::new())
    }

    /// Caps on registers per thread under which the scheme wants the kernel allocated as well.
    fn caps(&self, _input: &PlanInput<'_>) -> Vec<u16> {
        Vec::new()
    }

    /// Plans a kernel with its allocations under [`Scheme::caps`] at hand; those that do not exist are missing.
    ///
    /// # Errors
    /// As [`Scheme::plan`].
    fn plan_with(&self, input: &PlanInput<'_>, _capped: &[Kernel]) -> Result<Plan, Refusal> {
        self.plan(input)
    }
}

/// Names of the schemes for any kernel and any number of SMs, in the order of tables.
pub const NAMES: [&str; 16] = [
    "baseline",
    "regmutex",
    "paired",
    "paired-safe",
    "shared-lrr-noopt",
    "shared-lrr-unroll",
    "shared-gto-unroll",
    "shared-owf-unroll",
    "rfv",
    "gpu-shrink",
    "regdem",
    "local-spill",
    "rfv-hardware-only",
    "compiler-spill",
    "double-registers",
    "double-scratchpad",
];

/// Names of RegMutex with owner warps first.
pub const OWF_NAMES: [&str; 3] = ["regmutex+owf", "paired+owf", "paired-safe+owf"];

/// Names of the schemes in which SMs are compared with each other: they need two or more ([`Scheme::least_sms`]).
pub const TEAM_NAMES: [&str; 2] = ["shared-lrr-unroll-dyn", "shared-owf-unroll-dyn"];

/// Names of the schemes that are compared on kernels with calls; all but the last keep them.
pub const CALL_NAMES: [&str; 7] = [
    "abi-spill",
    "cars",
    "l1-10mb",
    "all-hit",
    "ideal-virtual-warps",
    "best-swl",
    "inlined",
];

/// What a user can set.
#[derive(Clone, Copy, Debug)]
pub struct SchemeOptions {
    /// For schemes with an extended set: how large it is.
    pub es: EsSize,
    /// For resource sharing: how much is shared.
    pub sharing: Percent,
    /// For GPU-shrink and compiler spill: how many packs the register file has.
    pub shrink: Shrink,
    /// For RegDem: how many registers are demoted.
    pub demote: Demote,
    /// For renaming: entries of the cache of release flags, one of [`FLAG_CACHES`].
    pub flag_entries: u8,
    /// For renaming: clock cycles of the hardware in which a sub-array wakes, one of [`WAKE_UPS`].
    pub wake_up: u8,
    /// For renaming: clock cycles of the hardware in one of the SM, 1 or 2; `None`: 2.
    pub table_clocks: Option<u8>,
    /// For renaming: size of the renaming table, bytes; `None`: it has all registers of all warps.
    pub table_bytes: Option<u32>,
    /// For renaming: which CTAs are resident.
    pub resident: Resident,
    /// For renaming: who may issue when packs run short.
    pub cta_throttle: CtaThrottle,
    /// For CARS: how large stacks are, and whether instructions take longer.
    pub cars: Cars,
}

impl Default for SchemeOptions {
    /// As on the command line if nothing is said.
    fn default() -> Self {
        SchemeOptions {
            es: EsSize::default(),
            sharing: Percent::default(),
            shrink: Shrink::default(),
            demote: Demote::default(),
            flag_entries: Rfv::default().flag_entries,
            wake_up: Rfv::default().wake_up,
            table_clocks: None,
            table_bytes: None,
            resident: Resident::default(),
            cta_throttle: CtaThrottle::default(),
            cars: Cars::default(),
        }
    }
}

/// The scheme of that name.
pub fn by_name(name: &str, options: SchemeOptions) -> Option<Box<dyn Scheme>> {
    let SchemeOptions {
        es: size,
        sharing,
        shrink,
        demote,
        flag_entries,
        wake_up,
        table_clocks,
        table_bytes,
        resident,
        cta_throttle,
        cars,
    } = options;
    if let Some(hardware) = name.strip_prefix("regdem+") {
        let itself = hardware.starts_with("regdem") || hardware == "local-spill";
        let hardware = (!itself).then(|| by_name(hardware, options)).flatten()?;
        return Some(Box::new(RegDem::on(hardware, demote)));
    }
    let rfv = Rfv {
        shrink: None,
        flag_entries,
        wake_up,
        clocks: table_clocks,
        table_bytes,
        resident,
        cta_throttle,
        hardware_only: false,
    };
    let (of, owner_first) = match name.strip_suffix("+owf") {
        Some(of) => (of, true),
        None => (name, false),
    };
    let variant = Variant::ALL.into_iter().find(|&(known, _)| known == of);
    if let Some((_, variant)) = variant {
        return Some(Box::new(RegMutex {
            variant,
            size,
            owner_first,
        }));
    }
    match name {
        "baseline" => Some(Box::new(Baseline)),
        "inlined" => Some(Box::new(Inlined)),
        "cars" => Some(Box::new(cars)),
        "rfv" => Some(Box::new(rfv)),
        "gpu-shrink" => Some(Box::new(Rfv {
            shrink: Some(shrink),
            ..rfv
        })),
        "regdem" => Some(Box::new(RegDem::new(demote))),
        "local-spill" => Some(Box::new(LocalSpill)),
        "rfv-hardware-only" => Some(Box::new(Rfv {
            hardware_only: true,
            table_bytes: None,
            ..rfv
        })),
        "compiler-spill" => Some(Box::new(CompilerSpill { shrink })),
        "double-registers" => Some(Box::new(Doubled::Registers)),
        "double-scratchpad" => Some(Box::new(Doubled::Scratchpad)),
        _ => {
            if let Some(spills) = AbiSpill::by_name(name) {
                return Some(Box::new(spills));
            }
            let mut variants = SharingVariant::ALL.iter().chain(&SharingVariant::DYNAMIC);
            let variant = *variants.find(|variant| variant.name() == name)?;
            let percent = sharing;
            Some(Box::new(Sharing { variant, percent }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_gives_the_scheme_of_that_name() {
        let special = [&OWF_NAMES[..], &TEAM_NAMES, &CALL_NAMES].concat();
        for name in NAMES.into_iter().chain(special) {
            assert_eq!(
                by_name(name, SchemeOptions::default()).unwrap().name(),
                name
            );
        }
    }
}
