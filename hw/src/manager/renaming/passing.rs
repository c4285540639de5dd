//! Cycles that pass: before the kernel, in which nobody asks, and what each adds to the counts.

use super::Renaming;
use crate::manager::ManagerFault;
use crate::rfv::rfv_top::{RfvTopIn, RfvTopOut};

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
                self.powered = u64::from(out.powered.count_ones());
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
        self.powered = u64::from(out.powered.count_ones());
        self.counts.pack_cycles += self.in_use;
        self.counts.peak_packs = self.counts.peak_packs.max(self.in_use);
        self.counts.powered_cycles += self.powered;
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
            self.counts.powered_cycles += cycle * self.powered;
            return Ok(());
        };
        let missed = cycle - last - 1;
        for _ in 0..missed.min(QUIET) {
            let out = self.top.get_mut().clock(&idle, &mut self.sink)?;
            self.count(&out);
        }
        let unchanged = missed.saturating_sub(QUIET);
        self.counts.pack_cycles += unchanged * self.in_use;
        self.counts.powered_cycles += unchanged * self.powered;
        self.counts.throttled_cycles += unchanged * u64::from(self.throttled);
        Ok(())
    }
}
