//! What the way out of a loop depends on, within the loop.

use super::calls::{Callees, Effect};
use super::space;
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Domain;
use crate::kernel::op::{AtomOp, Space};
use crate::kernel::{BlockId, Inst, Kernel, Op, Operand, Reg, Special};
use fixedbitset::FixedBitSet;
use petgraph::algo::{kosaraju_scc, toposort};
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
    cfg: &'a Cfg,
    pub(super) domain: &'a Domain,
    callees: &'a Callees,
    blocks: &'a FixedBitSet,
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
    stores_locally: bool,
    /// All of these stores go to fixed addresses, as spills do: then what it loads from one is what it stored there last, as in a register.
    has_slots: bool,
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

    /// Whether it loads what the thread keeps in a place of its own memory.
    pub(super) fn is_slot(&self, inst: &Inst) -> bool {
        let is_local = matches!(inst.op, Op::Ld(from) if from.space == Space::Local);
        self.has_slots && is_local && is_fixed(inst)
    }

    /// Definitions in the loop that the instruction reads, from registers or from a place of the thread's own memory.
    fn read(&self, inst: &Inst, point: Point) -> BTreeSet<Point> {
        let mut read = BTreeSet::new();
        self.callees.for_uses(self.domain, inst, |bit| {
            read.extend(self.reaching(bit, point))
        });
        if self.is_slot(inst) {
            for (store, values) in self.found_in_memory(point) {
                read.extend(self.made_of(&values, store));
            }
        }
        read
    }

    /// Whether an access is the same in each round: same address, and an atomic one leaves what it found, or what it left before.
    fn always_the_same(&self, inst: &Inst, point: Point) -> bool {
        self.is_invariant(inst, point) && leaves_what_it_found(inst)
    }

    /// Whether all that an instruction reads, but for its guard, is the same in each round: none of it is of the round before, or from
    /// elsewhere.
    fn is_invariant(&self, inst: &Inst, point: Point) -> bool {
        let mut met: DiGraphMap<Point, ()> = DiGraphMap::new();
        let mut pending = vec![(inst, point)];
        while let Some((inst, point)) = pending.pop() {
            for definition in self.operands(inst, point) {
                let inst = at(self.kernel, definition);
                if inst.guard.is_some() || !self.is_pure(inst) {
                    return false;
                }
                if !met.contains_node(definition) {
                    pending.push((inst, definition));
                }
                met.add_edge(point, definition, ());
            }
        }
        toposort(&met, None).is_ok()
    }

    /// Definitions in the loop of what an instruction reads, but for its guard.
    fn operands(&self, inst: &Inst, point: Point) -> BTreeSet<Point> {
        let unguarded = Inst {
            guard: None,
            ..inst.clone()
        };
        self.read(&unguarded, point)
    }

    /// Definitions in the loop of operands that are read at a point.
    fn made_of(&self, operands: &[Operand], point: Point) -> BTreeSet<Point> {
        let bits = operands.iter().flat_map(|operand| match *operand {
            Operand::Reg(reg) => self.domain.reg_bits(reg),
            Operand::Pred { pred, .. } => {
                let bit = self.domain.pred_bit(pred);
                bit..bit + 1
            }
            _ => 0..0,
        });
        bits.flat_map(|bit| self.reaching(bit, point)).collect()
    }

    /// Blocks of the loop from which one goes to this.
    pub(super) fn before(&self, block: usize) -> impl Iterator<Item = usize> {
        let all = self.cfg.preds(BlockId(block as u32)).iter();
        all.map(|before| before.0 as usize)
            .filter(|&before| self.blocks.contains(before))
    }

    /// Definitions in the loop of a register or predicate that reach a point, on paths within the loop.
    pub(super) fn reaching(&self, bit: usize, (block, inst): Point) -> BTreeSet<Point> {
        let mut reaching = BTreeSet::new();
        if !self.defined.contains(bit) {
            return reaching;
        }
        let mut seen = BTreeSet::new();
        let mut stack = vec![(block, inst)];
        while let Some((block, end)) = stack.pop() {
            let insts = &self.kernel.blocks[block].insts;
            let mut killed = false;
            for i in (0..end).rev() {
                let mut defines = false;
                self.callees
                    .for_defs(self.domain, &insts[i], |d| defines |= d == bit);
                if defines {
                    reaching.insert((block, i));
                    if insts[i].guard.is_none() {
                        killed = true;
                        break;
                    }
                }
            }
            if killed {
                continue;
            }
            for before in self.before(block) {
                if seen.insert(before) {
                    stack.push((before, self.kernel.blocks[before].insts.len()));
                }
            }
        }
        reaching
    }

    /// Where a call reads what others may write, if what it gives back depends on that and on its arguments alone.
    fn called_reads(&self, inst: &Inst) -> Option<&'a BTreeSet<Point>> {
        match &self.callees.callee(inst)?.effect {
            Effect::Reads(reads) => Some(reads),
            Effect::Changes => None,
        }
    }

    /// Whether the loop may store where other threads read, itself or in a function.
    fn may_store(&self) -> bool {
        let insts = (self.blocks.ones()).flat_map(|block| &self.kernel.blocks[block].insts);
        insts.into_iter().any(|inst| match inst.op {
            Op::St(to) => to.space != Space::Local,
            Op::Atom { .. } => !leaves_what_it_found(inst),
            Op::Call(_) => self.called_reads(inst).is_none(),
            _ => false,
        })
    }

    /// Whether the results depend on the operands and on nothing else that changes, but perhaps on which lanes run.
    pub(super) fn is_pure(&self, inst: &Inst) -> bool {
        let reads_time = |source: &Operand| {
            matches!(source, Operand::Special(Special::Clock | Special::Clock64))
        };
        let depends = match inst.op {
            Op::Ld(from) => match from.space {
                Space::Param | Space::Const => false,
                Space::Local => self.stores_locally && !self.is_slot(inst),
                _ => true,
            },
            Op::Call(_) => self
                .called_reads(inst)
                .is_none_or(|reads| !reads.is_empty()),
            Op::Atom { .. } | Op::TakeFromStack(..) | Op::Argument(_) => true,
            Op::Pop | Op::Traced(_) => true,
            _ => false,
        };
        !depends && !inst.srcs.iter().any(reads_time)
    }
}

/// Whether an access has its address in the instruction.
fn is_fixed(inst: &Inst) -> bool {
    matches!(inst.srcs.first(), Some(Operand::Imm(_)))
}

/// Whether an access takes a lock, which is free while it is 0: whoever has it has been launched. Others only read, or wait for a turn.
pub(super) fn takes_lock(inst: &Inst) -> bool {
    let Op::Atom { op, .. } = inst.op else {
        return false;
    };
    let is_zero = |place: usize| inst.srcs.get(place) == Some(&Operand::Imm(0));
    match op {
        AtomOp::Cas => is_zero(1) && !is_zero(2),
        AtomOp::Exch => !is_zero(1),
        _ => false,
    }
}

/// Whether an access but for its address is the same in each round: an atomic one leaves what it found, or what it left before.
pub(super) fn leaves_what_it_found(inst: &Inst) -> bool {
    match inst.op {
        Op::Atom { op, .. } => match op {
            AtomOp::Cas | AtomOp::Exch | AtomOp::And | AtomOp::Or => true,
            AtomOp::Min | AtomOp::Max => true,
            AtomOp::Add | AtomOp::Xor => inst.srcs.get(1) == Some(&Operand::Imm(0)),
            AtomOp::Inc | AtomOp::Dec => false,
        },
        _ => true,
    }
}

/// Operations that give again what they were given: a chain of them never counts.
fn keeps(op: &Op) -> bool {
    matches!(
        op,
        Op::Mov(_)
            | Op::Selp(_)
            | Op::And(_)
            | Op::Or(_)
            | Op::Setp { .. }
            | Op::Cvt { .. }
            | Op::Pack(_)
            | Op::Unpack(_)
            | Op::Min(_)
            | Op::Max(_)
            | Op::Ld(_)
    )
}
