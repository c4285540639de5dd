//! What the locks are asked for an instruction.

use super::dynamic::Dynamic;
use crate::common::lookup::LOOKUPS;
use crate::ids::WarpSlot;
use crate::manager::{IssueRequest, MAX_REGS_PER_INST};
use crate::owf::owf_top::Issue;
use crate::owf::scratchpad_lock::ADDRESS_BITS;
use arrayvec::ArrayVec;

/// The registers of one instruction, highest first, so that those which need the lock come with the first four.
pub(super) type Wanted = ArrayVec<(u8, usize), MAX_REGS_PER_INST>;

/// The registers of `request` in that order, each with its place in the request.
pub(super) fn wanted(request: &IssueRequest) -> Wanted {
    let mut wanted: Wanted = (request.regs.iter().enumerate())
        .map(|(place, reg)| (reg.0, place))
        .collect();
    wanted.sort_unstable_by_key(|&(reg, place)| (std::cmp::Reverse(reg), place));
    wanted
}

/// An instruction of `warp` that names the `wanted` registers.
pub(super) fn names(warp: WarpSlot, wanted: &[(u8, usize)]) -> Issue {
    let mut regs = [None; LOOKUPS];
    for (pin, &(reg, _)) in regs.iter_mut().zip(wanted) {
        *pin = Some(reg);
    }
    Issue {
        warp: warp.0 as u8,
        regs,
        ..Issue::default()
    }
}

/// What the locks are asked for a request.
pub(super) fn issue(request: &IssueRequest, dynamic: Option<&Dynamic>) -> Issue {
    let most = (1 << ADDRESS_BITS) - 1;
    Issue {
        memory: dynamic.is_some_and(|dynamic| dynamic.is_behind(request)),
        // An address behind every scratchpad is refused by the SM when it is used.
        address: request.scratchpad.map(|highest| highest.min(most)),
        ..names(request.warp, &wanted(request))
    }
}
