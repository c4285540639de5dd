//! Occupancy: how many CTAs, and so warps, one SM holds at once.
//!
//! It is counted per CTA, never warp by warp: a CTA is launched whole or not at all.

use super::Refusal;
use crate::machine::Limits;
use serde::Serialize;
use std::fmt;

/// Lanes of a warp.
pub const LANES: u32 = 32;

/// Size of one CTA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CtaShape {
    /// Threads, at least 1.
    pub threads: u32,
    /// Scratchpad, static and dynamic, bytes.
    pub scratchpad_bytes: u32,
}

impl CtaShape {
    /// Warps of one CTA; the last may be partly empty.
    pub fn warps(self) -> u32 {
        self.threads.div_ceil(LANES)
    }
}

/// The resource that runs out first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LimitedBy {
    /// Physical registers.
    Registers,
    /// Warp slots.
    Warps,
    /// Resident threads.
    Threads,
    /// CTA slots.
    Ctas,
    /// Scratchpad bytes.
    Scratchpad,
    /// Nothing: fewer were asked for (`--resident`).
    Asked,
}

impl fmt::Display for LimitedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LimitedBy::Registers => "registers",
            LimitedBy::Warps => "warp slots",
            LimitedBy::Threads => "threads",
            LimitedBy::Ctas => "CTA slots",
            LimitedBy::Scratchpad => "bytes of scratchpad",
            LimitedBy::Asked => "--resident",
        })
    }
}

/// What one SM holds at once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Occupancy {
    /// Resident CTAs, at least 1.
    pub ctas: u16,
    /// Resident warps, at least 1.
    pub warps: u16,
    /// What would have to grow for one more CTA. Of several, registers are named last.
    pub limited_by: LimitedBy,
    /// Resident warps over warp slots, 0 < fraction <= 1.
    pub fraction: f64,
}

impl Occupancy {
    /// The largest number of CTAs that fits when `packs_for(warps)` packs are needed for that many resident
    /// warps; it must not fall as warps grow.
    ///
    /// # Errors
    /// [`Refusal::DoesNotFit`] when not even one CTA fits, [`Refusal::EmptyCta`] for a CTA without threads.
    pub fn fit(
        limits: &Limits,
        cta: CtaShape,
        packs_for: impl Fn(u32) -> u32,
    ) -> Result<Occupancy, Refusal> {
        if cta.threads == 0 {
            return Err(Refusal::EmptyCta);
        }
        if let Some(available) = limits.scratchpad_bytes_per_cta
            && cta.scratchpad_bytes > available
        {
            return Err(Refusal::CtaScratchpad {
                needed: cta.scratchpad_bytes,
                available,
            });
        }
        let per_cta = cta.warps();
        let packs = u32::from(limits.packs_per_sm);
        let by_registers = (1..=u32::from(limits.ctas_per_sm))
            .take_while(|ctas| packs_for(ctas.saturating_mul(per_cta)) <= packs)
            .last()
            .unwrap_or(0);
        // A demand of nothing never limits. Registers only limit below all CTA slots, so they come last.
        let of = |have: u32, need: u32| have.checked_div(need).unwrap_or(u32::MAX);
        let bounds = [
            (LimitedBy::Warps, of(limits.warps_per_sm.into(), per_cta)),
            (LimitedBy::Threads, of(limits.threads_per_sm, cta.threads)),
            (LimitedBy::Ctas, limits.ctas_per_sm.into()),
            (
                LimitedBy::Scratchpad,
                of(limits.scratchpad_bytes, cta.scratchpad_bytes),
            ),
            (LimitedBy::Registers, by_registers),
        ];
        let (limited_by, ctas) = bounds.into_iter().min_by_key(|(_, ctas)| *ctas).unwrap();
        if ctas == 0 {
            let (needed, available) = match limited_by {
                LimitedBy::Warps => (per_cta, limits.warps_per_sm.into()),
                LimitedBy::Threads => (cta.threads, limits.threads_per_sm),
                LimitedBy::Ctas => (1, limits.ctas_per_sm.into()),
                LimitedBy::Scratchpad => (cta.scratchpad_bytes, limits.scratchpad_bytes),
                LimitedBy::Registers | LimitedBy::Asked => (packs_for(per_cta), packs),
            };
            return Err(Refusal::DoesNotFit {
                resource: limited_by,
                needed: needed.into(),
                available: available.into(),
            });
        }
        let warps = ctas * per_cta;
        Ok(Occupancy {
            ctas: ctas as u16,
            warps: warps as u16,
            limited_by,
            fraction: f64::from(warps) / f64::from(limits.warps_per_sm),
        })
    }

    /// Occupancy when every warp owns `regs_per_warp` packs.
    ///
    /// # Errors
    /// As [`Occupancy::fit`].
    pub fn with_regs(
        limits: &Limits,
        cta: CtaShape,
        regs_per_warp: u16,
    ) -> Result<Occupancy, Refusal> {
        Occupancy::fit(limits, cta, |warps| {
            warps.saturating_mul(regs_per_warp.into())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;

    fn occupancy(threads: u32, regs: u16, scratchpad_bytes: u32) -> Result<Occupancy, Refusal> {
        let limits = Machine::preset("gtx480").unwrap().limits;
        let cta = CtaShape {
            threads,
            scratchpad_bytes,
        };
        Occupancy::with_regs(&limits, cta, regs)
    }

    #[test]
    fn registers_limit_a_kernel_of_24_to_40_warps_in_ctas_of_256() {
        let got = occupancy(256, 24, 0).unwrap();
        assert_eq!((got.ctas, got.warps), (5, 40));
        assert_eq!(got.limited_by, LimitedBy::Registers);
        assert_eq!(got.fraction, 40.0 / 48.0);
    }

    #[test]
    fn twenty_registers_allow_full_occupancy_as_in_the_worked_example() {
        let got = occupancy(256, 20, 0).unwrap();
        assert_eq!((got.warps, got.limited_by), (48, LimitedBy::Warps));
    }

    #[test]
    fn small_ctas_run_out_of_cta_slots() {
        let got = occupancy(64, 8, 0).unwrap();
        assert_eq!((got.ctas, got.limited_by), (8, LimitedBy::Ctas));
    }

    #[test]
    fn scratchpad_limits_ctas() {
        let got = occupancy(64, 8, 20 * 1024).unwrap();
        assert_eq!((got.ctas, got.limited_by), (2, LimitedBy::Scratchpad));
    }

    #[test]
    fn cta_is_launched_whole() {
        // 34 warps of 30 registers would fit, but RadixSort's CTAs have 8 warps.
        assert_eq!(occupancy(256, 30, 0).unwrap().warps, 32);
    }

    #[test]
    fn partly_empty_warp_takes_a_whole_slot() {
        assert_eq!(occupancy(33, 4, 0).unwrap().warps, 16);
    }

    #[test]
    fn cta_that_never_fits_is_refused_with_demand_and_supply() {
        let refusal = occupancy(1024, 64, 0).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "one CTA needs 2048 packs (registers of 32 threads), an SM has 1024; use smaller CTAs, fewer registers (--max-regs, \
             or the scheme regdem) or a larger machine"
        );
        assert_eq!(occupancy(0, 4, 0), Err(Refusal::EmptyCta));
        assert!(matches!(
            occupancy(2000, 4, 0),
            Err(Refusal::DoesNotFit { .. })
        ));
    }
}
