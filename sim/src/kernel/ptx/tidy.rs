//! After lowering: blocks that cannot be reached go, jumps to the next block go, chains of blocks become one.

use crate::kernel::op::{BlockId, Op};
use crate::kernel::{Block, Inst, Kernel};

/// Whether control never goes on to the next block.
fn ends(block: &Block) -> bool {
    block.insts.last().is_some_and(|inst| {
        inst.guard.is_none() && matches!(inst.op, Op::Bra(_) | Op::Exit | Op::Ret)
    })
}

fn target(inst: &Inst) -> Option<usize> {
    match inst.op {
        Op::Bra(BlockId(target)) => Some(target as usize),
        _ => None,
    }
}

/// Tidies the blocks of a kernel; what it computes stays.
pub fn tidy(kernel: &mut Kernel) {
    keep(kernel, &reachable(&kernel.blocks));
    drop_jumps_to_next(kernel);
    join(kernel);
}

fn reachable(blocks: &[Block]) -> Vec<bool> {
    let mut seen = vec![false; blocks.len()];
    let mut waiting = vec![0];
    while let Some(at) = waiting.pop() {
        if at >= blocks.len() || std::mem::replace(&mut seen[at], true) {
            continue;
        }
        waiting.extend(blocks[at].insts.iter().filter_map(target));
        if !ends(&blocks[at]) {
            waiting.push(at + 1);
        }
    }
    seen
}

/// Drops the other blocks and renumbers. A branch to a dropped block goes to the next kept one.
fn keep(kernel: &mut Kernel, kept: &[bool]) {
    let mut number = 0;
    let numbers: Vec<u32> = kept
        .iter()
        .map(|keep| {
            let here = number;
            number += u32::from(*keep);
            here
        })
        .collect();
    let mut flags = kept.iter();
    kernel
        .blocks
        .retain(|_| flags.next().copied().unwrap_or(false));
    for inst in kernel.blocks.iter_mut().flat_map(|block| &mut block.insts) {
        if let Op::Bra(BlockId(target)) = &mut inst.op {
            *target = numbers[*target as usize];
        }
    }
}

fn drop_jumps_to_next(kernel: &mut Kernel) {
    // What becomes empty falls into the next block and goes; that can bring another target next.
    loop {
        let mut dropped = false;
        for at in 0..kernel.blocks.len() {
            let insts = &mut kernel.blocks[at].insts;
            if insts.last().and_then(target) == Some(at + 1) {
                insts.pop();
                dropped = true;
            }
        }
        if !dropped {
            return;
        }
        let kept: Vec<bool> = kernel
            .blocks
            .iter()
            .map(|block| !block.insts.is_empty())
            .collect();
        keep(kernel, &kept);
    }
}

/// A block that only its predecessor falls into is part of it.
fn join(kernel: &mut Kernel) {
    let mut targeted = vec![false; kernel.blocks.len()];
    for inst in kernel.blocks.iter().flat_map(|block| &block.insts) {
        if let Some(target) = target(inst) {
            targeted[target] = true;
        }
    }
    let mut kept = vec![true; kernel.blocks.len()];
    let mut into = 0;
    for at in 1..kernel.blocks.len() {
        let splits = kernel.blocks[into]
            .insts
            .last()
            .is_some_and(|inst| matches!(inst.op, Op::Bra(_) | Op::Exit | Op::Ret));
        if targeted[at] || splits {
            into = at;
            continue;
        }
        kept[at] = false;
        let insts = std::mem::take(&mut kernel.blocks[at].insts);
        kernel.blocks[into].insts.extend(insts);
    }
    keep(kernel, &kept);
}
