//! The call graph: what each function adds to the registers of a warp, and how deep the register stack can get (CARS III-B,
//! Figure 4).

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// A function in the call graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Function register usage, FRU: registers that a call of it adds; of the kernel, all its registers.
    pub fru: u32,
    /// Its call sites, each with the functions that it may call: one, or several where the call is indirect.
    pub sites: Vec<Vec<usize>>,
}

/// A kernel, the first node, and its functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallGraph {
    nodes: Vec<Node>,
    depths: Vec<u32>,
    next: Vec<Option<usize>>,
    recursive: Vec<bool>,
    circles: Vec<usize>,
}

impl CallGraph {
    /// Analyses a graph; calls of functions that it does not have are left out.
    ///
    /// Functions that call each other in a circle count once each: one iteration (CARS III-C). A call site that can reach
    /// several functions counts the one with the deepest stack.
    pub fn new(nodes: Vec<Node>) -> Self {
        let n = nodes.len();
        let callees = |node: usize| nodes[node].sites.iter().flatten().copied();
        let mut graph = DiGraph::<(), ()>::with_capacity(n, n);
        let ids: Vec<NodeIndex> = (0..n).map(|_| graph.add_node(())).collect();
        for from in 0..n {
            for to in callees(from).filter(|&to| to < n) {
                graph.update_edge(ids[from], ids[to], ());
            }
        }
        let (mut depths, mut next) = (vec![0; n], vec![None; n]);
        let mut recursive = vec![false; n];
        let mut circles = vec![0; n];
        // Components come callees first.
        for (circle, component) in tarjan_scc(&graph).into_iter().enumerate() {
            let members: Vec<usize> = component.iter().map(|id| id.index()).collect();
            let own: u32 = members.iter().map(|&m| nodes[m].fru).sum();
            let outside = |m: usize| callees(m).filter(|to| *to < n && !members.contains(to));
            let deepest = members.iter().flat_map(|&m| outside(m)).collect::<Vec<_>>();
            let deepest = deepest
                .into_iter()
                .rev()
                .max_by_key(|&callee| depths[callee]);
            let cyclic = members.len() > 1 || callees(members[0]).any(|to| to == members[0]);
            for &member in &members {
                depths[member] = own + deepest.map_or(0, |callee| depths[callee]);
                next[member] = deepest;
                recursive[member] = cyclic;
                circles[member] = circle;
            }
        }
        CallGraph {
            nodes,
            depths,
            next,
            recursive,
            circles,
        }
    }

    /// The functions; the kernel first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// MaxStackDepth: most registers that a path from this function to one that calls nothing demands.
    pub fn max_stack_depth(&self, node: usize) -> u32 {
        self.depths[node]
    }

    /// Whether the function can call itself, perhaps through others: then no depth is enough for certain.
    pub fn is_recursive(&self, node: usize) -> bool {
        self.recursive[node]
    }

    /// Whether any function is recursive.
    pub fn has_recursion(&self) -> bool {
        self.recursive.contains(&true)
    }

    /// Registers of the largest function; 0 if there is none.
    pub fn largest_fru(&self) -> u32 {
        let functions = self.nodes.iter().skip(1);
        functions.map(|node| node.fru).max().unwrap_or(0)
    }

    /// Registers of a warp at the Low-watermark: the kernel's, and room for one call of the largest function.
    pub fn low(&self) -> u32 {
        self.times_low(1)
    }

    /// NxLow-watermark: room for `n` calls of the largest function.
    pub fn times_low(&self, n: u32) -> u32 {
        self.nodes.first().map_or(0, |kernel| kernel.fru) + n * self.largest_fru()
    }

    /// High-watermark: no path of calls needs more, where nothing is recursive.
    pub fn high(&self) -> u32 {
        self.depths.first().copied().unwrap_or(0)
    }

    /// The functions on the path that demands most, the kernel first; of a circle, the one that is called.
    pub fn high_path(&self) -> Vec<usize> {
        let first = (!self.nodes.is_empty()).then_some(0);
        std::iter::successors(first, |&node| self.next[node]).collect()
    }

    /// Whether the function counts on the path that demands most; of a circle all do.
    pub fn is_high(&self, node: usize) -> bool {
        let path = self.high_path();
        path.iter().any(|&on| self.is_in_circle(on, node))
    }

    /// Whether a call from one function to another is on the path that demands most.
    pub fn is_high_call(&self, from: usize, to: usize) -> bool {
        self.is_high(from)
            && (self.next[from] == Some(to) || self.recursive[from] && self.is_in_circle(from, to))
    }

    /// Whether two functions call each other, perhaps through others, or are the same.
    pub(super) fn is_in_circle(&self, one: usize, other: usize) -> bool {
        self.circles[one] == self.circles[other]
    }

    /// The graph in words: a line per function, `*` on the High-watermark path, and the watermarks.
    pub fn text(&self) -> String {
        use std::fmt::Write;
        let mut out = String::from("  function                      FRU  MaxStackDepth  calls\n");
        for (number, node) in self.nodes.iter().enumerate() {
            let mark = if self.is_high(number) { '*' } else { ' ' };
            let site = |site: &Vec<usize>| {
                let names = site.iter().filter_map(|&to| self.nodes.get(to));
                names.map(|n| n.name.as_str()).collect::<Vec<_>>().join("|")
            };
            let calls: Vec<String> = node.sites.iter().map(site).collect();
            let circle = if self.recursive[number] { "+" } else { "" };
            let depth = format!("{}{circle}", self.depths[number]);
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "{mark} {:<28} {:>4}  {depth:>13}  {}",
                node.name,
                node.fru,
                calls.join(", ")
            );
        }
        let _ = writeln!(
            out,
            "Low-watermark {}, High-watermark {}{}",
            self.low(),
            self.high(),
            match self.has_recursion() {
                true => ", for one iteration of what is recursive (+)",
                false => "",
            }
        );
        out
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn node(name: &str, fru: u32, sites: &[&[usize]]) -> Node {
        Node {
            name: name.to_owned(),
            fru,
            sites: sites.iter().map(|site| site.to_vec()).collect(),
        }
    }

    #[test]
    fn calls_beside_the_high_path_are_not_on_it() {
        let graph = figure_4();
        assert!(graph.is_high_call(1, 3) && !graph.is_high_call(1, 4) && !graph.is_high_call(2, 4));
        assert!(!graph.is_high(2));
    }

    /// The figure is lost; of it the text tells the kernel, the largest function, and both watermarks.
    pub fn figure_4() -> CallGraph {
        CallGraph::new(vec![
            node("kernel", 20, &[&[1], &[2]]),
            node("fun1", 10, &[&[3], &[4]]),
            node("fun2", 8, &[&[4]]),
            node("fun3", 9, &[&[5], &[6]]),
            node("fun4", 7, &[]),
            node("fun5", 10, &[&[7]]),
            node("fun6", 5, &[]),
            node("fun7", 7, &[]),
        ])
    }

    #[test]
    fn figure_4_of_cars_has_low_watermark_30_and_high_watermark_56() {
        let graph = figure_4();
        assert_eq!(graph.largest_fru(), 10);
        assert_eq!((graph.low(), graph.high()), (30, 56));
        assert_eq!(graph.times_low(2), 40);
        assert_eq!(graph.high_path(), [0, 1, 3, 5, 7]);
        assert_eq!(graph.max_stack_depth(2), 15);
    }

    #[test]
    fn recursion_counts_one_iteration() {
        let graph = CallGraph::new(vec![
            node("kernel", 16, &[&[1]]),
            node("even", 3, &[&[2]]),
            node("odd", 4, &[&[1], &[3]]),
            node("leaf", 2, &[]),
        ]);
        assert_eq!(graph.high(), 16 + 3 + 4 + 2);
        assert!(graph.is_recursive(1) && graph.is_recursive(2) && !graph.is_recursive(3));
        assert!(graph.text().contains("9+"));
        // Both of the circle count, so both are on the path.
        assert!((0..4).all(|node| graph.is_high(node)));
        assert!(graph.is_high_call(1, 2) && graph.is_high_call(2, 1) && graph.is_high_call(2, 3));
    }

    #[test]
    fn indirect_call_counts_its_largest_callee() {
        let graph = CallGraph::new(vec![
            node("kernel", 16, &[&[1, 2]]),
            node("small", 1, &[]),
            node("large", 5, &[]),
        ]);
        assert_eq!((graph.low(), graph.high()), (21, 21));
    }
}
