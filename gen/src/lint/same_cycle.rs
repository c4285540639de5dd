//! Which outputs answer inputs of the same cycle: the combinational paths through a block and all that is in it.

use super::Findings;
use super::design::{Code, Module, modules};
use super::resolve::resolve;
use super::sources::{Sources, sources};
use rust_hdl::prelude::Block;
use std::collections::{BTreeMap, BTreeSet};

/// Stands for all registers and memories; no net is called so.
const STATE: &str = "$state";

/// What an output is made of, through logic alone. By structure: a path that no value ever opens counts, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// By these inputs of the same cycle.
    pub inputs: BTreeSet<String>,
    /// By some register or memory.
    pub state: bool,
}

/// For each output of `block`, by what it is reached.
pub fn same_cycle(block: &dyn Block, top: &str) -> BTreeMap<String, Reached> {
    let modules = modules(block, top);
    let mut done: BTreeMap<usize, Sources> = BTreeMap::new();
    // Children stand behind their parents.
    for at in (0..modules.len()).rev() {
        let paths = paths(&modules, at, &done);
        done.insert(at, paths);
    }
    let reached = |mut inputs: BTreeSet<String>| Reached {
        state: inputs.remove(STATE),
        inputs,
    };
    let outputs = done.remove(&0).unwrap_or_default().into_iter();
    outputs
        .map(|(name, sources)| (name, reached(sources)))
        .collect()
}

/// From the inputs of module `at` to its outputs, given those of its children.
fn paths(modules: &[Module], at: usize, children: &BTreeMap<usize, Sources>) -> Sources {
    let module = &modules[at];
    let mut made_of = match &module.code {
        Code::Update(tree) => {
            let update = resolve(module, tree, &mut Findings::default());
            sources(&update)
        }
        Code::Custom(text) => by_hand(text),
        Code::External => Sources::new(),
    };
    let driven: BTreeSet<String> = made_of.keys().cloned().collect();
    let prefix = format!("{}$", module.path);
    for (child, paths) in children {
        let Module { path, instance, .. } = &modules[*child];
        if path.strip_prefix(&prefix) != Some(instance) {
            continue;
        }
        for (output, inputs) in paths {
            let inputs = inputs.iter().map(|input| match input.as_str() {
                STATE => STATE.to_owned(),
                input => format!("{instance}${input}"),
            });
            (made_of.entry(format!("{instance}${output}")).or_default()).extend(inputs);
        }
    }
    let is_input = |net: &String| module.ports.contains(net) && !driven.contains(net);
    let outputs = module.ports.iter().filter(|port| driven.contains(*port));
    let reaching = |output: &String| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![output.clone()]);
        while let Some(net) = open.pop() {
            for source in made_of.get(&net).into_iter().flatten() {
                if seen.insert(source.clone()) {
                    open.push(source.clone());
                }
            }
        }
        seen.retain(|net| net == STATE || is_input(net));
        seen.remove("clock");
        (output.clone(), seen)
    };
    outputs.map(reaching).collect()
}

/// The same of Verilog by hand: a register or a memory, and what reads it. What a rising edge assigns is state.
fn by_hand(text: &str) -> Sources {
    let mut made_of = Sources::new();
    for line in text.lines() {
        if let Some((target, _)) = line.split_once("<=") {
            // `q <= d`, or a word of a memory.
            if let Some(target) = names(&without_brackets(target)).last() {
                (made_of.entry(target.to_owned()).or_default()).insert(STATE.to_owned());
            }
        } else if let Some((target, value)) = line.split_once('=') {
            let target = without_brackets(target.split('(').next().unwrap_or(target));
            if let Some(target) = names(&target).last() {
                (made_of.entry(target.to_owned()).or_default())
                    .extend(names(value).map(String::from));
            }
        }
    }
    // Without an edge a condition selects what is assigned.
    if !text.contains("posedge") {
        let conditions = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("if ("));
        let conditions: Vec<_> = conditions.flat_map(names).map(String::from).collect();
        for sources in made_of.values_mut() {
            sources.extend(conditions.iter().cloned());
        }
    }
    made_of
}

/// Neither an index nor bounds are what is assigned.
fn without_brackets(target: &str) -> String {
    let parts = target.split('[').enumerate();
    let outside = parts.map(|(at, part)| match at {
        0 => part,
        _ => part.split_once(']').map_or("", |(_, after)| after),
    });
    outside.collect()
}

fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::catalog;

    fn of(name: &str) -> BTreeMap<String, Reached> {
        let entries = catalog();
        let entry = entries.iter().find(|entry| entry.name == name);
        let entry = entry.unwrap_or_else(|| panic!("{name} is in the catalog"));
        same_cycle(&*entry.block(), &entry.name)
    }

    #[test]
    fn by_hand_an_index_and_bounds_are_no_target_and_a_condition_selects() {
        let made_of = by_hand(
            "always @(*) begin\n    for (w = 0; w < 4; w = w + 1) begin\n        y[w] = a[w];\n        \
             if (!b[w]) begin\n            y[w] = c;\n        end\n    end\nend\n",
        );
        for source in ["a", "b", "c"] {
            assert!(made_of["y"].contains(source), "{source}");
        }
        let made_of =
            by_hand("wire [5:0] word = rows[at];\nalways @(posedge clock) rows[at] <= d;\n");
        assert!(made_of["word"].contains("rows") && made_of["rows"].contains(STATE));
        assert!(!made_of["rows"].contains("d"));
    }

    #[test]
    fn a_grant_answers_its_request_and_the_state() {
        let paths = of("srp_allocator_w48");
        let grant = &paths["a_grant"];
        assert!(grant.state && grant.inputs.contains("a_valid"));
        // What the allocator starts with is stored, and only the edge reads it.
        assert!(!grant.inputs.contains("section_count"));
    }

    #[test]
    fn a_register_ends_a_path_also_in_a_child() {
        let paths = of("power_gate_l3");
        assert!(
            paths
                .values()
                .all(|reached| reached.inputs.is_empty() && reached.state)
        );
    }

    /// Its two ports select with the same local nets, one after the other.
    #[test]
    fn a_net_that_two_ports_use_in_turn_joins_no_paths() {
        let paths = of("release_flag_cache_e10");
        assert!(paths["a_hit"].inputs.contains("a_pc") && paths["a_hit"].state);
        assert!(!paths["a_hit"].inputs.contains("b_pc"));
        assert!(!paths["b_hit"].inputs.contains("a_pc"));
        assert!(paths["b_flags"].inputs.contains("b_slot"));
    }

    #[test]
    fn a_memory_that_is_read_at_once_does_not() {
        let paths = of("register_stack_w8_p64_s7");
        assert!(paths["a_rfp"].inputs.contains("a_warp") && paths["a_rfp"].state);
    }

    /// In the blocks of this project a pin that is an address also guards its answer: what the memory alone adds shows here.
    #[test]
    fn a_memory_by_hand_is_read_by_its_address_and_written_at_the_edge() {
        let made_of = by_hand(
            "wire [2:0] read = rows[address];\nalways @(*) begin\n    word = read;\nend\n\
             always @(posedge clock) begin\n    if (write) rows[to] <= data;\n    q <= d;\nend\n",
        );
        let names = |of: &str| Vec::from_iter(made_of[of].iter().map(String::as_str));
        assert_eq!(names("read"), ["address", "rows"]);
        assert_eq!(names("word"), ["read"]);
        assert_eq!([names("rows"), names("q")], [[STATE]; 2]);
    }

    #[test]
    fn what_idles_is_reached_by_nothing() {
        let paths = of("register_manager_cars_w48_p1024");
        assert_eq!(paths["powered"], Reached::default());
        assert!(paths["a_y0"].inputs.contains("a_x0"));
    }
}
