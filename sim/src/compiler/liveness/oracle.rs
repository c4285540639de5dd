//! Brute force against warp-wide liveness: run warps of two or three lanes over random branch outcomes with a SIMT
//! stack, and look in hindsight which registers held a value that some lane came to read.
//!
//! Shares nothing with the analysis: post-dominators are found by taking blocks away, and a register holds a
//! wanted value when the lane wrote it and its next access is a read.

use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

use super::*;
use crate::kernel::op::Ty;
use crate::kernel::{Dst, Guard, Operand, Pred, Reg, RegSpace};
use crate::testing::emit::inst;
use crate::testing::{GenOptions, generate};

/// One instruction executed by the warp.
struct Event {
    at: Point,
    /// Per lane: bits read and written.
    reads: Vec<Vec<usize>>,
    writes: Vec<Vec<usize>>,
}

struct StackEntry {
    block: usize,
    reconvergence: Option<usize>,
    lanes: Vec<usize>,
}

fn successors(kernel: &Kernel, block: usize) -> Vec<usize> {
    let mut found = Vec::new();
    for inst in &kernel.blocks[block].insts {
        match inst.op {
            Op::Bra(to) => found.push(to.0 as usize),
            Op::Exit if inst.guard.is_none() => return found,
            _ => {}
        }
        if matches!(inst.op, Op::Bra(_)) && inst.guard.is_none() {
            return found;
        }
    }
    found.push(block + 1);
    found
}

fn can_end(kernel: &Kernel, from: usize, without: Option<usize>) -> bool {
    let mut seen = vec![false; kernel.blocks.len()];
    let mut stack = vec![from];
    while let Some(b) = stack.pop() {
        if b >= kernel.blocks.len() || successors(kernel, b).is_empty() && Some(b) != without {
            return true;
        }
        if Some(b) == without || std::mem::replace(&mut seen[b], true) {
            continue;
        }
        stack.extend(successors(kernel, b));
    }
    false
}

/// The first block on the way to the end that cannot be avoided.
fn reconvergence(kernel: &Kernel, branch: usize) -> Option<usize> {
    let unavoidable: Vec<usize> = (0..kernel.blocks.len())
        .filter(|&d| d != branch && !can_end(kernel, branch, Some(d)))
        .collect();
    let nearest = |&d: &usize| {
        unavoidable
            .iter()
            .all(|&other| other == d || !can_end(kernel, d, Some(other)))
    };
    unavoidable.iter().copied().find(nearest)
}

fn run(kernel: &Kernel, domain: &Domain, lanes: usize, rng: &mut ChaCha8Rng) -> Vec<Event> {
    let mut coin = || rng.next_u32().is_multiple_of(2);
    let mut events = Vec::new();
    let mut stack = vec![StackEntry {
        block: 0,
        reconvergence: None,
        lanes: (0..lanes).collect(),
    }];
    while let Some(top) = stack.last() {
        let (block, until) = (top.block, top.reconvergence);
        if Some(block) == until || top.lanes.is_empty() || block >= kernel.blocks.len() {
            let ended = block >= kernel.blocks.len();
            let gone = stack.pop().expect("has a top").lanes;
            if ended {
                stack
                    .iter_mut()
                    .for_each(|e| e.lanes.retain(|l| !gone.contains(l)));
            }
            continue;
        }
        let mut next = block + 1;
        for (i, inst) in kernel.blocks[block].insts.iter().enumerate() {
            let active = stack.last().expect("has a top").lanes.clone();
            let (go, stay): (Vec<usize>, Vec<usize>) =
                active.iter().partition(|_| inst.guard.is_none() || coin());
            let mut event = Event {
                at: Point {
                    block: BlockId(block as u32),
                    inst: i,
                },
                reads: vec![Vec::new(); lanes],
                writes: vec![Vec::new(); lanes],
            };
            for &lane in &active {
                event.reads[lane].extend(inst.guard.map(|g| domain.pred_bit(g.pred)));
            }
            for &lane in &go {
                domain.for_uses(inst, |bit| event.reads[lane].push(bit));
                domain.for_defs(inst, |bit| event.writes[lane].push(bit));
            }
            events.push(event);
            match inst.op {
                Op::Exit => {
                    stack
                        .iter_mut()
                        .for_each(|e| e.lanes.retain(|l| !go.contains(l)));
                    next = block;
                }
                Op::Bra(to) if stay.is_empty() => next = to.0 as usize,
                Op::Bra(to) if !go.is_empty() => {
                    let meet = reconvergence(kernel, block);
                    let top = stack.last_mut().expect("has a top");
                    match meet {
                        Some(meet) => top.block = meet,
                        None => top.lanes.clear(),
                    }
                    let mut sides = [(to.0 as usize, go), (block + 1, stay)];
                    if coin() {
                        sides.reverse();
                    }
                    for (block, lanes) in sides {
                        stack.push(StackEntry {
                            block,
                            reconvergence: meet,
                            lanes,
                        });
                    }
                    next = usize::MAX;
                }
                Op::Bra(_) => {}
                _ => next = block + 1,
            }
            if stack.last().is_none_or(|t| t.lanes.is_empty()) {
                break;
            }
        }
        if events.len() > 400 {
            break;
        }
        if next != usize::MAX
            && let Some(top) = stack.last_mut()
        {
            top.block = next;
        }
    }
    events
}

/// The first place at which a register that holds a wanted value is not in the analysis' set.
fn missing(events: &[Event], liveness: &Liveness) -> Option<(Point, usize)> {
    let lanes = events.first().map_or(0, |e| e.reads.len());
    let bits = liveness.domain().len();
    for lane in 0..lanes {
        for bit in 0..bits {
            let mut wanted = false;
            let written_at = |e: &Event| e.writes[lane].contains(&bit);
            let first_write = events.iter().position(written_at).unwrap_or(events.len());
            for (t, event) in events.iter().enumerate().rev() {
                if t < first_write {
                    break;
                }
                let Point { block, inst } = event.at;
                if wanted && !liveness.after(block, inst).contains(bit) {
                    return Some((event.at, bit));
                }
                wanted &= !written_at(event);
                wanted |= event.reads[lane].contains(&bit);
                if wanted && t > first_write && !liveness.before(block, inst).contains(bit) {
                    return Some((event.at, bit));
                }
            }
        }
    }
    None
}

/// Any graph, any registers: two to nine blocks that end at random.
fn unstructured(rng: &mut ChaCha8Rng) -> Kernel {
    let mut below = |n: u32| rng.next_u32() % n;
    let count = 2 + below(8);
    let mut kernel = generate(0, &GenOptions::default()).kernel;
    kernel.regs = RegSpace::Virtual { regs: 5, preds: 2 };
    kernel.blocks.truncate(1);
    let template = kernel.blocks.remove(0);
    for b in 0..count {
        let mut block = template.clone();
        block.label = format!("b{b}");
        block.insts.clear();
        for _ in 0..below(3) {
            let dst = Dst::Reg(Reg::r32(below(5) as u16));
            let src = Operand::Reg(Reg::r32(below(5) as u16));
            let mut new = inst(Op::Mov(Ty::B32), &[dst], &[src]);
            new.guard = (below(4) == 0).then(|| Guard {
                pred: Pred(below(2) as u16),
                negated: false,
            });
            if below(3) == 0 {
                new.srcs[0] = Operand::Imm(1);
            }
            block.insts.push(new);
        }
        let mut branch = inst(Op::Bra(BlockId(below(count))), &[], &[]);
        match below(8) {
            0..=4 => {
                branch.guard = Some(Guard {
                    pred: Pred(below(2) as u16),
                    negated: false,
                });
                block.insts.push(branch);
            }
            5 => block.insts.push(branch),
            6 => block.insts.push(inst(Op::Exit, &[], &[])),
            _ => {}
        }
        kernel.blocks.push(block);
    }
    kernel
}

fn every_block_can_end(kernel: &Kernel) -> bool {
    (0..kernel.blocks.len()).all(|b| can_end(kernel, b, None))
}

/// Runs warps over many kernels; how many runs found a wanted register outside of the analysis' sets.
fn refuted(analyse: impl Fn(&Kernel, &Cfg) -> Liveness) -> Vec<(u64, Point, usize)> {
    let mut found = Vec::new();
    for seed in 0..400 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let kernel = match seed % 2 {
            0 => {
                let options = GenOptions {
                    vars_32: 3,
                    vars_64: 1,
                    vars_pred: 2,
                    statements: 4,
                    ..GenOptions::default()
                };
                generate(seed, &options).kernel
            }
            _ => unstructured(&mut rng),
        };
        if !every_block_can_end(&kernel) {
            continue;
        }
        let cfg = Cfg::new(&kernel).unwrap();
        let liveness = analyse(&kernel, &cfg);
        for _ in 0..4 {
            let lanes = 2 + rng.next_u32() as usize % 2;
            let events = run(&kernel, liveness.domain(), lanes, &mut rng);
            if let Some((at, bit)) = missing(&events, &liveness) {
                found.push((seed, at, bit));
            }
        }
    }
    found
}

#[test]
fn whatever_a_lane_will_still_read_is_in_the_warp_wide_set() {
    let found = refuted(|k, c| Liveness::warp_wide(k, c, WarpOptions::default()));
    assert_eq!(found, []);
}

#[test]
fn liveness_of_a_thread_is_too_small_for_a_warp_and_the_oracle_sees_it() {
    assert!(refuted(Liveness::per_thread).len() > 50);
}

#[test]
fn oracle_finds_the_reconvergence_point_that_the_graph_gives() {
    for seed in 0..300 {
        let kernel = unstructured(&mut ChaCha8Rng::seed_from_u64(seed));
        if !every_block_can_end(&kernel) {
            continue;
        }
        let cfg = Cfg::new(&kernel).unwrap();
        for b in (0..kernel.blocks.len()).filter(|&b| cfg.is_conditional(BlockId(b as u32))) {
            let expected = reconvergence(&kernel, b).map(|r| BlockId(r as u32));
            assert_eq!(
                cfg.reconvergence(BlockId(b as u32)),
                expected,
                "seed {seed}, block {b}"
            );
        }
    }
}
