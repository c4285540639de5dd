//! Moves values out of the way: registers to local memory, predicates to registers.
//!
//! A spilled value is loaded before each instruction that reads it and stored behind each that writes it. Before a
//! guarded write it is loaded too, so that lanes whose guard is false store back what was there.

use fixedbitset::FixedBitSet;

use super::{AllocError, Origin, Work};
use crate::compiler::liveness::Liveness;
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
        strong: false,
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
