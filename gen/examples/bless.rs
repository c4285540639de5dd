//! Regenerates `gen/data/cost.json` (where Yosys is installed; only for Verilog that changed) and `verilog-out/`. Run
//! from the root: `cargo run -p regshare-gen --example bless`.

use regshare_gen::catalog::catalog;
use regshare_gen::cost::{CostTable, measure};
use regshare_gen::package::{Stale, check, verilog, write_all};
use regshare_gen::tools::Tool;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let entries = catalog();
    let out = Path::new("verilog-out");
    let mut costs = CostTable::committed();
    if Tool::Yosys.find().is_some() {
        let dir = tempfile::tempdir()?;
        let known = std::mem::take(&mut costs);
        for entry in &entries {
            let text = verilog(entry)?;
            let committed =
                std::fs::read_to_string(out.join(&entry.name).join(format!("{}.v", entry.name)));
            let cost = match known.get(&entry.name) {
                Some(cost) if committed.is_ok_and(|committed| committed == text) => cost.clone(),
                _ => measure(dir.path(), &entry.name, &text)?,
            };
            costs.insert(&entry.name, cost);
        }
        std::fs::write("gen/data/cost.json", costs.to_json())?;
    } else {
        println!("left out: costs (needs yosys); the committed ones stay");
    }
    let written = write_all(out, &entries, &costs)?;
    for stale in check(out, &entries, &costs, true)? {
        if let Stale::Extra(path) = &stale {
            std::fs::remove_file(out.join(path))?;
            println!("removed {}", path.display());
        }
    }
    println!("{} files in {}", written.len(), out.display());
    Ok(())
}
