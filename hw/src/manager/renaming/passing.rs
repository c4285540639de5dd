//! Cycles that pass: before the kernel, in which nobody asks, and what each adds to the counts.

use super::Renaming;
use crate::manager::{ManagerFault, RenamingCounts};
use crate::rfv::rename_table::BANKS;
use crate::rfv::rfv_top::{RfvTopIn, RfvTopOut};

/// Sub-arrays of a bank (RFV 8.2, Figure 8).
const SUB_ARRAYS: u64 = 4;

/// What has power.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::manager) struct Powered {
    sub_arrays: u64,
    packs: u64,
}

impl Powered {
    /// Of the sub-arrays in `mask`, bit 4 x bank + sub-array, those that a file of `kept` of `PACKS` packs has: it keeps the
    /// lowest of each bank.
    pub(in crate::manager) fn of<const PACKS: usize>(mask: u16, kept: u64) -> Self {
        let size = PACKS as u64 / (BANKS as u64 * SUB_ARRAYS);
        let kept = kept / BANKS as u64;
        let mut powered = Self::default();
        for bit in (0..16u64).filter(|bit| mask >> bit & 1 == 1) {
            let packs = kept.saturating_sub(bit % SUB_ARRAYS * size).min(size);
            powered.sub_arrays += u64::from(packs > 0);
            powered.packs += packs;
        }
        powered
    }

    /// Adds `cycles` like this.
    pub(in crate::manager) fn count(self, counts: &mut RenamingCounts, cycles: u64) {
        counts.powered_cycles += cycles * self.sub_arrays;
        counts.powered_packs += cycles * self.packs;
    }
}

/// Idle cycles after which nothing in the hardware changes any more: packs have come back and sub-arrays slept.
const QUIET: u64 = 16;

impl<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
> Renaming<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY>
{
    pub(super) fn clear_and_walk(&mut self) -> Result<(), ManagerFault> {
        let idle = self.idle();
        let pack_count = self.assignable() as u16;
        let all_packs = self.all_packs();
        let top = self.top.get_mut();
        let clear = RfvTopIn {
            clear: true,
            pack_count,
            ..idle
        };
        top.clock(&clear, &mut self.sink)?;
        for warp in 0..self.geometry.warps {
            let launch = RfvTopIn {
                launch: true,
                warp: warp as u8,
                ..idle
            };
            top.clock(&launch, &mut self.sink)?;
            loop {
                let out = top.clock(&idle, &mut self.sink)?;
                self.in_use = all_packs - u64::from(out.free_packs);
                self.powered = Powered::of::<PACKS>(out.powered, all_packs);
                if !out.busy {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Takes over what the state says in a cycle.
    pub(super) fn count(&mut self, out: &RfvTopOut<NW, T, PACKS>) {
        self.in_use = self.all_packs() - u64::from(out.free_packs);
        self.powered = Powered::of::<PACKS>(out.powered, self.all_packs());
        self.counts.pack_cycles += self.in_use;
        self.counts.peak_packs = self.counts.peak_packs.max(self.in_use);
        self.powered.count(&mut self.counts, 1);
        self.throttled = out.throttled;
        self.counts.throttled_cycles += u64::from(out.throttled);
        self.counts.walk_cycles += u64::from(out.busy);
    }

    /// Lets the cycles pass in which nobody asked.
    pub(super) fn catch_up(&mut self, cycle: u64) -> Result<(), ManagerFault> {
        let idle = self.idle();
        let Some(last) = self.last_cycle.replace(cycle) else {
            // As it was placed.
            self.counts.pack_cycles += cycle * self.in_use;
            self.powered.count(&mut self.counts, cycle);
            return Ok(());
        };
        let missed = cycle - last - 1;
        for _ in 0..missed.min(QUIET) {
            let out = self.top.get_mut().clock(&idle, &mut self.sink)?;
            self.count(&out);
        }
        let unchanged = missed.saturating_sub(QUIET);
        self.counts.pack_cycles += unchanged * self.in_use;
        self.powered.count(&mut self.counts, unchanged);
        self.counts.throttled_cycles += unchanged * u64::from(self.throttled);
        Ok(())
    }
}
