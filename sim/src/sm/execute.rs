//! Execute: collected instructions enter the arithmetic and special function units, which compute at once and
//! deliver after their latency.

use crate::kernel::exec::{AluInput, Value, alu, shfl, vote};
use crate::kernel::op::{BarKind, Op, VoteMode};
use crate::observe::watch::Event;
use crate::sm::Sm;
use crate::sm::barrier::Arrival;
use crate::sm::error::Step;
use crate::sm::program::MicroOp;

impl Sm<'_> {
    pub(super) fn execute(&mut self) -> Step {
        for pool in 0..2 {
            if self.collectors.pools[pool].queue.is_empty() {
                continue;
            }
            for unit in 0..self.unit_free_at[pool].len() {
                if self.unit_free_at[pool][unit] > self.cycle {
                    continue;
                }
                let Some(collector) = self.collectors.pools[pool].queue.pop_front() else {
                    break;
                };
                let id = self.collectors.units[usize::from(collector)].flight;
                let op = &self.program.ops[self.flights[id].pc as usize];
                self.tell(Event::Started { flight: id });
                self.unit_free_at[pool][unit] = Self::busy_until(self.cycle, op.timing);
                self.start(op, id, collector)?;
                self.collectors.pools[pool].give_back(collector);
                self.seen.started += 1;
            }
        }
        Ok(())
    }

    /// Computes the instruction and schedules its results.
    fn start(&mut self, op: &MicroOp, id: u16, collector: u8) -> Step {
        if let Op::Bar(kind) = op.op {
            return self.start_barrier(kind, op, id, collector);
        }
        if let Op::Traced(_) = op.op {
            return self.start_traced(op, id, collector);
        }
        let operands = &self.collectors.units[usize::from(collector)].operands;
        let flight = &mut self.flights[id];
        let out = &mut self.alu_output;
        match op.op {
            Op::Shfl(mode) => {
                let [a, b, c] = [&operands[0].lo, &operands[1].lo, &operands[2].lo];
                let (value, in_range) = shfl(mode, a, b, c, flight.lanes);
                out.regs[0] = value;
                out.preds[0] = in_range;
            }
            Op::Vote(mode) => {
                // With a member mask, only its lanes vote; the lanes that execute all name the same one.
                let first = flight.lanes.trailing_zeros() as usize;
                let members = match op.sources.is_empty() {
                    true => flight.lanes,
                    false => flight.lanes & operands[0].lo[first & 31],
                };
                let result = vote(mode, flight.preds[0], members);
                if mode == VoteMode::Ballot {
                    out.regs[0].lo = [result; 32];
                }
                out.preds[0] = result;
            }
            Op::Activemask => out.regs[0].lo = [flight.lanes; 32],
            _ => {
                let source = |i: usize| {
                    if i < op.sources.len() {
                        &operands[i]
                    } else {
                        &Value::ZERO
                    }
                };
                let mut preds = [0; 2];
                let given = op.pred_sources.len();
                preds[..given].copy_from_slice(&flight.preds[..given]);
                let input = AluInput {
                    srcs: [source(0), source(1), source(2), source(3)],
                    preds,
                };
                alu(&op.op, &input, flight.lanes, out);
            }
        }
        for (result, &(from, upper)) in flight.results.iter_mut().zip(&op.results) {
            let value = &out.regs[usize::from(from) & 1];
            *result = if upper { value.hi } else { value.lo };
        }
        flight.pred_results = out.preds;
        let latency = u64::from(op.timing.latency) + self.latch_cycles;
        self.wheel.schedule(self.cycle + latency, id);
        Ok(())
    }

    /// A barrier whose number or thread count is in a register, or that has a result.
    fn start_barrier(&mut self, kind: BarKind, op: &MicroOp, id: u16, collector: u8) -> Step {
        let operands = &self.collectors.units[usize::from(collector)].operands;
        let flight = &self.flights[id];
        let first = flight.lanes.trailing_zeros() as usize & 31;
        let value = |i: usize| (i < op.sources.len()).then(|| operands[i].lo[first]);
        let reduces = !matches!(kind, BarKind::Sync | BarKind::Arrive);
        let arrival = Arrival {
            slot: flight.warp.into(),
            pc: flight.pc,
            kind,
            threads: value(1),
            lanes: flight.lanes,
            predicate: flight.preds[0],
            flight: reduces.then_some(id),
        };
        let number = value(0).unwrap_or(0);
        if !reduces {
            self.wheel.schedule(self.cycle + 1, id);
        }
        self.arrive(number, arrival)
    }
}
