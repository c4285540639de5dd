//! Runs that follow a trace ([`crate::trace::lift`]).
//!
//! What comes from the trace takes its lanes and addresses from there and computes nothing: its results are numbers that tell who
//! wrote them and what was read ([`value`]). What a scheme has inserted has line 0 and runs as always, in all lanes that have not
//! ended; under a guard, in the lanes of the instruction of the trace before it. Branches of the lifted program are passed over:
//! the next line of the trace says where a warp goes on. So the SIMT stack of a warp has one entry.
//!
//! Of several SMs each follows the CTAs that it is given; which those are says the dispatcher ([`super::team`]), which takes them from
//! the file one by one. In memory are the traces of the CTAs that are resident.

use crate::kernel::exec::Lanes;
use crate::kernel::op::{Op, Space};
use crate::memory::local::LocalMemory;
use crate::sm::Sm;
use crate::sm::access::Access;
use crate::sm::error::{RunError, Step};
use crate::sm::program::{MicroOp, Source};
use crate::sm::route::{Cursor, number};
use crate::sm::scheduler::ones;
use crate::trace::lift::value;
use crate::trace::record::CtaTrace;
use regshare_hw::ids::WarpSlot;

impl Sm<'_> {
    /// Gives the warps from slot `first` on the trace of their CTA, and tells the number of that in the grid.
    pub(super) fn take_trace(&mut self, cta: CtaTrace, first: usize) -> u64 {
        let Some(replay) = &mut self.replay else {
            return 0;
        };
        let header = replay.header();
        let warps = header.warps_per_cta() as usize;
        for cursor in &mut replay.cursors[first..first + warps] {
            *cursor = Cursor::default();
        }
        for warp in cta.warps {
            if let Some(cursor) = replay.cursors.get_mut(first + warp.warp as usize) {
                cursor.trace = warp;
            }
        }
        header.cta_number(cta.index)
    }

    /// Warps of which the trace has nothing end at once.
    pub(super) fn end_untraced_warps(&mut self, first: usize) -> Step {
        let Some(replay) = &self.replay else {
            return Ok(());
        };
        let slots = first..first + self.ctas.warps_per_cta as usize;
        let untraced: Vec<usize> = slots
            .filter(|&slot| replay.cursors[slot].trace.insts.is_empty())
            .collect();
        for slot in untraced {
            self.warps.stack[slot].exit(u32::MAX, 0, None);
            self.warps.follow_stack(slot, 0);
            self.manager.gave_all_back(WarpSlot(slot as u16));
            self.warp_ended(slot)?;
        }
        Ok(())
    }

    /// Where the branch `op` at `pc` of the lifted program takes the warp; `None` for anything that has to be executed.
    pub(super) fn passed_branch(&self, slot: usize, pc: u32, op: &MicroOp) -> Option<u32> {
        let replay = self.replay.as_ref()?;
        let Op::Bra(_) = op.op else { return None };
        let next = replay.cursors[slot].next()?;
        let taken = replay.route.home[next.inst as usize] == op.target;
        Some(if taken { op.target } else { pc + 1 })
    }

    /// Lanes that execute `op`, if the trace says so; else those that have not ended, or under a guard those of the line
    /// before.
    pub(super) fn traced_lanes(&self, slot: usize, op: &MicroOp) -> Option<u32> {
        let replay = self.replay.as_ref()?;
        let running = self.warps.lanes[slot];
        let cursor = &replay.cursors[slot];
        if number(op.line.0).is_none() {
            let before = cursor.at.checked_sub(1).map(|at| &cursor.trace.insts[at]);
            return Some(match op.guard {
                None => running,
                Some(_) => running & before.map_or(0, |line| line.mask),
            });
        }
        let line = cursor.next()?;
        // Lanes of which the trace has nothing end with the others.
        let is_last = cursor.at + 1 == cursor.trace.insts.len();
        Some(match op.op {
            Op::Exit if is_last => running,
            _ => line.mask,
        })
    }

    /// `op` has issued for `slot`: its line has been used, by the instruction in `flight` if it is under way.
    pub(super) fn follow(&mut self, slot: usize, op: &MicroOp, flight: Option<u16>) -> Step {
        let Some(replay) = &mut self.replay else {
            return Ok(());
        };
        let Some(number) = number(op.line.0) else {
            return Ok(());
        };
        let Some(&line) = replay.executed(slot, op) else {
            let message = format!("{}: the trace goes on elsewhere", self.place(slot));
            return Err(Box::new(RunError::Trace { message }));
        };
        replay.followed.insts += 1;
        let inst = &replay.route.insts[number];
        let cursor = &mut replay.cursors[slot];
        if let Some(id) = flight {
            let flight = &mut self.flights[id];
            flight.record = cursor.at as u32;
            flight.defined = value::defined(inst, &cursor.written);
        }
        value::write(inst, line.mask, &mut cursor.written);
        cursor.at += 1;
        Ok(())
    }

    /// Whether the warp arrives at the barrier with these lanes. Lanes that are apart arrive one group after the other; the warp,
    /// with the last: when all that have not ended are there, or when the next line shows that some went on. // assumed
    pub(super) fn arrives(&mut self, slot: usize, lanes: u32) -> bool {
        let running = self.warps.lanes[slot];
        let Some(replay) = &mut self.replay else {
            return true;
        };
        let cursor = &mut replay.cursors[slot];
        cursor.arrived |= lanes;
        let next = cursor.trace.insts.get(cursor.at + 1);
        let all = running & !cursor.arrived == 0;
        let went_on = next.is_some_and(|line| line.mask & cursor.arrived != 0);
        let arrives = all || went_on;
        if arrives {
            cursor.arrived = 0;
        }
        arrives
    }

    /// The results of an instruction of the trace, by what its collector unit has read.
    fn traced_results(&mut self, op: &MicroOp, id: u16, unit: u8) {
        let Some(replay) = &mut self.replay else {
            return;
        };
        let operands = &self.collectors.units[usize::from(unit)].operands;
        let flight = &mut self.flights[id];
        let warp = self.warps.number[usize::from(flight.warp)];
        let executed = value::executed(warp, flight.record);
        let mut sum = 0u64;
        for lane in ones(flight.lanes.into()) {
            let mut number = value::in_lane(executed, lane);
            if flight.defined >> lane & 1 == 1 {
                for (source, operand) in op.sources.iter().zip(operands.iter()) {
                    let Source::Register { wide, .. } = *source else {
                        continue;
                    };
                    number = value::with_read(number, operand.lo[lane]);
                    if wide {
                        number = value::with_read(number, operand.hi[lane]);
                    }
                }
            }
            sum = sum.wrapping_add(number);
            let results: &mut [Lanes] = &mut flight.results[..op.results.len()];
            for (index, result) in results.iter_mut().enumerate() {
                result[lane] = value::result(number, index);
            }
        }
        replay.followed.sum = replay.followed.sum.wrapping_add(sum);
    }

    /// An arithmetic instruction of the trace starts.
    pub(super) fn start_traced(&mut self, op: &MicroOp, id: u16, unit: u8) -> Step {
        self.traced_results(op, id, unit);
        let latency = u64::from(op.timing.latency) + self.latch_cycles;
        self.wheel.schedule(self.cycle + latency, id);
        Ok(())
    }

    /// An access of the trace: its addresses go to `resolved`, memory stays as it is.
    pub(super) fn access_traced(
        &mut self,
        op: &MicroOp,
        access: &Access,
        id: u16,
        unit: u8,
    ) -> Step {
        let flight = &self.flights[id];
        let (slot, record, lanes) = (usize::from(flight.warp), flight.record, flight.lanes);
        self.resolve_traced(slot, record as usize, access, lanes);
        self.traced_results(op, id, unit);
        self.enter_scratchpad(access, id)
    }

    fn resolve_traced(&mut self, slot: usize, record: usize, access: &Access, lanes: u32) {
        let Some(replay) = &self.replay else { return };
        let resolved = &mut self.resolved;
        (resolved.shared, resolved.local) = (0, 0);
        (resolved.device, resolved.constant) = (0, 0);
        let trace = &replay.cursors[slot].trace;
        let line = trace.insts.get(record);
        let addresses = line.and_then(|line| trace.addresses.get(line.addresses as usize));
        let (Some(line), Some(addresses)) = (line, addresses) else {
            // Constants: which, tracers do not write.
            resolved.addresses = [0; 32];
            resolved.constant = lanes;
            return;
        };
        addresses.expand(line.mask, &mut resolved.addresses);
        for lane in ones(lanes.into()) {
            let (space, address) = replay
                .route
                .windows
                .find(access.space, resolved.addresses[lane]);
            let bit = 1 << lane;
            resolved.addresses[lane] = match space {
                Space::Local => local_address(&self.local, address, access.bytes()),
                _ => address,
            };
            match space {
                Space::Shared => resolved.shared |= bit,
                Space::Local => resolved.local |= bit,
                Space::Param | Space::Const => resolved.constant |= bit,
                Space::Global | Space::Generic => resolved.device |= bit,
            }
        }
    }

    /// The highest byte of the scratchpad that the next line of the warp accesses.
    pub(super) fn traced_scratchpad(
        &self,
        slot: usize,
        op: &MicroOp,
        access: &Access,
    ) -> Option<u32> {
        let replay = self.replay.as_ref()?;
        let line = replay.executed(slot, op)?;
        let trace = &replay.cursors[slot].trace;
        let mut addresses = [0; 32];
        trace
            .addresses
            .get(line.addresses as usize)?
            .expand(line.mask, &mut addresses);
        let highest = ones(line.mask.into()).filter_map(|lane| {
            match replay.route.windows.find(access.space, addresses[lane]) {
                (Space::Shared, address) => Some(address.saturating_add(access.bytes() - 1)),
                _ => None,
            }
        });
        highest
            .max()
            .map(|last| u32::try_from(last).unwrap_or(u32::MAX))
    }
}

/// An address that the thread has.
fn local_address(local: &LocalMemory, address: u64, bytes: u64) -> u64 {
    match local.kernel_bytes().checked_sub(bytes) {
        Some(last) if address > last => (address % (last + 1)) & !3,
        _ => address,
    }
}
