//! What a loop stores where it reads itself: a counter in memory is one as in a register.
//!
//! A compiler without optimisation keeps each variable in memory, a counter as well. What such a read finds is what the
//! stores that reach it put there, as what a register holds is what the definitions that reach it made.

use super::slice::{Point, Slice, at};
use crate::kernel::op::Mem;
use crate::kernel::{Inst, Op, Operand, Reg};
use std::collections::BTreeSet;

/// How many instructions lie between an address and what it is compared by, at most. // assumed: an address is a base and an offset
const MOST_STEPS: usize = 6;

impl Slice<'_> {
    /// Whether the loop stores where the access loads from.
    pub fn stores_to(&self, load: Point) -> bool {
        self.stores.iter().any(|&store| {
            self.distance(load, store)
                .is_some_and(|by| overlap(self.loaded(load), self.stored(store), by))
        })
    }

    /// What a load of the loop may find that the loop itself stored there: each such store, and the operands that it puts there.
    pub fn found_in_memory(&self, load: Point) -> Vec<(Point, Vec<Operand>)> {
        let mut reaching = Vec::new();
        let mut seen = BTreeSet::new();
        let mut stack = vec![load];
        while let Some((block, end)) = stack.pop() {
            let mut overwritten = false;
            let within = self.stores.range((block, 0)..(block, end)).rev();
            for &store in within {
                let (from, to) = (self.loaded(load), self.stored(store));
                let by = self.distance(load, store);
                let Some(by) = by.filter(|&by| overlap(from, to, by)) else {
                    continue;
                };
                let inst = at(self.kernel, store);
                reaching.push((store, put(inst, to, from, by)));
                let covers = by <= 0 && by + len(to) >= len(from);
                if covers && inst.guard.is_none() {
                    overwritten = true;
                    break;
                }
            }
            if !overwritten {
                for before in self.before(block) {
                    if seen.insert(before) {
                        stack.push((before, self.kernel.blocks[before].insts.len()));
                    }
                }
            }
        }
        reaching
    }

    fn loaded(&self, point: Point) -> Option<Mem> {
        match at(self.kernel, point).op {
            Op::Ld(mem) => Some(mem),
            _ => None,
        }
    }

    fn stored(&self, point: Point) -> Option<Mem> {
        match at(self.kernel, point).op {
            Op::St(mem) => Some(mem),
            _ => None,
        }
    }

    /// From the first byte that is loaded to the first that is stored, if that is known to be the same in each round.
    fn distance(&self, load: Point, store: Point) -> Option<i64> {
        let (from, to) = (self.loaded(load)?, self.stored(store)?);
        if from.space != to.space {
            return None;
        }
        let address = |point: Point| at(self.kernel, point).srcs.first().copied();
        let (loaded, stored) = (address(load)?, address(store)?);
        let offsets = to.offset.wrapping_sub(from.offset);
        if let (Some(a), Some(b)) = (self.constant(loaded, load), self.constant(stored, store)) {
            return Some((b.wrapping_sub(a) as i64).wrapping_add(offsets));
        }
        let same = self.same_value((loaded, load), (stored, store), MOST_STEPS);
        same.then_some(offsets)
    }

    /// The operand as a number, if it is one.
    fn constant(&self, operand: Operand, point: Point) -> Option<u64> {
        match operand {
            Operand::Imm(value) => Some(value),
            Operand::Reg(reg) => {
                let made = self.made(reg, point);
                let only = (made.len() == 1).then(|| made.first().copied())??;
                let inst = at(self.kernel, only);
                match (inst.op, inst.guard, inst.srcs.first()) {
                    (Op::Mov(_), None, Some(Operand::Imm(value))) => Some(*value),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Definitions of a register in the loop that reach a point.
    fn made(&self, reg: Reg, point: Point) -> BTreeSet<Point> {
        let bits = || self.domain.reg_bits(reg);
        if bits().all(|bit| !self.defined.contains(bit)) {
            return BTreeSet::new();
        }
        if let Some(made) = self.made.borrow().get(&(reg, point)) {
            return made.clone();
        }
        let made: BTreeSet<Point> = bits().flat_map(|bit| self.reaching(bit, point)).collect();
        self.made.borrow_mut().insert((reg, point), made.clone());
        made
    }

    /// Whether two operands, each at its place, are the same in one round. What is made in the loop must be made of the same, in the
    /// same way, within a few steps.
    fn same_value(&self, a: (Operand, Point), b: (Operand, Point), steps: usize) -> bool {
        let (Operand::Reg(first), Operand::Reg(second)) = (a.0, b.0) else {
            return a.0 == b.0;
        };
        let made = [self.made(first, a.1), self.made(second, b.1)];
        if made[0] == made[1] && first == second {
            return true;
        }
        let [ones, others] = made;
        if first.width != second.width || ones.is_empty() || others.is_empty() || steps == 0 {
            return false;
        }
        ones.iter().all(|&one| {
            others
                .iter()
                .all(|&other| self.same_result(one, other, steps - 1))
        })
    }

    fn same_result(&self, one: Point, other: Point, steps: usize) -> bool {
        let (a, b) = (at(self.kernel, one), at(self.kernel, other));
        let alike = a.op == b.op && a.dsts.len() == 1 && b.dsts.len() == 1;
        let plain = |inst: &Inst| inst.guard.is_none() && self.is_pure(inst) && !self.is_slot(inst);
        alike && a.srcs.len() == b.srcs.len() && plain(a) && plain(b) && {
            let mut pairs = a.srcs.iter().zip(&b.srcs);
            pairs.all(|(&a, &b)| self.same_value((a, one), (b, other), steps))
        }
    }
}

/// Bytes of an access.
fn len(mem: Option<Mem>) -> i64 {
    mem.map_or(0, |mem| i64::from(mem.ty.size_bytes()) * i64::from(mem.vec))
}

/// Whether the bytes of two accesses overlap, of which the second begins `by` bytes behind the first.
fn overlap(first: Option<Mem>, second: Option<Mem>, by: i64) -> bool {
    by < len(first) && by.saturating_add(len(second)) > 0
}

/// The operands of a store that lie in the bytes of a load.
fn put(store: &Inst, to: Option<Mem>, from: Option<Mem>, by: i64) -> Vec<Operand> {
    let size = to.map_or(1, |mem| i64::from(mem.ty.size_bytes()));
    let values = store.srcs.iter().skip(1).enumerate();
    values
        .filter(|&(number, _)| {
            let start = by + size * number as i64;
            start < len(from) && start + size > 0
        })
        .map(|(_, &value)| value)
        .collect()
}
