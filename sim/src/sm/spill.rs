//! A pending warp gives its registers up and gets them back (RFV 8.1): the instructions that do it, and when they issue.
//!
//! When nothing is on its way and no warp can go on, the register hardware is asked for relief. It names a warp whose registers go
//! to memory, or one for which there is room again. Each register is moved by an instruction of the warp, in all lanes: it issues
//! through the scheduler and goes through the load/store unit to local memory behind what the kernel has of it, register r at
//! word r. A store looks the register up as a `pbr` does, which gives the pack back; a load writes the register, which maps it.
//! The instructions are in the buffer when they are needed. // assumed: the scheduler issues them automatically (RFV 8.1)

use crate::observe::watch::Event;
use crate::sm::Sm;
use crate::sm::moves::Move;
use crate::sm::program::SpillOps;
use crate::sm::regfile::Held;
use crate::sm::rename::UNKNOWN;
use crate::sm::scheduler::ones;
use crate::sm::warps::Warps;
use regshare_hw::ids::{ArchReg, WarpSlot};
use regshare_hw::manager::{Pending, Relief, Spill};

/// Registers of a warp on their way.
#[derive(Clone, Copy, Debug)]
struct Moving {
    saves: bool,
    /// Those whose instruction has not issued, a bit each.
    left: u64,
    /// Instructions that have, and whose pack has not been read or written.
    issued: u32,
}

#[derive(Clone, Debug, Default)]
struct WarpSpill {
    moving: Option<Moving>,
    /// Who had each word of the reserved memory.
    held: Vec<Option<Held>>,
}

/// The warps whose registers are in memory or on their way.
#[derive(Clone, Debug)]
pub struct Spills {
    warps: Vec<WarpSpill>,
    ops: SpillOps,
    /// First byte of the reserved part of local memory.
    first_byte: u64,
    /// Warps with registers on their way.
    moving: u64,
    /// Since when there is one.
    since: u64,
    /// Cycles in which there was one.
    pub cycles: u64,
    /// Registers that are still to be written, of each warp; for the question who is spilled.
    written: Vec<u64>,
}

impl Spills {
    /// For `slots` warps of a kernel with `regs` registers.
    pub fn new(slots: usize, ops: SpillOps, first_byte: u64, regs: u16) -> Self {
        let warp = WarpSpill {
            held: vec![None; regs.into()],
            ..WarpSpill::default()
        };
        Spills {
            warps: vec![warp; slots],
            ops,
            first_byte,
            moving: 0,
            since: 0,
            cycles: 0,
            written: vec![0; slots],
        }
    }
}

fn pending<'a>(warps: &'a Warps, spills: &'a Spills) -> Pending<'a> {
    Pending {
        running: warps.running,
        at_barrier: warps.at_barrier,
        age: &warps.number,
        written: &spills.written,
    }
}

impl Sm<'_> {
    /// No warp can go on, and nothing is on its way: true if somebody's registers can move, so that one can.
    pub(super) fn relieve(&mut self) -> bool {
        let Some(spills) = &mut self.spills else {
            return false;
        };
        for (slot, written) in spills.written.iter_mut().enumerate() {
            *written = self.scoreboard.written(slot);
        }
        match self.manager.relieve(&pending(&self.warps, spills)) {
            None => return false,
            Some(Relief::Save(spill)) => self.begin_moving(spill, true),
            Some(Relief::Fill(spill)) => self.begin_moving(spill, false),
        }
        true
    }

    fn begin_moving(&mut self, spill: Spill, saves: bool) {
        let Some(spills) = &mut self.spills else {
            return;
        };
        let slot = spill.warp.index();
        let bit = 1 << slot;
        if spills.moving == 0 {
            spills.since = self.cycle;
        }
        spills.moving |= bit;
        spills.warps[slot].moving = Some(Moving {
            saves,
            left: spill.regs,
            issued: 0,
        });
        self.warps.away |= bit;
        self.warps.parked &= !bit;
        self.end_if_moved(slot);
    }

    /// Before issue: a warp for which there is room gets its registers back, and moves go on that could not.
    pub(super) fn begin_moves(&mut self) {
        let Some(spills) = &self.spills else {
            return;
        };
        if self.warps.away & !spills.moving != 0
            && let Some(spill) = self.manager.refill(&pending(&self.warps, spills))
        {
            self.begin_moving(spill, false);
        }
        for slot in ones(self.movable()) {
            self.next_move(slot);
        }
    }

    /// Warps with registers to move whose next instruction is not in the buffer yet.
    fn movable(&self) -> u64 {
        let Some(spills) = &self.spills else {
            return 0;
        };
        let warps = &self.warps;
        let able = spills.moving & !warps.handling & !warps.parked & !warps.fetching;
        ones(able)
            .filter(|&slot| {
                spills.warps[slot]
                    .moving
                    .is_some_and(|moving| moving.left != 0)
            })
            .fold(0, |mask, slot| mask | 1 << slot)
    }

    /// Whether registers can move in the next cycle, or a warp gets its back.
    pub(super) fn spills_busy(&self) -> bool {
        let Some(spills) = &self.spills else {
            return false;
        };
        self.warps.handling != 0
            || self.movable() != 0
            || self.warps.away & !spills.moving != 0
                && self.manager.can_refill(&pending(&self.warps, spills))
    }

    /// Puts the instruction of the next register into the buffer, or the warp's own again.
    fn next_move(&mut self, slot: usize) {
        let bit = 1 << slot;
        self.warps.dirty |= bit;
        let moving = (self.spills.as_ref()).and_then(|spills| {
            let moving = spills.warps[slot]
                .moving
                .filter(|moving| moving.left != 0)?;
            Some(spills.ops.of(moving.saves, moving.left.trailing_zeros()))
        });
        match moving {
            Some(pc) => {
                self.warps.handling |= bit;
                self.warps.pc[slot] = pc;
                self.warps.has_inst |= bit;
            }
            None => self.own_instruction(slot),
        }
    }

    /// The hardware has refused a load that brings a register back. It asks again when something has been freed.
    pub(super) fn refuse_move(&mut self, slot: usize) {
        self.own_instruction(slot);
        self.warps.parked |= 1 << slot;
    }

    /// Issues the move of the next register.
    pub(super) fn issue_register_move(&mut self, slot: usize, scheduler: usize) {
        let pc = self.warps.pc[slot];
        let Some(spills) = &mut self.spills else {
            return;
        };
        let first_byte = spills.first_byte;
        let Some(moving) = &mut spills.warps[slot].moving else {
            return;
        };
        let reg = moving.left.trailing_zeros();
        moving.left &= moving.left - 1;
        moving.issued += 1;
        let name = WarpSlot(slot as u16);
        let ticket = match moving.saves {
            true => Some(self.manager.save(name, ArchReg(reg as u8))),
            false => self.replies[scheduler].ticket,
        };
        let moved = Move {
            pc,
            pack: UNKNOWN,
            word: reg,
            first_byte,
            missing: 1,
        };
        let (id, unit) = self.put_in_flight(slot, moved);
        if let Some(ticket) = ticket {
            let op = &self.program.ops[pc as usize];
            self.await_packs(ticket, slot, op, Some((id, unit)));
        }
        self.tell(Event::Issued {
            warp: slot,
            pc,
            flight: Some(id),
        });
        self.next_move(slot);
    }

    /// A register has been read on its way to memory, by whom it was written.
    pub(super) fn register_saved(&mut self, slot: usize, word: u32, held: Held) {
        if let Some(spills) = &mut self.spills
            && let Some(kept) = spills.warps[slot].held.get_mut(word as usize)
        {
            *kept = Some(held);
        }
    }

    /// Whose value comes back from a word of the reserved memory, which is free then.
    pub(super) fn register_held(&mut self, slot: usize, word: u32) -> Option<Held> {
        let spills = self.spills.as_mut()?;
        spills.warps[slot].held.get_mut(word as usize)?.take()
    }

    /// One register has been read, or written back.
    pub(super) fn register_moved(&mut self, slot: usize) {
        if let Some(spills) = &mut self.spills
            && let Some(moving) = &mut spills.warps[slot].moving
        {
            moving.issued -= 1;
            self.end_if_moved(slot);
        }
    }

    fn end_if_moved(&mut self, slot: usize) {
        let Some(spills) = &mut self.spills else {
            return;
        };
        let bit = 1 << slot;
        let Some(moving) = spills.warps[slot].moving else {
            return;
        };
        if moving.left != 0 || moving.issued != 0 {
            return;
        }
        spills.warps[slot].moving = None;
        spills.moving &= !bit;
        if spills.moving == 0 {
            spills.cycles += self.cycle + 1 - spills.since;
        }
        self.warps.dirty |= bit;
        self.manager.moved(WarpSlot(slot as u16));
        if !moving.saves {
            self.warps.away &= !bit;
        }
    }

    /// Whether some warp's registers are in memory.
    pub(super) fn is_spilled(&self) -> bool {
        let kept = self.spills.iter().flat_map(|spills| &spills.warps);
        kept.flat_map(|warp| &warp.held).any(Option::is_some)
    }
}
