//! Resource sharing of registers (Jatala, Anantpur, Karkare, HPDC 2016): CTAs in pairs, of which each warp has some registers
//! for itself and shares the others with the warp at the same place of the partner.

mod ctas;

pub use ctas::{Percent, SharedCtas};

use super::baseline::exclusive_plan;
use super::occupancy::{LimitedBy, Occupancy};
use super::{Plan, PlanInput, Refusal, Scheme};
use crate::compiler::first_use;
use crate::machine::SchedulerPolicy;
use regshare_hw::manager::ManagerSpec;
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
}

impl SharingVariant {
    /// All of them, in the order of tables.
    pub const ALL: [SharingVariant; 4] = [
        SharingVariant::LrrNoOpt,
        SharingVariant::LrrUnroll,
        SharingVariant::GtoUnroll,
        SharingVariant::OwfUnroll,
    ];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SharingVariant::LrrNoOpt => "shared-lrr-noopt",
            SharingVariant::LrrUnroll => "shared-lrr-unroll",
            SharingVariant::GtoUnroll => "shared-gto-unroll",
            SharingVariant::OwfUnroll => "shared-owf-unroll",
        }
    }

    /// The policy of the schedulers. Where owners go first the hardware chooses; without owners that is the oldest.
    const fn scheduler(self) -> SchedulerPolicy {
        match self {
            SharingVariant::LrrNoOpt | SharingVariant::LrrUnroll => SchedulerPolicy::Lrr,
            SharingVariant::GtoUnroll => SchedulerPolicy::Gto,
            SharingVariant::OwfUnroll => SchedulerPolicy::Oldest,
        }
    }
}

/// Register sharing.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// Scheduler and order of the registers.
    pub variant: SharingVariant,
    /// How much of a warp's registers is shared.
    pub percent: Percent,
}

impl Sharing {
    /// The plan of a kernel that registers do not limit: nothing changes but the scheduler.
    fn untouched(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        let mut plan = exclusive_plan(self.name(), input, storage_bits(input))?;
        plan.scheduler = Some(self.variant.scheduler());
        Ok(plan)
    }
}

/// The paper's bits (V).
fn storage_bits(input: &PlanInput<'_>) -> u32 {
    let limits = &input.machine.limits;
    PairLockBits::new(limits.warps_per_sm.into(), limits.ctas_per_sm.into()).total() as u32
}

impl Scheme for Sharing {
    fn name(&self) -> &str {
        self.variant.name()
    }

    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        let limits = &input.machine.limits;
        let (warps_per_cta, packs) = (input.cta.warps(), u32::from(limits.packs_per_sm));
        let rounded = limits.rounded_regs(input.regs()?);
        let alone = Occupancy::with_regs(limits, input.cta, rounded)?;
        let most = Occupancy::fit(limits, input.cta, |_| 0)?;
        let per_cta = warps_per_cta * u32::from(rounded);
        let ctas = SharedCtas::new(packs, per_cta, self.percent, most.ctas.into());
        if input.shares_sm || ctas.pairs == 0 {
            return self.untouched(input);
        }
        // Registers below Rw t are private. Where that is no whole number and a register too many for the file, the one at
        // the bound is shared.
        let lower = (ctas.unshared + ctas.pairs) * per_cta;
        let packs_for = |private: u32| lower + ctas.pairs * warps_per_cta * private;
        let private = self.percent.private(rounded.into());
        let private = private - u32::from(packs_for(private) > packs);
        let kernel = match self.variant {
            SharingVariant::LrrNoOpt => input.kernel.clone(),
            _ => {
                let renumbered = first_use::by_first_use(input.kernel);
                first_use::check(input.kernel, &renumbered).map_err(|error| Refusal::Option {
                    scheme: self.name().to_owned(),
                    reason: format!("refused by the checker: {error}"),
                })?;
                renumbered
            }
        };
        let (total, private) = (ctas.total() as u16, private as u16);
        let warps = total * warps_per_cta as u16;
        debug_assert!(total > alone.ctas);
        Ok(Plan {
            scheme: self.name().to_owned(),
            kernel,
            manager: ManagerSpec::Sharing {
                warps_per_cta: warps_per_cta as u16,
                private_regs: private,
                shared_regs: rounded - private,
                pairs: ctas.pairs as u16,
                unshared: ctas.unshared as u16,
                owner_first: self.variant == SharingVariant::OwfUnroll,
            },
            occupancy: Occupancy {
                ctas: total,
                warps,
                limited_by: match total == most.ctas {
                    true => most.limited_by,
                    false => LimitedBy::Registers,
                },
                fraction: f64::from(warps) / f64::from(limits.warps_per_sm),
            },
            packs_allocated: packs_for(private.into()),
            shared_from: Some(private),
            sections: Some(ctas.pairs as u16 * warps_per_cta as u16),
            es: None,
            scheduler: Some(self.variant.scheduler()),
            storage_bits: storage_bits(input),
        })
    }
}

#[cfg(test)]
mod tests;
