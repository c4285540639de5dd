//! Who waits for whom, when nobody can go on.

use crate::sm::Sm;
use crate::sm::error::Place;
use crate::sm::scheduler::ones;
use regshare_hw::ids::WarpSlot;
use regshare_hw::manager::Holding;

/// What a warp waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitsFor {
    /// A barrier.
    Barrier {
        /// Its number.
        number: u32,
        /// Warps that have arrived.
        arrived: u32,
        /// Warps that must arrive.
        expected: u32,
        /// Running warps of the CTA that have not arrived.
        missing: Vec<WarpSlot>,
    },
    /// The register hardware, since it refused the instruction.
    Registers {
        /// Cycle of the first refusal.
        since_cycle: u64,
    },
    /// The owner of its pair: until that ends it may not access memory now, in dynamic warp execution.
    Owner,
    /// What another thread writes: it goes round in a loop until then.
    Memory,
    /// Nothing: it goes round in a loop in which nothing changes.
    Loop,
    /// The scheduler, which has chosen others while these went round.
    Scheduler,
    /// Nothing that would not come by itself.
    Nothing,
}

/// One warp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The barrier that it waits at, else its next instruction.
    pub place: Place,
    /// What it waits for.
    pub waits_for: WaitsFor,
}

/// State of all resident warps at one cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hang {
    /// SM cycle.
    pub cycle: u64,
    /// Every warp that has not ended.
    pub warps: Vec<Waiting>,
    /// What warps hold in the register hardware.
    pub held: Vec<Holding>,
}

impl std::fmt::Display for Hang {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let stuck = self
            .warps
            .iter()
            .all(|warp| warp.waits_for != WaitsFor::Nothing);
        if stuck {
            write!(f, "cycle {}: no warp can ever go on", self.cycle)?;
        } else {
            write!(f, "cycle {}", self.cycle)?;
        }
        for warp in &self.warps {
            write!(f, "\n  {}: ", warp.place)?;
            match &warp.waits_for {
                WaitsFor::Barrier {
                    number,
                    arrived,
                    expected,
                    missing,
                } => {
                    write!(
                        f,
                        "waits at barrier {number}, {arrived} of {expected} warps are there"
                    )?;
                    if !missing.is_empty() {
                        let slots: Vec<_> = missing.iter().map(WarpSlot::to_string).collect();
                        write!(f, ", not there: slots {}", slots.join(", "))?;
                    }
                }
                WaitsFor::Registers { since_cycle } => {
                    write!(f, "waits for registers since cycle {since_cycle}")?;
                }
                WaitsFor::Owner => {
                    write!(
                        f,
                        "may not access memory before the owner of its pair has ended"
                    )?;
                }
                WaitsFor::Memory => write!(f, "waits in a loop for what another thread writes")?,
                WaitsFor::Loop => write!(f, "goes round in a loop for ever")?,
                WaitsFor::Scheduler => write!(f, "runs, but is never chosen to issue")?,
                WaitsFor::Nothing => write!(f, "runs")?,
            }
        }
        for holding in &self.held {
            write!(f, "\n  slot {} holds {}", holding.warp, holding.what)?;
        }
        Ok(())
    }
}

impl Sm<'_> {
    /// What every warp that has not ended is doing.
    #[cold]
    pub(super) fn who_waits_for_whom(&self) -> Box<Hang> {
        let warps = ones(self.warps.running)
            .map(|slot| {
                let waits_for = self.waits_for(slot);
                let pc = match waits_for {
                    WaitsFor::Barrier { .. } => self.warps.barrier_pc[slot],
                    _ => self.warps.pc[slot],
                };
                Waiting {
                    place: self.place_of(slot, pc),
                    waits_for,
                }
            })
            .collect();
        Box::new(Hang {
            cycle: self.cycle,
            warps,
            held: self.manager.held(),
        })
    }

    /// Whether the warp goes round in a loop that waits for another thread.
    fn is_idle(&self, slot: usize) -> bool {
        let op = self.program.ops.get(self.warps.pc[slot] as usize);
        op.is_some_and(|op| op.idle)
    }

    /// Whether some warp does.
    #[cold]
    pub(super) fn goes_round(&self) -> bool {
        ones(self.warps.running).any(|slot| self.is_idle(slot))
    }

    fn waits_for(&self, slot: usize) -> WaitsFor {
        let bit = 1u64 << slot;
        let is_spilled = self.spills.is_some() && self.warps.away & bit != 0;
        if self.warps.parked & bit != 0 || is_spilled && self.warps.at_barrier & bit == 0 {
            return WaitsFor::Registers {
                since_cycle: self.warps.refused_at[slot].unwrap_or(self.cycle),
            };
        }
        if self.throttle.is_some() && self.warps.limited & bit != 0 {
            return WaitsFor::Owner;
        }
        let cta_slot = self.warps.cta_slot[slot];
        let cta = &self.ctas.slots[usize::from(cta_slot)];
        let mut barriers = cta.barriers.iter().enumerate();
        let Some((number, barrier)) = barriers.find(|(_, b)| b.waiting & bit != 0) else {
            return match &self.rounds {
                Some(rounds) if rounds.is_silent(slot) => WaitsFor::Scheduler,
                Some(rounds) if rounds.reads(slot, self.program) => WaitsFor::Memory,
                Some(_) => WaitsFor::Loop,
                None if self.is_idle(slot) => WaitsFor::Memory,
                None => WaitsFor::Nothing,
            };
        };
        let missing = ones(self.warps.running & !barrier.waiting)
            .filter(|&other| self.warps.cta_slot[other] == cta_slot)
            .map(|other| WarpSlot(other as u16))
            .collect();
        WaitsFor::Barrier {
            number: number as u32,
            arrived: barrier.arrived,
            expected: barrier
                .expected_threads
                .map_or(cta.running_warps, |t| t / 32),
            missing,
        }
    }
}
