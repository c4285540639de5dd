//! One proof or all, in their main size or the others.

use super::{Evidence, Proof, ProofError, ProofResult, Recipe, Verdict, engine, proofs};
use crate::catalog::{Entry, catalog, select};
use crate::package::verilog;
use crate::tools::ToolError;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The unit that a proof is about in its main size, for `warps` warps if it has that parameter; `None` for a lemma.
///
/// # Errors
/// [`ProofError::Select`] if it is not offered in that size.
pub fn subject(proof: &Proof, warps: u64) -> Result<Option<Entry>, ProofError> {
    let Some(unit) = proof.unit else {
        return Ok(None);
    };
    let sized = catalog()
        .iter()
        .any(|entry| entry.unit == unit && entry.params.iter().any(|param| param.name == "warps"));
    let size = sized.then(|| ("warps".to_owned(), warps.to_string()));
    let others = (proof.values()).map(|(name, value)| (name.to_owned(), value));
    let params: Vec<_> = size.into_iter().chain(others).collect();
    Ok(select(&[unit.to_owned()], &params)?.into_iter().next())
}

/// The sizes that a proof is about besides its main one, which is for `warps` warps.
///
/// # Errors
/// [`ProofError::Select`] if it is not offered in its main size.
pub fn other_sizes(proof: &Proof, warps: u64) -> Result<Vec<Entry>, ProofError> {
    let main = subject(proof, warps)?;
    let is_other = |entry: &Entry| {
        let is_main = main.as_ref().is_some_and(|main| main.name == entry.name);
        proof.is_about(entry) && !is_main
    };
    Ok(catalog().into_iter().filter(is_other).collect())
}

/// Runs one proof in its main size, with its events and faults, in folder `dir`. Where there is evidence for it already,
/// events and faults are not asked for.
///
/// # Errors
/// [`ProofError`] if something cannot be run; a proof that fails is a result, not an error.
pub fn run(
    proof: &Proof,
    warps: u64,
    dir: &Path,
    known: Option<&Evidence>,
) -> Result<ProofResult, ProofError> {
    let entry = subject(proof, warps)?;
    let text = entry.as_ref().map(verilog).transpose()?.unwrap_or_default();
    measured(proof, entry.as_ref(), warps, dir, |job, result| {
        let found = if let Some(known) = known {
            result.verdict = job.decide(&text)?;
            result.events_reached = (known.events_reached, proof.events);
            let faults = proof.faults.iter();
            faults.map(|fault| known.finds(fault)).collect()
        } else {
            let (verdict, reached) = job.decide_and_reach(&text)?;
            result.verdict = verdict;
            result.events_reached = (reached, proof.events);
            job.finds(&text, proof.faults)?
        };
        for (fault, found) in proof.faults.iter().zip(found) {
            let list = if found {
                &mut result.mutants_killed
            } else {
                &mut result.mutants_missed
            };
            list.push(fault.name);
        }
        Ok(())
    })
}

/// Runs one proof for `entry`, a size of its unit, in folder `dir`, without events and faults; that its assumptions can be
/// met is its one event.
///
/// # Errors
/// As [`run`].
pub fn run_in_size(proof: &Proof, entry: &Entry, dir: &Path) -> Result<ProofResult, ProofError> {
    let text = verilog(entry)?;
    let warps = entry.param("warps").unwrap_or(1);
    measured(proof, Some(entry), warps, dir, |job, result| {
        if proof.expected == Verdict::Refuted {
            result.verdict = job.decide(&text)?;
            return Ok(());
        }
        let (verdict, met) = job.decide_and_meet(&text)?;
        result.verdict = verdict;
        result.events_reached = (usize::from(met), 1);
        Ok(())
    })
}

/// The result that `ask` fills in, with the time that it takes.
fn measured(
    proof: &Proof,
    entry: Option<&Entry>,
    warps: u64,
    dir: &Path,
    ask: impl FnOnce(&engine::Job<'_>, &mut ProofResult) -> Result<(), ProofError>,
) -> Result<ProofResult, ProofError> {
    let start = Instant::now();
    let mut result = ProofResult {
        name: proof.name,
        module: entry.map(|entry| entry.name.clone()).unwrap_or_default(),
        size: warps,
        engine: "yosys, abc, cadical",
        verdict: proof.expected,
        expected: proof.expected,
        seconds: 0.0,
        events_reached: (0, 0),
        mutants_killed: Vec::new(),
        mutants_missed: Vec::new(),
    };
    let recipe = Recipe::new(proof, entry, warps);
    ask(&engine::Job { recipe, dir }, &mut result)?;
    result.seconds = start.elapsed().as_secs_f64();
    Ok(result)
}

/// Runs all proofs in their main sizes, for `warps` warps, two at a time, with their files in folders below `out`. Events and
/// faults are not asked for where there is evidence for the proof already, which is `known`; see [`run`].
///
/// # Errors
/// The first [`ProofError`] in the order of [`proofs`].
pub fn run_all(
    warps: u64,
    out: &Path,
    known: impl Fn(&Proof) -> Option<Evidence> + Sync,
) -> Result<Vec<ProofResult>, ProofError> {
    let proofs = proofs();
    let mut lengths = Vec::new();
    for proof in &proofs {
        let text = subject(proof, warps)?.as_ref().map(verilog).transpose()?;
        // Faults that cannot be asked together are few.
        let questions = 4 + usize::from(!proof.faults.is_empty());
        lengths.push(text.map_or(0, |text| text.len()) * questions);
    }
    two_at_a_time(&lengths, |at| {
        let proof = &proofs[at];
        let dir = folder(out, proof.name)?;
        run(proof, warps, &dir, known(proof).as_ref())
    })
}

/// Runs all proofs in all sizes but the main ones, which are for `warps` warps, of modules that are `wanted`; otherwise as
/// [`run_all`].
///
/// # Errors
/// The first [`ProofError`] in the order of [`proofs`] and of the catalog.
pub fn run_other_sizes(
    warps: u64,
    out: &Path,
    wanted: impl Fn(&Entry) -> bool,
) -> Result<Vec<ProofResult>, ProofError> {
    let mut jobs = Vec::new();
    let mut lengths = Vec::new();
    for proof in proofs() {
        for entry in other_sizes(&proof, warps)?.into_iter().filter(&wanted) {
            lengths.push(verilog(&entry)?.len());
            jobs.push((proof, entry));
        }
    }
    two_at_a_time(&lengths, |at| {
        let (proof, entry) = &jobs[at];
        let name = format!("{}-{}", proof.name, entry.name);
        run_in_size(proof, entry, &folder(out, &name)?)
    })
}

fn folder(out: &Path, name: &str) -> Result<std::path::PathBuf, ProofError> {
    let dir = out.join(name);
    std::fs::create_dir_all(&dir)
        .map_err(ToolError::io(format!("cannot create {}", dir.display())))?;
    Ok(dir)
}

/// Runs `run` for each of the jobs, the longest first, so that none is left to run alone; the results in their order.
fn two_at_a_time(
    lengths: &[usize],
    run: impl Fn(usize) -> Result<ProofResult, ProofError> + Sync,
) -> Result<Vec<ProofResult>, ProofError> {
    let mut order: Vec<_> = (0..lengths.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(lengths[at]));
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(&at) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = run(at);
                    results
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((at, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}
