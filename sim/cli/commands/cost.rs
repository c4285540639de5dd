//! `regshare cost`: storage bits beside the paper's formulas, cells and depth as Yosys sees them, tables and clock on an
//! iCE40.

use super::verilog::selection;
use crate::args::CostArgs;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::report::table::{plain, right_align};
use crate::unfinished;
use rayon::prelude::*;
use regshare_gen::catalog::Entry;
use regshare_gen::cost::{CostTable, measure};
use regshare_gen::ice40::{self, Ice40};
use regshare_gen::package;
use regshare_gen::tools::Tool;
use serde::Serialize;
use std::path::Path;

/// One exported unit.
#[derive(Serialize)]
struct Row {
    module: String,
    unit: String,
    paper_bits: usize,
    why_more: Option<&'static str>,
    formula_bits: usize,
    /// Flip-flops and bits of memories, as Yosys counts them, and their sum.
    flip_flops: Option<usize>,
    memory_bits: Option<usize>,
    yosys_bits: Option<usize>,
    gates: Option<usize>,
    gate_depth: Option<usize>,
    lut4: Option<usize>,
    lut4_depth: Option<usize>,
    yosys: Option<String>,
    ice40: Option<Ice40>,
}

/// Prints the costs of every unit.
pub fn run(args: &CostArgs) -> Outcome {
    let entries = selection(&args.units, &args.parameters)?;
    let rows = rows(&entries)?;
    let json_on_stdout = args.json.as_deref() == Some(Path::new("-"));
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(&rows).map_err(Failure::run)? + "\n";
        if json_on_stdout {
            return output::print(&json);
        }
        output::write_file(path, json.as_bytes())?;
    }
    output::print(&table(&rows))
}

/// Measured here where Yosys is installed, else as committed with the Verilog; place and route only here, with nextpnr.
fn rows(entries: &[Entry]) -> Outcome<Vec<Row>> {
    let committed = CostTable::committed();
    let routes = ice40::TOOLS.iter().all(|tool| tool.find().is_some());
    let here = Tool::Yosys.find().is_some();
    let bar = output::progress(entries.len() as u64);
    let folder = unfinished::folder().map_err(Failure::run)?;
    let row = |entry: &Entry| {
        bar.set_message(entry.name.clone());
        let verilog = package::verilog(entry).map_err(Failure::run)?;
        let cost = if here {
            Some(
                measure(folder.path(), &entry.name, &verilog, entry.memory_bits > 0)
                    .map_err(Failure::run)?,
            )
        } else {
            committed.get(&entry.name).cloned()
        };
        let ice40 = if routes {
            Some(ice40::measure(folder.path(), entry, &verilog).map_err(Failure::run)?)
        } else {
            None
        };
        bar.inc(1);
        let cost = cost.as_ref();
        Ok(Row {
            module: entry.name.clone(),
            unit: entry.unit.to_owned(),
            paper_bits: entry
                .paper_bits
                .map_or(entry.state_bits, |paper| paper.bits),
            why_more: entry.paper_bits.map(|paper| paper.why),
            formula_bits: entry.state_bits,
            flip_flops: cost.map(|c| c.flip_flops),
            memory_bits: cost.map(|c| c.memory_bits),
            yosys_bits: cost.map(|c| c.flip_flops + c.memory_bits),
            gates: cost.map(|c| c.gates),
            gate_depth: cost.map(|c| c.gate_depth),
            lut4: cost.map(|c| c.lut4),
            lut4_depth: cost.map(|c| c.lut4_depth),
            yosys: cost.map(|c| c.yosys.clone()),
            ice40,
        })
    };
    let rows: Vec<Outcome<Row>> = entries.par_iter().map(row).collect();
    bar.finish_and_clear();
    rows.into_iter().collect()
}

fn table(rows: &[Row]) -> String {
    let mut table = plain(&[
        "module",
        "bits by paper",
        "bits by formula",
        "flip-flops",
        "memory bits",
        "gates",
        "gate depth",
        "4-input tables",
        "table depth",
        "iCE40 tables",
        "block RAMs",
        "clock, MHz",
    ]);
    let cell =
        |value: Option<usize>| value.map_or_else(|| "-".to_owned(), |value| value.to_string());
    for row in rows {
        let clock = row.ice40.as_ref().and_then(|fpga| fpga.clock_mhz);
        table.add_row([
            row.module.clone(),
            row.paper_bits.to_string(),
            row.formula_bits.to_string(),
            cell(row.flip_flops),
            cell(row.memory_bits),
            cell(row.gates),
            cell(row.gate_depth),
            cell(row.lut4),
            cell(row.lut4_depth),
            cell(row.ice40.as_ref().map(|fpga| fpga.luts)),
            cell(row.ice40.as_ref().map(|fpga| fpga.block_rams)),
            clock.map_or_else(|| "-".to_owned(), |clock| format!("{clock:.1}")),
        ]);
    }
    right_align(&mut table, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    let version = rows
        .iter()
        .find_map(|row| row.yosys.as_deref())
        .unwrap_or("not installed");
    let source = if Tool::Yosys.find().is_some() {
        "measured here"
    } else {
        "as committed; Yosys is not installed here"
    };
    let nextpnr = rows
        .iter()
        .find_map(|row| row.ice40.as_ref())
        .map_or("(not installed)", |fpga| fpga.nextpnr.as_str());
    format!(
        "{table}\n\n{}Bits by formula: from the parameters; the page of a unit says how.\n\
         Yosys {version} ({source}): flip-flops, bits of memories, generic gates without flip-flops and the longest path\n\
         through them, then the same as 4-input tables.\n\
         iCE40 HX8K: tables and block RAMs of the unit alone (synth_ice40); the clock that nextpnr {nextpnr} reaches with the\n\
         unit between registers, seed 1; - where it does not fit.\n",
        reasons(
            rows.iter()
                .filter_map(|row| Some((row.module.as_str(), row.why_more?)))
        )
    )
}

/// Why modules have more bits than the paper counts; nothing if none has.
fn reasons<'a>(more: impl Iterator<Item = (&'a str, &'static str)>) -> String {
    let mut lines = more
        .map(|(module, why)| format!("  {module}: {why}\n"))
        .peekable();
    match lines.peek() {
        Some(_) => format!(
            "More bits than the paper counts:\n{}\n",
            lines.collect::<String>()
        ),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_a_heading_only_where_there_are_some() {
        assert_eq!(reasons(std::iter::empty()), "");
        assert_eq!(
            reasons([("a", "x"), ("b", "y")].into_iter()),
            "More bits than the paper counts:\n  a: x\n  b: y\n\n"
        );
    }
}
