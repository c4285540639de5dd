//! Instructions whose results nobody reads go away; blocks stay, so that their numbers do.

use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::Liveness;
use crate::kernel::{BlockId, Inst, Kernel, Op};

pub fn run(kernel: &mut Kernel, cfg: &Cfg) {
    loop {
        let liveness = Liveness::per_thread(kernel, cfg);
        let mut removed = false;
        for b in 0..kernel.blocks.len() {
            let mut i = 0;
            kernel.blocks[b].insts.retain(|inst| {
                let after = liveness.after(BlockId(b as u32), i);
                i += 1;
                let mut read = false;
                liveness
                    .domain()
                    .for_defs(inst, |bit| read |= after.contains(bit));
                let keep = read || has_effect(inst);
                removed |= !keep;
                keep
            });
        }
        if !removed {
            return;
        }
    }
}

/// Whether the instruction does more than write its destinations. Plain loads do not: that an address faults is no result.
fn has_effect(inst: &Inst) -> bool {
    if let Op::Ld(mem) = inst.op {
        return mem.strong;
    }
    matches!(
        inst.op,
        Op::St(_)
            | Op::Atom { .. }
            | Op::Red { .. }
            | Op::Membar
            | Op::Bar(_)
            | Op::WarpSync
            | Op::Bra(_)
            | Op::Exit
            | Op::Call(_)
            | Op::PassOnStack(..)
            | Op::Ret
            | Op::Push
            | Op::Pop
            | Op::Trap
            | Op::Acquire
            | Op::Release
            | Op::Pir
            | Op::Pbr
            | Op::Traced(_)
    )
}
