//! Values along all paths, until nothing changes: optimistic, loops are taken to change nothing until they do.

use super::evaluate::{constant_bits, evaluate, mixed, special, upper_half};
use super::parted::meetings;
use super::places::Places;
use super::value::Value;
use crate::compiler::cfg::Cfg;
use crate::kernel::op::{Mem, Space};
use crate::kernel::{BlockId, Dst, Inst, Kernel, Op, Operand};
use fixedbitset::FixedBitSet;

/// Rounds after which what still grows in a loop is given up, and after which everything is left as it is.
const PATIENT_ROUNDS: usize = 8;
const ROUNDS: usize = 64;

/// Per place; none where nothing has been written yet.
type State = Vec<Option<Value>>;

/// The addresses of a kernel's memory accesses, each with the offset that the instruction adds left out: per block and
/// instruction, `None` of one that accesses nothing or is never reached.
pub fn addresses(kernel: &Kernel, cfg: &Cfg) -> Vec<Vec<Option<Value>>> {
    let mut flow = Flow::new(kernel, cfg);
    for round in 0..ROUNDS {
        if !flow.round(round) {
            break;
        }
    }
    flow.addresses
}

struct Flow<'a> {
    kernel: &'a Kernel,
    cfg: &'a Cfg,
    places: Places,
    before: Vec<Option<State>>,
    after: Vec<Option<State>>,
    addresses: Vec<Vec<Option<Value>>>,
    /// Places that each block writes.
    written: Vec<FixedBitSet>,
    /// Blocks at whose ends lanes part.
    parts: FixedBitSet,
    /// Places that are not the same in all lanes where these meet, per block.
    mixed: Vec<FixedBitSet>,
}

impl<'a> Flow<'a> {
    fn new(kernel: &'a Kernel, cfg: &'a Cfg) -> Self {
        let places = Places::of(kernel, cfg);
        let nothing = FixedBitSet::with_capacity(places.len());
        let written = |block: &crate::kernel::Block| {
            let mut written = nothing.clone();
            for inst in &block.insts {
                places.written(inst, |place| written.insert(place));
            }
            written
        };
        Flow {
            kernel,
            cfg,
            before: vec![None; cfg.len()],
            after: vec![None; cfg.len()],
            addresses: (kernel.blocks.iter())
                .map(|block| vec![None; block.insts.len()])
                .collect(),
            written: kernel.blocks.iter().map(written).collect(),
            parts: FixedBitSet::with_capacity(cfg.len()),
            mixed: vec![nothing.clone(); cfg.len()],
            places,
        }
    }

    /// All blocks once; whether something changed.
    fn round(&mut self, round: usize) -> bool {
        let mut changed = false;
        for &block in self.cfg.reverse_postorder() {
            let b = block.0 as usize;
            let mut state = self.entered(block);
            if round >= PATIENT_ROUNDS
                && let Some(old) = &self.before[b]
            {
                give_up(&mut state, old);
            }
            self.before[b] = Some(state.clone());
            for (i, inst) in self.kernel.blocks[b].insts.iter().enumerate() {
                if accesses(&inst.op) {
                    self.addresses[b][i] = inst.srcs.first().map(|s| self.read(&state, inst, s));
                }
                self.step(&mut state, inst);
            }
            changed |= self.after[b].as_ref() != Some(&state);
            changed |= self.part(block, &state);
            self.after[b] = Some(state);
        }
        changed
    }

    /// What holds at the start of a block, as far as it is known how lanes get there.
    fn entered(&self, block: BlockId) -> State {
        let apart = &self.mixed[block.0 as usize];
        let mut state: State = vec![None; self.places.len()];
        for &from in self.cfg.preds(block) {
            let Some(after) = &self.after[from.0 as usize] else {
                continue;
            };
            let left = self.left_behind(from, block);
            for (place, (here, &there)) in state.iter_mut().zip(after).enumerate() {
                // Lanes leave a loop in different rounds, each with what it had in its last.
                let there = there.map(|value| match left.contains(place) {
                    true => value.or_all(Value::SCATTERED),
                    false => value,
                });
                *here = match (*here, there) {
                    (Some(a), Some(b)) if apart.contains(place) => Some(a.either(b)),
                    (Some(a), Some(b)) => Some(a.or_all(b)),
                    (one, other) => one.or(other),
                };
            }
        }
        state
    }

    /// What the loops write that are left from `from` to `to`, if lanes leave them one by one.
    fn left_behind(&self, from: BlockId, to: BlockId) -> FixedBitSet {
        let mut left = FixedBitSet::with_capacity(self.places.len());
        let around =
            |l: &&crate::compiler::cfg::Loop| l.blocks.contains(&from) && !l.blocks.contains(&to);
        for left_loop in self.cfg.loops().iter().filter(around) {
            let inside = |block: &BlockId| left_loop.blocks.contains(block);
            let one_by_one = left_loop.blocks.iter().any(|&block| {
                self.parts.contains(block.0 as usize) && !self.cfg.succs(block).iter().all(inside)
            });
            if one_by_one {
                for block in &left_loop.blocks {
                    left.union_with(&self.written[block.0 as usize]);
                }
            }
        }
        left
    }

    /// Notes whether lanes part at the end of a block; whether that is new.
    fn part(&mut self, block: BlockId, state: &State) -> bool {
        let b = block.0 as usize;
        let last = self.kernel.blocks[b].insts.last();
        let guard = last.and_then(|inst| inst.guard);
        let parts = guard.and_then(|guard| state[self.places.pred(guard.pred)]);
        let parts = self.cfg.is_conditional(block) && parts.is_some_and(|p| !p.is_uniform());
        if !parts || self.parts.put(b) {
            return false;
        }
        let mut written = FixedBitSet::with_capacity(self.places.len());
        for between in self.cfg.divergent_region(block).ones() {
            written.union_with(&self.written[between]);
        }
        for meeting in meetings(self.cfg, block).ones() {
            self.mixed[meeting].union_with(&written);
        }
        true
    }

    fn read(&self, state: &State, inst: &Inst, source: &Operand) -> Value {
        // What nothing has written yet does not spoil what is known.
        let at = |place: usize| state[place].unwrap_or(Value::UNIFORM);
        match *source {
            Operand::Reg(reg) => {
                let mut halves = self.places.reg(reg);
                let low = halves.next().map_or(Value::UNIFORM, at);
                match halves.next().map(at) {
                    Some(high) if !high.is_uniform() => low.mixed(high),
                    _ => low,
                }
            }
            Operand::Pred { pred, .. } => at(self.places.pred(pred)),
            Operand::Special(register) => special(register),
            Operand::Imm(bits) => {
                let unused = 64 - constant_bits(&inst.op).min(64);
                Value::constant((bits << unused) as i64 >> unused)
            }
        }
    }

    fn step(&self, state: &mut State, inst: &Inst) {
        let src: Vec<Value> = (inst.srcs.iter())
            .map(|source| self.read(state, inst, source))
            .collect();
        let first = match inst.op {
            Op::St(_) => src.get(1).copied(),
            Op::Ld(mem) => {
                let kept = self.places.cell(inst).and_then(|cell| state[cell]);
                Some(kept.unwrap_or_else(|| loaded(mem, src.first().copied())))
            }
            _ => Some(evaluate(inst, &src)),
        };
        let first = first.unwrap_or(Value::UNIFORM);
        let guard = (inst.guard).map(|g| state[self.places.pred(g.pred)].unwrap_or(Value::UNIFORM));
        let mut write = |place: usize, new: Value| {
            state[place] = Some(match (guard, state[place]) {
                (Some(guard), Some(old)) if guard.is_uniform() => {
                    let one = old.or_all(new);
                    let common = one.common && guard.common;
                    Value { common, ..one }
                }
                (Some(_), Some(old)) => old.either(new),
                _ => new,
            });
        };
        if let (Op::St(_), Some(cell)) = (inst.op, self.places.cell(inst)) {
            write(cell, first);
        }
        for (number, dst) in inst.dsts.iter().enumerate() {
            let value = match (inst.op, number) {
                (Op::Ld(_), _) | (_, 0) => first,
                (Op::Unpack(_), _) => upper_half(first),
                _ => mixed(&src),
            };
            match *dst {
                Dst::Pred(pred) => write(self.places.pred(pred), value),
                Dst::Reg(reg) => {
                    // What is known of the whole stands in the lower half.
                    let upper = value.as_constant().map(|whole| whole >> 32);
                    let upper = upper.map_or(Value::UNIFORM, Value::constant);
                    for (half, value) in self.places.reg(reg).zip([value, upper]) {
                        write(half, value);
                    }
                }
            }
        }
    }
}

/// Gives up what is not as it was before.
fn give_up(state: &mut State, old: &State) {
    for (new, old) in state.iter_mut().zip(old) {
        if let (Some(value), Some(before)) = (*new, *old)
            && value != before
        {
            let worse = value.or_all(before);
            *new = Some(match worse.is_uniform() {
                true => worse,
                false if worse.is_affine() => Value::per_lane(worse.stride),
                false => Value::SCATTERED,
            });
        }
    }
}

fn accesses(op: &Op) -> bool {
    matches!(op, Op::Ld(_) | Op::St(_) | Op::Atom { .. } | Op::Red { .. })
}

/// What comes from memory: no more different values than addresses.
fn loaded(mem: Mem, address: Option<Value>) -> Value {
    let address = address.unwrap_or(Value::UNIFORM);
    // Local memory is each thread's own.
    let own = mem.space == Space::Local;
    let value = match own {
        true => Value::SCATTERED,
        // One address, one value; of several nobody knows where the values lie.
        false => Value {
            common: address.common && address.is_uniform(),
            ..Value::some_of(address.different())
        },
    };
    if value.is_uniform() || mem.ty.size_bytes() > 2 {
        return value;
    }
    value.of_bits(8 * mem.ty.size_bytes(), mem.ty.is_signed())
}
