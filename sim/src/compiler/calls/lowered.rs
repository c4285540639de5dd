//! The call graph of a kernel that follows the calling convention of register stacks, from its code alone.

use super::{CallGraph, FIRST_SAVED, Node, STACK_POINTER};
use crate::kernel::op::{BlockId, Mem, Op, Space};
use crate::kernel::{Dst, Inst, Kernel, Operand, Reg, RegSpace};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Registers that the function at `block` pushes first of all: what a call of it embeds as FRU (CARS IV-A).
pub fn pushes_at(kernel: &Kernel, block: BlockId) -> u16 {
    let insts = kernel.blocks.get(block.0 as usize..).unwrap_or_default();
    let insts = insts.iter().flat_map(|block| &block.insts);
    insts.take_while(|inst| inst.op == Op::Push).count() as u16
}

/// Whether it is an access to local memory, relative to the stack pointer, of a register that functions preserve.
fn saves_register(inst: &Inst) -> bool {
    let is_local = |mem: Mem| mem.space == Space::Local;
    let pointer = Operand::Reg(Reg::r32(STACK_POINTER));
    let preserved = |reg: Reg| reg.index >= FIRST_SAVED;
    inst.srcs.first() == Some(&pointer)
        && match (inst.op, inst.dsts.first(), inst.srcs.get(1)) {
            (Op::St(mem), _, Some(Operand::Reg(reg))) => is_local(mem) && preserved(*reg),
            (Op::Ld(mem), Some(Dst::Reg(reg)), _) => is_local(mem) && preserved(*reg),
            _ => false,
        }
}

/// The accesses that preserve registers, by block and place in it: stores in the first block of a function, which is its
/// prologue, and the loads between a function's work and its return. Arguments and variables in local memory are others.
pub fn saves(kernel: &Kernel) -> HashSet<(u32, usize)> {
    let insts = kernel.blocks.iter().flat_map(|block| &block.insts);
    let prologues: BTreeSet<u32> = insts
        .filter_map(|inst| match inst.op {
            Op::Call(BlockId(to)) => Some(to),
            _ => None,
        })
        .collect();
    let mut found = HashSet::new();
    for (number, block) in kernel.blocks.iter().enumerate() {
        let number = number as u32;
        if prologues.contains(&number) {
            let stores = block.insts.iter().enumerate();
            let stores = stores.filter(|(_, i)| matches!(i.op, Op::St(_)) && saves_register(i));
            found.extend(stores.map(|(at, _)| (number, at)));
        }
        if let Some((ret, before)) = block.insts.split_last()
            && ret.op == Op::Ret
        {
            let loads = before.iter().enumerate().rev();
            let loads = loads.take_while(|(_, i)| matches!(i.op, Op::Ld(_)) && saves_register(i));
            found.extend(loads.map(|(at, _)| (number, at)));
        }
    }
    found
}

/// The blocks that `from` leads to, without those of the functions that it calls, in order.
fn body(kernel: &Kernel, from: BlockId) -> Vec<usize> {
    let mut seen = vec![false; kernel.blocks.len()];
    let mut next = vec![from.0 as usize];
    while let Some(number) = next.pop() {
        let Some(block) = kernel.blocks.get(number) else {
            continue;
        };
        if std::mem::replace(&mut seen[number], true) {
            continue;
        }
        let ends = |inst: &&Inst| {
            inst.guard.is_none() && matches!(inst.op, Op::Bra(_) | Op::Exit | Op::Ret | Op::Trap)
        };
        let last = block.insts.iter().position(|inst| ends(&inst));
        let reached = &block.insts[..last.map_or(block.insts.len(), |last| last + 1)];
        next.extend(reached.iter().filter_map(|inst| match inst.op {
            Op::Bra(to) => Some(to.0 as usize),
            _ => None,
        }));
        if last.is_none() {
            next.push(number + 1);
        }
    }
    (0..seen.len()).filter(|&number| seen[number]).collect()
}

/// One more than the highest register that `inst` names, apart from `own` ones of its function.
fn highest(inst: &Inst, own: std::ops::Range<u16>) -> u16 {
    let sources = inst.srcs.iter().filter_map(|source| match source {
        Operand::Reg(reg) => Some(*reg),
        _ => None,
    });
    let results = inst.dsts.iter().filter_map(|result| match result {
        Dst::Reg(reg) => Some(*reg),
        Dst::Pred(_) => None,
    });
    let units = sources.chain(results).flat_map(|reg| reg.units());
    let others = units.filter(|unit| !own.contains(unit));
    others.map(|unit| unit + 1).max().unwrap_or(0)
}

/// The graph of `kernel`, whose functions are named by their first blocks. The FRU of the kernel counts all registers that are
/// not pushed, in the functions too, and without calls all that it declares; that of a function what it pushes, and one for its
/// caller's RFP (CARS III-B).
pub fn graph_of(kernel: &Kernel) -> CallGraph {
    let called = kernel.blocks.iter().flat_map(|block| &block.insts);
    let called = called.filter_map(|inst| match inst.op {
        Op::Call(to) => Some(to.0),
        _ => None,
    });
    // The first block is the kernel's; a function that starts there is one of its own.
    let mut numbers = BTreeMap::new();
    for block in called {
        numbers.entry(block).or_insert(0);
    }
    for (number, entry) in numbers.values_mut().enumerate() {
        *entry = number + 1;
    }
    let starts = std::iter::once((0, true)).chain(numbers.keys().map(|&block| (block, false)));
    let mut base = match kernel.regs {
        RegSpace::Architected { regs, .. } if numbers.is_empty() => regs,
        // What is declared holds the pushed ones, too.
        _ => FIRST_SAVED,
    };
    let mut nodes = Vec::new();
    for (start, is_kernel) in starts {
        let pushes = match is_kernel {
            true => 0,
            false => pushes_at(kernel, BlockId(start)),
        };
        let own = FIRST_SAVED..FIRST_SAVED + pushes;
        let mut sites = Vec::new();
        for number in body(kernel, BlockId(start)) {
            for inst in &kernel.blocks[number].insts {
                base = base.max(highest(inst, own.clone()));
                if let Op::Call(to) = inst.op {
                    sites.push(numbers.get(&to.0).copied().into_iter().collect());
                }
            }
        }
        let name = match is_kernel {
            true => kernel.name.clone(),
            false => kernel.blocks[start as usize].label.clone(),
        };
        nodes.push(Node {
            name,
            fru: u32::from(pushes) + 1,
            sites,
        });
    }
    nodes[0].fru = base.into();
    CallGraph::new(nodes)
}
