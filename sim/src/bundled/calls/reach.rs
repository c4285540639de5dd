//! Reference of `reach`: the walks as a list of what is still to do, instead of functions.

use super::compare::{Expectation, Inputs, Mismatch, Values};

/// Edges of a node, as in the kernel.
const EDGES: usize = 4;
/// Threads that walk together, as in the kernel.
const WALKERS: usize = 4;
/// Steps before the last.
const STEPS: u32 = 8;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let words = |name| -> Result<Vec<u32>, Mismatch> {
        Ok((inputs.integers(name)?.iter().map(|&word| word as u32)).collect())
    };
    let graph = Graph {
        edges: words("edges")?,
        marks: words("marks")?,
    };
    let found = words("words")?.into_iter().enumerate();
    let found = found.map(|(thread, own)| i64::from(graph.found(thread / WALKERS, own)));
    Ok(vec![Expectation {
        buffer: "found",
        values: Values::Exact(found.collect()),
    }])
}

struct Graph {
    edges: Vec<u32>,
    marks: Vec<u32>,
}

impl Graph {
    /// Walks in order and keeps a value per open step: each is turned and added to when one beyond it is done.
    fn found(&self, node: usize, own: u32) -> u32 {
        // What is open: the step, its node and word, how many edges are left, the value so far.
        let mut open: Vec<(u32, usize, u32, usize, u32)> = Vec::new();
        let mut enter = Some((0, node, own));
        loop {
            let mut done = None;
            if let Some((step, node, own)) = enter.take() {
                if step == STEPS {
                    done = Some(self.marks[node].wrapping_mul(5).wrapping_add(own));
                } else {
                    let edges = self.followed(step, node);
                    open.push((step, node, own, edges.len(), 0));
                }
            }
            while let Some(value) = done.take() {
                let Some((step, node, own, left, so_far)) = open.last_mut() else {
                    return value;
                };
                *so_far = so_far.rotate_left(1).wrapping_add(value);
                *left -= 1;
                if *left == 0 {
                    let end = so_far.rotate_left(1);
                    done = Some(end.wrapping_add(self.mark(*step, *node) ^ *own));
                    open.pop();
                    continue;
                }
                let second = self.followed(*step, *node)[1];
                enter = Some((*step + 1, second, own.wrapping_add(1)));
            }
            if enter.is_none()
                && let Some(&(step, node, own, _, _)) = open.last()
            {
                enter = Some((step + 1, self.followed(step, node)[0], own));
            }
        }
    }

    /// What of a node's mark a step sees.
    fn mark(&self, step: u32, node: usize) -> u32 {
        self.marks[node] >> (3 * (STEPS - 1 - step))
    }

    /// Where a step leads from a node: to one node, or to two.
    fn followed(&self, step: u32, node: usize) -> Vec<usize> {
        let bits = self.mark(step, node);
        let first = (bits % 4) as usize;
        let both = (bits / 4).is_multiple_of(8);
        let edges = [first, first ^ 1].into_iter().take(1 + usize::from(both));
        edges
            .map(|edge| self.edges[EDGES * node + edge] as usize)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chain_of_one_node_turns_and_adds_its_mark_at_every_step() {
        // Bits 2 to 4, 5 to 7 and so on are not 0: one edge each.
        let graph = Graph {
            edges: vec![0; 4],
            marks: vec![0x2492_4924],
        };
        let mark = |step| graph.marks[0] >> (3 * (STEPS - 1 - step));
        let last = graph.marks[0].wrapping_mul(5);
        let end = (0..STEPS).rev().fold(last, |value, step| {
            value.rotate_left(1).wrapping_add(mark(step))
        });
        assert_eq!(graph.found(0, 0), end);
    }

    #[test]
    fn node_without_a_mark_is_left_by_two_edges() {
        // All marks are 0: a tree of 256 leaves; who comes by the second edge counts one more.
        let graph = Graph {
            edges: vec![0; 4],
            marks: vec![0],
        };
        assert_eq!(graph.followed(0, 0).len(), 2);
        fn value(steps: u32, own: u32) -> u32 {
            match steps {
                0 => own,
                _ => {
                    let both = value(steps - 1, own).rotate_left(1);
                    let both = both.wrapping_add(value(steps - 1, own + 1));
                    both.rotate_left(1).wrapping_add(own)
                }
            }
        }
        assert_eq!(graph.found(0, 1), value(STEPS, 1));
    }
}
