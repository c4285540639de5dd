//! Which registers of a function hold what is live over its calls, and which hold its arguments.

use super::CallError;
use super::abi::{FIRST_ARGUMENT, FIRST_SAVED, inst, is_argument, reg};
use crate::compiler::cfg::{Cfg, CfgError};
use crate::compiler::liveness::Liveness;
use crate::compiler::regalloc::is_store;
use crate::kernel::op::{BlockId, Cmp, Mem, Op, Ty};
use crate::kernel::{Dst, Inst, Kernel, Operand, Pred, Reg, RegSpace};
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Keeps predicates over calls in general registers.
pub(super) fn keep_predicates(code: &mut Kernel) -> Option<()> {
    let cfg = Cfg::new(code).ok()?;
    let liveness = Liveness::per_thread(code, &cfg);
    let domain = liveness.domain();
    let RegSpace::Virtual { mut regs, preds } = code.regs else {
        return None;
    };
    for (b, block) in code.blocks.iter_mut().enumerate() {
        let mut insts = Vec::with_capacity(block.insts.len());
        for (i, call) in block.insts.drain(..).enumerate() {
            if !matches!(call.op, Op::Call(_)) {
                insts.push(call);
                continue;
            }
            let live = liveness.after(BlockId(b as u32), i);
            let kept: Vec<Pred> = (0..preds)
                .map(Pred)
                .filter(|&pred| live.contains(domain.pred_bit(pred)))
                .collect();
            let (mut before, mut after) = (Vec::new(), Vec::new());
            for pred in kept {
                let (value, line) = (regs, call.line);
                regs = regs.checked_add(1)?;
                let held = Operand::Pred {
                    pred,
                    negated: false,
                };
                let put = [Operand::Imm(1), Operand::Imm(0), held];
                before.push(Inst {
                    line,
                    ..inst(Op::Selp(Ty::B32), Some(value), &put)
                });
                let op = Op::Setp {
                    cmp: Cmp::Ne,
                    ty: Ty::U32,
                    ftz: false,
                    combine: None,
                };
                let mut back = inst(op, None, &[reg(value), Operand::Imm(0)]);
                back.dsts.push(Dst::Pred(pred));
                back.line = line;
                after.push(back);
            }
            insts.append(&mut before);
            insts.push(call);
            insts.append(&mut after);
        }
        block.insts = insts;
    }
    code.regs = RegSpace::Virtual { regs, preds };
    Some(())
}

/// The architected register of each colour, in aligned pairs: what is live over a call is preserved, the rest is not where
/// there are registers for it. If that is to be tight, a pair of which one half is used alone comes last.
pub(super) fn places(
    code: &Kernel,
    in_scratch: bool,
    is_tight: bool,
) -> Result<Vec<u16>, CallError> {
    let RegSpace::Architected { regs, .. } = code.regs else {
        return Ok(Vec::new());
    };
    let crossings = Crossings::of(code)?;
    let is_half = |pair: &usize| is_tight && !crossings.is_whole(*pair);
    let pairs = 0..usize::from(regs).div_ceil(2);
    let (mut saved, mut scratch): (Vec<usize>, Vec<usize>) =
        pairs.partition(|&pair| !in_scratch || crossings.cost(pair) > 0);
    scratch.sort_by_key(is_half);
    let behind = scratch.split_off(scratch.len().min(SCRATCH_PAIRS));
    saved.extend(behind);
    saved.sort_by_key(is_half);
    let mut places = vec![0; usize::from(regs)];
    let numbered = |first: u16| (first..).step_by(2);
    let all = (numbered(FIRST_ARGUMENT).zip(scratch)).chain(numbered(FIRST_SAVED).zip(saved));
    for (place, pair) in all {
        for (colour, place) in (2 * pair..usize::from(regs)).zip([place, place + 1]) {
            places[colour] = place;
        }
    }
    Ok(places)
}

/// Pairs of registers that are not preserved.
const SCRATCH_PAIRS: usize = (FIRST_SAVED - FIRST_ARGUMENT) as usize / 2;

/// What is live over the calls of an allocated function.
pub(super) struct Crossings {
    pub(super) cfg: Cfg,
    /// Of each call, the colours with values that it must leave as they are, ascending.
    pub(super) calls: BTreeMap<(usize, usize), Vec<u16>>,
    /// Of each pair of colours, how often it has such values, a loop's calls as often as it is assumed to go round.
    pub(super) costs: Vec<u64>,
    /// Colours that instructions name.
    named: FixedBitSet,
}

impl Crossings {
    pub(super) fn of(code: &Kernel) -> Result<Self, CallError> {
        let failed = |cause: CfgError| CallError::Allocation {
            function: code.name.clone(),
            cause: cause.into(),
        };
        let cfg = Cfg::new(code).map_err(failed)?;
        let liveness = Liveness::per_thread(code, &cfg);
        let domain = liveness.domain();
        let mut costs = vec![0_u64; domain.regs().div_ceil(2)];
        let mut named = domain.empty_set();
        let mut calls = BTreeMap::new();
        for (b, block) in code.blocks.iter().enumerate() {
            let id = BlockId(b as u32);
            for (i, inst) in block.insts.iter().enumerate() {
                for reg in inst.src_regs().chain(inst.dst_regs()) {
                    named.extend(domain.reg_bits(reg));
                }
                if !matches!(inst.op, Op::Call(_)) {
                    continue;
                }
                let mut live = liveness.after(id, i).clone();
                domain.for_defs(inst, |bit| live.set(bit, false));
                if live.ones().any(|bit| bit >= domain.regs()) {
                    return Err(CallError::Predicate(code.name.clone()));
                }
                for bit in live.ones() {
                    costs[bit / 2] = costs[bit / 2].saturating_add(cfg.weight(id).max(1));
                }
                calls.insert((b, i), live.ones().map(|bit| bit as u16).collect());
            }
        }
        Ok(Crossings {
            cfg,
            calls,
            costs,
            named,
        })
    }

    pub(super) fn cost(&self, pair: usize) -> u64 {
        self.costs.get(pair).copied().unwrap_or(0)
    }

    /// Whether both colours of a pair are used, or the odd one.
    fn is_whole(&self, pair: usize) -> bool {
        self.named.contains(2 * pair + 1)
    }

    /// The pairs that stay in registers over calls if no more than `registers` are preserved: those that it would cost most to put aside.
    pub(super) fn kept(&self, registers: u16) -> FixedBitSet {
        let mut by_cost: Vec<usize> = (0..self.costs.len()).collect();
        by_cost.retain(|&pair| self.cost(pair) > 0);
        by_cost.sort_by_key(|&pair| Reverse(self.cost(pair)));
        let mut left = registers;
        let mut kept = FixedBitSet::with_capacity(self.costs.len());
        for pair in by_cost {
            let takes = 1 + u16::from(self.is_whole(pair));
            // Each begins at an even number, so that one half at most can be last.
            let has_half = || kept.ones().any(|pair| !self.is_whole(pair));
            let fits = match left {
                0 => false,
                1 => takes == 1 || has_half(),
                _ => true,
            };
            if fits {
                kept.insert(pair);
                left = left.saturating_sub(2);
            }
        }
        kept
    }
}

/// Takes out of an allocated function, where it begins, the arguments that only go to memory; stores of them from the registers in
/// which they arrive, in numbers of the convention. So the other arguments can be copied at once, before anything else.
pub(super) fn store_arguments(code: &mut Kernel) -> Vec<Inst> {
    let pairs = code.blocks.first().map(|entry| entry.insts.windows(2));
    let is_stored = |two: &[Inst]| is_argument(&two[0]) && is_store(&two[1]);
    if !pairs.into_iter().flatten().any(is_stored) {
        return Vec::new();
    }
    let Ok(cfg) = Cfg::new(code) else {
        return Vec::new();
    };
    let liveness = Liveness::per_thread(code, &cfg);
    let entry = &mut code.blocks[0];
    let mut stored = Vec::new();
    let mut kept: Vec<Inst> = Vec::with_capacity(entry.insts.len());
    let mut insts = entry.insts.drain(..).enumerate().peekable();
    while let Some((at, inst)) = insts.next() {
        if !is_argument(&inst) {
            kept.push(inst);
            break;
        }
        let is_dead = |reg: Reg| {
            let mut bits = liveness.domain().reg_bits(reg);
            bits.all(|bit| !liveness.after(BlockId(0), at + 1).contains(bit))
        };
        let goes_to_memory = |(_, store): &(usize, Inst)| {
            let (Op::St(mem), Some(Operand::Imm(_)), Some(Dst::Reg(reg))) =
                (store.op, store.srcs.first(), inst.dsts.first())
            else {
                return false;
            };
            let is_whole = mem.ty.size_bytes() == 4 * u32::from(reg.width.regs());
            let alone = store.guard.is_none() && store.srcs.get(1) == Some(&Operand::Reg(*reg));
            is_store(store) && is_whole && mem.vec == 1 && alone && is_dead(*reg)
        };
        let Some((_, store)) = insts.next_if(goes_to_memory) else {
            kept.push(inst);
            continue;
        };
        if let (Op::Argument(word), Op::St(mem)) = (inst.op, store.op) {
            let arrived = FIRST_ARGUMENT + u16::from(word);
            let words = store.src_regs().map(|reg| reg.width.regs()).sum();
            stored.extend((0..words).map(|word| {
                let half = Mem {
                    ty: Ty::B32,
                    offset: mem.offset + 4 * i64::from(word),
                    ..mem
                };
                Inst {
                    line: inst.line,
                    ..super::abi::inst(Op::St(half), None, &[store.srcs[0], reg(arrived + word)])
                }
            }));
        }
    }
    kept.extend(insts.map(|(_, inst)| inst));
    entry.insts = kept;
    stored
}
