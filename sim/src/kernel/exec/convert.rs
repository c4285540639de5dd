//! `cvt`.
//!
//! | from -> to | rule |
//! |---|---|
//! | integer -> integer | the number is read at the source's width and signedness; low bits kept, or clamped with `.sat` |
//! | integer -> float | rounded once, by default to nearest |
//! | float -> integer | rounded to an integral number (by default towards zero), clamped always, NaN as below |
//! | float -> float | widening is exact; narrowing is rounded once; the same type is rounded to integral if asked |
//!
//! NaN to an integer is 0; from `.f64`, or to `.s64` or `.u64`, it is the top bit alone.
//!
//! `.ftz` flushes single-precision inputs and results; `.sat` to a float clamps to [0, 1], NaN to 0.

use super::compare::half_value;
use super::exact::Format;
use super::float::elements;
use super::float32::{self, flush_if};
use super::int::{bits_of, is_signed, range, read, write};
use super::lanes::{Value, lanes_of, map1};
use crate::kernel::op::{Round, Ty};

/// The modifiers of a `cvt`.
#[derive(Clone, Copy)]
pub(super) struct Modifiers {
    pub round: Option<Round>,
    pub integral: bool,
    pub ftz: bool,
    pub sat: bool,
}

fn is_float(ty: Ty) -> bool {
    ty.is_float()
}

/// The exact value of one lane of a float type of at most 64 bits.
fn value(ty: Ty, ftz: bool, a: &Value, lane: usize) -> f64 {
    match ty {
        Ty::F64 => f64::from_bits(a.get(lane)),
        Ty::F32 => f64::from(f32::from_bits(flush_if(ftz, a.lo[lane]))),
        _ => f64::from(half_value(ty, a.lo[lane])),
    }
}

fn to_integral(x: f64, mode: Round) -> f64 {
    match mode {
        Round::Nearest => x.round_ties_even(),
        Round::Zero => x.trunc(),
        Round::Down => x.floor(),
        Round::Up => x.ceil(),
    }
}

pub(super) fn cvt(
    to: Ty,
    from: Ty,
    modifiers: Modifiers,
    out: &mut Value,
    [a, b]: [&Value; 2],
    active: u32,
) {
    match (is_float(from), is_float(to)) {
        (false, false) => int_to_int(to, from, modifiers.sat, out, a, active),
        (false, true) => int_to_float(to, from, modifiers, out, a, active),
        (true, false) => float_to_int(to, from, modifiers, out, a, active),
        (true, true) => float_to_float(to, from, modifiers, out, [a, b], active),
    }
}

fn int_to_int(to: Ty, from: Ty, sat: bool, out: &mut Value, a: &Value, active: u32) {
    if !sat && bits_of(from) == 32 && bits_of(to) == 64 {
        out.lo = a.lo;
        if is_signed(from) {
            for i in 0..32 {
                out.hi[i] = (a.lo[i] as i32 >> 31) as u32;
            }
        } else {
            out.hi = [0; 32];
        }
        return;
    }
    if !sat && bits_of(to) == 32 && bits_of(from) >= 32 {
        out.lo = a.lo;
        return;
    }
    let (least, most) = range(to);
    for i in lanes_of(active) {
        let x = read(from, a, i);
        write(to, out, i, if sat { x.clamp(least, most) } else { x });
    }
}

fn int_to_float(to: Ty, from: Ty, modifiers: Modifiers, out: &mut Value, a: &Value, active: u32) {
    let mode = modifiers.round.unwrap_or(Round::Nearest);
    match (from, to, mode, modifiers.sat) {
        (Ty::S32, Ty::F32, Round::Nearest, false) => {
            map1(out, a, |x| (x as i32 as f32).to_bits());
        }
        (Ty::U32, Ty::F32, Round::Nearest, false) => map1(out, a, |x| (x as f32).to_bits()),
        _ => {
            let format = Format::of(to);
            for i in lanes_of(active) {
                let bits = format.of_int(read(from, a, i), mode);
                let bits = if modifiers.sat {
                    format.saturate(bits)
                } else {
                    bits
                };
                write(to, out, i, i128::from(bits));
            }
        }
    }
}

fn float_to_int(to: Ty, from: Ty, modifiers: Modifiers, out: &mut Value, a: &Value, active: u32) {
    let mode = modifiers.round.unwrap_or(Round::Zero);
    if from == Ty::F32 && mode == Round::Zero && matches!(to, Ty::S32 | Ty::U32) {
        let single = |x| f32::from_bits(flush_if(modifiers.ftz, x));
        if to == Ty::S32 {
            map1(out, a, |x| single(x) as i32 as u32);
        } else {
            map1(out, a, |x| single(x) as u32);
        }
        return;
    }
    let (least, most) = range(to);
    for i in lanes_of(active) {
        let x = to_integral(value(from, modifiers.ftz, a, i), mode);
        // `as` clamps, and takes NaN to 0.
        let wide = if x.is_nan() && (from == Ty::F64 || bits_of(to) == 64) {
            if is_signed(to) {
                least
            } else {
                (most >> 1) + 1
            }
        } else if is_signed(to) {
            i128::from(x as i64)
        } else {
            i128::from(x as u64)
        };
        write(to, out, i, wide.clamp(least, most));
    }
}

fn float_to_float(
    to: Ty,
    from: Ty,
    modifiers: Modifiers,
    out: &mut Value,
    [a, b]: [&Value; 2],
    active: u32,
) {
    let mode = modifiers.round.unwrap_or(Round::Nearest);
    let (source, target) = (Format::of(from), Format::of(to));
    if matches!(to, Ty::F16x2 | Ty::Bf16x2) {
        // Two singles into one word, the first into the upper half.
        for i in lanes_of(active) {
            let half = |v: &Value| {
                let x = source.convert(u64::from(v.lo[i]), target, mode) as u32;
                if modifiers.sat {
                    target.saturate(u64::from(x)) as u32
                } else {
                    x
                }
            };
            out.lo[i] = half(a) << 16 | half(b);
        }
        return;
    }
    if modifiers.integral || from == to {
        return integral(to, modifiers, out, a, active);
    }
    let flush_source = modifiers.ftz && from == Ty::F32;
    let flush_target = modifiers.ftz && to == Ty::F32;
    for i in lanes_of(active) {
        let x = match from {
            Ty::F64 => a.get(i),
            Ty::F32 => u64::from(a.lo[i]),
            _ => u64::from(a.lo[i] & 0xFFFF),
        };
        let x = if flush_source { source.flush(x) } else { x };
        let y = source.convert(x, target, mode);
        let y = if flush_target { target.flush(y) } else { y };
        let y = if modifiers.sat { target.saturate(y) } else { y };
        write(to, out, i, i128::from(y));
    }
}

/// The same type in and out: rounded to integral if a mode is written, else only flushed and clamped.
fn integral(ty: Ty, modifiers: Modifiers, out: &mut Value, a: &Value, active: u32) {
    let format = Format::of(ty);
    let flush = modifiers.ftz && ty == Ty::F32;
    elements(ty, out, [a; 3], active, |x, _, _| {
        let x = if flush { format.flush(x) } else { x };
        let x = match modifiers.round {
            Some(mode) if modifiers.integral => round_to_integral(ty, x, mode),
            _ => x,
        };
        if modifiers.sat { format.saturate(x) } else { x }
    });
}

fn round_to_integral(ty: Ty, bits: u64, mode: Round) -> u64 {
    let format = Format::of(ty);
    if format.is_nan(bits) {
        return format.nan;
    }
    match ty {
        Ty::F64 => to_integral(f64::from_bits(bits), mode).to_bits(),
        Ty::F32 => {
            let x = f64::from(f32::from_bits(bits as u32));
            u64::from(float32::to_single(to_integral(x, mode), Round::Nearest).to_bits())
        }
        _ => {
            // An integral number of the format's precision: nothing is lost on the way back.
            let x = to_integral(f64::from(half_value(ty, bits as u32)), mode);
            Format::F64.convert(x.to_bits(), format, Round::Nearest)
        }
    }
}
