use crate::kernel::exec::{atomic, shfl, vote};
use crate::kernel::op::{AtomOp, ShflMode, Ty, VoteMode};

/// Every lane holds its number.
fn numbers() -> [u32; 32] {
    std::array::from_fn(|lane| lane as u32)
}

#[test]
fn shuffle_down_moves_values_to_lower_lanes_and_keeps_the_last() {
    let (out, in_range) = shfl(ShflMode::Down, &numbers(), &[1; 32], &[31; 32], u32::MAX);
    assert_eq!(out.lo[..3], [1, 2, 3]);
    assert_eq!(out.lo[31], 31);
    assert_eq!(in_range, 0x7FFF_FFFF);
}

#[test]
fn shuffle_up_clamps_at_lane_zero() {
    let (out, in_range) = shfl(ShflMode::Up, &numbers(), &[2; 32], &[0; 32], u32::MAX);
    assert_eq!(out.lo[..4], [0, 1, 0, 1]);
    assert_eq!(in_range, 0xFFFF_FFFC);
}

#[test]
fn butterfly_exchanges_lanes() {
    let (out, in_range) = shfl(ShflMode::Bfly, &numbers(), &[16; 32], &[31; 32], u32::MAX);
    assert_eq!((out.lo[0], out.lo[16], out.lo[31]), (16, 0, 15));
    assert_eq!(in_range, u32::MAX);
}

#[test]
fn segments_of_eight_lanes_do_not_exchange() {
    // The mask for width 8: ((32 - 8) << 8) | 31, as CUDA computes it.
    let c = (24 << 8) | 31;
    let (out, in_range) = shfl(ShflMode::Down, &numbers(), &[4; 32], &[c; 32], u32::MAX);
    assert_eq!(out.lo[..8], [4, 5, 6, 7, 4, 5, 6, 7]);
    assert_eq!(in_range, 0x0F0F_0F0F);
    let (out, _) = shfl(ShflMode::Idx, &numbers(), &[3; 32], &[c; 32], u32::MAX);
    assert_eq!((out.lo[0], out.lo[9], out.lo[31]), (3, 11, 27));
}

#[test]
fn votes_count_members_only() {
    let (predicate, members) = (0x0000_00F0, 0x0000_00FF);
    assert_eq!(vote(VoteMode::Any, predicate, members), u32::MAX);
    assert_eq!(vote(VoteMode::All, predicate, members), 0);
    assert_eq!(vote(VoteMode::All, predicate, 0x30), u32::MAX);
    assert_eq!(vote(VoteMode::Uni, predicate, 0x0F), u32::MAX);
    assert_eq!(vote(VoteMode::Uni, predicate, members), 0);
    assert_eq!(vote(VoteMode::Ballot, 0xFFFF, members), 0xFF);
}

#[test]
fn atomics_by_the_definition_of_the_isa() {
    let u32 = |op, old, b| atomic(op, Ty::U32, true, old, b, 0);
    assert_eq!(u32(AtomOp::Add, 0xFFFF_FFFF, 2), 1);
    assert_eq!(u32(AtomOp::Inc, 5, 7), 6);
    assert_eq!(u32(AtomOp::Inc, 7, 7), 0);
    assert_eq!(u32(AtomOp::Inc, 9, 7), 0);
    assert_eq!(u32(AtomOp::Dec, 0, 7), 7);
    assert_eq!(u32(AtomOp::Dec, 9, 7), 7);
    assert_eq!(u32(AtomOp::Dec, 3, 7), 2);
    assert_eq!(u32(AtomOp::Exch, 3, 7), 7);
    assert_eq!(
        atomic(AtomOp::Min, Ty::S32, true, 1, 0xFFFF_FFFF, 0),
        0xFFFF_FFFF
    );
    assert_eq!(atomic(AtomOp::Min, Ty::U32, true, 1, 0xFFFF_FFFF, 0), 1);
    assert_eq!(atomic(AtomOp::Max, Ty::S64, true, 1, u64::MAX, 0), 1);
    assert_eq!(atomic(AtomOp::Cas, Ty::B16, true, 0x5_0007, 7, 9), 9);
    assert_eq!(atomic(AtomOp::Cas, Ty::B32, true, 8, 7, 9), 8);
    assert_eq!(
        atomic(AtomOp::Xor, Ty::B64, true, 5, 1 << 40, 0),
        5 | 1 << 40
    );
    let one = u64::from(1.0_f32.to_bits());
    assert_eq!(
        atomic(AtomOp::Add, Ty::F32, true, one, one, 0),
        u64::from(2.0_f32.to_bits())
    );
    let two = 2.0_f64.to_bits();
    assert_eq!(
        atomic(AtomOp::Add, Ty::F64, true, two, two, 0),
        4.0_f64.to_bits()
    );
    assert_eq!(
        atomic(AtomOp::Add, Ty::F16x2, true, 0x3C00_3C00, 0x3C00_4000, 0),
        0x4000_4200
    );
}

#[test]
fn only_single_precision_sums_in_global_memory_flush_subnormals() {
    let sum = |ty, in_scratchpad, a, b| atomic(AtomOp::Add, ty, in_scratchpad, a, b, 0);
    // 2^-127 is subnormal; twice it is the smallest normal number.
    assert_eq!(sum(Ty::F32, true, 0x0040_0000, 0x0040_0000), 0x0080_0000);
    assert_eq!(sum(Ty::F32, false, 0x0040_0000, 0x0040_0000), 0);
    assert_eq!(
        sum(Ty::F32, false, 0x8040_0000, 0x8000_0001),
        0x8000_0000,
        "the sign stays"
    );
    // 1.5 * 2^-126 - 2^-126: normal inputs, subnormal result.
    assert_eq!(sum(Ty::F32, true, 0x00C0_0000, 0x8080_0000), 0x0040_0000);
    assert_eq!(sum(Ty::F32, false, 0x00C0_0000, 0x8080_0000), 0);
    assert_eq!(sum(Ty::F64, false, 1, 1), 2);
    assert_eq!(sum(Ty::F16x2, false, 0x0001_0001, 0x0001_0001), 0x0002_0002);
    let exchanged = atomic(AtomOp::Exch, Ty::B32, false, 0, 1, 0);
    assert_eq!(exchanged, 1);
}

#[test]
fn a_lane_that_does_not_run_gives_nothing() {
    let (out, in_range) = shfl(ShflMode::Down, &numbers(), &[1; 32], &[31; 32], 0b1011);
    assert_eq!(out.lo[..4], [1, 1, 3, 3]);
    assert_eq!(in_range, 0x7FFF_FFFF);
}
