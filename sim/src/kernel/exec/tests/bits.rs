use proptest::prelude::*;

use super::{run, value};
use crate::kernel::exec::signature;
use crate::kernel::op::{Op, PrmtMode, Ty};

fn bit(x: u64, at: u32) -> u64 {
    x >> at & 1
}

/// The pseudocode of `bfe` in the PTX ISA, bit by bit.
fn bfe(ty: Ty, a: u64, b: u64, c: u64) -> u64 {
    let msb = ty.size_bytes() * 8 - 1;
    let (pos, len) = ((b & 0xFF) as u32, (c & 0xFF) as u32);
    let sign = if !ty.is_signed() || len == 0 {
        0
    } else {
        bit(a, (pos + len - 1).min(msb))
    };
    (0..=msb).fold(0, |d, i| {
        let inside = i < len && pos + i <= msb;
        d | (if inside { bit(a, pos + i) } else { sign }) << i
    })
}

/// The pseudocode of `bfi`.
fn bfi(ty: Ty, a: u64, b: u64, c: u64, d: u64) -> u64 {
    let msb = ty.size_bytes() * 8 - 1;
    let (pos, len) = ((c & 0xFF) as u32, (d & 0xFF) as u32);
    let mut f = b;
    for i in 0..len {
        if pos + i <= msb {
            f = f & !(1 << (pos + i)) | bit(a, i) << (pos + i);
        }
    }
    f
}

#[test]
fn permute_patterns_are_those_of_the_isa_table() {
    // Bytes of {b, a} are numbered 7..0; here each byte holds its number.
    let (a, b) = (0x0302_0100, 0x0706_0504);
    let rows = [
        (
            PrmtMode::F4e,
            [0x0302_0100, 0x0403_0201, 0x0504_0302, 0x0605_0403],
        ),
        (
            PrmtMode::B4e,
            [0x0506_0700, 0x0607_0001, 0x0700_0102, 0x0001_0203],
        ),
        (
            PrmtMode::Rc8,
            [0x0000_0000, 0x0101_0101, 0x0202_0202, 0x0303_0303],
        ),
        (
            PrmtMode::Ecl,
            [0x0302_0100, 0x0302_0101, 0x0302_0202, 0x0303_0303],
        ),
        (
            PrmtMode::Ecr,
            [0x0000_0000, 0x0101_0100, 0x0202_0100, 0x0302_0100],
        ),
        (
            PrmtMode::Rc16,
            [0x0100_0100, 0x0302_0302, 0x0100_0100, 0x0302_0302],
        ),
    ];
    for (mode, row) in rows {
        for (selector, expected) in (0..).zip(row) {
            assert_eq!(
                value(Op::Prmt(mode), &[a, b, selector]),
                expected,
                "{mode:?} {selector}"
            );
        }
    }
}

#[test]
fn permute_by_index_can_replicate_the_sign() {
    let prmt = Op::Prmt(PrmtMode::Index);
    assert_eq!(
        value(prmt, &[0x4433_2211, 0x8877_6655, 0x7610]),
        0x8877_2211
    );
    // The byte 0x88 and the byte 0x11, sign only.
    assert_eq!(
        value(prmt, &[0x4433_2211, 0x8877_6655, 0x08F7]),
        0x1100_FF88
    );
}

#[test]
fn shifts_are_clamped_at_the_width() {
    assert_eq!(value(Op::Shl(Ty::B32), &[1, 31]), 0x8000_0000);
    assert_eq!(value(Op::Shl(Ty::B32), &[1, 32]), 0);
    assert_eq!(value(Op::Shl(Ty::B32), &[1, 0xFFFF_FFFF]), 0);
    assert_eq!(value(Op::Shl(Ty::B64), &[1, 63]), 1 << 63);
    assert_eq!(value(Op::Shl(Ty::B64), &[1, 64]), 0);
    assert_eq!(value(Op::Shl(Ty::B16), &[0x1_8001, 1]), 2);
    assert_eq!(value(Op::Shr(Ty::U32), &[0x8000_0000, 32]), 0);
    assert_eq!(value(Op::Shr(Ty::S32), &[0x8000_0000, 99]), 0xFFFF_FFFF);
    assert_eq!(value(Op::Shr(Ty::S64), &[1 << 63, 64]), u64::MAX);
    assert_eq!(value(Op::Shr(Ty::S16), &[0x8000, 15]), 0xFFFF_FFFF);
    assert_eq!(value(Op::Shr(Ty::B16), &[0xF_8000, 15]), 1);
}

#[test]
fn funnel_shifts_clamp_or_wrap() {
    let shf = |left, wrap| Op::Shf { left, wrap };
    let (lo, hi) = (0x89AB_CDEF, 0x0123_4567);
    assert_eq!(value(shf(true, true), &[lo, hi, 8]), 0x2345_6789);
    assert_eq!(value(shf(false, true), &[lo, hi, 8]), 0x6789_ABCD);
    assert_eq!(value(shf(true, false), &[lo, hi, 40]), lo);
    assert_eq!(value(shf(false, false), &[lo, hi, 40]), hi);
    assert_eq!(value(shf(true, true), &[lo, hi, 40]), 0x2345_6789);
    assert_eq!(value(shf(false, true), &[lo, hi, 32]), lo);
}

#[test]
fn the_leading_bit_is_the_highest_that_differs_from_the_sign() {
    let bfind = |ty, shiftamt| Op::Bfind { ty, shiftamt };
    assert_eq!(value(bfind(Ty::U32, false), &[0]), 0xFFFF_FFFF);
    assert_eq!(value(bfind(Ty::U32, true), &[0]), 0xFFFF_FFFF);
    assert_eq!(value(bfind(Ty::U32, false), &[0x0001_0000]), 16);
    assert_eq!(value(bfind(Ty::U32, true), &[0x0001_0000]), 15);
    assert_eq!(value(bfind(Ty::S32, false), &[0xFFFF_FFFF]), 0xFFFF_FFFF);
    assert_eq!(value(bfind(Ty::S32, false), &[0xFFFF_FFFB]), 2);
    assert_eq!(value(bfind(Ty::S64, false), &[1 << 62]), 62);
    assert_eq!(value(bfind(Ty::U64, true), &[1 << 63]), 0);
}

#[test]
fn counts_of_zero_and_all_ones() {
    assert_eq!(value(Op::Clz(Ty::B32), &[0]), 32);
    assert_eq!(value(Op::Clz(Ty::B64), &[0]), 64);
    assert_eq!(value(Op::Clz(Ty::B32), &[1]), 31);
    assert_eq!(value(Op::Popc(Ty::B64), &[u64::MAX]), 64);
    assert_eq!(value(Op::Popc(Ty::B32), &[0xF0F0_0001]), 9);
    assert_eq!(value(Op::Brev(Ty::B32), &[1]), 0x8000_0000);
    assert_eq!(value(Op::Brev(Ty::B64), &[2]), 1 << 62);
    assert_eq!(value(Op::Cnot(Ty::B32), &[0]), 1);
    assert_eq!(value(Op::Cnot(Ty::B64), &[1 << 40]), 0);
    assert_eq!(value(Op::Cnot(Ty::B16), &[0x1_0000]), 1);
}

#[test]
fn halves_are_packed_and_unpacked() {
    assert_eq!(
        value(Op::Pack(Ty::B64), &[0x1111_2222, 0x3333_4444]),
        0x3333_4444_1111_2222
    );
    assert_eq!(
        value(Op::Pack(Ty::B32), &[0xAAAA_1111, 0xBBBB_2222]),
        0x2222_1111
    );
    let out = run(Op::Unpack(Ty::B64), &[0x3333_4444_1111_2222], &[]);
    assert_eq!(
        (out.regs[0].lo[0], out.regs[1].lo[0]),
        (0x1111_2222, 0x3333_4444)
    );
    let out = run(Op::Unpack(Ty::B32), &[0x3333_4444], &[]);
    assert_eq!((out.regs[0].lo[0], out.regs[1].lo[0]), (0x4444, 0x3333));
}

#[test]
fn predicates_select_and_combine_lane_by_lane() {
    let selp = run(Op::Selp(Ty::B64), &[1 << 40, 2], &[0x5555_5555]);
    assert_eq!((selp.regs[0].get(0), selp.regs[0].get(1)), (1 << 40, 2));
    let preds = [0xFF00_FF00, 0x0FF0_0FF0];
    assert_eq!(run(Op::And(Ty::Pred), &[], &preds).preds[0], 0x0F00_0F00);
    assert_eq!(run(Op::Or(Ty::Pred), &[], &preds).preds[0], 0xFFF0_FFF0);
    assert_eq!(run(Op::Xor(Ty::Pred), &[], &preds).preds[0], 0xF0F0_F0F0);
    assert_eq!(run(Op::Not(Ty::Pred), &[], &preds).preds[0], 0x00FF_00FF);
    assert_eq!(run(Op::Mov(Ty::Pred), &[], &preds).preds[0], 0xFF00_FF00);
}

#[test]
fn sixteen_bit_logic_leaves_nothing_above() {
    assert_eq!(value(Op::Not(Ty::B16), &[0]), 0xFFFF);
    assert_eq!(value(Op::Or(Ty::B16), &[0xF_0001, 2]), 3);
}

#[test]
fn only_types_of_the_isa_are_accepted() {
    assert!(signature(&Op::Shl(Ty::U32)).is_err());
    assert!(signature(&Op::Brev(Ty::B16)).is_err());
    assert!(signature(&Op::Popc(Ty::U32)).is_err());
    assert!(signature(&Op::And(Ty::F32)).is_err());
}

proptest! {
    #[test]
    fn bit_fields_agree_with_the_pseudocode_of_the_isa(
        a in any::<u64>(), b in any::<u64>(), pos in 0_u64..80, len in 0_u64..80,
    ) {
        for ty in [Ty::U32, Ty::S32] {
            let a = a & 0xFFFF_FFFF;
            prop_assert_eq!(value(Op::Bfe(ty), &[a, pos, len]), bfe(ty, a, pos, len));
        }
        for ty in [Ty::U64, Ty::S64] {
            prop_assert_eq!(value(Op::Bfe(ty), &[a, pos, len]), bfe(ty, a, pos, len));
        }
        let (a32, b32) = (a & 0xFFFF_FFFF, b & 0xFFFF_FFFF);
        prop_assert_eq!(
            value(Op::Bfi(Ty::B32), &[a32, b32, pos, len]),
            bfi(Ty::B32, a32, b32, pos, len)
        );
        prop_assert_eq!(value(Op::Bfi(Ty::B64), &[a, b, pos, len]), bfi(Ty::B64, a, b, pos, len));
    }

    #[test]
    fn three_input_logic_reads_the_table_bit_by_bit(
        a in any::<u32>(), b in any::<u32>(), c in any::<u32>(), table in any::<u8>(),
    ) {
        let [a, b, c] = [a, b, c].map(u64::from);
        let expected = (0..32).fold(0, |d, i| {
            let row = bit(a, i) << 2 | bit(b, i) << 1 | bit(c, i);
            d | bit(u64::from(table), row as u32) << i
        });
        prop_assert_eq!(value(Op::Lop3(table), &[a, b, c]), expected);
    }
}
