//! The port table of a unit, with the words of the Rust source.

use super::page::{behaviour, unread};
use crate::catalog::{Entry, catalog};
use crate::cost::Cost;
use crate::lint::same_cycle::{Reached, same_cycle};
use crate::proof::{Proof, proofs};
use crate::recording::Recording;
use crate::runs::{Origin, Run, run_vectors_name};
use regshare_hw::clocked::PinDef;
use std::fmt::Write;

/// The documentation of field `pin` in the source text of a unit's pins.
///
/// Of two structs with the same field the first counts; inputs come before outputs and share no names.
#[must_use]
pub fn port_meaning(source: &str, pin: &str) -> String {
    let mut doc = Vec::new();
    for line in source.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("///") {
            doc.push(words.trim());
        } else if line
            .split_once(':')
            .is_some_and(|(name, rest)| name == pin && rest.contains('='))
        {
            return doc.join(" ");
        } else {
            doc.clear();
        }
    }
    String::new()
}

/// The page of a module; `inside` are the modules of the catalog among its children.
pub(super) fn readme(
    entry: &Entry,
    recording: &Recording,
    run: Option<&Run>,
    cost: Option<&Cost>,
    inside: &[(String, String)],
) -> String {
    let name = &entry.name;
    let about: Vec<_> = (proofs().into_iter())
        .filter(|proof| proof.is_needed_for(entry))
        .collect();
    let mut text = format!(
        "# {name}\n\n{} Generated from `{}`, beside the unit's own page; do not edit.\n\n## Parameters\n\n| name | value |\n|---|---|\n",
        entry.summary, entry.rtl_source.0,
    );
    for param in &entry.params {
        let _ = writeln!(text, "| {} | {} |", param.name, param.value);
    }
    text.push_str("\n## Ports\n\n| port | direction | bits | meaning |\n|---|---|---|---|\n");
    if entry.is_clocked() {
        text.push_str("| `clock` | in | 1 | State changes at the rising edge. |\n");
    }
    let mut port = |pin: &PinDef, direction: &str| {
        let meaning = port_meaning(entry.pins_source, pin.name).replace('|', "\\|");
        let _ = writeln!(
            text,
            "| `{}` | {direction} | {} | {meaning} |",
            pin.name, pin.width_bits
        );
    };
    entry.inputs.iter().for_each(|pin| port(pin, "in"));
    entry.outputs.iter().for_each(|pin| port(pin, "out"));
    let unread = unread(entry);
    if !unread.is_empty() {
        let _ = writeln!(text, "\nThis system does not read {}.", quoted(&unread));
    }
    let _ = write!(
        text,
        "\n## Latency and reset\n\n{}\n\n{}\n\n## Timing\n\nFrom the vectors; a row without a rising edge is a look-up.\n\n\
         ![timing diagram]({name}_timing.svg)\n\n## Schematic\n\nRegisters orange, child modules blue; a line runs \
         from each to all that it feeds through logic.\n\n![schematic]({name}_schematic.svg)\n",
        latency(entry),
        reset(entry),
    );
    let _ = writeln!(
        text,
        "\n## What it does\n\nThe words of the unit's own page. Numbers are those of the size that the page takes as its \
         example; the tables above have those of this module.\n\n{}",
        behaviour(entry)
    );
    let _ = write!(
        text,
        "\n## Cost\n\n{} state bits by the formula.",
        entry.state_bits
    );
    if entry.memory_bits > 0 {
        let _ = write!(
            text,
            " {} of them are in memories and stay there when Yosys counts.",
            entry.memory_bits
        );
    }
    if let Some(cost) = cost {
        let _ = write!(
            text,
            " Yosys {} counts {} flip-flops; flattened and mapped to gates, {} cells on a longest path of {}; \
             mapped to 4-input tables, {} on a longest path of {}.",
            cost.yosys, cost.flip_flops, cost.gates, cost.gate_depth, cost.lut4, cost.lut4_depth,
        );
    }
    let _ = write!(text, "\n\n## Recorded in a run\n\n{}", recorded(run));
    let _ = write!(
        text,
        "\n\n## Proved\n\nBy `make prove`, of this module in this size, for runs of any length{}:\n\n{}\n{}\n\
         ## Files\n\n\
         | file | what |\n|---|---|\n\
         | `{name}.v` | the module and its children; no other files needed |\n\
         | `{name}.f` | file list |\n\
         | `{name}_tb.v` | self-checking bench, Verilog-2005 |\n\
         | `{name}_vectors.txt` | {} rows for it: edge flag, inputs, expected outputs, from the Rust model |\n{}\
         | `{name}_timing.svg`, `{name}_schematic.svg` | the pictures on this page |\n\
         | `Makefile` | `lint`, `sim` (Icarus), `sim-verilator`, `synth` (Yosys), `prove` (Yosys, ABC, CaDiCaL) |\n\
         | `{name}.core` | FuseSoC: `fusesoc --cores-root . run --target=sim {name}`, `--target=lint` |\n\
         | `Bender.yml` | Bender manifest |\n\
         | `{name}.sdc` | timing constraints with a placeholder for the period |\n\
         | `*_properties.sv` | what `make prove` proves |\n",
        if about.iter().any(|proof| proof.unit.is_none()) {
            "; lemmas are of numbers, in any size"
        } else {
            ""
        },
        theorems(&about),
        theorems_of(inside),
        recording.rows.len(),
        run.map_or_else(String::new, |run| rows_of_run(name, run)),
    );
    if about.iter().any(|proof| proof.arrays) {
        text.push_str("| `array.v` | what a memory is to `make prove` |\n");
    }
    if cost.is_some() {
        text.push_str("| `cost.json` | the figures above, and the SHA-256 of the Verilog that they are of |\n");
    }
    text
}

/// The line of the rows of a run among the files.
fn rows_of_run(name: &str, run: &Run) -> String {
    format!(
        "| `{}` | {} rows recorded while `{}` ran, for the same bench; the other file has directed and pseudo-random ones |\n",
        run_vectors_name(name),
        run.rows(),
        run.origin.kernel,
    )
}

/// What the rows of a run were recorded of, or why there are none.
fn recorded(run: Option<&Run>) -> String {
    let Some(run) = run else {
        return "No run drives this module: the register hardware of the SM model has it in other sizes, or does without. Its \
             vectors are directed and pseudo-random."
            .to_owned();
    };
    let Origin {
        kernel,
        scheme,
        machine,
        source,
    } = &run.origin;
    format!(
        "The bundled kernel `{kernel}` ran under `{scheme}` on `{machine}` in the SM model. The {} rows, from power-on, are {source}. A look-up that is as the row before is left out.",
        run.rows()
    )
}

/// What is claimed, and what is meant to fail.
fn theorems(proofs: &[Proof]) -> String {
    let line = |proof: &Proof| {
        let Proof { name, claims, .. } = proof;
        let lemma = if proof.unit.is_none() { " (lemma)" } else { "" };
        format!("- `{name}`{lemma}: {claims}")
    };
    proofs.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Where what its units do is proved.
fn theorems_of(inside: &[(String, String)]) -> String {
    if inside.is_empty() {
        return String::new();
    }
    let mut text =
        "\nWhat its units do is proved of them, in the folders of these modules, which stand in this one as they are:\n\n"
            .to_owned();
    let entries = catalog();
    for (field, name) in inside {
        let unit = entries.iter().find(|entry| entry.name == *name);
        let is_about = |proof: &Proof| unit.is_some_and(|unit| proof.is_about(unit));
        let about = proofs().into_iter().filter(is_about);
        let names: Vec<_> = about.map(|proof| proof.name).collect();
        let _ = writeln!(text, "- `{field}` is `{name}`: {}", quoted(&names));
    }
    text
}

/// Which outputs answer which inputs in the same cycle, and which come from state alone.
fn latency(entry: &Entry) -> String {
    if !entry.is_clocked() {
        return "No clock and no state: every output answers the inputs as they are.".to_owned();
    }
    let paths = same_cycle(&*entry.block(), &entry.name);
    let names = |wanted: &dyn Fn(&Reached) -> bool| -> Vec<&str> {
        let is_wanted = |pin: &&PinDef| paths.get(pin.name).is_some_and(wanted);
        (entry.outputs.iter().filter(is_wanted))
            .map(|pin| pin.name)
            .collect()
    };
    // Outputs that answer the same inputs stand together, in the order of the first of each.
    let mut groups: Vec<(Vec<&str>, Vec<&str>)> = Vec::new();
    for output in names(&|reached| !reached.inputs.is_empty()) {
        let is_read = |pin: &&PinDef| paths[output].inputs.contains(pin.name);
        let inputs: Vec<_> = (entry.inputs.iter().filter(is_read))
            .map(|pin| pin.name)
            .collect();
        match groups.iter_mut().find(|(_, read)| *read == inputs) {
            Some((outputs, _)) => outputs.push(output),
            None => groups.push((vec![output], inputs)),
        }
    }
    let mut lines = Vec::new();
    if !groups.is_empty() {
        lines.push(
            "Answer in the same cycle (latency 0), in the state before its edge, the inputs named behind them; what any other \
             input said has come through that state, from an edge before:\n"
                .to_owned(),
        );
    }
    for (outputs, inputs) in &groups {
        lines.push(format!("- {}: {}.", quoted(outputs), quoted(inputs)));
    }
    let state = names(&|reached| reached.inputs.is_empty() && reached.state);
    let idle = names(&|reached| *reached == Reached::default());
    let kinds = [
        (
            "Come from state alone, so that what a rising edge takes in shows in the next cycle (latency 1)",
            state,
        ),
        ("Never change", idle),
    ];
    for (what, outputs) in kinds {
        if !outputs.is_empty() {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.push(format!("{what}: {}.", quoted(&outputs)));
        }
    }
    lines.join("\n")
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// How the state begins.
fn reset(entry: &Entry) -> String {
    if entry.state_bits == 0 {
        return "No state, so nothing to reset.".to_owned();
    }
    let mut text =
        "No reset pin: registers and memories have power-on values, in `initial` blocks."
            .to_owned();
    if entry.inputs.iter().any(|pin| pin.name == "clear") {
        let meaning = port_meaning(entry.pins_source, "clear");
        let _ = write!(
            text,
            " `clear` is synchronous and takes one cycle. {meaning}"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page of a folder is read without the source.
    #[test]
    fn every_port_has_a_meaning_that_needs_no_source() {
        for entry in catalog() {
            for pin in entry.inputs.iter().chain(&entry.outputs) {
                let meaning = port_meaning(entry.pins_source, pin.name);
                assert!(
                    !meaning.is_empty() && !meaning.contains("[`"),
                    "{} {}: {meaning}",
                    entry.name,
                    pin.name
                );
            }
        }
    }

    #[test]
    fn an_answer_that_comes_a_cycle_later_names_only_what_it_reads_then() {
        let entries = catalog();
        let entry = entries
            .iter()
            .find(|entry| entry.name == "rename_table_w48_r63_p1024_h0");
        let text = latency(entry.expect("in the catalog"));
        assert!(
            text.contains("\n- `y0`, `y0_valid`, `y1`, `y1_valid`, `y2`, `y2_valid`: `exempt`.\n"),
            "{text}"
        );
        assert!(text.ends_with("(latency 1): `busy`."), "{text}");
    }

    #[test]
    fn meaning_of_a_port_is_its_documentation_in_the_source() {
        let source = "/// One.\n/// Two.\nclear: bool = 1,\n/// Other.\nwarp: u8 = bits_for(NW),";
        assert_eq!(port_meaning(source, "clear"), "One. Two.");
        assert_eq!(port_meaning(source, "warp"), "Other.");
        assert_eq!(port_meaning(source, "absent"), "");
    }
}
