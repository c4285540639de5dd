//! The rows of a unit inside a top: what the top's Verilog shows on its pins while it repeats the top's rows.

use crate::catalog::{Entry, catalog};
use crate::export::ExportError;
use crate::package::{units_inside, verilog};
use crate::recording::{Recording, Row};
use crate::tools::{Tool, ToolError, write};
use regshare_hw::clocked::PinDef;
use std::fmt::Write;
use std::path::Path;

/// Why there are no rows.
#[derive(Debug, thiserror::Error)]
pub enum InsideError {
    /// The module cannot be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// Icarus is not installed or refuses the module.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The module gives other outputs than recorded, or a pin inside is unknown.
    #[error("{module}, row {row}: {what}")]
    Row {
        /// The top.
        module: String,
        /// Which row, from 0 on.
        row: usize,
        /// What is wrong.
        what: String,
    },
}

/// A unit inside a module: where, what, and its rows.
pub struct Inner {
    /// The field of the top that it is.
    pub field: String,
    /// The unit.
    pub entry: Entry,
    /// A row for each of the top.
    pub recording: Recording,
}

/// The units of the catalog inside `entry`, with what their pins show, before the edge, in each row of `recording`.
///
/// # Errors
/// [`InsideError`]; also where `entry` answers `recording` otherwise.
pub fn inside(dir: &Path, entry: &Entry, recording: &Recording) -> Result<Vec<Inner>, InsideError> {
    let mut units = catalog();
    let mut inner = Vec::new();
    for (field, name) in units_inside(entry)? {
        if let Some(at) = units.iter().position(|unit| unit.name == name) {
            // The same unit a second time stays with the first.
            inner.push((field, units.swap_remove(at)));
        }
    }
    if inner.is_empty() {
        return Ok(Vec::new());
    }
    let name = &entry.name;
    write(&dir.join(format!("{name}.v")), &verilog(entry)?)?;
    write(&dir.join("probe.v"), &probe(entry, &inner))?;
    let rows: String = recording.rows.iter().map(line).collect();
    write(&dir.join("rows.txt"), &rows)?;
    let module = format!("{name}.v");
    let args = [
        "-g2005",
        "-s",
        "probe",
        "-o",
        "probe.vvp",
        "probe.v",
        &module,
    ];
    Tool::Iverilog.run(dir, args, &[0])?;
    let log = Tool::Vvp.run(dir, ["-n", "probe.vvp"], &[0])?.log;
    shown(entry, inner, recording, &log)
}

fn line(row: &Row) -> String {
    let mut text = u8::from(row.edge).to_string();
    for value in &row.inputs {
        let _ = write!(text, " {value:x}");
    }
    text + "\n"
}

/// The pins that are shown of a row: the outputs of the top, then all of each unit inside, by their path in the bench.
fn pins(entry: &Entry, inner: &[(String, Entry)]) -> Vec<String> {
    let own = entry.outputs.iter().map(|pin| pin.name.to_owned());
    let others = inner.iter().flat_map(|(field, unit)| {
        let path = format!("uut.{}", field.replace('$', "."));
        let pins = unit.inputs.iter().chain(&unit.outputs);
        pins.map(move |pin| format!("{path}.{}", pin.name))
    });
    own.chain(others).collect()
}

fn range(pin: &PinDef) -> String {
    format!("[{}:0]", pin.width_bits - 1)
}

/// A bench that drives the rows of the top and shows the pins before each edge.
fn probe(entry: &Entry, inner: &[(String, Entry)]) -> String {
    let name = &entry.name;
    let mut text = "`timescale 1ns / 1ps\nmodule probe;\nreg clock;\nreg at_edge;\ninteger file;\ninteger fields;\n".to_owned();
    let mut line = |words: String| text.push_str(&(words + "\n"));
    for pin in &entry.inputs {
        line(format!(
            "reg {0} {1};\nreg {0} {1}_field;",
            range(pin),
            pin.name
        ));
    }
    for pin in &entry.outputs {
        line(format!("wire {} {};", range(pin), pin.name));
    }
    let clock = entry.is_clocked().then_some("clock");
    let all = entry
        .inputs
        .iter()
        .chain(&entry.outputs)
        .map(|pin| pin.name);
    let ports: Vec<_> = clock
        .into_iter()
        .chain(all)
        .map(|pin| format!(".{pin}({pin})"))
        .collect();
    line(format!("{name} uut ({});", ports.join(", ")));
    let read: Vec<_> = entry
        .inputs
        .iter()
        .map(|pin| format!("{}_field", pin.name))
        .collect();
    let formats = vec!["%h"; 1 + read.len()].join(" ");
    line("initial begin\nclock = 1'b0;\nfile = $fopen(\"rows.txt\", \"r\");".into());
    let scan = format!(
        "fields = $fscanf(file, \"{formats}\\n\", at_edge, {});",
        read.join(", ")
    );
    line(format!(
        "{scan}\nwhile (fields == {}) begin",
        1 + read.len()
    ));
    for pin in &entry.inputs {
        line(format!("{0} = {0}_field;", pin.name));
    }
    let shown = pins(entry, inner);
    let formats = vec!["%h"; shown.len()].join(" ");
    line(format!("#1 $display(\"{formats}\", {});", shown.join(", ")));
    line(format!(
        "if (at_edge) begin\n#1 clock = 1'b1;\n#1 clock = 1'b0;\nend\n#1 {scan}\nend\nend\nendmodule"
    ));
    text
}

/// Reads what the bench has shown.
fn shown(
    entry: &Entry,
    inner: Vec<(String, Entry)>,
    recording: &Recording,
    log: &str,
) -> Result<Vec<Inner>, InsideError> {
    let failed = |row: usize, what: String| InsideError::Row {
        module: entry.name.clone(),
        row,
        what,
    };
    let names = pins(entry, &inner);
    let mut rows: Vec<Vec<Row>> = vec![Vec::new(); inner.len()];
    let mut lines = log.lines();
    for (at, row) in recording.rows.iter().enumerate() {
        let line = lines
            .next()
            .ok_or_else(|| failed(at, "nothing was shown".into()))?;
        let mut values = Vec::with_capacity(names.len());
        for (name, word) in names.iter().zip(line.split(' ')) {
            let value = u64::from_str_radix(word, 16);
            values.push(value.map_err(|_| failed(at, format!("{name} is {word}")))?);
        }
        let (own, mut rest) = values
            .split_at_checked(row.outputs.len())
            .unwrap_or_default();
        if own != row.outputs {
            return Err(failed(at, "the module answers otherwise".into()));
        }
        for ((_, unit), rows) in inner.iter().zip(&mut rows) {
            let (inputs, after) = rest.split_at_checked(unit.inputs.len()).unwrap_or_default();
            let (outputs, after) = after
                .split_at_checked(unit.outputs.len())
                .unwrap_or_default();
            rest = after;
            rows.push(Row {
                inputs: inputs.to_vec(),
                outputs: outputs.to_vec(),
                edge: row.edge,
            });
        }
    }
    let found = inner.into_iter().zip(rows);
    let found = found.map(|((field, entry), rows)| Inner {
        field,
        recording: Recording {
            inputs: entry.inputs.clone(),
            outputs: entry.outputs.clone(),
            rows,
        },
        entry,
    });
    Ok(found.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::select;
    use crate::runs::first_disputed;
    use crate::tools::have;

    #[test]
    fn the_search_inside_the_allocator_sees_what_its_model_answers_and_a_wrong_row_of_the_allocator_is_refused()
     {
        if !have(
            &[Tool::Iverilog, Tool::Vvp],
            "rows of a unit inside another",
        ) {
            return;
        }
        let top = select(&["srp_allocator_w8".into()], &[])
            .expect("in the catalog")
            .remove(0);
        let rows = top.recording().first(100);
        let dir = tempfile::tempdir().expect("temporary folder");
        let found = inside(dir.path(), &top, &rows).expect("simulated");
        let names: Vec<_> = found
            .iter()
            .map(|inner| (inner.field.as_str(), inner.entry.name.as_str()))
            .collect();
        assert_eq!(names, [("finder", "find_first_zero_w8")]);
        assert_eq!(found[0].recording.rows.len(), 100);
        assert_eq!(first_disputed(&found[0].entry, &found[0].recording), None);
        let refused = inside(dir.path(), &top, &rows.corrupted(40)).err();
        assert!(
            matches!(refused, Some(InsideError::Row { row: 40, .. })),
            "{refused:?}"
        );
    }
}
