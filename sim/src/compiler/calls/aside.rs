//! Values that are put aside in local memory over calls, where registers do not do for all.

use super::CallError;
use super::abi::{FIRST_SAVED, Spilled, inst};
use super::places::Crossings;
use crate::compiler::liveness::{Domain, Liveness};
use crate::kernel::op::{BlockId, Mem, Op, Space, Ty};
use crate::kernel::{Dst, Inst, Kernel, Line, Operand, Reg, Width};
use fixedbitset::FixedBitSet;
use std::collections::BTreeMap;

/// Puts values aside in local memory before calls and takes them back behind these, so that no more registers are preserved than
/// have numbers below `cap`. What memory has already is not stored again, and what nobody reads is not taken back. `false`: there
/// is not room for the rest.
pub(super) fn put_aside(
    code: &mut Kernel,
    cap: u16,
    spilled: &mut Spilled,
) -> Result<bool, CallError> {
    let Some(registers) = cap.checked_sub(FIRST_SAVED) else {
        return Ok(false);
    };
    let crossings = Crossings::of(code)?;
    let kept = crossings.kept(registers);
    let first_byte = code.local_bytes.next_multiple_of(8);
    let mut end = first_byte;
    let mut slots: BTreeMap<usize, u32> = BTreeMap::new();
    for pair in 0..crossings.costs.len() {
        if crossings.cost(pair) > 0 && !kept.contains(pair) {
            slots.insert(pair, end);
            end += 8;
        }
    }
    // Each instruction, and whether it was put in.
    let mut moved: Vec<Vec<(Inst, bool)>> = Vec::with_capacity(code.blocks.len());
    for (b, block) in code.blocks.iter_mut().enumerate() {
        let mut insts = Vec::with_capacity(block.insts.len());
        for (i, inst) in block.insts.drain(..).enumerate() {
            let aside = crossings
                .calls
                .get(&(b, i))
                .map(|live| values(live, &slots));
            let aside = aside.unwrap_or_default();
            let line = inst.line;
            insts.extend(
                aside
                    .iter()
                    .map(|&(reg, slot)| (put(reg, slot, line), true)),
            );
            insts.push((inst, false));
            insts.extend(
                aside
                    .iter()
                    .map(|&(reg, slot)| (take(reg, slot, line), true)),
            );
        }
        moved.push(insts);
    }
    drop_stores(&mut moved, &crossings, code);
    for (block, insts) in code.blocks.iter_mut().zip(&moved) {
        block.insts = insts.iter().map(|(inst, _)| inst.clone()).collect();
    }
    let liveness = Liveness::per_thread(code, &crossings.cfg);
    let mut counts = [0, 0];
    for (b, block) in moved.into_iter().enumerate() {
        let is_read = |i: usize, inst: &Inst| {
            let live = liveness.after(BlockId(b as u32), i);
            let mut bits = inst
                .dst_regs()
                .flat_map(|reg| liveness.domain().reg_bits(reg));
            bits.any(|bit| live.contains(bit))
        };
        let mut insts = Vec::with_capacity(block.len());
        for (i, (inst, is_new)) in block.into_iter().enumerate() {
            match (is_new, inst.op) {
                (true, Op::Ld(_)) if !is_read(i, &inst) => continue,
                (true, Op::Ld(_)) => counts[0] += 1,
                (true, _) => counts[1] += 1,
                (false, _) => {}
            }
            insts.push(inst);
        }
        code.blocks[b].insts = insts;
    }
    code.local_bytes = if slots.is_empty() {
        code.local_bytes
    } else {
        end
    };
    *spilled = Spilled {
        bytes: spilled.bytes + (end - first_byte),
        loads: spilled.loads + counts[0],
        stores: spilled.stores + counts[1],
    };
    Ok(true)
}

/// The registers among colours that have a place in memory, and where that is.
fn values(live: &[u16], slots: &BTreeMap<usize, u32>) -> Vec<(Reg, u32)> {
    let mut values = Vec::new();
    let mut live = live.iter().copied().peekable();
    while let Some(colour) = live.next() {
        let Some(&slot) = slots.get(&usize::from(colour / 2)) else {
            continue;
        };
        let is_pair = colour.is_multiple_of(2) && live.next_if_eq(&(colour + 1)).is_some();
        values.push(match is_pair {
            true => (Reg::r64(colour), slot),
            false => (Reg::r32(colour), slot + 4 * u32::from(colour % 2)),
        });
    }
    values
}

fn slot_of(reg: Reg, slot: u32) -> Mem {
    Mem {
        space: Space::Local,
        ty: match reg.width {
            Width::W32 => Ty::B32,
            Width::W64 => Ty::B64,
        },
        vec: 1,
        offset: i64::from(slot),
        strong: false,
    }
}

fn put(reg: Reg, slot: u32, line: Line) -> Inst {
    let srcs = [Operand::Imm(0), Operand::Reg(reg)];
    Inst {
        line,
        ..inst(Op::St(slot_of(reg, slot)), None, &srcs)
    }
}

fn take(reg: Reg, slot: u32, line: Line) -> Inst {
    let mut load = inst(Op::Ld(slot_of(reg, slot)), None, &[Operand::Imm(0)]);
    load.dsts.push(Dst::Reg(reg));
    load.line = line;
    load
}

/// Drops stores of what their places have already.
fn drop_stores(moved: &mut [Vec<(Inst, bool)>], crossings: &Crossings, code: &Kernel) {
    let domain = Domain::of(code);
    // Registers whose places have their values, behind an instruction.
    let step = |held: &mut FixedBitSet, (inst, is_new): &(Inst, bool)| {
        let regs = inst.src_regs().chain(inst.dst_regs());
        match is_new {
            true => held.extend(regs.flat_map(|reg| domain.reg_bits(reg))),
            false => domain.for_defs(inst, |bit| held.set(bit, false)),
        }
    };
    let mut all = domain.empty_set();
    all.insert_range(..);
    let mut outs = vec![all.clone(); moved.len()];
    let before = |block: usize, outs: &[FixedBitSet]| {
        let preds = crossings.cfg.preds(BlockId(block as u32));
        let mut held = match (block, preds) {
            (0, _) | (_, []) => domain.empty_set(),
            _ => all.clone(),
        };
        for pred in preds {
            held.intersect_with(&outs[pred.0 as usize]);
        }
        held
    };
    loop {
        let mut is_done = true;
        for block in 0..moved.len() {
            let mut held = before(block, &outs);
            moved[block].iter().for_each(|inst| step(&mut held, inst));
            if held != outs[block] {
                outs[block] = held;
                is_done = false;
            }
        }
        if is_done {
            break;
        }
    }
    for block in 0..moved.len() {
        let mut held = before(block, &outs);
        moved[block].retain(|inst| {
            let (of, is_new) = inst;
            let mut bits = of.src_regs().flat_map(|reg| domain.reg_bits(reg));
            let is_store = *is_new && matches!(of.op, Op::St(_));
            let is_held = is_store && bits.all(|bit| held.contains(bit));
            step(&mut held, inst);
            !is_held
        });
    }
}
