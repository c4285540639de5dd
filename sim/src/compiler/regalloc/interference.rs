//! Which values cannot share a register.
//!
//! Nodes are the bits of the liveness domain: registers first, then predicates. Two nodes interfere when one is
//! written where the other is live behind, or when both are live into the same block. A copy does not make its two
//! ends interfere.

use fixedbitset::FixedBitSet;

use super::webs::{block_ids, copy_of};
use crate::compiler::cfg::Cfg;
use crate::compiler::liveness::{Domain, Liveness};
use crate::kernel::{Dst, Inst, Kernel, Operand, Width};

/// The interference graph of a kernel over virtual registers.
pub struct Interference {
    /// Neighbours of each node, among its own kind.
    pub adjacent: Vec<FixedBitSet>,
    /// 32-bit registers that a node takes, 1 or 2; 1 for a predicate.
    pub size: Vec<u8>,
    /// Accesses, weighted by 10 per loop level: what it costs to keep the value in memory.
    pub cost: Vec<f64>,
    /// Copies between nodes that do not interfere: destination, source, weight; heaviest first.
    pub copies: Vec<(usize, usize, f64)>,
    /// Nodes that some instruction names, in the order of their first mention in reverse postorder.
    pub order: Vec<usize>,
}

impl Interference {
    /// Builds the graph.
    pub fn new(kernel: &Kernel, cfg: &Cfg, liveness: &Liveness) -> Self {
        let domain = liveness.domain();
        let mut graph = Interference {
            adjacent: vec![domain.empty_set(); domain.len()],
            size: vec![1; domain.len()],
            cost: vec![0.0; domain.len()],
            copies: Vec::new(),
            order: Vec::new(),
        };
        for block in block_ids(kernel) {
            if cfg.preds(block).len() > 1 || block.0 == 0 {
                let live = liveness.live_in(block);
                for node in live.ones() {
                    graph.adjacent[node].union_with(live);
                }
            }
            let weight = 10f64.powi(cfg.loop_depth(block).min(6) as i32);
            for (i, inst) in kernel.blocks[block.0 as usize].insts.iter().enumerate() {
                graph.add(domain, inst, liveness.after(block, i), weight);
            }
        }
        graph.find_order(kernel, cfg, domain);
        graph.make_symmetric(domain);
        let adjacent = &graph.adjacent;
        graph
            .copies
            .retain(|&(d, s, _)| d != s && !adjacent[d].contains(s));
        graph.copies.sort_by(|a, b| b.2.total_cmp(&a.2));
        graph
    }

    fn add(&mut self, domain: &Domain, inst: &Inst, after: &FixedBitSet, weight: f64) {
        let copied =
            copy_of(inst).map(|(dst, src)| (dst_node(domain, &dst), src_node(domain, &src)));
        let mut defs = domain.empty_set();
        domain.for_defs(inst, |node| defs.insert(node));
        for node in defs.ones() {
            let source = copied.and_then(|(_, s)| s);
            let had_source = source.is_some_and(|s| self.adjacent[node].contains(s));
            self.adjacent[node].union_with(after);
            self.adjacent[node].union_with(&defs);
            if let (Some(s), false) = (source, had_source) {
                self.adjacent[node].set(s, false);
            }
            self.cost[node] += weight;
        }
        domain.for_uses(inst, |node| self.cost[node] += weight);
        if let Some((dst, Some(src))) = copied {
            self.copies.push((dst, src, weight));
        }
        for reg in inst.src_regs().chain(inst.dst_regs()) {
            if reg.width == Width::W64 {
                self.size[usize::from(reg.index)] = 2;
            }
        }
    }

    fn find_order(&mut self, kernel: &Kernel, cfg: &Cfg, domain: &Domain) {
        let mut seen = domain.empty_set();
        let unreachable = block_ids(kernel).filter(|&b| !cfg.is_reachable(b));
        for block in cfg.reverse_postorder().iter().copied().chain(unreachable) {
            for inst in &kernel.blocks[block.0 as usize].insts {
                let mut visit = |node| {
                    if !seen.put(node) {
                        self.order.push(node);
                    }
                };
                domain.for_uses(inst, &mut visit);
                domain.for_defs(inst, &mut visit);
            }
        }
    }

    fn make_symmetric(&mut self, domain: &Domain) {
        for node in 0..domain.len() {
            let own_kind = if node < domain.regs() {
                0..domain.regs()
            } else {
                domain.regs()..domain.len()
            };
            let mut kind = domain.empty_set();
            kind.insert_range(own_kind);
            kind.set(node, false);
            self.adjacent[node].intersect_with(&kind);
            for other in self.adjacent[node].ones().collect::<Vec<_>>() {
                self.adjacent[other].insert(node);
            }
        }
    }
}

fn dst_node(domain: &Domain, dst: &Dst) -> usize {
    match dst {
        Dst::Reg(r) => usize::from(r.index),
        Dst::Pred(p) => domain.pred_bit(*p),
    }
}

fn src_node(domain: &Domain, src: &Operand) -> Option<usize> {
    match src {
        Operand::Reg(r) => Some(usize::from(r.index)),
        Operand::Pred { pred, .. } => Some(domain.pred_bit(*pred)),
        _ => None,
    }
}
