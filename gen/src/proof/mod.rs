//! Safety properties of the exported Verilog, proved without bound and at full size.
//!
//! A property file (`gen/proofs/*.sv`) wraps the module, sees its registers, and keeps history derived from the ports
//! alone. One step is unrolled from a free state that satisfies the invariant where the step touches it (arbitrary
//! warps, an arbitrary section), plus the base cases; Yosys writes it as AIGER, ABC as CNF, CaDiCaL decides. Every proof
//! comes with events that must be reachable (or its assumptions would prove anything) and with faults in the Verilog
//! that the same run must find: those that replace a whole expression or statement are put into one text and asked one after
//! the other, the others alone. Of large memories a proof knows what an array is, and not every word (`array.v`).

mod aiger;
mod array;
mod engine;
mod properties;
mod recipe;
mod selector;

use crate::catalog::{Entry, SelectError, catalog, select};
use crate::export::ExportError;
use crate::mutate::MutateError;
use crate::package::verilog;
use crate::tools::{Tool, ToolError};
use std::path::Path;
use std::time::Instant;

pub use engine::Verdict;
pub use properties::{Fault, Proof, proofs};
pub(crate) use recipe::Recipe;

/// Programs that a proof needs.
pub const TOOLS: &[Tool] = &[Tool::Yosys, Tool::Abc, Tool::Cadical];

/// What came of one proof.
#[derive(Clone, Debug)]
pub struct ProofResult {
    /// Name of the theorem.
    pub name: &'static str,
    /// Module it is about; empty for a lemma of arithmetic.
    pub module: String,
    /// Warps.
    pub size: u64,
    /// Programs that decided it.
    pub engine: &'static str,
    /// Whether it was proved, and whether it was expected to be.
    pub verdict: Verdict,
    /// What the verdict should be: `Refuted` where the point is that it fails.
    pub expected: Verdict,
    /// Wall-clock seconds of everything, events and faults included.
    pub seconds: f64,
    /// Events that are reachable, of how many.
    pub events_reached: (usize, usize),
    /// Faults that the same run found.
    pub mutants_killed: Vec<&'static str>,
    /// Faults that it missed; must be empty.
    pub mutants_missed: Vec<&'static str>,
}

impl ProofResult {
    /// Whether everything came out as it should.
    #[must_use]
    pub fn holds(&self) -> bool {
        let (reached, events) = self.events_reached;
        self.verdict == self.expected && reached == events && self.mutants_missed.is_empty()
    }
}

/// Why a proof could not be run.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// A program is missing or failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The unit cannot be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The Verilog with its faults cannot be made.
    #[error(transparent)]
    Faults(Box<MutateError>),
    /// There is no such unit or size.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// A text that must occur exactly once in the Verilog does not.
    #[error("{what}: `{text}` occurs {found} times in the Verilog of {module}, not once")]
    Place {
        /// What it was needed for.
        what: &'static str,
        /// The text.
        text: &'static str,
        /// How often it is there.
        found: usize,
        /// Where.
        module: String,
    },
}

impl From<MutateError> for ProofError {
    fn from(error: MutateError) -> Self {
        match error {
            MutateError::Fault(error) => error,
            other => ProofError::Faults(Box::new(other)),
        }
    }
}

impl Proof {
    /// Whether it is about this module: the same unit, with the parameters that the proof names.
    pub(crate) fn is_about(&self, entry: &Entry) -> bool {
        let is_value = |(name, value): (&str, String)| {
            let mut params = entry.params.iter();
            params.any(|param| param.name == name && param.value.is(&value))
        };
        self.unit == Some(entry.unit) && self.values().all(is_value)
    }

    /// The parameters by which its unit is chosen, besides the number of warps.
    fn values(&self) -> impl Iterator<Item = (&'static str, String)> {
        let numbers = self
            .params
            .iter()
            .map(|&(name, value)| (name, value.to_string()));
        let names = self
            .named
            .iter()
            .map(|&(name, value)| (name, value.to_owned()));
        numbers.chain(names)
    }
}

impl Fault {
    /// The Verilog with the fault in it.
    ///
    /// # Errors
    /// [`ProofError::Place`] unless the place exists exactly once.
    pub fn apply(&self, module: &str, verilog: &str) -> Result<String, ProofError> {
        replace_once(self.name, module, verilog, self.from, self.to)
    }
}

fn replace_once(
    what: &'static str,
    module: &str,
    verilog: &str,
    from: &'static str,
    to: &str,
) -> Result<String, ProofError> {
    match verilog.matches(from).count() {
        1 => Ok(verilog.replacen(from, to, 1)),
        found => Err(ProofError::Place {
            what,
            text: from,
            found,
            module: module.into(),
        }),
    }
}

/// The unit that a proof is about, for `warps` warps if it has that parameter; `None` for a lemma.
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

/// Runs one proof with its events and faults in folder `dir`.
///
/// # Errors
/// [`ProofError`] if something cannot be run; a proof that fails is a result, not an error.
pub fn run(proof: &Proof, warps: u64, dir: &Path) -> Result<ProofResult, ProofError> {
    let start = Instant::now();
    let entry = subject(proof, warps)?;
    let module = entry
        .as_ref()
        .map(|entry| entry.name.clone())
        .unwrap_or_default();
    let text = entry.as_ref().map(verilog).transpose()?.unwrap_or_default();
    let recipe = Recipe {
        proof,
        module: &module,
        warps,
    };
    let job = engine::Job { recipe, dir };

    let verdict = job.decide(&text, true)?;
    let events_reached = if proof.events > 0 {
        (job.events_reached(&text)?, proof.events)
    } else {
        (0, 0)
    };
    let (mut killed, mut missed) = (Vec::new(), Vec::new());
    let found = job.finds(&text, proof.faults)?;
    for (fault, found) in proof.faults.iter().zip(found) {
        if found { &mut killed } else { &mut missed }.push(fault.name);
    }
    Ok(ProofResult {
        name: proof.name,
        module,
        size: warps,
        engine: "yosys, abc, cadical",
        verdict,
        expected: proof.expected,
        seconds: start.elapsed().as_secs_f64(),
        events_reached,
        mutants_killed: killed,
        mutants_missed: missed,
    })
}

/// Runs all proofs for `warps` warps, two at a time, with their files in folders below `out`.
///
/// # Errors
/// The first [`ProofError`] in the order of [`proofs`].
pub fn run_all(warps: u64, out: &Path) -> Result<Vec<ProofResult>, ProofError> {
    let proofs = proofs();
    // The longest first, so that none is left to run alone: about as long as the Verilog times the questions about it.
    let mut order = Vec::new();
    for (at, proof) in proofs.iter().enumerate() {
        let text = subject(proof, warps)?.as_ref().map(verilog).transpose()?;
        // Faults that cannot be asked together are few.
        let questions = 4 + usize::from(!proof.faults.is_empty());
        order.push((text.map_or(0, |text| text.len()) * questions, at));
    }
    order.sort_unstable_by(|a, b| b.cmp(a));
    let next = std::sync::atomic::AtomicUsize::new(0);
    let results = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let turn = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(&(_, at)) = order.get(turn) else {
                        return;
                    };
                    let proof = &proofs[at];
                    let dir = out.join(proof.name);
                    let result = std::fs::create_dir_all(&dir)
                        .map_err(|error| {
                            ToolError::io(format!("cannot create {}", dir.display()))(error).into()
                        })
                        .and_then(|()| run(proof, warps, &dir));
                    results
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner)
                        .push((at, result));
                }
            });
        }
    });
    let mut results = results
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}
