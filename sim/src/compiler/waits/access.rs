//! What single accesses and operations leave as it is.

use crate::kernel::op::AtomOp;
use crate::kernel::{Inst, Op, Operand};

/// Whether an access has its address in the instruction.
pub(super) fn is_fixed(inst: &Inst) -> bool {
    matches!(inst.srcs.first(), Some(Operand::Imm(_)))
}

/// Whether an access takes a lock, which is free while it is 0: whoever has it has been launched. Others only read, or wait for a turn.
pub(super) fn takes_lock(inst: &Inst) -> bool {
    let Op::Atom { op, .. } = inst.op else {
        return false;
    };
    let is_zero = |place: usize| inst.srcs.get(place) == Some(&Operand::Imm(0));
    match op {
        AtomOp::Cas => is_zero(1) && !is_zero(2),
        AtomOp::Exch => !is_zero(1),
        _ => false,
    }
}

/// Whether an access but for its address is the same in each round: an atomic one leaves what it found, or what it left before.
pub(super) fn leaves_what_it_found(inst: &Inst) -> bool {
    match inst.op {
        Op::Atom { op, .. } => match op {
            AtomOp::Cas | AtomOp::Exch | AtomOp::And | AtomOp::Or => true,
            AtomOp::Min | AtomOp::Max => true,
            AtomOp::Add | AtomOp::Xor => inst.srcs.get(1) == Some(&Operand::Imm(0)),
            AtomOp::Inc | AtomOp::Dec => false,
        },
        _ => true,
    }
}

/// Operations that give again what they were given: a chain of them never counts.
pub(super) fn keeps(op: &Op) -> bool {
    matches!(
        op,
        Op::Mov(_)
            | Op::Selp(_)
            | Op::And(_)
            | Op::Or(_)
            | Op::Setp { .. }
            | Op::Cvt { .. }
            | Op::Pack(_)
            | Op::Unpack(_)
            | Op::Min(_)
            | Op::Max(_)
            | Op::Ld(_)
    )
}
