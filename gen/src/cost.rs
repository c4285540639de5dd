//! What a unit costs as Yosys sees it: flip-flops, cells, depth.

use crate::tools::{Tool, ToolError, write};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Figures of one unit; the whole design flattened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Version of Yosys that counted; other versions may map to other cells.
    pub yosys: String,
    /// Flip-flops of one bit.
    pub flip_flops: usize,
    /// Gates of Yosys's own library, flip-flops not counted.
    pub gates: usize,
    /// Gates on the longest path (`ltp -noff`).
    pub gate_depth: usize,
    /// Tables with four inputs.
    pub lut4: usize,
    /// Tables on the longest path.
    pub lut4_depth: usize,
}

impl Cost {
    /// As one JSON object, with a line break at the end.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

/// Costs by module name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CostTable(BTreeMap<String, Cost>);

impl CostTable {
    /// The committed table, measured when the generated files were last made.
    #[must_use]
    pub fn committed() -> CostTable {
        serde_json::from_str(include_str!("../data/cost.json")).unwrap_or_default()
    }

    /// The cost of module `name`, if it was measured.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Cost> {
        self.0.get(name)
    }

    /// Records the cost of module `name`.
    pub fn insert(&mut self, name: &str, cost: Cost) {
        self.0.insert(name.into(), cost);
    }

    /// As JSON, sorted by name, with a line break at the end.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

/// Version of the installed Yosys, such as `0.23`.
///
/// # Errors
/// [`ToolError`] if it is not installed or does not run.
pub fn yosys_version() -> Result<String, ToolError> {
    let ran = Tool::Yosys.run(Path::new("."), ["-V"], &[0])?;
    Ok(ran
        .log
        .split_whitespace()
        .nth(1)
        .unwrap_or("unknown")
        .to_owned())
}

/// Synthesises module `name` with Yosys in folder `dir`, where its files are put.
///
/// # Errors
/// [`ToolError`] if Yosys is not installed or refuses the Verilog; a latch counts as a refusal.
pub fn measure(dir: &Path, name: &str, verilog: &str) -> Result<Cost, ToolError> {
    write(&dir.join(format!("{name}.v")), verilog)?;
    let script = format!(
        "read_verilog {name}.v; synth -flatten -top {name}; tee -o {name}.gates stat; tee -o {name}.depth ltp -noff; \
         abc -lut 4; opt_clean; tee -o {name}.luts stat; tee -o {name}.lut_depth ltp -noff"
    );
    let ran = Tool::Yosys.run(dir, ["-p", &script], &[0])?;
    let inferred = |line: &&str| line.contains("Latch inferred");
    if let Some(line) = ran.log.lines().find(inferred) {
        return Err(ToolError::Failed {
            program: "yosys".into(),
            code: 0,
            log: line.into(),
        });
    }
    let read = |extension: &str| {
        let path = dir.join(format!("{name}.{extension}"));
        std::fs::read_to_string(&path)
            .map_err(ToolError::io(format!("cannot read {}", path.display())))
    };
    let gates = cells(&read("gates")?);
    let luts = cells(&read("luts")?);
    let flip_flops = gates
        .iter()
        .filter(|(cell, _)| is_flip_flop(cell))
        .map(|(_, count)| count)
        .sum();
    Ok(Cost {
        yosys: yosys_version()?,
        flip_flops,
        gates: gates.values().sum::<usize>() - flip_flops,
        gate_depth: longest(&read("depth")?),
        lut4: luts
            .iter()
            .filter(|(cell, _)| cell.contains("lut"))
            .map(|(_, count)| count)
            .sum(),
        lut4_depth: longest(&read("lut_depth")?),
    })
}

/// `$_DFF_P_`, `$_DFFE_PP_`, `$_SDFF_PP0_` and their like.
fn is_flip_flop(cell: &str) -> bool {
    cell.contains("DFF")
}

/// Cells by type in the output of `stat`.
pub(crate) fn cells(stat: &str) -> BTreeMap<String, usize> {
    let counted = stat.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (cell, count) = (words.next()?, words.next()?);
        Some((cell.to_owned(), count.parse().ok()?))
            .filter(|_| cell.starts_with('$') || cell.starts_with("SB_"))
    });
    counted.collect()
}

/// The length in the output of `ltp`; 0 if there is no path.
fn longest(ltp: &str) -> usize {
    let length = ltp
        .split("(length=")
        .nth(1)
        .and_then(|rest| rest.split(')').next());
    length.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_by_type_and_headings_are_not() {
        let stat = "=== m ===\n\n   Number of cells:  3\n     $_DFF_P_   2\n     $_AND_     1\n";
        let cells = cells(stat);
        assert_eq!((cells.len(), cells["$_DFF_P_"]), (2, 2));
    }

    #[test]
    fn length_of_the_longest_path_is_read() {
        assert_eq!(longest("Longest topological path in m (length=31):\n"), 31);
    }
}
