//! Regenerates the committed files about the hardware: the costs and the Verilog.

use crate::catalog::catalog;
use crate::cost::{CostTable, digest, measure};
use crate::export::ExportError;
use crate::package::{Stale, StoreError, check, verilog, write_all};
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

/// Writes the costs and the Verilog of every unit below `root`. The costs of a unit stay when they are of its Verilog.
///
/// # Errors
/// [`BlessError`]
pub fn bless(root: &Path) -> Result<Blessed, BlessError> {
    let entries = catalog();
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
        let known = std::mem::take(&mut costs);
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
    blessed.files = write_all(&out, &entries, &costs)?.len();
    for stale in check(&out, &entries, &costs, true)? {
        if let Stale::Extra(path) = stale {
            std::fs::remove_file(out.join(&path)).map_err(io(&path))?;
            blessed.removed.push(path);
        }
    }
    Ok(blessed)
}
