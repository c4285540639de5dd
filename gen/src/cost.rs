//! What a unit costs as Yosys sees it: flip-flops, cells, depth.

use crate::tools::{Tool, ToolError, write};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;

/// Figures of one unit; the whole design flattened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// The Verilog that was measured, as `sha256sum` says of its file; see [`digest`].
    pub verilog_sha256: String,
    /// Version of Yosys that counted; other versions may map to other cells.
    pub yosys: String,
    /// Flip-flops of one bit.
    pub flip_flops: usize,
    /// Bits in memories that were left memories; they are neither flip-flops nor gates.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub memory_bits: usize,
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

#[allow(clippy::trivially_copy_pass_by_ref)] // As serde calls it.
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// SHA-256 of a module's Verilog in hexadecimal digits.
#[must_use]
pub fn digest(verilog: &str) -> String {
    let bytes = Sha256::digest(verilog.as_bytes());
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
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

/// Synthesises module `name` with Yosys in folder `dir`, where its files are put. With `memories` its memories stay
/// memories; else they become flip-flops and multiplexers. A path ends at a memory as it does at a flip-flop.
///
/// # Errors
/// [`ToolError`] if Yosys is not installed or refuses the Verilog; a latch counts as a refusal.
pub fn measure(dir: &Path, name: &str, verilog: &str, memories: bool) -> Result<Cost, ToolError> {
    write(&dir.join(format!("{name}.v")), verilog)?;
    let mapped = synthesis(name, memories);
    let script = format!(
        "read_verilog {name}.v; {mapped}; tee -o {name}.gates stat; tee -o {name}.depth ltp -noff t:$mem* %n; \
         abc -lut 4; opt_clean; tee -o {name}.luts stat; tee -o {name}.lut_depth ltp -noff t:$mem* %n"
    );
    run(dir, &script)?;
    let read = |extension: &str| {
        let path = dir.join(format!("{name}.{extension}"));
        std::fs::read_to_string(&path)
            .map_err(ToolError::io(format!("cannot read {}", path.display())))
    };
    let memory_bits = memory_bits(&read("gates")?);
    let gates = cells(&read("gates")?);
    let luts = cells(&read("luts")?);
    let flip_flops = flip_flops_of(&gates);
    Ok(Cost {
        verilog_sha256: digest(verilog),
        yosys: yosys_version()?,
        flip_flops,
        memory_bits,
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

/// The commands of Yosys that map module `name` to gates; with `memories` its memories stay memories.
pub(crate) fn synthesis(name: &str, memories: bool) -> String {
    if memories {
        let unmapped = with_memories(name);
        format!("{unmapped}; abc -fast; opt -fast; check -assert")
    } else {
        format!("synth -flatten -top {name}")
    }
}

/// What `synth` does, but for the mapping of memories and of logic. Unpacked, a read port is a cell of its own.
fn with_memories(name: &str) -> String {
    format!(
        "synth -flatten -top {name} -run begin:fine; opt -fast -full; memory_unpack; opt -undriven -fine; techmap; opt -fast"
    )
}

/// What [`measure`] counts as flip-flops and as bits in memories, in a fraction of the time: the logic is hardly simplified and
/// not mapped.
///
/// # Errors
/// As [`measure`].
pub fn storage(
    dir: &Path,
    name: &str,
    verilog: &str,
    memories: bool,
) -> Result<(usize, usize), ToolError> {
    write(&dir.join(format!("{name}.v")), verilog)?;
    // `stat` counts the bits of unpacked memories only.
    let memories = if memories {
        "memory -nomap; memory_unpack"
    } else {
        "memory"
    };
    let mapped = format!(
        "hierarchy -check -top {name}; proc; flatten; opt_expr; opt_merge; opt_clean; opt_dff; opt_clean; {memories}; \
         opt_clean; simplemap t:$dff t:$dffe t:$sdff t:$sdffe t:$sdffce; opt_clean"
    );
    let script = format!("read_verilog {name}.v; {mapped}; tee -o {name}.gates stat");
    run(dir, &script)?;
    let path = dir.join(format!("{name}.gates"));
    let stat = std::fs::read_to_string(&path)
        .map_err(ToolError::io(format!("cannot read {}", path.display())))?;
    Ok((flip_flops_of(&cells(&stat)), memory_bits(&stat)))
}

/// Runs Yosys; a latch is an error.
fn run(dir: &Path, script: &str) -> Result<(), ToolError> {
    let ran = Tool::Yosys.run(dir, ["-p", script], &[0])?;
    let inferred = |line: &&str| line.contains("Latch inferred");
    match ran.log.lines().find(inferred) {
        None => Ok(()),
        Some(line) => Err(ToolError::Failed {
            program: "yosys".into(),
            code: 0,
            log: line.into(),
        }),
    }
}

/// Cells such as `$_DFF_P_`, `$_DFFE_PP_` and `$_SDFF_PP0_`.
fn flip_flops_of(cells: &BTreeMap<String, usize>) -> usize {
    let flip_flops = cells.iter().filter(|(cell, _)| cell.contains("DFF"));
    flip_flops.map(|(_, count)| count).sum()
}

/// Bits of the memories in the output of `stat`.
fn memory_bits(stat: &str) -> usize {
    let line = stat
        .lines()
        .find_map(|line| line.trim().strip_prefix("Number of memory bits:"));
    line.and_then(|bits| bits.trim().parse().ok()).unwrap_or(0)
}

/// Cells by type, ports of memories left out, in the output of `stat`.
pub(crate) fn cells(stat: &str) -> BTreeMap<String, usize> {
    let counted = stat.lines().filter(|line| !line.contains("$mem"));
    let counted = counted.filter_map(|line| {
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
    fn digest_is_what_sha256sum_says() {
        // FIPS 180-2, appendix B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest("abc"), expected);
    }

    #[test]
    fn memory_bits_are_read_and_their_ports_are_no_cells() {
        let stat = "   Number of memories:  4\n   Number of memory bits:  30240\n     $memrd_v2  4\n     $_OR_  2\n";
        assert_eq!((memory_bits(stat), cells(stat).len()), (30_240, 1));
    }

    #[test]
    fn length_of_the_longest_path_is_read() {
        assert_eq!(longest("Longest topological path in m (length=31):\n"), 31);
    }
}
