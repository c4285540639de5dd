//! What an instruction makes of its sources, in all lanes of a warp at once.

use super::value::{LANES, Value};
use crate::kernel::op::{Op, Part, ShflMode, Ty};
use crate::kernel::{Inst, Special};

/// Bits of an instruction's constants, from which they are extended with their sign.
pub fn constant_bits(op: &Op) -> u32 {
    let ty = match *op {
        Op::Mov(ty) | Op::Selp(ty) | Op::And(ty) | Op::Or(ty) | Op::Xor(ty) => ty,
        Op::Add { ty, .. } | Op::Sub { ty, .. } | Op::Mul { ty, .. } | Op::Mad { ty, .. } => ty,
        Op::Min(ty) | Op::Max(ty) | Op::Div(ty) | Op::Rem(ty) => ty,
        Op::AddCarry(ty) | Op::SubCarry(ty) | Op::MadCarry { ty, .. } => ty,
        Op::Ld(_) | Op::St(_) | Op::Atom { .. } | Op::Red { .. } => Ty::U64,
        _ => Ty::U32,
    };
    8 * ty.size_bytes().max(1)
}

/// Of a special register. Rows of threads count as 32 or longer. // assumed: the launch is not known here
pub fn special(special: Special) -> Value {
    match special {
        Special::Tid(0) => Value::per_lane(1),
        Special::LaneId => Value {
            stride: 1,
            ..Value::constant(0)
        },
        Special::Ntid(_) | Special::Nctaid(_) | Special::NwarpId | Special::NsmId => Value::COMMON,
        Special::SmId | Special::DynamicScratchpadBytes | Special::TotalScratchpadBytes => {
            Value::COMMON
        }
        Special::LanemaskEq | Special::LanemaskLe | Special::LanemaskLt => Value::SCATTERED,
        Special::LanemaskGe | Special::LanemaskGt => Value::SCATTERED,
        _ => Value::UNIFORM,
    }
}

/// Something that depends on all of `src` in a way that is not looked into.
pub fn mixed(src: &[Value]) -> Value {
    (src.iter()).fold(Value::COMMON, |all, &one| all.mixed(one))
}

/// A truth value, or another of the two numbers `least` and the next.
fn flag(src: &[Value], least: i64) -> Value {
    match mixed(src) {
        mixed if mixed.is_uniform() => mixed,
        _ => Value::range(least, least + 1, LANES),
    }
}

/// The first result of an instruction that is no load.
pub fn evaluate(inst: &Inst, src: &[Value]) -> Value {
    let at = |i: usize| src.get(i).copied().unwrap_or(Value::UNIFORM);
    let (a, b, c) = (at(0), at(1), at(2));
    let choice = |by: Value, this: Value, that: Value| {
        let chosen = match by.is_uniform() {
            true => this.or_all(that),
            false => this.either(that),
        };
        // Where the one of them is known that all lanes have, another warp may have the other.
        let common = chosen.common && (by.common || !by.is_uniform());
        Value { common, ..chosen }
    };
    match inst.op {
        Op::Mov(_) | Op::CvtaToGeneric(_) | Op::CvtaFromGeneric(_) => a,
        Op::Pack(_) => packed(a, b),
        Op::Unpack(_) => a,
        Op::Selp(_) => choice(c, a, b),
        Op::Slct(..) => choice(c, a, b),
        Op::Cvt { to, from, .. } if to.is_float() || from.is_float() => mixed(src),
        Op::Cvt { to, from, .. } => narrow(narrow(a, from), to),
        Op::Add { .. } | Op::AddCarry(_) => a.plus(b),
        Op::Sub { .. } | Op::SubCarry(_) => a.plus(b.times(-1)),
        Op::Neg(_) => a.times(-1),
        Op::Mul { ty, part } => product(ty, part, a, b),
        Op::Mad { ty, part, .. } | Op::MadCarry { ty, part } => product(ty, part, a, b).plus(c),
        Op::Mul24 { hi: false, .. } => a.by(b),
        Op::Mad24 { hi: false, .. } => a.by(b).plus(c),
        Op::Div(_) => match b.as_constant() {
            Some(divisor @ 1..) => a.over(divisor),
            _ if b.is_uniform() => Value {
                least: None,
                ..a.whole()
            },
            _ => mixed(src),
        },
        Op::Rem(_) => match b.as_constant() {
            Some(divisor @ 1..) => a.modulo(divisor),
            // assumed: within a warp it does not begin anew
            _ if b.is_uniform() => Value { least: None, ..a },
            _ => mixed(src),
        },
        // assumed: a bound that all lanes have seldom matters, as at the edges of a picture
        Op::Min(_) | Op::Max(_) => match (a.is_uniform(), b.is_uniform()) {
            (true, true) => a.or_all(b),
            (true, false) => b,
            (false, true) => a,
            _ => a.either(b),
        },
        Op::Popc(_) | Op::Clz(_) => mixed(src).of_bits(6, false),
        Op::And(Ty::Pred) | Op::Or(Ty::Pred) | Op::Xor(Ty::Pred) | Op::Not(Ty::Pred) => {
            flag(src, 0)
        }
        Op::And(ty) => match (a.as_constant(), b.as_constant()) {
            (_, Some(mask)) => masked(a, mask, ty),
            (Some(mask), _) => masked(b, mask, ty),
            _ => mixed(src),
        },
        // assumed: the bits of one are zero in the other, as compilers write sums of such
        Op::Or(_) => a.plus(b),
        Op::Xor(_) => exclusive(a, b),
        Op::Not(_) => a.times(-1).plus(Value::constant(-1)),
        Op::Shl(_) => match b.as_constant() {
            Some(amount @ 0..=62) => a.times(1 << amount),
            _ => mixed(src),
        },
        Op::Shr(ty) => match b.as_constant() {
            Some(amount @ 0..=62) => {
                let bits = 8 * ty.size_bytes();
                a.of_bits(bits, ty.is_signed()).over(1 << amount)
            }
            _ => mixed(src),
        },
        Op::Bfe(ty) => match (b.as_constant(), c.as_constant()) {
            (Some(at @ 0..=62), Some(bits @ 0..=62)) => {
                let bits_of_all = 8 * ty.size_bytes();
                (a.of_bits(bits_of_all, false).over(1 << at)).modulo(1 << bits)
            }
            _ => mixed(src),
        },
        // assumed: there were zeros before
        Op::Bfi(_) => match c.as_constant() {
            Some(amount @ 0..=62) => a.times(1 << amount).plus(b),
            _ => mixed(src),
        },
        Op::Setp { .. } | Op::Testp(..) | Op::Isspacep(_) => flag(src, 0),
        Op::Set { .. } => flag(src, -1),
        Op::Shfl(mode) => shuffled(mode, a, b),
        Op::Vote(_) | Op::Activemask | Op::Bar(_) | Op::FrameAddress => Value::UNIFORM,
        Op::Atom { .. } | Op::Argument(_) | Op::TakeFromStack(..) | Op::Pop => Value::SCATTERED,
        Op::Call(_) | Op::Traced(_) => Value::SCATTERED,
        _ => mixed(src),
    }
}

/// The upper half of a 64-bit value; a warp's addresses lie on one side of a multiple of 4 GiB. // assumed
pub fn upper_half(value: Value) -> Value {
    match value.as_constant() {
        Some(number) => Value::constant(number >> 32),
        None => Value::some_of(value.far),
    }
}

fn packed(low: Value, high: Value) -> Value {
    match high.as_constant() {
        Some(0) => low,
        _ if high.is_uniform() => Value { least: None, ..low },
        _ => low.mixed(high),
    }
}

fn narrow(value: Value, ty: Ty) -> Value {
    match ty.size_bytes() {
        bytes @ 1..=2 if ty.is_signed() => value.of_bits(8 * bytes, true),
        bytes @ 1..=2 => value.of_bits(8 * bytes, false).modulo(1 << (8 * bytes)),
        _ => value,
    }
}

fn product(ty: Ty, part: Part, a: Value, b: Value) -> Value {
    let bits = 8 * ty.size_bytes();
    match part {
        Part::Lo | Part::Wide => a.by(b),
        Part::Hi if bits > 32 => mixed(&[a, b]),
        Part::Hi => {
            let whole = |v: Value| v.of_bits(bits, ty.is_signed()).whole();
            whole(a).by(whole(b)).over(1 << bits)
        }
    }
}

/// `value` and a constant.
fn masked(value: Value, mask: i64, ty: Ty) -> Value {
    let bits = 8 * ty.size_bytes();
    let all = if bits < 63 { (1 << bits) - 1 } else { i64::MAX };
    let mask = mask & all;
    let upper = (all ^ mask).wrapping_add(1);
    if let Some(number) = value.as_constant() {
        Value::constant(number & mask)
    } else if mask & mask.wrapping_add(1) == 0 && mask < i64::MAX {
        value.modulo(mask + 1)
    } else if upper > 0 && upper & (upper - 1) == 0 {
        // Down to a multiple of a power of two.
        value.over(upper).times(upper)
    } else {
        let kinds = 1u64 << mask.count_ones().min(5);
        Value::range(0, mask, value.different().min(kinds as u8))
    }
}

fn exclusive(a: Value, b: Value) -> Value {
    let (value, other) = if a.is_uniform() { (b, a) } else { (a, b) };
    if !other.is_uniform() {
        return mixed(&[a, b]);
    }
    let span = match (value.bounds(), value.as_constant().zip(other.as_constant())) {
        (_, Some((x, y))) => return Value::constant(x ^ y),
        // assumed: lanes change places within the same piece of memory
        _ if value.stride != 0 => value.span,
        // Somewhere among the numbers that differ in the bits that it has.
        (Some((0.., greatest @ 1..)), _) => i64::MAX >> (greatest.leading_zeros() - 1),
        _ => return value.mixed(other),
    };
    Value {
        least: None,
        span,
        ..value
    }
}

/// Of another lane, or of one for all.
fn shuffled(mode: ShflMode, value: Value, lane: Value) -> Value {
    match mode {
        ShflMode::Idx if lane.is_uniform() => Value::UNIFORM,
        // assumed: lanes that are not there change little
        _ if value.is_affine() => Value {
            least: None,
            ..value
        },
        _ => value.whole(),
    }
}
