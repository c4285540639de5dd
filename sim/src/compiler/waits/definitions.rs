//! Which definitions of a loop an instruction of it reads, from registers or from the thread's own memory.

use super::access::{is_fixed, leaves_what_it_found};
use super::slice::{Point, Slice, at};
use crate::kernel::op::Space;
use crate::kernel::{BlockId, Inst, Op, Operand, Special};
use petgraph::algo::toposort;
use petgraph::graphmap::DiGraphMap;
use std::collections::BTreeSet;

impl Slice<'_> {
    /// Whether it loads what the thread keeps in a place of its own memory.
    pub(super) fn is_slot(&self, inst: &Inst) -> bool {
        let is_local = matches!(inst.op, Op::Ld(from) if from.space == Space::Local);
        self.has_slots && is_local && is_fixed(inst)
    }

    /// Definitions in the loop that the instruction reads, from registers or from a place of the thread's own memory.
    pub(super) fn read(&self, inst: &Inst, point: Point) -> BTreeSet<Point> {
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
    pub(super) fn always_the_same(&self, inst: &Inst, point: Point) -> bool {
        self.is_invariant(inst, point) && leaves_what_it_found(inst)
    }

    /// Whether all that an instruction reads, but for its guard, is the same in each round: none of it is of the round before, or from
    /// elsewhere.
    pub(super) fn is_invariant(&self, inst: &Inst, point: Point) -> bool {
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
    pub(super) fn operands(&self, inst: &Inst, point: Point) -> BTreeSet<Point> {
        let unguarded = Inst {
            guard: None,
            ..inst.clone()
        };
        self.read(&unguarded, point)
    }

    /// Definitions in the loop of operands that are read at a point.
    pub(super) fn made_of(&self, operands: &[Operand], point: Point) -> BTreeSet<Point> {
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
