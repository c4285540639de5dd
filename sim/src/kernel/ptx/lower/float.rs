//! Float operations that integers do not share, and comparisons.

use super::Lower;
use super::modifiers::{COMPARISONS, Modifiers, ROUND, WrittenFp};
use super::operand::count;
use super::types::{is_float, is_signed};
use crate::kernel::op::{BoolOp, Cmp, Op, Precision, TestProp, Ty};
use crate::kernel::ptx::ast::{Inst, Name, OperandKind};
use crate::kernel::ptx::error::{Problem, Res};

const COMBINE: [(&str, BoolOp); 3] = [
    (".and", BoolOp::And),
    (".or", BoolOp::Or),
    (".xor", BoolOp::Xor),
];

const COMPARED: [Ty; 11] = [
    Ty::B16,
    Ty::B32,
    Ty::B64,
    Ty::U16,
    Ty::U32,
    Ty::U64,
    Ty::S16,
    Ty::S32,
    Ty::S64,
    Ty::F32,
    Ty::F64,
];

/// What `set` and `setp` share.
struct Comparison {
    cmp: Cmp,
    unsigned: bool,
    combine: Option<BoolOp>,
    ftz: bool,
}

impl Comparison {
    fn check(&self, m: &Modifiers<'_, '_>, ty: Ty) -> Res<()> {
        let equality = matches!(self.cmp, Cmp::Eq | Cmp::Ne);
        let ordered = equality || matches!(self.cmp, Cmp::Lt | Cmp::Le | Cmp::Gt | Cmp::Ge);
        let fits = match ty {
            ty if is_float(ty) => {
                !self.unsigned && (!self.ftz || !matches!(ty, Ty::F64 | Ty::Bf16))
            }
            Ty::B16 | Ty::B32 | Ty::B64 => equality && !self.ftz,
            ty if is_signed(ty) => ordered && !self.unsigned && !self.ftz,
            _ => ordered && !self.ftz,
        };
        if fits {
            return Ok(());
        }
        Err(Problem::new(
            m.opcode().span,
            format!(
                "this comparison does not exist for type {}",
                super::types::name_of(ty)
            ),
            "bits compare with eq ne; lo ls hi hs are unsigned; equ .. nan and .ftz are float only",
        ))
    }
}

impl<'p, 's> Lower<'p, 's> {
    pub(super) fn fma(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let written = WrittenFp {
            round: Some(m.need(&ROUND)?),
            ftz: m.take(".ftz"),
            sat: m.take(".sat"),
        };
        let ty = match inst.opcode.text {
            "mad" => m.ty(&[Ty::F32, Ty::F64])?,
            _ => m.ty(&[Ty::F32, Ty::F64, Ty::F16, Ty::F16x2, Ty::Bf16, Ty::Bf16x2])?,
        };
        m.end()?;
        let fp = m.check_fp(ty, written)?;
        self.simple(inst, Op::Fma(ty, fp), ty, &[ty, ty, ty])
    }

    pub(super) fn rcp_or_sqrt(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let reciprocal = inst.opcode.text == "rcp";
        let precision = if m.take(".approx") {
            Precision::Approx
        } else {
            Precision::Ieee(m.need(&ROUND)?)
        };
        let ftz = m.take(".ftz");
        let f64_too = match precision {
            Precision::Approx => reciprocal && ftz,
            _ => !ftz,
        };
        let ty = if f64_too {
            m.ty(&[Ty::F32, Ty::F64])?
        } else {
            m.ty(&[Ty::F32])?
        };
        m.end()?;
        let op = if reciprocal {
            Op::Rcp { ty, precision, ftz }
        } else {
            Op::Sqrt { ty, precision, ftz }
        };
        self.simple(inst, op, ty, &[ty])
    }

    pub(super) fn approximation(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let opcode = inst.opcode.text;
        m.need(&[(".approx", ())])?;
        let ftz = opcode != "tanh" && m.take(".ftz");
        let ty = match opcode {
            "rsqrt" => m.ty(&[Ty::F32, Ty::F64])?,
            "ex2" if ftz => m.ty(&[Ty::F32])?,
            "ex2" => m.ty(&[Ty::F32, Ty::F16, Ty::F16x2])?,
            "tanh" => m.ty(&[Ty::F32, Ty::F16, Ty::F16x2, Ty::Bf16, Ty::Bf16x2])?,
            _ => m.ty(&[Ty::F32])?,
        };
        m.end()?;
        let op = match opcode {
            "rsqrt" => Op::Rsqrt { ty, ftz },
            "sin" => Op::Sin { ftz },
            "cos" => Op::Cos { ftz },
            "lg2" => Op::Lg2 { ftz },
            "ex2" => Op::Ex2 { ty, ftz },
            _ => Op::Tanh(ty),
        };
        self.simple(inst, op, ty, &[ty])
    }

    pub(super) fn copysign(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let ty = m.ty(&[Ty::F32, Ty::F64])?;
        m.end()?;
        self.simple(inst, Op::Copysign(ty), ty, &[ty, ty])
    }

    pub(super) fn testp(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let property = m.need(&[
            (".finite", TestProp::Finite),
            (".infinite", TestProp::Infinite),
            (".number", TestProp::Number),
            (".notanumber", TestProp::NotANumber),
            (".normal", TestProp::Normal),
            (".subnormal", TestProp::Subnormal),
        ])?;
        let ty = m.ty(&[Ty::F32, Ty::F64])?;
        m.end()?;
        self.simple(inst, Op::Testp(ty, property), Ty::Pred, &[ty])
    }

    fn comparison(&self, m: &mut Modifiers<'_, 's>) -> Res<Comparison> {
        let (cmp, unsigned) = m.need(&COMPARISONS)?;
        let combine = m.choose(&COMBINE);
        let ftz = m.take(".ftz");
        Ok(Comparison {
            cmp,
            unsigned,
            combine,
            ftz,
        })
    }

    pub(super) fn setp(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let comparison = self.comparison(m)?;
        let ty = m.ty(&[&COMPARED[..], &[Ty::F16, Ty::Bf16]].concat())?;
        m.end()?;
        comparison.check(m, ty)?;
        let operands = 3 + usize::from(comparison.combine.is_some());
        count(inst, operands, operands)?;
        let mut srcs = vec![
            self.src(&inst.operands[1], ty)?,
            self.src(&inst.operands[2], ty)?,
        ];
        if comparison.combine.is_some() {
            srcs.push(self.pred_src(&inst.operands[3])?);
        }
        let to = &inst.operands[0];
        let dsts = match to.kind {
            OperandKind::Pair(p, q) => {
                vec![self.dst_name(p, Ty::Pred)?, self.dst_name(q, Ty::Pred)?]
            }
            OperandKind::Name(text) => {
                vec![self.dst_name(
                    Name {
                        text,
                        span: to.span,
                    },
                    Ty::Pred,
                )?]
            }
            _ => {
                return Err(Problem::new(
                    to.span,
                    "not a destination",
                    "expected `%p` or `%p|%q`",
                ));
            }
        };
        let Comparison {
            cmp, combine, ftz, ..
        } = comparison;
        self.build.push(
            Op::Setp {
                cmp,
                ty,
                ftz,
                combine,
            },
            &dsts,
            &srcs,
        );
        Ok(())
    }

    pub(super) fn set(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let comparison = self.comparison(m)?;
        let to = m.ty(&[Ty::U32, Ty::S32, Ty::F32])?;
        let ty = m.ty(&COMPARED)?;
        m.end()?;
        comparison.check(m, ty)?;
        let operands = 3 + usize::from(comparison.combine.is_some());
        count(inst, operands, operands)?;
        let mut srcs = vec![
            self.src(&inst.operands[1], ty)?,
            self.src(&inst.operands[2], ty)?,
        ];
        if comparison.combine.is_some() {
            srcs.push(self.pred_src(&inst.operands[3])?);
        }
        let dst = self.dst(&inst.operands[0], to)?;
        let Comparison {
            cmp, combine, ftz, ..
        } = comparison;
        self.build.push(
            Op::Set {
                to,
                cmp,
                ty,
                ftz,
                combine,
            },
            &[dst],
            &srcs,
        );
        Ok(())
    }
}
