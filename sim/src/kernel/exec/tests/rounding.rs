//! Correct rounding, checked against error-free transforms on the host: the host rounds to nearest and a second
//! operation gives the sign of what it lost, which says where every other rounding must lie.

use std::cmp::Ordering;

use proptest::prelude::*;

use super::{rounded, value};
use crate::kernel::op::{Op, Precision, Round, Ty};

const ROUNDS: [Round; 4] = [Round::Nearest, Round::Zero, Round::Down, Round::Up];

/// What the mode gives if the exact result is `error` away from `nearest` (of which only the sign counts).
fn expected(nearest: f64, error: f64, mode: Round) -> f64 {
    let below = match error.partial_cmp(&0.0) {
        Some(Ordering::Less) => nearest.next_down(),
        _ => nearest,
    };
    let above = match error.partial_cmp(&0.0) {
        Some(Ordering::Greater) => nearest.next_up(),
        _ => nearest,
    };
    match mode {
        Round::Nearest => nearest,
        Round::Down => below,
        Round::Up => above,
        Round::Zero if nearest > 0.0 => below,
        Round::Zero => above,
    }
}

/// As [`expected`], for a single whose exact value is between the double `x` and its neighbour on the side of
/// `error`.
fn expected_single(x: f64, error: f64, mode: Round) -> f32 {
    let near = x as f32;
    let distance = x - f64::from(near);
    let error = if distance == 0.0 { error } else { distance };
    let below = if error < 0.0 { near.next_down() } else { near };
    let above = if error > 0.0 { near.next_up() } else { near };
    match mode {
        Round::Nearest => near,
        Round::Down => below,
        Round::Up => above,
        Round::Zero if x > 0.0 => below,
        Round::Zero => above,
    }
}

fn two_sum_error(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let (large, small) = if a.abs() > b.abs() { (a, b) } else { (b, a) };
    small - (sum - large)
}

/// Doubles with exponents that neither overflow nor underflow.
fn double() -> impl Strategy<Value = f64> {
    (any::<u64>(), 700_u64..1300)
        .prop_map(|(bits, exponent)| f64::from_bits(bits & !(0x7FF << 52) | exponent << 52))
}

/// Doubles close to each other in size.
fn close_double() -> impl Strategy<Value = f64> {
    (any::<u64>(), 1000_u64..1080)
        .prop_map(|(bits, exponent)| f64::from_bits(bits & !(0x7FF << 52) | exponent << 52))
}

fn normal_single() -> impl Strategy<Value = f32> {
    (any::<u32>(), 64_u32..190)
        .prop_map(|(bits, exponent)| f32::from_bits(bits & !(0xFF << 23) | exponent << 23))
}

fn f64_result(op: Op, srcs: &[f64]) -> f64 {
    let bits: Vec<u64> = srcs.iter().map(|x| x.to_bits()).collect();
    f64::from_bits(value(op, &bits))
}

fn f32_result(op: Op, srcs: &[f32]) -> f32 {
    let bits: Vec<u64> = srcs.iter().map(|&x| super::f32_bits(x)).collect();
    super::single(value(op, &bits))
}

proptest! {
    #[test]
    fn double_sums_and_products(a in close_double(), b in close_double()) {
        for mode in ROUNDS {
            let fp = rounded(mode);
            let sum = expected(a + b, two_sum_error(a, b), mode);
            prop_assert_eq!(f64_result(Op::FAdd(Ty::F64, fp), &[a, b]), sum);
            let difference = expected(a - b, two_sum_error(a, -b), mode);
            prop_assert_eq!(f64_result(Op::FSub(Ty::F64, fp), &[a, b]), difference);
            let product = a * b;
            let error = a.mul_add(b, -product);
            prop_assert_eq!(
                f64_result(Op::FMul(Ty::F64, fp), &[a, b]),
                expected(product, error, mode)
            );
        }
    }

    #[test]
    fn double_quotients_and_roots(a in double(), b in double()) {
        for mode in ROUNDS {
            let precision = Precision::Ieee(mode);
            let quotient = a / b;
            let error = (-quotient).mul_add(b, a) * b.signum();
            let div = Op::FDiv { ty: Ty::F64, precision, ftz: false };
            prop_assert_eq!(f64_result(div, &[a, b]), expected(quotient, error, mode));
            let inverse = 1.0 / b;
            let error = (-inverse).mul_add(b, 1.0) * b.signum();
            let rcp = Op::Rcp { ty: Ty::F64, precision, ftz: false };
            prop_assert_eq!(f64_result(rcp, &[b]), expected(inverse, error, mode));
            let square = a.abs();
            let root = square.sqrt();
            let error = (-root).mul_add(root, square);
            let sqrt = Op::Sqrt { ty: Ty::F64, precision, ftz: false };
            prop_assert_eq!(f64_result(sqrt, &[square]), expected(root, error, mode));
        }
    }

    #[test]
    fn double_fused_products_lie_around_the_exact_integer(
        a in -(1_i64 << 53)..1 << 53, b in -(1_i64 << 53)..1 << 53, c in -(1_i64 << 53)..1 << 53,
        shift in 0_u32..70,
    ) {
        // All operands are integers, so the exact result is one too.
        let exact = i128::from(a) * i128::from(b) + (i128::from(c) << shift);
        let srcs = [a as f64, b as f64, c as f64 * 2_f64.powi(shift as i32)];
        let of = |mode| f64_result(Op::Fma(Ty::F64, rounded(mode)), &srcs);
        let (down, up) = (of(Round::Down), of(Round::Up));
        prop_assert!(down as i128 <= exact && exact <= up as i128);
        prop_assert!(down as i128 == exact && down == up || down as i128 != exact && down.next_up() == up);
        prop_assert_eq!(of(Round::Zero), if exact > 0 { down } else { up });
        prop_assert_eq!(of(Round::Nearest), exact as f64);
    }

    #[test]
    fn single_sums_products_and_fused_products(
        a in normal_single(), b in normal_single(), c in normal_single(),
    ) {
        let (x, y, z) = (f64::from(a), f64::from(b), f64::from(c));
        for mode in ROUNDS {
            let fp = rounded(mode);
            let sum = expected_single(x + y, two_sum_error(x, y), mode);
            prop_assert_eq!(f32_result(Op::FAdd(Ty::F32, fp), &[a, b]), sum);
            let product = expected_single(x * y, 0.0, mode);
            prop_assert_eq!(f32_result(Op::FMul(Ty::F32, fp), &[a, b]), product);
            if mode != Round::Nearest {
                let fused = expected_single(x * y + z, two_sum_error(x * y, z), mode);
                prop_assert_eq!(f32_result(Op::Fma(Ty::F32, fp), &[a, b, c]), fused);
            }
        }
    }

    #[test]
    fn single_operations_to_nearest_are_those_of_the_host(
        a in any::<u32>(), b in any::<u32>(), c in any::<u32>(),
    ) {
        let [x, y, z] = [a, b, c].map(f32::from_bits);
        let fp = rounded(Round::Nearest);
        let canonical = |x: f32| if x.is_nan() { 0x7FFF_FFFF } else { x.to_bits() };
        let run = |op| value(op, &[u64::from(a), u64::from(b), u64::from(c)]) as u32;
        let precision = Precision::Ieee(Round::Nearest);
        prop_assert_eq!(run(Op::FAdd(Ty::F32, fp)), canonical(x + y));
        prop_assert_eq!(run(Op::FSub(Ty::F32, fp)), canonical(x - y));
        prop_assert_eq!(run(Op::FMul(Ty::F32, fp)), canonical(x * y));
        prop_assert_eq!(run(Op::Fma(Ty::F32, fp)), canonical(x.mul_add(y, z)));
        prop_assert_eq!(run(Op::FDiv { ty: Ty::F32, precision, ftz: false }), canonical(x / y));
        prop_assert_eq!(run(Op::Sqrt { ty: Ty::F32, precision, ftz: false }), canonical(x.sqrt()));
        prop_assert_eq!(run(Op::Rcp { ty: Ty::F32, precision, ftz: false }), canonical(1.0 / x));
    }

    #[test]
    fn integer_arithmetic_rounds_as_the_host_does_at_all_exponents(
        a in any::<u64>(), b in any::<u64>(), c in any::<u64>(),
    ) {
        use crate::kernel::exec::exact::Format;
        let [x, y, z] = [a, b, c].map(f64::from_bits);
        let format = Format::F64;
        let same = |ours: u64, host: f64| {
            if host.is_nan() { ours == format.nan } else { ours == host.to_bits() }
        };
        let mode = Round::Nearest;
        prop_assert!(same(format.add(a, b, mode), x + y));
        prop_assert!(same(format.sub(a, b, mode), x - y));
        prop_assert!(same(format.mul(a, b, mode), x * y));
        prop_assert!(same(format.div(a, b, mode), x / y));
        prop_assert!(same(format.fma(a, b, c, mode), x.mul_add(y, z)));
        prop_assert!(same(format.sqrt(a, mode), x.sqrt()));
    }

    #[test]
    fn directed_single_operations_agree_with_integer_arithmetic(
        a in any::<u32>(), b in any::<u32>(), c in any::<u32>(),
    ) {
        use crate::kernel::exec::exact::Format;
        let format = Format::F32;
        let srcs = [a, b, c].map(u64::from);
        for mode in ROUNDS {
            let fp = rounded(mode);
            let [x, y, z] = srcs;
            prop_assert_eq!(value(Op::FAdd(Ty::F32, fp), &srcs), format.add(x, y, mode));
            prop_assert_eq!(value(Op::FMul(Ty::F32, fp), &srcs), format.mul(x, y, mode));
            prop_assert_eq!(value(Op::Fma(Ty::F32, fp), &srcs), format.fma(x, y, z, mode));
        }
    }

    #[test]
    fn half_sums_and_products_are_the_exact_double_rounded_once(a in any::<u16>(), b in any::<u16>()) {
        let [x, y] = [a, b].map(|bits| half::f16::from_bits(bits).to_f64());
        let srcs = [u64::from(a), u64::from(b)];
        let canonical = |x: f64| {
            if x.is_nan() { 0x7FFF } else { u64::from(half::f16::from_f64(x).to_bits()) }
        };
        let fp = rounded(Round::Nearest);
        // Sums and products of halves are exact in double precision.
        prop_assert_eq!(value(Op::FAdd(Ty::F16, fp), &srcs), canonical(x + y));
        prop_assert_eq!(value(Op::FMul(Ty::F16, fp), &srcs), canonical(x * y));
        let packed = value(Op::FMul(Ty::F16x2, fp), &[srcs[0] << 16 | srcs[1], srcs[1] << 16 | srcs[0]]);
        let product = canonical(x * y);
        prop_assert_eq!(packed, product << 16 | product);
    }
}
