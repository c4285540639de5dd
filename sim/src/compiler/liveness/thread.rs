//! Liveness of one thread: which registers hold a value that this thread may still read.
//!
//! Backward dataflow. A guarded definition does not kill, as a lane may keep the old value. A register that no
//! definition has reached yet holds no value and is not live, whatever reads it later: without that, a register
//! first written under a guard would be live from the entry on.

use fixedbitset::FixedBitSet;

use super::domain::Domain;
use crate::compiler::cfg::Cfg;
use crate::kernel::{Block, BlockId, Inst, Kernel, Op};

/// Sets at the start and the end of every block.
pub(super) struct BlockSets {
    pub live_in: Vec<FixedBitSet>,
    pub live_out: Vec<FixedBitSet>,
}

/// Takes `live`, the set behind `inst`, to the set before it; `None` in `defined` means everything is.
pub(super) fn step_back(domain: &Domain, inst: &Inst, live: &mut FixedBitSet) {
    if inst.guard.is_none() {
        if matches!(inst.op, Op::Exit | Op::Ret) {
            live.clear();
        }
        domain.for_defs(inst, |bit| live.set(bit, false));
    }
    domain.for_uses(inst, |bit| live.insert(bit));
}

pub(super) fn solve(kernel: &Kernel, cfg: &Cfg, domain: &Domain) -> BlockSets {
    let n = kernel.blocks.len();
    let defined_in = may_be_defined(kernel, cfg, domain);
    let mut live_in = vec![domain.empty_set(); n];
    let mut live_out = vec![domain.empty_set(); n];
    let mut queued = vec![true; n];
    // Unreachable blocks take part, so that a pass may ask about them.
    let mut worklist: Vec<usize> = (0..n)
        .filter(|&b| !cfg.is_reachable(BlockId(b as u32)))
        .chain(cfg.reverse_postorder().iter().map(|b| b.0 as usize))
        .collect();
    while let Some(b) = worklist.pop() {
        queued[b] = false;
        let block = BlockId(b as u32);
        let mut live = domain.empty_set();
        for succ in cfg.succs(block) {
            live.union_with(&live_in[succ.0 as usize]);
        }
        live_out[b] = live.clone();
        for inst in kernel.blocks[b].insts.iter().rev() {
            step_back(domain, inst, &mut live);
        }
        live.intersect_with(&defined_in[b]);
        if live != live_in[b] {
            live_in[b] = live;
            for pred in cfg.preds(block) {
                let p = pred.0 as usize;
                if !std::mem::replace(&mut queued[p], true) {
                    worklist.push(p);
                }
            }
        }
    }
    for b in 0..n {
        let mut defined = defined_in[b].clone();
        for inst in &kernel.blocks[b].insts {
            domain.for_defs(inst, |bit| defined.insert(bit));
        }
        live_out[b].intersect_with(&defined);
    }
    BlockSets { live_in, live_out }
}

/// The set before every instruction of a block and, last, the one behind it.
pub(super) fn within_block(
    domain: &Domain,
    block: &Block,
    live_in: &FixedBitSet,
    live_out: &FixedBitSet,
) -> Vec<FixedBitSet> {
    let mut points = vec![live_out.clone()];
    let mut live = live_out.clone();
    for inst in block.insts.iter().rev() {
        step_back(domain, inst, &mut live);
        points.push(live.clone());
    }
    points.reverse();
    // What the block reads before anything has defined it holds no value.
    let mut undefined = points[0].clone();
    undefined.difference_with(live_in);
    if !undefined.is_clear() {
        for (point, inst) in points.iter_mut().zip(&block.insts) {
            point.difference_with(&undefined);
            domain.for_defs(inst, |bit| undefined.set(bit, false));
        }
    }
    points
}

/// Registers that some definition may have reached at the start of every block.
fn may_be_defined(kernel: &Kernel, cfg: &Cfg, domain: &Domain) -> Vec<FixedBitSet> {
    let n = kernel.blocks.len();
    let mut written = vec![domain.empty_set(); n];
    for (set, block) in written.iter_mut().zip(&kernel.blocks) {
        for inst in &block.insts {
            domain.for_defs(inst, |bit| set.insert(bit));
        }
    }
    let mut defined_in = vec![domain.empty_set(); n];
    let mut changed = true;
    while changed {
        changed = false;
        for &block in cfg.reverse_postorder() {
            let b = block.0 as usize;
            let before = defined_in[b].count_ones(..);
            for pred in cfg.preds(block) {
                let p = pred.0 as usize;
                let mut out = defined_in[p].clone();
                out.union_with(&written[p]);
                defined_in[b].union_with(&out);
            }
            changed |= defined_in[b].count_ones(..) != before;
        }
    }
    defined_in
}
