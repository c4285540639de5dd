//! Self-checking test benches in plain Verilog-2005, for Icarus and Verilator alike.

use crate::recording::Recording;
use regshare_hw::clocked::PinDef;
use std::fmt::Write;

/// Name of the file of vectors that the bench of module `name` reads unless its parameter `VECTORS` says otherwise.
#[must_use]
pub fn vectors_name(name: &str) -> String {
    format!("{name}_vectors.txt")
}

fn range(pin: &PinDef) -> String {
    if pin.width_bits == 1 {
        String::new()
    } else {
        format!(" [{}:0]", pin.width_bits - 1)
    }
}

/// A bench for module `name` that drives the inputs of each row, compares all outputs (`!==`, so that X is an error),
/// and raises the clock where the row says so. It prints one line that begins with PASS or FAIL.
///
/// Only the pins of `recording` matter; the rows come from the file.
#[must_use]
pub fn bench(name: &str, clocked: bool, recording: &Recording) -> String {
    let Recording {
        inputs, outputs, ..
    } = recording;
    let mut text = format!(
        "// Self-checking bench of {name}. Generated; do not edit. Reads a line per row: edge flag, inputs,\n\
         // expected outputs, hexadecimal, in port order; from the file VECTORS.\n`timescale 1ns / 1ps\n\n\
         module {name}_tb #(parameter VECTORS = \"{file}\");\n",
        file = vectors_name(name),
    );
    let mut line = |words: String| {
        let _ = writeln!(text, "{words}");
    };
    if clocked {
        line("    reg clock;".into());
    }
    for pin in inputs {
        line(format!(
            "    reg{0} {1};\n    reg{0} {1}_field;",
            range(pin),
            pin.name
        ));
    }
    for pin in outputs {
        line(format!("    wire{} {};", range(pin), pin.name));
        line(format!(
            "    reg{0} {1}_expected;\n    reg{0} {1}_expected_field;",
            range(pin),
            pin.name
        ));
    }
    line("    reg at_edge;\n    reg at_edge_field;\n    reg more;\n    reg start;\n    reg strobe;\n    reg finish;\n    integer file;\n    integer fields;\n    integer row;".into());
    line("    integer errors;\n".into());
    let clock = clocked.then_some("clock");
    let ports = clock
        .into_iter()
        .chain(inputs.iter().chain(outputs).map(|pin| pin.name));
    let ports: Vec<_> = ports
        .map(|port| format!("        .{port}({port})"))
        .collect();
    line(format!("    {name} uut (\n{}\n    );\n", ports.join(",\n")));

    compare(name, outputs, &mut line);
    drive(clocked, inputs, outputs, &mut line);
    text
}

/// Comparing, counting and judging happen in processes of their own, woken by strobes: Verilator 5.006 takes a variable
/// that an `initial` block sets and a later process changes to be still what it was when the `initial` block, after a
/// delay, looks at it, and would pass whatever is wrong.
fn compare(name: &str, outputs: &[PinDef], line: &mut impl FnMut(String)) {
    let differs: Vec<_> = outputs
        .iter()
        .map(|pin| format!("({0} !== {0}_expected)", pin.name))
        .collect();
    line(format!(
        "    wire wrong = {};\n",
        differs.join("\n        || ")
    ));
    line("    always @(posedge start) errors = 0;\n".into());
    line("    always @(posedge strobe) begin\n        if (wrong) errors = errors + 1;".into());
    line("        if (wrong && errors <= 10) begin".into());
    for PinDef { name: pin, .. } in outputs {
        line(format!(
            "            if ({pin} !== {pin}_expected)\n                \
             $display(\"{name} row %0d: {pin} is %h, expected %h\", row, {pin}, {pin}_expected);"
        ));
    }
    line("        end\n    end\n".into());
    line(format!(
        "    always @(posedge finish) begin\n        \
         if (row > 0 && errors == 0) $display(\"PASS {name}: %0d rows\", row);\n        \
         else $display(\"FAIL {name}: %0d of %0d rows differ\", errors, row);\n    end\n"
    ));
}

/// Reads rows, drives the inputs, lets the other process compare, raises the clock.
fn drive(clocked: bool, inputs: &[PinDef], outputs: &[PinDef], line: &mut impl FnMut(String)) {
    let targets: Vec<_> = ["at_edge".to_owned()]
        .into_iter()
        .chain(inputs.iter().map(|pin| pin.name.to_owned()))
        .chain(outputs.iter().map(|pin| format!("{}_expected", pin.name)))
        .collect();
    line("    initial begin\n        row = 0;\n        start = 1'b0;\n        strobe = 1'b0;\n        finish = 1'b0;".into());
    if clocked {
        line("        clock = 1'b0;".into());
    }
    line("        file = $fopen(VECTORS, \"r\");\n        more = file != 0;\n        #1 start = 1'b1;\n        while (more) begin".into());
    let fields: Vec<_> = targets
        .iter()
        .map(|target| format!("{target}_field"))
        .collect();
    let formats = vec!["%h"; targets.len()].join(" ");
    line(format!(
        "            fields = $fscanf(file, \"{formats}\\n\",\n                {});",
        fields.join(",\n                ")
    ));
    line(format!(
        "            more = fields == {};\n            if (more) begin",
        targets.len()
    ));
    for target in &targets {
        line(format!("                {target} = {target}_field;"));
    }
    line("                #1 strobe = 1'b1;\n                #1 strobe = 1'b0;".into());
    if clocked {
        line("                if (at_edge) begin\n                    #1 clock = 1'b1;".into());
        line("                    #1 clock = 1'b0;\n                end".into());
    }
    line("                #1 row = row + 1;\n            end\n        end".into());
    line(
        "        if (file != 0) $fclose(file);\n        #1 finish = 1'b1;\n    end\nendmodule"
            .into(),
    );
}
