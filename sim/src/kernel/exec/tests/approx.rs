//! The error bounds of the PTX ISA, against the host's double-precision functions.

use super::{f32_bits, single, value};
use crate::kernel::op::{Op, Precision, Ty};

/// Singles spread evenly over `from .. to`.
fn spread(from: f64, to: f64, count: u32) -> impl Iterator<Item = f32> {
    (0..=count).map(move |i| (from + (to - from) * f64::from(i) / f64::from(count)) as f32)
}

/// Positive singles over all exponents, subnormals included.
fn all_sizes() -> impl Iterator<Item = f32> {
    (1..0x7F80_0000).step_by(40_009).map(f32::from_bits)
}

fn of(op: Op, x: f32) -> f64 {
    f64::from(single(value(op, &[f32_bits(x)])))
}

fn relative(ours: f64, exact: f64) -> f64 {
    ((ours - exact) / exact).abs()
}

/// Half of the last place, the rounding to single.
const HALF_PLACE: f64 = 1.0 / 16_777_216.0;

#[test]
fn ex2_is_within_half_a_place_and_a_little() {
    let ex2 = Op::Ex2 {
        ty: Ty::F32,
        ftz: false,
    };
    for x in spread(-125.9, 127.9, 30_000) {
        let error = relative(of(ex2, x), f64::from(x).exp2());
        assert!(error < HALF_PLACE * 1.001, "{x}: {error:e}");
    }
    assert_eq!(of(ex2, 128.0), f64::INFINITY);
    assert_eq!(of(ex2, f32::NEG_INFINITY), 0.0);
    assert_eq!(of(ex2, -149.0), f64::from(f32::from_bits(1)));
    assert!(of(ex2, f32::NAN).is_nan());
    assert_eq!(
        value(
            Op::Ex2 {
                ty: Ty::F16x2,
                ftz: false
            },
            &[0x4000_3C00]
        ),
        0x4400_4000
    );
}

#[test]
fn lg2_is_within_half_a_place_and_a_little() {
    let lg2 = Op::Lg2 { ftz: false };
    for x in all_sizes().chain(spread(0.5, 2.0, 20_000)) {
        let exact = f64::from(x).log2();
        let ours = of(lg2, x);
        assert!(
            ours == exact || relative(ours, exact) < HALF_PLACE * 1.01,
            "{x}"
        );
    }
    assert_eq!(of(lg2, -0.0), f64::NEG_INFINITY);
    assert!(of(lg2, -1.0).is_nan());
    assert_eq!(of(lg2, f32::INFINITY), f64::INFINITY);
    assert_eq!(
        of(Op::Lg2 { ftz: true }, f32::from_bits(1)),
        f64::NEG_INFINITY
    );
}

#[test]
fn sin_and_cos_are_within_the_bound_of_the_isa() {
    const BOUND: f64 = 4.7e-7; // 2^-21, below the 2^-20.5 of the ISA
    for x in spread(-6.3, 6.3, 30_000).chain(spread(-1e6, 1e6, 10_000)) {
        let exact = f64::from(x);
        assert!(
            (of(Op::Sin { ftz: false }, x) - exact.sin()).abs() < BOUND,
            "{x}"
        );
        assert!(
            (of(Op::Cos { ftz: false }, x) - exact.cos()).abs() < BOUND,
            "{x}"
        );
    }
    assert_eq!(value(Op::Sin { ftz: false }, &[1 << 31]), 1 << 31);
    assert_eq!(of(Op::Cos { ftz: false }, 0.0), 1.0);
    assert!(of(Op::Sin { ftz: false }, f32::INFINITY).is_nan());
    assert!(of(Op::Cos { ftz: false }, f32::MAX).abs() <= 1.0);
}

#[test]
fn tanh_is_within_half_a_place_and_a_little() {
    for x in spread(-12.0, 12.0, 30_000).chain(spread(-0.05, 0.05, 10_000)) {
        let exact = f64::from(x).tanh();
        let ours = of(Op::Tanh(Ty::F32), x);
        assert!(
            ours == exact || relative(ours, exact) < HALF_PLACE * 1.01,
            "{x}"
        );
    }
    assert_eq!(of(Op::Tanh(Ty::F32), f32::INFINITY), 1.0);
    assert_eq!(of(Op::Tanh(Ty::F32), f32::NEG_INFINITY), -1.0);
}

#[test]
fn reciprocal_and_roots_are_correctly_rounded() {
    let precision = Precision::Approx;
    for x in all_sizes() {
        let exact = f64::from(x);
        let rcp = of(
            Op::Rcp {
                ty: Ty::F32,
                precision,
                ftz: false,
            },
            x,
        );
        assert_eq!(rcp as f32, (1.0 / exact) as f32, "{x}");
        let sqrt = of(
            Op::Sqrt {
                ty: Ty::F32,
                precision,
                ftz: false,
            },
            x,
        );
        assert_eq!(sqrt as f32, exact.sqrt() as f32, "{x}");
        let rsqrt = of(
            Op::Rsqrt {
                ty: Ty::F32,
                ftz: false,
            },
            x,
        );
        assert!(
            relative(rsqrt, 1.0 / exact.sqrt()) < HALF_PLACE * 1.001,
            "{x}"
        );
    }
}

#[test]
fn gross_double_approximations_keep_twenty_bits() {
    let rcp = Op::Rcp {
        ty: Ty::F64,
        precision: Precision::Approx,
        ftz: true,
    };
    let rsqrt = Op::Rsqrt {
        ty: Ty::F64,
        ftz: true,
    };
    for i in 1..20_000_u32 {
        let x = f64::from(i) * 0.123_456_789_012;
        for (op, exact) in [(rcp, 1.0 / x), (rsqrt, 1.0 / x.sqrt())] {
            let bits = value(op, &[x.to_bits()]);
            assert_eq!(bits & 0xFFFF_FFFF, 0);
            assert!(
                relative(f64::from_bits(bits), exact) < 2.0_f64.powi(-19),
                "{x}"
            );
        }
    }
    assert_eq!(value(rcp, &[1]), f64::INFINITY.to_bits());
}
