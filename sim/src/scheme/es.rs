//! Choice of the extended set's size |Es| (RegMutex III-A2).
//!
//! |Bs| + |Es| is the kernel's register count, rounded up to the machine's granularity. A [`Policy`] proposes
//! candidates; two hard rules, the occupancy and the number of sections decide between them.

use super::{CtaShape, Occupancy, Refusal};
use crate::machine::Limits;
use serde::{Deserialize, Serialize};

/// Candidate ratios 0.10 to 0.35 of the register count, in twentieths (III-A2).
const RATIO_TWENTIETHS: [u16; 6] = [2, 3, 4, 5, 6, 7];

/// How |Es| is chosen.
///
/// The paper's text and its tables disagree. The text rounds the products down, which reaches 12 of the 16 rows
/// of Table I; and it takes the *largest* candidate with which more than half of the warps can acquire, which
/// in its own example is 8 (32 of 48 warps) although it then says 6 (26 of 48).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// Ratio x registers, not rounded, up to the next even number; then the smallest candidate whose sections
    /// exceed half of the resident warps. Reaches all of Table I and decides the worked example as the paper does.
    #[default]
    RoundUpEven,
    /// Ratio x rounded registers, down to an integer, odd ones dropped; then as above. Gives the worked example
    /// to the digit.
    PaperText,
    /// Candidates as in `PaperText`; then the largest whose sections exceed half of the resident warps, as the
    /// sentence has it.
    PaperLiteral,
}

impl Policy {
    /// All policies with the names that the command line uses.
    pub const ALL: [(&'static str, Policy); 3] = [
        ("round-up-even", Policy::RoundUpEven),
        ("paper-text", Policy::PaperText),
        ("paper-literal", Policy::PaperLiteral),
    ];

    /// Candidate sizes, ascending, for a kernel that names `regs` registers of which the machine makes `rounded`.
    pub fn sizes(self, regs: u16, rounded: u16) -> Vec<u16> {
        let size = |twentieths: &u16| match self {
            Policy::RoundUpEven => 2 * (regs * twentieths).div_ceil(40),
            Policy::PaperText | Policy::PaperLiteral => rounded * twentieths / 20,
        };
        let mut sizes: Vec<u16> = RATIO_TWENTIETHS.iter().map(size).collect();
        sizes.retain(|es| *es > 0 && es % 2 == 0 && *es < rounded);
        sizes.dedup();
        sizes
    }
}

/// How warps come to their extended sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// All warps share one pool of sections (III-B).
    Pool,
    /// Two neighbouring warps share one set (III-C).
    Pairs,
}

impl Sharing {
    /// Packs that `warps` resident warps need before any section of a common pool.
    fn packs(self, warps: u32, bs: u16, es: u16) -> u32 {
        let (bs, es) = (u32::from(bs), u32::from(es));
        match self {
            Sharing::Pool => warps * bs,
            Sharing::Pairs => warps.div_ceil(2) * (2 * bs + es),
        }
    }

    /// Extended sets that can be held at once.
    fn sections(self, limits: &Limits, warps: u16, bs: u16, es: u16) -> u16 {
        match self {
            Sharing::Pool => {
                let left = limits.packs_per_sm - warps * bs;
                (left / es).min(limits.warps_per_sm)
            }
            Sharing::Pairs => warps.div_ceil(2),
        }
    }
}

/// What the choice depends on.
#[derive(Clone, Copy, Debug)]
pub struct EsInput<'a> {
    /// Registers that the kernel names.
    pub regs: u16,
    /// The machine.
    pub limits: &'a Limits,
    /// Size of one CTA.
    pub cta: CtaShape,
    /// Most registers live where no warp may hold its extended set: at CTA barriers, in loops that wait for other threads,
    /// and where lanes exit.
    pub live_at_barriers: u16,
    /// How the sets are shared.
    pub sharing: Sharing,
}

/// Why a candidate was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum Rejection {
    /// Second hard rule: a warp would wait at a barrier, or in a loop for another thread, with its set, or wait for a set behind one.
    #[error("{live} registers are live at a barrier, more than |Bs|")]
    LiveAtBarrier {
        /// Live registers there.
        live: u16,
    },
    /// First hard rule.
    #[error("the resident warps leave no section")]
    NoSection,
    /// Not even one CTA.
    #[error("not even one CTA fits")]
    DoesNotFit,
    /// The kernel keeps all its registers then.
    #[error("no more CTAs than without sharing")]
    NoGain,
    /// Another candidate has more CTAs.
    #[error("another size gives more CTAs")]
    FewerCtas,
    /// As many CTAs, decided by the sections.
    #[error("another size serves the acquiring warps better")]
    Sections,
    /// Values could not be moved out of the extended set everywhere.
    #[error("index compaction failed: {0}")]
    Compaction(String),
}

/// One size that was considered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// |Es|, registers.
    pub es: u16,
    /// |Bs|, registers.
    pub bs: u16,
    /// Resident CTAs on |Bs|; 0 when not even one fits.
    pub ctas: u16,
    /// Resident warps on |Bs|.
    pub warps: u16,
    /// Extended sets that can be held at once.
    pub sections: u16,
    /// Why it was not taken; `None` for the choice.
    pub rejected: Option<Rejection>,
}

/// All candidates and the decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EsChoice {
    /// Candidates, ascending in |Es|.
    pub candidates: Vec<Candidate>,
    /// Index of the choice; `None` means |Es| = 0: the kernel is left untouched.
    pub chosen: Option<usize>,
}

impl EsChoice {
    /// The candidate that was taken.
    pub fn candidate(&self) -> Option<&Candidate> {
        self.chosen.map(|index| &self.candidates[index])
    }

    /// Chooses by `policy`. A candidate counts as usable only if `compacts(bs)` says so; it is asked about the best
    /// candidates first, and no more than needed.
    pub fn by_policy(
        input: &EsInput<'_>,
        policy: Policy,
        mut compacts: impl FnMut(u16) -> Result<(), String>,
    ) -> EsChoice {
        let rounded = input.limits.rounded_regs(input.regs);
        let baseline = Occupancy::with_regs(input.limits, input.cta, rounded).map_or(0, |o| o.ctas);
        let mut candidates: Vec<Candidate> = (policy.sizes(input.regs, rounded).into_iter())
            .map(|es| input.candidate(es, rounded, baseline))
            .collect();
        let chosen = loop {
            let Some(best) = preferred(&candidates, policy) else {
                break None;
            };
            match compacts(candidates[best].bs) {
                Ok(()) => break Some(best),
                Err(reason) => candidates[best].rejected = Some(Rejection::Compaction(reason)),
            }
        };
        if let Some(chosen) = chosen {
            let ctas = candidates[chosen].ctas;
            for (index, other) in candidates.iter_mut().enumerate() {
                if index != chosen && other.rejected.is_none() {
                    other.rejected = Some(if other.ctas < ctas {
                        Rejection::FewerCtas
                    } else {
                        Rejection::Sections
                    });
                }
            }
        }
        EsChoice { candidates, chosen }
    }

    /// Takes `es` because the user says so. Hard rule one is met by giving up resident CTAs, not by refusing.
    ///
    /// # Errors
    /// The reason when a hard rule cannot be met or not even one CTA fits.
    pub fn fixed(input: &EsInput<'_>, es: u16) -> Result<(EsChoice, Occupancy), Rejection> {
        let rounded = input.limits.rounded_regs(input.regs);
        let Some(bs) = rounded.checked_sub(es).filter(|bs| *bs > 0) else {
            return Err(Rejection::DoesNotFit);
        };
        if input.live_at_barriers > bs {
            let live = input.live_at_barriers;
            return Err(Rejection::LiveAtBarrier { live });
        }
        let one_section = if input.sharing == Sharing::Pool {
            es.into()
        } else {
            0
        };
        let occupancy = Occupancy::fit(input.limits, input.cta, |warps| {
            input.sharing.packs(warps, bs, es) + one_section
        })
        .map_err(|_| Rejection::DoesNotFit)?;
        let choice = EsChoice {
            candidates: vec![Candidate {
                es,
                bs,
                ctas: occupancy.ctas,
                warps: occupancy.warps,
                sections: input
                    .sharing
                    .sections(input.limits, occupancy.warps, bs, es),
                rejected: None,
            }],
            chosen: Some(0),
        };
        Ok((choice, occupancy))
    }
}

impl EsInput<'_> {
    /// Occupancy with this |Bs| and |Es|, counted per CTA; of the pool, only the base sets count.
    ///
    /// # Errors
    /// As [`Occupancy::fit`].
    pub fn occupancy(&self, bs: u16, es: u16) -> Result<Occupancy, Refusal> {
        let packs = |warps| self.sharing.packs(warps, bs, es);
        Occupancy::fit(self.limits, self.cta, packs)
    }

    fn candidate(&self, es: u16, rounded: u16, baseline_ctas: u16) -> Candidate {
        let bs = rounded - es;
        let mut candidate = Candidate {
            es,
            bs,
            ctas: 0,
            warps: 0,
            sections: 0,
            rejected: None,
        };
        let Ok(occupancy) = self.occupancy(bs, es) else {
            candidate.rejected = Some(Rejection::DoesNotFit);
            return candidate;
        };
        candidate.ctas = occupancy.ctas;
        candidate.warps = occupancy.warps;
        candidate.sections = self.sharing.sections(self.limits, occupancy.warps, bs, es);
        candidate.rejected = if self.live_at_barriers > bs {
            let live = self.live_at_barriers;
            Some(Rejection::LiveAtBarrier { live })
        } else if candidate.sections == 0 {
            Some(Rejection::NoSection)
        } else if candidate.ctas <= baseline_ctas {
            Some(Rejection::NoGain)
        } else {
            None
        };
        candidate
    }
}

/// The best of the candidates that nothing speaks against: most CTAs, then the policy's rule on sections, and
/// where no size lets more than half of the warps acquire, the most sections.
fn preferred(candidates: &[Candidate], policy: Policy) -> Option<usize> {
    let open = || (candidates.iter().enumerate()).filter(|(_, c)| c.rejected.is_none());
    let most_ctas = open().map(|(_, c)| c.ctas).max()?;
    let best = || open().filter(move |(_, c)| c.ctas == most_ctas);
    let mut over_half = best().filter(|(_, c)| 2 * c.sections > c.warps);
    let by_rule = match policy {
        Policy::RoundUpEven | Policy::PaperText => over_half.next(),
        Policy::PaperLiteral => over_half.next_back(),
    };
    by_rule
        .or_else(|| best().rev().max_by_key(|(_, c)| c.sections))
        .map(|(index, _)| index)
}

#[cfg(test)]
mod tests;
