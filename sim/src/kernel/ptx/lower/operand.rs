//! Operands: registers, constants, addresses; with the type check of PTX ISA 9.4.

use super::Lower;
use super::scope::{Place, Symbol, mismatch};
use super::types::{agrees, agrees_wide, bytes, is_signed, name_of, width};
use crate::kernel::op::{Cmp, Op, Ty};
use crate::kernel::ptx::ast::{Inst, Name, Operand as Written, OperandKind};
use crate::kernel::ptx::constant::{Expr, evaluate};
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::{Dst, Operand, Pred, Reg, Width};

/// Checks the number of operands.
pub fn count(inst: &Inst<'_>, least: usize, most: usize) -> Res<()> {
    let found = inst.operands.len();
    if (least..=most).contains(&found) {
        return Ok(());
    }
    let expected = if least == most {
        format!("{least}")
    } else {
        format!("{least} to {most}")
    };
    Err(Problem::new(
        inst.span,
        format!("`{}` has {found} operands", inst.opcode.text),
        format!("expected {expected}"),
    ))
}

impl<'p, 's> Lower<'p, 's> {
    /// An operation whose operands are all plain: one destination, then sources.
    pub(super) fn simple(&mut self, inst: &Inst<'s>, op: Op, dst: Ty, srcs: &[Ty]) -> Res<()> {
        count(inst, srcs.len() + 1, srcs.len() + 1)?;
        let mut found = Vec::with_capacity(srcs.len());
        for (operand, ty) in inst.operands[1..].iter().zip(srcs) {
            found.push(self.src(operand, *ty)?);
        }
        let dst = self.dst(&inst.operands[0], dst)?;
        self.build.push(op, &[dst], &found);
        Ok(())
    }

    /// The register of that name, which must be declared.
    pub(super) fn register(&mut self, name: Name<'s>) -> Res<(Ty, Place)> {
        if let Some(found) = self.frame.scopes.register(name.text, &mut self.build) {
            return Ok(found);
        }
        let problem = match self.frame.scopes.find(name.text) {
            Some(Symbol::Variable { .. }) => Problem::new(
                name.span,
                format!("`{}` is a variable, not a register", name.text),
                "expected a register",
            ),
            _ if self.program.globals.find(name.text).is_some() => Problem::new(
                name.span,
                format!("`{}` is a variable, not a register", name.text),
                "expected a register; `mov` takes the address of a variable",
            ),
            _ if name.text.starts_with('%') && super::moves::special(name.text, "").is_some() => {
                Problem::new(
                    name.span,
                    format!("special register `{}` cannot be used here", name.text),
                    "only `mov` and `cvt` read special registers",
                )
            }
            _ => Problem::new(
                name.span,
                format!("register `{}` is not declared", name.text),
                "no `.reg` declares it in this scope",
            ),
        };
        Err(problem)
    }

    fn general(&mut self, name: Name<'s>, ty: Ty, wide: bool) -> Res<Reg> {
        let (declared, place) = self.register(name)?;
        let fits = if wide {
            agrees_wide(ty, declared)
        } else {
            agrees(ty, declared)
        };
        match place {
            Place::General(reg) if fits => Ok(reg),
            _ => Err(mismatch(
                name,
                declared,
                &format!(
                    "a register of type {} or of bits of the same size",
                    name_of(ty)
                ),
            )),
        }
    }

    /// A predicate register.
    pub(super) fn predicate(&mut self, name: Name<'s>) -> Res<Pred> {
        match self.register(name)? {
            (_, Place::Predicate(pred)) => Ok(pred),
            (declared, Place::General(_)) => Err(mismatch(name, declared, "a predicate")),
        }
    }

    /// A predicate source, perhaps negated.
    pub(super) fn pred_src(&mut self, operand: &Written<'s>) -> Res<Operand> {
        match &operand.kind {
            OperandKind::Name(text) => {
                let pred = self.predicate(Name {
                    text,
                    span: operand.span,
                })?;
                Ok(Operand::Pred {
                    pred,
                    negated: false,
                })
            }
            OperandKind::Not(name) => Ok(Operand::Pred {
                pred: self.predicate(*name)?,
                negated: true,
            }),
            _ => Err(Problem::new(
                operand.span,
                "not a predicate",
                "expected a predicate register",
            )),
        }
    }

    /// A source of exactly this type.
    pub(super) fn src(&mut self, operand: &Written<'s>, ty: Ty) -> Res<Operand> {
        match &operand.kind {
            OperandKind::Name(text) if ty == Ty::Pred => {
                let pred = self.predicate(Name {
                    text,
                    span: operand.span,
                })?;
                Ok(Operand::Pred {
                    pred,
                    negated: false,
                })
            }
            OperandKind::Name(text) => Ok(Operand::Reg(self.general(
                Name {
                    text,
                    span: operand.span,
                },
                ty,
                false,
            )?)),
            OperandKind::Const(expr) if ty == Ty::Pred => self.constant_predicate(expr),
            OperandKind::Const(expr) => immediate(expr, ty),
            _ => Err(not_a_value(operand, ty)),
        }
    }

    /// A predicate that holds a constant.
    fn constant_predicate(&mut self, expr: &Expr<'s>) -> Res<Operand> {
        let Operand::Imm(bit) = immediate(expr, Ty::Pred)? else {
            return Err(Problem::new(
                expr.span,
                "not a predicate",
                "expected a predicate",
            ));
        };
        let pred = self.build.pred();
        let cmp = if bit == 0 { Cmp::Ne } else { Cmp::Eq };
        let op = Op::Setp {
            cmp,
            ty: Ty::U32,
            ftz: false,
            combine: None,
        };
        self.build
            .push(op, &[Dst::Pred(pred)], &[Operand::Imm(0), Operand::Imm(0)]);
        Ok(Operand::Pred {
            pred,
            negated: false,
        })
    }

    /// The data source of `st` or the source of `cvt`: a wider register is cut to the type first.
    pub(super) fn wide_src(&mut self, operand: &Written<'s>, ty: Ty) -> Res<Operand> {
        let OperandKind::Name(text) = &operand.kind else {
            return self.src(operand, ty);
        };
        let reg = self.general(
            Name {
                text,
                span: operand.span,
            },
            ty,
            true,
        )?;
        if reg.width == width(ty) {
            return Ok(Operand::Reg(reg));
        }
        let cut = self.build.reg(Width::W32);
        self.build.push(
            conversion(Ty::U32, Ty::U64),
            &[Dst::Reg(cut)],
            &[Operand::Reg(reg)],
        );
        Ok(Operand::Reg(cut))
    }

    /// A destination of exactly this type; `_` is a register that nobody reads.
    pub(super) fn dst(&mut self, operand: &Written<'s>, ty: Ty) -> Res<Dst> {
        let OperandKind::Name(text) = &operand.kind else {
            return Err(Problem::new(
                operand.span,
                "not a destination",
                format!("expected a register of type {}", name_of(ty)),
            ));
        };
        self.dst_name(
            Name {
                text,
                span: operand.span,
            },
            ty,
        )
    }

    pub(super) fn dst_name(&mut self, name: Name<'s>, ty: Ty) -> Res<Dst> {
        match (name.text, ty) {
            ("_", Ty::Pred) => Ok(Dst::Pred(self.build.pred())),
            ("_", ty) => Ok(Dst::Reg(self.build.reg(width(ty)))),
            (_, Ty::Pred) => Ok(Dst::Pred(self.predicate(name)?)),
            (_, ty) => Ok(Dst::Reg(self.general(name, ty, false)?)),
        }
    }

    /// The destination of `ld` or `cvt`. A 64-bit register for a smaller type gives a 32-bit one to write and the
    /// 64-bit one to extend into, by [`Lower::extend`], afterwards.
    pub(super) fn wide_dst(&mut self, operand: &Written<'s>, ty: Ty) -> Res<(Reg, Option<Reg>)> {
        let OperandKind::Name(text) = &operand.kind else {
            return Err(Problem::new(
                operand.span,
                "not a destination",
                "expected a register",
            ));
        };
        if *text == "_" {
            return Ok((self.build.reg(width(ty)), None));
        }
        let reg = self.general(
            Name {
                text,
                span: operand.span,
            },
            ty,
            true,
        )?;
        if reg.width == width(ty) {
            return Ok((reg, None));
        }
        Ok((self.build.reg(width(ty)), Some(reg)))
    }

    /// Extends a value of type `ty` from a 32-bit into a 64-bit register, by its sign if it has one.
    pub(super) fn extend(&mut self, from: Reg, into: Option<Reg>, ty: Ty) {
        let Some(into) = into else { return };
        let (to, source) = match (is_signed(ty), bytes(ty)) {
            (true, _) => (Ty::S64, Ty::S32),
            (false, 1) => (Ty::U64, Ty::U8),
            (false, 2) => (Ty::U64, Ty::U16),
            (false, _) => (Ty::U64, Ty::U32),
        };
        self.build.push(
            conversion(to, source),
            &[Dst::Reg(into)],
            &[Operand::Reg(from)],
        );
    }
}

/// A constant as the bits of a type.
pub fn immediate(expr: &Expr<'_>, ty: Ty) -> Res<Operand> {
    let value = evaluate(expr)?;
    match value.bits(ty) {
        Some(bits) => Ok(Operand::Imm(bits)),
        None => Err(Problem::new(
            expr.span,
            "constant of the wrong kind",
            format!("expected a constant of type {}", name_of(ty)),
        )),
    }
}

fn not_a_value(operand: &Written<'_>, ty: Ty) -> Box<Problem> {
    match operand.kind {
        OperandKind::Field(..) => Problem::new(
            operand.span,
            "special register cannot be used here",
            "only `mov` and `cvt` read special registers",
        ),
        _ => Problem::new(
            operand.span,
            "operand of the wrong form",
            format!("expected a register or constant of type {}", name_of(ty)),
        ),
    }
}

/// An integer conversion without modifiers.
pub fn conversion(to: Ty, from: Ty) -> Op {
    Op::Cvt {
        to,
        from,
        round: None,
        integral: false,
        ftz: false,
        sat: false,
    }
}
