//! `mov` in all its forms, special registers, `cvta`, `isspacep`.

use super::Lower;
use super::globals::Located;
use super::modifiers::Modifiers;
use super::operand::{conversion, count};
use super::types::{bytes, name_of, width};
use crate::kernel::op::{Op, Space, Ty};
use crate::kernel::ptx::ast::{Inst, Name, Operand as Written, OperandKind};
use crate::kernel::ptx::constant;
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::{Dst, Operand, Reg, Special, Width};

const MOV_TYPES: [Ty; 12] = [
    Ty::Pred,
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

/// State spaces of `cvta` and `isspacep`.
const SPACES: [(&str, Space); 5] = [
    (".global", Space::Global),
    (".shared", Space::Shared),
    (".shared::cta", Space::Shared),
    (".local", Space::Local),
    (".const", Space::Const),
];

/// The special register of that name and field.
pub fn special(name: &str, field: &str) -> Option<Special> {
    let axis = match field {
        ".x" => Some(0),
        ".y" => Some(1),
        ".z" => Some(2),
        _ => None,
    };
    Some(match (name, axis, field) {
        ("%tid", Some(axis), _) => Special::Tid(axis),
        ("%ntid", Some(axis), _) => Special::Ntid(axis),
        ("%ctaid", Some(axis), _) => Special::Ctaid(axis),
        ("%nctaid", Some(axis), _) => Special::Nctaid(axis),
        ("%laneid", _, "") => Special::LaneId,
        ("%warpid", _, "") => Special::WarpId,
        ("%nwarpid", _, "") => Special::NwarpId,
        ("%smid", _, "") => Special::SmId,
        ("%nsmid", _, "") => Special::NsmId,
        ("%gridid", _, "") => Special::GridId,
        ("%clock", _, "") => Special::Clock,
        ("%clock64", _, "") => Special::Clock64,
        ("%lanemask_eq", _, "") => Special::LanemaskEq,
        ("%lanemask_le", _, "") => Special::LanemaskLe,
        ("%lanemask_lt", _, "") => Special::LanemaskLt,
        ("%lanemask_ge", _, "") => Special::LanemaskGe,
        ("%lanemask_gt", _, "") => Special::LanemaskGt,
        ("%dynamic_smem_size", _, "") => Special::DynamicScratchpadBytes,
        ("%total_smem_size", _, "") => Special::TotalScratchpadBytes,
        _ => return None,
    })
}

impl<'p, 's> Lower<'p, 's> {
    /// The special register that an operand names, if it is no declared register.
    pub(super) fn special_operand(&mut self, operand: &Written<'s>) -> Res<Option<Special>> {
        let (name, field) = match &operand.kind {
            OperandKind::Name(text) => (*text, ""),
            OperandKind::Field(text, field) => (*text, *field),
            _ => return Ok(None),
        };
        if field.is_empty() && self.frame.scopes.find(name).is_some() {
            return Ok(None);
        }
        match special(name, field) {
            Some(special) => Ok(Some(special)),
            None if !field.is_empty() => Err(Problem::new(
                operand.span,
                format!("special register `{name}{field}` is not supported"),
                "expected %tid, %ntid, %ctaid or %nctaid with .x, .y or .z",
            )),
            None => Ok(None),
        }
    }

    /// Reads a special register into a fresh register of its own width.
    pub(super) fn read_special(&mut self, special: Special) -> (Reg, Ty) {
        let ty = if special == Special::Clock64 {
            Ty::U64
        } else {
            Ty::U32
        };
        let reg = self.build.reg(width(ty));
        self.build
            .push(Op::Mov(ty), &[Dst::Reg(reg)], &[Operand::Special(special)]);
        (reg, ty)
    }

    pub(super) fn mov(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let ty = m.ty(&MOV_TYPES)?;
        m.end()?;
        count(inst, 2, 2)?;
        let (to, from) = (&inst.operands[0], &inst.operands[1]);
        match (&to.kind, &from.kind) {
            (OperandKind::Vector(parts), _) => return self.unpack(ty, parts, to, from),
            (_, OperandKind::Vector(parts)) => return self.pack(ty, to, parts, from),
            _ => {}
        }
        if let Some(special) = self.special_operand(from)? {
            return self.mov_special(ty, to, special);
        }
        let src = match &from.kind {
            OperandKind::Name(text) if ty != Ty::Pred => {
                let name = Name {
                    text,
                    span: from.span,
                };
                match self.variable_value(name, 0, ty)? {
                    Some(address) => address,
                    None => self.src(from, ty)?,
                }
            }
            OperandKind::Const(expr) => match constant::address(expr) {
                Ok(address) if address.symbol.is_some() => {
                    let name = address.symbol.unwrap_or(inst.opcode);
                    match self.variable_value(name, address.offset, ty)? {
                        Some(address) => address,
                        None => self.src(from, ty)?,
                    }
                }
                _ => self.src(from, ty)?,
            },
            _ => self.src(from, ty)?,
        };
        let dst = self.dst(to, ty)?;
        self.build.push(Op::Mov(ty), &[dst], &[src]);
        Ok(())
    }

    /// The address of a variable as a value of type `ty`; `None` if the name is no variable.
    fn variable_value(&mut self, name: Name<'s>, offset: i64, ty: Ty) -> Res<Option<Operand>> {
        if self.program.functions.contains_key(name.text)
            && self.frame.scopes.find(name.text).is_none()
        {
            let function = self.program.functions[name.text];
            return match (ty, offset) {
                (Ty::U64 | Ty::S64 | Ty::B64, 0) => {
                    Ok(Some(Operand::Imm(super::indirect::address(function))))
                }
                _ => Err(super::indirect::no_address(name)),
            };
        }
        let Some(Located {
            space,
            address: mut base,
            storage,
            ..
        }) = self.variable(name)?
        else {
            return Ok(None);
        };
        let small = matches!(space, Space::Shared | Space::Local | Space::Param);
        let fits = match ty {
            Ty::U64 | Ty::S64 | Ty::B64 => true,
            Ty::U32 | Ty::S32 | Ty::B32 => small,
            _ => false,
        };
        if !fits {
            return Err(Problem::new(
                name.span,
                format!(
                    "the address of `{}` does not fit type {}",
                    name.text,
                    name_of(ty)
                ),
                "expected a 64-bit type",
            ));
        }
        if let Some(storage) = storage {
            base = self.take_storage_address(storage);
        }
        let value = base.wrapping_add(offset as u64);
        if self.is_function() && (space == Space::Local || storage.is_some()) {
            return Ok(Some(self.frame_address(value as u32, ty)));
        }
        Ok(Some(Operand::Imm(if bytes(ty) == 4 {
            value & 0xffff_ffff
        } else {
            value
        })))
    }

    /// The address of what lies at `offset` in the local memory of a function whose calls stay calls.
    fn frame_address(&mut self, offset: u32, ty: Ty) -> Operand {
        let low = self.build.reg(Width::W32);
        let offset = Operand::Imm(offset.into());
        self.build
            .push(Op::FrameAddress, &[Dst::Reg(low)], &[offset]);
        if bytes(ty) == 4 {
            return Operand::Reg(low);
        }
        let wide = self.build.reg(Width::W64);
        let extend = conversion(Ty::U64, Ty::U32);
        self.build
            .push(extend, &[Dst::Reg(wide)], &[Operand::Reg(low)]);
        Operand::Reg(wide)
    }

    fn mov_special(&mut self, ty: Ty, to: &Written<'s>, special: Special) -> Res<()> {
        let native = if special == Special::Clock64 { 8 } else { 4 };
        if matches!(ty, Ty::Pred | Ty::F32 | Ty::F64) {
            return Err(Problem::new(
                to.span,
                format!("a special register is not of type {}", name_of(ty)),
                "expected an integer type",
            ));
        }
        let dst = self.dst(to, ty)?;
        if bytes(ty) == native {
            self.build
                .push(Op::Mov(ty), &[dst], &[Operand::Special(special)]);
            return Ok(());
        }
        let (reg, from) = self.read_special(special);
        let to = match bytes(ty) {
            2 => Ty::U16,
            4 => Ty::U32,
            _ => Ty::U64,
        };
        self.build
            .push(conversion(to, from), &[dst], &[Operand::Reg(reg)]);
        Ok(())
    }

    /// Type of one part of a vector of `parts` parts of a value of type `ty`.
    fn part_type(&self, ty: Ty, parts: &[Written<'s>], at: &Written<'s>) -> Res<Ty> {
        match (ty, parts.len()) {
            (Ty::B32, 2) | (Ty::B64, 4) => Ok(Ty::B16),
            (Ty::B64, 2) => Ok(Ty::B32),
            _ => Err(Problem::new(
                at.span,
                format!(
                    "`mov{}` with {} parts is not supported",
                    name_of(ty),
                    parts.len()
                ),
                "expected 2 parts for .b32, 2 or 4 for .b64",
            )),
        }
    }

    fn pack(
        &mut self,
        ty: Ty,
        to: &Written<'s>,
        parts: &[Written<'s>],
        at: &Written<'s>,
    ) -> Res<()> {
        let part = self.part_type(ty, parts, at)?;
        let mut values = Vec::with_capacity(parts.len());
        for operand in parts {
            values.push(self.src(operand, part)?);
        }
        let dst = self.dst(to, ty)?;
        if let [a, b, c, d] = values[..] {
            let (lo, hi) = (self.build.reg(Width::W32), self.build.reg(Width::W32));
            self.build.push(Op::Pack(Ty::B32), &[Dst::Reg(lo)], &[a, b]);
            self.build.push(Op::Pack(Ty::B32), &[Dst::Reg(hi)], &[c, d]);
            values = vec![Operand::Reg(lo), Operand::Reg(hi)];
        }
        self.build.push(Op::Pack(ty), &[dst], &values);
        Ok(())
    }

    fn unpack(
        &mut self,
        ty: Ty,
        parts: &[Written<'s>],
        at: &Written<'s>,
        from: &Written<'s>,
    ) -> Res<()> {
        let part = self.part_type(ty, parts, at)?;
        let src = self.src(from, ty)?;
        let mut dsts = Vec::with_capacity(parts.len());
        for operand in parts {
            dsts.push(self.dst(operand, part)?);
        }
        if let [a, b, c, d] = dsts[..] {
            let (lo, hi) = (self.build.reg(Width::W32), self.build.reg(Width::W32));
            self.build
                .push(Op::Unpack(Ty::B64), &[Dst::Reg(lo), Dst::Reg(hi)], &[src]);
            self.build
                .push(Op::Unpack(Ty::B32), &[a, b], &[Operand::Reg(lo)]);
            self.build
                .push(Op::Unpack(Ty::B32), &[c, d], &[Operand::Reg(hi)]);
            return Ok(());
        }
        self.build.push(Op::Unpack(ty), &dsts, &[src]);
        Ok(())
    }

    pub(super) fn cvta(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let from_generic = m.take(".to");
        let space = m.need(&SPACES)?;
        let ty = m.ty(&[Ty::U64])?;
        m.end()?;
        count(inst, 2, 2)?;
        let op = match (space, from_generic) {
            // Device memory has the same address in the generic space.
            (Space::Global | Space::Const, _) => Op::Mov(Ty::B64),
            (space, true) => Op::CvtaFromGeneric(space),
            (space, false) => Op::CvtaToGeneric(space),
        };
        let from = &inst.operands[1];
        let named = match &from.kind {
            OperandKind::Name(text) => Some((
                Name {
                    text,
                    span: from.span,
                },
                0,
            )),
            OperandKind::Const(expr) => {
                let address = constant::address(expr)?;
                address.symbol.map(|name| (name, address.offset))
            }
            _ => None,
        };
        let address = match named {
            Some((name, offset)) if !from_generic => {
                if let Some(found) = self.variable(name)?
                    && found.space != space
                {
                    return Err(Problem::new(
                        name.span,
                        format!("variable `{}` is in another state space", name.text),
                        "`cvta` names a different one",
                    ));
                }
                self.variable_value(name, offset, ty)?
            }
            _ => None,
        };
        let src = match address {
            Some(address) => address,
            None => self.src(from, ty)?,
        };
        let dst = self.dst(&inst.operands[0], ty)?;
        self.build.push(op, &[dst], &[src]);
        Ok(())
    }

    pub(super) fn isspacep(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let space = m.need(&SPACES[..4])?;
        m.end()?;
        self.simple(inst, Op::Isspacep(space), Ty::Pred, &[Ty::U64])
    }
}
