//! One kernel of all functions.

use super::abi::Lowered;
use crate::kernel::Kernel;
use crate::kernel::op::{BlockId, Op};
use std::collections::HashSet;

/// Puts the functions one behind the other.
pub(super) fn link(kernel: &mut Kernel, functions: Vec<Lowered>) {
    let mut next = kernel.blocks.len() as u32;
    let mut starts = Vec::with_capacity(functions.len());
    for function in &functions {
        starts.push(next);
        next += function.blocks.len() as u32;
    }
    let mut labels: HashSet<String> = kernel.blocks.iter().map(|b| b.label.clone()).collect();
    for (number, function) in functions.into_iter().enumerate() {
        for (at, mut block) in function.blocks.into_iter().enumerate() {
            block.label = match (number, at) {
                (0, _) => block.label,
                (_, 0) => function.name.clone(),
                _ => format!("{}.{}", function.name, block.label),
            };
            while !labels.insert(block.label.clone()) {
                block.label.push('_');
            }
            for inst in &mut block.insts {
                match &mut inst.op {
                    Op::Bra(BlockId(to)) => *to += starts[number],
                    Op::Call(BlockId(to)) => *to = starts[*to as usize],
                    _ => {}
                }
            }
            kernel.blocks.push(block);
        }
    }
}
