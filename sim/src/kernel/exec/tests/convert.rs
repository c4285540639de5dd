use proptest::prelude::*;

use super::{f32_bits, value};
use crate::kernel::op::{Op, Round, Ty};

fn cvt(to: Ty, from: Ty, round: Option<Round>) -> Op {
    let integral = from.is_float() && !to.is_float() && round.is_some();
    Op::Cvt {
        to,
        from,
        round,
        integral,
        ftz: false,
        sat: false,
    }
}

fn saturating(to: Ty, from: Ty) -> Op {
    Op::Cvt {
        to,
        from,
        round: None,
        integral: false,
        ftz: false,
        sat: true,
    }
}

const RN: Option<Round> = Some(Round::Nearest);

#[test]
fn integers_are_truncated_and_extended_by_the_sign_of_the_source() {
    assert_eq!(value(cvt(Ty::U32, Ty::U8, None), &[0xABCD_EF80]), 0x80);
    assert_eq!(
        value(cvt(Ty::S32, Ty::S8, None), &[0xABCD_EF80]),
        0xFFFF_FF80
    );
    assert_eq!(value(cvt(Ty::U32, Ty::S8, None), &[0x80]), 0xFFFF_FF80);
    assert_eq!(value(cvt(Ty::U16, Ty::S8, None), &[0x80]), 0xFF80);
    assert_eq!(
        value(cvt(Ty::S64, Ty::S32, None), &[0x8000_0000]),
        0xFFFF_FFFF_8000_0000
    );
    assert_eq!(
        value(cvt(Ty::U64, Ty::S32, None), &[0x8000_0000]),
        0xFFFF_FFFF_8000_0000
    );
    assert_eq!(
        value(cvt(Ty::S64, Ty::U32, None), &[0x8000_0000]),
        0x8000_0000
    );
    assert_eq!(
        value(cvt(Ty::U32, Ty::U64, None), &[0x1234_5678_9ABC_DEF0]),
        0x9ABC_DEF0
    );
    assert_eq!(value(cvt(Ty::S8, Ty::S64, None), &[0x1FF]), 0xFFFF_FFFF);
}

#[test]
fn saturated_integers_stop_at_the_range_of_the_target() {
    assert_eq!(value(saturating(Ty::U8, Ty::S32), &[0xFFFF_FFFF]), 0);
    assert_eq!(value(saturating(Ty::U8, Ty::S32), &[300]), 255);
    assert_eq!(
        value(saturating(Ty::S16, Ty::S32), &[0x8000_0000]),
        0xFFFF_8000
    );
    assert_eq!(
        value(saturating(Ty::S32, Ty::U32), &[0xFFFF_FFFF]),
        0x7FFF_FFFF
    );
    assert_eq!(value(saturating(Ty::U64, Ty::S64), &[u64::MAX]), 0);
}

#[test]
fn floats_out_of_range_are_clamped() {
    let s32 = cvt(Ty::S32, Ty::F32, Some(Round::Zero));
    assert_eq!(value(s32, &[f32_bits(3e9)]), 0x7FFF_FFFF);
    assert_eq!(value(s32, &[f32_bits(-3e9)]), 0x8000_0000);
    let u32 = cvt(Ty::U32, Ty::F32, Some(Round::Zero));
    assert_eq!(value(u32, &[f32_bits(-1.0)]), 0);
    assert_eq!(value(u32, &[f32_bits(f32::INFINITY)]), 0xFFFF_FFFF);
    let u8 = cvt(Ty::U8, Ty::F32, Some(Round::Zero));
    assert_eq!(value(u8, &[f32_bits(256.0)]), 255);
    let s64 = cvt(Ty::S64, Ty::F64, Some(Round::Zero));
    assert_eq!(value(s64, &[1e30_f64.to_bits()]), i64::MAX as u64);
    let s16 = cvt(Ty::S16, Ty::F16, Some(Round::Zero));
    assert_eq!(value(s16, &[0xFC00]), 0xFFFF_8000);
}

#[test]
fn nan_is_zero_from_narrow_to_narrow_and_the_top_bit_alone_where_64_bits_take_part() {
    let quiet = [
        (Ty::F16, 0x7E00),
        (Ty::F32, f32_bits(f32::NAN)),
        (Ty::F64, f64::NAN.to_bits()),
    ];
    let targets = [
        (Ty::U8, 0x80),
        (Ty::S8, 0xFFFF_FF80),
        (Ty::U16, 0x8000),
        (Ty::S16, 0xFFFF_8000),
        (Ty::U32, 0x8000_0000),
        (Ty::S32, 0x8000_0000),
        (Ty::U64, 1 << 63),
        (Ty::S64, 1 << 63),
    ];
    for (from, nan) in quiet {
        for (to, top_bit) in targets {
            let long = from == Ty::F64 || matches!(to, Ty::U64 | Ty::S64);
            let expected = if long { top_bit } else { 0 };
            for round in [Round::Nearest, Round::Zero, Round::Down, Round::Up] {
                let found = value(cvt(to, from, Some(round)), &[nan]);
                assert_eq!(found, expected, "{from:?} to {to:?} {round:?}");
            }
        }
    }
}

#[test]
fn integral_rounding_has_four_directions() {
    let cases = [
        (2.5, [2, 2, 2, 3]),
        (-2.5, [-2, -2, -3, -2]),
        (3.5, [4, 3, 3, 4]),
        (-0.5, [0, 0, -1, 0]),
        (1.7, [2, 1, 1, 2]),
    ];
    let rounds = [Round::Nearest, Round::Zero, Round::Down, Round::Up];
    for (x, expected) in cases {
        for (round, expected) in rounds.into_iter().zip(expected) {
            let single = value(cvt(Ty::S32, Ty::F32, Some(round)), &[f32_bits(x)]);
            assert_eq!(single as u32 as i32, expected, "{x} {round:?}");
            let double = value(
                cvt(Ty::S64, Ty::F64, Some(round)),
                &[f64::from(x).to_bits()],
            );
            assert_eq!(double as i64, i64::from(expected), "{x} {round:?}");
        }
    }
}

#[test]
fn floats_round_to_integral_floats_with_their_sign() {
    let rni = Op::Cvt {
        to: Ty::F32,
        from: Ty::F32,
        round: RN,
        integral: true,
        ftz: false,
        sat: false,
    };
    assert_eq!(value(rni, &[f32_bits(-0.3)]), f32_bits(-0.0));
    assert_eq!(value(rni, &[f32_bits(2.5)]), f32_bits(2.0));
    assert_eq!(value(rni, &[f32_bits(1e30)]), f32_bits(1e30));
    assert_eq!(value(rni, &[0x7F80_0001]), 0x7FFF_FFFF);
}

#[test]
fn integers_round_to_floats_in_all_directions() {
    // 2^24 + 1 lies between two singles.
    let x = [16_777_217_u64];
    let of = |round| value(cvt(Ty::F32, Ty::U32, Some(round)), &x);
    assert_eq!(of(Round::Nearest), f32_bits(16_777_216.0));
    assert_eq!(of(Round::Zero), f32_bits(16_777_216.0));
    assert_eq!(of(Round::Down), f32_bits(16_777_216.0));
    assert_eq!(of(Round::Up), f32_bits(16_777_218.0));
    let minus = [(-16_777_217_i32) as u32 as u64];
    assert_eq!(
        value(cvt(Ty::F32, Ty::S32, Some(Round::Up)), &minus),
        f32_bits(-16_777_216.0)
    );
    assert_eq!(
        value(cvt(Ty::F32, Ty::S32, Some(Round::Down)), &minus),
        f32_bits(-16_777_218.0)
    );
    assert_eq!(value(cvt(Ty::F16, Ty::U32, RN), &[70_000]), 0x7C00);
    assert_eq!(
        value(cvt(Ty::F16, Ty::U32, Some(Round::Zero)), &[70_000]),
        0x7BFF
    );
}

#[test]
fn saturated_floats_lie_between_zero_and_one() {
    let sat = saturating(Ty::F32, Ty::F32);
    for (x, expected) in [(2.0, 1.0), (-1.0, 0.0), (0.25, 0.25), (f32::NAN, 0.0)] {
        assert_eq!(value(sat, &[f32_bits(x)]), f32_bits(expected), "{x}");
    }
    assert_eq!(value(sat, &[f32_bits(-0.0)]), 0);
}

#[test]
fn flushing_applies_to_single_precision_only() {
    let cvt = |to, from| Op::Cvt {
        to,
        from,
        round: RN,
        integral: false,
        ftz: true,
        sat: false,
    };
    assert_eq!(value(cvt(Ty::F64, Ty::F32), &[0x8000_0001]), 1 << 63);
    assert_eq!(value(cvt(Ty::F32, Ty::F64), &[1e-40_f64.to_bits()]), 0);
    // The smallest half is subnormal as a half, but a normal single.
    assert_eq!(
        value(cvt(Ty::F32, Ty::F16), &[1]),
        f32_bits(2.0_f32.powi(-24))
    );
}

#[test]
fn two_singles_pack_into_halves_with_the_first_on_top() {
    let srcs = [f32_bits(1.0), f32_bits(-2.0)];
    assert_eq!(value(cvt(Ty::F16x2, Ty::F32, RN), &srcs), 0x3C00_C000);
    assert_eq!(value(cvt(Ty::Bf16x2, Ty::F32, RN), &srcs), 0x3F80_C000);
}

proptest! {
    #[test]
    fn singles_narrow_to_halves_as_another_library_does(bits in any::<u32>()) {
        let x = f32::from_bits(bits);
        let f16 = value(cvt(Ty::F16, Ty::F32, RN), &[u64::from(bits)]);
        let bf16 = value(cvt(Ty::Bf16, Ty::F32, RN), &[u64::from(bits)]);
        if x.is_nan() {
            prop_assert_eq!((f16, bf16), (0x7FFF, 0x7FFF));
        } else {
            prop_assert_eq!(f16, u64::from(half::f16::from_f32(x).to_bits()));
            prop_assert_eq!(bf16, u64::from(half::bf16::from_f32(x).to_bits()));
        }
    }

    #[test]
    fn doubles_narrow_to_singles_around_the_exact_value(
        bits in any::<u64>(), exponent in 850_u64..1200,
    ) {
        let bits = bits & !(0x7FF << 52) | exponent << 52;
        let x = f64::from_bits(bits);
        let of = |round| f32::from_bits(value(cvt(Ty::F32, Ty::F64, Some(round)), &[bits]) as u32);
        let (down, up) = (of(Round::Down), of(Round::Up));
        prop_assert!(f64::from(down) <= x && x <= f64::from(up));
        if f64::from(down) == x {
            prop_assert_eq!(down, up);
        } else {
            prop_assert_eq!(down.next_up(), up);
        }
        prop_assert_eq!(of(Round::Nearest), x as f32);
        prop_assert_eq!(of(Round::Zero), if x > 0.0 { down } else { up });
    }

    #[test]
    fn wide_integers_round_to_singles_around_the_exact_value(x in any::<i64>(), shift in 0_u32..60) {
        let x = x >> shift;
        let of = |round| f32::from_bits(value(cvt(Ty::F32, Ty::S64, Some(round)), &[x as u64]) as u32);
        let (down, up) = (of(Round::Down), of(Round::Up));
        prop_assert!(down as i128 <= i128::from(x) && i128::from(x) <= up as i128);
        prop_assert!(down == up || down.next_up() == up);
        prop_assert_eq!(of(Round::Nearest), x as f32);
    }
}
