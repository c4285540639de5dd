//! Register hardware that renames: its packs are known a cycle after it took an instruction in, operand by operand, and it
//! decodes the words of release flags in the program (RFV 6.2, 7).
//!
//! An instruction has its collector unit from the first cycle on. A register whose pack is known is read from the next cycle on,
//! in its turn. If that was the last time, the pack is free in this cycle or later, and an instruction that is taken in then
//! writes it two cycles and the latency of a unit later. Up to there a bank's writes go before its reads, as without renaming; a
//! read that would be too late goes before them, and the hardware is held up while one still would be. The paper does not say
//! when a pack is free, nor which goes first. // assumed
//!
//! A pir is passed over. If the hardware does not have its flags when an instruction needs them, it is fetched like an
//! instruction and decoded; then its warp goes first, or another pir might take its place again. // assumed
//! Hardware that keeps no flags decodes every pir, before the instruction behind it.
//! A pbr takes its turn at decode, one word per cycle, and takes no issue slot.

use crate::observe::watch::Event;
use crate::sm::Sm;
use crate::sm::collector::ReadRequest;
use crate::sm::error::{RunError, Step};
use crate::sm::program::{MicroOp, Source, Word};
use crate::sm::regfile::Missing;
use regshare_hw::ids::{Pack, WarpSlot};
use regshare_hw::manager::{Answer, Decode, FlagWord};

/// The pack of a register that has not been located.
pub(super) const UNKNOWN: Pack = Pack(u16::MAX);

/// An instruction that was granted, and whose packs are not all known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unlocated {
    ticket: u32,
    slot: usize,
    /// Flight and collector unit; `None` for one that no lane executes.
    flight: Option<(u16, u8)>,
    /// Registers still to be located.
    left: u8,
}

/// The word at decode.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    slot: usize,
    word: FlagWord,
    is_pir: bool,
}

impl Sm<'_> {
    /// Takes the packs that are known now, and tells the hardware what decode has for it. True if that is a word.
    pub(super) fn hear_and_tell(&mut self) -> Step<bool> {
        let cycle = self.cycle;
        self.answers.clear();
        match self.manager.answers() {
            Ok(answers) => self.answers.extend_from_slice(answers),
            Err(fault) => return Err(Box::new(RunError::Manager { cycle, fault })),
        }
        for index in 0..self.answers.len() {
            self.locate(self.answers[index])?;
        }
        self.was_busy = (0..self.schedulers.len())
            .filter(|&index| self.manager.is_busy(index))
            .fold(0, |busy, index| busy | 1 << index);
        self.choose_word();
        let decode = Decode {
            word: self.word.map(|shown| shown.word),
            hold: self.collectors.late(cycle + 1) != 0,
        };
        self.manager.decode(decode);
        Ok(self.word.is_some())
    }

    fn choose_word(&mut self) {
        if self.word.is_some() {
            return;
        }
        let warps = &self.warps;
        // A pir could take the place in the cache of one that has not been used yet, for ever.
        let pirs = match warps.ready() & warps.pir_arrived {
            0 => warps.pir_at_decode,
            _ => 0,
        };
        let candidates = pirs | warps.ready_words();
        if candidates == 0 {
            return;
        }
        let behind = candidates & (!1u64 << self.last_word);
        let chosen = if behind != 0 { behind } else { candidates };
        let slot = chosen.trailing_zeros() as usize;
        self.last_word = slot;
        let pc = warps.pc[slot];
        let op = &self.program.ops[pc as usize];
        let is_pir = warps.pir_at_decode >> slot & 1 == 1;
        let (pc, word) = match (is_pir, op.request.flags, op.word) {
            (true, Some(flags), _) => (flags.pc, flags.word),
            (false, _, Some(Word::Pbr(word))) => (pc as u16, word),
            _ => return,
        };
        let warp = WarpSlot(slot as u16);
        self.word = Some(Shown {
            slot,
            word: FlagWord { warp, pc, word },
            is_pir,
        });
    }

    /// The word has been decoded.
    pub(super) fn word_done(&mut self) -> Step {
        let Some(Shown { slot, is_pir, .. }) = self.word.take() else {
            return Ok(());
        };
        let bit = 1 << slot;
        self.warps.dirty |= bit;
        if is_pir {
            self.warps.pir_at_decode &= !bit;
            // Flags that are not kept take nobody's place.
            if !self.program.every_pir {
                self.warps.pir_arrived |= bit;
            }
            if self.replay.is_some() {
                let pc = self.warps.stack[slot].pc();
                let next = self.pass_over_pirs(slot, pc);
                self.warps.follow_stack(slot, next);
            }
            if self.warps.buffered[slot] > 0 && self.warps.wants_pir & bit == 0 {
                self.warps.has_inst |= bit;
            }
            return Ok(());
        }
        let pc = self.warps.pc[slot];
        self.tell(Event::WordDecoded { warp: slot, pc });
        let next = pc + 1;
        self.warps.behind_pbr |= bit;
        self.warps.stack[slot].advance(next);
        self.warps.buffered[slot] -= 1;
        if self.warps.buffered[slot] == 0 {
            self.warps.has_inst &= !bit;
        }
        let next = self.pass_over_pirs(slot, next);
        self.warps.follow_stack(slot, next);
        Ok(())
    }

    /// The pir of the warp's next instruction is fetched; what is in the buffer stays there.
    pub(super) fn fetch_pir(&mut self, slot: usize) {
        self.warps.has_inst &= !(1 << slot);
        self.warps.wants_pir |= 1 << slot;
        self.warps.pir_arrived &= !(1 << slot);
    }

    /// Lets a warp that is at a pir, or at a branch of a lifted program, go on behind it; behind a pir that is to be decoded first, only to the
    /// instruction with its flags, which can be such a branch. Gives where it is if it has not jumped and was expected at `next`.
    #[inline]
    pub(super) fn pass_over_pirs(&mut self, slot: usize, mut next: u32) -> u32 {
        if !self.renames && self.replay.is_none() {
            return next;
        }
        loop {
            let pc = self.warps.stack[slot].pc();
            let Some(op) = self.program.ops.get(pc as usize) else {
                return next;
            };
            let to = match op.word {
                Some(Word::Pir) => pc + 1,
                _ => match self.passed_branch(slot, pc, op) {
                    Some(to) => to,
                    None => return next,
                },
            };
            self.warps.stack[slot].advance(to);
            if pc == next && to == pc + 1 {
                next += 1;
            }
            if self.program.every_pir && op.word == Some(Word::Pir) {
                self.fetch_pir(slot);
                return next;
            }
        }
    }

    /// The packs of an instruction come later.
    pub(super) fn await_packs(
        &mut self,
        ticket: u32,
        slot: usize,
        op: &MicroOp,
        flight: Option<(u16, u8)>,
    ) {
        // Its warp must not end before they have.
        if flight.is_none() {
            self.warps.in_flight[slot] += 1;
        }
        self.unlocated.push(Unlocated {
            ticket,
            slot,
            flight,
            left: op.request.regs.len() as u8,
        });
    }

    /// A register has been located: it is read, or the result has its place.
    fn locate(&mut self, answer: Answer) -> Step {
        let ours = |unlocated: &Unlocated| unlocated.ticket == answer.ticket;
        let Some(index) = self.unlocated.iter().position(ours) else {
            return Ok(());
        };
        let unlocated = &mut self.unlocated[index];
        unlocated.left -= 1;
        let Unlocated {
            slot, flight, left, ..
        } = *unlocated;
        if left == 0 {
            self.unlocated.swap_remove(index);
        }
        let Some((id, unit)) = flight else {
            if left == 0 {
                self.warps.in_flight[slot] -= 1;
                self.warps.dirty |= 1 << slot;
                return self.retire_if_done(slot);
            }
            return Ok(());
        };
        let program = self.program;
        let op = &program.ops[self.flights[id].pc as usize];
        let register = usize::from(answer.reg);
        let exists = |pack: &Pack| pack.index() < self.registers.packs();
        if let Some(pack) = answer.pack {
            self.flights[id].packs[register] = pack;
        }
        if answer.reg >= op.reads {
            if !answer.pack.as_ref().is_some_and(exists) {
                return Err(self.bad_packs(slot, op, id));
            }
            self.is_there(unit);
            return Ok(());
        }
        let (source, upper) = place(op, answer.reg);
        let Some(pack) = answer.pack else {
            return self.read_nothing(slot, op, register, unit, (source, upper));
        };
        if !exists(&pack) {
            return Err(self.bad_packs(slot, op, id));
        }
        let bank = self.registers.bank(slot, pack);
        self.collectors.waiting_banks |= 1 << bank;
        self.collectors.banks[bank].push_back(ReadRequest {
            collector: unit,
            register: answer.reg,
            source,
            upper,
            by: self.cycle + 1 + u64::from(program.least_latency),
        });
        Ok(())
    }

    /// A register without a pack reads as 0, if its warp has never written it.
    fn read_nothing(
        &mut self,
        slot: usize,
        op: &MicroOp,
        register: usize,
        unit: u8,
        (source, upper): (u8, bool),
    ) -> Step {
        let reg = op.request.regs[register];
        let counters = &mut self.counters.registers;
        if let Err(Missing::Pack) = self.registers.read_nothing(slot, reg, counters) {
            let id = self.collectors.units[usize::from(unit)].flight;
            let pc = self.flights[id].pc;
            return Err(Box::new(RunError::LostRegister {
                place: self.place_of(slot, pc),
                reg,
            }));
        }
        let operand = &mut self.collectors.units[usize::from(unit)].operands[usize::from(source)];
        match upper {
            true => operand.hi = [0; 32],
            false => operand.lo = [0; 32],
        }
        if self.scoreboard.read_done(slot, reg.0) {
            self.warps.dirty |= 1 << slot;
        }
        self.is_there(unit);
        Ok(())
    }

    /// One thing less that an instruction waits for in its collector unit.
    fn is_there(&mut self, unit: u8) {
        let collector = &mut self.collectors.units[usize::from(unit)];
        collector.missing -= 1;
        let pool = self.collectors.pool_of(unit);
        if self.collectors.units[usize::from(unit)].missing == 0 && pool != 2 {
            self.collectors.pools[pool].queue.push_back(unit);
        }
    }
}

/// Where the value of a register that is read goes: source, and whether it is the upper half.
fn place(op: &MicroOp, register: u8) -> (u8, bool) {
    let found = op.sources.iter().enumerate().find_map(|(i, source)| {
        let Source::Register { first, wide, .. } = *source else {
            return None;
        };
        (first..=first + u8::from(wide))
            .contains(&register)
            .then_some((i as u8, register > first))
    });
    found.unwrap_or_default()
}
