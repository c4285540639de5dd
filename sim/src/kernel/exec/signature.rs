//! Operand kinds and widths of every operation: the one table that all users of the instruction set share.

use super::slot::{IllegalOp, Kind, Signature};
use crate::kernel::op::{AtomOp, BarKind, Mem, Op, Part, Precision, Space, Ty, VoteMode};
use crate::kernel::reg::Width;

const W32: Kind = Kind::Reg(Width::W32);
const W64: Kind = Kind::Reg(Width::W64);

/// Whether [`super::alu`] computes it.
pub fn is_alu(op: &Op) -> bool {
    !matches!(
        op,
        Op::Ld(_)
            | Op::St(_)
            | Op::Atom { .. }
            | Op::Red { .. }
            | Op::Membar
            | Op::Shfl(_)
            | Op::Vote(_)
            | Op::Activemask
            | Op::Bar(_)
            | Op::WarpSync
            | Op::Bra(_)
            | Op::Exit
            | Op::Call(_)
            | Op::Ret
            | Op::Argument(_)
            | Op::FrameAddress
            | Op::PassOnStack(..)
            | Op::TakeFromStack(..)
            | Op::Push
            | Op::Pop
            | Op::Trap
            | Op::Nop
            | Op::Acquire
            | Op::Release
            | Op::Pir
            | Op::Pbr
            | Op::Traced(_)
    )
}

/// Width of source `i` in 32-bit registers: what a constant or a special register takes there. 0 for a
/// predicate, for a place that the operation does not have, and for an illegal operation.
pub fn src_width(op: &Op, i: usize) -> u16 {
    match signature(op) {
        Ok(signature) => signature.srcs.get(i).map_or(0, |slot| slot.kind.regs()),
        Err(_) => 0,
    }
}

/// Width of destination `i` in 32-bit registers; 0 as for [`src_width`].
pub fn dst_width(op: &Op, i: usize) -> u16 {
    match signature(op) {
        Ok(signature) => signature.dsts.get(i).map_or(0, |slot| slot.kind.regs()),
        Err(_) => 0,
    }
}

use Ty::*;

/// Types of an integer operation, by what it accepts.
const INT: &[Ty] = &[U16, S16, U32, S32, U64, S64];
const WORDS: &[Ty] = &[U32, S32, U64, S64];
const BITS: &[Ty] = &[B16, B32, B64];
const BITS_32_64: &[Ty] = &[B32, B64];
const FLOAT: &[Ty] = &[F32, F64, F16, F16x2, Bf16, Bf16x2];
const SINGLE_DOUBLE: &[Ty] = &[F32, F64];
const WORD_SIGNS: &[Ty] = &[U32, S32];
const SLCT: &[Ty] = &[B16, B32, B64, U16, U32, U64, S16, S32, S64, F32, F64];

/// Operand kinds of `op`.
///
/// # Errors
/// The operation does not exist with this type, space or modifier.
pub fn signature(op: &Op) -> Result<Signature, IllegalOp> {
    let illegal = |reason| IllegalOp { op: *op, reason };
    let demand = |condition: bool, reason| {
        if condition {
            Ok(())
        } else {
            Err(illegal(reason))
        }
    };
    let one_of = |ty: Ty, types: &[Ty]| demand(types.contains(&ty), "type");
    let r = |ty: Ty| Kind::Reg(ty.width());
    let plain = |ty: Ty, sources: usize| {
        let kind = r(ty);
        Signature::new(&[kind], &[kind; 4][..sources])
    };
    // All of one type, `sources` of them, after a check of the type.
    let same = |ty: Ty, types: &[Ty], sources: usize| {
        one_of(ty, types)?;
        Ok(plain(ty, sources))
    };
    let pred_or = |ty: Ty, sources: usize| {
        if ty == Pred {
            Ok(Signature::new(&[Kind::Pred], &[Kind::Pred; 2][..sources]))
        } else {
            same(ty, BITS, sources)
        }
    };
    match *op {
        Op::Mov(Pred) => Ok(Signature::new(&[Kind::Pred], &[Kind::Pred])),
        Op::Mov(ty) => Ok(plain(ty, 1)),
        Op::Pack(ty) | Op::Unpack(ty) => {
            one_of(ty, BITS_32_64)?;
            Ok(if matches!(op, Op::Pack(_)) {
                Signature::new(&[r(ty)], &[W32, W32])
            } else {
                Signature::new(&[W32, W32], &[r(ty)])
            })
        }
        Op::Selp(ty) => {
            demand(ty != Pred, "type")?;
            Ok(Signature::new(&[r(ty)], &[r(ty), r(ty), Kind::Pred]))
        }
        Op::Slct(ty, by, _) => {
            one_of(ty, SLCT)?;
            one_of(by, &[S32, F32])?;
            Ok(Signature::new(&[r(ty)], &[r(ty), r(ty), W32]))
        }
        Op::Cvt {
            to,
            from,
            integral,
            round,
            ..
        } => {
            demand(!integral || round.is_some(), "modifier")?;
            demand(to != Pred && from != Pred, "type")?;
            let packed = |ty| matches!(ty, F16x2 | Bf16x2);
            if packed(to) && from == F32 {
                demand(!integral, "modifier")?;
                return Ok(Signature::new(&[W32], &[W32, W32]));
            }
            demand(!packed(to) && !packed(from), "type")?;
            let between_floats = to.is_float() && from.is_float();
            demand(!integral || !between_floats || to == from, "modifier")?;
            Ok(Signature::new(&[r(to)], &[r(from)]))
        }
        Op::CvtaToGeneric(space) | Op::CvtaFromGeneric(space) => {
            demand(!matches!(space, Space::Generic | Space::Param), "space")?;
            Ok(if matches!(op, Op::CvtaToGeneric(_)) {
                Signature::new(&[W64], &[Kind::Address])
            } else {
                Signature::new(&[Kind::Address], &[W64])
            })
        }
        Op::Isspacep(space) => {
            let has_window = matches!(space, Space::Global | Space::Shared | Space::Local);
            demand(has_window, "space")?;
            Ok(Signature::new(&[Kind::Pred], &[Kind::Address]))
        }
        Op::Add { ty, sat } | Op::Sub { ty, sat } => {
            demand(!sat || ty == S32, "modifier")?;
            same(ty, INT, 2)
        }
        Op::AddCarry(ty) | Op::SubCarry(ty) => Ok(same(ty, &[U32, S32, U64, S64, B32, B64], 2)?
            .maybe_dst(Kind::Pred)
            .maybe_src(Kind::Pred)),
        Op::Mul { ty, part } => {
            one_of(ty, INT)?;
            Ok(Signature::new(&[product(ty, part, &illegal)?], &[r(ty); 2]))
        }
        Op::Mad { ty, part, sat } => {
            one_of(ty, INT)?;
            demand(!sat || (ty, part) == (S32, Part::Hi), "modifier")?;
            let result = product(ty, part, &illegal)?;
            Ok(Signature::new(&[result], &[r(ty), r(ty), result]))
        }
        Op::MadCarry { ty, part } => {
            demand(part != Part::Wide, "modifier")?;
            Ok(same(ty, WORDS, 3)?
                .maybe_dst(Kind::Pred)
                .maybe_src(Kind::Pred))
        }
        Op::Mul24 { ty, .. } => same(ty, WORD_SIGNS, 2),
        Op::Mad24 { ty, hi, sat } => {
            demand(!sat || ty == S32 && hi, "modifier")?;
            same(ty, WORD_SIGNS, 3)
        }
        Op::Div(ty) | Op::Rem(ty) | Op::Min(ty) | Op::Max(ty) => same(ty, INT, 2),
        Op::Abs(ty) | Op::Neg(ty) => same(ty, &[S16, S32, S64], 1),
        Op::Sad(ty) => same(ty, INT, 3),
        Op::Popc(ty) | Op::Clz(ty) => {
            one_of(ty, BITS_32_64)?;
            Ok(Signature::new(&[W32], &[r(ty)]))
        }
        Op::Bfind { ty, .. } => {
            one_of(ty, WORDS)?;
            Ok(Signature::new(&[W32], &[r(ty)]))
        }
        Op::Brev(ty) => same(ty, BITS_32_64, 1),
        Op::Bfe(ty) => {
            one_of(ty, WORDS)?;
            Ok(Signature::new(&[r(ty)], &[r(ty), W32, W32]))
        }
        Op::Bfi(ty) => {
            one_of(ty, BITS_32_64)?;
            Ok(Signature::new(&[r(ty)], &[r(ty), r(ty), W32, W32]))
        }
        Op::Prmt(_) | Op::Shf { .. } | Op::Lop3(_) => Ok(plain(B32, 3)),
        Op::Dp4a(a, b) | Op::Dp2a { a, b, .. } => {
            one_of(a, WORD_SIGNS)?;
            one_of(b, WORD_SIGNS)?;
            Ok(plain(B32, 3))
        }
        Op::And(ty) | Op::Or(ty) | Op::Xor(ty) => pred_or(ty, 2),
        Op::Not(ty) => pred_or(ty, 1),
        Op::Cnot(ty) => same(ty, BITS, 1),
        Op::Shl(ty) => {
            one_of(ty, BITS)?;
            Ok(Signature::new(&[r(ty)], &[r(ty), W32]))
        }
        Op::Shr(ty) => {
            demand(BITS.contains(&ty) || INT.contains(&ty), "type")?;
            Ok(Signature::new(&[r(ty)], &[r(ty), W32]))
        }
        Op::FAdd(ty, _) | Op::FSub(ty, _) | Op::FMul(ty, _) => same(ty, FLOAT, 2),
        Op::Fma(ty, _) => same(ty, FLOAT, 3),
        Op::FDiv { ty, precision, .. } => {
            demand(
                ty == F32 || matches!(precision, Precision::Ieee(_)),
                "modifier",
            )?;
            same(ty, SINGLE_DOUBLE, 2)
        }
        Op::Rcp { ty, precision, .. } | Op::Sqrt { ty, precision, .. } => {
            demand(precision != Precision::Full, "modifier")?;
            let approximate_double = ty == F64 && precision == Precision::Approx;
            demand(
                !approximate_double || matches!(op, Op::Rcp { .. }),
                "modifier",
            )?;
            same(ty, SINGLE_DOUBLE, 1)
        }
        Op::Rsqrt { ty, .. } => same(ty, SINGLE_DOUBLE, 1),
        Op::FAbs { ty, .. } | Op::FNeg { ty, .. } => same(ty, FLOAT, 1),
        Op::FMin { ty, .. } | Op::FMax { ty, .. } => same(ty, FLOAT, 2),
        Op::Sin { .. } | Op::Cos { .. } | Op::Lg2 { .. } => Ok(plain(F32, 1)),
        Op::Ex2 { ty, .. } | Op::Tanh(ty) => same(ty, &[F32, F16, F16x2, Bf16, Bf16x2], 1),
        Op::Copysign(ty) => same(ty, SINGLE_DOUBLE, 2),
        Op::Testp(ty, _) => {
            one_of(ty, SINGLE_DOUBLE)?;
            Ok(Signature::new(&[Kind::Pred], &[r(ty)]))
        }
        Op::Setp {
            cmp, ty, combine, ..
        } => {
            demand(ty != Pred, "type")?;
            demand(ty.is_float() || !cmp.is_float_only(), "comparison")?;
            Ok(Signature::new(&[Kind::Pred], &[r(ty), r(ty)])
                .maybe_dst(Kind::Pred)
                .maybe(combine.is_some(), Kind::Pred))
        }
        Op::Set {
            to,
            cmp,
            ty,
            combine,
            ..
        } => {
            demand(!matches!(ty, Pred | F16x2 | Bf16x2), "type")?;
            one_of(to, &[U32, S32, F32, U16, S16, F16, Bf16])?;
            demand(ty.is_float() || !cmp.is_float_only(), "comparison")?;
            Ok(Signature::new(&[W32], &[r(ty), r(ty)]).maybe(combine.is_some(), Kind::Pred))
        }
        Op::Ld(mem) => {
            vector(mem, &illegal)?;
            let element = [r(mem.ty); 4];
            Ok(Signature::new(
                &element[..usize::from(mem.vec)],
                &[Kind::Address],
            ))
        }
        Op::St(mem) => {
            vector(mem, &illegal)?;
            demand(!matches!(mem.space, Space::Param | Space::Const), "space")?;
            let mut srcs = [r(mem.ty); 5];
            srcs[0] = Kind::Address;
            Ok(Signature::new(&[], &srcs[..=usize::from(mem.vec)]))
        }
        Op::Atom {
            space,
            ty,
            op: operation,
            ..
        }
        | Op::Red {
            space,
            ty,
            op: operation,
            ..
        } => {
            demand(
                matches!(space, Space::Generic | Space::Global | Space::Shared),
                "space",
            )?;
            demand(atomic_has_type(operation, ty), "type")?;
            let returns = matches!(op, Op::Atom { .. });
            demand(
                returns || !matches!(operation, AtomOp::Cas | AtomOp::Exch),
                "operation",
            )?;
            let dst = [r(ty)];
            let dsts = if returns { &dst[..] } else { &[] };
            Ok(
                Signature::new(dsts, &[Kind::Address, r(ty)])
                    .maybe(operation == AtomOp::Cas, r(ty)),
            )
        }
        Op::Shfl(_) => Ok(Signature::new(&[W32], &[W32; 3])
            .maybe_dst(Kind::Pred)
            .maybe_src(W32)),
        Op::Vote(mode) => {
            let dst = if mode == VoteMode::Ballot {
                W32
            } else {
                Kind::Pred
            };
            Ok(Signature::new(&[dst], &[Kind::Pred]).maybe_src(W32))
        }
        Op::Activemask => Ok(Signature::new(&[W32], &[])),
        Op::Bar(kind) => {
            let barrier = |dsts: &[Kind]| Signature::new(dsts, &[W32]).maybe_src(W32);
            Ok(match kind {
                BarKind::Sync => barrier(&[]),
                // An arrival must say for how many threads, or no one could wait for it.
                BarKind::Arrive => Signature::new(&[], &[W32, W32]),
                BarKind::RedPopc => barrier(&[W32]).maybe(true, Kind::Pred),
                BarKind::RedAnd | BarKind::RedOr => barrier(&[Kind::Pred]).maybe(true, Kind::Pred),
            })
        }
        Op::Pir | Op::Pbr => Ok(Signature::new(&[], &[W64])),
        Op::Call(_) => Ok(Signature::any(4, 12)),
        Op::Traced(_) => Ok(Signature::any(4, 6)),
        Op::Ret => Ok(Signature::any(0, 4)),
        Op::Argument(_) => Ok(Signature::new(&[Kind::Address], &[])),
        Op::FrameAddress => Ok(Signature::new(&[W32], &[W32])),
        Op::PassOnStack(..) => Ok(Signature::new(&[], &[Kind::Address])),
        Op::TakeFromStack(..) => Ok(Signature::new(&[Kind::Address], &[])),
        Op::Push => Ok(Signature::new(&[], &[W32])),
        Op::Pop => Ok(Signature::new(&[W32], &[])),
        Op::WarpSync => Ok(Signature::new(&[], &[W32])),
        Op::Trap => Ok(Signature::default().maybe_src(W64)),
        Op::Exit => Ok(Signature::default().maybe_src(W32)),
        Op::Membar | Op::Bra(_) | Op::Nop | Op::Acquire | Op::Release => Ok(Signature::default()),
    }
}

/// Kind of the result of a multiplication.
fn product(
    ty: Ty,
    part: Part,
    illegal: &impl Fn(&'static str) -> IllegalOp,
) -> Result<Kind, IllegalOp> {
    match (part, ty) {
        (Part::Wide, U16 | S16) => Ok(W32),
        (Part::Wide, U32 | S32) => Ok(W64),
        (Part::Wide, _) => Err(illegal("modifier")),
        _ => Ok(Kind::Reg(ty.width())),
    }
}

/// Checks the elements of a load or store.
fn vector(mem: Mem, illegal: &impl Fn(&'static str) -> IllegalOp) -> Result<(), IllegalOp> {
    if mem.ty == Pred {
        return Err(illegal("type"));
    }
    if !matches!(mem.vec, 1 | 2 | 4) || u32::from(mem.vec) * mem.ty.size_bytes() > 16 {
        return Err(illegal("vector length"));
    }
    Ok(())
}

fn atomic_has_type(op: AtomOp, ty: Ty) -> bool {
    let types: &[Ty] = match op {
        AtomOp::Add => &[U32, S32, U64, S64, F32, F64, F16, F16x2, Bf16, Bf16x2],
        AtomOp::Min | AtomOp::Max => WORDS,
        AtomOp::And | AtomOp::Or | AtomOp::Xor | AtomOp::Exch => BITS_32_64,
        AtomOp::Cas => BITS,
        AtomOp::Inc | AtomOp::Dec => &[U32],
    };
    types.contains(&ty)
}
