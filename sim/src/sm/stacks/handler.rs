//! The trap handler saves packs in local memory and fills them again (CARS III-A): for calls that find no room, returns whose
//! caller is not there, and warps that give their registers up at barriers.
//!
//! The handler's stores and loads are instructions of the warp: each moves one pack, issues through the scheduler, reads or
//! writes the register bank and goes through the load/store unit, to local memory behind what the kernel has of it. It
//! begins when nothing of the warp is in flight, and is in the instruction buffer when it is needed. // assumed

use crate::observe::watch::Event;
use crate::sm::Sm;
use crate::sm::collector::ReadRequest;
use crate::sm::error::{RunError, Step, TOO_DEEP};
use crate::sm::moves::Move;
use crate::sm::regfile::Held;
use crate::sm::scheduler::ones;
use regshare_hw::ids::{Pack, WarpSlot};
use regshare_hw::manager::{StackPacks, Switch};

/// What the handler does when all packs have been moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// The instruction asks again, with so many packs saved.
    Retry(u8),
    /// The warp goes on.
    GoOn,
    /// The warp has given its registers up.
    Out,
}

/// The trap handler at work.
#[derive(Clone, Debug)]
pub(super) struct Handler {
    pub(super) saves: bool,
    /// Packs, and the word of the handler's memory that each goes to or comes from.
    pub(super) moves: Vec<(Pack, u32)>,
    pub(super) issued: usize,
    pub(super) done: usize,
    pub(super) then: Then,
}

impl Sm<'_> {
    /// A request has trapped: its packs are saved first.
    pub(in crate::sm) fn trap_to_save(&mut self, slot: usize, packs: StackPacks) -> Step {
        let Some(stacks) = &mut self.stacks else {
            return Ok(());
        };
        let warp = &mut stacks.warps[slot];
        let first = warp.saved;
        warp.saved += u32::from(packs.count);
        if warp.saved > stacks.spill_words {
            return Err(self.stack_fault(slot, TOO_DEEP));
        }
        self.counters.calls.traps += 1;
        let moves = packs.iter().zip(first..).collect();
        self.start_handler(slot, true, moves, Then::Retry(packs.count));
        Ok(())
    }

    /// The caller's packs come back.
    pub(super) fn fill(&mut self, slot: usize, packs: StackPacks) -> Step {
        let Some(stacks) = &mut self.stacks else {
            return Ok(());
        };
        let warp = &mut stacks.warps[slot];
        let Some(first) = warp.saved.checked_sub(packs.count.into()) else {
            return Err(self.stack_fault(slot, "more packs come back than were saved"));
        };
        warp.saved = first;
        self.counters.calls.fill_traps += 1;
        let moves = packs.iter().zip(first..).collect();
        self.start_handler(slot, false, moves, Then::GoOn);
        Ok(())
    }

    /// Registers that a warp gives up or gets back, with their words in memory.
    fn switched(&self, switch: Switch) -> Vec<(Pack, u32)> {
        let first = self.stacks.as_ref().map_or(0, |stacks| stacks.spill_words);
        let base = (0..u16::from(switch.base.1)).map(|n| Pack(switch.base.0 + n));
        base.chain(switch.stack.iter()).zip(first..).collect()
    }

    fn start_handler(&mut self, slot: usize, saves: bool, moves: Vec<(Pack, u32)>, then: Then) {
        let Some(stacks) = &mut self.stacks else {
            return;
        };
        stacks.away |= 1 << slot;
        stacks.warps[slot].handler = Some(Handler {
            saves,
            moves,
            issued: 0,
            done: 0,
            then,
        });
        self.warps.away = stacks.away;
    }

    /// Before issue: registers change hands at barriers, and handlers begin whose warps are idle.
    pub(in crate::sm) fn begin_handlers(&mut self) -> Step {
        let Some(stacks) = &self.stacks else {
            return Ok(());
        };
        let cycle = self.cycle;
        let fault = |fault| Box::new(RunError::Manager { cycle, fault });
        let idle = |slot: &usize| self.warps.in_flight[*slot] == 0;
        let at_barrier = self.warps.at_barrier & self.warps.running & !stacks.away;
        let at_barrier = ones(at_barrier)
            .filter(idle)
            .fold(0, |mask, slot| mask | 1 << slot);
        if at_barrier != 0
            && let Some(switch) = self.manager.switch_at_barrier(at_barrier).map_err(fault)?
        {
            self.counters.calls.context_switches += 1;
            let moves = self.switched(switch);
            self.start_handler(switch.warp.index(), true, moves, Then::Out);
        }
        while let Some(switch) = self.manager.resumes().map_err(fault)? {
            let moves = self.switched(switch);
            self.start_handler(switch.warp.index(), false, moves, Then::GoOn);
        }
        for slot in ones(self.warps.away & !self.warps.handling) {
            let waits = self
                .stacks
                .as_ref()
                .is_some_and(|stacks| stacks.is_waiting(slot));
            if waits && self.warps.in_flight[slot] == 0 && self.warps.fetching >> slot & 1 == 0 {
                self.begin_handler(slot);
            }
        }
        Ok(())
    }

    fn begin_handler(&mut self, slot: usize) {
        let Some(stacks) = &mut self.stacks else {
            return;
        };
        let Some(handler) = &stacks.warps[slot].handler else {
            return;
        };
        let pc = match handler.saves {
            true => stacks.ops.save,
            false => stacks.ops.fill,
        };
        if handler.moves.is_empty() {
            return;
        }
        stacks.handling |= 1 << slot;
        self.warps.pc[slot] = pc;
        self.warps.has_inst |= 1 << slot;
        self.warps.dirty |= 1 << slot;
        self.warps.handling = stacks.handling;
    }

    /// Whether the next instruction of a warp is the handler's.
    pub(in crate::sm) fn is_handling(&self, slot: usize) -> bool {
        self.warps.handling >> slot & 1 == 1
    }

    /// Issues the next move of the handler.
    pub(in crate::sm) fn issue_move(&mut self, slot: usize) -> Step {
        let Some(stacks) = &mut self.stacks else {
            return Ok(());
        };
        let pc = self.warps.pc[slot];
        let warp = &mut stacks.warps[slot];
        let Some(handler) = &mut warp.handler else {
            return Ok(());
        };
        let (pack, word) = handler.moves[handler.issued];
        handler.issued += 1;
        let last = handler.issued == handler.moves.len();
        let (saves, first_byte) = (handler.saves, stacks.first_byte);
        let calls = &mut self.counters.calls;
        match (saves, handler.then) {
            (true, Then::Out) => calls.context_switch_packs += 1,
            (true, _) => calls.spilled_packs += 1,
            (false, _) if word >= stacks.spill_words => calls.context_switch_packs += 1,
            (false, _) => calls.filled_packs += 1,
        }
        if last {
            stacks.handling &= !(1 << slot);
        }
        let moved = Move {
            pc,
            pack,
            word,
            first_byte,
            missing: u8::from(saves),
        };
        let (id, unit) = self.put_in_flight(slot, moved);
        if saves {
            let bank = self.registers.bank(slot, pack);
            self.collectors.waiting_banks |= 1 << bank;
            self.collectors.banks[bank].push_back(ReadRequest {
                collector: unit,
                register: 0,
                source: 1,
                upper: false,
                by: u64::MAX,
            });
        }
        self.warps.dirty |= 1 << slot;
        if last {
            self.own_instruction(slot);
        }
        self.tell(Event::Issued {
            warp: slot,
            pc,
            flight: Some(id),
        });
        Ok(())
    }

    /// A pack has been read for the handler, by whom it was written.
    pub(in crate::sm) fn pack_saved(&mut self, slot: usize, word: u32, held: Held) {
        if let Some(stacks) = &mut self.stacks
            && let Some(kept) = stacks.warps[slot].held.get_mut(word as usize)
        {
            *kept = Some(held);
        }
        self.moved(slot);
    }

    /// Whose value comes back from a word of the handler's memory.
    pub(in crate::sm) fn held_saved(&self, slot: usize, word: u32) -> Option<Held> {
        let stacks = self.stacks.as_ref()?;
        *stacks.warps[slot].held.get(word as usize)?
    }

    /// One move is complete: read, or written back.
    pub(in crate::sm) fn moved(&mut self, slot: usize) {
        let Some(stacks) = &mut self.stacks else {
            return;
        };
        let warp = &mut stacks.warps[slot];
        let Some(handler) = &mut warp.handler else {
            return;
        };
        handler.done += 1;
        if handler.done < handler.moves.len() {
            return;
        }
        let (then, bit) = (handler.then, 1 << slot);
        warp.handler = None;
        self.warps.dirty |= bit;
        let name = WarpSlot(slot as u16);
        match then {
            Then::Retry(count) => warp.evicted = count,
            Then::GoOn => stacks.out &= !bit,
            Then::Out => {
                stacks.out |= bit;
                self.manager.switched_out(name);
                if self.warps.at_barrier & bit == 0 {
                    self.manager.passed_barrier(name);
                }
                return;
            }
        }
        stacks.away &= !bit;
        self.warps.away = stacks.away;
    }

    /// The barrier of these warps is complete: those without registers want them back.
    pub(in crate::sm) fn want_registers_back(&mut self, warps: u64) {
        if let Some(stacks) = &self.stacks {
            ones(warps & stacks.out)
                .for_each(|slot| self.manager.passed_barrier(WarpSlot(slot as u16)));
        }
    }

    /// Whether a handler can begin in the next cycle, or registers change hands.
    pub(in crate::sm) fn stacks_busy(&self) -> bool {
        let Some(stacks) = &self.stacks else {
            return false;
        };
        self.warps.handling != 0
            || ones(stacks.away)
                .any(|slot| stacks.is_waiting(slot) && self.warps.in_flight[slot] == 0)
    }
}
