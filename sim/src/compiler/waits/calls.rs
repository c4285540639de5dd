//! Functions that are called in a loop: what a call reads and writes by the calling convention, and whether what it gives back can be
//! another value in the next round.
//!
//! In a linked program a call names no registers. It reads those that the function reads before it writes them, and it writes those
//! that the function writes, but for the saved ones.

use super::access::leaves_what_it_found;
use super::slice::{Point, Slice};
use super::space;
use crate::compiler::calls::{FIRST_SAVED, STACK_POINTER};
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Domain;
use crate::kernel::op::Space;
use crate::kernel::{BlockId, Inst, Kernel, Op, Operand, Reg, RegSpace, Special};
use fixedbitset::FixedBitSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;
use std::collections::{BTreeSet, HashMap};

/// What a function does, those that it calls included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// What it gives back depends on its arguments and on what it reads there, where others may write; nothing: on its arguments.
    Reads(BTreeSet<Point>),
    /// It may be another value in each round whatever others do.
    Changes,
}

/// A function that is called.
#[derive(Clone, Debug)]
pub(super) struct Callee {
    pub(super) effect: Effect,
    blocks: FixedBitSet,
    /// Registers and predicates that a call of it reads, and those that it leaves changed.
    uses: FixedBitSet,
    defs: FixedBitSet,
}

/// The functions of a linked program that are called, by their first blocks. In virtual registers there are none.
#[derive(Clone, Debug, Default)]
pub(super) struct Callees(HashMap<usize, Callee>);

impl Callees {
    pub(super) fn of(kernel: &Kernel, cfg: &Cfg, domain: &Domain) -> Self {
        let functions = functions(kernel, cfg);
        let mut calls: DiGraphMap<usize, ()> = DiGraphMap::new();
        for (&function, blocks) in &functions {
            calls.add_node(function);
            for callee in called(kernel, blocks).filter(|callee| functions.contains_key(callee)) {
                calls.add_edge(function, callee, ());
            }
        }
        let mut found = Callees::default();
        // Those that are called come before those that call them.
        for group in kosaraju_scc(&calls) {
            for function in group {
                let blocks = &functions[&function];
                let callee = Callee {
                    // One that calls itself changes something: it is not among those found.
                    effect: found.effect(kernel, blocks),
                    blocks: blocks.clone(),
                    uses: found.read(kernel, cfg, domain, function, blocks),
                    defs: found.written(kernel, domain, blocks),
                };
                found.0.insert(function, callee);
            }
        }
        found
    }

    /// Adds the functions that are called from these blocks alone, and only read.
    pub(super) fn add_those_of(&self, kernel: &Kernel, idle: &mut FixedBitSet) {
        let all: FixedBitSet = (0..kernel.blocks.len()).collect();
        loop {
            let before = idle.count_ones(..);
            let mut elsewhere = BTreeSet::new();
            for ((block, _), inst) in insts(kernel, &all) {
                if let Op::Call(BlockId(function)) = inst.op
                    && !idle.contains(block)
                {
                    elsewhere.insert(function as usize);
                }
            }
            for (function, callee) in &self.0 {
                if !elsewhere.contains(function) && matches!(callee.effect, Effect::Reads(_)) {
                    idle.union_with(&callee.blocks);
                }
            }
            if idle.count_ones(..) == before {
                return;
            }
        }
    }

    /// The function that an instruction calls.
    pub(super) fn callee(&self, inst: &Inst) -> Option<&Callee> {
        match inst.op {
            Op::Call(BlockId(function)) => self.0.get(&(function as usize)),
            _ => None,
        }
    }

    /// Calls `f` with every bit that the instruction reads, its guard with them.
    pub(super) fn for_uses(&self, domain: &Domain, inst: &Inst, mut f: impl FnMut(usize)) {
        domain.for_uses(inst, &mut f);
        (self.callee(inst).iter()).for_each(|callee| callee.uses.ones().for_each(&mut f));
    }

    /// Calls `f` with every bit that the instruction writes.
    pub(super) fn for_defs(&self, domain: &Domain, inst: &Inst, mut f: impl FnMut(usize)) {
        domain.for_defs(inst, &mut f);
        (self.callee(inst).iter()).for_each(|callee| callee.defs.ones().for_each(&mut f));
    }

    fn effect(&self, kernel: &Kernel, blocks: &FixedBitSet) -> Effect {
        let mut reads = BTreeSet::new();
        for (point, inst) in insts(kernel, blocks) {
            let own = inst.srcs.first() == Some(&Operand::Reg(Reg::r32(STACK_POINTER)));
            let time = |source: &Operand| {
                matches!(source, Operand::Special(Special::Clock | Special::Clock64))
            };
            let same = match inst.op {
                Op::Call(_) => match self.callee(inst).map(|callee| &callee.effect) {
                    Some(Effect::Reads(more)) => {
                        reads.extend(more);
                        true
                    }
                    _ => false,
                },
                Op::Ld(from) if from.space == Space::Local => own,
                Op::St(to) => to.space == Space::Local && own,
                _ if space(&inst.op).is_some() => {
                    reads.insert(point);
                    leaves_what_it_found(inst)
                }
                // The end of a thread is a way out of the loop that is not in it.
                Op::Exit | Op::Traced(_) | Op::TakeFromStack(..) | Op::Argument(_) => false,
                _ => true,
            };
            if !same || inst.srcs.iter().any(time) {
                return Effect::Changes;
            }
        }
        Effect::Reads(reads)
    }

    fn written(&self, kernel: &Kernel, domain: &Domain, blocks: &FixedBitSet) -> FixedBitSet {
        let mut written = domain.empty_set();
        for (_, inst) in insts(kernel, blocks) {
            self.for_defs(domain, inst, |bit| written.insert(bit));
        }
        written.difference_with(&saved(domain));
        written
    }

    /// What is read from the first block of a function on before it is written.
    fn read(
        &self,
        kernel: &Kernel,
        cfg: &Cfg,
        domain: &Domain,
        entry: usize,
        blocks: &FixedBitSet,
    ) -> FixedBitSet {
        let nothing = |block| (block, domain.empty_set());
        let mut live: HashMap<usize, FixedBitSet> = blocks.ones().map(nothing).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for block in blocks.ones() {
                let mut set = domain.empty_set();
                for next in cfg.succs(BlockId(block as u32)) {
                    (live.get(&(next.0 as usize)).iter()).for_each(|after| set.union_with(after));
                }
                for inst in kernel.blocks[block].insts.iter().rev() {
                    if inst.guard.is_none() {
                        self.for_defs(domain, inst, |bit| set.set(bit, false));
                    }
                    self.for_uses(domain, inst, |bit| set.insert(bit));
                }
                changed |= live[&block] != set;
                live.insert(block, set);
            }
        }
        let mut read = live.remove(&entry).unwrap_or_else(|| domain.empty_set());
        // What is read of the saved ones is put aside.
        read.difference_with(&saved(domain));
        read
    }
}

impl<'a> Slice<'a> {
    /// Where a call reads what others may write, if what it gives back depends on that and on its arguments alone.
    pub(super) fn called_reads(&self, inst: &Inst) -> Option<&'a BTreeSet<Point>> {
        match &self.callees.callee(inst)?.effect {
            Effect::Reads(reads) => Some(reads),
            Effect::Changes => None,
        }
    }

    /// Whether the loop may store where other threads read, itself or in a function.
    pub(super) fn may_store(&self) -> bool {
        let mut insts = insts(self.kernel, self.blocks);
        insts.any(|(_, inst)| match inst.op {
            Op::St(to) => to.space != Space::Local,
            Op::Atom { .. } => !leaves_what_it_found(inst),
            Op::Call(_) => self.called_reads(inst).is_none(),
            _ => false,
        })
    }
}

/// The registers that functions leave as they were.
fn saved(domain: &Domain) -> FixedBitSet {
    let mut saved = domain.empty_set();
    saved.insert_range(usize::from(FIRST_SAVED).min(domain.regs())..domain.regs());
    saved.set(usize::from(STACK_POINTER), true);
    saved
}

/// The blocks of each function that is called, by its first block.
fn functions(kernel: &Kernel, cfg: &Cfg) -> HashMap<usize, FixedBitSet> {
    if matches!(kernel.regs, RegSpace::Virtual { .. }) {
        return HashMap::new();
    }
    let all: FixedBitSet = (0..cfg.len()).collect();
    let within = |entry: usize| {
        let mut blocks = FixedBitSet::with_capacity(cfg.len());
        let mut stack = vec![entry];
        while let Some(block) = stack.pop() {
            if !blocks.put(block) {
                stack.extend(
                    cfg.succs(BlockId(block as u32))
                        .iter()
                        .map(|to| to.0 as usize),
                );
            }
        }
        blocks
    };
    let entries = called(kernel, &all).filter(|&entry| entry < cfg.len());
    entries.map(|entry| (entry, within(entry))).collect()
}

fn insts<'a>(
    kernel: &'a Kernel,
    blocks: &'a FixedBitSet,
) -> impl Iterator<Item = (Point, &'a Inst)> {
    blocks.ones().flat_map(|block| {
        let insts = kernel.blocks[block].insts.iter().enumerate();
        insts.map(move |(i, inst)| ((block, i), inst))
    })
}

/// First blocks of the functions that are called there.
fn called<'a>(kernel: &'a Kernel, blocks: &'a FixedBitSet) -> impl Iterator<Item = usize> + 'a {
    insts(kernel, blocks).filter_map(|(_, inst)| match inst.op {
        Op::Call(BlockId(function)) => Some(function as usize),
        _ => None,
    })
}
