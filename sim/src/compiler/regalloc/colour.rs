//! Colours the interference graph with as few registers as it can.
//!
//! For a number of registers, nodes are coloured one after the other in several orders (smallest degree last, as
//! Briggs does; pairs first; program order). A node that finds no colour moves to the front of its order and the
//! round starts again, a bounded number of times. A single prefers a register whose other half is taken, so that
//! aligned pairs stay whole, and any node prefers the colour of a value that it is copied from or to.

use fixedbitset::FixedBitSet;

use super::interference::Interference;

/// Rounds that one order gets per number of registers. // assumed: more gains nothing on the bundled kernels
const ROUNDS: usize = 24;

/// A colouring: first register (or predicate) of each node.
pub type Colours = Vec<Option<u16>>;

/// The nodes of one kind with what colouring needs.
pub struct Problem<'g> {
    graph: &'g Interference,
    orders: Vec<Vec<usize>>,
    partners: Vec<Vec<usize>>,
}

impl<'g> Problem<'g> {
    /// Sets up the nodes in `nodes`: the register bits or the predicate bits.
    pub fn new(graph: &'g Interference, nodes: std::ops::Range<usize>) -> Self {
        let named: Vec<usize> = graph
            .order
            .iter()
            .copied()
            .filter(|n| nodes.contains(n))
            .collect();
        let mut partners = vec![Vec::new(); graph.size.len()];
        for &(d, s, _) in &graph.copies {
            partners[d].push(s);
            partners[s].push(d);
        }
        let smallest_last = smallest_last(graph, &named);
        let mut pairs_first = smallest_last.clone();
        pairs_first.sort_by_key(|&n| std::cmp::Reverse(graph.size[n]));
        Problem {
            graph,
            orders: vec![smallest_last, pairs_first, named],
            partners,
        }
    }

    /// Colours all nodes with `limit` registers.
    ///
    /// # Errors
    /// The nodes that found none in the best attempt; never empty.
    pub fn colour(&self, limit: u16) -> Result<Colours, Vec<usize>> {
        let mut fewest: Option<Vec<usize>> = None;
        for order in &self.orders {
            let mut order = order.clone();
            for _ in 0..ROUNDS {
                let (colours, failed) = self.attempt(&order, limit);
                if failed.is_empty() {
                    return Ok(colours);
                }
                order.retain(|n| !failed.contains(n));
                order.splice(0..0, failed.iter().copied());
                if fewest.as_ref().is_none_or(|f| failed.len() < f.len()) {
                    fewest = Some(failed);
                }
            }
        }
        Err(fewest.unwrap_or_default())
    }

    fn attempt(&self, order: &[usize], limit: u16) -> (Colours, Vec<usize>) {
        let mut colours: Colours = vec![None; self.graph.size.len()];
        let mut failed = Vec::new();
        let mut taken = FixedBitSet::with_capacity(usize::from(limit) + 1);
        for &node in order {
            taken.clear();
            for other in self.graph.adjacent[node].ones() {
                if let Some(first) = colours[other] {
                    taken.insert_range(
                        usize::from(first)
                            ..usize::from(first) + usize::from(self.graph.size[other]),
                    );
                }
            }
            let chosen = self.preferred(node, &colours, &taken, limit);
            match chosen {
                Some(first) => colours[node] = Some(first),
                None => failed.push(node),
            }
        }
        (colours, failed)
    }

    fn preferred(
        &self,
        node: usize,
        colours: &Colours,
        taken: &FixedBitSet,
        limit: u16,
    ) -> Option<u16> {
        let size = u16::from(self.graph.size[node]);
        let free = |first: u16| {
            first + size <= limit && (first..first + size).all(|u| !taken.contains(usize::from(u)))
        };
        let partner = self.partners[node]
            .iter()
            .filter(|&&p| u16::from(self.graph.size[p]) == size)
            .find_map(|&p| colours[p].filter(|&first| free(first)));
        if partner.is_some() {
            return partner;
        }
        if size == 2 {
            return (0..limit).step_by(2).find(|&first| free(first));
        }
        let half_taken = |first: u16| {
            let other = first ^ 1;
            other >= limit || taken.contains(usize::from(other))
        };
        (0..limit)
            .find(|&first| free(first) && half_taken(first))
            .or_else(|| (0..limit).find(|&first| free(first)))
    }
}

/// Nodes in the order in which to colour them: repeatedly take away the node with the fewest neighbours left; the one
/// taken away last comes first.
fn smallest_last(graph: &Interference, nodes: &[usize]) -> Vec<usize> {
    let weight = |node: usize, other: usize| u32::from(graph.size[node].max(graph.size[other]));
    let mut degree = vec![0u32; graph.size.len()];
    for &node in nodes {
        degree[node] = graph.adjacent[node].ones().map(|o| weight(node, o)).sum();
    }
    let mut left = nodes.to_vec();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(at) = (0..left.len()).min_by_key(|&i| (degree[left[i]], left[i])) {
        let node = left.swap_remove(at);
        for other in graph.adjacent[node].ones() {
            degree[other] = degree[other].saturating_sub(weight(node, other));
        }
        order.push(node);
    }
    order.reverse();
    order
}
