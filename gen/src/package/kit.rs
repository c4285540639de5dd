//! What other people's build tools need to take a unit: Makefile, FuseSoC core, Bender manifest, constraints.

use super::bench::vectors_name;
use crate::catalog::Entry;
use crate::cost::synthesis;
use crate::proof::{Recipe, proofs};
use crate::runs::{Run, run_vectors_name};
use std::path::PathBuf;

/// Files of the kit by name, without the Verilog and its bench.
pub(super) fn kit(entry: &Entry, run: Option<&Run>) -> Vec<(PathBuf, String)> {
    let name = &entry.name;
    let mut files = Vec::new();
    let mut prove = Vec::new();
    for proof in proofs().iter().filter(|proof| proof.is_needed_for(entry)) {
        // A lemma has no module; its sizes are its own.
        let subject = proof.is_about(entry).then_some(entry);
        let packed = Recipe::new(proof, subject, 1).packed();
        files.extend(packed.files);
        prove.extend(packed.lines);
    }
    files.push(("Makefile".into(), makefile(entry, run, &prove)));
    files.push((format!("{name}.core").into(), core(entry, run)));
    files.push(("Bender.yml".into(), bender(name)));
    files.push((format!("{name}.sdc").into(), constraints(entry)));
    files
}

/// The files of rows that the bench is to read, one after the other.
fn vectors(name: &str, run: Option<&Run>) -> Vec<String> {
    let of_run = run.map(|_| run_vectors_name(name));
    [vectors_name(name)].into_iter().chain(of_run).collect()
}

fn makefile(entry: &Entry, run: Option<&Run>, prove: &[String]) -> String {
    let name = &entry.name;
    let synth = synthesis("$(NAME)", entry.memory_bits > 0);
    let vectors = vectors("$(NAME)", run).join(" ");
    let recipe: String = prove.iter().map(|line| format!("\t{line}\n")).collect();
    format!(
        "\
# Generated; do not edit. Targets: lint, sim (Icarus), sim-verilator, synth (Yosys), prove, clean.
NAME := {name}
# Rows for the bench: each file is simulated, and must pass.
VECTORS := {vectors}

.PHONY: lint sim sim-verilator synth prove clean

lint:
\tverilator --lint-only -Wall --top-module $(NAME) -f $(NAME).f
\tiverilog -g2005 -Wall -t null -s $(NAME) -f $(NAME).f

sim:
\tfor rows in $(VECTORS); do \\
\t  iverilog -g2005 -s $(NAME)_tb -P $(NAME)_tb.VECTORS='\"'$$rows'\"' -o $(NAME)_tb.vvp $(NAME)_tb.v -f $(NAME).f || exit 1; \\
\t  vvp -n $(NAME)_tb.vvp | tee $(NAME)_tb.log; \\
\t  grep -q '^PASS' $(NAME)_tb.log || exit 1; \\
\tdone

sim-verilator:
\tfor rows in $(VECTORS); do \\
\t  verilator --binary --timing -Wno-fatal --top-module $(NAME)_tb -GVECTORS='\"'$$rows'\"' --Mdir obj $(NAME)_tb.v -f $(NAME).f || exit 1; \\
\t  ./obj/V$(NAME)_tb | tee $(NAME)_tb.log; \\
\t  grep -q '^PASS' $(NAME)_tb.log || exit 1; \\
\tdone

synth:
\tyosys -p 'read_verilog $(NAME).v; {synth}; stat; ltp -noff t:$$mem* %n'

# Unbounded, one step from any state; see the property files. Needs Yosys, ABC and CaDiCaL.
ABC ?= $(firstword $(foreach abc,berkeley-abc yosys-abc abc,$(shell command -v $(abc))))
prove:
{recipe}
clean:
\trm -rf obj $(NAME)_tb.vvp $(NAME)_tb.log property.aig property.map property.cnf property.log
"
    )
}

/// FuseSoC, CAPI 2. The rows are copied to where the simulation runs.
fn core(entry: &Entry, run: Option<&Run>) -> String {
    let (name, version) = (&entry.name, env!("CARGO_PKG_VERSION"));
    let copied = vectors(name, run)
        .into_iter()
        .map(|file| format!("      - {file}: {{file_type: user, copyto: {file}}}\n"));
    let copied: String = copied.collect();
    let (and_run, of_run) = match run {
        Some(_) => (
            " The target `sim_run` has the rows of a run of a kernel.",
            target_of_run(name),
        ),
        None => ("", String::new()),
    };
    let description = entry.summary.replace('\'', "''");
    format!(
        "\
CAPI=2:
# Generated; do not edit. `fusesoc --cores-root . run --target=sim {name}`; it fails unless the bench
# prints PASS.{and_run}
name: ::{name}:{version}
description: '{description}'

filesets:
  rtl:
    files: [{name}.v]
    file_type: verilogSource-2005
  bench:
    files:
      - {name}_tb.v: {{file_type: verilogSource-2005}}
{copied}
targets:
  default: &default
    filesets: [rtl]
    toplevel: {name}
  lint:
    <<: *default
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall]
  sim: &sim
    filesets: [rtl, bench]
    toplevel: {name}_tb
    hooks:
      post_run: ['tool_icarus? (passed)']
    default_tool: icarus
    tools:
      icarus:
        iverilog_options: [-g2005]
{of_run}
scripts:
  passed:
    cmd: [grep, -q, '^PASS', icarus.log]
"
    )
}

/// The bench once more, with the rows of a run.
fn target_of_run(name: &str) -> String {
    let file = run_vectors_name(name);
    format!(
        "  sim_run:
    <<: *sim
    parameters: [VECTORS={file}]

parameters:
  VECTORS:
    datatype: str
    paramtype: vlogparam
    description: The file of rows that the bench reads
"
    )
}

fn bender(name: &str) -> String {
    format!(
        "\
# Generated; do not edit.
package:
  name: {name}

sources:
  - {name}.v
  - target: test
    files:
      - {name}_tb.v
"
    )
}

/// A quarter of the cycle is left to what stands before the unit, another to what stands behind it.
fn constraints(entry: &Entry) -> String {
    let name = &entry.name;
    if entry.is_clocked() {
        format!(
            "\
# Generated; do not edit. Timing constraints of {name} as a block of its own.
# The period is a placeholder: set yours. A quarter of it goes to the logic before the inputs and behind the outputs.
set period 10.0 ;# ns, assumed
create_clock -name clock -period $period [get_ports clock]
set inputs [remove_from_collection [all_inputs] [get_ports clock]]
set_input_delay [expr {{$period / 4}}] -clock clock $inputs
set_output_delay [expr {{$period / 4}}] -clock clock [all_outputs]
"
        )
    } else {
        format!(
            "\
# Generated; do not edit. Timing constraints of {name}, which has no clock.
# The delay is a placeholder: set yours.
set delay 5.0 ;# ns, assumed
set_max_delay $delay -from [all_inputs] -to [all_outputs]
"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::catalog;

    #[test]
    fn make_proves_the_lemmas_that_a_theorem_rests_on() {
        for entry in catalog() {
            let files = kit(&entry, None);
            let makefile = files.iter().find(|(name, _)| name.ends_with("Makefile"));
            let (_, text) = makefile.expect("in every folder");
            let lemmas: Vec<_> = proofs()
                .into_iter()
                .filter(|proof| proof.unit.is_none())
                .collect();
            for lemma in &lemmas {
                let line = format!("as claimed: {}'", lemma.name);
                assert_eq!(
                    text.contains(&line),
                    lemma.under.contains(&entry.unit),
                    "{}: {line}",
                    entry.name
                );
            }
            // A folder has one file of a name.
            for (name, text) in &files {
                assert!(
                    files
                        .iter()
                        .all(|(other, words)| other != name || words == text),
                    "{}",
                    entry.name
                );
            }
        }
        let of = |unit| {
            proofs()
                .into_iter()
                .filter(move |proof| proof.under.contains(&unit))
                .count()
        };
        assert_eq!(
            [of("register_stack"), of("reg_map"), of("pair_lock")],
            [2, 1, 0]
        );
    }
}
