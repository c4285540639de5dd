//! CTAs: launch, barriers, retirement. CTA slot `c` has the warp slots from `c * warps_per_cta` on, so that a
//! warp's index in the SM is fixed by its CTA slot, and neighbours stay neighbours.

use crate::observe::watch::Event;
use crate::sm::Sm;
use crate::sm::barrier::{Arrival, BARRIERS, Barrier};
use crate::sm::error::{RunError, Step};
use crate::sm::scheduler::ones;
use crate::trace::record::CtaTrace;
use regshare_hw::ids::{CtaSlot as Cta, WarpSlot};

/// One CTA slot.
#[derive(Clone, Debug, Default)]
pub struct CtaSlot {
    /// Number of its CTA in the grid.
    pub number: u64,
    /// `%ctaid` in x, y, z.
    pub index: [u32; 3],
    /// Warps that still run.
    pub running_warps: u32,
    /// Warps whose slot is not free yet.
    pub resident_warps: u32,
    pub barriers: [Barrier; BARRIERS],
}

/// All CTAs of the launch.
#[derive(Clone, Debug)]
pub struct Ctas {
    pub slots: Vec<CtaSlot>,
    /// Bit of each free slot.
    pub free: u64,
    /// Not all CTAs of the grid have been launched, here or on another SM.
    pub more: bool,
    pub warps_per_cta: u32,
    threads_per_cta: u32,
    grid: [u32; 3],
}

impl Ctas {
    /// The CTAs of `grid`, of which `resident` (1 ..= 64) may be here at once.
    pub fn new(grid: [u32; 3], block: [u32; 3], resident: u16) -> Self {
        let threads_per_cta: u32 = block.iter().product();
        Ctas {
            slots: vec![CtaSlot::default(); resident.into()],
            free: u64::MAX >> (64 - u32::from(resident.clamp(1, 64))),
            more: true,
            warps_per_cta: threads_per_cta.div_ceil(32),
            threads_per_cta,
            grid,
        }
    }

    /// Whether a CTA can be launched now.
    pub fn can_launch(&self) -> bool {
        self.more && self.free != 0
    }
}

impl Sm<'_> {
    /// Launches a CTA into the lowest free slot. There is one. It is that of `trace`; without, the next of the grid, before which
    /// `launched` were.
    pub(super) fn launch_cta(&mut self, launched: u64, trace: Option<CtaTrace>) -> Step {
        let cta_slot = self.ctas.free.trailing_zeros() as usize;
        self.ctas.free &= self.ctas.free - 1;
        self.disturb();
        let first_slot = cta_slot * self.ctas.warps_per_cta as usize;
        let number = trace.map_or(launched, |trace| self.take_trace(trace, first_slot));
        self.counters.ctas += 1;
        self.tell(Event::CtaStarted {
            slot: cta_slot,
            number,
        });
        let warps = self.ctas.warps_per_cta;
        let [x, y, _] = self.ctas.grid.map(u64::from);
        let slot = &mut self.ctas.slots[cta_slot];
        slot.number = number;
        slot.index = [number % x, number / x % y, number / x / y].map(|i| i as u32);
        slot.running_warps = warps;
        slot.resident_warps = warps;
        self.scratchpad.clear(cta_slot);
        for warp in 0..warps {
            let warp_slot = cta_slot * warps as usize + warp as usize;
            let threads = (self.ctas.threads_per_cta - warp * 32).min(32);
            let lanes = u32::MAX >> (32 - threads);
            let in_grid = number * u64::from(warps) + u64::from(warp);
            self.warps.start(warp_slot, lanes, cta_slot, warp, in_grid);
            let first = self.pass_over_pirs(warp_slot, 0);
            self.warps.follow_stack(warp_slot, first);
            self.registers.start(warp_slot, in_grid);
            self.manager.warp_started(WarpSlot(warp_slot as u16));
            if let Some(stacks) = &mut self.stacks {
                stacks.start(warp_slot);
            }
            self.local.clear(warp_slot);
        }
        let resident = u64::from(self.warps.resident.count_ones());
        self.counters.peak_warps = self.counters.peak_warps.max(resident);
        self.end_untraced_warps(first_slot)
    }

    /// All lanes of the warp have ended: barriers need not wait for it any more.
    pub(super) fn warp_ended(&mut self, slot: usize) -> Step {
        let cta = usize::from(self.warps.cta_slot[slot]);
        self.ctas.slots[cta].running_warps -= 1;
        self.disturb();
        self.tell(Event::WarpEnded { warp: slot });
        for number in 0..BARRIERS {
            self.complete_barrier(cta, number);
        }
        self.retire_if_done(slot)
    }

    /// Frees the warp slot when nothing of the warp is on its way, and the CTA slot with its last warp.
    pub(super) fn retire_if_done(&mut self, slot: usize) -> Step {
        let bit = 1 << slot;
        if self.warps.running & bit != 0
            || self.warps.resident & bit == 0
            || self.warps.in_flight[slot] > 0
            || self.warps.stores[slot] > 0
        {
            return Ok(());
        }
        self.warps.resident &= !bit;
        self.manager.warp_ended(WarpSlot(slot as u16));
        let cta = usize::from(self.warps.cta_slot[slot]);
        let retired = &mut self.ctas.slots[cta];
        retired.resident_warps -= 1;
        if retired.resident_warps > 0 {
            return Ok(());
        }
        if retired.barriers.iter().any(|barrier| barrier.arrived > 0) {
            return Err(Box::new(RunError::Leak(format!(
                "CTA {} has ended, but a warp has arrived at a barrier that nobody completed",
                retired.number
            ))));
        }
        let number = retired.number;
        self.ctas.free |= 1 << cta;
        self.tell(Event::CtaEnded { slot: cta });
        self.scratchpad.leave(cta);
        self.manager.cta_ended(Cta(cta as u16));
        let first = cta * self.ctas.warps_per_cta as usize;
        let ours = first..first + self.ctas.warps_per_cta as usize;
        let mut held = self.manager.held();
        // Where a holder may be another warp, of a neighbouring CTA that still runs, nothing is proved yet.
        let holders = usize::from(self.manager.warps_per_holding());
        held.retain(|holding| {
            let first = holding.warp.index();
            let mut may_hold = first..first + holders;
            may_hold.clone().any(|slot| ours.contains(&slot))
                && may_hold.all(|slot| self.warps.resident >> slot & 1 == 0)
        });
        if held.is_empty() {
            return Ok(());
        }
        Err(Box::new(RunError::Held { cta: number, held }))
    }

    /// A warp arrives at a barrier of its CTA.
    pub(super) fn arrive(&mut self, number: u32, arrival: Arrival) -> Step {
        let slot = arrival.slot;
        let fault = |sm: &Self, problem| {
            Err(Box::new(RunError::Barrier {
                place: sm.place_of(slot, arrival.pc),
                number,
                problem,
            }))
        };
        let cta = usize::from(self.warps.cta_slot[slot]);
        self.counters.barriers += 1;
        self.disturb();
        if number as usize >= BARRIERS {
            return fault(self, "there are only barriers 0 to 15");
        }
        if let Err(problem) = self.ctas.slots[cta].barriers[number as usize].arrive(&arrival) {
            return fault(self, problem);
        }
        if arrival.kind != crate::kernel::op::BarKind::Arrive {
            self.warps.at_barrier |= 1 << slot;
            self.warps.barrier_pc[slot] = arrival.pc;
        }
        self.complete_barrier(cta, number as usize);
        Ok(())
    }

    /// Lets the warps at a barrier go on if all have arrived.
    fn complete_barrier(&mut self, cta: usize, number: usize) {
        let running = self.ctas.slots[cta].running_warps;
        let barrier = &mut self.ctas.slots[cta].barriers[number];
        if !barrier.is_complete(running) {
            return;
        }
        self.warps.at_barrier &= !barrier.waiting;
        let passed = barrier.waiting;
        for slot in ones(barrier.waiting) {
            self.warps.dirty |= 1 << slot;
        }
        for &(id, kind) in &barrier.reductions {
            let result = barrier.result(kind);
            let flight = &mut self.flights[id];
            flight.results[0] = [result; 32];
            flight.pred_results[0] = result;
            self.wheel.schedule(self.cycle + 1 + self.latch_cycles, id);
        }
        barrier.reset();
        self.want_registers_back(passed);
    }
}
