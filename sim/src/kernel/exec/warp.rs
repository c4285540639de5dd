//! Operations across the lanes of a warp.

use super::lanes::{LANES, Lanes, Value};
use crate::kernel::op::{ShflMode, VoteMode};

/// `shfl.sync`: returns the values and, one bit per lane, whether the source lane was in range.
///
/// `b` is the lane or the distance, `c` the clamp in bits 4..0 and the segment mask in bits 12..8. A lane whose
/// source is out of range keeps its own value. So does one whose source is not in `active`, where PTX says the result
/// is undefined: what an inactive lane's register holds depends on where the register lies.
pub fn shfl(mode: ShflMode, a: &Lanes, b: &Lanes, c: &Lanes, active: u32) -> (Value, u32) {
    let mut out = Value::ZERO;
    let mut in_range = 0;
    for lane in 0..LANES as u32 {
        let i = lane as usize;
        let amount = b[i] & 31;
        let (clamp, segment) = (c[i] & 31, c[i] >> 8 & 31);
        let max_lane = lane & segment | clamp & !segment;
        let min_lane = lane & segment;
        let (source, valid) = match mode {
            ShflMode::Up => {
                let source = i64::from(lane) - i64::from(amount);
                (source, source >= i64::from(max_lane))
            }
            ShflMode::Down => {
                let source = lane + amount;
                (i64::from(source), source <= max_lane)
            }
            ShflMode::Bfly => {
                let source = lane ^ amount;
                (i64::from(source), source <= max_lane)
            }
            ShflMode::Idx => {
                let source = min_lane | amount & !segment;
                (i64::from(source), source <= max_lane)
            }
        };
        let given = valid && active >> source & 1 != 0;
        out.lo[i] = a[if given { source as usize } else { i }];
        in_range |= u32::from(valid) << lane;
    }
    (out, in_range)
}

/// `vote.sync` over the lanes of `members`: one bit per lane for `all`, `any` and `uni` (the same in every
/// lane), the ballot for `ballot`.
pub fn vote(mode: VoteMode, predicate: u32, members: u32) -> u32 {
    let holds = predicate & members;
    let answer = match mode {
        VoteMode::Ballot => return holds,
        VoteMode::All => holds == members,
        VoteMode::Any => holds != 0,
        VoteMode::Uni => holds == 0 || holds == members,
    };
    if answer { u32::MAX } else { 0 }
}
