//! Values that cost one instruction without register sources (constants, special registers, parameters) are made
//! again before their uses where most registers are live, if fewer are live then.

use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::{Liveness, Point};
use crate::kernel::op::{Op, Space};
use crate::kernel::{BlockId, Dst, Inst, Kernel, Operand, Reg, RegSpace, Special};

use super::values::{Values, inst_at, points};

/// Uses that are at most this many instructions apart share one copy. // assumed
const SHARED_DISTANCE: usize = 4;

/// Splits until at most `target_regs` are live at once, or no split lowers the most that are.
pub fn run(kernel: &mut Kernel, cfg: &Cfg, target_regs: usize) {
    let mut liveness = Liveness::per_thread(kernel, cfg);
    loop {
        let most = liveness.max_live_regs();
        if most <= target_regs {
            return;
        }
        let mut trial = kernel.clone();
        for reg in idle_at_peak(kernel, &liveness, most) {
            if split(&mut trial, reg, cfg).is_none() {
                return;
            }
        }
        super::dead::run(&mut trial, cfg);
        let after = Liveness::per_thread(&trial, cfg);
        if after.max_live_regs() >= most {
            return;
        }
        *kernel = trial;
        liveness = after;
    }
}

/// Cheap values that are live where most registers are, without being named there.
fn idle_at_peak(kernel: &Kernel, liveness: &Liveness, most: usize) -> Vec<u16> {
    let values = Values::of(kernel);
    let mut idle = liveness.domain().empty_set();
    for at in points(kernel) {
        if liveness.regs_needed(at.block, at.inst) < most {
            continue;
        }
        let mut here = liveness.before(at.block, at.inst).clone();
        here.intersect_with(liveness.after(at.block, at.inst));
        let inst = inst_at(kernel, at);
        liveness.domain().for_uses(inst, |bit| here.set(bit, false));
        idle.union_with(&here);
    }
    let regs: Vec<u16> = liveness.domain().reg_indices(&idle).collect();
    regs.into_iter()
        .filter(|&r| {
            values
                .definition(r)
                .is_some_and(|at| is_cheap(inst_at(kernel, at)))
        })
        .collect()
}

fn is_cheap(inst: &Inst) -> bool {
    let constant = |o: &Operand| match o {
        Operand::Imm(_) => true,
        Operand::Special(s) => !matches!(s, Special::Clock | Special::Clock64),
        _ => false,
    };
    let kind = match inst.op {
        Op::Mov(_) => true,
        Op::Ld(mem) => mem.space == Space::Param && mem.vec == 1,
        _ => false,
    };
    kind && inst.guard.is_none() && inst.srcs.iter().all(constant)
}

/// Gives the uses of `reg` that its definition dominates copies of that definition. None when registers run out.
fn split(kernel: &mut Kernel, reg: u16, cfg: &Cfg) -> Option<()> {
    let values = Values::of(kernel);
    let definition = values.definition(reg)?;
    let template = inst_at(kernel, definition).clone();
    for b in 0..kernel.blocks.len() {
        let mut copy: Option<(Reg, usize)> = None;
        let mut inst = 0;
        let mut shift = 0;
        while inst < kernel.blocks[b].insts.len() {
            let here = &kernel.blocks[b].insts[inst];
            let at = Point {
                block: BlockId(b as u32),
                inst: inst - shift,
            };
            let reads = here.src_regs().any(|r| r.index == reg);
            if reads && values.definition_before(reg, at, cfg).is_some() {
                let near = copy.filter(|&(_, last)| inst - last <= SHARED_DISTANCE);
                let new = match near {
                    Some((new, _)) => new,
                    None => {
                        let width = template.dst_regs().next()?.width;
                        let RegSpace::Virtual { regs, .. } = &mut kernel.regs else {
                            return None;
                        };
                        let index = *regs;
                        *regs = regs.checked_add(1)?;
                        let new = Reg { index, width };
                        let mut again = template.clone();
                        again.dsts[0] = Dst::Reg(new);
                        kernel.blocks[b].insts.insert(inst, again);
                        inst += 1;
                        shift += 1;
                        new
                    }
                };
                for src in &mut kernel.blocks[b].insts[inst].srcs {
                    match src {
                        Operand::Reg(r) if r.index == reg => *r = new,
                        _ => {}
                    }
                }
                copy = Some((new, inst));
            }
            inst += 1;
        }
    }
    Some(())
}
