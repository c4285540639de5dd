//! Loads, stores, atomics, fences.

use super::Lower;
use super::modifiers::Modifiers;
use super::operand::count;
use super::types::bytes;
use crate::kernel::op::{AtomOp, Mem, Op, Space, Ty};
use crate::kernel::ptx::ast::{Inst, Name, Operand as Written, OperandKind};
use crate::kernel::ptx::error::{Problem, Res};

/// State spaces as written. Clusters are one CTA here, but their addresses are not, so `::cluster` is not listed.
const SPACES: [(&str, Space); 8] = [
    (".global", Space::Global),
    (".shared", Space::Shared),
    (".shared::cta", Space::Shared),
    (".local", Space::Local),
    (".param", Space::Param),
    (".param::entry", Space::Param),
    (".param::func", Space::Param),
    (".const", Space::Const),
];

const SCOPES: [(&str, ()); 4] = [(".cta", ()), (".cluster", ()), (".gpu", ()), (".sys", ())];

/// Hints that do not change values: evict priorities and prefetch sizes.
const HINTS: [(&str, ()); 11] = [
    (".L1::evict_normal", ()),
    (".L1::evict_unchanged", ()),
    (".L1::evict_first", ()),
    (".L1::evict_last", ()),
    (".L1::no_allocate", ()),
    (".L2::evict_normal", ()),
    (".L2::evict_first", ()),
    (".L2::evict_last", ()),
    (".L2::64B", ()),
    (".L2::128B", ()),
    (".L2::256B", ()),
];

const ACCESSED: [Ty; 16] = [
    Ty::B8,
    Ty::B16,
    Ty::B32,
    Ty::B64,
    Ty::U8,
    Ty::U16,
    Ty::U32,
    Ty::U64,
    Ty::S8,
    Ty::S16,
    Ty::S32,
    Ty::S64,
    Ty::F32,
    Ty::F64,
    Ty::F16,
    Ty::Bf16,
];

/// How an access is ordered among the others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Plain,
    Acquire,
    Release,
    Both,
}

impl Order {
    fn releases(self) -> bool {
        matches!(self, Order::Release | Order::Both)
    }

    fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::Both)
    }
}

impl<'p, 's> Lower<'p, 's> {
    /// `.weak .volatile .relaxed.gpu .acquire.gpu`, which come before the state space: what they order, and whether the access
    /// is a strong one.
    fn order(
        &self,
        m: &mut Modifiers<'_, 's>,
        strong: (&'static str, Order),
    ) -> Res<(Order, bool)> {
        if m.take(".weak") {
            return Ok((Order::Plain, false));
        }
        if m.take(".volatile") {
            return Ok((Order::Plain, true));
        }
        match m.choose(&[(".relaxed", Order::Plain), strong]) {
            Some(order) => {
                m.need(&SCOPES)?;
                Ok((order, true))
            }
            None => Ok((Order::Plain, false)),
        }
    }

    /// Hints, vector length and type, which follow the state space.
    fn shape(&self, m: &mut Modifiers<'_, 's>, cache: &[(&'static str, ())]) -> Res<(u8, Ty)> {
        m.choose(cache);
        while m.choose(&HINTS).is_some() {}
        let vec = m.choose(&[(".v2", 2), (".v4", 4)]).unwrap_or(1);
        let ty = m.ty(&ACCESSED)?;
        m.end()?;
        if bytes(ty) * u64::from(vec) > 16 {
            return Err(Problem::new(
                m.opcode().span,
                "vector access of more than 16 bytes",
                "expected at most 16 bytes per lane",
            ));
        }
        Ok((vec, ty))
    }

    /// The elements of a vector operand, or the one scalar.
    fn elements<'o>(&self, operand: &'o Written<'s>, vec: u8) -> Res<&'o [Written<'s>]> {
        let found = match &operand.kind {
            OperandKind::Vector(parts) => parts.as_slice(),
            _ if vec == 1 => return Ok(std::slice::from_ref(operand)),
            _ => &[],
        };
        if vec == 1 || found.len() != usize::from(vec) {
            return Err(Problem::new(
                operand.span,
                "vector of the wrong length",
                format!("expected {vec} elements"),
            ));
        }
        Ok(found)
    }

    pub(super) fn ld(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let (order, strong) = self.order(m, (".acquire", Order::Acquire))?;
        let space = m.choose(&SPACES).unwrap_or(Space::Generic);
        let cache: &[(&'static str, ())] = match (inst.opcode.text, space) {
            ("ldu", _) => &[],
            (_, Space::Global) => &[
                (".ca", ()),
                (".cg", ()),
                (".cs", ()),
                (".lu", ()),
                (".cv", ()),
            ],
            _ => &[
                (".ca", ()),
                (".cg", ()),
                (".cs", ()),
                (".lu", ()),
                (".cv", ()),
            ],
        };
        m.choose(cache);
        if space == Space::Global {
            m.take(".nc");
        }
        let (vec, ty) = self.shape(m, &[])?;
        count(inst, 2, 2)?;
        let size = bytes(ty) * u64::from(vec);
        let address = self.address(&inst.operands[1], space, size)?;
        let mut dsts = Vec::new();
        let mut extensions = Vec::new();
        for operand in self.elements(&inst.operands[0], vec)? {
            let (reg, into) = self.wide_dst(operand, ty)?;
            dsts.push(crate::kernel::Dst::Reg(reg));
            extensions.push((reg, into));
        }
        let mem = Mem {
            space: address.space,
            ty,
            vec,
            offset: address.offset,
            strong,
        };
        self.build.push(Op::Ld(mem), &dsts, &[address.base]);
        for (reg, into) in extensions {
            self.extend(reg, into, ty);
        }
        if order.acquires() {
            self.build.push(Op::Membar, &[], &[]);
        }
        Ok(())
    }

    pub(super) fn st(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        let (order, _) = self.order(m, (".release", Order::Release))?;
        let written = m.choose(&SPACES).unwrap_or(Space::Generic);
        let (vec, ty) = self.shape(m, &[(".wb", ()), (".cg", ()), (".cs", ()), (".wt", ())])?;
        count(inst, 2, 2)?;
        let size = bytes(ty) * u64::from(vec);
        let address = self.address(&inst.operands[0], written, size)?;
        if matches!(address.space, Space::Param | Space::Const) {
            return Err(Problem::new(
                inst.operands[0].span,
                "store to read-only memory",
                "kernel parameters and constants cannot be stored to",
            ));
        }
        let mut srcs = vec![address.base];
        for operand in self.elements(&inst.operands[1], vec)? {
            srcs.push(self.wide_src(operand, ty)?);
        }
        if order.releases() {
            self.build.push(Op::Membar, &[], &[]);
        }
        let mem = Mem {
            space: address.space,
            ty,
            vec,
            offset: address.offset,
            strong: false,
        };
        self.build.push(Op::St(mem), &[], &srcs);
        Ok(())
    }

    pub(super) fn atom(
        &mut self,
        inst: &Inst<'s>,
        m: &mut Modifiers<'_, 's>,
        returns: bool,
    ) -> Res<()> {
        let order = m
            .choose(&[
                (".relaxed", Order::Plain),
                (".acquire", Order::Acquire),
                (".release", Order::Release),
                (".acq_rel", Order::Both),
            ])
            .unwrap_or(Order::Plain);
        m.choose(&SCOPES);
        let space = m
            .choose(&[
                (".global", Space::Global),
                (".shared", Space::Shared),
                (".shared::cta", Space::Shared),
            ])
            .unwrap_or(Space::Generic);
        let common = [
            (".add", AtomOp::Add),
            (".min", AtomOp::Min),
            (".max", AtomOp::Max),
            (".and", AtomOp::And),
            (".or", AtomOp::Or),
            (".xor", AtomOp::Xor),
            (".inc", AtomOp::Inc),
            (".dec", AtomOp::Dec),
            (".exch", AtomOp::Exch),
            (".cas", AtomOp::Cas),
        ];
        let op = m.need(if returns { &common[..] } else { &common[..8] })?;
        let noftz = op == AtomOp::Add && m.take(".noftz");
        let ty = m.ty(match op {
            AtomOp::Add if noftz => &[Ty::F16, Ty::F16x2, Ty::Bf16, Ty::Bf16x2],
            AtomOp::Add => &[Ty::U32, Ty::S32, Ty::U64, Ty::F32, Ty::F64],
            AtomOp::Min | AtomOp::Max => &[Ty::U32, Ty::S32, Ty::U64, Ty::S64],
            AtomOp::And | AtomOp::Or | AtomOp::Xor | AtomOp::Exch => &[Ty::B32, Ty::B64],
            AtomOp::Cas => &[Ty::B16, Ty::B32, Ty::B64],
            AtomOp::Inc | AtomOp::Dec => &[Ty::U32],
        })?;
        m.end()?;
        let values = if op == AtomOp::Cas { 2 } else { 1 };
        let first = usize::from(returns);
        count(inst, first + 1 + values, first + 1 + values)?;
        let address = self.address(&inst.operands[first], space, bytes(ty))?;
        let mut srcs = vec![address.base];
        for operand in &inst.operands[first + 1..] {
            srcs.push(self.src(operand, ty)?);
        }
        if order.releases() {
            self.build.push(Op::Membar, &[], &[]);
        }
        let (space, offset) = (address.space, address.offset);
        if returns {
            let dst = self.dst(&inst.operands[0], ty)?;
            self.build.push(
                Op::Atom {
                    space,
                    ty,
                    op,
                    offset,
                },
                &[dst],
                &srcs,
            );
        } else {
            self.build.push(
                Op::Red {
                    space,
                    ty,
                    op,
                    offset,
                },
                &[],
                &srcs,
            );
        }
        if order.acquires() {
            self.build.push(Op::Membar, &[], &[]);
        }
        Ok(())
    }

    pub(super) fn fence(&mut self, inst: &Inst<'s>, m: &mut Modifiers<'_, 's>) -> Res<()> {
        match inst.opcode.text {
            "membar" => m.need(&[(".cta", ()), (".gl", ()), (".sys", ())])?,
            _ => {
                m.choose(&[
                    (".sc", ()),
                    (".acq_rel", ()),
                    (".acquire", ()),
                    (".release", ()),
                ]);
                m.need(&SCOPES)?;
            }
        }
        m.end()?;
        count(inst, 0, 0)?;
        self.build.push(Op::Membar, &[], &[]);
        Ok(())
    }

    /// A name as an operand.
    pub(super) fn name_of_operand(&self, operand: &Written<'s>, what: &str) -> Res<Name<'s>> {
        match operand.kind {
            OperandKind::Name(text) => Ok(Name {
                text,
                span: operand.span,
            }),
            _ => Err(Problem::new(
                operand.span,
                "operand of the wrong form",
                format!("expected {what}"),
            )),
        }
    }
}
