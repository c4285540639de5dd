use proptest::prelude::*;

use super::{run, value};
use crate::kernel::op::{Op, Part, Ty};

const SIGNED_32: Ty = Ty::S32;

/// Reads bits as a number of the type, by the definition of two's complement.
fn number(ty: Ty, bits: u64) -> i128 {
    let width = ty.size_bytes() * 8;
    let low = u128::from(bits) % (1_u128 << width);
    let negative = ty.is_signed() && low >> (width - 1) == 1;
    low as i128 - if negative { 1_i128 << width } else { 0 }
}

/// Bits that a register holds for a number of the type: extended to 32 bits by signedness.
fn bits(ty: Ty, number: i128) -> u64 {
    let width = ty.size_bytes() * 8;
    let low = number.rem_euclid(1 << width);
    let extended = if ty.is_signed() && low >> (width - 1) == 1 {
        low - (1 << width)
    } else {
        low
    };
    extended.rem_euclid(1 << width.max(32)) as u64
}

const TYPES: [Ty; 6] = [Ty::U16, Ty::S16, Ty::U32, Ty::S32, Ty::U64, Ty::S64];

#[test]
fn saturated_sums_stop_at_the_ends_of_the_range() {
    let add = Op::Add {
        ty: SIGNED_32,
        sat: true,
    };
    let sub = Op::Sub {
        ty: SIGNED_32,
        sat: true,
    };
    assert_eq!(value(add, &[0x7FFF_FFFF, 1]), 0x7FFF_FFFF);
    assert_eq!(value(add, &[0x8000_0000, 0xFFFF_FFFF]), 0x8000_0000);
    assert_eq!(value(sub, &[0x8000_0000, 1]), 0x8000_0000);
    assert_eq!(value(sub, &[0, 0x8000_0000]), 0x7FFF_FFFF);
    let mad = Op::Mad {
        ty: SIGNED_32,
        part: Part::Hi,
        sat: true,
    };
    assert_eq!(
        value(mad, &[0x8000_0000, 0x8000_0000, 0x7FFF_FFFF]),
        0x7FFF_FFFF
    );
}

#[test]
fn division_by_zero_gives_all_ones() {
    assert_eq!(value(Op::Div(Ty::U32), &[7, 0]), 0xFFFF_FFFF);
    assert_eq!(value(Op::Rem(Ty::U32), &[7, 0]), 0xFFFF_FFFF);
    assert_eq!(value(Op::Div(Ty::S32), &[7, 0]), 0xFFFF_FFFF);
    assert_eq!(value(Op::Div(Ty::U64), &[7, 0]), u64::MAX);
    assert_eq!(value(Op::Rem(Ty::S64), &[7, 0]), u64::MAX);
}

#[test]
fn the_least_number_divided_by_minus_one_wraps() {
    assert_eq!(
        value(Op::Div(Ty::S32), &[0x8000_0000, 0xFFFF_FFFF]),
        0x8000_0000
    );
    assert_eq!(value(Op::Rem(Ty::S32), &[0x8000_0000, 0xFFFF_FFFF]), 0);
    assert_eq!(value(Op::Div(Ty::S64), &[1 << 63, u64::MAX]), 1 << 63);
    assert_eq!(value(Op::Abs(Ty::S32), &[0x8000_0000]), 0x8000_0000);
    assert_eq!(value(Op::Neg(Ty::S64), &[1 << 63]), 1 << 63);
}

#[test]
fn carries_chain_into_a_128_bit_sum() {
    let low = run(Op::AddCarry(Ty::U64), &[u64::MAX, 1], &[0]);
    assert_eq!((low.regs[0].get(0), low.preds[0]), (0, u32::MAX));
    let high = run(Op::AddCarry(Ty::U64), &[5, 6], &[low.preds[0]]);
    assert_eq!((high.regs[0].get(0), high.preds[0]), (12, 0));
    let all = run(Op::AddCarry(Ty::U32), &[0xFFFF_FFFF, 0xFFFF_FFFF], &[1]);
    assert_eq!(all.regs[0].lo[..2], [0xFFFF_FFFF, 0xFFFF_FFFE]);
    assert_eq!(all.preds[0], u32::MAX);
}

#[test]
fn borrows_are_true_where_the_difference_is_negative() {
    let out = run(Op::SubCarry(Ty::U32), &[5, 5], &[0x0000_FFFF]);
    assert_eq!(out.preds[0], 0x0000_FFFF);
    assert_eq!((out.regs[0].lo[0], out.regs[0].lo[31]), (0xFFFF_FFFF, 0));
    let out = run(Op::SubCarry(Ty::U64), &[0, u64::MAX], &[1]);
    assert_eq!((out.regs[0].get(0), out.regs[0].get(1)), (0, 1));
    assert_eq!(out.preds[0], u32::MAX);
}

#[test]
fn products_of_24_bits_ignore_the_upper_byte() {
    let unsigned = |hi| Op::Mul24 { ty: Ty::U32, hi };
    let signed = |hi| Op::Mul24 { ty: Ty::S32, hi };
    assert_eq!(value(unsigned(false), &[0xAB00_0003, 0xCD00_0005]), 15);
    // 0xFFFFFF * 0xFFFFFF = 0xFFFFFE000001: bits 47..16 are 0xFFFFFE00
    assert_eq!(value(unsigned(true), &[0xFF_FFFF, 0xFF_FFFF]), 0xFFFF_FE00);
    // -1 * 2 in 24 bits
    assert_eq!(value(signed(false), &[0xFF_FFFF, 2]), 0xFFFF_FFFE);
    assert_eq!(value(signed(true), &[0xFF_FFFF, 2]), 0xFFFF_FFFF);
    let mad = Op::Mad24 {
        ty: Ty::S32,
        hi: false,
        sat: false,
    };
    assert_eq!(value(mad, &[0xFF_FFFF, 2, 10]), 8);
}

#[test]
fn dot_products_take_bytes_by_their_signs() {
    // bytes of a: 1, 2, 255, 128; of b: 3, 255, 1, 2
    let (a, b) = (0x80FF_0201, 0x0201_FF03);
    let unsigned = 3 + 2 * 255 + 255 + 128 * 2;
    assert_eq!(
        value(Op::Dp4a(Ty::U32, Ty::U32), &[a, b, 100]),
        unsigned + 100
    );
    let signed = 3 - 2 - 1 - 128 * 2;
    let result = value(Op::Dp4a(Ty::S32, Ty::S32), &[a, b, 100]);
    assert_eq!(result as u32 as i32, signed + 100);
    // halves of a: 0x0201 = 513, 0x80FF = -32513; upper bytes of b: 1, 2
    let dp2a = Op::Dp2a {
        a: Ty::S32,
        b: Ty::S32,
        hi: true,
    };
    assert_eq!(value(dp2a, &[a, b, 0]) as u32 as i32, 513 - 2 * 32513);
}

proptest! {
    #[test]
    fn two_operand_arithmetic_agrees_with_exact_integers(
        x in any::<u64>(), y in any::<u64>(), shift in 0_u32..64, ty in 0_usize..6,
    ) {
        let ty = TYPES[ty];
        let y = y >> shift;
        let (a, b) = (number(ty, x), number(ty, y));
        let width = ty.size_bytes() * 8;
        let lanes = |op| value(op, &[x, y]);
        prop_assert_eq!(lanes(Op::Add { ty, sat: false }), bits(ty, a + b));
        prop_assert_eq!(lanes(Op::Sub { ty, sat: false }), bits(ty, a - b));
        prop_assert_eq!(lanes(Op::Min(ty)), bits(ty, a.min(b)));
        prop_assert_eq!(lanes(Op::Max(ty)), bits(ty, a.max(b)));
        let low = (a as u64).wrapping_mul(b as u64);
        prop_assert_eq!(lanes(Op::Mul { ty, part: Part::Lo }), bits(ty, i128::from(low)));
        let high = if ty == Ty::U64 {
            ((a as u128 * b as u128) >> 64) as i128
        } else {
            (a * b).div_euclid(1 << width)
        };
        prop_assert_eq!(lanes(Op::Mul { ty, part: Part::Hi }), bits(ty, high));
        if b != 0 {
            prop_assert_eq!(lanes(Op::Div(ty)), bits(ty, a / b));
            prop_assert_eq!(lanes(Op::Rem(ty)), bits(ty, a % b));
        }
    }

    #[test]
    fn wide_products_and_sums_keep_all_bits(x in any::<u64>(), y in any::<u64>(), z in any::<u64>()) {
        for (ty, result) in [
            (Ty::U32, Ty::U64), (Ty::S32, Ty::S64), (Ty::U16, Ty::U32), (Ty::S16, Ty::S32),
        ] {
            let product = number(ty, x) * number(ty, y);
            let mul = Op::Mul { ty, part: Part::Wide };
            prop_assert_eq!(value(mul, &[x, y]), bits(result, product));
            let mad = Op::Mad { ty, part: Part::Wide, sat: false };
            prop_assert_eq!(value(mad, &[x, y, z]), bits(result, product + number(result, z)));
        }
    }

    #[test]
    fn multiply_add_agrees_with_exact_integers(
        x in any::<u64>(), y in any::<u64>(), z in any::<u64>(), ty in 0_usize..6,
    ) {
        let ty = TYPES[ty];
        let width = ty.size_bytes() * 8;
        let (a, b, c) = (number(ty, x), number(ty, y), number(ty, z));
        let lo = Op::Mad { ty, part: Part::Lo, sat: false };
        let low = (a as u64).wrapping_mul(b as u64).wrapping_add(c as u64);
        prop_assert_eq!(value(lo, &[x, y, z]), bits(ty, i128::from(low)));
        let hi = Op::Mad { ty, part: Part::Hi, sat: false };
        let high = if ty == Ty::U64 {
            ((a as u128 * b as u128) >> 64) as i128
        } else {
            (a * b).div_euclid(1 << width)
        };
        prop_assert_eq!(value(hi, &[x, y, z]), bits(ty, high + c));
        prop_assert_eq!(value(Op::Sad(ty), &[x, y, z]), bits(ty, (a - b).abs() + c));
    }

    #[test]
    fn multiply_carry_makes_a_64_bit_product(x in any::<u32>(), y in any::<u32>(), z in any::<u64>()) {
        let (x, y) = (u64::from(x), u64::from(y));
        let lo = run(Op::MadCarry { ty: Ty::U32, part: Part::Lo }, &[x, y, z & 0xFFFF_FFFF], &[0]);
        let hi = run(Op::MadCarry { ty: Ty::U32, part: Part::Hi }, &[x, y, z >> 32], &[lo.preds[0]]);
        let sum = u128::from(x * y) + u128::from(z);
        let result = u64::from(hi.regs[0].lo[5]) << 32 | u64::from(lo.regs[0].lo[5]);
        prop_assert_eq!(result, sum as u64);
        prop_assert_eq!(hi.preds[0] == u32::MAX, sum >> 64 == 1);
    }
}
