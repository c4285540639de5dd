//! Single precision, in loops that vectorise.
//!
//! Sums, products and fused products are computed in double precision and *rounded to odd*: the error of the
//! double-precision operation is found exactly (TwoSum; the product of two singles has none), and where there
//! is one the last bit is set. Rounding that to single is then the same as rounding the exact result, since
//! 53 >= 24 + 2 (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using
//! rounding to odd").

use super::lanes::{LANES, Lanes};
use crate::kernel::op::Round;

/// Result of invalid operations; PTX keeps no NaN payload in single precision.
pub(super) const NAN: u32 = 0x7FFF_FFFF;

#[inline(always)]
pub(super) fn flush_if(ftz: bool, x: u32) -> u32 {
    if ftz && x & 0x7F80_0000 == 0 {
        x & 0x8000_0000
    } else {
        x
    }
}

/// Bits of a result: canonical NaN, flushed and clamped as asked.
#[inline(always)]
pub(super) fn finish(ftz: bool, sat: bool, x: f32) -> u32 {
    let bits = if x.is_nan() { NAN } else { x.to_bits() };
    let bits = flush_if(ftz, bits);
    if sat { saturate(bits) } else { bits }
}

/// Clamped to [0, 1]; NaN and -0 to +0.
#[inline(always)]
pub(super) fn saturate(bits: u32) -> u32 {
    let x = f32::from_bits(bits);
    if x > 1.0 {
        0x3F80_0000
    } else if x > 0.0 {
        bits
    } else {
        0
    }
}

/// Rounds to single; exact for the value itself and right for a value rounded to odd.
#[inline(always)]
pub(super) fn to_single(x: f64, mode: Round) -> f32 {
    let nearest = x as f32;
    let back = f64::from(nearest);
    let bits = nearest.to_bits();
    // One step towards zero is one less in the bits, one step away one more; infinity is a step above the
    // largest number, and the smallest subnormal one above zero.
    match mode {
        Round::Nearest => nearest,
        Round::Zero if back.abs() > x.abs() => f32::from_bits(bits - 1),
        Round::Down if back > x => f32::from_bits(step_down(bits)),
        Round::Up if back < x => f32::from_bits(step_down(bits ^ 0x8000_0000) ^ 0x8000_0000),
        _ => nearest,
    }
}

#[inline(always)]
fn step_down(bits: u32) -> u32 {
    if bits & 0x8000_0000 != 0 {
        bits + 1
    } else if bits == 0 {
        0x8000_0001
    } else {
        bits - 1
    }
}

/// `x + y` rounded to odd.
#[inline(always)]
pub(super) fn add_to_odd(x: f64, y: f64) -> f64 {
    let sum = x + y;
    let y_part = sum - x;
    let error = (x - (sum - y_part)) + (y - y_part);
    let bits = sum.to_bits();
    // Away from zero if the error has the sign of the sum, else towards it; only from an even last bit.
    let step = if (error > 0.0) == (sum > 0.0) {
        1
    } else {
        u64::MAX
    };
    let inexact = error != 0.0 && sum.is_finite() && bits & 1 == 0;
    f64::from_bits(if inexact {
        bits.wrapping_add(step)
    } else {
        bits
    })
}

/// Sum with the sign that the mode gives an exact zero.
#[inline(always)]
fn rounded_sum(x: f64, y: f64, mode: Round) -> f32 {
    let sum = to_single(add_to_odd(x, y), mode);
    if mode == Round::Down && x + y == 0.0 && (x.is_sign_negative() || y.is_sign_negative()) {
        -0.0
    } else {
        sum
    }
}

#[inline(always)]
pub(super) fn add(a: u32, b: u32, mode: Round, ftz: bool, sat: bool) -> u32 {
    let (x, y) = operands(a, b, ftz);
    let sum = if mode == Round::Nearest {
        x + y
    } else {
        rounded_sum(f64::from(x), f64::from(y), mode)
    };
    finish(ftz, sat, sum)
}

#[inline(always)]
pub(super) fn mul(a: u32, b: u32, mode: Round, ftz: bool, sat: bool) -> u32 {
    let (x, y) = operands(a, b, ftz);
    let product = if mode == Round::Nearest {
        x * y
    } else {
        to_single(f64::from(x) * f64::from(y), mode)
    };
    finish(ftz, sat, product)
}

#[inline(always)]
pub(super) fn fma(a: u32, b: u32, c: u32, mode: Round, ftz: bool, sat: bool) -> u32 {
    let (x, y) = operands(a, b, ftz);
    let z = f64::from(f32::from_bits(flush_if(ftz, c)));
    finish(ftz, sat, rounded_sum(f64::from(x) * f64::from(y), z, mode))
}

/// Fused products rounded to nearest, in all lanes.
///
/// Rounding the double-precision sum once more is right except where that sum lies half-way between two singles,
/// or is so small that singles lie further apart than usual. Such lanes are rare; if there is one, the lanes are
/// computed again by way of the sum rounded to odd.
#[inline(always)]
pub(super) fn fma_nearest(out: &mut Lanes, [a, b, c]: [&Lanes; 3], ftz: bool, sat: bool) {
    let mut doubtful = false;
    for i in 0..LANES {
        let (x, y) = operands(a[i], b[i], ftz);
        let z = f32::from_bits(flush_if(ftz, c[i]));
        let sum = f64::from(x) * f64::from(y) + f64::from(z);
        let nearest = sum as f32;
        let half_way = sum.to_bits() as u32 & 0x1FFF_FFFF == 0x1000_0000;
        let tiny = nearest.abs() <= f32::MIN_POSITIVE && sum != 0.0;
        doubtful |= half_way | tiny;
        out[i] = finish(ftz, sat, nearest);
    }
    if doubtful {
        for i in 0..LANES {
            out[i] = fma(a[i], b[i], c[i], Round::Nearest, ftz, sat);
        }
    }
}

#[inline(always)]
fn operands(a: u32, b: u32, ftz: bool) -> (f32, f32) {
    (
        f32::from_bits(flush_if(ftz, a)),
        f32::from_bits(flush_if(ftz, b)),
    )
}

/// Runs a loop with its modifiers as constants in the common cases, so that it vectorises.
macro_rules! with_modifiers {
    ($fp:expr, |$mode:ident, $ftz:ident, $sat:ident| $body:expr) => {{
        let crate::kernel::op::Fp { round, ftz, sat } = $fp;
        match (round, ftz, sat) {
            (Round::Nearest, false, false) => {
                let ($mode, $ftz, $sat) = (Round::Nearest, false, false);
                $body
            }
            (Round::Nearest, true, false) => {
                let ($mode, $ftz, $sat) = (Round::Nearest, true, false);
                $body
            }
            ($mode, $ftz, $sat) => $body,
        }
    }};
}
pub(super) use with_modifiers;

/// Larger of two, by the rules of `max`: a number wins over NaN unless `nan`, +0 over -0.
#[inline(always)]
pub(super) fn max(a: u32, b: u32, ftz: bool, nan: bool) -> u32 {
    let (a, b) = (flush_if(ftz, a), flush_if(ftz, b));
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    if x.is_nan() || y.is_nan() {
        if nan || x.is_nan() && y.is_nan() {
            NAN
        } else if x.is_nan() {
            b
        } else {
            a
        }
    } else if x == y {
        // Equal but for the sign of zero.
        a & b
    } else if x > y {
        a
    } else {
        b
    }
}

/// Smaller of two, by the rules of `min`.
#[inline(always)]
pub(super) fn min(a: u32, b: u32, ftz: bool, nan: bool) -> u32 {
    const SIGN: u32 = 0x8000_0000;
    let x = f32::from_bits(a);
    let y = f32::from_bits(b);
    if x.is_nan() || y.is_nan() {
        max(a, b, ftz, nan)
    } else {
        max(a ^ SIGN, b ^ SIGN, ftz, nan) ^ SIGN
    }
}
