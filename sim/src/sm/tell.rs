//! Tells watchers what happens in the pipeline. Nothing is gathered while nobody wants it.

use crate::kernel::Op;
use crate::observe::cause::Cause;
use crate::observe::watch::{Event, States, Thing};
use crate::sm::Sm;
use crate::sm::scheduler::ones;
use crate::sm::signals::lock;
use std::collections::BTreeSet;

impl Sm<'_> {
    /// Tells an event of this cycle.
    #[inline]
    pub(super) fn tell(&self, event: Event<'_>) {
        if self.tells {
            self.tell_at(self.cycle, &event);
        }
    }

    #[cold]
    fn tell_at(&self, cycle: u64, event: &Event<'_>) {
        for watcher in &self.watchers {
            lock(watcher).event(cycle, event);
        }
    }

    /// Tells what each warp does in `cycle`: `proposals` says of which warps the schedulers propose the instruction.
    #[inline]
    pub(super) fn tell_states(&self, cycle: u64, proposals: bool) {
        if self.tells {
            let states = self.states(proposals);
            let pcs = &self.told_pcs();
            self.tell_at(
                cycle,
                &Event::States {
                    states: &states,
                    pcs,
                },
            );
        }
    }

    /// Program counters; of a warp at a barrier that of the barrier.
    fn told_pcs(&self) -> Vec<u32> {
        let warps = &self.warps;
        (0..warps.pc.len())
            .map(|slot| match warps.at_barrier >> slot & 1 {
                1 => warps.barrier_pc[slot],
                _ => warps.pc[slot],
            })
            .collect()
    }

    #[cold]
    fn states(&self, proposals: bool) -> States {
        let (mut issued, mut refused) = (0, 0);
        if proposals {
            for (index, &slot) in self.proposals[..self.schedulers.len()].iter().enumerate() {
                let Some(slot) = slot else { continue };
                match self.requests[index].is_some() && !self.replies[index].granted {
                    true => refused |= 1 << slot,
                    false => issued |= 1 << slot,
                }
            }
        }
        let warps = &self.warps;
        let mut states = States::default();
        let mut left = warps.resident;
        let mut put = |index: usize, mask: u64| {
            states.masks[index] |= left & mask;
            left &= !mask;
        };
        put(Cause::Issued as usize, issued);
        put(Cause::Refused as usize, refused);
        put(Cause::Draining as usize, !warps.running);
        put(Cause::AcquireWait as usize, warps.parked);
        put(Cause::Barrier as usize, warps.at_barrier);
        put(Cause::Fetch as usize, !warps.has_inst | warps.at_word);
        put(Cause::MemoryData as usize, warps.hazard & warps.on_memory);
        put(Cause::Scoreboard as usize, warps.hazard);
        for (unit, pool) in self.collectors.pools.iter().enumerate() {
            let ready = warps.ready() & warps.for_unit[unit];
            if pool.free_units() == 0 && ready != 0 {
                put(self.structural(ready).0 as usize, ready);
            }
        }
        put(States::NOT_CHOSEN, u64::MAX);
        states
    }

    /// Tells that issue is done, with what is held, if the register hardware was `asked`.
    #[inline]
    pub(super) fn tell_issue_done(&mut self, asked: bool) {
        if self.tells {
            self.tell_held(asked);
        }
    }

    #[cold]
    fn tell_held(&mut self, asked: bool) {
        let holders = self.manager.warps_per_holding();
        let held: Option<BTreeSet<(Thing, usize)>> = asked.then(|| {
            let held = self.manager.held().into_iter();
            let thing = |holding: regshare_hw::manager::Holding| {
                let number = self.manager.resource_of(holding.warp);
                let what = holding.what;
                let thing = Thing {
                    what,
                    number,
                    holders,
                };
                (thing, holding.warp.index())
            };
            held.map(thing).collect()
        });
        // Pack-cycles up to the end of this cycle, less those up to its start.
        let until = |cycle| {
            self.manager
                .renaming_counts(cycle)
                .map(|counts| counts.pack_cycles)
        };
        let packs = until(self.cycle + 1)
            .zip(until(self.cycle + 2))
            .map(|(before, after)| after - before);
        let event = Event::IssueDone {
            held: held.as_ref(),
            packs,
        };
        self.tell_at(self.cycle, &event);
    }

    /// Tells what is fetched for a warp.
    #[inline]
    pub(super) fn tell_fetched(&self, warp: usize) {
        if self.tells {
            let pc = self.warps.pc[warp];
            let ops = (pc..).zip(&self.program.ops[pc as usize..]);
            let taken = ops.filter(|(_, op)| op.op != Op::Pir);
            let pcs: Vec<u32> = (taken.map(|(pc, _)| pc))
                .take(self.fetch_width.into())
                .collect();
            self.tell(Event::Fetched { warp, pcs: &pcs });
        }
    }

    /// Tells what was decoded.
    #[inline]
    pub(super) fn tell_decoded(&self, warps: u64) {
        if self.tells {
            for warp in ones(warps) {
                self.tell(Event::Decoded { warp });
            }
        }
    }
}
