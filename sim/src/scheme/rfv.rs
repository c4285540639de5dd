//! Register file virtualization (Jeon et al., MICRO 2015): packs are mapped when a register is written and given back when it
//! is dead; GPU-shrink has fewer packs than the architecture names.

mod resident;

use super::baseline::exclusive_plan;
use super::occupancy::LimitedBy;
use super::waits::{for_other_ctas, waits_of};
use super::{Plan, PlanInput, Refusal, Scheme};
use crate::compiler::first_use;
use crate::compiler::rfv::exempt::{exempt_longest, renamed_registers};
use crate::compiler::rfv::{BANKS, FlagError, MAX_REGS, flag};
use crate::kernel::Kernel;
use regshare_hw::manager::{Geometry, ManagerSpec, renaming_hardware};
use regshare_hw::rfv::cost::{CtaThrottleBits, FlagCacheBits, RenameTableBits, availability_bits};
use regshare_hw::rfv::release_flag_cache::{ENTRIES, PC_BITS};

pub use resident::{CtaThrottle, Resident};

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
    pub(super) const fn pin(self) -> u8 {
        match self {
            Shrink::By30 => 1,
            Shrink::By40 => 2,
            Shrink::By50 => 3,
        }
    }
}

/// Entries that the cache of release flags can have (RFV, Figure 13).
pub const FLAG_CACHES: [u8; 5] = [0, 1, 2, 5, 10];

/// Cycles that a sub-array can take to wake (RFV 9.2, Figure 11b); with 0 none ever sleeps.
pub const WAKE_UPS: [u8; 4] = [0, 1, 3, 10];

/// Register file virtualization.
#[derive(Clone, Copy, Debug)]
pub struct Rfv {
    /// `None`: the register file has all packs.
    pub shrink: Option<Shrink>,
    /// Entries of the cache of release flags, one of [`FLAG_CACHES`].
    pub flag_entries: u8,
    /// Clock cycles of the hardware in which a sub-array wakes, one of [`WAKE_UPS`].
    pub wake_up: u8,
    /// Clock cycles of the hardware in one of the SM, 1 or 2; `None`: 2.
    pub clocks: Option<u8>,
    /// Size of the renaming table; what does not fit is exempt from renaming (7.1). `None`: all registers of all warps.
    pub table_bytes: Option<u32>,
    /// Which CTAs are resident.
    pub resident: Resident,
    /// Who may issue when packs run short.
    pub cta_throttle: CtaThrottle,
    /// Without the compiler: a pack is given back when its register is written anew (9.5).
    pub hardware_only: bool,
}

impl Default for Rfv {
    /// All packs, ten entries, a wake-up of one clock cycle, two of which are one of the SM, the whole table.
    fn default() -> Self {
        Rfv {
            shrink: None,
            flag_entries: ENTRIES as u8,
            wake_up: 1,
            clocks: None,
            table_bytes: None,
            resident: Resident::default(),
            cta_throttle: CtaThrottle::default(),
            hardware_only: false,
        }
    }
}

/// What a kernel needs of the renaming hardware.
struct Renamed {
    kernel: Kernel,
    /// Registers named, after renumbering.
    regs: u16,
    exempt: u16,
    /// Most registers of each bank, and in all, that a warp has mapped at once.
    most: [u16; BANKS],
    most_in_all: u16,
    /// Registers mapped in the mean.
    mean: f64,
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

    /// The paper's bits: renaming table, availability, flags in the cache, balance counters (7.1, 7.2, 8.1).
    fn storage_bits(&self, input: &PlanInput<'_>) -> u32 {
        let limits = &input.machine.limits;
        let packs = u64::from(limits.packs_per_sm);
        let table = RenameTableBits::new(limits.warps_per_sm.into(), 63, packs, false).names;
        let table = match self.table_bytes {
            Some(bytes) => table.min(8 * u64::from(bytes)),
            None => table,
        };
        let mut bits = table + availability_bits(packs);
        if !self.hardware_only {
            bits += FlagCacheBits::new(self.flag_entries.into(), PC_BITS.into()).flags;
            bits += CtaThrottleBits::new(limits.ctas_per_sm.into(), packs).counters;
        }
        bits as u32
    }

    /// Registers for which the table has no room with so many resident warps.
    fn beyond_table(&self, input: &PlanInput<'_>, warps: u16) -> Result<u16, Refusal> {
        let fit = self.table_bytes.map_or(MAX_REGS, |bytes| {
            let name_bits = u32::from(input.machine.limits.packs_per_sm.max(2) - 1).ilog2() + 1;
            renamed_registers(bytes, warps, name_bits)
        });
        Ok(input.regs()?.saturating_sub(fit))
    }

    /// The kernel with flags, where there are some, and what it maps, with `exempt` registers that are not renamed.
    fn renamed(&self, input: &PlanInput<'_>, exempt: u16) -> Result<Renamed, Refusal> {
        let regs = input.regs()?;
        let refused = |error: FlagError| self.refused(error.to_string());
        if self.hardware_only {
            if regs > MAX_REGS {
                return Err(refused(FlagError::Registers(regs)));
            }
            return Ok(Renamed {
                kernel: input.kernel.clone(),
                regs,
                exempt: 0,
                most: std::array::from_fn(|bank| (regs + 3 - bank as u16) / BANKS as u16),
                most_in_all: regs,
                mean: regs.into(),
            });
        }
        let (kernel, exempt) = exempt_longest(input.kernel, exempt).map_err(refused)?;
        first_use::check(input.kernel, &kernel)
            .map_err(|error| self.refused(format!("refused by the checker: {error}")))?;
        let regs = PlanInput {
            kernel: &kernel,
            ..*input
        }
        .regs()?;
        let flagged = flag(&kernel, exempt).map_err(refused)?;
        Ok(Renamed {
            kernel: flagged.kernel,
            regs,
            exempt,
            most: flagged.most_mapped,
            most_in_all: flagged.most_mapped_in_all,
            mean: flagged.mean_mapped,
        })
    }
}

impl Scheme for Rfv {
    fn name(&self) -> &str {
        match (self.hardware_only, self.shrink) {
            (true, _) => "rfv-hardware-only",
            (false, None) => "rfv",
            (false, Some(_)) => "gpu-shrink",
        }
    }

    fn most_regs(&self) -> Option<u16> {
        Some(MAX_REGS)
    }

    fn has_fewer_ctas_by_hand(&self) -> bool {
        matches!(self.resident, Resident::Fit | Resident::AtMost(_))
    }

    fn plan(&self, input: &PlanInput<'_>) -> Result<Plan, Refusal> {
        let mut plan = exclusive_plan(self.name(), input, self.storage_bits(input))?;
        let beyond = self.beyond_table(input, plan.occupancy.warps)?;
        let mut renamed = self.renamed(input, beyond)?;
        let mut fit = self.ctas_that_fit(input, &renamed, plan.occupancy.ctas);
        let architected = plan.occupancy.ctas;
        // Exempt registers lie in all banks alike, a number that is no multiple of them leaves one bank more to rename than the
        // others.
        if fit < plan.occupancy.ctas
            && !renamed.exempt.is_multiple_of(BANKS as u16)
            && let Ok(even) = self.renamed(input, renamed.exempt.next_multiple_of(BANKS as u16))
        {
            let more = self.ctas_that_fit(input, &even, plan.occupancy.ctas);
            if more > fit {
                (renamed, fit) = (even, more);
            }
        }
        let loops = waits_of(input.kernel);
        let mut spills = fit == 0;
        let alone = spills;
        if alone {
            self.one_warp_fits(input, &renamed, 1)?;
            self.none_waits_in_a_loop(&loops)?;
            fit = 1;
        }
        let waits = !alone && !self.hardware_only && {
            let asked = if for_other_ctas(&loops).is_some() {
                self.all_asked_fit(&loops, fit)?;
                fit
            } else {
                self.ctas_asked(input, &renamed, architected).max(fit)
            };
            let waiting = match self.cta_throttle {
                CtaThrottle::Banker => self.ctas_that_wait(input, &renamed, asked),
                CtaThrottle::Balance => self.ctas_that_spill(input, &renamed, asked),
            };
            let waits = waiting > fit;
            if waits && self.cta_throttle == CtaThrottle::Balance {
                self.none_waits_where_warps_are_spilled(&loops)?;
                spills = true;
            }
            fit = match self.resident {
                _ if waits => waiting,
                Resident::AtMost(most) => fit.min(most),
                _ => fit,
            };
            waits
        };
        if fit < architected {
            let limits = &input.machine.limits;
            plan.occupancy.ctas = fit;
            plan.occupancy.warps = fit * input.cta.warps() as u16;
            plan.occupancy.limited_by = match self.resident {
                Resident::AtMost(most) if most == fit && self.more_can_be(input, fit) => {
                    LimitedBy::Asked
                }
                _ => LimitedBy::Registers,
            };
            plan.occupancy.fraction =
                f64::from(plan.occupancy.warps) / f64::from(limits.warps_per_sm);
        }
        let machine = input.machine;
        if self.clocks == Some(1) && machine.schedulers.count > 2 {
            return Err(self.refused(format!(
                "the hardware has two issue ports: for {} schedulers it is clocked twice in a cycle; leave --table-clocks out",
                machine.schedulers.count
            )));
        }
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
                geometry.packs, geometry.warps, machine.limits.ctas_per_sm
            )));
        }
        plan.manager = ManagerSpec::Renaming {
            warps_per_cta: input.cta.warps() as u16,
            regs: renamed.regs,
            ctas: plan.occupancy.ctas,
            shrink: self.pin(),
            exempt: renamed.exempt,
            flag_entries: match self.hardware_only {
                true => ENTRIES as u8,
                false => self.flag_entries,
            },
            wake_up: self.wake_up,
            clocks: self.clocks.unwrap_or(2),
            hardware_only: self.hardware_only,
            spills,
            need: match alone || self.hardware_only {
                true => (renamed.regs - renamed.exempt) * input.cta.warps() as u16,
                false => renamed.most_in_cta(input),
            },
            most: (waits && !spills).then_some(renamed.most),
        };
        let most =
            u32::from(plan.occupancy.warps) * u32::from(renamed.most_in_all + renamed.exempt);
        plan.packs_allocated = most.min((BANKS * self.kept(input)) as u32);
        plan.kernel = renamed.kernel;
        Ok(plan)
    }
}

#[cfg(test)]
mod tests;
