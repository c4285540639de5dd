use super::{f32_bits, rounded, single, value};
use crate::kernel::op::{Fp, Op, Precision, Round, Ty};

const NAN_32: u64 = 0x7FFF_FFFF;
const NAN_64: u64 = 0xFFF8_0000_0000_0000;
const RN: Round = Round::Nearest;

fn flushed() -> Fp {
    Fp {
        round: RN,
        ftz: true,
        sat: false,
    }
}

#[test]
fn invalid_operations_give_the_canonical_nan() {
    let inf = f32_bits(f32::INFINITY);
    let minus_inf = f32_bits(f32::NEG_INFINITY);
    let fp = rounded(RN);
    assert_eq!(value(Op::FAdd(Ty::F32, fp), &[inf, minus_inf]), NAN_32);
    assert_eq!(value(Op::FMul(Ty::F32, fp), &[inf, 0]), NAN_32);
    assert_eq!(value(Op::Fma(Ty::F32, fp), &[inf, 0, 0x7FC0_1234]), NAN_32);
    assert_eq!(
        value(Op::FAdd(Ty::F64, fp), &[0x7FF0 << 48, 0xFFF0 << 48]),
        NAN_64
    );
    assert_eq!(value(Op::FAdd(Ty::F16, fp), &[0x7C00, 0xFC00]), 0x7FFF);
}

#[test]
fn sums_that_cancel_are_minus_zero_only_when_rounding_down() {
    for round in [Round::Nearest, Round::Zero, Round::Down, Round::Up] {
        let zero = if round == Round::Down { 1 } else { 0 };
        let fp = rounded(round);
        let add = value(Op::FAdd(Ty::F32, fp), &[f32_bits(1.5), f32_bits(-1.5)]);
        assert_eq!(add, zero << 31, "{round:?}");
        let add = value(
            Op::FAdd(Ty::F64, fp),
            &[1.5_f64.to_bits(), (-1.5_f64).to_bits()],
        );
        assert_eq!(add, zero << 63, "{round:?}");
        let fma = value(
            Op::Fma(Ty::F32, fp),
            &[f32_bits(2.0), f32_bits(3.0), f32_bits(-6.0)],
        );
        assert_eq!(fma, zero << 31, "{round:?}");
        assert_eq!(value(Op::FAdd(Ty::F32, fp), &[1 << 31, 1 << 31]), 1 << 31);
        assert_eq!(value(Op::FAdd(Ty::F32, fp), &[0, 0]), 0);
    }
}

#[test]
fn overflow_goes_to_infinity_or_the_largest_number() {
    let largest = f32_bits(f32::MAX);
    let infinity = f32_bits(f32::INFINITY);
    let of = |round, sign: u64| {
        value(
            Op::FAdd(Ty::F32, rounded(round)),
            &[largest | sign, largest | sign],
        )
    };
    assert_eq!(of(Round::Nearest, 0), infinity);
    assert_eq!(of(Round::Zero, 0), largest);
    assert_eq!(of(Round::Down, 0), largest);
    assert_eq!(of(Round::Up, 0), infinity);
    assert_eq!(of(Round::Down, 1 << 31), infinity | 1 << 31);
    assert_eq!(of(Round::Up, 1 << 31), largest | 1 << 31);
}

#[test]
fn flushing_keeps_the_sign_and_applies_to_inputs_and_results() {
    let (smallest_normal, half) = (0x0080_0000, f32_bits(-0.5));
    assert_eq!(
        value(Op::FMul(Ty::F32, flushed()), &[smallest_normal, half]),
        1 << 31
    );
    assert_eq!(
        value(Op::FMul(Ty::F32, rounded(RN)), &[smallest_normal, half]),
        0x8040_0000
    );
    let one = f32_bits(1.0);
    assert_eq!(
        value(Op::FAdd(Ty::F32, flushed()), &[0x807F_FFFF, one]),
        one
    );
    assert_eq!(
        value(Op::FAdd(Ty::F32, flushed()), &[0x807F_FFFF, 0x8000_0000]),
        1 << 31
    );
    assert_eq!(
        value(
            Op::FNeg {
                ty: Ty::F32,
                ftz: true
            },
            &[1]
        ),
        1 << 31
    );
    assert_eq!(
        value(
            Op::FAbs {
                ty: Ty::F32,
                ftz: false
            },
            &[0x8000_0001]
        ),
        1
    );
}

#[test]
fn saturation_clamps_to_zero_and_one() {
    let sat = Fp {
        round: RN,
        ftz: false,
        sat: true,
    };
    let add = |ty, a, b| value(Op::FAdd(ty, sat), &[a, b]);
    assert_eq!(add(Ty::F32, f32_bits(0.75), f32_bits(0.75)), f32_bits(1.0));
    assert_eq!(add(Ty::F32, f32_bits(-3.0), f32_bits(1.0)), 0);
    assert_eq!(add(Ty::F32, f32_bits(f32::NAN), f32_bits(1.0)), 0);
    assert_eq!(add(Ty::F32, f32_bits(0.25), f32_bits(0.25)), f32_bits(0.5));
    assert_eq!(add(Ty::F16, 0x3C00, 0x3C00), 0x3C00);
}

#[test]
fn minimum_and_maximum_prefer_numbers_and_order_zeros() {
    let (nan, one) = (f32_bits(f32::NAN), f32_bits(1.0));
    let (zero, minus_zero) = (0, 1 << 31);
    let min = |nan| Op::FMin {
        ty: Ty::F32,
        ftz: false,
        nan,
    };
    let max = |nan| Op::FMax {
        ty: Ty::F32,
        ftz: false,
        nan,
    };
    for op in [min(false), max(false)] {
        assert_eq!(value(op, &[nan, one]), one);
        assert_eq!(value(op, &[one, nan]), one);
        assert_eq!(value(op, &[nan, nan]), NAN_32);
    }
    for op in [min(true), max(true)] {
        assert_eq!(value(op, &[nan, one]), NAN_32);
        assert_eq!(value(op, &[one, nan]), NAN_32);
    }
    for (a, b) in [(zero, minus_zero), (minus_zero, zero)] {
        assert_eq!(value(min(false), &[a, b]), minus_zero);
        assert_eq!(value(max(false), &[a, b]), zero);
    }
    let two = f32_bits(-2.0);
    assert_eq!(value(min(false), &[one, two]), two);
    assert_eq!(value(max(false), &[one, two]), one);
    let wide = |x: f64| x.to_bits();
    let max_64 = Op::FMax {
        ty: Ty::F64,
        ftz: false,
        nan: false,
    };
    assert_eq!(value(max_64, &[wide(-1.0), wide(-2.0)]), wide(-1.0));
    assert_eq!(value(max_64, &[wide(f64::NAN), wide(-2.0)]), wide(-2.0));
    let min_16 = Op::FMin {
        ty: Ty::F16x2,
        ftz: false,
        nan: false,
    };
    assert_eq!(value(min_16, &[0x3C00_7E00, 0x4000_3C00]), 0x3C00_3C00);
}

#[test]
fn division_by_zero_and_special_values() {
    let div = |a: f32, b: f32| {
        let precision = Precision::Ieee(RN);
        let op = Op::FDiv {
            ty: Ty::F32,
            precision,
            ftz: false,
        };
        value(op, &[f32_bits(a), f32_bits(b)])
    };
    assert_eq!(div(1.0, -0.0), f32_bits(f32::NEG_INFINITY));
    assert_eq!(div(0.0, 0.0), NAN_32);
    let rsqrt = |a: f32| {
        single(value(
            Op::Rsqrt {
                ty: Ty::F32,
                ftz: false,
            },
            &[f32_bits(a)],
        ))
    };
    assert_eq!(rsqrt(-0.0), f32::NEG_INFINITY);
    assert_eq!(rsqrt(f32::INFINITY), 0.0);
    assert!(rsqrt(-1.0).is_nan());
    let precision = Precision::Ieee(RN);
    let sqrt = |x| {
        value(
            Op::Sqrt {
                ty: Ty::F32,
                precision,
                ftz: false,
            },
            &[x],
        )
    };
    assert_eq!(sqrt(1 << 31), 1 << 31);
    assert_eq!(sqrt(f32_bits(-1.0)), NAN_32);
}

#[test]
fn approximate_division_by_a_huge_number_gives_zero() {
    let op = Op::FDiv {
        ty: Ty::F32,
        precision: Precision::Approx,
        ftz: false,
    };
    let huge = f32_bits(2.0_f32.powi(127));
    assert_eq!(value(op, &[huge, huge | 1 << 31]), 1 << 31);
    assert_eq!(value(op, &[f32_bits(f32::INFINITY), huge]), NAN_32);
    assert_eq!(value(op, &[f32_bits(6.0), f32_bits(2.0)]), f32_bits(3.0));
    let full = Op::FDiv {
        ty: Ty::F32,
        precision: Precision::Full,
        ftz: false,
    };
    assert_eq!(value(full, &[huge, huge]), f32_bits(1.0));
}

#[test]
fn copysign_takes_the_sign_of_its_first_source() {
    assert_eq!(
        value(Op::Copysign(Ty::F32), &[f32_bits(-1.0), f32_bits(5.0)]),
        f32_bits(-5.0)
    );
    let wide = |x: f64| x.to_bits();
    assert_eq!(
        value(Op::Copysign(Ty::F64), &[wide(1.0), wide(-5.0)]),
        wide(5.0)
    );
}

#[test]
fn packed_signs_change_in_both_halves() {
    assert_eq!(
        value(
            Op::FNeg {
                ty: Ty::F16x2,
                ftz: false
            },
            &[0x3C00_BC00]
        ),
        0xBC00_3C00
    );
    assert_eq!(
        value(
            Op::FAbs {
                ty: Ty::Bf16x2,
                ftz: false
            },
            &[0xBF80_3F80]
        ),
        0x3F80_3F80
    );
    assert_eq!(
        value(
            Op::FNeg {
                ty: Ty::Bf16,
                ftz: false
            },
            &[0x3F80]
        ),
        0xBF80
    );
}

#[test]
fn a_fused_product_next_to_half_way_between_singles_is_rounded_once() {
    // 97 * 172961 = 2^24 + 1, half-way between two singles; what is added is too small for a double.
    let fma = |c: f32| {
        let srcs = [f32_bits(97.0), f32_bits(172_961.0), f32_bits(c)];
        single(value(Op::Fma(Ty::F32, rounded(RN)), &srcs))
    };
    assert_eq!(fma(2.0_f32.powi(-40)), 16_777_218.0);
    assert_eq!(fma(0.0), 16_777_216.0);
    assert_eq!(fma(-2.0_f32.powi(-40)), 16_777_216.0);
}

#[test]
fn a_fused_product_next_to_half_way_between_subnormals_is_rounded_once() {
    // 641 * 6700417 = 2^32 + 1: scaled to 2^-150 and a little, it is added to a multiple of 2^-149.
    let scale = 2.0_f32.powi(-91);
    let srcs = [
        f32_bits(641.0 * scale),
        f32_bits(6_700_417.0 * scale),
        0x0040_0000,
    ];
    assert_eq!(value(Op::Fma(Ty::F32, rounded(RN)), &srcs), 0x0040_0001);
}
