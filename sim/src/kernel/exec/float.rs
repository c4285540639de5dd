//! Floating-point arithmetic of all types: fast loops where the host rounds as asked, exact integers elsewhere.

use super::exact::Format;
use super::float32::{self, with_modifiers};
use super::lanes::{Value, lanes_of, map1, map2, map3, wide1, wide2, wide3};
use crate::kernel::op::{Fp, Precision, Round, Ty};

/// Applies `f` to every element of the active lanes: one per lane, or two for packed types.
#[inline(always)]
pub(super) fn elements(
    ty: Ty,
    out: &mut Value,
    [a, b, c]: [&Value; 3],
    active: u32,
    f: impl Fn(u64, u64, u64) -> u64,
) {
    for i in lanes_of(active) {
        match ty {
            Ty::F64 => out.set(i, f(a.get(i), b.get(i), c.get(i))),
            Ty::F16 | Ty::Bf16 => out.lo[i] = f(low(a, i), low(b, i), low(c, i)) as u32,
            Ty::F16x2 | Ty::Bf16x2 => {
                let lo = f(low(a, i), low(b, i), low(c, i)) as u32;
                let hi = f(high(a, i), high(b, i), high(c, i)) as u32;
                out.lo[i] = lo | hi << 16;
            }
            _ => {
                out.lo[i] = f(u64::from(a.lo[i]), u64::from(b.lo[i]), u64::from(c.lo[i])) as u32;
            }
        }
    }
}

fn low(v: &Value, lane: usize) -> u64 {
    u64::from(v.lo[lane] & 0xFFFF)
}

fn high(v: &Value, lane: usize) -> u64 {
    u64::from(v.lo[lane] >> 16)
}

/// As [`elements`], with flushed inputs and finished results.
#[inline(always)]
fn rounded(
    ty: Ty,
    fp: Fp,
    out: &mut Value,
    srcs: [&Value; 3],
    active: u32,
    f: impl Fn(Format, u64, u64, u64) -> u64,
) {
    let format = Format::of(ty);
    let flush = |x: u64| if fp.ftz { format.flush(x) } else { x };
    elements(ty, out, srcs, active, |a, b, c| {
        let d = flush(f(format, flush(a), flush(b), flush(c)));
        if fp.sat { format.saturate(d) } else { d }
    });
}

/// Bits of a double-precision result with the one NaN that this program produces.
#[inline(always)]
fn double(x: f64) -> u64 {
    if x.is_nan() {
        Format::F64.nan
    } else {
        x.to_bits()
    }
}

fn is_plain(fp: Fp) -> bool {
    fp.round == Round::Nearest && !fp.ftz && !fp.sat
}

pub(super) fn add(ty: Ty, fp: Fp, out: &mut Value, a: &Value, b: &Value, active: u32) {
    match ty {
        Ty::F32 => with_modifiers!(fp, |mode, ftz, sat| map2(out, a, b, |x, y| float32::add(
            x, y, mode, ftz, sat
        ))),
        Ty::F64 if is_plain(fp) => {
            wide2(out, a, b, |x, y| {
                double(f64::from_bits(x) + f64::from_bits(y))
            });
        }
        _ => rounded(ty, fp, out, [a, b, a], active, |f, x, y, _| {
            f.add(x, y, fp.round)
        }),
    }
}

pub(super) fn sub(ty: Ty, fp: Fp, out: &mut Value, a: &Value, b: &Value, active: u32) {
    match ty {
        Ty::F32 => with_modifiers!(fp, |mode, ftz, sat| map2(out, a, b, |x, y| float32::add(
            x,
            y ^ 0x8000_0000,
            mode,
            ftz,
            sat
        ))),
        Ty::F64 if is_plain(fp) => {
            wide2(out, a, b, |x, y| {
                double(f64::from_bits(x) - f64::from_bits(y))
            });
        }
        _ => rounded(ty, fp, out, [a, b, a], active, |f, x, y, _| {
            f.sub(x, y, fp.round)
        }),
    }
}

pub(super) fn mul(ty: Ty, fp: Fp, out: &mut Value, a: &Value, b: &Value, active: u32) {
    match ty {
        Ty::F32 => with_modifiers!(fp, |mode, ftz, sat| map2(out, a, b, |x, y| float32::mul(
            x, y, mode, ftz, sat
        ))),
        Ty::F64 if is_plain(fp) => {
            wide2(out, a, b, |x, y| {
                double(f64::from_bits(x) * f64::from_bits(y))
            });
        }
        _ => rounded(ty, fp, out, [a, b, a], active, |f, x, y, _| {
            f.mul(x, y, fp.round)
        }),
    }
}

pub(super) fn fma(ty: Ty, fp: Fp, out: &mut Value, [a, b, c]: [&Value; 3], active: u32) {
    match ty {
        Ty::F32 if fp.round == Round::Nearest => {
            let srcs = [&a.lo, &b.lo, &c.lo];
            match (fp.ftz, fp.sat) {
                (false, false) => float32::fma_nearest(&mut out.lo, srcs, false, false),
                (true, false) => float32::fma_nearest(&mut out.lo, srcs, true, false),
                (ftz, sat) => float32::fma_nearest(&mut out.lo, srcs, ftz, sat),
            }
        }
        Ty::F32 => map3(out, a, b, c, |x, y, z| {
            float32::fma(x, y, z, fp.round, fp.ftz, fp.sat)
        }),
        Ty::F64 if is_plain(fp) => wide3(out, a, b, c, |x, y, z| {
            double(f64::from_bits(x).mul_add(f64::from_bits(y), f64::from_bits(z)))
        }),
        _ => rounded(ty, fp, out, [a, b, c], active, |f, x, y, z| {
            f.fma(x, y, z, fp.round)
        }),
    }
}

/// `div.approx.f32`: a divisor of 2^126 or more gives a zero, and NaN if the dividend is infinite.
fn div_approx(a: u32, b: u32) -> f32 {
    const FROM: f32 = f32::from_bits(0x7E80_0000); // 2^126
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    if y.abs() > FROM && y.is_finite() && !x.is_nan() {
        if x.is_infinite() {
            f32::NAN
        } else {
            f32::from_bits((a ^ b) & 0x8000_0000)
        }
    } else {
        x / y
    }
}

pub(super) fn div(
    ty: Ty,
    precision: Precision,
    ftz: bool,
    out: &mut Value,
    a: &Value,
    b: &Value,
    active: u32,
) {
    let flush = |x| float32::flush_if(ftz, x);
    match (ty, precision) {
        (Ty::F32, Precision::Approx) => map2(out, a, b, |x, y| {
            float32::finish(ftz, false, div_approx(flush(x), flush(y)))
        }),
        (Ty::F32, Precision::Full | Precision::Ieee(Round::Nearest)) => map2(out, a, b, |x, y| {
            let quotient = f32::from_bits(flush(x)) / f32::from_bits(flush(y));
            float32::finish(ftz, false, quotient)
        }),
        _ => rounded(
            ty,
            fp_of(precision, ftz),
            out,
            [a, b, a],
            active,
            |f, x, y, _| f.div(x, y, mode_of(precision)),
        ),
    }
}

fn mode_of(precision: Precision) -> Round {
    match precision {
        Precision::Ieee(mode) => mode,
        Precision::Approx | Precision::Full => Round::Nearest,
    }
}

fn fp_of(precision: Precision, ftz: bool) -> Fp {
    Fp {
        round: mode_of(precision),
        ftz,
        sat: false,
    }
}

/// Keeps sign, exponent and 20 bits of fraction, the upper word of a double.
const UPPER_WORD: u64 = 0xFFFF_FFFF_0000_0000;

/// `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64`: only the upper words count.
fn upper_word_only(x: u64, f: impl Fn(u64) -> u64) -> u64 {
    let f64 = Format::F64;
    // Rounded to 20 bits of fraction; a NaN or infinity has nothing in the lower word.
    let exact = f(f64.flush(x & UPPER_WORD));
    f64.flush(exact.wrapping_add(0x8000_0000) & UPPER_WORD)
}

pub(super) fn rcp(
    ty: Ty,
    precision: Precision,
    ftz: bool,
    out: &mut Value,
    a: &Value,
    active: u32,
) {
    let mode = mode_of(precision);
    match (ty, precision) {
        (Ty::F32, Precision::Approx | Precision::Ieee(Round::Nearest)) => map1(out, a, |x| {
            float32::finish(ftz, false, 1.0 / f32::from_bits(float32::flush_if(ftz, x)))
        }),
        (Ty::F64, Precision::Approx) => wide1(out, a, |x| {
            upper_word_only(x, |x| double(1.0 / f64::from_bits(x)))
        }),
        _ => rounded(
            ty,
            fp_of(precision, ftz),
            out,
            [a; 3],
            active,
            |f, x, _, _| f.div(f.one(), x, mode),
        ),
    }
}

pub(super) fn sqrt(
    ty: Ty,
    precision: Precision,
    ftz: bool,
    out: &mut Value,
    a: &Value,
    active: u32,
) {
    let mode = mode_of(precision);
    match (ty, mode) {
        (Ty::F32, Round::Nearest) => map1(out, a, |x| {
            float32::finish(ftz, false, f32::from_bits(float32::flush_if(ftz, x)).sqrt())
        }),
        (Ty::F64, Round::Nearest) => wide1(out, a, |x| double(f64::from_bits(x).sqrt())),
        _ => rounded(
            ty,
            fp_of(precision, ftz),
            out,
            [a; 3],
            active,
            |f, x, _, _| f.sqrt(x, mode),
        ),
    }
}

pub(super) fn rsqrt(ty: Ty, ftz: bool, out: &mut Value, a: &Value) {
    let inverse_root = |x: f64| 1.0 / x.sqrt();
    match ty {
        Ty::F64 if ftz => wide1(out, a, |x| {
            upper_word_only(x, |x| double(inverse_root(f64::from_bits(x))))
        }),
        Ty::F64 => wide1(out, a, |x| double(inverse_root(f64::from_bits(x)))),
        _ => map1(out, a, |x| {
            let x = f64::from(f32::from_bits(float32::flush_if(ftz, x)));
            float32::finish(ftz, false, inverse_root(x) as f32)
        }),
    }
}

fn sign_bits(ty: Ty) -> u64 {
    match ty {
        Ty::F64 => 1 << 63,
        Ty::F16 | Ty::Bf16 => 1 << 15,
        _ => 1 << 31,
    }
}

/// `abs`: the sign goes; a NaN keeps its payload.
pub(super) fn abs(ty: Ty, ftz: bool, out: &mut Value, a: &Value, active: u32) {
    if ty == Ty::F32 {
        map1(out, a, |x| float32::flush_if(ftz, x) & 0x7FFF_FFFF);
    } else {
        sign_operation(ty, ftz, out, a, active, |x, sign| x & !sign);
    }
}

/// `neg`: the sign flips; a NaN keeps its payload.
pub(super) fn neg(ty: Ty, ftz: bool, out: &mut Value, a: &Value, active: u32) {
    if ty == Ty::F32 {
        map1(out, a, |x| float32::flush_if(ftz, x) ^ 0x8000_0000);
    } else {
        sign_operation(ty, ftz, out, a, active, |x, sign| x ^ sign);
    }
}

fn sign_operation(
    ty: Ty,
    ftz: bool,
    out: &mut Value,
    a: &Value,
    active: u32,
    f: impl Fn(u64, u64) -> u64,
) {
    let format = Format::of(ty);
    let sign = match ty {
        Ty::F16x2 | Ty::Bf16x2 => 1 << 15,
        _ => sign_bits(ty),
    };
    elements(ty, out, [a; 3], active, |x, _, _| {
        f(if ftz { format.flush(x) } else { x }, sign)
    });
}

/// Orders numbers, with -0 below +0.
fn order(format: Format, bits: u64) -> i128 {
    let sign = format.zero(true);
    let magnitude = i128::from(bits & !sign);
    if bits & sign != 0 {
        -magnitude - 1
    } else {
        magnitude
    }
}

/// `min` or `max`: a number wins over NaN unless `nan`; -0 is below +0.
pub(super) fn extremum(
    ty: Ty,
    (larger, ftz, nan): (bool, bool, bool),
    out: &mut Value,
    a: &Value,
    b: &Value,
    active: u32,
) {
    if ty == Ty::F32 {
        if larger {
            map2(out, a, b, |x, y| float32::max(x, y, ftz, nan));
        } else {
            map2(out, a, b, |x, y| float32::min(x, y, ftz, nan));
        }
        return;
    }
    let format = Format::of(ty);
    let flush = |x: u64| if ftz { format.flush(x) } else { x };
    elements(ty, out, [a, b, a], active, |x, y, _| {
        let (x, y) = (flush(x), flush(y));
        match (format.is_nan(x), format.is_nan(y)) {
            (true, true) => format.nan,
            (true, false) if !nan => y,
            (false, true) if !nan => x,
            (false, false) => {
                if (order(format, x) > order(format, y)) == larger {
                    x
                } else {
                    y
                }
            }
            _ => format.nan,
        }
    });
}
