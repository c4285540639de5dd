//! Moves values out of the way: registers to local memory, predicates to registers.
//!
//! A spilled value is loaded before each instruction that reads it and stored behind each that writes it. Before a
//! guarded write it is loaded too, so that lanes whose guard is false store back what was there.

use fixedbitset::FixedBitSet;

use super::interference::Interference;
use super::webs::block_ids;
use super::{AllocError, Origin, Work};
use crate::compiler::liveness::{Domain, Liveness};
use crate::kernel::op::{Cmp, Mem, Space, Ty};
use crate::kernel::{Dst, Inst, Kernel, Line, Op, Operand, Pred, Reg, RegSpace, Width};

/// Whether the instruction loads from local memory at a fixed address.
pub fn is_load(inst: &Inst) -> bool {
    matches!(inst.op, Op::Ld(m) if m.space == Space::Local)
}

/// Whether the instruction stores to local memory at a fixed address.
pub fn is_store(inst: &Inst) -> bool {
    matches!(inst.op, Op::St(m) if m.space == Space::Local)
}

/// Rounds in which one value is spilled for those that found no register; from then on all around them are. // assumed
const ONE_BY_ONE: usize = 4;

/// Registers to spill so that at most `cap` are live anywhere; where that holds already, one that makes room for
/// `failed`, or if that has been done `stuck` times in vain, more. Empty when nothing helps.
pub fn choose_regs(
    work: &Work,
    liveness: &Liveness,
    graph: &Interference,
    cap: u16,
    failed: &[usize],
    stuck: usize,
) -> FixedBitSet {
    let mut excluded = liveness.domain().empty_set();
    excluded.insert_range(liveness.domain().regs()..liveness.domain().len());
    excluded.extend(work.short_regs.ones());
    let limit = Limit {
        cap: usize::from(cap),
        count: Domain::count_regs,
        around: None,
    };
    if let Some(more) = stuck.checked_sub(ONE_BY_ONE) {
        let mut around = liveness.domain().empty_set();
        around.extend(failed.iter().copied());
        let closer = Limit {
            cap: limit.cap.saturating_sub(1 + more / 4),
            around: Some(around),
            ..limit
        };
        let chosen = relieve(work, liveness, graph, &closer, &excluded);
        if !chosen.is_clear() {
            return chosen;
        }
    }
    choose(work, liveness, graph, failed, &limit, &excluded)
}

/// The same for predicates.
pub fn choose_preds(
    work: &Work,
    liveness: &Liveness,
    graph: &Interference,
    cap: u16,
    failed: &[usize],
) -> FixedBitSet {
    let regs = liveness.domain().regs();
    let mut excluded = liveness.domain().empty_set();
    excluded.insert_range(0..regs);
    excluded.extend(work.short_preds.ones().map(|p| regs + p));
    let limit = Limit {
        cap: usize::from(cap),
        count: Domain::count_preds,
        around: None,
    };
    choose(work, liveness, graph, failed, &limit, &excluded)
}

/// How much may be live at once.
struct Limit {
    cap: usize,
    count: fn(&Domain, &FixedBitSet) -> usize,
    /// Only where one of these is live; `None`: anywhere.
    around: Option<FixedBitSet>,
}

fn choose(
    work: &Work,
    liveness: &Liveness,
    graph: &Interference,
    failed: &[usize],
    limit: &Limit,
    excluded: &FixedBitSet,
) -> FixedBitSet {
    let mut chosen = relieve(work, liveness, graph, limit, excluded);
    if chosen.is_clear() {
        let candidates = failed
            .iter()
            .flat_map(|&f| graph.adjacent[f].ones().chain([f]))
            .filter(|&n| !excluded.contains(n));
        let price = |n: usize| graph.cost[n] / (1 + graph.adjacent[n].count_ones(..)) as f64;
        if let Some(node) =
            candidates.min_by(|&a, &b| price(a).total_cmp(&price(b)).then(a.cmp(&b)))
        {
            chosen.insert(node);
        }
    }
    chosen
}

/// Values to spill so that the limit holds, those first that cost least for what they give.
fn relieve(
    work: &Work,
    liveness: &Liveness,
    graph: &Interference,
    limit: &Limit,
    excluded: &FixedBitSet,
) -> FixedBitSet {
    let mut chosen = liveness.domain().empty_set();
    let mut crowded = crowded_points(&work.kernel, liveness, limit, excluded);
    let mut relief = vec![0usize; graph.size.len()];
    for point in &crowded {
        for node in point.idle.ones() {
            relief[node] += 1;
        }
    }
    while !crowded.is_empty() {
        let gain = |n: usize| relief[n] as f64 * f64::from(graph.size[n]) / graph.cost[n].max(1.0);
        let best = (0..relief.len())
            .filter(|&n| relief[n] > 0)
            .max_by(|&a, &b| gain(a).total_cmp(&gain(b)).then(b.cmp(&a)));
        let Some(best) = best else { break };
        chosen.insert(best);
        for point in &mut crowded {
            if point.idle.contains(best) {
                point.idle.set(best, false);
                point.excess = point.excess.saturating_sub(usize::from(graph.size[best]));
                if point.excess == 0 {
                    for node in point.idle.ones() {
                        relief[node] -= 1;
                    }
                }
            }
        }
        relief[best] = 0;
        crowded.retain(|p| p.excess > 0);
    }
    chosen
}

/// A place where more is live than there is room for.
struct Crowded {
    /// By how many registers.
    excess: usize,
    /// What is live there and not named by the instruction.
    idle: FixedBitSet,
}

fn crowded_points(
    kernel: &Kernel,
    liveness: &Liveness,
    limit: &Limit,
    excluded: &FixedBitSet,
) -> Vec<Crowded> {
    let domain = liveness.domain();
    let mut crowded = Vec::new();
    for block in block_ids(kernel) {
        for (i, inst) in kernel.blocks[block.0 as usize].insts.iter().enumerate() {
            let mut during = liveness.after(block, i).clone();
            domain.for_defs(inst, |bit| during.insert(bit));
            for set in [liveness.before(block, i), &during] {
                let live = (limit.count)(domain, set);
                let matters = (limit.around.as_ref()).is_none_or(|around| !around.is_disjoint(set));
                if live > limit.cap && matters {
                    let mut idle = set.clone();
                    idle.difference_with(excluded);
                    domain.for_uses(inst, |bit| idle.set(bit, false));
                    domain.for_defs(inst, |bit| idle.set(bit, false));
                    crowded.push(Crowded {
                        excess: live - limit.cap,
                        idle,
                    });
                }
            }
        }
    }
    crowded
}

impl Work {
    /// Keeps the chosen registers in local memory.
    pub fn spill_regs(
        &mut self,
        liveness: &Liveness,
        chosen: &FixedBitSet,
    ) -> Result<(), AllocError> {
        let mut slots = vec![0u32; liveness.domain().regs()];
        let mut end = self.kernel.local_bytes.max(self.first_spill_byte);
        let wide = self.wide_regs(liveness);
        for node in chosen.ones() {
            let bytes = if wide.contains(node) { 8 } else { 4 };
            end = end.next_multiple_of(bytes);
            slots[node] = end;
            end += bytes;
        }
        self.kernel.local_bytes = end;
        self.rewrite(|kernel, inst, before, after| {
            let named: Vec<Reg> = inst.src_regs().chain(inst.dst_regs()).collect();
            let mut done = Vec::new();
            for reg in named {
                if !chosen.contains(usize::from(reg.index)) || done.contains(&reg.index) {
                    continue;
                }
                done.push(reg.index);
                let is_read = inst.src_regs().any(|r| r.index == reg.index);
                let is_written = inst.dst_regs().any(|r| r.index == reg.index);
                let carrier = new_reg(kernel, reg.width)?;
                let slot = slots[usize::from(reg.index)];
                if is_read || inst.guard.is_some() {
                    before.push(spill_load(carrier, slot));
                }
                if is_written {
                    after.push(spill_store(carrier, slot));
                }
                replace_reg(inst, reg.index, carrier);
            }
            Ok(())
        })
    }

    /// Keeps the chosen predicates in general registers.
    pub fn spill_preds(
        &mut self,
        liveness: &Liveness,
        chosen: &FixedBitSet,
    ) -> Result<(), AllocError> {
        let first = liveness.domain().regs();
        let mut homes = vec![None; liveness.domain().preds()];
        for node in chosen.ones() {
            homes[node - first] = Some(new_reg(&mut self.kernel, Width::W32)?);
        }
        self.rewrite(|kernel, inst, before, after| {
            let named: Vec<Pred> = inst.src_preds().chain(inst.dst_preds()).collect();
            let mut done = Vec::new();
            for pred in named {
                let home = homes.get(usize::from(pred.0)).copied().flatten();
                let Some(home) = home.filter(|_| !done.contains(&pred)) else {
                    continue;
                };
                done.push(pred);
                let is_read = inst.src_preds().any(|p| p == pred);
                let is_written = inst.dst_preds().any(|p| p == pred);
                let carrier = new_pred(kernel)?;
                if is_read || inst.guard.is_some() {
                    before.push(pred_load(carrier, home));
                }
                if is_written {
                    after.push(pred_store(home, carrier));
                }
                replace_pred(inst, pred, carrier);
            }
            Ok(())
        })
    }

    /// Rebuilds every block; `f` may put instructions before and behind each, and marks new registers as short.
    fn rewrite(
        &mut self,
        mut f: impl FnMut(
            &mut Kernel,
            &mut Inst,
            &mut Vec<Inst>,
            &mut Vec<Inst>,
        ) -> Result<(), AllocError>,
    ) -> Result<(), AllocError> {
        let RegSpace::Virtual { regs, preds } = self.kernel.regs else {
            return Ok(());
        };
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for b in 0..self.kernel.blocks.len() {
            let old = std::mem::take(&mut self.kernel.blocks[b].insts);
            let old_origins = std::mem::take(&mut self.origins[b]);
            for (mut inst, origin) in old.into_iter().zip(old_origins) {
                f(&mut self.kernel, &mut inst, &mut before, &mut after)?;
                let (insts, origins) = (&mut self.kernel.blocks[b].insts, &mut self.origins[b]);
                origins.extend(before.iter().map(|_| Origin::Inserted));
                origins.push(origin);
                origins.extend(after.iter().map(|_| Origin::Inserted));
                insts.append(&mut before);
                insts.push(inst);
                insts.append(&mut after);
            }
        }
        if let RegSpace::Virtual {
            regs: new_regs,
            preds: new_preds,
        } = self.kernel.regs
        {
            self.short_regs.grow(usize::from(new_regs));
            self.short_regs
                .insert_range(usize::from(regs)..usize::from(new_regs));
            self.short_preds.grow(usize::from(new_preds));
            self.short_preds
                .insert_range(usize::from(preds)..usize::from(new_preds));
        }
        Ok(())
    }

    fn wide_regs(&self, liveness: &Liveness) -> FixedBitSet {
        let mut wide = liveness.domain().empty_set();
        for inst in self.kernel.blocks.iter().flat_map(|b| &b.insts) {
            for reg in inst.src_regs().chain(inst.dst_regs()) {
                if reg.width == Width::W64 {
                    wide.insert(usize::from(reg.index));
                }
            }
        }
        wide
    }
}

fn new_reg(kernel: &mut Kernel, width: Width) -> Result<Reg, AllocError> {
    let RegSpace::Virtual { regs, .. } = &mut kernel.regs else {
        return Err(AllocError::NotVirtual(kernel.name.clone()));
    };
    if *regs == u16::MAX {
        return Err(AllocError::TooManyValues { values: 1 << 16 });
    }
    *regs += 1;
    Ok(Reg {
        index: *regs - 1,
        width,
    })
}

fn new_pred(kernel: &mut Kernel) -> Result<Pred, AllocError> {
    let RegSpace::Virtual { preds, .. } = &mut kernel.regs else {
        return Err(AllocError::NotVirtual(kernel.name.clone()));
    };
    if *preds == u16::MAX {
        return Err(AllocError::TooManyValues { values: 1 << 16 });
    }
    *preds += 1;
    Ok(Pred(*preds - 1))
}

fn replace_reg(inst: &mut Inst, old: u16, new: Reg) {
    for src in &mut inst.srcs {
        match src {
            Operand::Reg(r) if r.index == old => *r = new,
            _ => {}
        }
    }
    for dst in &mut inst.dsts {
        match dst {
            Dst::Reg(r) if r.index == old => *r = new,
            _ => {}
        }
    }
}

fn replace_pred(inst: &mut Inst, old: Pred, new: Pred) {
    if let Some(guard) = inst.guard.as_mut().filter(|g| g.pred == old) {
        guard.pred = new;
    }
    for src in &mut inst.srcs {
        match src {
            Operand::Pred { pred, .. } if *pred == old => *pred = new,
            _ => {}
        }
    }
    for dst in &mut inst.dsts {
        match dst {
            Dst::Pred(p) if *p == old => *p = new,
            _ => {}
        }
    }
}

fn inserted(op: Op, dsts: &[Dst], srcs: &[Operand]) -> Inst {
    Inst {
        guard: None,
        op,
        dsts: dsts.iter().copied().collect(),
        srcs: srcs.iter().copied().collect(),
        line: Line(0),
    }
}

fn slot_access(width: Width, slot_bytes: u32) -> Mem {
    Mem {
        space: Space::Local,
        ty: match width {
            Width::W32 => Ty::B32,
            Width::W64 => Ty::B64,
        },
        vec: 1,
        offset: i64::from(slot_bytes),
    }
}

fn spill_load(reg: Reg, slot_bytes: u32) -> Inst {
    let op = Op::Ld(slot_access(reg.width, slot_bytes));
    inserted(op, &[Dst::Reg(reg)], &[Operand::Imm(0)])
}

fn spill_store(reg: Reg, slot_bytes: u32) -> Inst {
    let op = Op::St(slot_access(reg.width, slot_bytes));
    inserted(op, &[], &[Operand::Imm(0), Operand::Reg(reg)])
}

fn pred_load(pred: Pred, home: Reg) -> Inst {
    let op = Op::Setp {
        cmp: Cmp::Ne,
        ty: Ty::U32,
        ftz: false,
        combine: None,
    };
    inserted(
        op,
        &[Dst::Pred(pred)],
        &[Operand::Reg(home), Operand::Imm(0)],
    )
}

fn pred_store(home: Reg, pred: Pred) -> Inst {
    let bit = Operand::Pred {
        pred,
        negated: false,
    };
    let srcs = [Operand::Imm(1), Operand::Imm(0), bit];
    inserted(Op::Selp(Ty::U32), &[Dst::Reg(home)], &srcs)
}
