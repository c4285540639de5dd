//! Orders the instructions of a block so that long latencies overlap, as NVIDIA's assembler does: loads early, what
//! waits for them late.
//!
//! List scheduling by height (the longest chain of latencies to the end of the block), while fewer registers than a
//! limit are live; at the limit, what frees most registers comes first. Nothing moves over a barrier, a fence, an
//! atomic, a reading of the clock or an instruction that ends lanes. A store keeps its order with every access that
//! may be to the same space, loads keep theirs with stores. A block whose new order needs more registers than the
//! limit, and more than the old one, keeps the old one.

use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::{Domain, Liveness};
use crate::kernel::op::{Op, Space};
use crate::kernel::{BlockId, Inst, Kernel, Operand, Special};

/// Schedules every block of `kernel` for at most `limit_regs` live 32-bit registers.
pub fn run(kernel: &mut Kernel, cfg: &Cfg, limit_regs: usize) {
    let liveness = Liveness::per_thread(kernel, cfg);
    let mut trial = kernel.clone();
    for (b, block) in trial.blocks.iter_mut().enumerate() {
        let mut start = 0;
        for end in 0..=block.insts.len() {
            if end < block.insts.len() && !is_fence(&block.insts[end]) {
                continue;
            }
            let behind = liveness.before(BlockId(b as u32), end);
            let ahead = liveness.live_regs_before(BlockId(b as u32), start);
            let order = order(
                &block.insts[start..end],
                liveness.domain(),
                behind,
                ahead,
                limit_regs,
            );
            let old = block.insts[start..end].to_vec();
            for (place, from) in order.into_iter().enumerate() {
                block.insts[start + place] = old[from].clone();
            }
            start = end + 1;
        }
    }
    let after = Liveness::per_thread(&trial, cfg);
    for (b, block) in trial.blocks.into_iter().enumerate() {
        let most = |liveness: &Liveness| {
            (0..block.insts.len())
                .map(|i| liveness.regs_needed(BlockId(b as u32), i))
                .max()
        };
        if most(&after) <= most(&liveness).max(Some(limit_regs)) {
            kernel.blocks[b].insts = block.insts;
        }
    }
}

fn is_fence(inst: &Inst) -> bool {
    let reads_clock = |o: &Operand| {
        matches!(
            o,
            Operand::Special(Special::Clock) | Operand::Special(Special::Clock64)
        )
    };
    matches!(
        inst.op,
        Op::Bar(_)
            | Op::Membar
            | Op::WarpSync
            | Op::Atom { .. }
            | Op::Red { .. }
            | Op::Bra(_)
            | Op::Exit
            | Op::Call(_)
            | Op::Ret
            | Op::Push
            | Op::Pop
            | Op::Argument(_)
            | Op::PassOnStack(..)
            | Op::TakeFromStack(..)
            | Op::Trap
            | Op::Acquire
            | Op::Release
            | Op::Pir
            | Op::Pbr
            | Op::Traced(_)
    ) || inst.srcs.iter().any(reads_clock)
}

/// Cycles from issue to result, for priorities only. // assumed: in the order of Fermi's
fn latency_cycles(op: &Op) -> u32 {
    match op {
        Op::Ld(mem) => match mem.space {
            Space::Shared | Space::Param | Space::Const => 24,
            _ => 200,
        },
        Op::Div(_) | Op::Rem(_) | Op::FDiv { .. } | Op::Sqrt { .. } => 40,
        Op::Rcp { .. } | Op::Rsqrt { .. } | Op::Sin { .. } | Op::Cos { .. } => 20,
        Op::Lg2 { .. } | Op::Ex2 { .. } | Op::Tanh(_) | Op::Shfl(_) => 20,
        _ => 4,
    }
}

/// For each place of the new order, which instruction comes there.
fn order(
    insts: &[Inst],
    domain: &Domain,
    live_behind: &fixedbitset::FixedBitSet,
    live_ahead: usize,
    limit_regs: usize,
) -> Vec<usize> {
    let n = insts.len();
    let graph = dependences(insts, domain);
    let mut height = vec![0u32; n];
    for i in (0..n).rev() {
        let below = graph.after[i].iter().map(|&j| height[j]).max().unwrap_or(0);
        height[i] = below + latency_cycles(&insts[i].op);
    }
    // How often each register is still read, counting once for being live behind the segment.
    let mut reads = vec![0u32; domain.len()];
    live_behind.ones().for_each(|bit| reads[bit] += 1);
    for inst in insts {
        domain.for_uses(inst, |bit| reads[bit] += 1);
    }
    let mut waits: Vec<usize> = graph.before_count.clone();
    let mut ready: Vec<usize> = (0..n).filter(|&i| waits[i] == 0).collect();
    let mut live = live_ahead as i64;
    let mut order = Vec::with_capacity(n);
    while !ready.is_empty() {
        let growth = |i: usize| growth_regs(&insts[i], domain, &reads);
        let fits = |i: usize| live + growth(i) <= limit_regs as i64;
        let tallest = ready
            .iter()
            .copied()
            .filter(|&i| fits(i))
            .max_by_key(|&i| (height[i], std::cmp::Reverse(i)));
        let chosen = tallest.or_else(|| ready.iter().copied().min_by_key(|&i| (growth(i), i)));
        let Some(chosen) = chosen else { break };
        live += growth(chosen);
        domain.for_uses(&insts[chosen], |bit| reads[bit] -= 1);
        ready.retain(|&i| i != chosen);
        for &next in &graph.after[chosen] {
            waits[next] -= 1;
            if waits[next] == 0 {
                ready.push(next);
            }
        }
        order.push(chosen);
    }
    order
}

/// By how many registers issuing the instruction changes what is live.
fn growth_regs(inst: &Inst, domain: &Domain, reads: &[u32]) -> i64 {
    let mut last = domain.empty_set();
    let mut own_reads = vec![];
    domain.for_uses(inst, |bit| own_reads.push(bit));
    for &bit in &own_reads {
        let here = own_reads.iter().filter(|&&b| b == bit).count() as u32;
        if reads[bit] == here {
            last.insert(bit);
        }
    }
    let mut new = domain.empty_set();
    domain.for_defs(inst, |bit| {
        if reads[bit] > 0 {
            new.insert(bit);
        }
    });
    domain.count_regs(&new) as i64 - domain.count_regs(&last) as i64
}

struct Dependences {
    /// What must come behind each instruction.
    after: Vec<Vec<usize>>,
    /// How many must come before it.
    before_count: Vec<usize>,
}

fn dependences(insts: &[Inst], domain: &Domain) -> Dependences {
    let touched = |inst: &Inst| {
        let (mut uses, mut defs) = (domain.empty_set(), domain.empty_set());
        domain.for_uses(inst, |bit| uses.insert(bit));
        domain.for_defs(inst, |bit| defs.insert(bit));
        (uses, defs)
    };
    let touched: Vec<_> = insts.iter().map(touched).collect();
    let mut graph = Dependences {
        after: vec![Vec::new(); insts.len()],
        before_count: vec![0; insts.len()],
    };
    for later in 0..insts.len() {
        for earlier in 0..later {
            let ((earlier_uses, earlier_defs), (later_uses, later_defs)) =
                (&touched[earlier], &touched[later]);
            let tied = !earlier_defs.is_disjoint(later_uses)
                || !earlier_uses.is_disjoint(later_defs)
                || !earlier_defs.is_disjoint(later_defs)
                || may_conflict(&insts[earlier].op, &insts[later].op);
            if tied {
                graph.after[earlier].push(later);
                graph.before_count[later] += 1;
            }
        }
    }
    graph
}

/// Whether two memory accesses may touch the same bytes and one writes, or both are strong.
fn may_conflict(a: &Op, b: &Op) -> bool {
    let strong = |op: &Op| matches!(op, Op::Ld(mem) if mem.strong);
    if strong(a) && strong(b) {
        return true;
    }
    let access = |op: &Op| match op {
        Op::Ld(mem) => Some((mem.space, false)),
        Op::St(mem) => Some((mem.space, true)),
        _ => None,
    };
    let read_only = |space| matches!(space, Space::Param | Space::Const);
    match (access(a), access(b)) {
        (Some((x, x_writes)), Some((y, y_writes))) => {
            let same = x == y || x == Space::Generic || y == Space::Generic;
            (x_writes || y_writes) && same && !read_only(x) && !read_only(y)
        }
        _ => false,
    }
}
