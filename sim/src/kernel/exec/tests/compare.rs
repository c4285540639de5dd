use super::{f32_bits, holds, run, value};
use crate::kernel::op::{BoolOp, Cmp, Op, TestProp, Ty};

const NAN: f32 = f32::NAN;

fn setp(cmp: Cmp, ty: Ty) -> Op {
    Op::Setp {
        cmp,
        ty,
        ftz: false,
        combine: None,
    }
}

#[test]
fn float_comparisons_with_nan_are_true_only_where_unordered() {
    let cases = [
        (Cmp::Eq, false),
        (Cmp::Ne, false),
        (Cmp::Lt, false),
        (Cmp::Le, false),
        (Cmp::Gt, false),
        (Cmp::Ge, false),
        (Cmp::Equ, true),
        (Cmp::Neu, true),
        (Cmp::Ltu, true),
        (Cmp::Leu, true),
        (Cmp::Gtu, true),
        (Cmp::Geu, true),
        (Cmp::Num, false),
        (Cmp::Nan, true),
    ];
    for (cmp, expected) in cases {
        for (a, b) in [(NAN, 1.0), (1.0, NAN), (NAN, NAN)] {
            let srcs = [f32_bits(a), f32_bits(b)];
            assert_eq!(holds(setp(cmp, Ty::F32), &srcs), expected, "{cmp:?}");
            let srcs = [f64::from(a).to_bits(), f64::from(b).to_bits()];
            assert_eq!(holds(setp(cmp, Ty::F64), &srcs), expected, "{cmp:?}");
        }
        let half = [0x7E00, 0x3C00];
        assert_eq!(holds(setp(cmp, Ty::F16), &half), expected, "{cmp:?}");
    }
}

#[test]
fn float_comparisons_of_numbers_follow_their_order() {
    for (a, b) in [(1.0_f32, 2.0), (2.0, 1.0), (2.0, 2.0), (-0.0, 0.0)] {
        let cases = [
            (Cmp::Eq, a == b),
            (Cmp::Ne, a != b),
            (Cmp::Lt, a < b),
            (Cmp::Le, a <= b),
            (Cmp::Gt, a > b),
            (Cmp::Ge, a >= b),
            (Cmp::Equ, a == b),
            (Cmp::Neu, a != b),
            (Cmp::Ltu, a < b),
            (Cmp::Leu, a <= b),
            (Cmp::Gtu, a > b),
            (Cmp::Geu, a >= b),
            (Cmp::Num, true),
            (Cmp::Nan, false),
        ];
        for (cmp, expected) in cases {
            let srcs = [f32_bits(a), f32_bits(b)];
            assert_eq!(
                holds(setp(cmp, Ty::F32), &srcs),
                expected,
                "{a} {cmp:?} {b}"
            );
        }
    }
}

#[test]
fn integer_comparisons_know_signs_and_widths() {
    assert!(holds(setp(Cmp::Lt, Ty::S32), &[0xFFFF_FFFF, 0]));
    assert!(!holds(setp(Cmp::Lt, Ty::U32), &[0xFFFF_FFFF, 0]));
    assert!(holds(setp(Cmp::Gt, Ty::U64), &[1 << 40, 5]));
    assert!(holds(setp(Cmp::Lt, Ty::S64), &[1 << 63, 0]));
    assert!(holds(setp(Cmp::Eq, Ty::U16), &[0x1_0007, 0x2_0007]));
    assert!(holds(setp(Cmp::Lt, Ty::S16), &[0x8000, 0]));
}

#[test]
fn a_combined_comparison_gives_the_opposite_in_its_second_predicate() {
    let with = 0x0F0F_0F0F;
    for (op, first, second) in [
        (BoolOp::And, with, 0),
        (BoolOp::Or, u32::MAX, with),
        (BoolOp::Xor, !with, with),
    ] {
        let setp = Op::Setp {
            cmp: Cmp::Lt,
            ty: Ty::U32,
            ftz: false,
            combine: Some(op),
        };
        assert_eq!(run(setp, &[1, 2], &[with]).preds, [first, second], "{op:?}");
    }
}

#[test]
fn packed_comparisons_give_a_predicate_per_half() {
    // upper 1.0 < 2.0, lower 2.0 < 1.0
    let out = run(setp(Cmp::Lt, Ty::F16x2), &[0x3C00_4000, 0x4000_3C00], &[]);
    assert_eq!(out.preds, [0, u32::MAX]);
}

#[test]
fn set_writes_all_ones_or_one() {
    let set = |to| Op::Set {
        to,
        cmp: Cmp::Ge,
        ty: Ty::S32,
        ftz: false,
        combine: None,
    };
    assert_eq!(value(set(Ty::U32), &[1, 0xFFFF_FFFF]), 0xFFFF_FFFF);
    assert_eq!(value(set(Ty::F32), &[1, 0xFFFF_FFFF]), 0x3F80_0000);
    assert_eq!(value(set(Ty::F32), &[0xFFFF_FFFF, 1]), 0);
    assert_eq!(value(set(Ty::F16), &[1, 1]), 0x3C00);
}

#[test]
fn flushed_subnormals_compare_as_zero() {
    let setp = |ftz| Op::Setp {
        cmp: Cmp::Eq,
        ty: Ty::F32,
        ftz,
        combine: None,
    };
    assert!(holds(setp(true), &[1, 0x8000_0002]));
    assert!(!holds(setp(false), &[1, 0x8000_0002]));
}

#[test]
fn slct_takes_the_first_for_minus_zero_and_the_second_for_nan() {
    let slct = |ftz| Op::Slct(Ty::B32, Ty::F32, ftz);
    assert_eq!(value(slct(false), &[10, 20, f32_bits(-0.0)]), 10);
    assert_eq!(value(slct(false), &[10, 20, f32_bits(NAN)]), 20);
    assert_eq!(value(slct(false), &[10, 20, 0x8000_0001]), 20);
    assert_eq!(value(slct(true), &[10, 20, 0x8000_0001]), 10);
    assert_eq!(
        value(
            Op::Slct(Ty::B64, Ty::S32, false),
            &[1 << 50, 2, 0x8000_0000]
        ),
        2
    );
}

#[test]
fn properties_of_all_classes_of_numbers() {
    use TestProp::*;
    let classes = [
        (0x3F80_0000, vec![Finite, Number, Normal]),
        // Zeros count as normal (PTX ISA, `testp`).
        (0x0000_0000, vec![Finite, Number, Normal]),
        (0x8000_0000, vec![Finite, Number, Normal]),
        (0x8000_0001, vec![Finite, Number, Subnormal]),
        (0xFF80_0000, vec![Infinite, Number]),
        (0x7FC0_0000, vec![NotANumber]),
    ];
    for (bits, expected) in classes {
        for property in [Finite, Infinite, Number, NotANumber, Normal, Subnormal] {
            let has = holds(Op::Testp(Ty::F32, property), &[bits]);
            assert_eq!(has, expected.contains(&property), "{bits:#x} {property:?}");
            let wide = f64::from(f32::from_bits(bits as u32)).to_bits();
            if property != Subnormal && property != Normal {
                assert_eq!(holds(Op::Testp(Ty::F64, property), &[wide]), has);
            }
        }
    }
}
