//! `cvt`, `selp`, `slct`.

use super::Lower;
use super::modifiers::{Modifiers, ROUND, ROUND_INTEGRAL};
use super::operand::count;
use super::types::{bytes, is_float, name_of};
use crate::kernel::op::{Op, Round, Ty};
use crate::kernel::ptx::ast::Inst;
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::{Dst, Operand, Width};

const CONVERTED: [Ty; 12] = [
    Ty::U8,
    Ty::U16,
    Ty::U32,
    Ty::U64,
    Ty::S8,
    Ty::S16,
    Ty::S32,
    Ty::S64,
    Ty::F16,
    Ty::Bf16,
    Ty::F32,
    Ty::F64,
];
const SELECTED: [Ty; 11] = [
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

/// Modifiers of a conversion.
#[derive(Clone, Copy)]
struct Conversion {
    to: Ty,
    from: Ty,
    round: Option<Round>,
    integral: bool,
    ftz: bool,
    sat: bool,
}

impl Conversion {
    /// The rules of PTX ISA 9.7.9.21: what is wrong, if anything.
    fn wrong(self) -> Option<&'static str> {
        let (to_float, from_float) = (is_float(self.to), is_float(self.from));
        let float_round = self.round.is_some() && !self.integral;
        let halves = [self.to, self.from].contains(&Ty::Bf16);
        if halves
            && !matches!(
                (self.to, self.from),
                (Ty::Bf16, Ty::F32) | (Ty::F32, Ty::Bf16)
            )
        {
            return Some("bf16 converts only from and to f32");
        }
        if halves && (self.ftz || self.sat || self.integral) {
            return Some("bf16 conversions take no `.ftz`, `.sat` or integral rounding");
        }
        if self.ftz && self.to != Ty::F32 && self.from != Ty::F32 {
            return Some("`.ftz` needs an f32 on one side");
        }
        match (to_float, from_float) {
            (false, true) if !self.integral => {
                Some("float to integer needs .rni, .rzi, .rmi or .rpi")
            }
            (true, false) if !float_round => Some("integer to float needs .rn, .rz, .rm or .rp"),
            (false, false) if self.round.is_some() => Some("integer to integer does not round"),
            (true, true) => {
                let (to, from) = (bytes(self.to), bytes(self.from));
                match to.cmp(&from) {
                    std::cmp::Ordering::Less if !float_round => {
                        Some("a narrower float needs .rn, .rz, .rm or .rp")
                    }
                    std::cmp::Ordering::Greater if self.round.is_some() => {
                        Some("a wider float is exact and does not round")
                    }
                    std::cmp::Ordering::Equal if float_round => {
                        Some("a float of the same size rounds only to integral values")
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn op(self) -> Op {
        let Conversion {
            to,
            from,
            round,
            integral,
            ftz,
            sat,
        } = self;
        Op::Cvt {
            to,
            from,
            round,
            integral,
            ftz,
            sat,
        }
    }
}

impl<'p, 's> Lower<'p, 's> {
    pub(super) fn cvt(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let integral = m.choose(&ROUND_INTEGRAL);
        let round = match integral {
            Some(round) => Some(round),
            None => m.choose(&ROUND),
        };
        let (ftz, sat) = (m.take(".ftz"), m.take(".sat"));
        if m.next() == Some(".f16x2") || m.next() == Some(".bf16x2") {
            return self.cvt_pair(inst, m, round, integral.is_some() || ftz || sat);
        }
        let to = m.ty(&CONVERTED)?;
        let from = m.ty(&CONVERTED)?;
        m.end()?;
        let conversion = Conversion {
            to,
            from,
            round,
            integral: integral.is_some(),
            ftz,
            sat,
        };
        if let Some(reason) = conversion.wrong() {
            return Err(Problem::new(
                inst.opcode.span,
                format!(
                    "`cvt{}{}` with these modifiers does not exist",
                    name_of(to),
                    name_of(from)
                ),
                reason,
            ));
        }
        count(inst, 2, 2)?;
        let src = match self.special_operand(&inst.operands[1])? {
            Some(special) => self.special_source(special, from, inst)?,
            None => self.wide_src(&inst.operands[1], from)?,
        };
        let (dst, into) = self.wide_dst(&inst.operands[0], to)?;
        self.build.push(conversion.op(), &[Dst::Reg(dst)], &[src]);
        self.extend(dst, into, to);
        Ok(())
    }

    fn special_source(
        &mut self,
        special: crate::kernel::Special,
        from: Ty,
        inst: &Inst<'s>,
    ) -> Res<Operand> {
        let (reg, ty) = self.read_special(special);
        if is_float(from) || bytes(from) > bytes(ty) {
            return Err(Problem::new(
                inst.operands[1].span,
                format!("special register as {}", name_of(from)),
                format!("expected type {}", name_of(ty)),
            ));
        }
        if bytes(ty) == 8 && bytes(from) < 8 {
            let cut = self.build.reg(Width::W32);
            let op = super::operand::conversion(Ty::U32, Ty::U64);
            self.build.push(op, &[Dst::Reg(cut)], &[Operand::Reg(reg)]);
            return Ok(Operand::Reg(cut));
        }
        Ok(Operand::Reg(reg))
    }

    /// `cvt.rn.f16x2.f32 d, a, b`: a in the upper half.
    fn cvt_pair(
        &mut self,
        inst: &Inst<'s>,
        m: &mut Modifiers<'_, 's>,
        round: Option<Round>,
        others: bool,
    ) -> Res<()> {
        let pair = m.ty(&[Ty::F16x2, Ty::Bf16x2])?;
        let from = m.ty(&[Ty::F32])?;
        m.end()?;
        let round = match round {
            Some(Round::Nearest | Round::Zero) if !others => round,
            _ => {
                return Err(Problem::new(
                    inst.opcode.span,
                    "a conversion to two halves takes `.rn` or `.rz` only",
                    "other modifiers are not supported",
                ));
            }
        };
        count(inst, 3, 3)?;
        let hi = self.src(&inst.operands[1], from)?;
        let lo = self.src(&inst.operands[2], from)?;
        let dst = self.dst(&inst.operands[0], pair)?;
        let to = if pair == Ty::F16x2 { Ty::F16 } else { Ty::Bf16 };
        let op = Op::Cvt {
            to,
            from,
            round,
            integral: false,
            ftz: false,
            sat: false,
        };
        let (low, high) = (self.build.reg(Width::W32), self.build.reg(Width::W32));
        self.build.push(op, &[Dst::Reg(low)], &[lo]);
        self.build.push(op, &[Dst::Reg(high)], &[hi]);
        self.build.push(
            Op::Pack(Ty::B32),
            &[dst],
            &[Operand::Reg(low), Operand::Reg(high)],
        );
        Ok(())
    }

    pub(super) fn selp(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let ty = m.ty(&SELECTED)?;
        m.end()?;
        self.simple(inst, Op::Selp(ty), ty, &[ty, ty, Ty::Pred])
    }

    pub(super) fn slct(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let ftz = m.take(".ftz");
        let ty = m.ty(&SELECTED)?;
        let by = if ftz {
            m.ty(&[Ty::F32])?
        } else {
            m.ty(&[Ty::S32, Ty::F32])?
        };
        m.end()?;
        self.simple(inst, Op::Slct(ty, by, ftz), ty, &[ty, ty, by])
    }
}
