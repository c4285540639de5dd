//! Warps that go round for ever, found by what they do.
//!
//! When an SM has launched and ended nothing for long, all that its warps do is written down for a while. If the instructions of a
//! warp, their lanes, their results and what they store in the thread's own memory are twice in a row the same, so is the state of the warp
//! behind both rounds, and it goes round for ever, as long as memory that others can write stays as it is; results that bear on nothing in
//! the round may differ, and lanes that wait elsewhere and open calls are as many. So the watch ends without a result
//! when anything changes there, a barrier is reached, a warp ends or a CTA begins. If all warps that have done anything go round, nothing ever
//! will change. What they do is computed, not guessed: no loop that makes progress is found, however long it takes.

use crate::compiler::waits::space;
use crate::kernel::{Line, Op};
use crate::sm::Sm;
use crate::sm::flight::{Flight, UNRECORDED};
use crate::sm::program::{MicroOp, Program, Unit};
use crate::sm::scheduler::ones;
use crate::sm::scoreboard::RegMask;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Cycles after the beginning of the run, and after a watch, before which the next one does not begin; later in a run a quarter of its
/// cycles so far, so that they cost little.
pub(super) const AFTER: u64 = 100_000; // assumed
/// Cycles that a watch takes.
pub(super) const WATCHED: u64 = 100_000; // assumed
/// Instructions of a warp that are written down: rounds of half as many can be found.
const MOST: usize = 1 << 14; // assumed

/// An instruction that a warp has issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Done {
    pc: u32,
    /// Entries of the SIMT stack behind it, those of open calls among them.
    depth: usize,
    /// Of its lanes, its results and what it stored in the thread's own memory.
    what: u64,
    /// It has results that are not known yet.
    pending: bool,
}

/// What the warps of an SM have done since the watch began.
#[derive(Clone, Debug, Default)]
pub(super) struct Rounds {
    warps: Vec<Vec<Done>>,
    /// Something has happened that may let a warp do something else.
    pub disturbed: bool,
}

impl Rounds {
    pub(super) fn new(slots: usize) -> Self {
        Rounds {
            warps: vec![Vec::new(); slots],
            disturbed: false,
        }
    }

    /// The warp in `slot` has issued an instruction for these lanes; `flight`: its results come later.
    #[inline(never)]
    fn issued(
        &mut self,
        slot: usize,
        (pc, depth): (u32, usize),
        lanes: u32,
        flight: Option<&mut Flight>,
    ) {
        let warp = &mut self.warps[slot];
        if warp.len() == MOST {
            return;
        }
        let pending = flight.is_some();
        if let Some(flight) = flight {
            flight.recorded = warp.len() as u32;
        }
        let what = hash(lanes);
        warp.push(Done {
            pc,
            depth,
            what,
            pending,
        });
    }

    /// It has stored a value in the thread's own memory.
    pub(super) fn stored(&mut self, flight: &Flight, lane: usize, address: u64, value: u64) {
        if let Some(done) = self.done(flight) {
            done.what = hash((done.what, lane, address, value));
        }
    }

    /// Its results are known.
    #[inline(never)]
    fn finished(&mut self, flight: &Flight, op: &MicroOp) {
        let Some(done) = self.done(flight) else {
            return;
        };
        let mut hasher = DefaultHasher::new();
        done.what.hash(&mut hasher);
        for result in flight.results.iter().take(op.results.len()) {
            for lane in ones(flight.lanes.into()) {
                result[lane].hash(&mut hasher);
            }
        }
        for preds in flight.pred_results.iter().take(op.pred_dsts.len()) {
            (preds & flight.lanes).hash(&mut hasher);
        }
        (done.what, done.pending) = (hasher.finish(), false);
    }

    fn done(&mut self, flight: &Flight) -> Option<&mut Done> {
        let warp = &mut self.warps[usize::from(flight.warp)];
        let done = warp.get_mut(flight.recorded as usize)?;
        (done.pc == flight.pc).then_some(done)
    }

    /// Whether the warp in `slot` has issued nothing.
    pub(super) fn is_silent(&self, slot: usize) -> bool {
        self.warps[slot].is_empty()
    }

    /// The last round of a warp, if the one before it was the same: the numbers of its instructions.
    fn round(&self, slot: usize, program: &Program) -> Option<Vec<u32>> {
        let warp = &self.warps[slot];
        let known = warp.iter().position(|done| done.pending);
        let warp = &warp[..known.unwrap_or(warp.len())];
        let matter = that_matter(warp, program);
        let done: Vec<(u32, usize, Option<u64>)> = (warp.iter())
            .map(|done| {
                let what = matter.contains(&done.pc).then_some(done.what);
                (done.pc, done.depth, what)
            })
            .collect();
        let last = done.last()?;
        let again = |length: &usize| {
            let (before, round) = done.split_at(done.len() - length);
            before.last() == Some(last) && before.ends_with(round)
        };
        let length = (1..=done.len() / 2).find(again)?;
        Some(
            done[done.len() - length..]
                .iter()
                .map(|done| done.0)
                .collect(),
        )
    }

    /// The lines of the rounds, of each warp that has done anything; `None`: one of them may still do something else.
    pub(super) fn all(&self, running: u64, program: &Program) -> Option<Vec<BTreeSet<Line>>> {
        let active = ones(running).filter(|&slot| !self.is_silent(slot));
        let lines = |round: Vec<u32>| {
            let lines = round.iter().map(|&pc| program.ops[pc as usize].line);
            lines.filter(|&line| line != Line(0)).collect()
        };
        let lines_of = |slot| self.round(slot, program).map(lines);
        active.map(lines_of).collect()
    }

    /// Whether the warp reads in its round what other threads may write.
    pub(super) fn reads(&self, slot: usize, program: &Program) -> bool {
        let mut done = self.warps[slot].iter();
        done.any(|done| space(&program.ops[done.pc as usize].op).is_some())
    }
}

/// Of the instructions that a warp has done those that bear on what it does next, its branches, accesses and barriers. A count of the rounds
/// that is read only behind them does not.
fn that_matter(warp: &[Done], program: &Program) -> BTreeSet<u32> {
    let mut left: BTreeSet<u32> = warp.iter().map(|done| done.pc).collect();
    let mut matter = BTreeSet::new();
    let (mut regs, mut preds) = (RegMask::default(), 0);
    loop {
        let bears = |pc: &u32| {
            let op = &program.ops[*pc as usize];
            let computes = matches!(op.unit, Unit::Sp | Unit::Sfu) && !matches!(op.op, Op::Bar(_));
            !computes || op.write_mask.meets(&regs) || op.pred_writes & preds != 0
        };
        let more: BTreeSet<u32> = left.iter().copied().filter(bears).collect();
        if more.is_empty() {
            return matter;
        }
        for &pc in &more {
            let op = &program.ops[pc as usize];
            regs.insert_all(&op.read_mask);
            preds |= op.pred_reads;
            left.remove(&pc);
        }
        matter.extend(more);
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Sm<'_> {
    /// Something may let a warp do something else than before.
    #[inline]
    pub(super) fn disturb(&mut self) {
        if let Some(rounds) = &mut self.rounds {
            rounds.disturbed = true;
        }
    }

    /// A warp has issued an instruction.
    #[inline]
    pub(super) fn record_issued(&mut self, slot: usize, pc: u32, lanes: u32, flight: Option<u16>) {
        if let Some(rounds) = &mut self.rounds {
            let flight = flight.map(|id| &mut self.flights[id]);
            let depth = self.warps.stack[slot].depth();
            rounds.issued(slot, (pc, depth), lanes, flight);
        }
    }

    /// The instruction has ended.
    #[inline]
    pub(super) fn record_finished(&mut self, id: u16) {
        if let Some(rounds) = &mut self.rounds {
            let flight = &self.flights[id];
            if flight.recorded != UNRECORDED {
                rounds.finished(flight, &self.program.ops[flight.pc as usize]);
            }
        }
    }
}
