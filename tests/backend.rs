//! Every exported module inside Rust, as Verilator compiles it, in lockstep with its model.

use rayon::prelude::*;
use regshare_gen::catalog::{Entry, catalog};
use regshare_gen::lint::same_cycle::same_cycle;
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

/// The pages of the modules say which outputs answer in the same cycle, and which come from state alone.
#[test]
fn no_input_reaches_an_output_in_the_same_cycle_but_those_that_the_structure_says() {
    if !linked("the latency of the exported Verilog") {
        return;
    }
    catalog().par_iter().for_each(|entry| {
        let paths = same_cycle(&*entry.block(), &entry.name);
        let answers: Vec<bool> = (entry.outputs.iter())
            .map(|pin| !paths[pin.name].inputs.is_empty())
            .collect();
        let (mut one, mut other) = (vec![0; answers.len()], vec![0; answers.len()]);
        let mut changed = vec![false; answers.len()];
        for recording in entry.property_cases(11, CASES) {
            let mut module = module(entry).unwrap_or_else(|error| panic!("{error}"));
            for (row, next) in recording.rows.iter().zip(&recording.rows[1..]) {
                module.step(&row.inputs, &mut one, false);
                module.step(&next.inputs, &mut other, false);
                for (at, changed) in changed.iter_mut().enumerate() {
                    *changed |= one[at] != other[at];
                }
                module.step(&row.inputs, &mut one, true);
            }
        }
        for ((pin, answers), changed) in entry.outputs.iter().zip(answers).zip(changed) {
            assert!(answers || !changed, "{}: {}", entry.name, pin.name);
        }
    });
}
