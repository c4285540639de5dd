//! Regenerates the committed files about the hardware: the costs and the Verilog.

use crate::catalog::{SelectError, select};
use crate::cost::{CostTable, digest, measure};
use crate::export::ExportError;
use crate::package::{Stale, StoreError, check, verilog, write_all};
use crate::runs::RunTable;
use crate::tools::{Tool, ToolError};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Where the measured costs are kept, below the root of the repository; they are compiled in.
pub const COSTS: &str = "gen/data/cost.json";

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blessed {
    /// Files in `verilog-out`.
    pub files: usize,
    /// Files there that nothing generates any more; they are gone.
    pub removed: Vec<PathBuf>,
    /// Whether the costs were left out, because Yosys is not installed; the committed ones stay.
    pub without_costs: bool,
}

/// Why it was not done.
#[derive(Debug, thiserror::Error)]
pub enum BlessError {
    /// No such unit.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// A unit cannot be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// Yosys failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The folder cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be written or removed.
    #[error("cannot change {}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Writes the costs and the folders of the named units (none named: all) below `root`, with the rows of `runs`. The costs of a unit stay when they are
/// of its Verilog; those of other units stay in any case.
///
/// # Errors
/// [`BlessError`]
pub fn bless(root: &Path, units: &[String], runs: &RunTable) -> Result<Blessed, BlessError> {
    let entries = select(units, &[])?;
    let whole = units.is_empty();
    let out = root.join("verilog-out");
    let io = |path: &Path| {
        let path = path.to_path_buf();
        move |source| BlessError::Io { path, source }
    };
    let mut costs = CostTable::committed();
    let mut blessed = Blessed {
        without_costs: Tool::Yosys.find().is_none(),
        ..Blessed::default()
    };
    if !blessed.without_costs {
        let folder = tempfile::tempdir().map_err(io(&std::env::temp_dir()))?;
        let known = costs.clone();
        if whole {
            costs = CostTable::default();
        }
        let mut changed = Vec::new();
        for entry in &entries {
            let name = &entry.name;
            let text = verilog(entry)?;
            match known.get(name) {
                Some(cost) if cost.verilog_sha256 == digest(&text) => {
                    costs.insert(name, cost.clone());
                }
                _ => changed.push((entry, text)),
            }
        }
        let measured: Result<Vec<_>, ToolError> = (changed.par_iter())
            .map(|(entry, text)| measure(folder.path(), &entry.name, text, entry.memory_bits > 0))
            .collect();
        for ((entry, _), cost) in changed.iter().zip(measured?) {
            costs.insert(&entry.name, cost);
        }
        let path = root.join(COSTS);
        std::fs::write(&path, costs.to_json()).map_err(io(&path))?;
    }
    blessed.files = write_all(&out, &entries, &costs, runs)?.len();
    for stale in check(&out, &entries, &costs, runs, whole)? {
        if let Stale::Extra(path) = stale {
            std::fs::remove_file(out.join(&path)).map_err(io(&path))?;
            blessed.removed.push(path);
        }
    }
    Ok(blessed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_units_are_written_and_the_costs_of_others_stay() {
        let root = tempfile::tempdir().expect("temporary folder");
        let costs = root.path().join(COSTS);
        std::fs::create_dir_all(costs.parent().expect("a folder")).expect("writable");
        let blessed = bless(
            root.path(),
            &["power_gate".to_owned()],
            &RunTable::committed(),
        )
        .expect("generated");
        let folders = std::fs::read_dir(root.path().join("verilog-out")).expect("a folder");
        let folders: Vec<_> = folders
            .map(|folder| folder.expect("readable").file_name())
            .collect();
        assert!(blessed.files > 0 && !folders.is_empty());
        for folder in folders {
            assert!(folder.to_string_lossy().starts_with("power_gate"));
        }
        if !blessed.without_costs {
            let written = std::fs::read_to_string(costs).expect("written");
            assert_eq!(written, CostTable::committed().to_json());
        }
    }

    #[test]
    fn a_unit_that_does_not_exist_is_refused() {
        let root = tempfile::tempdir().expect("temporary folder");
        let refused = bless(
            root.path(),
            &["power_gates".to_owned()],
            &RunTable::default(),
        );
        assert!(matches!(refused, Err(BlessError::Select(_))), "{refused:?}");
    }
}
