//! Rows for the benches of the exported hardware, recorded while bundled kernels run in the SM model.
//!
//! The exporter knows no kernels and the simulator no benches, so this stands where both are known: `cargo bless` writes the
//! rows, and `tests/recorded.rs` records them anew and compares.

mod activity;
mod chosen;
mod plan;
mod watch;

use rayon::prelude::*;
use regshare_gen::catalog::{Entry, catalog, top_of_manager};
use regshare_gen::package;
use regshare_gen::runs::inside::{Inner, InsideError, inside};
use regshare_gen::runs::join::{JoinError, joined, on_manager};
use regshare_gen::runs::{Origin, RunTable, narrowed};
use regshare_gen::tools::{Tool, missing};
use std::collections::BTreeSet;
use std::sync::Arc;
use watch::{Ran, WatchError};

use chosen::{Candidate, Chosen};

pub use activity::did_something;
#[allow(unused_imports)] // Asked by the test.
pub use chosen::MOST_BYTES;

/// Why rows could not be recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A kernel did not run.
    #[error(transparent)]
    Watch(#[from] WatchError),
    /// The Verilog of a top does not repeat the run.
    #[error(transparent)]
    Inside(#[from] InsideError),
    /// The units of a run are not those that a module joins.
    #[error(transparent)]
    Join(#[from] JoinError),
    /// The model of a module answers otherwise than recorded.
    #[error("{module}: its model answers row {row} otherwise than {source_of_rows}")]
    Disputed {
        /// The module.
        module: String,
        /// Row, from 0 on.
        row: usize,
        /// How the rows follow from the run.
        source_of_rows: String,
    },
    /// A temporary folder cannot be made.
    #[error("cannot make a temporary folder: {0}")]
    Folder(#[from] std::io::Error),
}

/// The tools without which the units inside others cannot be recorded, as far as they are not installed.
#[allow(dead_code)] // Asked by `cargo bless`.
pub fn missing_tools() -> Vec<&'static str> {
    let missing = missing(&[Tool::Iverilog, Tool::Vvp]);
    missing.iter().map(|tool| tool.name()).collect()
}

/// Records all runs and makes of them what the benches read.
///
/// # Errors
/// [`RecordError`]
pub fn record() -> Result<RunTable, RecordError> {
    let runs: Result<Vec<Ran>, WatchError> = plan::runs().par_iter().map(watch::watch).collect();
    let runs = runs?;
    let entries: Vec<Arc<Entry>> = catalog().into_iter().map(Arc::new).collect();
    let mut candidates: Vec<_> = runs.iter().flat_map(|run| direct(run, &entries)).collect();
    candidates.extend(runs.iter().flat_map(|run| smaller(run, &entries)));
    let mut chosen = Chosen::default();
    // The size of the machine first, then the larger ones.
    for larger in [false, true] {
        for run in &runs {
            for top in tops_of_parts(run, &entries, larger) {
                if !chosen.has(&top.name) {
                    let candidate = of_parts(run, top)?;
                    chosen.offer(&candidate)?;
                    candidates.push(candidate);
                }
            }
        }
    }
    let mut begun = 0;
    while begun < candidates.len() {
        for candidate in &candidates[begun..] {
            chosen.offer(candidate)?;
        }
        let inner = units_inside(&candidates[begun..], &chosen)?;
        begun = candidates.len();
        candidates.extend(inner);
    }
    for manager in entries
        .iter()
        .filter(|entry| entry.unit == "register_manager")
    {
        let name = top_of_manager(manager);
        for top in candidates.iter().filter(|top| top.name() == name) {
            // That of the baseline joins mappers.
            if top.entry.unit != "reg_map" && !chosen.has(&manager.name) {
                chosen.offer(&of_top(manager, top))?;
            }
        }
        // Its rows are wider and fewer, so another run may be needed than for its top.
        for larger in [false, true] {
            for run in &runs {
                for top in tops_of_parts(run, &entries, larger) {
                    if top.name == name && !chosen.has(&manager.name) {
                        chosen.offer(&of_top(manager, &of_parts(run, top)?))?;
                    }
                }
            }
        }
    }
    Ok(chosen.table())
}

/// The units that a run uses as they are.
fn direct<'a>(run: &'a Ran, entries: &'a [Arc<Entry>]) -> impl Iterator<Item = Candidate> + 'a {
    run.watched
        .units
        .iter()
        .enumerate()
        .filter_map(|(at, unit)| {
            let is_it = |entry: &&Arc<Entry>| {
                let has = |(name, value): &(String, u64)| entry.param(name) == Some(*value);
                entry.unit == unit.unit
                    && entry.params.len() == unit.parameters.len()
                    && unit.parameters.iter().all(has)
            };
            let entry = entries.iter().find(is_it)?.clone();
            Some(Candidate {
                entry,
                recording: run.watched.of(at),
                origin: run.origin(format!("the pins of instance `{}`", unit.path)),
            })
        })
}

/// Smaller sizes of these, where the machine uses no more of the larger one.
fn smaller(run: &Ran, entries: &[Arc<Entry>]) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (at, unit) in run.watched.units.iter().enumerate() {
        let suffices = |entry: &&Arc<Entry>| {
            let pairs = entry.params.iter().zip(&unit.parameters);
            let sizes = pairs.clone().map(|(param, (name, value))| {
                let own = param.value.number().unwrap_or(0);
                (own, run.needs(name, *value), *value)
            });
            let sizes: Vec<_> = sizes.collect();
            entry.unit == unit.unit
                && sizes.len() == unit.parameters.len()
                && sizes
                    .iter()
                    .all(|(own, needed, there)| needed <= own && own <= there)
                && sizes.iter().any(|(own, _, there)| own < there)
        };
        for entry in entries.iter().filter(suffices) {
            let Some(recording) = narrowed(entry, &run.watched.of(at)) else {
                continue;
            };
            let source = format!(
                "the pins of instance `{}`, of whose larger size the machine uses no more than this module has",
                unit.path
            );
            found.push(Candidate {
                entry: entry.clone(),
                recording,
                origin: run.origin(source),
            });
        }
    }
    found
}

/// What the units of a run are parts of, where a module joins them: its unit, and the parts in words.
fn whole_of(run: &Ran) -> Option<(&'static str, &'static str)> {
    match run.watched.units.first()?.unit.as_str() {
        "srp_allocator" => Some(("regmutex_top", "allocator and both mappers")),
        "paired_lock" => Some(("paired_top", "lock and both mappers")),
        "safe_paired_lock" => Some(("safe_paired_top", "lock and both mappers")),
        "reg_map" => Some(("register_manager", "both mappers")),
        _ => None,
    }
}

/// The tops that join units which this run uses in their place: the smallest that has room for the machine, or the larger ones.
fn tops_of_parts<'a>(run: &Ran, entries: &'a [Arc<Entry>], larger: bool) -> Vec<&'a Arc<Entry>> {
    let fits = |entry: &&Arc<Entry>| {
        let holds = |name| Some(run.needs(name, u64::MAX)) <= entry.param(name);
        let is_it = entry.unit != "register_manager" || entry.name.contains("_baseline_");
        whole_of(run).is_some_and(|(unit, _)| entry.unit == unit)
            && is_it
            && holds("warps")
            && holds("packs")
    };
    let mut tops: Vec<_> = entries.iter().filter(fits).collect();
    tops.sort_by_key(|entry| (entry.param("warps"), entry.param("packs")));
    let smallest = 1.min(tops.len());
    let others = tops.split_off(smallest);
    if larger { others } else { tops }
}

/// The rows of a top from those of its parts.
fn of_parts(run: &Ran, top: &Arc<Entry>) -> Result<Candidate, RecordError> {
    let (_, parts) = whole_of(run).unwrap_or_default();
    // So many have been kept of each unit, so none is missing among the first of all.
    let recording = joined(top, &run.watched.first(watch::ROWS))?;
    let source = format!(
        "the inputs of {parts} of the SM, put together cycle by cycle, with the outputs of this module's model, which agree with \
         those of the parts"
    );
    Ok(Candidate {
        entry: top.clone(),
        recording,
        origin: run.origin(source),
    })
}

/// Units inside these that have no rows yet, of each module until all that is in it has some.
fn units_inside(tops: &[Candidate], chosen: &Chosen) -> Result<Vec<Candidate>, RecordError> {
    let names: BTreeSet<&str> = tops.iter().map(Candidate::name).collect();
    let found: Result<Vec<Vec<Candidate>>, RecordError> = names
        .into_par_iter()
        .map(|name| {
            let same: Vec<_> = tops.iter().filter(|top| top.name() == name).collect();
            let inside_of = package::units_inside(&same[0].entry).map_err(InsideError::from)?;
            let mut wanted: BTreeSet<String> = inside_of.into_iter().map(|(_, name)| name).collect();
            wanted.retain(|name| !chosen.has(name));
            let mut found = Vec::new();
            for top in same {
                if wanted.is_empty() {
                    break;
                }
                let folder = tempfile::tempdir()?;
                for Inner { field, entry, recording } in inside(folder.path(), &top.entry, &top.recording)? {
                    let source = format!(
                        "what the Verilog of `{name}` shows on the pins of its `{field}` as it repeats the run; there they are {}",
                        top.origin.source
                    );
                    let origin = Origin { source, ..top.origin.clone() };
                    let inner = Candidate { entry: Arc::new(entry), recording, origin };
                    if wanted.contains(inner.name()) && did_something(&inner.entry, &inner.written()) {
                        wanted.remove(inner.name());
                        found.push(inner);
                    }
                }
            }
            Ok(found)
        })
        .collect();
    Ok(found?.into_iter().flatten().collect())
}

/// The rows of a register manager from those of the top in it.
fn of_top(manager: &Arc<Entry>, top: &Candidate) -> Candidate {
    let source = format!(
        "the inputs of `{}` on the ports of all systems, the other ports low, with the outputs of this module's model; the former \
         are {}",
        top.name(),
        top.origin.source
    );
    let origin = Origin {
        source,
        ..top.origin.clone()
    };
    Candidate {
        entry: manager.clone(),
        recording: on_manager(manager, &top.recording.first(chosen::MOST_ROWS)),
        origin,
    }
}
