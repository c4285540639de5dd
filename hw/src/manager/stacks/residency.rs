//! Which warps have registers: those that start or come back from a barrier get a range of packs or wait in the list of stalled
//! warps, those that end leave theirs.

use super::{Event, Stacks, State};
use crate::cars::cars_top::{CarsTopIn, CarsTopOut, Issue};
use crate::cars::register_stack::Op;
use crate::clocked::Clocked;
use crate::ids::WarpSlot;
use crate::manager::{ManagerFault, StackPacks, Switch};

impl<R, const NW: usize, const PACKS: usize, const STACK: usize> Stacks<R, NW, PACKS, STACK>
where
    R: Clocked<In = CarsTopIn<NW, PACKS, STACK>, Out = CarsTopOut<NW, PACKS, STACK>> + Default,
{
    pub(super) fn size(&self, warp: WarpSlot) -> u16 {
        u16::from(self.placement.base_regs) + u16::from(self.capacity(warp))
    }

    /// Whether this warp could have its registers now.
    pub(super) fn can_have(&self, warp: WarpSlot) -> bool {
        match self.states[warp.index()] {
            State::Waits => self.allotments.fits(self.size(warp)),
            State::WantsBack => self.allotments.is_free(self.range(warp)),
            _ => false,
        }
    }

    pub(super) fn is_queued(&self, warp: WarpSlot) -> bool {
        let ours = |event: &Event| matches!(*event, Event::Seek(w) | Event::Finish(w) if w == warp);
        self.events.iter().any(ours)
    }

    /// A warp in the list of stalled ones could go on.
    pub(super) fn should_wake(&self) -> bool {
        self.warps()
            .any(|warp| self.can_have(warp) && !self.is_queued(warp))
    }

    /// Takes the next event to the pins: a request for a port, or a warp to stall.
    pub(super) fn next_event(&mut self) -> (Option<Issue>, Option<WarpSlot>) {
        while let Some(&event) = self.events.front() {
            let warp = match event {
                Event::Finish(warp) => return (Some(self.issue(warp).asking(Op::Finish)), None),
                Event::Seek(warp) => warp,
            };
            if self.states[warp.index()] == State::Launches {
                return (Some(self.issue(warp).asking(Op::Launch)), None);
            }
            if !self.can_have(warp) {
                return (None, Some(warp));
            }
            if self.states[warp.index()] == State::Waits {
                let size = self.size(warp);
                self.allotments.give(warp, size);
                self.states[warp.index()] = State::Launches;
                continue;
            }
            // Its stack is still in the table.
            self.allotments.take_back(warp);
            self.states[warp.index()] = State::Runs;
            self.resumed.push_back(warp);
            self.events.pop_front();
        }
        (None, None)
    }

    /// The front event has been served: by its request, or in the list.
    pub(super) fn event_done(&mut self) {
        match self.events.pop_front() {
            Some(Event::Finish(warp)) => {
                self.allotments.give_back(warp);
                let again = self.events.contains(&Event::Seek(warp));
                self.states[warp.index()] = match again {
                    true => State::Waits,
                    false => State::Absent,
                };
            }
            Some(Event::Seek(warp)) => match self.states[warp.index()] {
                State::Launches => self.states[warp.index()] = State::Runs,
                _ => self.counts.stalls += 1,
            },
            None => {}
        }
    }

    /// The registers of a warp as they are now.
    pub(super) fn switch_of(&mut self, warp: WarpSlot) -> Result<Switch, ManagerFault> {
        let mut sink = self.sink.take();
        let answer = self.look(warp, &mut sink);
        self.sink = sink;
        let (_, rsp, free) = answer?.stack.unwrap_or_default();
        let issue = self.issue(warp);
        let used = issue.capacity.saturating_sub(free);
        // The packs in use end below RSP.
        let window = u16::from(issue.capacity).max(1);
        let end = rsp.wrapping_sub(issue.first) % window;
        let from = issue.first + (end + window - u16::from(used)) % window;
        Ok(Switch {
            warp,
            base: (issue.base, self.placement.base_regs),
            stack: StackPacks {
                window: (issue.first, issue.capacity),
                from,
                count: used,
            },
        })
    }
}
