//! RegMutex: base registers for every warp, extended ones shared by all (III-B) or by pairs of warps (III-C). The warps are chosen
//! by the schedulers, or by the hardware, those that hold extended ones first (owner warp first; resource sharing, IV-A).

use super::baseline::exclusive_plan;
use super::es::{EsInput, Policy, Rejection, Sharing};
use super::{EsChoice, Occupancy, Plan, PlanInput, Refusal, Scheme};
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::{Liveness, WarpOptions};
use crate::compiler::regmutex::{Repeats, Rewritten, checker, live_where_free, rewrite};
use crate::machine::SchedulerPolicy;
use regshare_hw::cost;
use regshare_hw::manager::ManagerSpec;

/// Sizes that a user can set by hand (RegMutex IV-D).
pub const FIXED_SIZES: [u16; 6] = [2, 4, 6, 8, 10, 12];

/// How large the extended set is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EsSize {
    /// Chosen for the kernel; 0, and the kernel untouched, where nothing helps.
    Auto(Policy),
    /// One of [`FIXED_SIZES`], whether it helps or not.
    Fixed(u16),
}

impl Default for EsSize {
    fn default() -> Self {
        EsSize::Auto(Policy::default())
    }
}

/// Which hardware shares the extended sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// A pool of sections for all warps.
    Pool,
    /// One set and one bit per pair of warps, as the paper has it. The bit does not tell whose the set is, so the
    /// compiler must never let an acquire or a release repeat.
    Paired,
    /// One set per pair, and a bit per warp.
    PairedSafe,
}

impl Variant {
    /// All, with the names of their schemes.
    pub const ALL: [(&str, Variant); 3] = [
        ("regmutex", Variant::Pool),
        ("paired", Variant::Paired),
        ("paired-safe", Variant::PairedSafe),
    ];
}

/// The RegMutex schemes.
#[derive(Clone, Copy, Debug)]
pub struct RegMutex {
    /// The hardware.
    pub variant: Variant,
    /// Size of the extended set.
    pub size: EsSize,
    /// The hardware chooses the warps, those that hold an extended set first.
    pub owner_first: bool,
}

impl RegMutex {
    /// Storage bits that the hardware adds per SM of `warps` warp slots. Pool: warp status, section status, and a
    /// section number per warp (RegMutex III-B1: 384 for 48 warps). Owner warp first adds none as its paper counts (resource
    /// sharing, V): the owner bit of a warp is its status.
    pub fn storage_bits(&self, warps: u16) -> u32 {
        let warps = u64::from(warps);
        let bits = match self.variant {
            Variant::Pool => cost::RegMutexBits::new(warps).total(),
            Variant::Paired => cost::paired_bits(warps),
            Variant::PairedSafe => cost::paired_safe_bits(warps),
        };
        bits as u32
    }

    fn sharing(&self) -> Sharing {
        match self.variant {
            Variant::Pool => Sharing::Pool,
            Variant::Paired | Variant::PairedSafe => Sharing::Pairs,
        }
    }

    fn repeats(&self) -> Repeats {
        match self.variant {
            Variant::Pool | Variant::PairedSafe => Repeats::Allowed,
            Variant::Paired => Repeats::Never,
        }
    }

    /// The rewritten kernel, proved.
    fn rewritten(&self, input: &PlanInput<'_>, bs: u16, es: u16) -> Result<Rewritten, String> {
        let repeats = self.repeats();
        let rewritten =
            rewrite(input.kernel, bs, es, repeats).map_err(|error| error.to_string())?;
        checker::check(input.kernel, &rewritten, bs, repeats)
            .map_err(|error| format!("refused by the checker: {error}"))?;
        Ok(rewritten)
    }

    fn untouched(&self, input: &PlanInput<'_>, choice: EsChoice) -> Result<Plan, Refusal> {
        let storage_bits = self.storage_bits(input.machine.limits.warps_per_sm);
        let mut plan = exclusive_plan(self.name(), input, storage_bits)?;
        plan.es = Some(choice);
        plan.scheduler = self.scheduler();
        Ok(plan)
    }

    /// Where the hardware chooses; without owners that is the oldest.
    fn scheduler(&self) -> Option<SchedulerPolicy> {
        self.owner_first.then_some(SchedulerPolicy::Oldest)
    }

    fn refused(&self, reason: impl ToString) -> Refusal {
        Refusal::Option {
            scheme: self.name().to_owned(),
            reason: reason.to_string(),
        }
    }
}

impl Scheme for RegMutex {
    fn name(&self) -> &str {
        match (self.variant, self.owner_first) {
            (Variant::Pool, false) => "regmutex",
            (Variant::Pool, true) => "regmutex+owf",
            (Variant::Paired, false) => "paired",
            (Variant::Paired, true) => "paired+owf",
            (Variant::PairedSafe, false) => "paired-safe",
            (Variant::PairedSafe, true) => "paired-safe+owf",
        }
    }

    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        if input.shares_sm {
            let choice = EsChoice {
                candidates: Vec::new(),
                chosen: None,
            };
            return self.untouched(input, choice);
        }
        let regs = input.regs()?;
        let cfg = Cfg::new(input.kernel).map_err(|error| self.refused(error))?;
        let warp = Liveness::warp_wide(input.kernel, &cfg, WarpOptions::default());
        let limits = &input.machine.limits;
        let es_input = EsInput {
            regs,
            limits,
            cta: input.cta,
            live_at_barriers: live_where_free(input.kernel, &cfg, &warp),
            sharing: self.sharing(),
        };
        let mut rewritten = None;
        let (choice, occupancy) = match self.size {
            EsSize::Auto(policy) => {
                let rounded = limits.rounded_regs(regs);
                let choice = EsChoice::by_policy(&es_input, policy, |bs| {
                    rewritten = Some(self.rewritten(input, bs, rounded - bs)?);
                    Ok(())
                });
                let Some(chosen) = choice.candidate() else {
                    return self.untouched(input, choice);
                };
                let occupancy = es_input.occupancy(chosen.bs, chosen.es)?;
                (choice, occupancy)
            }
            EsSize::Fixed(es) => {
                if !FIXED_SIZES.contains(&es) {
                    return Err(self.refused(format!("|Es| {es}; expected one of {FIXED_SIZES:?}")));
                }
                let (choice, occupancy) = EsChoice::fixed(&es_input, es)
                    .map_err(|reason| self.refused(format!("|Es| {es}: {reason}")))?;
                let bs = choice.candidates[0].bs;
                rewritten = Some(self.rewritten(input, bs, es).map_err(|reason| {
                    self.refused(format!("|Es| {es}: {}", Rejection::Compaction(reason)))
                })?);
                (choice, occupancy)
            }
        };
        let rewritten = rewritten.expect("a choice has a kernel");
        Ok(self.shared_plan(input, regs, rewritten, choice, occupancy))
    }
}

impl RegMutex {
    fn shared_plan(
        &self,
        input: &PlanInput<'_>,
        regs: u16,
        rewritten: Rewritten,
        choice: EsChoice,
        occupancy: Occupancy,
    ) -> Plan {
        let chosen = choice.candidate().expect("chosen").clone();
        let (base_regs, ext_regs) = (chosen.bs, chosen.es);
        let base_packs = u32::from(occupancy.warps) * u32::from(base_regs);
        let shared_packs = u32::from(chosen.sections) * u32::from(ext_regs);
        let manager = match self.variant {
            // Base sets of all resident warps come first, so that Y = Widx * |Bs| + X.
            Variant::Pool => ManagerSpec::RegMutex {
                base_regs,
                ext_regs,
                sections: chosen.sections,
                srp_offset: base_packs as u16,
                owner_first: self.owner_first,
            },
            Variant::Paired | Variant::PairedSafe => ManagerSpec::Paired {
                base_regs,
                ext_regs,
                safe: self.variant == Variant::PairedSafe,
                owner_first: self.owner_first,
            },
        };
        let packs_allocated = match self.variant {
            Variant::Pool => base_packs + shared_packs,
            _ => u32::from(chosen.sections) * u32::from(2 * base_regs + ext_regs),
        };
        Plan {
            scheme: self.name().to_owned(),
            kernel: rewritten.kernel,
            regs,
            manager,
            occupancy,
            packs_allocated,
            shared_from: Some(base_regs),
            sections: Some(chosen.sections),
            scratchpad: None,
            es: Some(choice),
            scheduler: self.scheduler(),
            storage_bits: self.storage_bits(input.machine.limits.warps_per_sm),
            stacks: None,
            idealised: Default::default(),
            variant: None,
        }
    }
}

#[cfg(test)]
mod tests;
