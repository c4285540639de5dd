//! Where the blocks of a kernel lead, and which of them mean something to lanes that have parted.

use super::{CfgError, id, index};
use crate::compiler::dom::{mark_backwards, predecessors};
use crate::kernel::exit::IN_FUNCTION;
use crate::kernel::{Block, Inst, Kernel, Op};

/// Where lanes go behind a block: the fall-through first, then the target.
pub(super) fn successors(kernel: &Kernel, block: usize) -> Result<Vec<usize>, CfgError> {
    let insts = &kernel.blocks[block].insts;
    let mut ends = false;
    let mut targets = Vec::new();
    for (at, inst) in insts.iter().enumerate() {
        match inst.op {
            Op::Exit | Op::Ret if inst.guard.is_none() => ends = true,
            Op::Bra(_) if at + 1 < insts.len() => {
                return Err(CfgError::BranchInside {
                    block: id(block),
                    inst: at,
                });
            }
            Op::Bra(target) if index(target) >= kernel.blocks.len() => {
                return Err(CfgError::NoSuchBlock {
                    block: id(block),
                    inst: at,
                    target,
                    blocks: kernel.blocks.len(),
                });
            }
            Op::Bra(target) if !ends => {
                ends = inst.guard.is_none();
                targets.push(index(target));
            }
            _ => {}
        }
    }
    let next = block + 1;
    if !ends && next < kernel.blocks.len() && !targets.contains(&next) {
        targets.insert(0, next);
    }
    Ok(targets)
}

/// How a block ends if lanes cannot fall through: with its first unguarded `exit`, `ret` or branch.
fn end(block: &Block) -> Option<&Inst> {
    let mut unguarded = block.insts.iter().filter(|inst| inst.guard.is_none());
    unguarded.find(|inst| matches!(inst.op, Op::Exit | Op::Ret | Op::Bra(_)))
}

/// The blocks that end with a `ret`; with calls inlined, the ends of the kernel itself, if threads end in functions, too.
pub(super) fn returning(kernel: &Kernel) -> Vec<usize> {
    let ends = || kernel.blocks.iter().map(end);
    let in_function = |inst: &Inst| {
        inst.exit_marks()
            .is_some_and(|marks| marks & IN_FUNCTION != 0)
    };
    let with_inlined = ends().flatten().any(in_function);
    let returns = |inst: &Inst| match inst.op {
        Op::Exit => with_inlined && !in_function(inst),
        op => op == Op::Ret,
    };
    ends()
        .enumerate()
        .filter(|(_, end)| end.is_some_and(returns))
        .map(|(block, _)| block)
        .collect()
}

/// The blocks with a barrier, a vote or a shuffle, and those that call a function with one. No edge leads from a kernel to its functions;
/// where one leads to what a call names, functions are not linked yet, and it is the number of one.
pub(super) fn together(kernel: &Kernel, succs: &[Vec<usize>]) -> Vec<usize> {
    let joins = |inst: &Inst| {
        matches!(
            inst.op,
            Op::Bar(_) | Op::Vote(_) | Op::Shfl(_) | Op::WarpSync
        )
    };
    let blocks = kernel.blocks.iter().enumerate();
    let joining = blocks.filter(|(_, block)| block.insts.iter().any(joins));
    let mut together: Vec<usize> = joining.map(|(at, _)| at).collect();
    let preds = predecessors(succs);
    let order = reverse_postorder(succs);
    loop {
        let mut before = vec![false; succs.len()];
        for &block in &together {
            mark_backwards(block, &preds, &mut before);
        }
        let is_joining =
            |function: usize| before.get(function) == Some(&true) && !order.contains(&function);
        let calls = |inst: &Inst| matches!(inst.op, Op::Call(to) if is_joining(index(to)));
        let more: Vec<usize> = (kernel.blocks.iter().enumerate())
            .filter(|(at, block)| !together.contains(at) && block.insts.iter().any(calls))
            .map(|(at, _)| at)
            .collect();
        if more.is_empty() {
            return together;
        }
        together.extend(more);
    }
}

/// For each block whether it reaches a `ret`.
pub(super) fn before_a_return(kernel: &Kernel, succs: &[Vec<usize>]) -> Vec<bool> {
    let preds = predecessors(succs);
    let mut before = vec![false; succs.len()];
    for (at, block) in kernel.blocks.iter().enumerate() {
        if end(block).is_some_and(|inst| inst.op == Op::Ret) {
            mark_backwards(at, &preds, &mut before);
        }
    }
    before
}

/// Whether lanes can run past the end of the last block.
pub(super) fn falls_off_the_end(kernel: &Kernel) -> bool {
    let always_leaves =
        |i: &Inst| i.guard.is_none() && matches!(i.op, Op::Exit | Op::Ret | Op::Bra(_));
    kernel
        .blocks
        .last()
        .is_some_and(|b| !b.insts.iter().any(always_leaves))
}

/// The blocks that the first reaches, in reverse postorder.
pub(super) fn reverse_postorder(succs: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; succs.len()];
    let mut postorder = Vec::with_capacity(succs.len());
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, next)) = stack.last_mut() {
        // Last successor first, so that the fall-through comes before the target in the result.
        let child = succs[*block].iter().rev().nth(*next).copied();
        *next += 1;
        match child {
            Some(child) if !seen[child] => {
                seen[child] = true;
                stack.push((child, 0));
            }
            Some(_) => {}
            None => {
                postorder.push(*block);
                stack.pop();
            }
        }
    }
    postorder.reverse();
    postorder
}
