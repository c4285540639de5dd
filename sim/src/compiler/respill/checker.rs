//! A proof, kernel by kernel, that a respilled kernel does what the original does. It shares with the pass the kernel's types only; the
//! data flow is that of RegDem's checker.
//!
//! 1. *Correspondence*. Every original instruction is there once, in order, with the same operation, guard, constants and predicates.
//!    Added are only loads and stores, without guards, of a word or an aligned pair of words at a fixed address of local memory.
//! 2. *Place*. Each of those lies behind the original's local memory and within that of the result, so nothing else accesses it.
//! 3. *Data flow*. Every source reads the value that the original read, on all paths.

use super::Respilled;
use crate::compiler::regalloc::Origin;
use crate::compiler::regdem::checker::shape::{
    Access, Step, misnamed, same_but_registers, same_frame,
};
use crate::compiler::regdem::checker::{CheckError, Violation, fail, flow};
use crate::kernel::op::{Mem, Space, Ty};
use crate::kernel::{Dst, Inst, Kernel, Op, Operand, Reg};

/// Proves `respilled` right.
///
/// # Errors
/// The first violation found, correspondence and places before data flow.
pub fn check(original: &Kernel, respilled: &Respilled) -> Result<(), CheckError> {
    flow::check(original, &respilled.kernel, &steps(original, respilled)?)
}

fn steps<'k>(
    original: &'k Kernel,
    respilled: &'k Respilled,
) -> Result<Vec<Vec<Step<'k>>>, CheckError> {
    let kernel = &respilled.kernel;
    let regs = same_frame(original, kernel)?;
    let fits = original.shared_bytes == kernel.shared_bytes
        && original.local_bytes <= kernel.local_bytes
        && respilled.origins.len() == kernel.blocks.len();
    if !fits {
        return fail(0, 0, Violation::Shape("what stands above the instructions"));
    }
    let mut all = Vec::new();
    for (b, (block, origins)) in kernel.blocks.iter().zip(&respilled.origins).enumerate() {
        let source = &original.blocks[b].insts;
        let (mut steps, mut next) = (Vec::new(), 0);
        if origins.len() != block.insts.len() {
            return fail(b, 0, Violation::Shape("the list of origins"));
        }
        for (i, (inst, origin)) in block.insts.iter().zip(origins).enumerate() {
            if let Some(reg) = misnamed(inst, regs) {
                return fail(b, i, Violation::Register { reg });
            }
            steps.push(match *origin {
                Origin::Inserted => match added(inst, original, kernel) {
                    Ok(step) => step,
                    Err(violation) => return fail(b, i, violation),
                },
                Origin::Inst(from) => {
                    let same = (source.get(from))
                        .filter(|o| from == next && same_but_registers(o, inst, None));
                    next += 1;
                    match same {
                        Some(original) => Step::Both(original, inst),
                        None => return fail(b, i, Violation::Shape("another instruction")),
                    }
                }
            });
        }
        if next != source.len() {
            let at = block.insts.len();
            return fail(b, at, Violation::Shape("an instruction is missing"));
        }
        all.push(steps);
    }
    Ok(all)
}

fn added<'k>(inst: &Inst, original: &Kernel, respilled: &Kernel) -> Result<Step<'k>, Violation> {
    let access = |mem: &Mem, reg: &Reg| {
        let words = reg.width.regs();
        let as_wide = mem.ty == if words == 2 { Ty::B64 } else { Ty::B32 };
        if mem.space != Space::Local || mem.vec != 1 || !as_wide || inst.guard.is_some() {
            return Err(Violation::Shape("an added instruction"));
        }
        let (first, bytes) = (mem.offset, i64::from(words) * 4);
        let behind = first - i64::from(original.local_bytes.next_multiple_of(4));
        let fits =
            behind >= 0 && first % bytes == 0 && first + bytes <= i64::from(respilled.local_bytes);
        match u16::try_from(behind / 4) {
            Ok(slot) if fits => Ok(Access {
                reg: reg.index,
                slot,
                words,
                at: None,
            }),
            _ => Err(Violation::Outside { offset: first }),
        }
    };
    match (&inst.op, &inst.dsts[..], &inst.srcs[..]) {
        (Op::Ld(mem), [Dst::Reg(to)], [Operand::Imm(0)]) => Ok(Step::Load(access(mem, to)?)),
        (Op::St(mem), [], [Operand::Imm(0), Operand::Reg(from)]) => {
            Ok(Step::Store(access(mem, from)?, None))
        }
        _ => Err(Violation::Shape("an added instruction")),
    }
}
