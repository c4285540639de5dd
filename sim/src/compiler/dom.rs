//! Immediate dominators and post-dominators of a graph of basic blocks.

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};

/// Immediate dominator of every node of the graph `0 .. succs.len()` as seen from `entry`; `None` for the entry and
/// for nodes that it does not reach.
pub fn immediate_dominators(succs: &[Vec<usize>], entry: usize) -> Vec<Option<usize>> {
    let graph = graph_of(succs, succs.len());
    let dominators = simple_fast(&graph, NodeIndex::new(entry));
    (0..succs.len())
        .map(|node| {
            dominators
                .immediate_dominator(NodeIndex::new(node))
                .map(NodeIndex::index)
        })
        .collect()
}

/// Immediate post-dominator of every node; `None` where only the end of the kernel post-dominates.
///
/// A virtual exit is a successor of every node in `ends` and of every node without successors. A node that cannot reach it (an infinite loop)
/// gets there over one virtual edge from the last node, in `order`, of each part of the graph that has no way out:
/// the latch of the loop, so that what branches inside the loop reconverges inside it.
pub fn immediate_post_dominators(
    succs: &[Vec<usize>],
    ends: &[usize],
    order: &[usize],
) -> Vec<Option<usize>> {
    let n = succs.len();
    let preds = predecessors(succs);
    let mut reaches_exit = vec![false; n];
    let mut exits: Vec<usize> = (0..n)
        .filter(|b| succs[*b].is_empty() || ends.contains(b))
        .collect();
    for &exit in &exits {
        mark_backwards(exit, &preds, &mut reaches_exit);
    }
    let rest = (0..n).filter(|b| !order.contains(b)).collect::<Vec<_>>();
    for &block in rest.iter().chain(order).rev() {
        if !reaches_exit[block] {
            exits.push(block);
            mark_backwards(block, &preds, &mut reaches_exit);
        }
    }

    let mut reversed = graph_of(&preds, n);
    let virtual_exit = reversed.add_node(());
    for exit in exits {
        reversed.add_edge(virtual_exit, NodeIndex::new(exit), ());
    }
    let dominators = simple_fast(&reversed, virtual_exit);
    (0..n)
        .map(|node| {
            dominators
                .immediate_dominator(NodeIndex::new(node))
                .filter(|&d| d != virtual_exit)
                .map(NodeIndex::index)
        })
        .collect()
}

/// Makes the post-dominators of nodes that can reach one of `returning` those among the paths there: what leads to another end does
/// not count for them.
pub fn meet_before_returns(ipdom: &mut [Option<usize>], succs: &[Vec<usize>], returning: &[usize]) {
    if returning.is_empty() {
        return;
    }
    let preds = predecessors(succs);
    let mut returns = vec![false; succs.len()];
    for &node in returning {
        mark_backwards(node, &preds, &mut returns);
    }
    let inside = |node: usize| -> Vec<usize> {
        let next = succs[node].iter().copied();
        next.filter(|&to| returns[node] && returns[to]).collect()
    };
    let inside: Vec<Vec<usize>> = (0..succs.len()).map(inside).collect();
    let among = immediate_post_dominators(&inside, &[], &[]);
    for (node, of_node) in ipdom.iter_mut().enumerate() {
        if returns[node] {
            *of_node = among[node];
        }
    }
}

/// Predecessors of every node, ascending.
pub fn predecessors(succs: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut preds = vec![Vec::new(); succs.len()];
    for (from, tos) in succs.iter().enumerate() {
        for &to in tos {
            preds[to].push(from);
        }
    }
    preds
}

fn graph_of(succs: &[Vec<usize>], nodes: usize) -> DiGraph<(), ()> {
    let mut graph = DiGraph::with_capacity(nodes + 1, 2 * nodes);
    for _ in 0..nodes {
        graph.add_node(());
    }
    for (from, tos) in succs.iter().enumerate() {
        for &to in tos {
            graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
        }
    }
    graph
}

/// Marks all from which `from` is reached, and itself.
pub fn mark_backwards(from: usize, preds: &[Vec<usize>], marked: &mut [bool]) {
    let mut stack = vec![from];
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut marked[block], true) {
            stack.extend(&preds[block]);
        }
    }
}
