//! Point 2: what every place holds, on all paths.

use fixedbitset::FixedBitSet;

use super::shape::Step;
use super::{CheckError, Fault};
use crate::kernel::{BlockId, Dst, Inst, Kernel, Op, Operand, Reg, RegSpace, Width};

/// Where places lie in the state, and how values are numbered in a place's set: half `h` of virtual register `v` is
/// `2 v + h`, predicates follow.
struct Layout {
    regs: usize,
    preds: usize,
    first_slot_byte: u32,
    places: usize,
    pred_values: usize,
    values: usize,
}

impl Layout {
    fn new(kernel: &Kernel, allocated: &Kernel) -> Self {
        let (mut virtual_regs, mut virtual_preds) = (0, 0);
        for inst in kernel.blocks.iter().flat_map(|b| &b.insts) {
            let guard = inst.guard.map(|g| g.pred);
            for src in &inst.srcs {
                match src {
                    Operand::Reg(r) => virtual_regs = virtual_regs.max(usize::from(r.index) + 1),
                    Operand::Pred { pred, .. } => {
                        virtual_preds = virtual_preds.max(usize::from(pred.0) + 1);
                    }
                    _ => {}
                }
            }
            for dst in &inst.dsts {
                match dst {
                    Dst::Reg(r) => virtual_regs = virtual_regs.max(usize::from(r.index) + 1),
                    Dst::Pred(p) => virtual_preds = virtual_preds.max(usize::from(p.0) + 1),
                }
            }
            if let Some(p) = guard {
                virtual_preds = virtual_preds.max(usize::from(p.0) + 1);
            }
        }
        let (regs, preds) = match allocated.regs {
            RegSpace::Architected { regs, preds } | RegSpace::Virtual { regs, preds } => {
                (usize::from(regs), usize::from(preds))
            }
        };
        let first_slot_byte = kernel.local_bytes & !3;
        let slots = (allocated.local_bytes.saturating_sub(first_slot_byte)).div_ceil(4) as usize;
        Layout {
            regs,
            preds,
            first_slot_byte,
            places: regs + preds + slots,
            pred_values: 2 * virtual_regs,
            values: 2 * virtual_regs + virtual_preds,
        }
    }

    fn pred_place(&self, pred: u16) -> usize {
        self.regs + usize::from(pred)
    }

    fn slot_place(&self, byte: u32) -> usize {
        self.regs + self.preds + ((byte - self.first_slot_byte) / 4) as usize
    }

    fn pred_value(&self, pred: u16) -> usize {
        self.pred_values + usize::from(pred)
    }
}

fn halves(reg: Reg) -> usize {
    match reg.width {
        Width::W32 => 1,
        Width::W64 => 2,
    }
}

/// For every place the values that it holds; a value that is undefined so far is in every set.
#[derive(Clone, PartialEq)]
struct State {
    holds: Vec<FixedBitSet>,
    undefined: FixedBitSet,
}

impl State {
    fn at_entry(layout: &Layout) -> Self {
        let mut all = FixedBitSet::with_capacity(layout.values);
        all.insert_range(..);
        State {
            holds: vec![all.clone(); layout.places],
            undefined: all,
        }
    }

    fn meet(&mut self, other: &State) -> bool {
        let mut changed = false;
        let both = self.holds.iter_mut().zip(&other.holds);
        for (mine, theirs) in both.chain([(&mut self.undefined, &other.undefined)]) {
            if !mine.is_subset(theirs) {
                mine.intersect_with(theirs);
                changed = true;
            }
        }
        changed
    }

    /// Results of one instruction: (place, value) pairs, written at once.
    fn define(&mut self, results: &[(usize, usize)], guarded: bool) {
        let stays: Vec<bool> = results
            .iter()
            .map(|&(place, value)| !guarded || self.holds[place].contains(value))
            .collect();
        for &(_, value) in results {
            self.undefined.set(value, false);
            for set in &mut self.holds {
                set.set(value, false);
            }
        }
        for &(place, _) in results {
            self.holds[place].clone_from(&self.undefined);
        }
        for (&(place, value), stays) in results.iter().zip(stays) {
            if stays {
                self.holds[place].insert(value);
            }
        }
    }

    /// `to` becomes a copy of what `from` holds, of the values in `kept` only.
    fn transfer(&mut self, to: usize, from: usize, kept: std::ops::Range<usize>) {
        let mut moved = self.holds[from].clone();
        let mut mask = FixedBitSet::with_capacity(moved.len());
        mask.insert_range(kept);
        moved.intersect_with(&mask);
        moved.union_with(&self.undefined);
        self.holds[to] = moved;
    }

    /// The value `to` becomes the same as `from`, in whatever places that is.
    fn rename(&mut self, to: usize, from: usize) {
        for set in self.holds.iter_mut().chain([&mut self.undefined]) {
            let there = set.contains(from);
            set.set(to, there);
        }
    }
}

/// Checks every use on all paths.
pub fn check(kernel: &Kernel, allocated: &Kernel, steps: &[Vec<Step>]) -> Result<(), CheckError> {
    let layout = Layout::new(kernel, allocated);
    let mut before: Vec<Option<State>> = vec![None; steps.len()];
    if let Some(entry) = before.first_mut() {
        *entry = Some(State::at_entry(&layout));
    }
    let mut worklist = vec![0];
    while let Some(b) = worklist.pop() {
        let Some(mut state) = before.get(b).cloned().flatten() else {
            continue;
        };
        for step in &steps[b] {
            apply(step, &layout, &mut state);
        }
        for next in next_blocks(kernel, b) {
            let changed = match before.get_mut(next) {
                None => false,
                Some(Some(known)) => known.meet(&state),
                Some(unknown) => {
                    *unknown = Some(state.clone());
                    true
                }
            };
            if changed && !worklist.contains(&next) {
                worklist.push(next);
            }
        }
    }
    for (b, state) in before.into_iter().enumerate() {
        let Some(mut state) = state else { continue };
        for step in &steps[b] {
            if let Step::Both(virt, arch, inst) = step {
                check_uses(virt, arch, &layout, &state).map_err(|fault| CheckError {
                    block: BlockId(b as u32),
                    inst: *inst,
                    fault,
                })?;
            }
            apply(step, &layout, &mut state);
        }
    }
    Ok(())
}

fn next_blocks(kernel: &Kernel, block: usize) -> Vec<usize> {
    let mut next = Vec::new();
    for inst in &kernel.blocks[block].insts {
        if let Op::Bra(target) = inst.op {
            next.push(target.0 as usize);
        }
        if inst.guard.is_none() && matches!(inst.op, Op::Exit | Op::Ret | Op::Bra(_)) {
            return next;
        }
    }
    next.push(block + 1);
    next
}

fn check_uses(virt: &Inst, arch: &Inst, layout: &Layout, state: &State) -> Result<(), Fault> {
    let pred = |value: u16, place: u16| {
        let held = state.holds[layout.pred_place(place)].contains(layout.pred_value(value));
        held.then_some(()).ok_or(Fault::WrongPred { place, value })
    };
    if let (Some(v), Some(a)) = (virt.guard, arch.guard) {
        pred(v.pred.0, a.pred.0)?;
    }
    for pair in virt.srcs.iter().zip(&arch.srcs) {
        match pair {
            (Operand::Reg(v), Operand::Reg(a)) => {
                let held = (0..halves(*v)).all(|h| {
                    state.holds[usize::from(a.index) + h].contains(2 * usize::from(v.index) + h)
                });
                if !held {
                    return Err(Fault::WrongReg {
                        place: a.index,
                        value: v.index,
                    });
                }
            }
            (Operand::Pred { pred: v, .. }, Operand::Pred { pred: a, .. }) => pred(v.0, a.0)?,
            _ => {}
        }
    }
    Ok(())
}

fn apply(step: &Step, layout: &Layout, state: &mut State) {
    let all = 0..layout.values;
    match *step {
        Step::Both(virt, arch, _) => {
            let mut results = Vec::new();
            for pair in virt.dsts.iter().zip(&arch.dsts) {
                match pair {
                    (Dst::Reg(v), Dst::Reg(a)) => results.extend(
                        (0..halves(*v))
                            .map(|h| (usize::from(a.index) + h, 2 * usize::from(v.index) + h)),
                    ),
                    (Dst::Pred(v), Dst::Pred(a)) => {
                        results.push((layout.pred_place(a.0), layout.pred_value(v.0)));
                    }
                    _ => {}
                }
            }
            state.define(&results, virt.guard.is_some());
        }
        Step::MissingCopy(inst) => match (inst.dsts.first(), inst.srcs.first()) {
            (Some(Dst::Reg(d)), Some(Operand::Reg(s))) => {
                for h in 0..halves(*d) {
                    state.rename(2 * usize::from(d.index) + h, 2 * usize::from(s.index) + h);
                }
            }
            (Some(Dst::Pred(d)), Some(Operand::Pred { pred: s, .. })) => {
                state.rename(layout.pred_value(d.0), layout.pred_value(s.0));
            }
            _ => {}
        },
        Step::Copy(to, from) => {
            for h in 0..halves(to) {
                let (to, from) = (usize::from(to.index) + h, usize::from(from.index) + h);
                state.transfer(to, from, all.clone());
            }
        }
        Step::Load(to, byte) => {
            for h in 0..halves(to) {
                let from = layout.slot_place(byte + 4 * h as u32);
                state.transfer(usize::from(to.index) + h, from, all.clone());
            }
        }
        Step::Store(byte, from) => {
            for h in 0..halves(from) {
                let to = layout.slot_place(byte + 4 * h as u32);
                state.transfer(to, usize::from(from.index) + h, all.clone());
            }
        }
        Step::ToPred(to, from) => {
            let preds = layout.pred_values..layout.values;
            state.transfer(layout.pred_place(to), usize::from(from), preds);
        }
        Step::FromPred(to, from) => {
            let preds = layout.pred_values..layout.values;
            state.transfer(usize::from(to), layout.pred_place(from), preds);
        }
    }
}
