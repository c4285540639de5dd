//! Every exported module inside Rust, as Verilator compiles it, in lockstep with its model.

#[path = "../gen/tests/common/mod.rs"]
mod common;

use rayon::prelude::*;
use regshare_gen::catalog::{Entry, catalog};
use regshare_gen::lint::same_cycle::same_cycle;
use regshare_gen::recording::Recording;
use regshare_hw::verilog::{Module, VerilogError};
use std::io::Write;

/// Cases per module, as its property tests draw them.
const CASES: usize = 12;

fn module(entry: &Entry) -> Result<Module, VerilogError> {
    Module::new(&entry.name, &entry.inputs, &entry.outputs)
}

/// Whether the Verilog is linked in; if not, says aloud that `what` is left out.
fn linked(what: &str) -> bool {
    if module(&catalog()[0]).err() == Some(VerilogError::NotBuilt) {
        let required = std::env::var_os("REGSHARE_REQUIRE_TOOLS").is_some_and(|value| value == "1");
        assert!(!required, "built without the feature `verilog`");
        let _ = writeln!(
            std::io::stderr(),
            "left out: {what} (needs `--features verilog`)"
        );
        return false;
    }
    true
}

#[test]
fn every_module_answers_as_its_model() {
    if !linked("the exported Verilog inside Rust") {
        return;
    }
    catalog().par_iter().for_each(|entry| {
        let (mut rows, mut out) = (0, vec![0; entry.outputs.len()]);
        for (case, recording) in entry.property_cases(7, CASES).iter().enumerate() {
            let mut module = module(entry).unwrap_or_else(|error| panic!("{error}"));
            for (at, row) in recording.rows.iter().enumerate() {
                module.step(&row.inputs, &mut out, row.edge);
                assert_eq!(out, row.outputs, "{}: case {case}, row {at}", entry.name);
                rows += 1;
            }
        }
        assert!(rows >= CASES, "{}: {rows} rows", entry.name);
    });
}

/// The committed vectors are those of the benches, which the tests of the kits run under Icarus, and under Verilator where that does not
/// take long to compile.
#[test]
fn the_vectors_of_every_module_pass_and_one_wrong_bit_is_noticed() {
    if !linked("the vectors of the exported Verilog under Verilator") {
        return;
    }
    catalog().par_iter().for_each(|entry| {
        let wrong_row = |recording: &Recording| {
            common::first_wrong_row(entry, recording).unwrap_or_else(|error| panic!("{error}"))
        };
        let recording = entry.recording();
        assert_eq!(wrong_row(&recording), None, "{}", entry.name);
        let middle = recording.rows.len() / 2;
        assert_eq!(
            wrong_row(&recording.corrupted(middle)),
            Some(middle),
            "{}",
            entry.name
        );
    });
}

/// The pages of the modules say which outputs answer in the same cycle: here, each output is asked with other values on all
/// inputs that do not reach it.
#[test]
fn no_input_reaches_an_output_in_the_same_cycle_but_those_that_the_structure_says() {
    if !linked("the latency of the exported Verilog") {
        return;
    }
    catalog().par_iter().for_each(|entry| {
        let paths = same_cycle(&*entry.block(), &entry.name);
        let reach = |output: &str| -> Vec<bool> {
            let inputs = &paths[output].inputs;
            (entry.inputs.iter())
                .map(|pin| inputs.contains(pin.name))
                .collect()
        };
        let reached: Vec<_> = entry.outputs.iter().map(|pin| reach(pin.name)).collect();
        let (mut one, mut other) = (vec![0; reached.len()], vec![0; reached.len()]);
        for recording in entry.property_cases(11, CASES / 2) {
            let mut module = module(entry).unwrap_or_else(|error| panic!("{error}"));
            let pairs = recording.rows.iter().zip(&recording.rows[1..]);
            for (at, (row, next)) in pairs.enumerate() {
                module.step(&row.inputs, &mut one, false);
                // Every third row is enough, and does not take long.
                let asked = if at % 3 == 0 { reached.as_slice() } else { &[] };
                for (output, reached) in asked.iter().enumerate() {
                    let values = row.inputs.iter().zip(&next.inputs).zip(reached);
                    let mixed: Vec<u64> = values
                        .map(|((own, next), reached)| if *reached { *own } else { *next })
                        .collect();
                    module.step(&mixed, &mut other, false);
                    let name = entry.outputs[output].name;
                    assert_eq!(one[output], other[output], "{}: {name}", entry.name);
                }
                module.step(&row.inputs, &mut one, true);
            }
        }
    });
}
