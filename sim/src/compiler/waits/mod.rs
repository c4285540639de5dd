//! Loops in which a thread waits for what another one writes: a lock, a flag, a counter.
//!
//! Registers that several warps share make new dependences: who waits for registers waits for whoever holds them, and that may be
//! a thread which itself waits, in a loop, for the first. No scheme of the papers knows of such waits; here they are found, and
//! each scheme plans so that they end, or refuses the kernel.
//!
//! A loop waits if it can be left only by what is read from memory, at an address that does not change from round to round, and
//! nothing else changes that could end it: no counter, no clock, no other address. The branches out of the loop are followed back
//! through the definitions that reach them from within it ([`slice`]), those of its own stores ([`own`]), and the functions that
//! it calls ([`calls`]). That does not find all of them: what a run has shown to go round for ever waits, too ([`Kernel::rounds`]).

mod access;
mod calls;
mod definitions;
mod own;
mod slice;

use super::cfg::Cfg;
use super::dom::immediate_dominators;
use super::liveness::Domain;
use crate::kernel::op::Space;
use crate::kernel::{BlockId, Inst, Kernel, Line, Op};
use access::takes_lock;
use calls::Callees;
use fixedbitset::FixedBitSet;
use slice::{Slice, at};
use std::collections::BTreeSet;

/// Who writes what a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// A thread of the same CTA: it is in the scratchpad.
    Cta,
    /// A thread of any CTA.
    Grid,
}

/// A loop that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Line of an access that reads what it waits for.
    pub line: Line,
    /// Who writes that.
    pub scope: Scope,
    /// It takes a lock: whoever it waits for has been launched.
    pub is_lock: bool,
    /// Its blocks, those of loops in it included.
    pub blocks: FixedBitSet,
}

/// The loops of a kernel that wait.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waits {
    /// Those of the kernel, then those of the functions that it calls.
    pub loops: Vec<Wait>,
    /// Blocks in which nothing happens but waiting: those whose innermost loop waits, and functions that are called from there alone.
    pub idle: FixedBitSet,
}

impl Waits {
    /// Finds them, in either register space.
    #[must_use]
    pub fn of(kernel: &Kernel, cfg: &Cfg) -> Waits {
        let domain = Domain::of(kernel);
        let callees = Callees::of(kernel, cfg, &domain);
        let loops = loops(kernel, cfg);
        let found: Vec<Option<Wait>> = (loops.iter())
            .map(|(_, blocks)| waits_in(kernel, cfg, (&domain, &callees), blocks))
            .collect();
        let mut waits = Waits {
            loops: Vec::new(),
            idle: FixedBitSet::with_capacity(cfg.len()),
        };
        for block in 0..cfg.len() {
            let around = loops.iter().zip(&found);
            let around = around.filter(|((_, blocks), _)| blocks.contains(block));
            let innermost = around.min_by_key(|((_, blocks), _)| blocks.count_ones(..));
            let waiting = innermost.is_some_and(|(_, wait)| wait.is_some());
            waits.idle.set(block, waiting);
        }
        callees.add_those_of(kernel, &mut waits.idle);
        let seen = loops.iter().zip(&found).filter(|(_, wait)| wait.is_none());
        let seen: Vec<Wait> = seen
            .filter_map(|((header, blocks), _)| seen_in(kernel, *header, blocks))
            .collect();
        waits.loops.extend(found.into_iter().flatten().chain(seen));
        waits
    }

    /// The first that waits for a thread of another CTA, or else of its own; a flag before a lock.
    #[must_use]
    pub fn widest(&self) -> Option<&Wait> {
        let key = |wait: &&Wait| (wait.scope, !wait.is_lock, std::cmp::Reverse(wait.line.0));
        self.loops.iter().max_by_key(key)
    }

    /// Whether the block is in a loop that waits.
    #[must_use]
    pub fn contains(&self, block: usize) -> bool {
        self.loops.iter().any(|wait| wait.blocks.contains(block))
    }
}

/// Header and blocks of each natural loop of the kernel, and of the functions whose calls are kept: no edge leads there, so that
/// [`Cfg::loops`] has not got them.
fn loops(kernel: &Kernel, cfg: &Cfg) -> Vec<(usize, FixedBitSet)> {
    let blocks = || (0..cfg.len() as u32).map(BlockId);
    let index = |block: BlockId| block.0 as usize;
    let mut loops: Vec<(usize, FixedBitSet)> = (cfg.loops().iter())
        .map(|of| {
            let blocks = of.blocks.iter().map(|&block| index(block));
            (index(of.header), blocks.collect())
        })
        .collect();
    let insts = kernel.blocks.iter().flat_map(|block| &block.insts);
    let functions: BTreeSet<usize> = insts
        .filter_map(|inst| match inst.op {
            Op::Call(function) => Some(index(function)),
            _ => None,
        })
        .filter(|&entry| entry < cfg.len())
        .collect();
    if functions.is_empty() {
        return loops;
    }
    let succs: Vec<Vec<usize>> = blocks()
        .map(|block| cfg.succs(block).iter().map(|&next| index(next)).collect())
        .collect();
    for entry in functions {
        let dominators = immediate_dominators(&succs, entry);
        let is_reached =
            |block: BlockId| index(block) == entry || dominators[index(block)].is_some();
        let dominates = |header: BlockId, block: BlockId| {
            std::iter::successors(Some(index(block)), |&at| dominators[at])
                .any(|at| at == index(header))
        };
        for header in blocks().filter(|&header| is_reached(header)) {
            let mut latches = cfg.preds(header).to_vec();
            latches.retain(|&latch| is_reached(latch) && dominates(header, latch));
            if !latches.is_empty() {
                let blocks = cfg.natural_loop(header, &latches, is_reached);
                loops.push((index(header), blocks));
            }
        }
    }
    loops
}

/// The loop, if it waits.
fn waits_in(
    kernel: &Kernel,
    cfg: &Cfg,
    (domain, callees): (&Domain, &Callees),
    blocks: &FixedBitSet,
) -> Option<Wait> {
    let mut slice = Slice::new(kernel, cfg, domain, callees, blocks);
    for (block, inst) in exits(kernel, cfg, blocks) {
        slice.follow_exit(block, inst);
    }
    if slice.progresses() {
        return None;
    }
    slice.follow_stores();
    if slice.progresses() {
        return None;
    }
    // What the thread stores there itself, it need not wait for.
    let mut reads = slice.reads.clone();
    reads.retain(|&read| !slice.stores_to(read));
    let insts = || reads.iter().map(|&point| at(kernel, point));
    let scopes = insts().filter_map(|inst| match space(&inst.op)? {
        Space::Shared => Some(Scope::Cta),
        _ => Some(Scope::Grid),
    });
    let scope = scopes.max()?;
    Some(Wait {
        line: insts().map(|inst| inst.line).min_by_key(|line| line.0)?,
        scope,
        is_lock: insts().all(takes_lock),
        blocks: blocks.clone(),
    })
}

/// The loop, if a run has found warps in it for ever: its header was in one of the rounds. They wait for what accesses of that round read.
fn seen_in(kernel: &Kernel, header: usize, blocks: &FixedBitSet) -> Option<Wait> {
    let mut lines = kernel.blocks[header].insts.iter().map(|inst| inst.line);
    let first = lines.find(|&line| line != Line(0))?;
    let round = kernel.rounds.iter().find(|round| round.contains(&first))?;
    let insts = kernel.blocks.iter().flat_map(|block| &block.insts);
    let reads: Vec<&Inst> = insts
        .filter(|inst| round.contains(&inst.line) && space(&inst.op).is_some())
        .collect();
    let shared = |inst: &&Inst| space(&inst.op) == Some(Space::Shared);
    let scope = match reads.iter().all(shared) {
        true => Scope::Cta,
        false => Scope::Grid,
    };
    Some(Wait {
        line: reads.iter().map(|inst| inst.line).min()?,
        scope,
        is_lock: reads.iter().all(|&inst| takes_lock(inst)),
        blocks: blocks.clone(),
    })
}

/// Branches and ends that leave the loop in some lanes.
fn exits(kernel: &Kernel, cfg: &Cfg, blocks: &FixedBitSet) -> Vec<(usize, usize)> {
    let mut exits = Vec::new();
    for block in blocks.ones() {
        let insts = &kernel.blocks[block].insts;
        let ends = |inst: &Inst| matches!(inst.op, Op::Exit | Op::Ret) && inst.guard.is_some();
        exits.extend(
            (0..insts.len())
                .filter(|&i| ends(&insts[i]))
                .map(|i| (block, i)),
        );
        let id = BlockId(block as u32);
        let leaves = cfg
            .succs(id)
            .iter()
            .any(|next| !blocks.contains(next.0 as usize));
        let falls_out = cfg.succs(id).len() < 2;
        if let Some(last) = insts.last()
            && matches!(last.op, Op::Bra(_))
            && last.guard.is_some()
            && (leaves || falls_out)
        {
            exits.push((block, insts.len() - 1));
        }
    }
    exits
}

/// The space of an access that returns what memory holds, if other threads can write there.
pub(crate) fn space(op: &Op) -> Option<Space> {
    let space = match op {
        Op::Ld(mem) => mem.space,
        Op::Atom { space, .. } => *space,
        _ => return None,
    };
    matches!(space, Space::Generic | Space::Global | Space::Shared).then_some(space)
}

#[cfg(test)]
mod tests;
