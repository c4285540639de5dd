//! Logic, shifts, bit fields and counts.

use super::Lower;
use super::arith::INTEGERS_32_64;
use super::modifiers::Modifiers;
use super::operand::count;
use crate::kernel::Operand;
use crate::kernel::op::{Op, PrmtMode, Ty};
use crate::kernel::ptx::ast::{Inst, OperandKind};
use crate::kernel::ptx::constant::evaluate;
use crate::kernel::ptx::error::{Problem, Res};

const WORDS: [Ty; 3] = [Ty::B16, Ty::B32, Ty::B64];

impl<'p, 's> Lower<'p, 's> {
    pub(super) fn logic(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let ty = match inst.opcode.text {
            "cnot" => m.ty(&WORDS)?,
            _ => m.ty(&[Ty::Pred, Ty::B16, Ty::B32, Ty::B64])?,
        };
        m.end()?;
        match inst.opcode.text {
            "and" => self.simple(inst, Op::And(ty), ty, &[ty, ty]),
            "or" => self.simple(inst, Op::Or(ty), ty, &[ty, ty]),
            "xor" => self.simple(inst, Op::Xor(ty), ty, &[ty, ty]),
            "not" => self.simple(inst, Op::Not(ty), ty, &[ty]),
            _ => self.simple(inst, Op::Cnot(ty), ty, &[ty]),
        }
    }

    pub(super) fn shift(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let left = inst.opcode.text == "shl";
        let ty = if left {
            m.ty(&WORDS)?
        } else {
            m.ty(&[
                Ty::B16,
                Ty::B32,
                Ty::B64,
                Ty::U16,
                Ty::U32,
                Ty::U64,
                Ty::S16,
                Ty::S32,
                Ty::S64,
            ])?
        };
        m.end()?;
        let op = if left { Op::Shl(ty) } else { Op::Shr(ty) };
        self.simple(inst, op, ty, &[ty, Ty::U32])
    }

    pub(super) fn funnel_shift(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let left = m.need(&[(".l", true), (".r", false)])?;
        let wrap = m.need(&[(".clamp", false), (".wrap", true)])?;
        m.ty(&[Ty::B32])?;
        m.end()?;
        self.simple(
            inst,
            Op::Shf { left, wrap },
            Ty::B32,
            &[Ty::B32, Ty::B32, Ty::U32],
        )
    }

    pub(super) fn lop3(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        m.ty(&[Ty::B32])?;
        m.end()?;
        count(inst, 5, 5)?;
        let last = &inst.operands[4];
        let table = match &last.kind {
            OperandKind::Const(expr) => evaluate(expr)?.integer(),
            _ => None,
        };
        let Some(table) = table.and_then(|table| u8::try_from(table).ok()) else {
            return Err(Problem::new(
                last.span,
                "the truth table of `lop3` is a constant",
                "expected 0 to 255",
            ));
        };
        let mut srcs: Vec<Operand> = Vec::with_capacity(3);
        for operand in &inst.operands[1..4] {
            srcs.push(self.src(operand, Ty::B32)?);
        }
        let dst = self.dst(&inst.operands[0], Ty::B32)?;
        self.build.push(Op::Lop3(table), &[dst], &srcs);
        Ok(())
    }

    pub(super) fn bit_count(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        if inst.opcode.text == "bfind" {
            let shiftamt = m.take(".shiftamt");
            let ty = m.ty(&INTEGERS_32_64)?;
            m.end()?;
            return self.simple(inst, Op::Bfind { ty, shiftamt }, Ty::U32, &[ty]);
        }
        let ty = m.ty(&WORDS[1..])?;
        m.end()?;
        match inst.opcode.text {
            "popc" => self.simple(inst, Op::Popc(ty), Ty::U32, &[ty]),
            "clz" => self.simple(inst, Op::Clz(ty), Ty::U32, &[ty]),
            _ => self.simple(inst, Op::Brev(ty), ty, &[ty]),
        }
    }

    pub(super) fn bit_field(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        if inst.opcode.text == "bfe" {
            let ty = m.ty(&INTEGERS_32_64)?;
            m.end()?;
            return self.simple(inst, Op::Bfe(ty), ty, &[ty, Ty::U32, Ty::U32]);
        }
        let ty = m.ty(&WORDS[1..])?;
        m.end()?;
        self.simple(inst, Op::Bfi(ty), ty, &[ty, ty, Ty::U32, Ty::U32])
    }

    pub(super) fn prmt(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        m.ty(&[Ty::B32])?;
        let mode = m
            .choose(&[
                (".f4e", PrmtMode::F4e),
                (".b4e", PrmtMode::B4e),
                (".rc8", PrmtMode::Rc8),
                (".ecl", PrmtMode::Ecl),
                (".ecr", PrmtMode::Ecr),
                (".rc16", PrmtMode::Rc16),
            ])
            .unwrap_or(PrmtMode::Index);
        m.end()?;
        self.simple(inst, Op::Prmt(mode), Ty::B32, &[Ty::B32, Ty::B32, Ty::B32])
    }
}
