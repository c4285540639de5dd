//! What the way out of a loop depends on, within the loop.

use super::space;
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Domain;
use crate::kernel::op::{AtomOp, Space};
use crate::kernel::{BlockId, Inst, Kernel, Op, Operand, Special};
use fixedbitset::FixedBitSet;
use std::collections::{BTreeMap, BTreeSet};

/// Block, and instruction of it.
pub(super) type Point = (usize, usize);

/// The instruction at a point.
pub(super) fn at(kernel: &Kernel, (block, inst): Point) -> &Inst {
    &kernel.blocks[block].insts[inst]
}

/// Instructions of a loop on which ways out of it depend.
pub(super) struct Slice<'a> {
    kernel: &'a Kernel,
    cfg: &'a Cfg,
    domain: &'a Domain,
    blocks: &'a FixedBitSet,
    /// Definitions, and the definitions that each reads.
    found: BTreeMap<Point, BTreeSet<Point>>,
    /// Branches whose conditions have been followed.
    branches: BTreeSet<usize>,
    /// The loop stores to the thread's own memory: what it loads from there may be another value in each round.
    stores_locally: bool,
    /// Something may change from round to round whatever others do.
    changes: bool,
    /// Accesses that return what others may write, always at the same address.
    pub reads: Vec<Point>,
}

impl<'a> Slice<'a> {
    /// An empty one, of the loop with these blocks.
    pub fn new(
        kernel: &'a Kernel,
        cfg: &'a Cfg,
        domain: &'a Domain,
        blocks: &'a FixedBitSet,
    ) -> Self {
        Slice {
            kernel,
            cfg,
            domain,
            blocks,
            found: BTreeMap::new(),
            branches: BTreeSet::new(),
            stores_locally: blocks.ones().any(|block| {
                let insts = &kernel.blocks[block].insts;
                insts
                    .iter()
                    .any(|inst| matches!(inst.op, Op::St(to) if to.space == Space::Local))
            }),
            changes: false,
            reads: Vec::new(),
        }
    }

    /// Follows the condition under which lanes leave there.
    pub fn follow_exit(&mut self, block: usize, inst: usize) {
        self.follow_guard((block, inst));
        self.follow_control(block);
    }

    /// Whether the way out may be found although nobody else writes anything: something counts, or is not known.
    pub fn progresses(&self) -> bool {
        self.changes || self.found.keys().any(|&point| self.counts(point))
    }

    /// Whether an instruction computes with its own result of the round before.
    fn counts(&self, point: Point) -> bool {
        if keeps(&at(self.kernel, point).op) {
            return false;
        }
        let mut seen = BTreeSet::new();
        let mut stack: Vec<Point> = self.found[&point].iter().copied().collect();
        while let Some(next) = stack.pop() {
            if next == point {
                return true;
            }
            if seen.insert(next) {
                stack.extend(self.found.get(&next).into_iter().flatten());
            }
        }
        false
    }

    fn follow_guard(&mut self, point: Point) {
        let Some(guard) = at(self.kernel, point).guard else {
            return;
        };
        for definition in self.reaching(self.domain.pred_bit(guard.pred), point) {
            self.visit(definition);
        }
    }

    /// The conditions under which a block of the loop runs or does not.
    fn follow_control(&mut self, block: usize) {
        let id = BlockId(block as u32);
        let blocks: Vec<usize> = self.blocks.ones().collect();
        for branch in blocks {
            let from = BlockId(branch as u32);
            let decides = self.cfg.is_conditional(from)
                && !self.cfg.post_dominates(id, from)
                && (self.cfg.succs(from).iter()).any(|&side| self.cfg.post_dominates(id, side));
            if decides && self.branches.insert(branch) {
                let last = self.kernel.blocks[branch].insts.len() - 1;
                self.follow_guard((branch, last));
                self.follow_control(branch);
            }
        }
    }

    /// A definition that reaches something of the slice.
    fn visit(&mut self, point: Point) {
        if self.found.contains_key(&point) {
            return;
        }
        self.found.insert(point, BTreeSet::new());
        self.follow_guard(point);
        self.follow_control(point.0);
        let inst = at(self.kernel, point);
        if space(&inst.op).is_some() {
            match self.always_the_same(inst, point) {
                true => self.reads.push(point),
                false => self.changes = true,
            }
            return;
        }
        if !self.is_pure(inst) {
            self.changes = true;
            return;
        }
        let read = self.read(inst, point);
        for &definition in &read {
            self.visit(definition);
        }
        self.found.insert(point, read);
    }

    /// Definitions in the loop that the instruction reads.
    fn read(&self, inst: &Inst, point: Point) -> BTreeSet<Point> {
        let mut read = BTreeSet::new();
        self.domain
            .for_uses(inst, |bit| read.extend(self.reaching(bit, point)));
        read
    }

    /// Whether an access is the same in each round: same address, and an atomic one leaves what it found, or what it left before.
    fn always_the_same(&self, inst: &Inst, point: Point) -> bool {
        if !self.is_invariant(inst, point, &mut BTreeMap::new()) {
            return false;
        }
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

    /// Whether all that an instruction reads, but for its guard, is the same in each round. `known`: of the definitions met so far,
    /// whether they are; one that is being looked at reads itself and is not.
    fn is_invariant(&self, inst: &Inst, point: Point, known: &mut BTreeMap<Point, bool>) -> bool {
        let mut bits = Vec::new();
        for reg in inst.src_regs() {
            bits.extend(self.domain.reg_bits(reg));
        }
        for source in &inst.srcs {
            if let Operand::Pred { pred, .. } = source {
                bits.push(self.domain.pred_bit(*pred));
            }
        }
        bits.into_iter().all(|bit| {
            self.reaching(bit, point).into_iter().all(|definition| {
                if let Some(&known) = known.get(&definition) {
                    return known;
                }
                known.insert(definition, false);
                let inst = at(self.kernel, definition);
                let is_invariant = inst.guard.is_none()
                    && self.is_pure(inst)
                    && self.is_invariant(inst, definition, known);
                known.insert(definition, is_invariant);
                is_invariant
            })
        })
    }

    /// Definitions in the loop of a register or predicate that reach a point, on paths within the loop.
    fn reaching(&self, bit: usize, (block, inst): Point) -> BTreeSet<Point> {
        let mut reaching = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut stack = vec![(block, inst)];
        while let Some((block, end)) = stack.pop() {
            let insts = &self.kernel.blocks[block].insts;
            let mut killed = false;
            for i in (0..end).rev() {
                let mut defines = false;
                self.domain.for_defs(&insts[i], |d| defines |= d == bit);
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
            for before in self.cfg.preds(BlockId(block as u32)) {
                let before = before.0 as usize;
                if self.blocks.contains(before) && seen.insert(before) {
                    stack.push((before, self.kernel.blocks[before].insts.len()));
                }
            }
        }
        reaching
    }

    /// Whether the results depend on the operands and on nothing else that changes, but perhaps on which lanes run.
    fn is_pure(&self, inst: &Inst) -> bool {
        let reads_time = |source: &Operand| {
            matches!(source, Operand::Special(Special::Clock | Special::Clock64))
        };
        let depends = match inst.op {
            Op::Ld(from) => match from.space {
                Space::Param | Space::Const => false,
                Space::Local => self.stores_locally,
                _ => true,
            },
            Op::Atom { .. } | Op::Call(_) | Op::TakeFromStack(..) | Op::Argument(_) => true,
            Op::Pop | Op::Traced(_) => true,
            _ => false,
        };
        !depends && !inst.srcs.iter().any(reads_time)
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
    )
}
