//! Where lanes meet before they do something together, if some path between ends the thread.
//!
//! The immediate post-dominator of a branch is the end of the kernel as soon as one path from it leads there, and be it one that no lane
//! ever takes. Lanes that come to a barrier or a vote on both sides of such a branch would come to it one side after the other. So
//! there they meet as if the lanes that end had never been there: at the immediate post-dominator among the paths to what is done
//! together. Other branches are left as they are.

use super::dom::{immediate_post_dominators, mark_backwards, predecessors};

/// Changes the post-dominators of branches that have lanes to meet before one of the blocks in `together`. Nodes in `apart` keep theirs.
/// `order` is as for [`immediate_post_dominators`].
pub fn meet_before_together(
    ipdom: &mut [Option<usize>],
    succs: &[Vec<usize>],
    order: &[usize],
    together: &[usize],
    apart: &[bool],
) {
    let nodes = succs.len();
    let preds = predecessors(succs);
    let mut before = vec![false; nodes];
    for &node in together {
        mark_backwards(node, &preds, &mut before);
    }
    let goes_on = |node: usize| before[node] && !apart[node];
    let inside: Vec<Vec<usize>> = (0..nodes)
        .map(|node| {
            let next = succs[node].iter().copied();
            next.filter(|&to| goes_on(node) && goes_on(to)).collect()
        })
        .collect();
    // Where the sides meet behind all that is done together, or never.
    let too_late = |ipdom: Option<usize>| ipdom.is_none_or(|meet| !before[meet]);
    let parts = |&node: &usize| inside[node].len() > 1 && too_late(ipdom[node]);
    let parting: Vec<usize> = (0..nodes).filter(parts).collect();
    if parting.is_empty() {
        return;
    }
    let among = immediate_post_dominators(&inside, &[], order);
    let mut changed = vec![false; nodes];
    for node in parting {
        let Some(meet) = among[node] else { continue };
        // Branches on the way meet there, too, or before.
        let mut stack = vec![node];
        while let Some(at) = stack.pop() {
            if at != meet && !std::mem::replace(&mut changed[at], true) {
                stack.extend(&inside[at]);
            }
        }
    }
    for node in (0..nodes).filter(|&node| changed[node]) {
        ipdom[node] = among[node];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The post-dominators of a graph whose nodes in `together` lanes do together.
    fn meet(succs: &[&[usize]], together: &[usize]) -> [Vec<Option<usize>>; 2] {
        let succs: Vec<Vec<usize>> = succs.iter().map(|to| to.to_vec()).collect();
        let order: Vec<usize> = (0..succs.len()).collect();
        let before = immediate_post_dominators(&succs, &[], &order);
        let mut after = before.clone();
        let apart = vec![false; succs.len()];
        meet_before_together(&mut after, &succs, &order, together, &apart);
        [before, after]
    }

    /// `if (c) { if (e) return; } barrier` with a `return` of its own, and with one for all.
    #[test]
    fn sides_meet_before_a_barrier_although_a_path_ends() {
        let [before, after] = meet(&[&[1, 3], &[2, 3], &[], &[]], &[3]);
        assert_eq!(before, [None; 4]);
        assert_eq!(after, [Some(3), Some(3), None, None]);
        let [before, after] = meet(&[&[1, 2], &[2, 3], &[3], &[]], &[2]);
        assert_eq!(before, [Some(3), Some(3), Some(3), None]);
        assert_eq!(after, [Some(2), Some(2), Some(3), None]);
    }

    /// `if (i >= n) return; barrier`: one side alone comes to it.
    #[test]
    fn a_guard_at_the_top_is_left_as_it_was() {
        let [before, after] = meet(&[&[1, 2], &[2], &[]], &[1]);
        assert_eq!(before, after);
    }

    /// A loop with a barrier in it, left by its condition; nothing ends early.
    #[test]
    fn loops_with_barriers_are_left_as_they_were() {
        let [before, after] = meet(&[&[1], &[2, 4], &[3], &[1], &[]], &[3]);
        assert_eq!(before, after);
        assert_eq!(after[1], Some(4));
    }

    /// A barrier on either side, and nothing behind them that is done together.
    #[test]
    fn sides_with_a_barrier_each_meet_where_they_did() {
        let [before, after] = meet(&[&[1, 2], &[3], &[3], &[]], &[1, 2]);
        assert_eq!(before, after);
        assert_eq!(after[0], Some(3));
    }

    /// Who leaves the first side can come back to the barrier: it is no end.
    #[test]
    fn a_path_that_comes_back_is_no_end() {
        let [before, after] = meet(&[&[1], &[2, 3], &[3, 4], &[4], &[1, 5], &[]], &[3]);
        assert_eq!(before[1], Some(4));
        assert_eq!(before, after);
    }
}
