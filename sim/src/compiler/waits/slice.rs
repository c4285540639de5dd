//! What the way out of a loop depends on, within the loop.

use super::access::{is_fixed, keeps, leaves_what_it_found};
use super::calls::Callees;
use super::space;
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Domain;
use crate::kernel::op::Space;
use crate::kernel::{BlockId, Inst, Kernel, Op, Reg};
use fixedbitset::FixedBitSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

/// Block, and instruction of it.
pub(super) type Point = (usize, usize);

/// The instruction at a point.
pub(super) fn at(kernel: &Kernel, (block, inst): Point) -> &Inst {
    &kernel.blocks[block].insts[inst]
}

/// Instructions of a loop on which the ways out of it depend.
pub(super) struct Slice<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) cfg: &'a Cfg,
    pub(super) domain: &'a Domain,
    pub(super) callees: &'a Callees,
    pub(super) blocks: &'a FixedBitSet,
    /// Registers and predicates that the loop defines.
    pub(super) defined: FixedBitSet,
    /// Stores of the loop.
    pub(super) stores: BTreeSet<Point>,
    /// Definitions in the loop of addresses, by where these are read; as they are asked for.
    pub(super) made: RefCell<HashMap<(Reg, Point), BTreeSet<Point>>>,
    /// Definitions, with an edge from each to those that it reads: to where it reads from, or else what is its value.
    found: DiGraphMap<Point, Edge>,
    /// Definitions of it that have not been looked at.
    pending: Vec<Point>,
    /// Branches whose conditions have been followed.
    branches: BTreeSet<usize>,
    /// The loop stores to the thread's own memory: what it loads from there may be another value in each round.
    pub(super) stores_locally: bool,
    /// All of these stores go to fixed addresses, as spills do: then what it loads from one is what it stored there last, as in a register.
    pub(super) has_slots: bool,
    /// Something may change from round to round whatever others do.
    changes: bool,
    /// Accesses that return what others may write, always at the same address.
    pub reads: Vec<Point>,
    /// What is looked at has been stored by the loop before it was read.
    is_behind_stores: bool,
    /// Loads that may find what the loop stored and have not been looked at.
    loads: Vec<Point>,
}

/// How a definition depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Edge {
    /// Its value is made of that.
    Value,
    /// It is a value of memory, at a place that depends on that.
    Place,
}

impl<'a> Slice<'a> {
    /// An empty one, of the loop with these blocks.
    pub fn new(
        kernel: &'a Kernel,
        cfg: &'a Cfg,
        domain: &'a Domain,
        callees: &'a Callees,
        blocks: &'a FixedBitSet,
    ) -> Self {
        let insts = || blocks.ones().flat_map(|block| &kernel.blocks[block].insts);
        let mut defined = domain.empty_set();
        insts().for_each(|inst| callees.for_defs(domain, inst, |bit| defined.insert(bit)));
        let local_stores =
            || insts().filter(|inst| matches!(inst.op, Op::St(to) if to.space == Space::Local));
        Slice {
            kernel,
            cfg,
            domain,
            callees,
            blocks,
            defined,
            stores: (blocks.ones())
                .flat_map(|block| (0..kernel.blocks[block].insts.len()).map(move |i| (block, i)))
                .filter(|&point| matches!(at(kernel, point).op, Op::St(_)))
                .collect(),
            made: RefCell::default(),
            found: DiGraphMap::new(),
            pending: Vec::new(),
            branches: BTreeSet::new(),
            stores_locally: local_stores().next().is_some(),
            has_slots: local_stores().all(|store| store.guard.is_none() && is_fixed(store)),
            changes: false,
            reads: Vec::new(),
            is_behind_stores: false,
            loads: Vec::new(),
        }
    }

    /// Follows the condition under which lanes leave there.
    pub fn follow_exit(&mut self, block: usize, inst: usize) {
        self.follow_guard((block, inst));
        self.follow_control(block);
        self.look_at_pending();
    }

    /// Follows what the loop stores where it reads: that may count, too. Behind the stores nothing is found that the loop waits for, as
    /// what a thread stores itself it need not wait for; and a place that changes does not count by itself: it must go round, as a list.
    pub fn follow_stores(&mut self) {
        self.is_behind_stores = true;
        self.loads.clone_from(&self.reads);
        while let Some(load) = self.loads.pop()
            && !self.changes
        {
            for (store, values) in self.found_in_memory(load) {
                self.follow_guard(store);
                self.follow_control(store.0);
                for definition in self.made_of(&values, store) {
                    self.meet(definition);
                    self.depend(load, definition, Edge::Value);
                }
            }
            self.look_at_pending();
        }
    }

    fn look_at_pending(&mut self) {
        while let Some(point) = self.pending.pop()
            && !self.changes
        {
            self.look_at(point);
        }
    }

    fn depend(&mut self, from: Point, to: Point, edge: Edge) {
        let known = self.found.edge_weight(from, to).copied();
        let edge = known.map_or(edge, |known| known.max(edge));
        self.found.add_edge(from, to, edge);
    }

    /// Whether the way out may be found although nobody else writes anything: something is not known, or an instruction computes with its own
    /// result of the round before.
    pub fn progresses(&self) -> bool {
        let counts = |of: &Vec<Point>| {
            let goes_round = of.len() > 1 || self.found.contains_edge(of[0], of[0]);
            let within = || of.iter().copied().collect::<BTreeSet<Point>>();
            goes_round
                && (of.iter().any(|&point| !keeps(&at(self.kernel, point).op))
                    || self.goes_along(&within()))
        };
        self.changes || kosaraju_scc(&self.found).iter().any(counts)
    }

    /// Whether of definitions that go round one is read at a place that depends on another: a list, or an array.
    fn goes_along(&self, round: &BTreeSet<Point>) -> bool {
        let mut edges = round.iter().flat_map(|&point| self.found.edges(point));
        edges.any(|(_, to, edge)| *edge == Edge::Place && round.contains(&to))
    }

    fn follow_guard(&mut self, point: Point) {
        let Some(guard) = at(self.kernel, point).guard else {
            return;
        };
        for definition in self.reaching(self.domain.pred_bit(guard.pred), point) {
            self.meet(definition);
        }
    }

    /// The conditions under which a block of the loop runs or does not.
    fn follow_control(&mut self, block: usize) {
        let mut controlled = vec![block];
        while let Some(block) = controlled.pop() {
            let id = BlockId(block as u32);
            for branch in self.blocks.ones() {
                let from = BlockId(branch as u32);
                let decides = self.cfg.is_conditional(from)
                    && !self.cfg.post_dominates(id, from)
                    && (self.cfg.succs(from).iter()).any(|&side| self.cfg.post_dominates(id, side));
                if decides && self.branches.insert(branch) {
                    let last = self.kernel.blocks[branch].insts.len() - 1;
                    self.follow_guard((branch, last));
                    controlled.push(branch);
                }
            }
        }
    }

    /// A definition that reaches something of the slice.
    fn meet(&mut self, point: Point) {
        if !self.found.contains_node(point) {
            self.found.add_node(point);
            self.pending.push(point);
        }
    }

    fn look_at(&mut self, point: Point) {
        self.follow_guard(point);
        self.follow_control(point.0);
        let inst = at(self.kernel, point);
        if space(&inst.op).is_some() && self.is_behind_stores {
            self.look_behind_stores(inst, point);
        } else if space(&inst.op).is_some() {
            match self.always_the_same(inst, point) {
                true => self.reads.push(point),
                false => self.changes = true,
            }
        } else if let Some(reads) = self.called_reads(inst).filter(|reads| !reads.is_empty()) {
            // What it reads may have been stored by the loop, at a place that is not compared.
            match self.is_invariant(inst, point) && !self.may_store() {
                true => self.reads.extend(reads),
                false => self.changes = true,
            }
        } else if self.is_pure(inst) {
            if self.is_slot(inst) {
                for (store, _) in self.found_in_memory(point) {
                    self.follow_control(store.0);
                }
            }
            for definition in self.read(inst, point) {
                self.meet(definition);
                self.depend(point, definition, Edge::Value);
            }
        } else {
            self.changes = true;
        }
    }

    fn look_behind_stores(&mut self, inst: &Inst, point: Point) {
        if !leaves_what_it_found(inst) {
            self.changes = true;
            return;
        }
        for definition in self.operands(inst, point) {
            self.meet(definition);
            self.depend(point, definition, Edge::Place);
        }
        self.loads.push(point);
    }
}
