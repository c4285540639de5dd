//! From the liveness of a thread to that of a warp.

use fixedbitset::FixedBitSet;

use super::Liveness;
use crate::compiler::cfg::Cfg;
use crate::kernel::BlockId;

/// Per block, the registers that lanes may hold which wait elsewhere while the warp runs the block: for every
/// branch that may part lanes and whose region holds the block, what is live at the start of its sides and at
/// its reconvergence point. `is_run`: whether lanes get to a block.
pub(super) fn held_by_waiting_lanes(
    thread: &Liveness,
    cfg: &Cfg,
    uniform: &FixedBitSet,
    is_run: impl Fn(BlockId) -> bool,
) -> Vec<FixedBitSet> {
    let mut held = vec![thread.domain().empty_set(); cfg.len()];
    for b in 0..cfg.len() {
        let branch = BlockId(b as u32);
        if !cfg.is_conditional(branch) || !is_run(branch) || uniform.contains(b) {
            continue;
        }
        let mut waiting = thread.domain().empty_set();
        for &place in cfg.succs(branch).iter().chain(&cfg.reconvergence(branch)) {
            waiting.union_with(thread.live_in(place));
        }
        for inside in cfg.divergent_region(branch).ones() {
            held[inside].union_with(&waiting);
        }
    }
    held
}
