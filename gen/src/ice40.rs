//! What a unit costs on an FPGA that open tools map to, a Lattice iCE40 HX8K: tables, memories, and the clock that place
//! and route reaches.
//!
//! Tables, flip-flops and memories are those of the unit itself (`synth_ice40`). For the clock it stands between
//! registers ([`between_registers`]), as in a pipeline, so that the paths from its inputs and to its outputs count, and
//! units without a clock of their own have one, too.

use crate::catalog::Entry;
use crate::cost::cells;
use crate::tools::{Tool, ToolError, write};
use regshare_hw::clocked::PinDef;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::Path;

/// Programs that [`measure`] needs.
pub const TOOLS: &[Tool] = &[Tool::Yosys, Tool::Nextpnr];

/// Figures of one unit on an iCE40 HX8K.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ice40 {
    /// Version of nextpnr that placed and routed.
    pub nextpnr: String,
    /// Tables with four inputs (`SB_LUT4`).
    pub luts: usize,
    /// Flip-flops of one bit.
    pub flip_flops: usize,
    /// Memories of 4 Kibit.
    pub block_rams: usize,
    /// Highest clock between registers, MHz, by nextpnr's timing model with seed 1; none if the unit does not fit.
    pub clock_mhz: Option<f64>,
}

/// Maps the unit, whose Verilog this is, in folder `dir`, where its files are put.
///
/// # Errors
/// [`ToolError`] if Yosys or nextpnr is not installed, or Yosys refuses the Verilog.
pub fn measure(dir: &Path, entry: &Entry, verilog: &str) -> Result<Ice40, ToolError> {
    let name = &entry.name;
    let wrapped = between_registers(name, &entry.inputs, &entry.outputs, entry.is_clocked());
    write(&dir.join(format!("{name}.v")), verilog)?;
    write(&dir.join(format!("{name}_registers.v")), &wrapped)?;
    let alone = format!("read_verilog {name}.v; synth_ice40 -top {name}; tee -o {name}.ice40 stat");
    Tool::Yosys.run(dir, ["-q", "-p", &alone], &[0])?;
    let between = format!(
        "read_verilog {name}.v {name}_registers.v; synth_ice40 -top registers -json {name}.json"
    );
    Tool::Yosys.run(dir, ["-q", "-p", &between], &[0])?;
    let (netlist, report) = (format!("{name}.json"), format!("{name}.report"));
    let args = [
        "--hx8k",
        "--package",
        "ct256",
        "--json",
        &netlist,
        "--report",
        &report,
        "--seed",
        "1",
        "--freq",
        "100",
        "--timing-allow-fail",
        "--quiet",
    ];
    // What does not fit is an error of nextpnr; its exit code tells no more.
    let routed = Tool::Nextpnr.run(dir, args, &[0, 1, 255])?;
    let clock_mhz = if routed.code == 0 {
        Some(slowest(&read(dir, &report)?))
    } else {
        None
    };
    let used = cells(&read(dir, &format!("{name}.ice40"))?);
    let count = |prefix: &str| {
        used.iter()
            .filter(|(cell, _)| cell.starts_with(prefix))
            .map(|(_, count)| count)
            .sum()
    };
    Ok(Ice40 {
        nextpnr: version()?,
        luts: count("SB_LUT4"),
        flip_flops: count("SB_DFF"),
        block_rams: count("SB_RAM40"),
        clock_mhz: clock_mhz.flatten(),
    })
}

fn read(dir: &Path, file: &str) -> Result<String, ToolError> {
    let path = dir.join(file);
    std::fs::read_to_string(&path).map_err(ToolError::io(format!("cannot read {}", path.display())))
}

/// Version of the installed nextpnr, such as `0.4-1+b1`.
///
/// # Errors
/// [`ToolError`] if it is not installed or does not run.
pub fn version() -> Result<String, ToolError> {
    let ran = Tool::Nextpnr.run(Path::new("."), ["--version"], &[0])?;
    let version = ran.log.split("(Version ").nth(1);
    let version = version.and_then(|rest| rest.split(')').next());
    Ok(version.unwrap_or("unknown").to_owned())
}

/// The lowest of the clocks in nextpnr's report, rounded to 0.1 MHz.
fn slowest(report: &str) -> Option<f64> {
    let report: serde_json::Value = serde_json::from_str(report).ok()?;
    let clocks = report.get("fmax")?.as_object()?.values();
    let lowest = clocks
        .filter_map(|clock| clock.get("achieved")?.as_f64())
        .min_by(f64::total_cmp)?;
    Some((lowest * 10.0).round() / 10.0)
}

/// A module `registers` around module `name` with three pins: its inputs come from a shift register, its outputs go to
/// registers, and those are shifted together into one pin. Nothing of the unit is unused, and no path but the unit's
/// own is longer than a table.
#[must_use]
pub fn between_registers(
    name: &str,
    inputs: &[PinDef],
    outputs: &[PinDef],
    is_clocked: bool,
) -> String {
    let width = |pins: &[PinDef]| pins.iter().map(|pin| pin.width_bits).sum::<u32>().max(2);
    let (from, to) = (width(inputs), width(outputs));
    let mut ports = if is_clocked {
        vec!["        .clock(clock)".to_owned()]
    } else {
        Vec::new()
    };
    for (pins, bus) in [(inputs, "from"), (outputs, "to")] {
        let mut low = 0;
        for pin in pins {
            let (name, bits) = (pin.name, pin.width_bits);
            ports.push(format!("        .{name}({bus}[{low} +: {bits}])"));
            low += bits;
        }
    }
    let mut text = String::new();
    let _ = write!(
        text,
        "module registers (input wire clock, input wire shift_in, output wire shift_out);\n    \
         reg [{0}:0] from;\n    wire [{1}:0] to;\n    reg [{1}:0] taken, mixed;\n    \
         assign shift_out = mixed[{1}];\n    always @(posedge clock) begin\n        \
         from <= {{from[{2}:0], shift_in}};\n        taken <= to;\n        \
         mixed <= taken ^ {{mixed[{3}:0], 1'b0}};\n    end\n    {name} unit (\n{4}\n    );\nendmodule\n",
        from - 1,
        to - 1,
        from - 2,
        to - 2,
        ports.join(",\n"),
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_clock_of_a_report_counts() {
        let report = r#"{"fmax": {"a": {"achieved": 58.2920}, "b": {"achieved": 71.0}}}"#;
        assert_eq!(slowest(report), Some(58.3));
        assert_eq!(slowest("{}"), None);
    }

    #[test]
    fn each_pin_has_its_bits_of_the_shift_registers() {
        let pin = |name, width_bits| PinDef { name, width_bits };
        let text = between_registers("m", &[pin("a", 1), pin("b", 6)], &[pin("y", 3)], true);
        for part in [
            "reg [6:0] from;",
            "wire [2:0] to;",
            ".clock(clock)",
            ".a(from[0 +: 1])",
            ".b(from[1 +: 6])",
            ".y(to[0 +: 3])",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
