//! What to spill: values that are live where too much is, by what they give and what they cost.

use fixedbitset::FixedBitSet;

use super::Work;
use super::interference::Interference;
use super::webs::block_ids;
use crate::compiler::liveness::{Domain, Liveness};
use crate::kernel::Kernel;

/// Rounds in which one value is spilled for those that found no register; from then on all around them are. // assumed
const ONE_BY_ONE: usize = 4;

/// Registers to spill so that at most `cap` are live anywhere; where that holds already, one that makes room for
/// `failed`, or if that has been done `stuck` times in vain, more. Empty when nothing helps.
pub fn choose_regs(
    work: &Work,
    liveness: &Liveness,
    graph: &Interference,
    cap: u16,
    failed: &[usize],
    stuck: usize,
) -> FixedBitSet {
    let mut excluded = liveness.domain().empty_set();
    excluded.insert_range(liveness.domain().regs()..liveness.domain().len());
    excluded.extend(work.short_regs.ones());
    let limit = Limit {
        cap: usize::from(cap),
        count: Domain::count_regs,
        around: None,
    };
    if let Some(more) = stuck.checked_sub(ONE_BY_ONE) {
        let mut around = liveness.domain().empty_set();
        around.extend(failed.iter().copied());
        let closer = Limit {
            cap: limit.cap.saturating_sub(1 + more / 4),
            around: Some(around),
            ..limit
        };
        let chosen = relieve(work, liveness, graph, &closer, &excluded);
        if !chosen.is_clear() {
            return chosen;
        }
    }
    choose(work, liveness, graph, failed, &limit, &excluded)
}

/// The same for predicates.
pub fn choose_preds(
    work: &Work,
    liveness: &Liveness,
    graph: &Interference,
    cap: u16,
    failed: &[usize],
) -> FixedBitSet {
    let regs = liveness.domain().regs();
    let mut excluded = liveness.domain().empty_set();
    excluded.insert_range(0..regs);
    excluded.extend(work.short_preds.ones().map(|p| regs + p));
    let limit = Limit {
        cap: usize::from(cap),
        count: Domain::count_preds,
        around: None,
    };
    choose(work, liveness, graph, failed, &limit, &excluded)
}

/// How much may be live at once.
struct Limit {
    cap: usize,
    count: fn(&Domain, &FixedBitSet) -> usize,
    /// Only where one of these is live; `None`: anywhere.
    around: Option<FixedBitSet>,
}

fn choose(
    work: &Work,
    liveness: &Liveness,
    graph: &Interference,
    failed: &[usize],
    limit: &Limit,
    excluded: &FixedBitSet,
) -> FixedBitSet {
    let mut chosen = relieve(work, liveness, graph, limit, excluded);
    if chosen.is_clear() {
        let candidates = failed
            .iter()
            .flat_map(|&f| graph.adjacent[f].ones().chain([f]))
            .filter(|&n| !excluded.contains(n));
        let price = |n: usize| graph.cost[n] / (1 + graph.adjacent[n].count_ones(..)) as f64;
        if let Some(node) =
            candidates.min_by(|&a, &b| price(a).total_cmp(&price(b)).then(a.cmp(&b)))
        {
            chosen.insert(node);
        }
    }
    chosen
}

/// Values to spill so that the limit holds, those first that cost least for what they give.
fn relieve(
    work: &Work,
    liveness: &Liveness,
    graph: &Interference,
    limit: &Limit,
    excluded: &FixedBitSet,
) -> FixedBitSet {
    let mut chosen = liveness.domain().empty_set();
    let mut crowded = crowded_points(&work.kernel, liveness, limit, excluded);
    let mut relief = vec![0usize; graph.size.len()];
    for point in &crowded {
        for node in point.idle.ones() {
            relief[node] += 1;
        }
    }
    while !crowded.is_empty() {
        let gain = |n: usize| relief[n] as f64 * f64::from(graph.size[n]) / graph.cost[n].max(1.0);
        let best = (0..relief.len())
            .filter(|&n| relief[n] > 0)
            .max_by(|&a, &b| gain(a).total_cmp(&gain(b)).then(b.cmp(&a)));
        let Some(best) = best else { break };
        chosen.insert(best);
        for point in &mut crowded {
            if point.idle.contains(best) {
                point.idle.set(best, false);
                point.excess = point.excess.saturating_sub(usize::from(graph.size[best]));
                if point.excess == 0 {
                    for node in point.idle.ones() {
                        relief[node] -= 1;
                    }
                }
            }
        }
        relief[best] = 0;
        crowded.retain(|p| p.excess > 0);
    }
    chosen
}

/// A place where more is live than there is room for.
struct Crowded {
    /// By how many registers.
    excess: usize,
    /// What is live there and not named by the instruction.
    idle: FixedBitSet,
}

fn crowded_points(
    kernel: &Kernel,
    liveness: &Liveness,
    limit: &Limit,
    excluded: &FixedBitSet,
) -> Vec<Crowded> {
    let domain = liveness.domain();
    let mut crowded = Vec::new();
    for block in block_ids(kernel) {
        for (i, inst) in kernel.blocks[block.0 as usize].insts.iter().enumerate() {
            let mut during = liveness.after(block, i).clone();
            domain.for_defs(inst, |bit| during.insert(bit));
            for set in [liveness.before(block, i), &during] {
                let live = (limit.count)(domain, set);
                let matters = (limit.around.as_ref()).is_none_or(|around| !around.is_disjoint(set));
                if live > limit.cap && matters {
                    let mut idle = set.clone();
                    idle.difference_with(excluded);
                    domain.for_uses(inst, |bit| idle.set(bit, false));
                    domain.for_defs(inst, |bit| idle.set(bit, false));
                    crowded.push(Crowded {
                        excess: live - limit.cap,
                        idle,
                    });
                }
            }
        }
    }
    crowded
}
