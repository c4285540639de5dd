//! More registers than packs: who waits for a pack before it issues, and who is spilled when nobody could go on (RFV 8.1).
//!
//! A warp is *short* when its next instruction maps more registers of a bank than the bank has packs that are neither mapped nor
//! promised. It is not shown to the hardware then, so that no instruction waits for a pack behind issue for longer than packs
//! take to come back, and a warp that waits has nothing on its way. What is mapped is told by what is asked and answered.
//!
//! The SM says when no warp can go on and nothing is on its way. Then one warp, the *head*, is chosen that is to go on: the oldest
//! one that is short or waits for its registers, of the CTAs that the throttle lets issue. Others are spilled, one by one, until
//! the head has room; until it has issued an instruction nobody else is given a pack and nobody is filled. So between two rounds of
//! spilling an instruction issues, and a program that ends does so after finitely many rounds.

use super::Renaming;
use crate::ids::{ArchReg, WarpSlot};
use crate::manager::{CycleReply, FlagWord, IssueRequest, Pending, RegOp, Relief, Spill};
use crate::rfv::flag_decoder::{OPERANDS, pbr_word};
use crate::rfv::rename_table::BANKS;
use std::collections::VecDeque;

/// Registers of bank 0, a bit each.
pub(super) const BANK: u64 = 0x1111_1111_1111_1111;

/// A register that is looked up for the last time, and its pack given back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Save {
    pub(super) warp: WarpSlot,
    pub(super) reg: u8,
    pub(super) ticket: u32,
}

/// Who waits for packs, and whose registers are in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Spilling {
    /// Registers of each warp, a bit each, that will have a pack that they have not been given yet.
    promised: Vec<u64>,
    /// Registers of each warp that are in memory.
    saved: Vec<u64>,
    /// What the next instruction of a short warp maps.
    wanted: Vec<u64>,
    short: u64,
    /// Warps whose registers are being moved.
    moving: u64,
    head: Option<usize>,
    /// Somebody may go on who could not.
    freed: bool,
    saves: VecDeque<Save>,
    /// The one that was looked up in the last cycle.
    pub(super) looked_up: Option<Save>,
}

impl Spilling {
    pub(super) fn new(warps: usize) -> Self {
        Spilling {
            promised: vec![0; warps],
            saved: vec![0; warps],
            wanted: vec![0; warps],
            ..Spilling::default()
        }
    }

    /// Whether the next cycle has something for it.
    pub(super) fn has_news(&self) -> bool {
        self.freed || self.looked_up.is_some() || !self.saves.is_empty()
    }

    /// Packs have been freed, or promised ones are not wanted any more.
    pub(super) fn free(&mut self) {
        self.freed = true;
    }

    /// Whether refused warps should ask again.
    pub(super) fn take_freed(&mut self) -> bool {
        std::mem::take(&mut self.freed)
    }

    /// The first register to be saved, as the word that gives its pack back.
    pub(super) fn word(&self) -> Option<FlagWord> {
        let save = self.saves.front()?;
        Some(FlagWord {
            warp: save.warp,
            pc: 0,
            word: pbr_word(&[save.reg])?,
        })
    }

    /// A register has been given a pack. True if it came back from memory.
    pub(super) fn assigned(&mut self, warp: WarpSlot, reg: ArchReg) -> bool {
        let bit = 1 << reg.0;
        let came_back = self.saved[warp.index()] & bit != 0;
        self.promised[warp.index()] &= !bit;
        self.saved[warp.index()] &= !bit;
        came_back
    }

    /// Warps whose registers are in memory and who wait for them.
    fn waiting(&self) -> u64 {
        let out = (self.saved.iter().enumerate()).filter(|(_, saved)| **saved != 0);
        out.fold(0, |mask, (warp, _)| mask | 1 << warp) & !self.moving
    }

    fn is_short(&mut self, request: &IssueRequest, wanted: u64) {
        self.short |= 1 << request.warp.0;
        self.wanted[request.warp.index()] = wanted;
    }
}

/// The set bits.
fn ones(mask: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |bit| mask >> bit & 1 == 1)
}

/// How many of them are of each bank.
pub(super) fn count_of(regs: u64) -> [u32; BANKS] {
    std::array::from_fn(|bank| (regs & BANK << bank).count_ones())
}

/// Registers, a bit each, of the banks of which more are wanted than there is room for with `spare` packs left over.
fn lacking(wanted: u64, room: [i32; BANKS], spare: i32) -> u64 {
    (0..BANKS)
        .map(|bank| (bank, BANK << bank))
        .filter(|&(bank, regs)| (wanted & regs).count_ones() as i32 + spare > room[bank])
        .fold(0, |banks, (_, regs)| banks | regs)
}

impl<
    const NW: usize,
    const T: usize,
    const PACKS: usize,
    const RENAMED: usize,
    const WAIT: usize,
    const HARDWARE_ONLY: usize,
> Renaming<NW, T, PACKS, RENAMED, WAIT, HARDWARE_ONLY>
{
    /// Packs of each bank that are neither mapped nor promised.
    pub(super) fn room(&self) -> [i32; BANKS] {
        let mut room = [self.assignable() as i32 / BANKS as i32; BANKS];
        for warp in 0..NW {
            let held = count_of(self.held(warp));
            room.iter_mut()
                .zip(held)
                .for_each(|(room, held)| *room -= held as i32);
        }
        room
    }

    /// Registers of a warp, a bit each, that have a pack or are promised one.
    pub(super) fn held(&self, warp: usize) -> u64 {
        self.mapped[warp] | self.spilling.promised[warp]
    }

    /// Registers that an instruction maps which have no pack.
    fn maps(&self, request: &IssueRequest) -> u64 {
        let warp = request.warp.index();
        let written = (request.places.iter().zip(&request.regs))
            .filter(|(place, reg)| {
                usize::from(place.pin) == OPERANDS && reg.0 >= self.placement.exempt
            })
            .fold(0, |mask, (_, reg)| mask | 1 << reg.0);
        written & !self.held(warp)
    }

    /// Whether an instruction finds the packs that it needs.
    pub(super) fn finds_packs(&self, request: &IssueRequest) -> bool {
        !self.waits_for_packs()
            || request.op == RegOp::Refill
            || self.can_map(request.warp, self.maps(request))
    }

    /// Whether a warp can be given packs for these registers.
    fn can_map(&self, warp: WarpSlot, maps: u64) -> bool {
        let is_head = (self.spilling.head).is_none_or(|head| head == warp.index());
        maps == 0 || is_head && lacking(maps, self.room(), 0) == 0 && self.stays_safe(warp, maps)
    }

    /// Wakes the warps that wait, if something has been freed: those that are short only if they are so no more.
    pub(super) fn wake_short(&mut self, reply: &mut CycleReply) {
        if self.placement.most.is_none() {
            reply.wake |= self.spilling.take_freed();
            return;
        }
        let short = self.spilling.short;
        let stays =
            |&warp: &usize| !self.can_map(WarpSlot(warp as u16), self.spilling.wanted[warp]);
        if self.spilling.freed || reply.wake && short != 0 {
            reply.stay = ones(short)
                .filter(stays)
                .fold(0, |mask, warp| mask | 1 << warp);
            reply.wake |= self.spilling.take_freed() && reply.stay != short;
        }
    }

    /// It does not: its warp waits.
    pub(super) fn comes_short(&mut self, request: &IssueRequest) {
        let maps = self.maps(request);
        self.counts.short += 1;
        self.spilling.is_short(request, maps);
    }

    /// It has begun, and will get them.
    pub(super) fn promise(&mut self, request: &IssueRequest) {
        if self.waits_for_packs() && request.op != RegOp::Refill {
            let maps = self.maps(request);
            self.spilling.promised[request.warp.index()] |= maps;
            self.spilling.short &= !(1 << request.warp.0);
        }
    }

    /// The register at the front has been looked up, and its pack is on its way back.
    pub(super) fn saved(&mut self) {
        let Some(save) = self.spilling.saves.pop_front() else {
            return;
        };
        let (warp, bit) = (save.warp.index(), 1 << save.reg);
        self.mapped[warp] &= !bit;
        self.spilling.saved[warp] |= bit;
        self.spilling.looked_up = Some(save);
        self.counts.spilled_packs += 1;
        self.counts.lookups += 1;
        self.counts.updates += 1;
    }

    /// Whether warps have been spilled for this one.
    pub(super) fn is_head(&self, warp: WarpSlot) -> bool {
        self.spilling.head == Some(warp.index())
    }

    /// Warps of the CTAs that the throttle lets issue.
    fn may_issue_warps(&self) -> u64 {
        (0..NW as u16)
            .filter(|&warp| self.may_issue >> self.cta(WarpSlot(warp)) & 1 == 1)
            .fold(0, |mask, warp| mask | 1 << warp)
    }

    /// As [`RegisterManager::relieve`](crate::manager::RegisterManager::relieve).
    pub(super) fn choose_relief(&mut self, pending: &Pending<'_>) -> Option<Relief> {
        if !self.placement.spills {
            return None;
        }
        let wants = self.spilling.short | self.spilling.waiting() & !pending.at_barrier;
        let wants = wants & pending.running;
        // The throttle may choose another CTA while warps are spilled for the head; it stays the head.
        let may = wants & self.may_issue_warps();
        let oldest = || ones(may).min_by_key(|&warp| pending.age[warp]);
        let kept = self.spilling.head.filter(|&head| wants >> head & 1 == 1);
        let head = kept.or_else(oldest)?;
        self.spilling.head = Some(head);
        let saved = self.spilling.saved[head];
        let needs = match saved {
            0 => self.spilling.wanted[head],
            saved => saved,
        };
        let banks = lacking(needs, self.room(), 0);
        if banks == 0 {
            // A short head that finds its packs has been woken and would have issued.
            return (saved != 0).then(|| Relief::Fill(self.begin_fill(head)));
        }
        let victim = self.victim(head, banks, pending)?;
        Some(Relief::Save(self.begin_save(victim, pending)))
    }

    /// Who is spilled for the head, of those that hold what it lacks: first warps at a barrier, which cannot go on before it has
    /// come there; of equals the youngest. // assumed: the paper takes any pending warp
    fn victim(&self, head: usize, banks: u64, pending: &Pending<'_>) -> Option<usize> {
        let holds =
            |warp: usize| self.mapped[warp] & !pending.written[warp] | self.spilling.promised[warp];
        ones(pending.running)
            .filter(|&warp| warp != head && holds(warp) & banks != 0)
            .max_by_key(|&warp| (pending.at_barrier >> warp & 1 == 1, pending.age[warp]))
    }

    fn begin_save(&mut self, warp: usize, pending: &Pending<'_>) -> Spill {
        let spilling = &mut self.spilling;
        // One that is being filled keeps what is in memory there.
        spilling.promised[warp] = 0;
        spilling.short &= !(1 << warp);
        spilling.moving |= 1 << warp;
        self.counts.spills += 1;
        Spill {
            warp: WarpSlot(warp as u16),
            regs: self.mapped[warp] & !pending.written[warp],
        }
    }

    fn begin_fill(&mut self, warp: usize) -> Spill {
        let regs = self.spilling.saved[warp];
        self.spilling.promised[warp] |= regs;
        self.spilling.moving |= 1 << warp;
        self.counts.refills += 1;
        let warp = WarpSlot(warp as u16);
        Spill { warp, regs }
    }

    /// The oldest warp that waits for its registers and finds more packs in each bank than it needs, while nobody is short.
    pub(super) fn refillable(&self, pending: &Pending<'_>) -> Option<usize> {
        let spilling = &self.spilling;
        if !self.placement.spills || spilling.head.is_some() || spilling.short != 0 {
            return None;
        }
        let waiting = spilling.waiting() & !pending.at_barrier;
        if waiting == 0 {
            return None;
        }
        let warp = ones(waiting & self.may_issue_warps()).min_by_key(|&w| pending.age[w])?;
        (lacking(spilling.saved[warp], self.room(), 1) == 0).then_some(warp)
    }

    /// As [`RegisterManager::refill`](crate::manager::RegisterManager::refill).
    pub(super) fn choose_refill(&mut self, pending: &Pending<'_>) -> Option<Spill> {
        let warp = self.refillable(pending)?;
        Some(self.begin_fill(warp))
    }

    /// A register of this warp is to be saved; the ticket of the answer.
    pub(super) fn begin_look_up(&mut self, warp: WarpSlot, reg: ArchReg) -> u32 {
        let ticket = self.next_ticket;
        self.next_ticket = ticket.wrapping_add(1);
        let reg = reg.0;
        self.spilling.saves.push_back(Save { warp, reg, ticket });
        ticket
    }

    /// All registers of this warp have been moved.
    pub(super) fn all_moved(&mut self, warp: WarpSlot) {
        self.spilling.moving &= !(1 << warp.0);
        self.spilling.free();
    }

    /// The warp has issued, or ended: as the head it makes room for another.
    pub(super) fn leave_head(&mut self, warp: WarpSlot) {
        if self.spilling.head == Some(warp.index()) {
            self.spilling.head = None;
            self.spilling.free();
        }
    }
}
