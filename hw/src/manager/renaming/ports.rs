//! The two issue ports: an instruction is shown in steps of three sources and a destination until all are served.

use super::{Renaming, count};
use crate::ids::{ArchReg, WarpSlot};
use crate::manager::{FlagSource, FlagWord, IssueReply, IssueRequest};
use crate::rfv::flag_decoder::{is_pbr, pbr_registers};
use crate::rfv::rename_table::OPERANDS;
use crate::rfv::rfv_top::{Issue, Progress, RfvTopIn, RfvTopOut};

/// An instruction that has begun; `None`: the port is free.
#[derive(Clone, Debug, Default)]
pub(super) struct Port {
    pub(super) request: Option<IssueRequest>,
    ticket: u32,
    step: u8,
    /// Cycles that the step has taken.
    cycles: u32,
}

/// What the table was asked in the last cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Served {
    pub(super) ticket: u32,
    pub(super) warp: WarpSlot,
    /// Of each operand that was served, which register of the request it is.
    pub(super) regs: [Option<u8>; OPERANDS],
    /// The destination.
    pub(super) arch: ArchReg,
    /// Only some lanes of it are written.
    pub(super) partial: bool,
}

/// A destination without a pack: none is free in its bank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Starved {
    pub(super) warp: WarpSlot,
    pub(super) arch: ArchReg,
    pub(super) reg: u8,
    pub(super) ticket: u32,
    pub(super) partial: bool,
}

/// Who is on a port in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Nobody,
    /// The instruction that has begun.
    Begun,
    /// The proposal of the scheduler.
    Proposal,
    /// Nobody: the warp that proposes has not got the flags, and there is no cache.
    Unflagged,
    /// Nobody: the warp that proposes needs packs that there are not.
    Short,
    /// The first of the destinations without a pack.
    Starved,
}

/// Of each operand of a step, which register of the request it is.
fn operands(request: &IssueRequest, step: u8) -> [Option<u8>; OPERANDS] {
    let mut regs = [None; OPERANDS];
    for (reg, place) in request.places.iter().enumerate() {
        if place.step == step {
            regs[usize::from(place.pin)] = Some(reg as u8);
        }
    }
    regs
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
    fn issue(&self, request: &IssueRequest, step: u8) -> Issue {
        let flagged = (request.places.iter()).any(|place| place.step == step && place.flagged);
        // Without a flag cache it brings its flags.
        let slot = |flags: FlagSource| match self.placement.flag_entries {
            0 => flags.flags(),
            _ => flags.slot,
        };
        Issue {
            warp: request.warp.0 as u8,
            cta: self.cta(request.warp),
            urgent: step > 0 || self.is_head(request.warp),
            pir: (request.flags.filter(|_| flagged)).map(|flags| (flags.pc, slot(flags))),
            regs: operands(request, step)
                .map(|reg| reg.map(|reg| request.regs[usize::from(reg)].0)),
        }
    }

    /// Whether a word is a pbr that would come before an instruction of its warp has been looked up, and release what that maps only then.
    pub(super) fn overtakes(&self, word: &FlagWord) -> bool {
        let begun = self.ports.iter().filter_map(|port| port.request.as_ref());
        let mut starved = self.starved.iter().filter(|of| of.warp == word.warp);
        is_pbr(word.word)
            && (begun
                .map(|request| request.warp)
                .any(|warp| warp == word.warp)
                || starved.any(|of| pbr_registers(word.word).any(|reg| reg == of.arch.0)))
    }

    /// Puts the instructions on the ports. A destination without a pack asks whenever a port is free, and in every other cycle
    /// before a new instruction.
    pub(super) fn show(
        &self,
        pins: &mut RfvTopIn<NW, T, PACKS>,
        cycle: u64,
        requests: &[Option<IssueRequest>],
    ) -> [Shown; 2] {
        let mut shown = [Shown::Nobody; 2];
        let mut starved = self.starved.front();
        for (port, shown) in shown.iter_mut().enumerate() {
            let proposal = requests.get(port).and_then(Option::as_ref);
            let proposal = proposal.filter(|request| !self.is_waiting(self.cta(request.warp)));
            let begun = self.ports[port].request.as_ref();
            let retries = starved.is_some() && (proposal.is_none() || cycle & 2 == 2);
            let (issue, partial) = if let Some(request) = begun {
                *shown = Shown::Begun;
                (self.issue(request, self.ports[port].step), request.partial)
            } else if let Some(starved) = starved.take_if(|_| retries) {
                *shown = Shown::Starved;
                let issue = Issue {
                    warp: starved.warp.0 as u8,
                    cta: self.cta(starved.warp),
                    urgent: true,
                    pir: None,
                    regs: [None, None, None, Some(starved.arch.0)],
                };
                (issue, starved.partial)
            } else if proposal.is_some_and(|request| !self.carries_flags(request)) {
                *shown = Shown::Unflagged;
                continue;
            } else if proposal.is_some_and(|request| !self.finds_packs(request)) {
                *shown = Shown::Short;
                continue;
            } else if let Some(request) = proposal {
                *shown = Shown::Proposal;
                (self.issue(request, 0), request.partial)
            } else {
                continue;
            };
            *pins = match port {
                0 => pins.with_a(issue),
                _ => pins.with_b(issue),
            };
            if HARDWARE_ONLY == 1 {
                match port {
                    0 => pins.a_slot = partial.into(),
                    _ => pins.b_slot = partial.into(),
                }
            }
        }
        shown
    }

    /// What became of it: fills the replies. True if a warp that was refused should ask again.
    pub(super) fn take(
        &mut self,
        shown: &[Shown; 2],
        out: &RfvTopOut<NW, T, PACKS>,
        requests: &[Option<IssueRequest>],
        replies: &mut [IssueReply],
    ) -> bool {
        let mut wake = false;
        for (port, progress) in [out.a_progress(), out.b_progress()].into_iter().enumerate() {
            if progress.served != 0 {
                self.favor_b = port == 0;
            }
            let request = requests.get(port).and_then(Option::as_ref);
            if let (Some(request), Some(reply)) = (request, replies.get_mut(port)) {
                reply.packs.clear();
                let begins = shown[port] == Shown::Proposal && progress.served != 0;
                reply.granted = begins;
                reply.missing_flags = shown[port] == Shown::Proposal && progress.miss
                    || shown[port] == Shown::Unflagged;
                if shown[port] == Shown::Short {
                    self.comes_short(request);
                } else if begins {
                    self.use_flags(request);
                    self.promise(request);
                    reply.ticket = Some(self.next_ticket);
                    self.ports[port] = Port {
                        request: Some(request.clone()),
                        ticket: self.next_ticket,
                        ..Port::default()
                    };
                    self.next_ticket = self.next_ticket.wrapping_add(1);
                } else {
                    let may = out.may_issue >> self.cta(request.warp) & 1 == 1;
                    wake |= may || shown[port] != Shown::Proposal;
                }
            }
            match shown[port] {
                Shown::Starved => self.take_starved(progress),
                Shown::Begun | Shown::Proposal => self.take_step(port, progress),
                Shown::Nobody | Shown::Unflagged | Shown::Short => {}
            }
        }
        wake
    }

    fn take_starved(&mut self, progress: Progress) {
        if progress.served == 0 {
            return;
        }
        if let Some(starved) = self.starved.pop_front() {
            self.served = Some(Served {
                ticket: starved.ticket,
                warp: starved.warp,
                regs: [None, None, None, Some(starved.reg)],
                arch: starved.arch,
                partial: starved.partial,
            });
            self.counts.lookups += 1;
        }
    }

    fn take_step(&mut self, port: usize, progress: Progress) {
        let waits = self.waits_for_packs();
        let begun = &mut self.ports[port];
        let Some(request) = &begun.request else {
            return;
        };
        if progress.served == 0 {
            // The pir may have lost its place in the cache between two steps.
            if progress.miss {
                self.refetch = request.flags.map(|flags| FlagWord {
                    warp: request.warp,
                    pc: flags.pc,
                    word: flags.word,
                });
            }
            return;
        }
        let regs = operands(request, begun.step);
        let is_served = |pin: usize| progress.served >> pin & 1 == 1;
        self.served = Some(Served {
            ticket: begun.ticket,
            warp: request.warp,
            regs: std::array::from_fn(|pin| regs[pin].filter(|_| is_served(pin))),
            arch: regs[3].map_or(ArchReg(0), |reg| request.regs[usize::from(reg)]),
            partial: request.partial,
        });
        let places = request.places.iter().zip(&request.regs);
        let looked_up = places.filter(|(place, reg)| {
            place.step == begun.step
                && is_served(place.pin.into())
                && reg.0 >= self.placement.exempt
        });
        self.counts.lookups += looked_up.count() as u64;
        let dead = count::released(request, begun.step, progress.served);
        let mapped = &mut self.mapped[request.warp.index()];
        let freed = (*mapped & dead).count_ones();
        *mapped &= !dead;
        self.counts.updates += u64::from(freed);
        if waits && freed > 0 {
            self.spilling.free();
        }
        begun.cycles += 1;
        if !progress.grant {
            return;
        }
        self.counts.steps += 1;
        self.counts.bank_conflict_cycles += u64::from(begun.cycles - 1);
        (begun.step, begun.cycles) = (begun.step + 1, 0);
        if !(request.places.iter()).any(|place| place.step == begun.step) {
            begun.request = None;
        }
    }
}
