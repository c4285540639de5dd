//! What the tests of exported hardware share: which tools there are, and which modules are left to the soak run.
#![allow(dead_code, unused_imports)]

use regshare_gen::catalog::Entry;
use regshare_gen::cost::CostTable;
use regshare_gen::package::take_from;
use regshare_gen::recording::Recording;
pub use regshare_gen::tools::have;
use regshare_hw::verilog::{Module, VerilogError};
use std::path::Path;
use std::sync::{LazyLock, Once};

/// Whether this is `tests/run --soak`.
pub fn soak() -> bool {
    std::env::var_os("REGSHARE_SOAK").is_some()
}

/// Whether this is part of `cargo bless`: what is committed is written, not compared.
pub fn is_blessed_now() -> bool {
    std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always")
}

/// From here on the Verilog of a module is what is committed; `tests/export` alone asks whether that is what the generator
/// writes now, which takes a minute for all modules.
pub fn take_committed_verilog() {
    static TAKEN: Once = Once::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/verilog-out");
    TAKEN.call_once(|| take_from(Path::new(folder)));
}

/// Whether it is RFV's top, or the flag cache, with another value of a parameter than most: only that one parameter differs from the
/// module of its size.
pub fn is_variant(entry: &Entry) -> bool {
    match entry.unit {
        "rfv_top" => {
            let mut others = ["latency", "hardware_only", "entries"].into_iter();
            others.any(|name| entry.param(name).is_some()) || entry.param("registers") == Some(16)
        }
        "release_flag_cache" => entry.param("entries") != Some(10),
        _ => false,
    }
}

/// Whether it has the size of `gtx480`, and is no variant of what has.
pub fn is_gtx480(entry: &Entry) -> bool {
    !is_variant(entry)
        && entry.params.iter().all(|param| match param.name {
            "warps" => param.value.is("48"),
            "packs" => param.value.is("1024"),
            _ => true,
        })
}

/// The first row that the module does not answer as recorded, as Verilator has compiled it into this program.
///
/// # Errors
/// [`VerilogError::NotBuilt`] without the feature `verilog`.
pub fn first_wrong_row(
    entry: &Entry,
    recording: &Recording,
) -> Result<Option<usize>, VerilogError> {
    let mut module = Module::new(&entry.name, &entry.inputs, &entry.outputs)?;
    let mut out = vec![0; entry.outputs.len()];
    Ok(recording.rows.iter().position(|row| {
        module.step(&row.inputs, &mut out, row.edge);
        out != row.outputs
    }))
}

/// Whether a module is so large that what takes long about it is taken from the committed record while the digest there is
/// its own: the score of its mutants, events and faults of its proofs. The soak run asks for all.
pub fn is_large(entry: &Entry) -> bool {
    has_more_gates(entry, 300) // assumed: smaller ones take minutes, all an hour
}

/// Whether the committed costs say that it has more gates than this, or nothing.
pub fn has_more_gates(entry: &Entry, gates: usize) -> bool {
    static COSTS: LazyLock<CostTable> = LazyLock::new(CostTable::committed);
    COSTS.get(&entry.name).is_none_or(|cost| cost.gates > gates)
}

/// Whether it mixes sizes of several machines, such as 48 warps with 2048 packs.
pub fn is_mixture(entry: &Entry) -> bool {
    match (entry.param("warps"), entry.param("packs")) {
        (Some(48), Some(packs)) => packs != 1024,
        (Some(64), Some(packs)) => packs != 2048,
        _ => false,
    }
}
