//! Which branches go the same way in all lanes of a warp.
//!
//! A register is uniform when every definition of it computes, from uniform values and with an operation that
//! depends on nothing else, outside the divergent region of every branch that may part lanes, and under no guard
//! that is not uniform. Uniform sources are constants, parameters, the constant bank, and special registers that
//! all lanes of a warp share. Loads from other spaces, atomics, shuffles and votes count as not uniform.
//! Optimistic fixed point: all is uniform until shown otherwise.

use fixedbitset::FixedBitSet;

use super::domain::Domain;
use crate::compiler::cfg::Cfg;
use crate::kernel::{BlockId, Inst, Kernel, Op, Operand, Special, op::Space};

/// The blocks that end with a conditional branch which is proved uniform.
pub fn uniform_branches(kernel: &Kernel, cfg: &Cfg) -> FixedBitSet {
    let domain = Domain::of(kernel);
    let mut varying = domain.empty_set();
    // Blocks in which only some lanes may be active.
    let mut partial = FixedBitSet::with_capacity(cfg.len());
    let mut uniform = FixedBitSet::with_capacity(cfg.len());
    uniform.extend((0..cfg.len()).filter(|&b| cfg.is_conditional(BlockId(b as u32))));
    loop {
        let mut changed = false;
        for (b, block) in kernel.blocks.iter().enumerate() {
            for inst in &block.insts {
                if partial.contains(b) || reads_varying(&domain, inst, &varying) {
                    domain.for_defs(inst, |bit| changed |= !varying.put(bit));
                }
            }
            let varies = |inst: &Inst| {
                inst.guard
                    .is_some_and(|g| varying.contains(domain.pred_bit(g.pred)))
            };
            if uniform.contains(b) && block.insts.last().is_some_and(varies) {
                uniform.set(b, false);
                partial.union_with(&cfg.divergent_region(BlockId(b as u32)));
                changed = true;
            }
        }
        if !changed {
            return uniform;
        }
    }
}

fn reads_varying(domain: &Domain, inst: &Inst, varying: &FixedBitSet) -> bool {
    let mut found = match inst.op {
        Op::Ld(mem) => !matches!(mem.space, Space::Param | Space::Const),
        Op::Atom { .. } | Op::Shfl(_) | Op::Vote(_) | Op::Activemask => true,
        Op::TakeFromStack(..) => true,
        Op::Bar(_) => true,
        _ => false,
    };
    domain.for_uses(inst, |bit| found |= varying.contains(bit));
    found || inst.srcs.iter().any(is_per_lane)
}

fn is_per_lane(operand: &Operand) -> bool {
    match operand {
        Operand::Special(special) => !matches!(
            special,
            Special::Ntid(_)
                | Special::Ctaid(_)
                | Special::Nctaid(_)
                | Special::WarpId
                | Special::NwarpId
                | Special::SmId
                | Special::NsmId
                | Special::GridId
                | Special::DynamicScratchpadBytes
                | Special::TotalScratchpadBytes
        ),
        _ => false,
    }
}
