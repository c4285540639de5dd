//! Operand collection: each register bank serves one access per cycle; write-back comes first.

use crate::kernel::Line;
use crate::sm::Sm;
use crate::sm::error::{Owner, Place, RunError, Step};
use crate::sm::regfile::{Missing, Tag};
use regshare_hw::ids::{ArchReg, Pack, WarpSlot};

impl Sm<'_> {
    pub(super) fn collect(&mut self) -> Step {
        let written = std::mem::take(&mut self.written_banks);
        let mut waiting = self.collectors.waiting_banks;
        while waiting != 0 {
            let bank = waiting.trailing_zeros() as usize;
            waiting &= waiting - 1;
            let queue = &mut self.collectors.banks[bank];
            if written >> bank & 1 == 1 {
                self.counters.registers.bank_conflict_cycles += queue.len() as u64;
                continue;
            }
            let Some(request) = queue.pop_front() else {
                continue;
            };
            self.counters.registers.bank_conflict_cycles += queue.len() as u64;
            if queue.is_empty() {
                self.collectors.waiting_banks &= !(1 << bank);
            }
            let unit = &mut self.collectors.units[usize::from(request.collector)];
            let flight = &self.flights[unit.flight];
            let op = &self.program.ops[flight.pc as usize];
            let moves = op.moves;
            let reg = match moves {
                true => ArchReg(0),
                false => op.request.regs[usize::from(request.register)],
            };
            let pack = flight.packs[usize::from(request.register)];
            let slot = usize::from(flight.warp);
            let word = flight.word;
            let operand = &mut unit.operands[usize::from(request.source)];
            let half = if request.upper {
                &mut operand.hi
            } else {
                &mut operand.lo
            };
            if moves {
                let (value, held) = self.registers.take(pack, &mut self.counters.registers);
                *half = value;
                unit.missing -= 1;
                self.seen.read_banks |= 1 << bank;
                match self.spills {
                    Some(_) => {
                        self.register_saved(slot, word, held);
                        self.register_moved(slot);
                    }
                    None => self.pack_saved(slot, word, held),
                }
                continue;
            }
            let counters = &mut self.counters.registers;
            let read = (self.registers).read(slot, reg, (pack, flight.lanes), half, counters);
            unit.missing -= 1;
            let complete = unit.missing == 0;
            if let Err(missing) = read {
                return Err(Box::new(self.missing(
                    slot,
                    flight.pc,
                    (reg, pack),
                    missing,
                )));
            }
            self.seen.read_banks |= 1 << bank;
            if self.scoreboard.read_done(slot, reg.0) {
                self.warps.dirty |= 1 << slot;
            }
            let pool = self.collectors.pool_of(request.collector);
            if complete && pool != 2 {
                self.collectors.pools[pool]
                    .queue
                    .push_back(request.collector);
            }
        }
        Ok(())
    }

    /// What ends the run where a value is not in the pack in which it is read.
    fn missing(
        &self,
        slot: usize,
        pc: u32,
        (reg, pack): (ArchReg, Pack),
        missing: Missing,
    ) -> RunError {
        let place = self.place_of(slot, pc);
        let warps = u64::from(self.ctas.warps_per_cta);
        let owner = |tag: Tag| Owner {
            cta: tag.warp / warps,
            warp: (tag.warp % warps) as u32,
            reg: tag.reg,
        };
        match missing {
            Missing::Pack => RunError::LostRegister { place, reg },
            Missing::Lane(lane) => RunError::LostLane { place, reg, lane },
            Missing::Foreign(tag) => RunError::ForeignRegister {
                place,
                reg,
                pack,
                found: tag.map(owner),
            },
        }
    }

    /// The place of the next instruction of a warp.
    pub(super) fn place(&self, slot: usize) -> Place {
        self.place_of(slot, self.warps.pc[slot])
    }

    /// The place of an instruction of a warp.
    pub(super) fn place_of(&self, slot: usize, pc: u32) -> Place {
        let number = self.warps.number[slot];
        let warps_per_cta = u64::from(self.ctas.warps_per_cta);
        let ops = &self.program.ops[pc as usize..];
        let mut lines = ops.iter().map(|op| op.line);
        Place {
            file: None,
            made: ops.first().is_some_and(|op| op.line == Line(0)),
            line: lines.find(|&line| line != Line(0)).unwrap_or(Line(0)),
            index: pc,
            cta: number / warps_per_cta,
            warp: (number % warps_per_cta) as u32,
            slot: WarpSlot(slot as u16),
        }
    }
}
