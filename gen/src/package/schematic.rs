//! A block diagram of a unit as SVG: registers and parts of its top module, and which feeds which.

use crate::catalog::Entry;
use crate::lint::dataflow::{Dataflow, dataflow};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Sizes in pixels.
const NODE_WIDTH: usize = 170;
const NODE_HEIGHT: usize = 34;
const GAP: usize = 18;
const PORT_PITCH: usize = 22;
const PORT_WIDTH: usize = 130;
/// Room for wires on each side of the nodes.
const CHANNEL: usize = 180;
/// Between wires that run side by side.
const PITCH: usize = 4;
/// One colour per source, over and over.
const COLOURS: [&str; 8] = [
    "#1d3557", "#b5179e", "#2a9d8f", "#e76f51", "#6a4c93", "#8a817c", "#bc6c25", "#4361ee",
];

/// Draws the top module of an entry: inputs left, outputs right, registers and child blocks between them, and a line
/// from each to everything that it feeds through logic.
pub(super) fn schematic(entry: &Entry) -> String {
    let block = entry.block();
    let flow = dataflow(&*block, &entry.name);
    Drawing::of(entry, &flow).svg(&entry.name, &flow)
}

/// Where things are.
struct Drawing {
    width: usize,
    height: usize,
    /// Left end (outputs of inputs: right end) and middle height of a port, or of a node's box.
    at: BTreeMap<String, (usize, usize)>,
    ports: Vec<(String, usize, bool)>,
}

impl Drawing {
    fn of(entry: &Entry, flow: &Dataflow) -> Drawing {
        let inputs: Vec<_> = (entry.inputs.iter())
            .map(|pin| (pin.name.to_owned(), pin.width_bits as usize))
            .collect();
        let outputs: Vec<_> = (entry.outputs.iter())
            .map(|pin| (pin.name.to_owned(), pin.width_bits as usize))
            .collect();
        let tall = |count: usize, pitch: usize| count * pitch;
        // Wires that pass above all nodes need room.
        let band = 16 + PITCH * flow.edges.len();
        let height = band
            + 20
            + tall(inputs.len().max(outputs.len()), PORT_PITCH)
                .max(tall(flow.nodes.len(), NODE_HEIGHT + GAP));
        let node_left = PORT_WIDTH + CHANNEL;
        let right = node_left + NODE_WIDTH + CHANNEL;
        let mut at = BTreeMap::new();
        let mut ports = Vec::new();
        let spread = |count: usize, pitch: usize, index: usize| {
            band + (height - band - 20 - tall(count, pitch)) / 2 + pitch * index + pitch / 2
        };
        for (index, (name, width)) in inputs.iter().enumerate() {
            at.insert(
                name.clone(),
                (PORT_WIDTH, spread(inputs.len(), PORT_PITCH, index)),
            );
            ports.push((name.clone(), *width, true));
        }
        for (index, (name, width)) in outputs.iter().enumerate() {
            at.insert(
                name.clone(),
                (right, spread(outputs.len(), PORT_PITCH, index)),
            );
            ports.push((name.clone(), *width, false));
        }
        for (index, node) in flow.nodes.iter().enumerate() {
            let y = spread(flow.nodes.len(), NODE_HEIGHT + GAP, index);
            at.insert(node.name.clone(), (node_left, y));
        }
        Drawing {
            width: right + PORT_WIDTH,
            height,
            at,
            ports,
        }
    }

    fn svg(&self, name: &str, flow: &Dataflow) -> String {
        let Drawing { width, height, .. } = *self;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"monospace\" font-size=\"11\">\n\
             <title>{name}: registers, parts and what feeds what</title>\n\
             <style>path{{fill:none;stroke-opacity:.6}}.box{{fill:#f4f7fb;stroke:#1d3557}}\
             .reg{{fill:#fff3e0;stroke:#bc6c25}}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        self.wires(&mut svg, flow);
        for (name, bits, input) in &self.ports {
            let (x, y) = self.at[name];
            let (anchor, x) = if *input {
                ("end", x - 4)
            } else {
                ("start", x + 4)
            };
            let bus = if *bits > 1 {
                format!("[{}:0]", bits - 1)
            } else {
                String::new()
            };
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{}\" text-anchor=\"{anchor}\">{name}{bus}</text>",
                y + 4
            );
        }
        for node in &flow.nodes {
            let (x, y) = self.at[&node.name];
            let class = if node.register { "reg" } else { "box" };
            let top = y - NODE_HEIGHT / 2;
            let _ = writeln!(
                svg,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{top}\" width=\"{NODE_WIDTH}\" height=\"{NODE_HEIGHT}\" \
                 rx=\"3\"/><text x=\"{0}\" y=\"{1}\" text-anchor=\"middle\">{2}</text>\
                 <text x=\"{0}\" y=\"{3}\" text-anchor=\"middle\" fill=\"#666\">{4}</text>",
                x + NODE_WIDTH / 2,
                y - 2,
                node.name,
                y + 11,
                node.what,
            );
        }
        svg + "</svg>\n"
    }

    /// Each source has a vertical lane in both channels; an input that feeds an output passes above all nodes.
    fn wires(&self, svg: &mut String, flow: &Dataflow) {
        let node_left = PORT_WIDTH + CHANNEL;
        let node_right = node_left + NODE_WIDTH;
        let outputs_left = self.width - PORT_WIDTH;
        for (number, (source, sinks)) in flow.edges.iter().enumerate() {
            let (x, y) = self.at[source];
            let is_input = x == PORT_WIDTH;
            let lane = 12 + number * (CHANNEL - 24) / flow.edges.len();
            let colour = COLOURS[number % COLOURS.len()];
            for sink in sinks {
                let (to, sink_y) = self.at[sink];
                let to_output = to == outputs_left;
                // Wires reach a node's box at different heights.
                let end = if to_output {
                    sink_y
                } else {
                    sink_y + 4 * (number % 7) - 12
                };
                let (left, right) = (PORT_WIDTH + lane, node_right + lane);
                let path = match (is_input, to_output) {
                    (true, true) => {
                        let above = 8 + PITCH * number;
                        format!("M{x} {y}H{left}V{above}H{right}V{end}H{to}")
                    }
                    (true, false) => format!("M{x} {y}H{left}V{end}H{to}"),
                    (false, true) => format!("M{node_right} {y}H{right}V{end}H{to}"),
                    (false, false) => {
                        let over = y - NODE_HEIGHT / 2 - 3 - 2 * (number % 5);
                        format!("M{node_right} {y}h6V{over}H{left}V{end}H{to}")
                    }
                };
                let _ = writeln!(svg, "<path stroke=\"{colour}\" d=\"{path}\"/>");
            }
        }
    }
}
