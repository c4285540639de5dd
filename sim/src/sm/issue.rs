//! Issue: each scheduler proposes an instruction, the register hardware disposes.
//!
//! A scheduler proposes one warp per cycle. If the register hardware refuses it, the slot is lost and the warp is
//! parked: no scheduler tries it again until the hardware says that something has been freed. Then all parked
//! warps may try, in the order of the scheduler's policy, as the paper's warps retry when they are scheduled again
//! (RegMutex III-B1). A parked warp is not a candidate, so greedy scheduling cannot stay with it.
//!
//! Branches, exits, barriers with constant operands, acquire and release are done here. Guards and predicate
//! sources are read here, too.

use crate::compiler::calls::MOST_OPEN_CALLS;
use crate::kernel::op::Op;
use crate::machine::Timing;
use crate::observe::cause::Cause;
use crate::observe::watch::Event;
use crate::sm::Sm;
use crate::sm::barrier::Arrival;
use crate::sm::error::{RunError, Step, TOO_MANY_CALLS};
use crate::sm::program::{MicroOp, Source, Unit};
use crate::sm::scheduler::ones;
use crate::sm::scoreboard::Hazard;
use regshare_hw::ids::WarpSlot;
use regshare_hw::manager::{MAX_SCHEDULERS, RegOp, StallWatch};

/// Index of a unit's collector pool.
pub(super) fn pool(unit: Unit) -> Option<usize> {
    match unit {
        Unit::Issue => None,
        Unit::Sp => Some(0),
        Unit::Sfu => Some(1),
        Unit::Ldst => Some(2),
    }
}

impl Sm<'_> {
    pub(super) fn issue(&mut self) -> Step {
        self.begin_handlers()?;
        self.begin_moves();
        self.limit_warps();
        self.refresh_hazards();
        self.hold_back();
        let shows_word = self.renames && self.hear_and_tell()?;
        let schedulers = self.schedulers.len();
        let warps = &self.warps;
        let waiting = warps.hazard & warps.on_memory | warps.at_barrier | warps.parked | warps.away;
        let waiting = waiting & !warps.handling;
        // Warps beyond the limit are no candidates.
        let waiting = waiting | self.most_warps.map_or(0, |_| warps.limited);
        for scheduler in &mut self.schedulers {
            scheduler.refill(warps.running, waiting);
        }
        let ready = self.warps.ready();
        let mut asked = self.manager.has_news() || shows_word || self.throttle.is_some();
        if ready == 0 && !asked {
            for index in 0..schedulers {
                self.attribute(index, self.cycle, 1);
            }
            self.tell_states(self.cycle, false);
            return Ok(());
        }
        let mut room: [u32; 3] = std::array::from_fn(|unit| {
            self.collectors.pools[unit]
                .free_units()
                .min(self.issue_width[unit])
        });
        let mut chosen = self.chosen_by_hardware(self.with_room(ready, &room))?;
        for turn in 0..schedulers {
            // Who chooses first alternates, like the priority in the register hardware.
            let index = (turn + self.cycle as usize) % schedulers;
            if self.manager.is_busy(index) {
                (self.proposals[index], self.requests[index]) = (None, None);
                continue;
            }
            let candidates = self.with_room(ready, &room) & self.schedulers[index].warps;
            // No other pir is decoded before these warps have used theirs, so they do not wait for a place in a ready queue.
            let urgent = candidates & self.warps.pir_arrived;
            let picked = match &mut chosen {
                None if urgent != 0 => {
                    self.schedulers[index].pick_urgent(urgent, &self.warps.number)
                }
                None => self.schedulers[index].pick(candidates, &self.warps.number),
                Some(chosen) => {
                    // The first scheduler may have taken the last collector unit of a kind.
                    if chosen[index].is_some_and(|slot| candidates >> slot & 1 == 0) {
                        *chosen = self.chosen_by_hardware(candidates)?.unwrap_or_default();
                    }
                    chosen[index]
                }
            };
            self.proposals[index] = picked;
            self.requests[index] = None;
            let Some(slot) = picked else { continue };
            let op = &self.program.ops[self.warps.pc[slot] as usize];
            if let Some(unit) = pool(op.unit) {
                room[unit] -= 1;
            }
            let scratchpad = self.scratchpad_wanted(slot, op);
            let op = &self.program.ops[self.warps.pc[slot] as usize];
            if op.asks || scratchpad.is_some() {
                let mut request = op.request.clone();
                request.warp = WarpSlot(slot as u16);
                request.scratchpad = scratchpad;
                if self.renames {
                    request.partial |=
                        self.active_lanes(slot, op) != self.warps.stack[slot].all_lanes();
                }
                if self.stacks.is_some() {
                    let op = &self.program.ops[self.warps.pc[slot] as usize];
                    if !self.ask_stack(slot, op, &mut request)? {
                        continue;
                    }
                }
                self.requests[index] = Some(request);
                asked = true;
            }
        }
        let woken = match asked {
            true => self.ask_manager()?,
            false => None,
        };
        self.tell_states(self.cycle, true);
        for index in 0..schedulers {
            let Some(slot) = self.proposals[index] else {
                let busy = self.renames && self.was_busy >> index & 1 == 1;
                match busy && ready & self.schedulers[index].in_reach() != 0 {
                    true => {
                        self.counters.slots.renaming_busy += 1;
                        self.show_busy(index);
                    }
                    false => self.attribute(index, self.cycle, 1),
                }
                continue;
            };
            if self.requests[index].is_some() && !self.replies[index].granted {
                let reply = &self.replies[index];
                let cause = match reply.again && self.renames {
                    true => Cause::RenamingBusy,
                    false => Cause::Refused,
                };
                self.show_proposal(index, slot, cause);
                match reply.stack.save {
                    _ if reply.again => {}
                    _ if reply.missing_flags => self.fetch_pir(slot),
                    Some(packs) => self.trap_to_save(slot, packs)?,
                    None if self.is_handling(slot) => self.refuse_move(slot),
                    None => self.refuse(slot),
                }
                self.counters.slots[cause] += 1;
            } else {
                self.counters.slots.issued += 1;
                self.show_proposal(index, slot, Cause::Issued);
                self.warps.pir_arrived &= !(1 << slot);
                self.schedulers[index].issued(slot);
                self.seen.issued[index] = Some((slot, self.warps.pc[slot]));
                self.last_issued[index] = self.seen.issued[index];
                self.issue_one(slot, index)?;
            }
        }
        if let Some(stay) = woken {
            self.warps.parked &= stay;
        }
        self.tell_issue_done(asked);
        Ok(())
    }

    /// Leaves the schedulers so many of the oldest warps, of those that do not wait at a barrier.
    fn limit_warps(&mut self) {
        let Some(limit) = self.most_warps else {
            return;
        };
        let mut slots: Vec<usize> = ones(self.warps.running & !self.warps.at_barrier).collect();
        slots.sort_unstable_by_key(|&slot| self.warps.number[slot]);
        let younger = slots.into_iter().skip(limit.into());
        self.warps.limited = younger.fold(0, |mask, slot| mask | 1 << slot);
    }

    /// Warps that dynamic warp execution keeps from memory in this cycle are no candidates.
    pub(super) fn hold_back(&mut self) {
        if let Some(throttle) = self.throttle {
            let warps = &mut self.warps;
            warps.limited = throttle.held_back & warps.for_memory & warps.has_inst & !warps.dirty;
        }
    }

    /// Those of the warps whose next instruction finds a collector unit.
    fn with_room(&self, warps: u64, room: &[u32; 3]) -> u64 {
        let full = |unit: &usize| room[*unit] == 0;
        (0..3)
            .filter(full)
            .fold(warps, |warps, unit| warps & !self.warps.for_unit[unit])
    }

    /// The slot for each scheduler, if the register hardware chooses.
    fn chosen_by_hardware(
        &mut self,
        candidates: u64,
    ) -> Step<Option<[Option<usize>; MAX_SCHEDULERS]>> {
        let cycle = self.cycle;
        let chosen = self.manager.choose(candidates, self.warps.for_acquire);
        let chosen = chosen.map_err(|fault| Box::new(RunError::Manager { cycle, fault }))?;
        Ok(chosen.map(|slots| slots.map(|slot| slot.map(WarpSlot::index))))
    }

    /// Looks at the hazards of the warps whose next instruction or scoreboard has changed.
    fn refresh_hazards(&mut self) {
        let look = std::mem::take(&mut self.warps.dirty) & self.warps.has_inst;
        for slot in ones(look) {
            let bit = 1 << slot;
            let op = &self.program.ops[self.warps.pc[slot] as usize];
            let mut hazard = self.scoreboard.hazard(slot, op);
            if op.op == Op::Ret
                && let Some(frame) = self.frame_mask(slot)
                && self.scoreboard.is_pending(slot, &frame)
            {
                hazard = Hazard::Other;
            }
            if op.drains && (self.warps.in_flight[slot] > 0 || self.warps.stores[slot] > 0) {
                hazard = Hazard::Other;
            }
            let set = |mask: &mut u64, on: bool| *mask = *mask & !bit | if on { bit } else { 0 };
            set(&mut self.warps.at_word, op.word.is_some());
            set(&mut self.warps.for_memory, op.request.memory);
            set(&mut self.warps.for_acquire, op.request.op == RegOp::Acquire);
            set(&mut self.warps.hazard, hazard != Hazard::None);
            set(&mut self.warps.on_memory, hazard == Hazard::Memory);
            for (index, mask) in self.warps.for_unit.iter_mut().enumerate() {
                set(mask, pool(op.unit) == Some(index));
            }
        }
    }

    /// The refused warps that are not to try again, if others are.
    fn ask_manager(&mut self) -> Step<Option<u64>> {
        for reply in &mut self.replies {
            reply.granted = false;
            reply.packs.clear();
            (reply.ticket, reply.missing_flags) = (None, false);
            (reply.stack, reply.again) = (Default::default(), false);
        }
        if self.throttle.is_some() {
            let proposals = self.proposals.iter().zip(&self.requests);
            let unasked =
                |(slot, request): (&Option<usize>, &Option<_>)| slot.is_some() && request.is_none();
            self.manager.watch_stalls(StallWatch {
                issues: proposals.into_iter().any(unasked),
                zero_stalls: self.zero_stalls,
            });
        }
        let cycle = self.cycle;
        self.manager
            .cycle(cycle, &self.requests, &mut self.replies)
            .map_err(|fault| Box::new(RunError::Manager { cycle, fault }))
            .and_then(|reply| {
                if reply.word_done {
                    self.word_done()?;
                }
                Ok(reply.wake.then_some(reply.stay))
            })
    }

    fn refuse(&mut self, slot: usize) {
        self.warps.parked |= 1 << slot;
        let op = &self.program.ops[self.warps.pc[slot] as usize];
        if op.request.op == RegOp::Acquire {
            self.counters.acquire.attempts += 1;
        }
        self.warps.refused_at[slot].get_or_insert(self.cycle);
    }

    fn issue_one(&mut self, slot: usize, scheduler: usize) -> Step {
        if self.is_handling(slot) {
            if self.spills.is_some() {
                self.issue_register_move(slot, scheduler);
                return Ok(());
            }
            return self.issue_move(slot);
        }
        if self.spills.is_some() {
            self.manager.went_on(WarpSlot(slot as u16));
        }
        let program = self.program;
        let pc = self.warps.pc[slot];
        let op = &program.ops[pc as usize];
        let running = self.warps.lanes[slot];
        let lanes = self.active_lanes(slot, op);
        self.counters.warp_instructions += 1;
        self.counters.thread_instructions += u64::from(lanes.count_ones());
        let next = pc + 1;
        let waited = self.warps.refused_at[slot].take();
        let mut flight = None;
        match op.op {
            Op::Bra(_) => {
                self.counters.branches += 1;
                self.counters.divergent_branches += u64::from(lanes != 0 && lanes != running);
                self.warps.stack[slot].branch(lanes, op.target, next, op.meet);
            }
            Op::Exit => {
                let stack = &mut self.warps.stack[slot];
                let calls = stack.calls();
                stack.exit(lanes, next, program.stacks.map(|ops| ops.unwind));
                self.counters.calls.returns += (calls - stack.calls()) as u64;
            }
            Op::Call(_) if lanes != 0 => {
                if self.warps.stack[slot].calls() >= MOST_OPEN_CALLS {
                    return Err(self.stack_fault(slot, TOO_MANY_CALLS));
                }
                self.counters.calls.calls += 1;
                self.warps.stack[slot].call(lanes, op.target, next);
                let (calls, open) = (&mut self.counters.calls, self.warps.stack[slot].calls());
                calls.deepest = calls.deepest.max(open as u64);
            }
            Op::Ret if lanes != 0 || self.warps.stack[slot].unwinds() => {
                self.counters.calls.returns += u64::from(self.warps.stack[slot].ends_call(lanes));
                if !self.warps.stack[slot].ret(lanes, next) {
                    return Err(Box::new(RunError::Return(self.place(slot))));
                }
            }
            _ => {
                if lanes != 0 {
                    match op.unit {
                        Unit::Issue => self.do_at_issue(slot, op, lanes, waited)?,
                        _ => flight = self.collect_operands(slot, op, lanes, scheduler)?,
                    }
                } else if op.guard.is_none() {
                    // A line of a trace that no lane executes: what was there has ended, and nothing is written.
                    self.registers.give_back(slot, &op.write_mask);
                }
                if op.asks
                    && let Some(ticket) = self.replies[scheduler].ticket
                {
                    self.await_packs(ticket, slot, op, flight);
                }
                self.warps.stack[slot].advance(next);
            }
        }
        if self.requests[scheduler].is_some() {
            self.stack_granted(slot, op, scheduler)?;
        }
        if !op.idle {
            self.worked_at = self.cycle;
        }
        let flight = flight.map(|(id, _)| id);
        self.record_issued(slot, pc, lanes, flight);
        self.follow(slot, op, flight)?;
        self.tell(Event::Issued {
            warp: slot,
            pc,
            flight,
        });
        self.warps.buffered[slot] -= 1;
        if self.warps.buffered[slot] == 0 {
            self.warps.has_inst &= !(1 << slot);
        }
        self.warps.dirty |= 1 << slot;
        let next = self.pass_over_pirs(slot, next);
        self.warps.follow_stack(slot, next);
        if self.warps.running >> slot & 1 == 0 {
            // Lanes that a trace has parted may have come between the pbr and the exit.
            let is_empty = self.replay.is_none() || self.warps.behind_pbr >> slot & 1 == 1;
            if op.empties && is_empty {
                self.manager.gave_all_back(WarpSlot(slot as u16));
            }
            self.warp_ended(slot)?;
        }
        self.warps.behind_pbr &= !(1 << slot);
        Ok(())
    }

    /// Lanes that run and whose guard holds.
    pub(super) fn active_lanes(&self, slot: usize, op: &MicroOp) -> u32 {
        if let Some(lanes) = self.traced_lanes(slot, op) {
            return lanes;
        }
        let running = self.warps.lanes[slot];
        match op.guard {
            None => running,
            Some((pred, negated)) => {
                let holds = self.warps.preds[slot][usize::from(pred)];
                running & if negated { !holds } else { holds }
            }
        }
    }

    fn do_at_issue(&mut self, slot: usize, op: &MicroOp, lanes: u32, waited: Option<u64>) -> Step {
        match op.op {
            Op::Acquire => {
                let acquire = &mut self.counters.acquire;
                acquire.executed += 1;
                acquire.attempts += 1;
                match waited {
                    None => acquire.first_try += 1,
                    Some(since) => acquire.wait_cycles += self.cycle - since,
                }
            }
            Op::Release => {
                self.counters.acquire.released += 1;
                self.registers.give_back(slot, &op.write_mask);
            }
            Op::Bar(_) if !self.arrives(slot, lanes) => {}
            Op::Bar(kind) => {
                let constant = |i: usize| match op.sources.get(i) {
                    Some(&Source::Constant { value, .. }) => Some(value as u32),
                    _ => None,
                };
                self.arrive(
                    constant(0).unwrap_or(0),
                    Arrival {
                        slot,
                        pc: self.warps.pc[slot],
                        kind,
                        threads: constant(1),
                        lanes,
                        predicate: 0,
                        flight: None,
                    },
                )?;
            }
            Op::Trap if !op.sources.is_empty() => {
                return Err(Box::new(RunError::NoFunction {
                    place: self.place(slot),
                    lane: lanes.trailing_zeros(),
                }));
            }
            Op::Trap => return Err(Box::new(RunError::Trap(self.place(slot)))),
            _ => {}
        }
        Ok(())
    }

    /// Instructions of each kind that issue per cycle: as many as there are units, one for the load/store unit.
    pub(super) fn issue_widths(sp_units: u8, sfu_units: u8) -> [u32; 3] {
        [sp_units.into(), sfu_units.into(), 1]
    }

    /// A unit is free for the next instruction after the interval.
    pub(super) fn busy_until(cycle: u64, timing: Timing) -> u64 {
        cycle + u64::from(timing.interval)
    }
}
