//! What demotion leaves behind and one can do without (RegDem 3.4.2): loads of what a register still holds, stores that nobody
//! reads, loads that could begin earlier.

use super::Origin;
use crate::compiler::cfg::Cfg;
use crate::kernel::{BlockId, Inst, Kernel, Op, Reg};
use fixedbitset::FixedBitSet;
use std::collections::BTreeMap;

fn units_written(inst: &Inst) -> impl Iterator<Item = u16> + '_ {
    inst.dst_regs().flat_map(Reg::units)
}

/// Keeps the instructions that `keep` says yes to, in the order of the block.
fn retain(insts: &mut Vec<Inst>, origins: &mut Vec<Origin>, keep: &[bool]) {
    let mut at = keep.iter();
    insts.retain(|_| *at.next().expect("one for each"));
    let mut at = keep.iter();
    origins.retain(|_| *at.next().expect("one for each"));
}

/// Removes loads of a slot whose value the register holds already. Within a block: at its start nothing is known.
///
/// To be run while every definition is still followed by its store.
pub(super) fn redundant_loads(kernel: &mut Kernel, origins: &mut [Vec<Origin>]) {
    for (block, origins) in kernel.blocks.iter_mut().zip(origins) {
        // Slot that each register holds the value of, in all lanes.
        let mut holds: BTreeMap<u16, u16> = BTreeMap::new();
        // The same before the last guarded definition, until its store.
        let mut held: BTreeMap<u16, u16> = BTreeMap::new();
        let mut keep = Vec::with_capacity(block.insts.len());
        for (inst, origin) in block.insts.iter().zip(origins.iter()) {
            let mut needed = true;
            match *origin {
                Origin::Load(slot) => {
                    let to = units_written(inst).next().expect("a load has a result");
                    needed = holds.insert(to, slot) != Some(slot);
                }
                Origin::Store(slot) => {
                    let from = inst.src_regs().last().expect("a store has a value").index;
                    let whole = inst.guard.is_none() || held.get(&from) == Some(&slot);
                    holds.retain(|_, other| *other != slot);
                    if whole {
                        holds.insert(from, slot);
                    }
                }
                Origin::Inst(_) | Origin::Base => {
                    held.clear();
                    for unit in units_written(inst) {
                        let before = holds.remove(&unit);
                        if let (Some(_), Some(slot)) = (inst.guard, before) {
                            held.insert(unit, slot);
                        }
                    }
                }
            }
            keep.push(needed);
        }
        retain(&mut block.insts, origins, &keep);
    }
}

/// Removes stores to slots that no load reads before they are stored to again, on any path.
pub(super) fn dead_stores(kernel: &mut Kernel, origins: &mut [Vec<Origin>], cfg: &Cfg) {
    let slots = (origins.iter().flatten())
        .map(|origin| match origin {
            Origin::Load(slot) | Origin::Store(slot) => usize::from(*slot) + 1,
            _ => 0,
        })
        .max()
        .unwrap_or(0);
    let mut live_in = vec![FixedBitSet::with_capacity(slots); kernel.blocks.len()];
    let step = |inst: &Inst, origin: &Origin, live: &mut FixedBitSet| match origin {
        Origin::Load(slot) => live.insert((*slot).into()),
        Origin::Store(slot) if inst.guard.is_none() => live.set((*slot).into(), false),
        _ if inst.guard.is_none() && inst.op == Op::Exit => live.clear(),
        _ => {}
    };
    let live_out = |block: usize, live_in: &[FixedBitSet]| {
        let mut live = FixedBitSet::with_capacity(slots);
        for next in cfg.succs(BlockId(block as u32)) {
            live.union_with(&live_in[next.0 as usize]);
        }
        live
    };
    let mut changed = true;
    while changed {
        changed = false;
        for b in (0..kernel.blocks.len()).rev() {
            let mut live = live_out(b, &live_in);
            for (inst, origin) in kernel.blocks[b].insts.iter().zip(&origins[b]).rev() {
                step(inst, origin, &mut live);
            }
            changed |= live != live_in[b];
            live_in[b] = live;
        }
    }
    for (b, block) in kernel.blocks.iter_mut().enumerate() {
        let mut live = live_out(b, &live_in);
        let mut keep: Vec<bool> = (block.insts.iter().zip(&origins[b]).rev())
            .map(|(inst, origin)| {
                let dead = matches!(origin, Origin::Store(slot) if !live.contains((*slot).into()));
                if !dead {
                    step(inst, origin, &mut live);
                }
                !dead
            })
            .collect();
        keep.reverse();
        retain(&mut block.insts, &mut origins[b], &keep);
    }
}

/// Moves every demoted load up to where its register was last in use, or its slot last written, or its address made.
pub(super) fn hoist(kernel: &mut Kernel, origins: &mut [Vec<Origin>]) {
    for (block, origins) in kernel.blocks.iter_mut().zip(origins) {
        for at in 0..block.insts.len() {
            let Origin::Load(slot) = origins[at] else {
                continue;
            };
            let to = units_written(&block.insts[at])
                .next()
                .expect("a load has a result");
            let stays_behind = |(inst, origin): (&Inst, &Origin)| {
                let named = inst.src_regs().chain(inst.dst_regs()).flat_map(Reg::units);
                // Loads keep their order: the first that is waited for is asked for first.
                matches!(origin, Origin::Load(_) | Origin::Base)
                    || *origin == Origin::Store(slot)
                    || named.into_iter().any(|unit| unit == to)
                    || matches!(inst.op, Op::Bar(_) | Op::Membar | Op::Exit)
            };
            let before = block.insts[..at].iter().zip(&origins[..at]);
            let target = at - before.rev().take_while(|pair| !stays_behind(*pair)).count();
            block.insts[target..=at].rotate_right(1);
            origins[target..=at].rotate_right(1);
        }
    }
}
