//! Where lanes meet that took different ways: there a register that one way has written is no longer the same in all lanes,
//! whatever was written.

use crate::compiler::cfg::Cfg;
use crate::kernel::BlockId;
use fixedbitset::FixedBitSet;
use std::collections::BTreeMap;

/// The blocks that lanes parted at the end of `branch` enter from different sides, each for the first time since.
pub fn meetings(cfg: &Cfg, branch: BlockId) -> FixedBitSet {
    let mut meetings = FixedBitSet::with_capacity(cfg.len());
    let stop = cfg.reconvergence(branch);
    // From which block on all lanes that come here have gone the same way.
    let mut since: BTreeMap<BlockId, BlockId> = BTreeMap::new();
    let mut waiting: Vec<BlockId> = cfg.succs(branch).to_vec();
    since.extend(waiting.iter().map(|&side| (side, side)));
    while let Some(block) = waiting.pop() {
        if Some(block) == stop || block == branch {
            continue;
        }
        let way = since[&block];
        for &next in cfg.succs(block) {
            let known = since.get(&next).copied();
            if known == Some(way) {
                continue;
            }
            if known.is_some() {
                meetings.insert(next.0 as usize);
            }
            // Where ways meet, a new one begins.
            let begins = if known.is_some() { next } else { way };
            if known != Some(begins) {
                since.insert(next, begins);
                waiting.push(next);
            }
        }
    }
    meetings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::text;

    fn meetings_of(body: &str, branch: u32) -> Vec<usize> {
        let text = format!(".kernel k;\n.regs architected 2, 1;\n{body}    exit;\n");
        let cfg = Cfg::new(&text::parse(&text, "k").unwrap()).unwrap();
        meetings(&cfg, BlockId(branch)).ones().collect()
    }

    #[test]
    fn two_sides_meet_behind_both() {
        let body = "a:\n@p0 bra c;\nb:\n    bra d;\nc:\n    mov.u32 r0, 1;\nd:\n";
        assert_eq!(meetings_of(body, 0), [3]);
    }

    #[test]
    fn what_is_left_out_meets_what_is_not_behind_it() {
        assert_eq!(meetings_of("a:\n@p0 bra c;\nb:\n    nop;\nc:\n", 0), [2]);
    }

    #[test]
    fn a_loop_on_one_side_is_entered_from_that_side_alone() {
        let body = "a:\n@p0 bra d;\nb:\n    nop;\nc:\n@p0 bra c;\nd:\n";
        assert_eq!(meetings_of(body, 0), [3]);
    }

    #[test]
    fn lanes_that_go_round_again_by_two_ways_meet_at_the_head() {
        let body =
            "a:\n    nop;\nb:\n@p0 bra f;\nc:\n@p0 bra e;\nd:\n    bra b;\ne:\n    bra b;\nf:\n";
        assert_eq!(meetings_of(body, 2), [1]);
    }
}
