//! How many CTAs are resident where packs may run short (RFV 8.1).

use super::{Renamed, Rfv};
use crate::compiler::rfv::BANKS;
use crate::compiler::waits::Waits;
use crate::kernel::{Inst, Op, Reg};
use crate::scheme::waits::{for_other_ctas, refuse};
use crate::scheme::{PlanInput, Refusal, Scheme};
use regshare_hw::manager::WAIT_MARGIN;
use regshare_hw::rfv::free_list::{kept_packs, reserved_packs};

/// Of the packs, the part that the resident warps map in the mean at most. // assumed: chosen on the bundled kernels
const FILLED: f64 = 0.9;
/// And that they may want at once if all map as many as they ever do. // assumed
const OVERFILLED: f64 = 17.0 / 16.0;

/// So many are resident if they can, so that one works while another ends. // assumed
const LEAST: u16 = 2;

/// Packs that a look-up gives back and that are not free yet.
const COMING: usize = BANKS;

/// How many CTAs are resident, of those that the architected registers allow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resident {
    /// As many as map nine tenths of the packs in the mean, by the compiler's count, or lack a sixteenth of them at worst; at least two,
    /// and those that fit.
    #[default]
    Auto,
    /// All, as in the paper.
    All,
    /// Those whose warps can have all that they ever map, so that none waits.
    Fit,
    /// So many at most, 1 or more.
    AtMost(u16),
}

/// Who may issue when packs run short (8.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CtaThrottle {
    /// A warp is given packs if the CTAs can still end then, in some order, with what they may need of each bank: the banker's
    /// algorithm. // assumed: the paper compares the whole file
    #[default]
    Banker,
    /// The paper's comparison alone: all CTAs while more packs are free than the smallest balance, then the CTA that has it. A
    /// pending warp is spilled where that leaves nobody who finds packs in the banks that it needs.
    Balance,
}

impl Renamed {
    /// In which banks there are packs for results of barriers: a warp that waits for one keeps its pack when it is spilled.
    fn results_of_barriers(&self) -> [bool; BANKS] {
        let insts = self.kernel.blocks.iter().flat_map(|block| &block.insts);
        let barriers = insts.filter(|inst| matches!(inst.op, Op::Bar(_)));
        let results = barriers.flat_map(Inst::dst_regs).flat_map(Reg::units);
        let mut banks = [false; BANKS];
        for unit in results.filter(|&unit| unit >= self.exempt) {
            banks[usize::from(unit) % BANKS] = true;
        }
        banks
    }

    /// Packs that a CTA has assigned at once, in the worst case: what its warps have mapped, and what a look-up has given back
    /// that is not free yet.
    pub(super) fn most_in_cta(&self, input: &PlanInput<'_>) -> u16 {
        self.most_in_all * input.cta.warps() as u16 + COMING as u16
    }
}

impl Rfv {
    /// CTAs, `most` at most, of which each warp can have mapped all that it ever has at once, in each bank, and so that the throttle
    /// never acts: then none can wait for a pack. A CTA alone is never throttled.
    pub(super) fn ctas_that_fit(&self, input: &PlanInput<'_>, renamed: &Renamed, most: u16) -> u16 {
        let warps = input.cta.warps() as usize;
        let fits = |&ctas: &u16| {
            let warps = warps * usize::from(ctas);
            let reserved = reserved_packs(renamed.exempt.into(), warps);
            let left = self.kept(input).saturating_sub(reserved);
            let in_bank = renamed.most.iter().map(|&most| warps * usize::from(most));
            let in_all =
                warps * usize::from(renamed.most_in_all) + COMING + usize::from(WAIT_MARGIN);
            let throttled = ctas > 1 && !self.hardware_only && in_all > BANKS * left;
            in_bank.max().unwrap_or(0) + reserved <= self.kept(input) && !throttled
        };
        (0..=most).rev().find(fits).unwrap_or(0)
    }

    /// If one CTA does not fit, its warps can wait for each other's packs, and a pending one is spilled when none can go on (8.1).
    /// That needs flags, and room for one warp alone beside the exempt registers of all. So do `ctas` that hold each other's packs.
    pub(super) fn one_warp_fits(
        &self,
        input: &PlanInput<'_>,
        renamed: &Renamed,
        ctas: u16,
    ) -> Result<(), Refusal> {
        let (warps, kept) = (input.cta.warps() * u32::from(ctas), self.kept(input));
        let most = renamed.most.iter().max().copied().unwrap_or(0);
        let reserved = reserved_packs(renamed.exempt.into(), warps as usize);
        let cure = "use smaller CTAs, a larger file, or fewer registers (--max-regs)";
        if self.hardware_only {
            return Err(self.refused(format!(
                "one CTA of {warps} warps has up to {most} registers of a bank mapped per warp, a bank has {kept} packs, and warps are \
                 spilled only by rfv and gpu-shrink; {cure}"
            )));
        }
        if usize::from(most) + reserved > kept {
            return Err(self.refused(format!(
                "a single warp has up to {most} registers of a bank mapped, and the exempt registers of the {warps} warps of a CTA take \
                 {reserved} of the {kept} packs of a bank; {cure}"
            )));
        }
        let others = warps as usize - 1;
        let stay = renamed.results_of_barriers();
        let needs = |(&most, stays): (&u16, bool)| {
            usize::from(most) + reserved + if stays { others } else { 0 }
        };
        if renamed
            .most
            .iter()
            .zip(stay)
            .map(needs)
            .any(|needed| needed > kept)
        {
            return Err(self.refused(format!(
                "a single warp has up to {most} registers of a bank mapped, the exempt registers of the {warps} warps of a CTA take \
                 {reserved} of the {kept} packs of a bank, and each of the others can keep one for the result of a barrier (bar.red); {cure}"
            )));
        }
        Ok(())
    }

    /// Warps of a CTA that does not fit wait for each other's packs, and none is spilled while one goes round in a loop.
    pub(super) fn none_waits_in_a_loop(&self, loops: &Waits) -> Result<(), Refusal> {
        let reason = "one CTA does not fit: warps wait for packs, and none is spilled while another goes round in a loop; use smaller \
                      CTAs, a larger file, or fewer registers (--max-regs)";
        (loops.widest()).map_or(Ok(()), |wait| Err(refuse(self.name(), wait, reason)))
    }

    /// Where warps are spilled to let others go on, none may wait in a loop: it would go round while it holds what another needs.
    pub(super) fn none_waits_where_warps_are_spilled(&self, loops: &Waits) -> Result<(), Refusal> {
        let reason = "with --cta-throttle balance warps wait for packs of others, and none is spilled while another goes round in a \
                      loop; leave --cta-throttle out, or give --resident fit";
        (loops.widest()).map_or(Ok(()), |wait| Err(refuse(self.name(), wait, reason)))
    }

    /// If CTAs wait for each other in a loop, none may wait for packs that another has: `fit` are resident, and no more may be asked for.
    pub(super) fn all_asked_fit(&self, loops: &Waits, fit: u16) -> Result<(), Refusal> {
        let more = match self.resident {
            Resident::All => true,
            Resident::AtMost(count) => count > fit,
            Resident::Auto | Resident::Fit => false,
        };
        let reason = format!(
            "of the CTAs that are resident {fit} have packs for all that they ever map; the others may wait for those of a CTA that waits \
             for them; leave --resident out"
        );
        let refused = for_other_ctas(loops).filter(|_| more);
        refused.map_or(Ok(()), |wait| Err(refuse(self.name(), wait, reason)))
    }

    /// CTAs, `most` at most, that are to be resident, if they can.
    pub(super) fn ctas_asked(&self, input: &PlanInput<'_>, renamed: &Renamed, most: u16) -> u16 {
        match self.resident {
            Resident::Auto => {
                let packs = (BANKS * self.kept(input)) as f64;
                let ctas = |part: f64, per_warp: f64| {
                    let per_warp = (per_warp + f64::from(renamed.exempt)).max(1.0);
                    (packs * part / per_warp / f64::from(input.cta.warps())) as u16
                };
                let by_mean = ctas(FILLED, renamed.mean);
                let at_worst = ctas(OVERFILLED, renamed.most_in_all.into());
                most.min(by_mean.max(at_worst).max(LEAST))
            }
            Resident::All => most,
            Resident::Fit => 0,
            Resident::AtMost(count) => most.min(count),
        }
    }

    /// Whether more CTAs than these would be resident if all were asked for.
    pub(super) fn more_can_be(self, input: &PlanInput<'_>, ctas: u16) -> bool {
        let all = Rfv {
            resident: Resident::All,
            ..self
        };
        let plan = all.plan(input);
        plan.is_ok_and(|plan| plan.occupancy.ctas > ctas)
    }

    /// CTAs, `most` at most, that can wait for each other's packs: beside the exempt registers of all of them one CTA alone has
    /// what it ever maps, in each bank and by the count of the throttle.
    pub(super) fn ctas_that_wait(
        &self,
        input: &PlanInput<'_>,
        renamed: &Renamed,
        most: u16,
    ) -> u16 {
        let warps = input.cta.warps() as usize;
        let in_bank = warps * usize::from(renamed.most.into_iter().max().unwrap_or(0));
        let in_all = usize::from(renamed.most_in_cta(input) + WAIT_MARGIN);
        let fits = |&ctas: &u16| {
            let reserved = reserved_packs(renamed.exempt.into(), warps * usize::from(ctas));
            let left = self.kept(input).saturating_sub(reserved);
            in_bank <= left && in_all <= BANKS * left
        };
        (0..=most).rev().find(fits).unwrap_or(0)
    }

    /// CTAs, `most` at most, of which warps can be spilled until any other finds all packs that it ever maps.
    pub(super) fn ctas_that_spill(
        &self,
        input: &PlanInput<'_>,
        renamed: &Renamed,
        most: u16,
    ) -> u16 {
        let fits = |&ctas: &u16| self.one_warp_fits(input, renamed, ctas).is_ok();
        (0..=most).rev().find(fits).unwrap_or(0)
    }

    /// Packs that a bank has.
    pub(super) fn kept(&self, input: &PlanInput<'_>) -> usize {
        let per_bank = usize::from(input.machine.limits.packs_per_sm) / BANKS;
        kept_packs(per_bank)[usize::from(self.pin())]
    }
}
