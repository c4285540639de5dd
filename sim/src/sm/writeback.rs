//! Write-back: results go into the register banks, one per bank and cycle; loads have a port of their own.

use crate::observe::watch::Event;
use crate::sm::Sm;
use crate::sm::error::{RunError, Step};
use crate::sm::program::Unit;

impl Sm<'_> {
    pub(super) fn write_back(&mut self) -> Step {
        self.wheel.advance_to(self.cycle);
        while let Some(id) = self.wheel.pop() {
            self.tell(Event::Result { flight: id });
            let op = &self.program.ops[self.flights[id].pc as usize];
            if op.unit == Unit::Ldst {
                self.load_results.push_back(id);
            } else {
                self.results.push_back(id);
            }
        }
        // Where the register hardware relies on a read that would be too late in the next cycle, it goes first.
        let reading = match self.renames {
            true => self.collectors.late(self.cycle + 1),
            false => 0,
        };
        let mut banks = reading;
        if let Some(&id) = self.load_results.front()
            && self.write_some(id, &mut banks)?
        {
            self.load_results.pop_front();
        }
        for _ in 0..self.writeback_width {
            let Some(&id) = self.results.front() else {
                break;
            };
            if !self.write_some(id, &mut banks)? {
                break;
            }
            self.results.pop_front();
        }
        self.written_banks = banks & !reading;
        self.seen.written_banks = self.written_banks;
        Ok(())
    }

    /// Writes those results whose banks are free in this cycle; true when nothing is left.
    fn write_some(&mut self, id: u16, banks: &mut u32) -> Step<bool> {
        if self.program.ops[self.flights[id].pc as usize].moves {
            return self.fill_pack(id, banks);
        }
        let flight = &mut self.flights[id];
        let op = &self.program.ops[flight.pc as usize];
        let slot = usize::from(flight.warp);
        let reads = usize::from(op.reads);
        while usize::from(flight.written) < op.results.len() {
            let result = usize::from(flight.written);
            let pack = flight.packs[reads + result];
            let bank = 1 << self.registers.bank(slot, pack);
            if *banks & bank != 0 {
                return Ok(false);
            }
            *banks |= bank;
            let reg = op.request.regs[reads + result];
            // The program of a trace is that of a warp: what has no guard there leaves no lane that is read.
            if self.replay.is_some() && op.guard.is_none() {
                self.registers.forget_lanes(slot, reg);
            }
            self.registers.write(
                slot,
                reg,
                pack,
                flight.lanes,
                &flight.results[result],
                &mut self.counters.registers,
            );
            self.scoreboard.write_done(slot, reg.0);
            flight.written += 1;
        }
        for (&pred, &value) in op.pred_dsts.iter().zip(&flight.pred_results) {
            let target = &mut self.warps.preds[slot][usize::from(pred)];
            *target = *target & !flight.lanes | value & flight.lanes;
        }
        self.scoreboard.preds_done(slot, op.pred_writes);
        self.finish(id)?;
        Ok(true)
    }

    /// Writes what a trap handler's load has brought.
    fn fill_pack(&mut self, id: u16, banks: &mut u32) -> Step<bool> {
        let flight = &self.flights[id];
        let (slot, pack) = (usize::from(flight.warp), flight.packs[0]);
        let bank = 1 << self.registers.bank(slot, pack);
        if *banks & bank != 0 {
            return Ok(false);
        }
        *banks |= bank;
        let word = flight.word;
        let held = match self.spills {
            Some(_) => self.register_held(slot, word),
            None => self.held_saved(slot, word),
        };
        let Some(held) = held else {
            let what = "a pack comes back that was not saved".to_owned();
            return Err(Box::new(RunError::Leak(what)));
        };
        let counters = &mut self.counters.registers;
        let value = &self.flights[id].results[0];
        self.registers.put(pack, value, held, counters);
        self.finish(id)?;
        match self.spills {
            Some(_) => self.register_moved(slot),
            None => self.moved(slot),
        }
        Ok(true)
    }

    /// The instruction has ended.
    pub(super) fn finish(&mut self, id: u16) -> Step {
        let slot = usize::from(self.flights[id].warp);
        self.tell(Event::Finished { flight: id });
        self.record_finished(id);
        self.flights.give_back(id);
        self.warps.in_flight[slot] -= 1;
        self.warps.dirty |= 1 << slot;
        self.retire_if_done(slot)
    }
}
