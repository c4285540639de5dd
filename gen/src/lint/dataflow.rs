//! Which ports, registers and parts of a top module feed which.

use super::Findings;
use super::design::{Code, Module, modules};
use super::resolve::resolve;
use super::sources::sources;
use rust_hdl::prelude::Block;
use std::collections::{BTreeMap, BTreeSet};

/// A register or a child block of the top module; an array of either is one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Name of the instance.
    pub name: String,
    /// How many, and of what size.
    pub what: String,
    /// Whether it is a register of the top module itself.
    pub register: bool,
}

/// The top module as a graph. Its ends are ports and nodes, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dataflow {
    /// In order of declaration.
    pub nodes: Vec<Node>,
    /// What each source feeds, through logic alone. That a register holds its value is left out.
    pub edges: BTreeMap<String, BTreeSet<String>>,
}

/// The graph of `block`'s top module, named `top`. Clocks are left out.
pub fn dataflow(block: &dyn Block, top: &str) -> Dataflow {
    let modules = modules(block, top);
    let Some(Code::Update(tree)) = modules.first().map(|module| &module.code) else {
        return Dataflow::default();
    };
    let update = resolve(&modules[0], tree, &mut Findings::default());
    let fed_by = sources(&update);
    let nodes = nodes(&modules);
    let ends: BTreeSet<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
    let locals: BTreeSet<&String> = fed_by.keys().collect();
    let mut flow = Dataflow {
        nodes: nodes.clone(),
        edges: BTreeMap::new(),
    };
    for sink in fed_by.keys() {
        let Some(end) = end_of(sink, &ends, &modules[0]) else {
            continue;
        };
        let mut seen = BTreeSet::new();
        let mut open = vec![sink.clone()];
        while let Some(name) = open.pop() {
            for source in fed_by.get(&name).into_iter().flatten() {
                if !seen.insert(source.clone()) {
                    continue;
                }
                if locals.contains(source) {
                    open.push(source.clone());
                }
                let from = end_of(source, &ends, &modules[0]).filter(|_| !locals.contains(source));
                if let Some(from) = from
                    && from != "clock"
                    && from != end
                {
                    flow.edges.entry(from).or_default().insert(end.clone());
                }
            }
        }
    }
    flow
}

/// The port or node that a net belongs to; none for a local signal.
fn end_of(net: &str, nodes: &BTreeSet<&str>, top: &Module) -> Option<String> {
    match net.split_once('$') {
        Some((instance, pin)) => {
            let pin = pin.trim_start_matches(|c: char| c.is_ascii_digit() || c == '$');
            (pin != "clock" && nodes.contains(instance)).then(|| instance.to_owned())
        }
        None => top.ports.contains(net).then(|| net.to_owned()),
    }
}

/// The children of the top module, arrays folded into one.
fn nodes(modules: &[Module]) -> Vec<Node> {
    let mut nodes: Vec<(Node, usize, usize)> = Vec::new();
    let prefix = format!("{}$", modules[0].path);
    for module in &modules[1..] {
        let Some(instance) = module.path.strip_prefix(&prefix) else {
            continue;
        };
        let (name, rest) = instance.split_once('$').unwrap_or((instance, ""));
        if rest.chars().any(|c| !c.is_ascii_digit()) {
            continue;
        }
        let register = module.nets.contains_key("q") && module.nets.contains_key("d");
        let bits = module.nets.get("q").map_or(0, |net| net.width_bits);
        match nodes.iter_mut().find(|(node, ..)| node.name == name) {
            Some((_, count, _)) => *count += 1,
            None => nodes.push((
                Node {
                    name: name.to_owned(),
                    what: String::new(),
                    register,
                },
                1,
                bits,
            )),
        }
    }
    let name = |(mut node, count, bits): (Node, usize, usize)| {
        let times = if count > 1 {
            format!("{count} x ")
        } else {
            String::new()
        };
        node.what = if node.register {
            format!("{times}{bits}-bit register")
        } else {
            format!("{times}module")
        };
        node
    };
    nodes.into_iter().map(name).collect()
}
