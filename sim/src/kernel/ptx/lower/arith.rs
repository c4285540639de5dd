//! Integer arithmetic, and the opcodes that integers share with floats.

use super::Lower;
use super::modifiers::Modifiers;
use super::operand::count;
use super::types::{is_float, is_integer, is_signed};
use crate::kernel::op::{Op, Part, Precision, Ty};
use crate::kernel::ptx::ast::Inst;
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::{Dst, Operand};

pub const INTEGERS: [Ty; 6] = [Ty::U16, Ty::U32, Ty::U64, Ty::S16, Ty::S32, Ty::S64];
pub const INTEGERS_32_64: [Ty; 4] = [Ty::U32, Ty::U64, Ty::S32, Ty::S64];
const SIGNED: [Ty; 3] = [Ty::S16, Ty::S32, Ty::S64];
const SUMS: [Ty; 12] = [
    Ty::U16,
    Ty::U32,
    Ty::U64,
    Ty::S16,
    Ty::S32,
    Ty::S64,
    Ty::F32,
    Ty::F64,
    Ty::F16,
    Ty::F16x2,
    Ty::Bf16,
    Ty::Bf16x2,
];
const PARTS: [(&str, Part); 3] = [(".lo", Part::Lo), (".hi", Part::Hi), (".wide", Part::Wide)];

/// The type of a `.wide` product.
fn doubled(ty: Ty) -> Option<Ty> {
    Some(match ty {
        Ty::U16 => Ty::U32,
        Ty::S16 => Ty::S32,
        Ty::U32 => Ty::U64,
        Ty::S32 => Ty::S64,
        _ => return None,
    })
}

/// `.sat` of integers exists for `.s32` only.
fn check_saturation(m: &Modifiers<'_, '_>, ty: Ty, sat: bool) -> Res<()> {
    if sat && ty != Ty::S32 {
        return Err(Problem::new(
            m.opcode().span,
            "`.sat` on integers exists only for .s32",
            "expected `.sat.s32`",
        ));
    }
    Ok(())
}

fn no_float_modifiers(m: &Modifiers<'_, '_>) -> Box<Problem> {
    Problem::new(
        m.opcode().span,
        format!(
            "`{}` on integers takes no rounding and no `.ftz`",
            m.opcode().text
        ),
        "float modifiers on an integer type",
    )
}

impl<'p, 's> Lower<'p, 's> {
    pub(super) fn add_or_sub(
        &mut self,
        inst: &Inst<'s>,
        m: &mut Modifiers<'_, 's>,
        add: bool,
    ) -> Res<()> {
        if m.take(".cc") {
            let ty = m.ty(&INTEGERS_32_64)?;
            m.end()?;
            return self.carry_op(inst, ty, add, false, true);
        }
        let written = m.fp();
        let ty = m.ty(&SUMS)?;
        m.end()?;
        let op = if is_float(ty) {
            let fp = m.check_fp(ty, written)?;
            if add {
                Op::FAdd(ty, fp)
            } else {
                Op::FSub(ty, fp)
            }
        } else {
            if written.round.is_some() || written.ftz {
                return Err(no_float_modifiers(m));
            }
            check_saturation(m, ty, written.sat)?;
            if add {
                Op::Add {
                    ty,
                    sat: written.sat,
                }
            } else {
                Op::Sub {
                    ty,
                    sat: written.sat,
                }
            }
        };
        self.simple(inst, op, ty, &[ty, ty])
    }

    pub(super) fn with_carry(
        &mut self,
        inst: &Inst<'s>,
        m: &mut Modifiers<'_, 's>,
        add: bool,
    ) -> Res<()> {
        let out = m.take(".cc");
        let ty = m.ty(&INTEGERS_32_64)?;
        m.end()?;
        self.carry_op(inst, ty, add, true, out)
    }

    fn carry_op(
        &mut self,
        inst: &Inst<'s>,
        ty: Ty,
        add: bool,
        carry_in: bool,
        out: bool,
    ) -> Res<()> {
        count(inst, 3, 3)?;
        let mut srcs = vec![
            self.src(&inst.operands[1], ty)?,
            self.src(&inst.operands[2], ty)?,
        ];
        let op = if add {
            Op::AddCarry(ty)
        } else {
            Op::SubCarry(ty)
        };
        self.push_carry(inst, op, ty, &mut srcs, carry_in, out)
    }

    fn push_carry(
        &mut self,
        inst: &Inst<'s>,
        op: Op,
        ty: Ty,
        srcs: &mut Vec<Operand>,
        carry_in: bool,
        out: bool,
    ) -> Res<()> {
        let carry = self.build.carry();
        if carry_in {
            srcs.push(Operand::Pred {
                pred: carry,
                negated: false,
            });
        }
        let dst = self.dst(&inst.operands[0], ty)?;
        if out {
            self.build.push(op, &[dst, Dst::Pred(carry)], srcs);
        } else {
            self.build.push(op, &[dst], srcs);
        }
        Ok(())
    }

    pub(super) fn mul(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let Some(part) = m.choose(&PARTS) else {
            let written = m.fp();
            let ty = m.ty(&[Ty::F32, Ty::F64, Ty::F16, Ty::F16x2, Ty::Bf16, Ty::Bf16x2])?;
            m.end()?;
            let fp = m.check_fp(ty, written)?;
            return self.simple(inst, Op::FMul(ty, fp), ty, &[ty, ty]);
        };
        let ty = self.product_type(m, part)?;
        m.end()?;
        let to = if part == Part::Wide {
            doubled(ty).unwrap_or(ty)
        } else {
            ty
        };
        self.simple(inst, Op::Mul { ty, part }, to, &[ty, ty])
    }

    fn product_type(&self, m: &mut Modifiers<'_, 's>, part: Part) -> Res<Ty> {
        match part {
            Part::Wide => m.ty(&[Ty::U16, Ty::U32, Ty::S16, Ty::S32]),
            _ => m.ty(&INTEGERS),
        }
    }

    pub(super) fn mad(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let Some(part) = m.choose(&PARTS) else {
            // Since sm_20 `mad.rn.f32` is `fma.rn.f32`.
            return self.fma(inst, m);
        };
        if part != Part::Wide && m.take(".cc") {
            let ty = m.ty(&INTEGERS_32_64)?;
            m.end()?;
            return self.mad_carry(inst, ty, part, false, true);
        }
        let sat = part == Part::Hi && m.take(".sat");
        let ty = self.product_type(m, part)?;
        m.end()?;
        check_saturation(m, ty, sat)?;
        let to = if part == Part::Wide {
            doubled(ty).unwrap_or(ty)
        } else {
            ty
        };
        self.simple(inst, Op::Mad { ty, part, sat }, to, &[ty, ty, to])
    }

    pub(super) fn madc(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let part = m.need(&PARTS[..2])?;
        let out = m.take(".cc");
        let ty = m.ty(&INTEGERS_32_64)?;
        m.end()?;
        self.mad_carry(inst, ty, part, true, out)
    }

    fn mad_carry(
        &mut self,
        inst: &Inst<'s>,
        ty: Ty,
        part: Part,
        carry_in: bool,
        out: bool,
    ) -> Res<()> {
        count(inst, 4, 4)?;
        let mut srcs = Vec::with_capacity(4);
        for operand in &inst.operands[1..] {
            srcs.push(self.src(operand, ty)?);
        }
        self.push_carry(
            inst,
            Op::MadCarry { ty, part },
            ty,
            &mut srcs,
            carry_in,
            out,
        )
    }

    pub(super) fn mul24(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let hi = m.need(&[(".lo", false), (".hi", true)])?;
        let fused = inst.opcode.text == "mad24";
        let sat = fused && hi && m.take(".sat");
        let ty = m.ty(&[Ty::U32, Ty::S32])?;
        m.end()?;
        check_saturation(m, ty, sat)?;
        if fused {
            self.simple(inst, Op::Mad24 { ty, hi, sat }, ty, &[ty; 3])
        } else {
            self.simple(inst, Op::Mul24 { ty, hi }, ty, &[ty; 2])
        }
    }

    pub(super) fn div(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let precision = if m.take(".approx") {
            Some(Precision::Approx)
        } else if m.take(".full") {
            Some(Precision::Full)
        } else {
            m.choose(&super::modifiers::ROUND).map(Precision::Ieee)
        };
        let Some(precision) = precision else {
            let ty = m.ty(&INTEGERS)?;
            m.end()?;
            return self.simple(inst, Op::Div(ty), ty, &[ty, ty]);
        };
        let ftz = m.take(".ftz");
        let ty = match precision {
            Precision::Ieee(_) if !ftz => m.ty(&[Ty::F32, Ty::F64])?,
            _ => m.ty(&[Ty::F32])?,
        };
        m.end()?;
        self.simple(inst, Op::FDiv { ty, precision, ftz }, ty, &[ty, ty])
    }

    pub(super) fn rem_or_sad(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let ty = m.ty(&INTEGERS)?;
        m.end()?;
        match inst.opcode.text {
            "rem" => self.simple(inst, Op::Rem(ty), ty, &[ty, ty]),
            _ => self.simple(inst, Op::Sad(ty), ty, &[ty, ty, ty]),
        }
    }

    pub(super) fn abs_or_neg(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let ftz = m.take(".ftz");
        let ty = if ftz {
            m.ty(&[Ty::F32, Ty::F16, Ty::F16x2])?
        } else {
            let floats = [Ty::F32, Ty::F64, Ty::F16, Ty::F16x2, Ty::Bf16, Ty::Bf16x2];
            m.ty(&[&SIGNED[..], &floats].concat())?
        };
        m.end()?;
        let op = match (inst.opcode.text, is_float(ty)) {
            ("abs", true) => Op::FAbs { ty, ftz },
            ("abs", false) => Op::Abs(ty),
            (_, true) => Op::FNeg { ty, ftz },
            (_, false) => Op::Neg(ty),
        };
        self.simple(inst, op, ty, &[ty])
    }

    pub(super) fn min_or_max(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let ftz = m.take(".ftz");
        let nan = m.take(".NaN");
        let ty = m.ty(&SUMS)?;
        m.end()?;
        let fits = match ty {
            ty if is_integer(ty) => !ftz && !nan,
            Ty::F64 => !ftz && !nan,
            Ty::Bf16 | Ty::Bf16x2 => !ftz,
            _ => true,
        };
        if !fits {
            return Err(Problem::new(
                inst.opcode.span,
                format!(
                    "`{}` of this type does not take these modifiers",
                    inst.opcode.text
                ),
                "`.ftz` or `.NaN` that the type does not have",
            ));
        }
        let op = match (inst.opcode.text, is_float(ty)) {
            ("min", true) => Op::FMin { ty, ftz, nan },
            ("min", false) => Op::Min(ty),
            (_, true) => Op::FMax { ty, ftz, nan },
            (_, false) => Op::Max(ty),
        };
        self.simple(inst, op, ty, &[ty, ty])
    }

    pub(super) fn dot_product(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let hi = match inst.opcode.text {
            "dp2a" => Some(m.need(&[(".lo", false), (".hi", true)])?),
            _ => None,
        };
        let a = m.ty(&[Ty::U32, Ty::S32])?;
        let b = m.ty(&[Ty::U32, Ty::S32])?;
        m.end()?;
        let op = match hi {
            Some(hi) => Op::Dp2a { a, b, hi },
            None => Op::Dp4a(a, b),
        };
        let sum = if is_signed(a) || is_signed(b) {
            Ty::S32
        } else {
            Ty::U32
        };
        self.simple(inst, op, sum, &[a, b, sum])
    }
}
