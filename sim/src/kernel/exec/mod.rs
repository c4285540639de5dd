//! What every operation computes, over the 32 lanes of a warp.
//!
//! [`alu`] is every operation that needs nothing but its operands; [`shfl`], [`vote`] and [`atomic`] are the
//! rest that has a value. Semantics are those of the PTX ISA document; where it leaves something open, the
//! function says what is chosen. Results do not depend on the host: NaNs are canonical (0x7FFFFFFF in single,
//! 0xFFF8000000000000 in double precision, 0x7FFF in half), and nothing comes from the platform's mathematical
//! library.
//!
//! [`signature`] is the one table of operand kinds and widths that reader, verifier, allocator and SM share.

mod approx;
mod atomic;
mod bits;
mod compare;
mod convert;
mod exact;
mod float;
mod float32;
mod int;
mod lanes;
mod signature;
mod slot;
#[cfg(test)]
mod tests;
mod warp;

pub use atomic::atomic;
pub use lanes::{LANES, Lanes, Value};
pub use signature::{dst_width, is_alu, signature, src_width};
pub use slot::{IllegalOp, Kind, Signature, Slot};
pub use warp::{shfl, vote};

use crate::kernel::address::{LOCAL_WINDOW, SHARED_WINDOW, WINDOW_BYTES};
use crate::kernel::op::{Op, Space, Ty};
use convert::Modifiers;

/// Operands of one warp instruction.
#[derive(Clone, Copy, Debug)]
pub struct AluInput<'a> {
    /// General sources in order, predicates left out; a missing one is [`Value::ZERO`].
    pub srcs: [&'a Value; 4],
    /// Predicate sources in order, negation applied, one bit per lane; a missing one is 0.
    pub preds: [u32; 2],
}

/// Results of one warp instruction, in the order of its destinations.
#[derive(Clone, Debug)]
pub struct AluOutput {
    /// General results, predicates left out.
    pub regs: [Value; 2],
    /// Predicate results, one bit per lane.
    pub preds: [u32; 2],
}

impl Default for AluOutput {
    fn default() -> Self {
        AluOutput {
            regs: [Value::ZERO; 2],
            preds: [0; 2],
        }
    }
}

/// Computes `op` in the lanes of `active`.
///
/// Results in other lanes, and results that the operation does not have, are left with anything: the caller
/// masks. An operation that is not [`is_alu`] computes nothing.
pub fn alu(op: &Op, input: &AluInput<'_>, active: u32, out: &mut AluOutput) {
    let [a, b, c, d] = input.srcs;
    let [p, q] = input.preds;
    let [reg, _] = &mut out.regs;
    match *op {
        // predicates
        Op::Mov(Ty::Pred) => out.preds[0] = p,
        Op::And(Ty::Pred) => out.preds[0] = p & q,
        Op::Or(Ty::Pred) => out.preds[0] = p | q,
        Op::Xor(Ty::Pred) => out.preds[0] = p ^ q,
        Op::Not(Ty::Pred) => out.preds[0] = !p,

        // moves
        Op::Mov(_) => *reg = *a,
        Op::Pack(ty) => bits::pack(ty, reg, a, b),
        Op::Unpack(ty) => bits::unpack(ty, &mut out.regs, a),
        Op::Selp(ty) => bits::select(ty, reg, a, b, p),
        Op::Slct(ty, by, ftz) => {
            let chosen = compare::not_negative(by, ftz, c);
            bits::select(ty, reg, a, b, chosen);
        }
        Op::Cvt {
            to,
            from,
            round,
            integral,
            ftz,
            sat,
        } => {
            let modifiers = Modifiers {
                round,
                integral,
                ftz,
                sat,
            };
            convert::cvt(to, from, modifiers, reg, [a, b], active);
        }
        Op::CvtaToGeneric(space) => {
            let base = window(space).unwrap_or(0);
            lanes::wide1(reg, a, |x| x.wrapping_add(base));
        }
        Op::CvtaFromGeneric(space) => {
            let base = window(space).unwrap_or(0);
            lanes::wide1(reg, a, |x| x.wrapping_sub(base));
        }
        Op::Isspacep(space) => {
            out.preds[0] = lanes::test(|i| space_of(a.get(i)) == space);
        }

        // integer
        Op::Add { ty, sat } => int::add(ty, sat, reg, a, b, active),
        Op::Sub { ty, sat } => int::sub(ty, sat, reg, a, b, active),
        Op::AddCarry(ty) => out.preds[0] = int::add_carry(ty, reg, a, b, p),
        Op::SubCarry(ty) => out.preds[0] = int::sub_carry(ty, reg, a, b, p),
        Op::Mul { ty, part } => int::mul(ty, part, reg, a, b, active),
        Op::Mad { ty, part, sat } => int::mad(ty, part, sat, reg, [a, b, c], active),
        Op::MadCarry { ty, part } => {
            out.preds[0] = int::mad_carry(ty, part, reg, [a, b, c], p);
        }
        Op::Mul24 { ty, hi } => int::mul24(ty, hi, reg, a, b),
        Op::Mad24 { ty, hi, sat } => int::mad24(ty, hi, sat, reg, [a, b, c], active),
        Op::Div(ty) => int::div(ty, reg, a, b, active),
        Op::Rem(ty) => int::rem(ty, reg, a, b, active),
        Op::Abs(ty) => int::abs(ty, reg, a, active),
        Op::Neg(ty) => int::neg(ty, reg, a),
        Op::Min(ty) => int::min(ty, reg, a, b, active),
        Op::Max(ty) => int::max(ty, reg, a, b, active),
        Op::Sad(ty) => int::sad(ty, reg, [a, b, c], active),
        Op::Popc(ty) => bits::popc(ty, reg, a),
        Op::Clz(ty) => bits::clz(ty, reg, a),
        Op::Bfind { ty, shiftamt } => bits::bfind(ty, shiftamt, reg, a),
        Op::Brev(ty) => bits::brev(ty, reg, a),
        Op::Bfe(ty) => bits::bfe(ty, reg, [a, b, c]),
        Op::Bfi(ty) => bits::bfi(ty, reg, [a, b, c, d]),
        Op::Prmt(mode) => bits::prmt(mode, reg, [a, b, c]),
        Op::Dp4a(ta, tb) => int::dp4a(ta, tb, reg, [a, b, c]),
        Op::Dp2a { a: ta, b: tb, hi } => int::dp2a(ta, tb, hi, reg, [a, b, c]),

        // bits
        Op::And(ty) => bits::logic(ty, reg, a, b, |x, y| x & y),
        Op::Or(ty) => bits::logic(ty, reg, a, b, |x, y| x | y),
        Op::Xor(ty) => bits::logic(ty, reg, a, b, |x, y| x ^ y),
        Op::Not(ty) => bits::not(ty, reg, a),
        Op::Cnot(ty) => bits::cnot(ty, reg, a, active),
        Op::Shl(ty) => bits::shl(ty, reg, a, b),
        Op::Shr(ty) => bits::shr(ty, reg, a, b),
        Op::Shf { left, wrap } => bits::shf(left, wrap, reg, [a, b, c]),
        Op::Lop3(table) => bits::lop3(table, reg, a, b, c),

        // float
        Op::FAdd(ty, fp) => float::add(ty, fp, reg, a, b, active),
        Op::FSub(ty, fp) => float::sub(ty, fp, reg, a, b, active),
        Op::FMul(ty, fp) => float::mul(ty, fp, reg, a, b, active),
        Op::Fma(ty, fp) => float::fma(ty, fp, reg, [a, b, c], active),
        Op::FDiv { ty, precision, ftz } => float::div(ty, precision, ftz, reg, a, b, active),
        Op::FAbs { ty, ftz } => float::abs(ty, ftz, reg, a, active),
        Op::FNeg { ty, ftz } => float::neg(ty, ftz, reg, a, active),
        Op::FMin { ty, ftz, nan } => float::extremum(ty, (false, ftz, nan), reg, a, b, active),
        Op::FMax { ty, ftz, nan } => float::extremum(ty, (true, ftz, nan), reg, a, b, active),
        Op::Rcp { ty, precision, ftz } => float::rcp(ty, precision, ftz, reg, a, active),
        Op::Sqrt { ty, precision, ftz } => float::sqrt(ty, precision, ftz, reg, a, active),
        Op::Rsqrt { ty, ftz } => float::rsqrt(ty, ftz, reg, a),
        Op::Sin { ftz } => approx::each_single(ftz, reg, a, approx::sin),
        Op::Cos { ftz } => approx::each_single(ftz, reg, a, approx::cos),
        Op::Lg2 { ftz } => approx::each_single(ftz, reg, a, approx::log2),
        Op::Ex2 { ty, ftz } => approx::each_element(ty, ftz, reg, a, active, approx::exp2),
        Op::Tanh(ty) => approx::each_element(ty, false, reg, a, active, approx::tanh),
        Op::Copysign(ty) => bits::copysign(ty, reg, a, b),
        Op::Testp(ty, property) => out.preds[0] = compare::has_property(ty, property, a),

        // comparison
        Op::Setp {
            cmp,
            ty,
            ftz,
            combine,
        } => {
            let first = compare::compare(cmp, ty, ftz, a, b);
            // Packed types: the second predicate is the comparison of the upper elements.
            let second = if matches!(ty, Ty::F16x2 | Ty::Bf16x2) {
                compare::compare_upper(cmp, ty, ftz, a, b)
            } else {
                !first
            };
            out.preds = [first, second].map(|result| compare::combine(combine, result, p));
        }
        Op::Set {
            to,
            cmp,
            ty,
            ftz,
            combine,
        } => {
            let holds = compare::combine(combine, compare::compare(cmp, ty, ftz, a, b), p);
            let value = compare::true_value(to);
            for i in 0..LANES {
                reg.lo[i] = 0_u32.wrapping_sub(holds >> i & 1) & value;
            }
        }

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
        | Op::Traced(_) => {}
    }
}

/// First generic address of the window of a space, if it has one.
fn window(space: Space) -> Option<u64> {
    match space {
        Space::Shared => Some(SHARED_WINDOW),
        Space::Local => Some(LOCAL_WINDOW),
        _ => None,
    }
}

/// The space in which a generic address lies: scratchpad, local, or else global.
pub fn space_of(generic: u64) -> Space {
    if generic.wrapping_sub(SHARED_WINDOW) < WINDOW_BYTES {
        Space::Shared
    } else if generic.wrapping_sub(LOCAL_WINDOW) < WINDOW_BYTES {
        Space::Local
    } else {
        Space::Global
    }
}
