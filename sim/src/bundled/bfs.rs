//! Reference of `bfs`: gather the offers per target and take the least.

use std::collections::BTreeMap;

use super::compare::{Expectation, Inputs, Mismatch, Values};

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let graph = Graph {
        first_edge: inputs.integers("first_edge")?,
        target: inputs.integers("target")?,
        frontier: inputs
            .integers("mask")?
            .into_iter()
            .map(|mask| mask == 0)
            .collect(),
        cost: inputs.integers("cost")?,
    };
    let values = Values::Exact(graph.next_cost(&inputs.integers("next_cost")?));
    Ok(vec![Expectation {
        buffer: "next_cost",
        values,
    }])
}

struct Graph {
    first_edge: Vec<i64>,
    target: Vec<i64>,
    frontier: Vec<bool>,
    cost: Vec<i64>,
}

impl Graph {
    fn next_cost(&self, before: &[i64]) -> Vec<i64> {
        let mut offers: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
        for (node, bounds) in self.first_edge.windows(2).enumerate() {
            for &to in &self.target[bounds[0] as usize..bounds[1] as usize] {
                if self.frontier[node] {
                    offers
                        .entry(to as usize)
                        .or_default()
                        .push(self.cost[node] + 1);
                }
            }
        }
        let mut next = before.to_vec();
        for (node, mut offers) in offers {
            offers.sort_unstable();
            if offers[0] < self.cost[node] {
                next[node] = next[node].min(offers[0]);
            }
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frontier_lowers_costlier_neighbours_to_the_best_offer() {
        // 0 -> 2, 3; 1 -> 2; 2 -> 3; 3 -> nothing. 0 and 1 are in the frontier.
        let graph = Graph {
            first_edge: vec![0, 2, 3, 4, 4],
            target: vec![2, 3, 2, 3],
            frontier: vec![true, true, false, false],
            cost: vec![5, 3, 9, 6],
        };
        // 2 is offered 6 and 4; 3 is offered 6, not less than its own; 2's own offer does not count.
        assert_eq!(graph.next_cost(&[99; 4]), [99, 99, 4, 99]);
    }
}
