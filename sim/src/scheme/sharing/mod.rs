//! Resource sharing (Jatala, Anantpur, Karkare, HPDC 2016): CTAs in pairs. Either each warp has some registers for itself and
//! shares the others with the warp at the same place of the partner, or each CTA has a part of its scratchpad for itself and
//! shares the rest with the partner.

mod ctas;
mod registers;
mod scratchpad;

pub use ctas::{Percent, SharedCtas};

use super::baseline::exclusive_plan;
use super::occupancy::{LimitedBy, Occupancy};
use super::waits::{for_other_ctas, refuse, waits_of};
use super::{Plan, PlanInput, Refusal, Scheme};
use crate::machine::SchedulerPolicy;
use regshare_hw::owf::cost::PairLockBits;

/// What goes with the sharing itself, as the paper names it in its figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharingVariant {
    /// Loose round robin, registers as they are.
    LrrNoOpt,
    /// Loose round robin, registers in the order of first use (IV-B).
    LrrUnroll,
    /// Greedy then oldest, registers in the order of first use.
    GtoUnroll,
    /// Owner warps first (IV-A), registers in the order of first use.
    OwfUnroll,
    /// As [`SharingVariant::LrrUnroll`], with dynamic warp execution (IV-C).
    LrrUnrollDyn,
    /// As [`SharingVariant::OwfUnroll`], with dynamic warp execution (IV-C).
    OwfUnrollDyn,
}

impl SharingVariant {
    /// Those that need no second SM, in the order of tables.
    pub const ALL: [SharingVariant; 4] = [
        SharingVariant::LrrNoOpt,
        SharingVariant::LrrUnroll,
        SharingVariant::GtoUnroll,
        SharingVariant::OwfUnroll,
    ];

    /// Those in which SMs are compared with SM 0.
    pub const DYNAMIC: [SharingVariant; 2] =
        [SharingVariant::LrrUnrollDyn, SharingVariant::OwfUnrollDyn];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SharingVariant::LrrNoOpt => "shared-lrr-noopt",
            SharingVariant::LrrUnroll => "shared-lrr-unroll",
            SharingVariant::GtoUnroll => "shared-gto-unroll",
            SharingVariant::OwfUnroll => "shared-owf-unroll",
            SharingVariant::LrrUnrollDyn => "shared-lrr-unroll-dyn",
            SharingVariant::OwfUnrollDyn => "shared-owf-unroll-dyn",
        }
    }

    /// The policy of the schedulers. Where owners go first the hardware chooses; without owners that is the oldest.
    const fn scheduler(self) -> SchedulerPolicy {
        match self {
            SharingVariant::LrrNoOpt | SharingVariant::LrrUnroll | SharingVariant::LrrUnrollDyn => {
                SchedulerPolicy::Lrr
            }
            SharingVariant::GtoUnroll => SchedulerPolicy::Gto,
            SharingVariant::OwfUnroll | SharingVariant::OwfUnrollDyn => SchedulerPolicy::Oldest,
        }
    }

    /// Whether the hardware chooses the warps.
    const fn owner_first(self) -> bool {
        matches!(
            self,
            SharingVariant::OwfUnroll | SharingVariant::OwfUnrollDyn
        )
    }

    /// Dynamic warp execution; which SM it is says the run.
    fn dynamic(self) -> Option<u16> {
        Self::DYNAMIC.contains(&self).then_some(0)
    }
}

/// Sharing of registers or of scratchpad.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// Scheduler and order of the registers.
    pub variant: SharingVariant,
    /// How much of a warp's registers or of a CTA's scratchpad is shared.
    pub percent: Percent,
}

impl Sharing {
    /// The plan of a kernel that neither resource limits: nothing changes but the scheduler.
    fn untouched(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        let mut plan = exclusive_plan(self.name(), input, register_bits(input))?;
        plan.scheduler = Some(self.variant.scheduler());
        Ok(plan)
    }

    /// What both resources have in common: `ctas` share where `alone` are resident without, and `most` if there were enough.
    fn occupancy(&self, input: &PlanInput<'_>, ctas: SharedCtas, limits: Limiting) -> Occupancy {
        let total = ctas.total() as u16;
        let warps = total * input.cta.warps() as u16;
        Occupancy {
            ctas: total,
            warps,
            limited_by: match total == limits.most.ctas {
                true => limits.most.limited_by,
                false => limits.resource,
            },
            fraction: f64::from(warps) / f64::from(input.machine.limits.warps_per_sm),
        }
    }
}

/// The resource that is shared, and what would fit if there were enough of it.
#[derive(Clone, Copy, Debug)]
struct Limiting {
    resource: LimitedBy,
    most: Occupancy,
}

/// The paper's bits for registers (V).
fn register_bits(input: &PlanInput<'_>) -> u32 {
    let limits = &input.machine.limits;
    PairLockBits::new(limits.warps_per_sm.into(), limits.ctas_per_sm.into()).total() as u32
}

impl Scheme for Sharing {
    fn name(&self) -> &str {
        self.variant.name()
    }

    fn least_sms(&self) -> u16 {
        1 + u16::from(self.variant.dynamic().is_some())
    }

    /// Shares what limits the kernel, registers or scratchpad. If both do, none can have more CTAs; the hardware shares one of
    /// them ([`regshare_hw::owf::owf_top`]).
    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        // Refuses what does not fit at all.
        let rounded = input.machine.limits.rounded_regs(input.regs()?);
        Occupancy::with_regs(&input.machine.limits, input.cta, rounded)?;
        if input.shares_sm {
            return self.untouched(input);
        }
        let plan = match registers::plan(self, input)? {
            Some(plan) => Some(plan),
            None => scratchpad::plan(self, input)?,
        };
        let Some(plan) = plan else {
            return self.untouched(input);
        };
        // A non-owner waits until its owner has ended.
        match for_other_ctas(&waits_of(input.kernel)) {
            None => Ok(plan),
            Some(wait) => Err(refuse(
                self.name(),
                wait,
                "a CTA that shares waits for its partner to end, which may wait for it; give --sharing 0",
            )),
        }
    }
}

#[cfg(test)]
mod tests;
