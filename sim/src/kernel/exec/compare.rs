//! Comparisons: `setp`, `set`, `slct`, `testp`.

use super::exact::{Format, Number};
use super::float32::flush_if;
use super::int::{narrow, read};
use super::lanes::{Value, test};
use crate::kernel::op::{BoolOp, Cmp, TestProp, Ty};

/// Whether `cmp` accepts two numbers; integers are always ordered.
#[inline(always)]
#[expect(
    clippy::neg_cmp_op_on_partial_ord,
    clippy::double_comparisons,
    reason = "with NaN, which all but `!=` refuse, the simpler forms mean something else"
)]
fn accepts<T: PartialOrd>(cmp: Cmp, x: T, y: T) -> bool {
    // Every comparison with NaN is false, so that the unordered forms are the opposites of their inverses.
    match cmp {
        Cmp::Eq => x == y,
        Cmp::Ne => x < y || x > y,
        Cmp::Lt => x < y,
        Cmp::Le => x <= y,
        Cmp::Gt => x > y,
        Cmp::Ge => x >= y,
        Cmp::Equ => !(x < y || x > y),
        Cmp::Neu => x != y,
        Cmp::Ltu => !(x >= y),
        Cmp::Leu => !(x > y),
        Cmp::Gtu => !(x <= y),
        Cmp::Geu => !(x < y),
        Cmp::Num => x.partial_cmp(&y).is_some(),
        Cmp::Nan => x.partial_cmp(&y).is_none(),
    }
}

/// A loop per comparison, so that the comparison is chosen outside it.
macro_rules! per_comparison {
    ($cmp:expr, |$lane:ident| ($x:expr, $y:expr)) => {
        match $cmp {
            Cmp::Eq => test(|$lane| accepts(Cmp::Eq, $x, $y)),
            Cmp::Ne => test(|$lane| accepts(Cmp::Ne, $x, $y)),
            Cmp::Lt => test(|$lane| accepts(Cmp::Lt, $x, $y)),
            Cmp::Le => test(|$lane| accepts(Cmp::Le, $x, $y)),
            Cmp::Gt => test(|$lane| accepts(Cmp::Gt, $x, $y)),
            Cmp::Ge => test(|$lane| accepts(Cmp::Ge, $x, $y)),
            cmp => test(|$lane| accepts(cmp, $x, $y)),
        }
    };
}

/// The value of a half-precision number, exactly.
pub(super) fn half_value(ty: Ty, bits: u32) -> f32 {
    if matches!(ty, Ty::Bf16 | Ty::Bf16x2) {
        half::bf16::from_bits(bits as u16).to_f32()
    } else {
        half::f16::from_bits(bits as u16).to_f32()
    }
}

fn flushed_half(ty: Ty, ftz: bool, bits: u32) -> f32 {
    let bits = u64::from(bits & 0xFFFF);
    let bits = if ftz {
        Format::of(ty).flush(bits)
    } else {
        bits
    };
    half_value(ty, bits as u32)
}

/// One bit per lane: `a cmp b`. For packed types: of the lower elements.
pub(super) fn compare(cmp: Cmp, ty: Ty, ftz: bool, a: &Value, b: &Value) -> u32 {
    match ty {
        Ty::U32 | Ty::B32 => per_comparison!(cmp, |i| (a.lo[i], b.lo[i])),
        Ty::S32 => per_comparison!(cmp, |i| (a.lo[i] as i32, b.lo[i] as i32)),
        Ty::F32 => {
            let value = |v: &Value, i: usize| f32::from_bits(flush_if(ftz, v.lo[i]));
            per_comparison!(cmp, |i| (value(a, i), value(b, i)))
        }
        Ty::U64 | Ty::B64 => per_comparison!(cmp, |i| (a.get(i), b.get(i))),
        Ty::S64 => per_comparison!(cmp, |i| (a.get(i) as i64, b.get(i) as i64)),
        Ty::F64 => per_comparison!(cmp, |i| (
            f64::from_bits(a.get(i)),
            f64::from_bits(b.get(i))
        )),
        Ty::F16 | Ty::F16x2 | Ty::Bf16 | Ty::Bf16x2 => test(|i| {
            let (x, y) = (
                flushed_half(ty, ftz, a.lo[i]),
                flushed_half(ty, ftz, b.lo[i]),
            );
            accepts(cmp, x, y)
        }),
        _ => test(|i| accepts(cmp, read(ty, a, i), read(ty, b, i))),
    }
}

/// As [`compare`], of the upper elements of a packed type.
pub(super) fn compare_upper(cmp: Cmp, ty: Ty, ftz: bool, a: &Value, b: &Value) -> u32 {
    test(|i| {
        let (x, y) = (
            flushed_half(ty, ftz, a.lo[i] >> 16),
            flushed_half(ty, ftz, b.lo[i] >> 16),
        );
        accepts(cmp, x, y)
    })
}

/// Combines a comparison with a predicate.
#[inline(always)]
pub(super) fn combine(op: Option<BoolOp>, result: u32, with: u32) -> u32 {
    match op {
        None => result,
        Some(BoolOp::And) => result & with,
        Some(BoolOp::Or) => result | with,
        Some(BoolOp::Xor) => result ^ with,
    }
}

/// What `set` writes where the comparison holds.
pub(super) fn true_value(to: Ty) -> u32 {
    match to {
        Ty::F32 | Ty::F16 | Ty::Bf16 => Format::of(to).one() as u32,
        _ => narrow(to, u32::MAX),
    }
}

/// One bit per lane: `c >= 0`, as `slct` asks.
pub(super) fn not_negative(ty: Ty, ftz: bool, c: &Value) -> u32 {
    if ty == Ty::F32 {
        test(|i| f32::from_bits(flush_if(ftz, c.lo[i])) >= 0.0)
    } else {
        test(|i| c.lo[i] as i32 >= 0)
    }
}

pub(super) fn has_property(ty: Ty, property: TestProp, a: &Value) -> u32 {
    let format = Format::of(ty);
    test(|i| {
        let bits = match ty {
            Ty::F64 => a.get(i),
            _ => u64::from(a.lo[i]),
        };
        let number = format.unpack(bits);
        let subnormal = format.is_subnormal(bits);
        let finite = !matches!(number, Number::Nan | Number::Infinite { .. });
        match property {
            TestProp::Finite => finite,
            TestProp::Infinite => matches!(number, Number::Infinite { .. }),
            TestProp::Number => number != Number::Nan,
            TestProp::NotANumber => number == Number::Nan,
            // Zeros count as normal.
            TestProp::Normal => finite && !subnormal,
            TestProp::Subnormal => subnormal,
        }
    })
}
