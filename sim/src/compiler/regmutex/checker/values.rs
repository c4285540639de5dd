//! Data flow: which original register's value each place surely holds.
//!
//! A forward analysis of one thread, all paths joined by intersection. A register that nothing has written on any
//! path has no value; every place will do for it.

use super::shape::copied;
use super::{CheckError, Rewritten, Violation, fail};
use crate::compiler::cfg::Cfg;
use crate::kernel::{BlockId, Dst, Inst, Kernel, Op, Operand, Reg};
use fixedbitset::FixedBitSet;

/// Values by place at one point.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Values {
    /// Per place: original registers whose value it holds, those without a value among them.
    holds: Vec<FixedBitSet>,
    /// Original registers that no path has written.
    unwritten: FixedBitSet,
}

impl Values {
    fn at_entry(places: usize, regs: usize) -> Values {
        let mut unwritten = FixedBitSet::with_capacity(regs);
        unwritten.insert_range(..);
        Values {
            holds: vec![unwritten.clone(); places],
            unwritten,
        }
    }

    fn meet(&mut self, other: &Values) -> bool {
        let before = self.clone();
        for (mine, theirs) in self.holds.iter_mut().zip(&other.holds) {
            mine.intersect_with(theirs);
        }
        self.unwritten.intersect_with(&other.unwritten);
        *self != before
    }

    /// A lane writes `reg` to `place`, or keeps what it had there when its guard is false.
    fn write(&mut self, reg: u16, place: u16, guarded: bool) {
        let (reg, place) = (usize::from(reg), usize::from(place));
        let kept = self.holds[place].contains(reg);
        self.unwritten.set(reg, false);
        for holds in &mut self.holds {
            holds.set(reg, false);
        }
        self.holds[place] = self.unwritten.clone();
        self.holds[place].set(reg, !guarded || kept);
    }

    fn copy(&mut self, from: Reg, to: Reg) {
        let moved: Vec<FixedBitSet> = (from
            .units()
            .map(|unit| self.holds[usize::from(unit)].clone()))
        .collect();
        for (unit, holds) in to.units().zip(moved) {
            self.holds[usize::from(unit)] = holds;
        }
    }

    /// The extended registers are gone.
    fn release(&mut self, bs: u16) {
        for place in &mut self.holds[usize::from(bs)..] {
            *place = self.unwritten.clone();
        }
    }

    /// The first original register whose value its place may not hold.
    fn wrong_source(&self, old: &Inst, new: &Inst) -> Option<Violation> {
        let pairs = old.srcs.iter().zip(&new.srcs);
        let regs = pairs.filter_map(|pair| match pair {
            (Operand::Reg(old), Operand::Reg(new)) => Some(old.units().zip(new.units())),
            _ => None,
        });
        (regs.flatten())
            .find(|(reg, place)| !self.holds[usize::from(*place)].contains(usize::from(*reg)))
            .map(|(original, place)| Violation::WrongValue { original, place })
    }

    fn step(&mut self, old: Option<&Inst>, new: &Inst, bs: u16) {
        match (old, new.op) {
            (_, Op::Release) => self.release(bs),
            (Some(old), _) => {
                let guarded = old.guard.is_some();
                for pair in old.dsts.iter().zip(&new.dsts) {
                    if let (Dst::Reg(old), Dst::Reg(new)) = pair {
                        for (reg, place) in old.units().zip(new.units()) {
                            self.write(reg, place, guarded);
                        }
                    }
                }
            }
            (None, _) => {
                if let Some((from, to)) = copied(new) {
                    self.copy(from, to);
                }
            }
        }
    }
}

pub(super) fn check(
    original: &Kernel,
    rewritten: &Rewritten,
    cfg: &Cfg,
    emptied: &[bool],
    bs: u16,
) -> Result<(), CheckError> {
    let named = |kernel: &Kernel| {
        let insts = kernel.blocks.iter().flat_map(|block| &block.insts);
        let regs = insts.flat_map(|inst| inst.src_regs().chain(inst.dst_regs()));
        regs.flat_map(|reg| reg.units())
            .max()
            .map_or(0, |reg| usize::from(reg) + 1)
    };
    let places = named(&rewritten.kernel).max(usize::from(bs));
    let n = original.blocks.len();
    let mut at_start: Vec<Option<Values>> = vec![None; n];
    at_start[0] = Some(Values::at_entry(places, named(original)));
    let mut due: Vec<usize> = vec![0];
    while let Some(b) = due.pop() {
        let mut values = at_start[b].clone().expect("queued blocks have values");
        run_block(
            original,
            rewritten,
            b,
            emptied[b],
            bs,
            &mut values,
            |_, _| {},
        );
        for next in cfg.succs(BlockId(b as u32)).iter().map(|s| s.0 as usize) {
            let changed = match &mut at_start[next] {
                Some(there) => there.meet(&values),
                none => {
                    *none = Some(values.clone());
                    true
                }
            };
            if changed && !due.contains(&next) {
                due.push(next);
            }
        }
    }
    for (b, values) in at_start.into_iter().enumerate() {
        let Some(mut values) = values else { continue };
        let mut wrong = None;
        run_block(
            original,
            rewritten,
            b,
            emptied[b],
            bs,
            &mut values,
            |i, found| {
                wrong.get_or_insert((i, found));
            },
        );
        if let Some((inst, violation)) = wrong {
            return fail(b, inst, violation);
        }
    }
    Ok(())
}

/// Takes `values` through a block; `report` hears of every source that may be wrong.
fn run_block(
    original: &Kernel,
    rewritten: &Rewritten,
    b: usize,
    emptied: bool,
    bs: u16,
    values: &mut Values,
    mut report: impl FnMut(usize, Violation),
) {
    if emptied {
        values.release(bs);
    }
    let insts = rewritten.kernel.blocks[b].insts.iter();
    for (i, (new, from)) in insts.zip(&rewritten.origin[b]).enumerate() {
        let old = from.map(|from| &original.blocks[b].insts[from]);
        if let Some(old) = old
            && let Some(violation) = values.wrong_source(old, new)
        {
            report(i, violation);
        }
        values.step(old, new, bs);
    }
}
