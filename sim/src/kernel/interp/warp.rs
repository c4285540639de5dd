//! One warp: its registers, and the instructions that need no other warp.

use super::memory::{AccessFault, GlobalMemory, Spaces, check_alignment, extend};
use super::simt::SimtStack;
use crate::kernel::exec::{
    AluInput, AluOutput, LANES, Lanes, Value, alu, atomic, shfl, space_of, vote,
};
use crate::kernel::op::{Mem, Op, Space};
use crate::kernel::{Dst, Inst, Operand, Pred, Reg, RegSpace, Special, Width};

/// The lanes set in a mask, ascending.
pub(super) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}

/// What a warp knows about its place in the launch; the same for all its instructions.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    pub cta: [u32; 3],
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub warp: u32,
    pub warps_per_cta: u32,
    /// `%tid` of each lane.
    pub tid: [Lanes; 3],
    pub dynamic_scratchpad_bytes: u32,
    pub total_scratchpad_bytes: u32,
}

/// Registers of one warp.
#[derive(Clone, Debug)]
pub(super) struct Warp {
    pub stack: SimtStack,
    pub identity: Identity,
    /// 32-bit registers; a virtual register has two places of its own.
    units: Vec<Lanes>,
    preds: Vec<u32>,
    /// Lanes in which a unit or a predicate has been written.
    written: Vec<u32>,
    preds_written: Vec<u32>,
    units_per_index: usize,
    /// Local memory of each lane.
    pub local: Vec<Vec<u8>>,
    holds_extended_set: bool,
    /// What `push` has put aside, by lane: the register and its value; `None` where a function was called.
    aside: Vec<Vec<Option<(usize, u32)>>>,
}

/// A register that an instruction read before it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unwritten {
    /// A general register.
    Reg(Reg),
    /// A predicate.
    Pred(Pred),
}

impl Warp {
    pub fn new(regs: RegSpace, lanes: u32, local_bytes: u32, identity: Identity) -> Self {
        let (units_per_index, regs, preds) = match regs {
            RegSpace::Virtual { regs, preds } => (2, regs, preds),
            RegSpace::Architected { regs, preds } => (1, regs, preds),
        };
        let units = usize::from(regs) * units_per_index;
        Warp {
            stack: SimtStack::new(lanes),
            identity,
            units: vec![[0; LANES]; units],
            preds: vec![0; usize::from(preds)],
            written: vec![0; units],
            preds_written: vec![0; usize::from(preds)],
            units_per_index,
            local: vec![vec![0; local_bytes as usize]; LANES],
            holds_extended_set: false,
            aside: vec![Vec::new(); LANES],
        }
    }

    /// Takes or gives up the registers from `first` on; what is in them is lost if that changes the state.
    pub fn change_extended_set(&mut self, first: u16, acquires: bool) {
        const RUBBISH: u32 = 0xdead_beef;
        if std::mem::replace(&mut self.holds_extended_set, acquires) != acquires {
            let first = (usize::from(first) * self.units_per_index).min(self.units.len());
            self.units[first..].fill([RUBBISH; LANES]);
            self.written[first..].fill(0);
        }
    }

    /// `push` and `pop`; false when there is nothing to pop.
    pub fn put_aside(&mut self, inst: &Inst, pops: bool, active: u32) -> bool {
        let reg = match (inst.srcs.first(), inst.dsts.first()) {
            (Some(&Operand::Reg(reg)), _) | (_, Some(&Dst::Reg(reg))) => reg,
            _ => return true,
        };
        let unit = self.unit(reg);
        for lane in lanes_of(active) {
            if !pops {
                self.aside[lane].push(Some((unit, self.units[unit][lane])));
            } else if let Some(Some((_, value))) = self.aside[lane].pop() {
                self.units[unit][lane] = value;
            } else {
                return false;
            }
        }
        true
    }

    /// These lanes have been called.
    pub fn enter(&mut self, active: u32) {
        lanes_of(active).for_each(|lane| self.aside[lane].push(None));
    }

    /// These lanes return: registers that they have pushed and not popped are the caller's again (CARS III-A).
    pub fn leave(&mut self, active: u32) {
        for lane in lanes_of(active) {
            while let Some(Some((unit, value))) = self.aside[lane].pop() {
                self.units[unit][lane] = value;
            }
        }
    }

    fn unit(&self, reg: Reg) -> usize {
        usize::from(reg.index) * self.units_per_index
    }

    fn read(&self, reg: Reg) -> Value {
        let unit = self.unit(reg);
        Value {
            lo: self.units[unit],
            hi: match reg.width {
                Width::W32 => [0; LANES],
                Width::W64 => self.units[unit + 1],
            },
        }
    }

    /// The lanes in which a predicate, or its negation, holds.
    pub fn pred(&self, pred: Pred, negated: bool) -> u32 {
        let bits = self.preds[usize::from(pred.0)];
        if negated { !bits } else { bits }
    }

    /// A general source.
    pub fn value(&self, operand: Operand, clock: u64) -> Value {
        match operand {
            Operand::Reg(reg) => self.read(reg),
            Operand::Imm(bits) => Value::splat(bits),
            Operand::Special(special) => self.special(special, clock),
            Operand::Pred { .. } => Value::ZERO,
        }
    }

    /// Writes a destination in the lanes of `active`.
    pub fn write(&mut self, dst: Dst, value: &Value, active: u32) {
        let Dst::Reg(reg) = dst else { return };
        let first = self.unit(reg);
        let halves = [&value.lo, &value.hi];
        for (unit, new) in (first..).zip(&halves[..usize::from(reg.width.regs())]) {
            let old = &mut self.units[unit];
            for lane in 0..LANES {
                let keep = 0_u32.wrapping_sub(active >> lane & 1);
                old[lane] = new[lane] & keep | old[lane] & !keep;
            }
            self.written[unit] |= active;
        }
    }

    pub fn write_pred(&mut self, dst: Dst, bits: u32, active: u32) {
        let Dst::Pred(pred) = dst else { return };
        let index = usize::from(pred.0);
        self.preds[index] = bits & active | self.preds[index] & !active;
        self.preds_written[index] |= active;
    }

    /// Registers that the instruction reads in some lane of `active` where they were never written. A guard is
    /// read by `running`, all the lanes that come to the instruction.
    pub fn unwritten_reads(&self, inst: &Inst, running: u32, active: u32) -> Vec<Unwritten> {
        let pred = |pred: Pred, lanes: u32| {
            let missing = lanes & !self.preds_written[usize::from(pred.0)] != 0;
            missing.then_some(Unwritten::Pred(pred))
        };
        let guard = inst.guard.and_then(|guard| pred(guard.pred, running));
        let srcs = inst.srcs.iter().filter_map(|src| match *src {
            Operand::Reg(reg) => {
                let first = self.unit(reg);
                let mut units = first..first + usize::from(reg.width.regs());
                units
                    .any(|unit| active & !self.written[unit] != 0)
                    .then_some(Unwritten::Reg(reg))
            }
            Operand::Pred { pred: read, .. } => pred(read, active),
            Operand::Imm(_) | Operand::Special(_) => None,
        });
        guard.into_iter().chain(srcs).collect()
    }

    fn special(&self, special: Special, clock: u64) -> Value {
        let me = &self.identity;
        let by_lane = |f: fn(u32) -> u32| Value {
            lo: std::array::from_fn(|lane| f(lane as u32)),
            hi: [0; LANES],
        };
        let same = |x: u32| Value::splat(u64::from(x));
        let axis =
            |values: [u32; 3], axis: u8| same(values.get(usize::from(axis)).copied().unwrap_or(0));
        match special {
            Special::Tid(axis) => Value {
                lo: me.tid.get(usize::from(axis)).copied().unwrap_or([0; LANES]),
                hi: [0; LANES],
            },
            Special::Ntid(a) => axis(me.block, a),
            Special::Ctaid(a) => axis(me.cta, a),
            Special::Nctaid(a) => axis(me.grid, a),
            Special::LaneId => by_lane(|lane| lane),
            Special::WarpId => same(me.warp),
            Special::NwarpId => same(me.warps_per_cta),
            Special::SmId | Special::GridId => same(0),
            Special::NsmId => same(1),
            Special::Clock => same(clock as u32),
            Special::Clock64 => Value::splat(clock),
            Special::LanemaskEq => by_lane(|lane| 1 << lane),
            Special::LanemaskLt => by_lane(|lane| (1 << lane) - 1),
            Special::LanemaskLe => by_lane(|lane| u32::MAX >> (31 - lane)),
            Special::LanemaskGe => by_lane(|lane| u32::MAX << lane),
            Special::LanemaskGt => by_lane(|lane| !(u32::MAX >> (31 - lane))),
            Special::DynamicScratchpadBytes => same(me.dynamic_scratchpad_bytes),
            Special::TotalScratchpadBytes => same(me.total_scratchpad_bytes),
        }
    }

    /// Runs an operation for which [`crate::kernel::exec::is_alu`] holds.
    pub fn run_alu(&mut self, inst: &Inst, active: u32, clock: u64) {
        let mut values = [Value::ZERO; 4];
        let mut preds = [0; 2];
        let (mut value_count, mut pred_count) = (0, 0);
        for &src in &inst.srcs {
            if let Operand::Pred { pred, negated } = src {
                preds[pred_count] = self.pred(pred, negated);
                pred_count += 1;
            } else {
                values[value_count] = self.value(src, clock);
                value_count += 1;
            }
        }
        let input = AluInput {
            srcs: values.each_ref(),
            preds,
        };
        let mut output = AluOutput::default();
        alu(&inst.op, &input, active, &mut output);
        let (mut regs, mut preds) = (output.regs.iter(), output.preds.into_iter());
        for &dst in &inst.dsts {
            match dst {
                Dst::Reg(_) => {
                    if let Some(value) = regs.next() {
                        self.write(dst, value, active);
                    }
                }
                Dst::Pred(_) => {
                    if let Some(bits) = preds.next() {
                        self.write_pred(dst, bits, active);
                    }
                }
            }
        }
    }

    /// `shfl`, `vote`, `activemask`.
    pub fn run_across_lanes(&mut self, inst: &Inst, active: u32, clock: u64) {
        let members = |warp: &Self, at: usize| {
            let mask = inst.srcs.get(at).map(|&src| warp.value(src, clock));
            // All members name the same mask; that of the first active lane counts.
            let first = active.trailing_zeros().min(31) as usize;
            mask.map_or(u32::MAX, |mask| mask.lo[first]) & active
        };
        match (inst.op, inst.srcs.as_slice()) {
            (Op::Shfl(mode), &[a, b, c, ..]) => {
                let [a, b, c] = [a, b, c].map(|src| self.value(src, clock).lo);
                let (value, in_range) = shfl(mode, &a, &b, &c, active);
                self.write(inst.dsts[0], &value, active);
                if let Some(&dst) = inst.dsts.get(1) {
                    self.write_pred(dst, in_range, active);
                }
            }
            (Op::Vote(mode), &[Operand::Pred { pred, negated }, ..]) => {
                let answer = vote(mode, self.pred(pred, negated), members(self, 1));
                self.write(inst.dsts[0], &Value::splat(u64::from(answer)), active);
                self.write_pred(inst.dsts[0], answer, active);
            }
            (Op::Activemask, _) => {
                self.write(inst.dsts[0], &Value::splat(u64::from(active)), active);
            }
            _ => {}
        }
    }
}

/// Spaces of a warp's lanes but for local memory, which the warp itself holds.
pub(super) struct WarpSpaces<'a, M> {
    pub global: &'a mut M,
    pub module: &'a mut super::memory::ModuleMemory,
    pub shared: &'a mut [u8],
    pub params: &'a [u8],
}

impl<M: GlobalMemory> WarpSpaces<'_, M> {
    fn with_lane<T>(&mut self, local: &mut [u8], f: impl FnOnce(&mut Spaces<'_, M>) -> T) -> T {
        f(&mut Spaces {
            global: self.global,
            module: self.module,
            shared: self.shared,
            local,
            params: self.params,
        })
    }

    /// Loads, stores and atomics, lane by lane in ascending order.
    pub fn run(
        &mut self,
        warp: &mut Warp,
        inst: &Inst,
        active: u32,
        clock: u64,
    ) -> Result<(), (usize, AccessFault)> {
        let values: arrayvec::ArrayVec<Value, 6> = inst
            .srcs
            .iter()
            .map(|&src| warp.value(src, clock))
            .collect();
        let mut results = [Value::ZERO; 4];
        for lane in lanes_of(active) {
            let value = |at: usize| values.get(at).map_or(0, |value| value.get(lane));
            let local = &mut warp.local[lane];
            self.with_lane(local, |spaces| match inst.op {
                Op::Ld(mem) => load(spaces, mem, value(0), lane, &mut results),
                Op::St(mem) => store(spaces, mem, value),
                Op::Atom {
                    space,
                    ty,
                    op,
                    offset,
                }
                | Op::Red {
                    space,
                    ty,
                    op,
                    offset,
                } => {
                    let mem = Mem {
                        space,
                        ty,
                        vec: 1,
                        offset,
                        strong: false,
                    };
                    let addr = value(0).wrapping_add_signed(offset);
                    check_alignment(mem, addr)?;
                    let old = spaces.read(space, addr, ty.size_bytes())?;
                    let in_scratchpad = space == Space::Shared
                        || space == Space::Generic && space_of(addr) == Space::Shared;
                    let new = atomic(op, ty, in_scratchpad, old, value(1), value(2));
                    results[0].set(lane, old);
                    spaces.write(space, addr, ty.size_bytes(), new)
                }
                _ => Ok(()),
            })
            .map_err(|fault| (lane, fault))?;
        }
        for (&dst, value) in inst.dsts.iter().zip(&results) {
            warp.write(dst, value, active);
        }
        Ok(())
    }
}

fn load<M: GlobalMemory>(
    spaces: &Spaces<'_, M>,
    mem: Mem,
    base: u64,
    lane: usize,
    results: &mut [Value; 4],
) -> Result<(), AccessFault> {
    let addr = base.wrapping_add_signed(mem.offset);
    check_alignment(mem, addr)?;
    let size = mem.ty.size_bytes();
    for (part, result) in results[..usize::from(mem.vec)].iter_mut().enumerate() {
        let at = addr.wrapping_add(part as u64 * u64::from(size));
        let bits = spaces.read(mem.space, at, size)?;
        result.set(lane, extend(mem.ty, bits));
    }
    Ok(())
}

fn store<M: GlobalMemory>(
    spaces: &mut Spaces<'_, M>,
    mem: Mem,
    value: impl Fn(usize) -> u64,
) -> Result<(), AccessFault> {
    let addr = value(0).wrapping_add_signed(mem.offset);
    check_alignment(mem, addr)?;
    let size = mem.ty.size_bytes();
    for part in 0..usize::from(mem.vec) {
        let at = addr.wrapping_add(part as u64 * u64::from(size));
        spaces.write(mem.space, at, size, value(1 + part))?;
    }
    Ok(())
}

/// The address of each lane, in the space that the instruction names, if it accesses memory.
pub(super) fn addresses(warp: &Warp, inst: &Inst, clock: u64) -> Option<[u64; LANES]> {
    let offset = match inst.op {
        Op::Ld(mem) | Op::St(mem) => mem.offset,
        Op::Atom { offset, .. } | Op::Red { offset, .. } => offset,
        _ => return None,
    };
    let base = warp.value(*inst.srcs.first()?, clock);
    Some(std::array::from_fn(|lane| {
        base.get(lane).wrapping_add_signed(offset)
    }))
}

/// Whether the operation accesses memory.
pub(super) fn is_memory(op: &Op) -> bool {
    matches!(op, Op::Ld(_) | Op::St(_) | Op::Atom { .. } | Op::Red { .. })
}
