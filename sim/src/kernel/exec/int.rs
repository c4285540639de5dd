//! Integer arithmetic.
//!
//! 32-bit operations and the common 64-bit ones have a loop of their own; the rest goes lane by lane through
//! exact 128-bit integers, where saturation and widening are plain comparisons.

use super::lanes::{Value, lanes_of, map1, map2, map3, test, wide1, wide2, wide3};
use crate::kernel::op::{Part, Ty};

/// The number in one lane, read at the width and signedness of the type.
#[inline(always)]
pub(super) fn read(ty: Ty, v: &Value, lane: usize) -> i128 {
    let lo = v.lo[lane];
    match ty {
        Ty::U8 | Ty::B8 => i128::from(lo as u8),
        Ty::S8 => i128::from(lo as i8),
        Ty::U16 | Ty::B16 | Ty::F16 | Ty::Bf16 => i128::from(lo as u16),
        Ty::S16 => i128::from(lo as i16),
        Ty::S32 => i128::from(lo as i32),
        Ty::U64 | Ty::B64 | Ty::F64 => i128::from(v.get(lane)),
        Ty::S64 => i128::from(v.get(lane) as i64),
        Ty::U32 | Ty::B32 | Ty::F32 | Ty::F16x2 | Ty::Bf16x2 | Ty::Pred => i128::from(lo),
    }
}

/// Writes the low bits of `x`; sub-word types are extended to 32 bits by their signedness.
#[inline(always)]
pub(super) fn write(ty: Ty, out: &mut Value, lane: usize, x: i128) {
    match ty {
        Ty::U64 | Ty::B64 | Ty::F64 | Ty::S64 => out.set(lane, x as u64),
        _ => out.lo[lane] = narrow(ty, x as u32),
    }
}

/// The low bits of a 32-bit register that belong to the type, extended by its signedness.
#[inline(always)]
pub(super) fn narrow(ty: Ty, x: u32) -> u32 {
    match ty {
        Ty::U8 | Ty::B8 => u32::from(x as u8),
        Ty::S8 => x as i8 as u32,
        Ty::U16 | Ty::B16 | Ty::F16 | Ty::Bf16 => u32::from(x as u16),
        Ty::S16 => x as i16 as u32,
        _ => x,
    }
}

/// Least and largest number of an integer type.
pub(super) fn range(ty: Ty) -> (i128, i128) {
    let bits = bits_of(ty);
    if is_signed(ty) {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}

/// Width of a value of the type, bits.
pub(super) fn bits_of(ty: Ty) -> u32 {
    match ty {
        Ty::Pred => 1,
        _ => ty.size_bytes() * 8,
    }
}

pub(super) fn is_signed(ty: Ty) -> bool {
    matches!(ty, Ty::S8 | Ty::S16 | Ty::S32 | Ty::S64)
}

fn is_word(ty: Ty) -> bool {
    matches!(ty, Ty::B32 | Ty::U32 | Ty::S32)
}

fn is_long(ty: Ty) -> bool {
    matches!(ty, Ty::B64 | Ty::U64 | Ty::S64)
}

fn each1(ty: Ty, out: &mut Value, a: &Value, active: u32, f: impl Fn(i128) -> i128) {
    for i in lanes_of(active) {
        write(ty, out, i, f(read(ty, a, i)));
    }
}

fn each2(
    ty: Ty,
    out: &mut Value,
    a: &Value,
    b: &Value,
    active: u32,
    f: impl Fn(i128, i128) -> i128,
) {
    for i in lanes_of(active) {
        write(ty, out, i, f(read(ty, a, i), read(ty, b, i)));
    }
}

fn clamp_if(sat: bool, ty: Ty, x: i128) -> i128 {
    let (least, most) = range(ty);
    if sat { x.clamp(least, most) } else { x }
}

pub(super) fn add(ty: Ty, sat: bool, out: &mut Value, a: &Value, b: &Value, active: u32) {
    if sat {
        each2(ty, out, a, b, active, |x, y| clamp_if(true, ty, x + y));
    } else if is_long(ty) {
        wide2(out, a, b, u64::wrapping_add);
    } else if is_word(ty) {
        map2(out, a, b, u32::wrapping_add);
    } else {
        map2(out, a, b, |x, y| narrow(ty, x.wrapping_add(y)));
    }
}

pub(super) fn sub(ty: Ty, sat: bool, out: &mut Value, a: &Value, b: &Value, active: u32) {
    if sat {
        each2(ty, out, a, b, active, |x, y| clamp_if(true, ty, x - y));
    } else if is_long(ty) {
        wide2(out, a, b, u64::wrapping_sub);
    } else if is_word(ty) {
        map2(out, a, b, u32::wrapping_sub);
    } else {
        map2(out, a, b, |x, y| narrow(ty, x.wrapping_sub(y)));
    }
}

/// `a + b + carry`; returns the carries out.
pub(super) fn add_carry(ty: Ty, out: &mut Value, a: &Value, b: &Value, carry: u32) -> u32 {
    if is_long(ty) {
        for i in 0..32 {
            let sum = a.get(i).wrapping_add(b.get(i));
            out.set(i, sum.wrapping_add(u64::from(carry >> i & 1)));
        }
        test(|i| {
            let sum = u128::from(a.get(i)) + u128::from(b.get(i)) + u128::from(carry >> i & 1);
            sum >> 64 != 0
        })
    } else {
        for i in 0..32 {
            let sum = a.lo[i].wrapping_add(b.lo[i]);
            out.lo[i] = sum.wrapping_add(carry >> i & 1);
        }
        test(|i| u64::from(a.lo[i]) + u64::from(b.lo[i]) + u64::from(carry >> i & 1) > 0xFFFF_FFFF)
    }
}

/// `a - b - borrow`; returns the borrows out.
pub(super) fn sub_carry(ty: Ty, out: &mut Value, a: &Value, b: &Value, borrow: u32) -> u32 {
    if is_long(ty) {
        for i in 0..32 {
            let difference = a.get(i).wrapping_sub(b.get(i));
            out.set(i, difference.wrapping_sub(u64::from(borrow >> i & 1)));
        }
        test(|i| u128::from(a.get(i)) < u128::from(b.get(i)) + u128::from(borrow >> i & 1))
    } else {
        for i in 0..32 {
            let difference = a.lo[i].wrapping_sub(b.lo[i]);
            out.lo[i] = difference.wrapping_sub(borrow >> i & 1);
        }
        test(|i| u64::from(a.lo[i]) < u64::from(b.lo[i]) + u64::from(borrow >> i & 1))
    }
}

fn part_of(ty: Ty, part: Part, product: i128) -> i128 {
    match part {
        Part::Lo | Part::Wide => product,
        Part::Hi => product >> bits_of(ty),
    }
}

pub(super) fn mul(ty: Ty, part: Part, out: &mut Value, a: &Value, b: &Value, active: u32) {
    match (ty, part) {
        (Ty::U32 | Ty::S32 | Ty::B32, Part::Lo) => map2(out, a, b, u32::wrapping_mul),
        (Ty::U64 | Ty::S64 | Ty::B64, Part::Lo) => wide2(out, a, b, u64::wrapping_mul),
        (Ty::U32, Part::Wide) => {
            for i in 0..32 {
                out.set(i, u64::from(a.lo[i]) * u64::from(b.lo[i]));
            }
        }
        (Ty::S32, Part::Wide) => {
            for i in 0..32 {
                out.set(i, widening_product(a.lo[i], b.lo[i]));
            }
        }
        (Ty::U64, Part::Hi) => wide2(out, a, b, |x, y| {
            ((u128::from(x) * u128::from(y)) >> 64) as u64
        }),
        _ => {
            let result = product_type(ty, part);
            for i in lanes_of(active) {
                let product = read(ty, a, i) * read(ty, b, i);
                write(result, out, i, part_of(ty, part, product));
            }
        }
    }
}

#[inline(always)]
fn widening_product(a: u32, b: u32) -> u64 {
    (i64::from(a as i32) * i64::from(b as i32)) as u64
}

/// Type of the result of a multiplication.
pub(super) fn product_type(ty: Ty, part: Part) -> Ty {
    match (part, ty) {
        (Part::Wide, Ty::U16) => Ty::U32,
        (Part::Wide, Ty::S16) => Ty::S32,
        (Part::Wide, Ty::U32) => Ty::U64,
        (Part::Wide, Ty::S32) => Ty::S64,
        _ => ty,
    }
}

pub(super) fn mad(
    ty: Ty,
    part: Part,
    sat: bool,
    out: &mut Value,
    [a, b, c]: [&Value; 3],
    active: u32,
) {
    match (ty, part) {
        (Ty::U32 | Ty::S32, Part::Lo) => {
            map3(out, a, b, c, |x, y, z| x.wrapping_mul(y).wrapping_add(z));
        }
        (Ty::U64 | Ty::S64, Part::Lo) => {
            wide3(out, a, b, c, |x, y, z| x.wrapping_mul(y).wrapping_add(z));
        }
        (Ty::U32, Part::Wide) => {
            for i in 0..32 {
                let product = u64::from(a.lo[i]) * u64::from(b.lo[i]);
                out.set(i, product.wrapping_add(c.get(i)));
            }
        }
        (Ty::S32, Part::Wide) => {
            for i in 0..32 {
                let product = widening_product(a.lo[i], b.lo[i]);
                out.set(i, product.wrapping_add(c.get(i)));
            }
        }
        _ => {
            let result = product_type(ty, part);
            for i in lanes_of(active) {
                // An unsigned 64-bit product needs all 128 bits; its high half does not.
                let product = read(ty, a, i).wrapping_mul(read(ty, b, i));
                let kept = if ty == Ty::U64 && part == Part::Hi {
                    ((product as u128) >> 64) as i128
                } else {
                    part_of(ty, part, product)
                };
                let sum = kept + read(result, c, i);
                write(result, out, i, clamp_if(sat, result, sum));
            }
        }
    }
}

/// `part(a * b) + c + carry`; returns the carries out of the addition.
pub(super) fn mad_carry(
    ty: Ty,
    part: Part,
    out: &mut Value,
    [a, b, c]: [&Value; 3],
    carry: u32,
) -> u32 {
    let mut product = Value::ZERO;
    mul(ty, part, &mut product, a, b, u32::MAX);
    add_carry(ty, out, &product, c, carry)
}

fn product24(ty: Ty, hi: bool, a: u32, b: u32) -> i128 {
    let (x, y) = if ty == Ty::S32 {
        (
            i64::from((a << 8) as i32 >> 8),
            i64::from((b << 8) as i32 >> 8),
        )
    } else {
        (i64::from(a & 0xFF_FFFF), i64::from(b & 0xFF_FFFF))
    };
    let product = x * y;
    let kept = if hi { product >> 16 } else { product } as u32;
    if ty == Ty::S32 {
        i128::from(kept as i32)
    } else {
        i128::from(kept)
    }
}

pub(super) fn mul24(ty: Ty, hi: bool, out: &mut Value, a: &Value, b: &Value) {
    map2(out, a, b, |x, y| product24(ty, hi, x, y) as u32);
}

pub(super) fn mad24(
    ty: Ty,
    hi: bool,
    sat: bool,
    out: &mut Value,
    [a, b, c]: [&Value; 3],
    active: u32,
) {
    for i in lanes_of(active) {
        let sum = product24(ty, hi, a.lo[i], b.lo[i]) + read(ty, c, i);
        write(ty, out, i, clamp_if(sat, ty, sum));
    }
}

/// Division by zero is unspecified in PTX; all ones here, which is what the division sequences of the vendor's
/// compiler give. The least number divided by -1 wraps.
pub(super) fn div(ty: Ty, out: &mut Value, a: &Value, b: &Value, active: u32) {
    if ty == Ty::U32 {
        map2(out, a, b, |x, y| x.checked_div(y).unwrap_or(u32::MAX));
    } else if ty == Ty::S32 {
        map2(out, a, b, |x, y| {
            if y == 0 {
                u32::MAX
            } else {
                (x as i32).wrapping_div(y as i32) as u32
            }
        });
    } else {
        each2(
            ty,
            out,
            a,
            b,
            active,
            |x, y| if y == 0 { -1 } else { x / y },
        );
    }
}

/// Remainder with the sign of the dividend; of zero: all ones, as for [`div`].
pub(super) fn rem(ty: Ty, out: &mut Value, a: &Value, b: &Value, active: u32) {
    if ty == Ty::U32 {
        map2(out, a, b, |x, y| x.checked_rem(y).unwrap_or(u32::MAX));
    } else if ty == Ty::S32 {
        map2(out, a, b, |x, y| {
            if y == 0 {
                u32::MAX
            } else {
                (x as i32).wrapping_rem(y as i32) as u32
            }
        });
    } else {
        each2(
            ty,
            out,
            a,
            b,
            active,
            |x, y| if y == 0 { -1 } else { x % y },
        );
    }
}

pub(super) fn abs(ty: Ty, out: &mut Value, a: &Value, active: u32) {
    if ty == Ty::S32 {
        map1(out, a, |x| (x as i32).wrapping_abs() as u32);
    } else {
        each1(ty, out, a, active, i128::abs);
    }
}

pub(super) fn neg(ty: Ty, out: &mut Value, a: &Value) {
    if is_long(ty) {
        wide1(out, a, u64::wrapping_neg);
    } else {
        map1(out, a, |x| narrow(ty, x.wrapping_neg()));
    }
}

pub(super) fn min(ty: Ty, out: &mut Value, a: &Value, b: &Value, active: u32) {
    match ty {
        Ty::S32 => map2(out, a, b, |x, y| (x as i32).min(y as i32) as u32),
        Ty::U32 => map2(out, a, b, u32::min),
        Ty::S64 => wide2(out, a, b, |x, y| (x as i64).min(y as i64) as u64),
        Ty::U64 => wide2(out, a, b, u64::min),
        _ => each2(ty, out, a, b, active, i128::min),
    }
}

pub(super) fn max(ty: Ty, out: &mut Value, a: &Value, b: &Value, active: u32) {
    match ty {
        Ty::S32 => map2(out, a, b, |x, y| (x as i32).max(y as i32) as u32),
        Ty::U32 => map2(out, a, b, u32::max),
        Ty::S64 => wide2(out, a, b, |x, y| (x as i64).max(y as i64) as u64),
        Ty::U64 => wide2(out, a, b, u64::max),
        _ => each2(ty, out, a, b, active, i128::max),
    }
}

pub(super) fn sad(ty: Ty, out: &mut Value, [a, b, c]: [&Value; 3], active: u32) {
    for i in lanes_of(active) {
        let distance = (read(ty, a, i) - read(ty, b, i)).abs();
        write(ty, out, i, distance + read(ty, c, i));
    }
}

/// `part` 0..4: the byte of a word, as a number.
fn byte(signed: bool, word: u32, part: u32) -> i32 {
    let byte = (word >> (8 * part)) as u8;
    if signed {
        i32::from(byte as i8)
    } else {
        i32::from(byte)
    }
}

pub(super) fn dp4a(ta: Ty, tb: Ty, out: &mut Value, [a, b, c]: [&Value; 3]) {
    let (sa, sb) = (ta == Ty::S32, tb == Ty::S32);
    map3(out, a, b, c, |x, y, z| {
        (0..4).fold(z, |sum, part| {
            sum.wrapping_add((byte(sa, x, part) * byte(sb, y, part)) as u32)
        })
    });
}

pub(super) fn dp2a(ta: Ty, tb: Ty, hi: bool, out: &mut Value, [a, b, c]: [&Value; 3]) {
    let (sa, sb) = (ta == Ty::S32, tb == Ty::S32);
    let first = if hi { 2 } else { 0 };
    map3(out, a, b, c, |x, y, z| {
        (0..2).fold(z, |sum, part| {
            let half = (x >> (16 * part)) as u16;
            let half = if sa {
                i32::from(half as i16)
            } else {
                i32::from(half)
            };
            sum.wrapping_add((half * byte(sb, y, first + part)) as u32)
        })
    });
}
