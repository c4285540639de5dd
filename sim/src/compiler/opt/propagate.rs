//! Copies and constants go into the instructions that read them.
//!
//! Only values with one definition that dominates the use take part; a copy must also come behind the one definition of
//! what it copies, or it holds the value of an earlier round of a loop. As on hardware, an arithmetic instruction takes
//! at most one constant, and a stored value is a register unless it is zero.

use super::values::{Values, inst_at, points};
use crate::compiler::cfg::Cfg;
use crate::kernel::exec::{Kind, is_alu, signature};
use crate::kernel::op::{Op, Space, Ty};
use crate::kernel::{Inst, Kernel, Operand, Reg};

pub fn run(kernel: &mut Kernel, cfg: &Cfg) {
    let values = Values::of(kernel);
    for at in points(kernel) {
        let mut inst = inst_at(kernel, at).clone();
        let constant = |src: &Operand| match *src {
            Operand::Reg(reg) => {
                let definition = values.definition_before(reg.index, at, cfg)?;
                match source_of(inst_at(kernel, definition), reg)? {
                    Operand::Imm(bits) => Some(bits),
                    _ => None,
                }
            }
            Operand::Imm(bits) => Some(bits),
            _ => None,
        };
        // All constants: the operation will be folded.
        let constants: Option<Vec<u64>> = inst.srcs.iter().map(constant).collect();
        if let (Some(constants), true) = (constants, is_alu(&inst.op)) {
            for (src, bits) in inst.srcs.iter_mut().zip(constants) {
                *src = Operand::Imm(bits);
            }
        }
        for i in 0..inst.srcs.len() {
            let Operand::Reg(reg) = inst.srcs[i] else {
                continue;
            };
            let Some(definition) = values.definition_before(reg.index, at, cfg) else {
                continue;
            };
            match source_of(inst_at(kernel, definition), reg) {
                Some(Operand::Reg(source))
                    if values
                        .definition_before(source.index, definition, cfg)
                        .is_some() =>
                {
                    inst.srcs[i] = Operand::Reg(source);
                }
                Some(Operand::Imm(bits)) if takes_constant(&inst, i, bits) => {
                    inst.srcs[i] = Operand::Imm(bits);
                }
                _ => {}
            }
        }
        kernel.blocks[at.block.0 as usize].insts[at.inst] = inst;
    }
}

/// What `reg` is a copy of, if `inst`, its definition, is a copy or a constant.
fn source_of(inst: &Inst, reg: Reg) -> Option<Operand> {
    let source = *inst.srcs.first()?;
    let same_width = |r: Reg| r.width == reg.width;
    match (inst.op, source) {
        (Op::Mov(ty), Operand::Reg(r)) if is_whole(ty) && same_width(r) => Some(source),
        (Op::Mov(ty), Operand::Imm(bits)) if is_whole(ty) => Some(Operand::Imm(match ty {
            Ty::B64 | Ty::U64 | Ty::S64 | Ty::F64 => bits,
            _ => bits & 0xffff_ffff,
        })),
        // Global memory has the same addresses in generic space.
        (
            Op::CvtaToGeneric(Space::Global) | Op::CvtaFromGeneric(Space::Global),
            Operand::Reg(r),
        ) if same_width(r) => Some(source),
        _ => None,
    }
}

fn is_whole(ty: Ty) -> bool {
    matches!(
        ty,
        Ty::B32
            | Ty::U32
            | Ty::S32
            | Ty::F32
            | Ty::F16x2
            | Ty::Bf16x2
            | Ty::B64
            | Ty::U64
            | Ty::S64
            | Ty::F64
    )
}

fn takes_constant(inst: &Inst, place: usize, bits: u64) -> bool {
    let Ok(signature) = signature(&inst.op) else {
        return false;
    };
    let Some(slot) = signature.srcs.get(place) else {
        return false;
    };
    let others = |o: &Operand| matches!(o, Operand::Imm(_) | Operand::Special(_));
    match inst.op {
        Op::St(_) | Op::Atom { .. } | Op::Red { .. } => {
            matches!(slot.kind, Kind::Reg(_)) && bits == 0 && matches!(inst.op, Op::St(_))
        }
        Op::Ld(_) => false,
        Op::Shfl(_) => place > 0 && matches!(slot.kind, Kind::Reg(_)),
        Op::Bar(_) | Op::WarpSync | Op::Vote(_) => matches!(slot.kind, Kind::Reg(_)),
        // A move takes any constant: it is how one gets into a register.
        _ => matches!(slot.kind, Kind::Reg(_)) && !inst.srcs.iter().any(others),
    }
}
