//! Point 3: where the values of the original are, on all paths.

use super::shape::{Access, Step};
use super::{CheckError, Violation, fail};
use crate::kernel::{Dst, Guard, Inst, Kernel, Op, Operand, Reg, RegSpace};
use fixedbitset::FixedBitSet;

/// A guarded definition whose store may still come.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Half {
    guard: Guard,
    value: usize,
    /// Places with the value in lanes where the guard is true, and where it is false.
    on: FixedBitSet,
    off: FixedBitSet,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    /// Per place, registers and then slots: the values that it holds in all lanes.
    holds: Vec<FixedBitSet>,
    undefined: FixedBitSet,
    halves: Vec<Half>,
}

impl State {
    fn at_entry(places: usize, regs: usize) -> State {
        // The last value is the thread's address, which is defined by nothing but its computation.
        let mut undefined = FixedBitSet::with_capacity(regs + 1);
        undefined.insert_range(..regs);
        State {
            holds: vec![undefined.clone(); places],
            undefined,
            halves: Vec::new(),
        }
    }

    /// Whether something changed.
    fn meet(&mut self, other: &State) -> bool {
        let before = self.clone();
        for (here, there) in self.holds.iter_mut().zip(&other.holds) {
            here.intersect_with(there);
        }
        self.undefined.intersect_with(&other.undefined);
        self.halves.clear();
        before != *self
    }

    fn places_with(&self, value: usize) -> FixedBitSet {
        let mut places = FixedBitSet::with_capacity(self.holds.len());
        for (place, holds) in self.holds.iter().enumerate() {
            places.set(place, holds.contains(value));
        }
        places
    }

    /// New values, each in a place.
    fn define(&mut self, results: &[(usize, usize)], guard: Option<Guard>) {
        let before: Vec<FixedBitSet> = results.iter().map(|r| self.places_with(r.1)).collect();
        let values = |value: usize| results.iter().any(|r| r.1 == value);
        self.halves.retain(|half| !values(half.value));
        for &(place, value) in results {
            self.undefined.set(value, false);
            self.holds.iter_mut().for_each(|h| h.set(value, false));
            for half in &mut self.halves {
                half.on.set(place, false);
                half.off.set(place, false);
            }
        }
        for (&(place, value), off) in results.iter().zip(before) {
            self.holds[place] = self.undefined.clone();
            let mut on = FixedBitSet::with_capacity(self.holds.len());
            on.insert(place);
            // In the lanes that the guard leaves out the place has what it had, if no other result went there.
            self.holds[place].set(value, guard.is_none_or(|_| off.contains(place)));
            if let Some(guard) = guard {
                self.halves.push(Half {
                    guard,
                    value,
                    on,
                    off,
                });
            }
        }
        // Results of the same instruction took the places that they are in.
        for half in &mut self.halves {
            for &(place, value) in results {
                if half.value != value {
                    half.on.set(place, false);
                    half.off.set(place, false);
                }
            }
        }
    }

    /// Place `to` becomes a copy of `from`, in the lanes of the guard.
    fn copy(&mut self, to: usize, from: usize, guard: Option<Guard>) {
        let source = self.holds[from].clone();
        match guard {
            None => self.holds[to] = source,
            Some(_) => self.holds[to].intersect_with(&source),
        }
        for half in &mut self.halves {
            let (on, off) = (half.on.contains(from), half.off.contains(from));
            match guard {
                None => {
                    half.on.set(to, on);
                    half.off.set(to, off);
                }
                Some(guard) if guard == half.guard => half.on.set(to, on),
                Some(_) => {
                    let (was_on, was_off) = (half.on.contains(to), half.off.contains(to));
                    half.on.set(to, on && was_on);
                    half.off.set(to, off && was_off);
                }
            }
            if half.on.contains(to) && half.off.contains(to) {
                self.holds[to].insert(half.value);
            }
        }
    }
}

struct Flow {
    /// Registers of the original: the value with this number is the thread's address.
    address: usize,
    /// Registers of the demoted kernel; slots come behind them.
    regs: usize,
}

/// Checks every use on all paths.
pub fn check(
    original: &Kernel,
    demoted: &Kernel,
    steps: &[Vec<Step<'_>>],
) -> Result<(), CheckError> {
    let count = |kernel: &Kernel| match kernel.regs {
        RegSpace::Architected { regs, .. } | RegSpace::Virtual { regs, .. } => usize::from(regs),
    };
    let slots = (steps.iter().flatten())
        .map(|step| match step {
            Step::Load(access) | Step::Store(access, _) => usize::from(access.slot + access.words),
            _ => 0,
        })
        .max()
        .unwrap_or(0);
    let flow = Flow {
        address: count(original),
        regs: count(demoted),
    };
    let mut before: Vec<Option<State>> = vec![None; steps.len()];
    before[0] = Some(State::at_entry(flow.regs + slots, flow.address));
    let mut worklist = vec![0];
    while let Some(b) = worklist.pop() {
        let Some(mut state) = before[b].clone() else {
            continue;
        };
        for step in &steps[b] {
            flow.apply(step, &mut state);
        }
        state.halves.clear();
        for next in next_blocks(demoted, b) {
            let changed = match &mut before[next] {
                Some(known) => known.meet(&state),
                unknown => {
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
        for (i, step) in steps[b].iter().enumerate() {
            if let Err(violation) = flow.check_uses(step, &state) {
                return fail(b, i, violation);
            }
            flow.apply(step, &mut state);
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
        if inst.guard.is_none() && matches!(inst.op, Op::Exit | Op::Bra(_)) {
            return next;
        }
    }
    if block + 1 < kernel.blocks.len() {
        next.push(block + 1);
    }
    next
}

/// Pairs of 32-bit halves: of the original, of the demoted kernel.
fn halves(original: Reg, demoted: Reg) -> impl Iterator<Item = (usize, usize)> {
    (original.units().zip(demoted.units())).map(|(o, d)| (usize::from(o), usize::from(d)))
}

impl Flow {
    fn check_uses(&self, step: &Step<'_>, state: &State) -> Result<(), Violation> {
        let address = |reg: u16| {
            let there = state.holds[usize::from(reg)].contains(self.address);
            there.then_some(()).ok_or(Violation::Address { reg })
        };
        match *step {
            Step::Both(original, demoted) => {
                for pair in original.srcs.iter().zip(&demoted.srcs) {
                    if let (Operand::Reg(o), Operand::Reg(d)) = pair {
                        for (value, place) in halves(*o, *d) {
                            if !state.holds[place].contains(value) {
                                return Err(Violation::WrongValue {
                                    original: value as u16,
                                    place: place as u16,
                                });
                            }
                        }
                    }
                }
                Ok(())
            }
            Step::Load(access) | Step::Store(access, _) => access.at.map_or(Ok(()), address),
            Step::Base(..) => Ok(()),
        }
    }

    fn apply(&self, step: &Step<'_>, state: &mut State) {
        match *step {
            Step::Both(original, demoted) => {
                let mut results = Vec::new();
                for pair in original.dsts.iter().zip(&demoted.dsts) {
                    if let (Dst::Reg(o), Dst::Reg(d)) = pair {
                        results.extend(halves(*o, *d).map(|(value, place)| (place, value)));
                    }
                }
                state.define(&results, demoted.guard);
                forget(demoted, state);
            }
            Step::Base(reg, done) => {
                let place = usize::from(reg);
                state.holds[place] = state.undefined.clone();
                state.holds[place].set(self.address, done);
            }
            Step::Load(access) => {
                for (reg, slot) in self.words(access) {
                    state.copy(reg, slot, None);
                }
            }
            Step::Store(access, guard) => {
                for (reg, slot) in self.words(access) {
                    state.copy(slot, reg, guard);
                }
            }
        }
    }

    /// Places of the registers and of the slots.
    fn words(&self, access: Access) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (reg, slot) = (
            usize::from(access.reg),
            self.regs + usize::from(access.slot),
        );
        (0..usize::from(access.words)).map(move |word| (reg + word, slot + word))
    }
}

/// A guard that is written is another one from then on.
fn forget(inst: &Inst, state: &mut State) {
    for pred in inst.dst_preds() {
        state.halves.retain(|half| half.guard.pred != pred);
    }
}
