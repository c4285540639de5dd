//! Register file virtualization (Jeon et al., MICRO 2015): packs are mapped when a register is written and given back when it
//! is dead; GPU-shrink has fewer packs than the architecture names.

use super::baseline::exclusive_plan;
use super::occupancy::LimitedBy;
use super::{Plan, PlanInput, Refusal, Scheme};
use crate::compiler::rfv::{BANKS, Flagged, flag};
use regshare_hw::manager::{Geometry, ManagerSpec, renaming_hardware};
use regshare_hw::rfv::cost::{CtaThrottleBits, FlagCacheBits, RenameTableBits, availability_bits};
use regshare_hw::rfv::free_list::kept_packs;
use regshare_hw::rfv::release_flag_cache::{ENTRIES, PC_BITS};

/// By how much GPU-shrink makes the register file smaller (RFV 9.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shrink {
    /// 30 %: 716 of 1024 packs.
    By30,
    /// 40 %: 612.
    By40,
    /// 50 %: 512.
    #[default]
    By50,
}

impl Shrink {
    /// All of them.
    pub const ALL: [Shrink; 3] = [Shrink::By30, Shrink::By40, Shrink::By50];

    /// In per cent.
    #[must_use]
    pub const fn percent(self) -> u8 {
        match self {
            Shrink::By30 => 30,
            Shrink::By40 => 40,
            Shrink::By50 => 50,
        }
    }

    /// The value of the hardware's pin `shrink`.
    const fn pin(self) -> u8 {
        match self {
            Shrink::By30 => 1,
            Shrink::By40 => 2,
            Shrink::By50 => 3,
        }
    }
}

/// Register file virtualization, all registers renamed.
#[derive(Clone, Copy, Debug)]
pub struct Rfv {
    /// `None`: the register file has all packs.
    pub shrink: Option<Shrink>,
}

/// The paper's bits: renaming table, availability, flags in the cache, balance counters (7.1, 7.2, 8.1).
fn storage_bits(input: &PlanInput<'_>) -> u32 {
    let limits = &input.machine.limits;
    let packs = u64::from(limits.packs_per_sm);
    let table = RenameTableBits::new(limits.warps_per_sm.into(), 63, packs, false);
    let cache = FlagCacheBits::new(ENTRIES as u64, PC_BITS.into());
    let throttle = CtaThrottleBits::new(limits.ctas_per_sm.into(), packs);
    (table.names + availability_bits(packs) + cache.flags + throttle.counters) as u32
}

impl Rfv {
    fn pin(self) -> u8 {
        self.shrink.map_or(0, Shrink::pin)
    }

    fn refused(&self, reason: String) -> Refusal {
        Refusal::Option {
            scheme: self.name().to_owned(),
            reason,
        }
    }

    /// CTAs of which each warp can have mapped all that it ever has at once, in each bank: then none can wait for a pack for
    /// ever. The paper launches what the architected registers allow, and spills a warp if it must (8.1).
    fn ctas_that_fit(&self, input: &PlanInput<'_>, flagged: &Flagged) -> Option<u16> {
        let per_bank = usize::from(input.machine.limits.packs_per_sm) / BANKS;
        let kept = kept_packs(per_bank)[usize::from(self.pin())] as u32;
        let warps = input.cta.warps();
        (flagged.most_mapped.iter())
            .filter(|&&most| most > 0)
            .map(|&most| (kept / (warps * u32::from(most))) as u16)
            .min()
    }
}

impl Scheme for Rfv {
    fn name(&self) -> &str {
        match self.shrink {
            None => "rfv",
            Some(_) => "gpu-shrink",
        }
    }

    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        let mut plan = exclusive_plan(self.name(), input, storage_bits(input))?;
        let regs = input.regs()?;
        let flagged = flag(input.kernel).map_err(|error| self.refused(error.to_string()))?;
        let fit = self.ctas_that_fit(input, &flagged);
        let per_bank = usize::from(input.machine.limits.packs_per_sm) / BANKS;
        let kept = kept_packs(per_bank)[usize::from(self.pin())];
        if let Some(fit) = fit
            && fit < plan.occupancy.ctas
        {
            if fit == 0 {
                let most = flagged.most_mapped.iter().max().copied().unwrap_or(0);
                return Err(self.refused(format!(
                    "one CTA of {} warps has up to {most} registers of a bank mapped per warp, a bank has {kept} packs; use smaller \
                     CTAs, a larger file, or fewer registers (--max-regs)",
                    input.cta.warps()
                )));
            }
            let limits = &input.machine.limits;
            plan.occupancy.ctas = fit;
            plan.occupancy.warps = fit * input.cta.warps() as u16;
            plan.occupancy.limited_by = LimitedBy::Registers;
            plan.occupancy.fraction =
                f64::from(plan.occupancy.warps) / f64::from(limits.warps_per_sm);
        }
        let machine = input.machine;
        let geometry = Geometry {
            warps: machine.limits.warps_per_sm,
            packs: machine.limits.packs_per_sm,
            schedulers: machine.schedulers.count,
        };
        if renaming_hardware(geometry, plan.occupancy.ctas, self.pin()).is_none() {
            let less = self.shrink.map_or(String::new(), |shrink| {
                format!(" less {} %", shrink.percent())
            });
            return Err(self.refused(format!(
                "no hardware for {} packs{less}, {} warps and {} CTAs; take a machine with 1024 packs, 48 warps and 8 CTAs or with \
                 2048, 64 and 32",
                geometry.packs, geometry.warps, plan.occupancy.ctas
            )));
        }
        plan.manager = ManagerSpec::Renaming {
            warps_per_cta: input.cta.warps() as u16,
            regs,
            ctas: plan.occupancy.ctas,
            shrink: self.pin(),
        };
        let most = u32::from(plan.occupancy.warps) * u32::from(flagged.most_mapped_in_all);
        plan.packs_allocated = most.min((BANKS * kept) as u32);
        plan.kernel = flagged.kernel;
        Ok(plan)
    }
}

#[cfg(test)]
mod tests;
