//! The approximate transcendental functions.
//!
//! Range reduction and polynomials in double precision, from basic operations only, which round the same on
//! every machine; then one rounding to single. Errors are far below the bounds of the PTX ISA: what remains is
//! half a unit in the last place of the result, and for `sin` and `cos` of arguments beyond 2^20 the error of
//! 2 pi itself, where the ISA promises nothing.

use std::f64::consts::{FRAC_2_PI, LN_2, TAU};

use super::exact::Format;
use super::float::elements;
use super::float32::{finish, flush_if};
use super::lanes::{Value, map1};
use crate::kernel::op::{Round, Ty};

/// Adding and subtracting it rounds a double below 2^51 to an integral number, ties to even.
const ROUNDER: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52

#[inline(always)]
fn nearest_integral(x: f64) -> f64 {
    (x + ROUNDER) - ROUNDER
}

/// `c[0] + c[1] x + ...`
#[inline(always)]
fn polynomial<const N: usize>(x: f64, coefficients: [f64; N]) -> f64 {
    let mut sum = 0.0;
    for i in (0..N).rev() {
        sum = sum * x + coefficients[i];
    }
    sum
}

/// `2^x`, relative error below 2^-40; for -1000 < x < 1000.
#[inline(always)]
fn exp2_inside(x: f64) -> f64 {
    let whole = nearest_integral(x);
    // |y| <= ln(2) / 2: the first term left out is y^12 / 12!, below 2^-46.
    let y = (x - whole) * LN_2;
    let fraction = polynomial(
        y,
        [
            1.0,
            1.0,
            1.0 / 2.0,
            1.0 / 6.0,
            1.0 / 24.0,
            1.0 / 120.0,
            1.0 / 720.0,
            1.0 / 5040.0,
            1.0 / 40_320.0,
            1.0 / 362_880.0,
            1.0 / 3_628_800.0,
            1.0 / 39_916_800.0,
        ],
    );
    fraction * f64::from_bits(((whole as i64 + 1023) as u64) << 52)
}

/// `2^x` of a single.
#[inline(always)]
pub(super) fn exp2(x: f32) -> f32 {
    // Outside, the result is certainly zero or infinite; NaN passes.
    let clamped = x.clamp(-200.0, 200.0);
    let result = exp2_inside(f64::from(clamped)) as f32;
    if x.is_nan() { x } else { result }
}

/// `log2(x)` of a single.
#[inline(always)]
pub(super) fn log2(x: f32) -> f32 {
    let wide = f64::from(x);
    let bits = wide.to_bits();
    // Mantissa in [sqrt(1/2), sqrt(2)), so that no digits cancel next to 1.
    const SQRT_HALF: u64 = 0x3FE6_A09E_667F_3BCD;
    let shifted = bits.wrapping_sub(SQRT_HALF);
    let exponent = (shifted as i64) >> 52;
    let mantissa = f64::from_bits(bits.wrapping_sub((exponent << 52) as u64));
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    // ln m = 2 atanh s, |s| <= 0.1716: the first term left out is s^17 / 17, relative 2^-44.
    let series = polynomial(
        s * s,
        [
            1.0,
            1.0 / 3.0,
            1.0 / 5.0,
            1.0 / 7.0,
            1.0 / 9.0,
            1.0 / 11.0,
            1.0 / 13.0,
            1.0 / 15.0,
        ],
    );
    let result = (exponent as f64 + 2.0 / LN_2 * s * series) as f32;
    if x == 0.0 {
        f32::NEG_INFINITY
    } else if x < 0.0 || x.is_nan() {
        f32::NAN
    } else if x.is_infinite() {
        x
    } else {
        result
    }
}

/// Sine of `x + quarter * pi / 2`.
#[inline(always)]
fn sine(x: f32, quarter: i64) -> f32 {
    let wide = f64::from(x);
    // The remainder of a division is exact, so it is the same everywhere, however large the argument.
    let wide = if wide.abs() > 1_048_576.0 {
        wide % TAU
    } else {
        wide
    };
    let turns = nearest_integral(wide * FRAC_2_PI);
    // pi/2 in two parts; the first has 33 bits, so that its multiple by up to 2^20 is exact.
    const HIGH: f64 = 1.570_796_326_734_125_6;
    const LOW: f64 = 6.077_100_506_506_192e-11;
    let r = (wide - turns * HIGH) - turns * LOW;
    let square = r * r;
    // |r| <= pi/4: the first terms left out are r^15 / 15! and r^14 / 14!, below 2^-41.
    let odd = r * polynomial(
        square,
        [
            1.0,
            -1.0 / 6.0,
            1.0 / 120.0,
            -1.0 / 5040.0,
            1.0 / 362_880.0,
            -1.0 / 39_916_800.0,
            1.0 / 6_227_020_800.0,
        ],
    );
    let even = polynomial(
        square,
        [
            1.0,
            -1.0 / 2.0,
            1.0 / 24.0,
            -1.0 / 720.0,
            1.0 / 40_320.0,
            -1.0 / 3_628_800.0,
            1.0 / 479_001_600.0,
        ],
    );
    let quadrant = turns as i64 + quarter;
    let result = if quadrant & 1 == 0 { odd } else { even };
    let result = if quadrant & 2 == 0 { result } else { -result };
    if x.is_finite() {
        result as f32
    } else {
        f32::NAN
    }
}

/// Sine of a single.
#[inline(always)]
pub(super) fn sin(x: f32) -> f32 {
    if x == 0.0 { x } else { sine(x, 0) }
}

/// Cosine of a single.
#[inline(always)]
pub(super) fn cos(x: f32) -> f32 {
    sine(x, 1)
}

/// Hyperbolic tangent of a single.
#[inline(always)]
pub(super) fn tanh(x: f32) -> f32 {
    let wide = f64::from(x);
    if x.is_nan() || x == 0.0 {
        x
    } else if wide.abs() < 0.02 {
        // The quotient below would cancel; the first term left out is 17 x^7 / 315, relative 2^-38.
        let square = wide * wide;
        (wide * polynomial(square, [1.0, -1.0 / 3.0, 2.0 / 15.0])) as f32
    } else {
        let power = exp2_inside(wide.clamp(-20.0, 20.0) * (2.0 / LN_2));
        ((power - 1.0) / (power + 1.0)) as f32
    }
}

/// A single-precision function of every lane.
#[inline(always)]
pub(super) fn each_single(ftz: bool, out: &mut Value, a: &Value, f: impl Fn(f32) -> f32) {
    map1(out, a, |x| {
        finish(ftz, false, f(f32::from_bits(flush_if(ftz, x))))
    });
}

/// A function of every element of type F32, F16, F16x2, BF16 or BF16x2, by way of single precision.
pub(super) fn each_element(
    ty: Ty,
    ftz: bool,
    out: &mut Value,
    a: &Value,
    active: u32,
    f: impl Fn(f32) -> f32,
) {
    if ty == Ty::F32 {
        return each_single(ftz, out, a, f);
    }
    let format = Format::of(ty);
    elements(ty, out, [a; 3], active, |x, _, _| {
        let x = if ftz { format.flush(x) } else { x };
        let single = f(super::compare::half_value(ty, x as u32));
        let y = Format::F32.convert(u64::from(single.to_bits()), format, Round::Nearest);
        if ftz { format.flush(y) } else { y }
    });
}
