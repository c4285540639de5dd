//! Scores of units.

use super::bench::Bench;
use super::equivalence::equivalent;
use super::{Mutant, MutateError, Operator, Schema};
use crate::catalog::{Entry, catalog};
use crate::package::verilog;
use crate::proof::{Fault, ProofError, proofs, subject};
use crate::tools::ToolError;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;
use std::path::Path;

/// What is drawn for each unit.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    /// Where the pseudo-random sequence starts.
    pub seed: u64,
    /// How many cases of the unit's strategy.
    pub cases: usize,
    /// How many mutants at most, about; a unit with more is sampled.
    pub mutants: usize,
}

/// So many mutants are replayed with all cases before they are compared with the original.
const QUICKLY_REPLAYED: usize = 12; // assumed

/// One case in this many is replayed before mutants are compared with the original.
const FEW: usize = 10; // assumed

impl Draw {
    /// What the committed page of scores is made from.
    pub const COMMITTED: Draw = Draw {
        seed: 1,
        cases: 300,
        mutants: 250,
    };
}

/// Each unit once, with the faults of the proofs about it: in the size of the proof (for `warps` warps, if it has that
/// parameter), else in its first.
///
/// # Errors
/// [`ProofError::Select`] if a proof is about a size that is not offered.
pub fn subjects(warps: u64) -> Result<Vec<(Entry, Vec<Fault>)>, ProofError> {
    let mut subjects: Vec<(Entry, Vec<Fault>)> = Vec::new();
    for proof in proofs().iter().filter(|proof| !proof.faults.is_empty()) {
        let Some(entry) = subject(proof, warps)? else {
            continue;
        };
        match subjects
            .iter_mut()
            .find(|(other, _)| other.name == entry.name)
        {
            Some((_, faults)) => faults.extend(proof.faults),
            None => subjects.push((entry, proof.faults.to_vec())),
        }
    }
    for entry in catalog() {
        if !subjects.iter().any(|(other, _)| other.unit == entry.unit) {
            subjects.push((entry, Vec::new()));
        }
    }
    Ok(subjects)
}

/// A mutant that no case tells from the original.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survivor {
    /// The change.
    pub mutant: Mutant,
    /// Whether it is proved that no input can.
    pub equivalent: bool,
}

/// What came of one unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitScore {
    /// Its module.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Mutants that there could be.
    pub possible: usize,
    /// Mutants that were made, faults of the proofs included.
    pub mutants: usize,
    /// Those that no case kills.
    pub survivors: Vec<Survivor>,
    /// Faults of the proofs that a case kills.
    pub faults_killed: Vec<String>,
    /// Faults of the proofs that none kills; must be empty.
    pub faults_missed: Vec<String>,
}

impl UnitScore {
    /// Mutants that some case kills.
    #[must_use]
    pub fn killed(&self) -> usize {
        self.mutants - self.survivors.len()
    }

    /// Mutants that are proved to be no fault.
    #[must_use]
    pub fn equivalent(&self) -> usize {
        self.survivors
            .iter()
            .filter(|survivor| survivor.equivalent)
            .count()
    }

    /// Killed mutants per mutant that is not proved equivalent, in percent.
    #[must_use]
    pub fn percent(&self) -> f64 {
        let faulty = self.mutants - self.equivalent();
        if faulty == 0 {
            100.0
        } else {
            100.0 * self.killed() as f64 / faulty as f64
        }
    }
}

impl fmt::Display for UnitScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnitScore {
            name,
            mutants,
            possible,
            ..
        } = self;
        let (killed, equivalent) = (self.killed(), self.equivalent());
        let percent = self.percent();
        write!(
            f,
            "{name}: {mutants} of {possible} mutants, {killed} killed, {equivalent} equivalent, {percent:.1} %"
        )
    }
}

/// Makes all mutants of `entry`, replays `draw` against each, and compares what survives with the original. `faults` are
/// those of the proofs about the unit. Writes its files to folder `dir`.
///
/// # Errors
/// [`MutateError`]
pub fn score(
    entry: &Entry,
    faults: &[Fault],
    draw: Draw,
    dir: &Path,
) -> Result<UnitScore, MutateError> {
    let text = verilog(entry)?;
    let cases = entry.property_cases(draw.seed, draw.cases);
    let (schema, rest) = Schema::new(&entry.name, &text, entry.joins, faults, draw.mutants)?;
    let bench = Bench::build(dir, entry, &schema.verilog(true))?;
    let mutants = schema.mutants();
    let numbers: Vec<_> = mutants.iter().map(|mutant| mutant.number).collect();
    // A few cases kill most. What they leave is compared with the original before the others are replayed: no case could
    // ever kill what is equivalent.
    let (few, others) = cases.split_at(cases.len() / FEW);
    let killed = bench.replay(few, &numbers)?;
    let alive = |mutant: &&Mutant| killed[mutant.number - 1].is_none();
    let mut left: Vec<_> = mutants.iter().filter(alive).collect();
    // If not many are left, to replay all cases takes less time than to compare, which may not be needed then.
    if left.len() <= QUICKLY_REPLAYED {
        let numbers: Vec<_> = left.iter().map(|mutant| mutant.number).collect();
        let mut killed = bench.replay(others, &numbers)?.into_iter();
        left.retain(|_| killed.next().flatten().is_none());
    }
    let same = match &left[..] {
        [] => Vec::new(),
        left => equivalent(dir, &entry.name, &schema, left)?,
    };
    let faulty = left.iter().zip(&same).filter(|&(_, &same)| !same);
    let numbers: Vec<_> = faulty.map(|(mutant, _)| mutant.number).collect();
    let killed = bench.replay(others, &numbers)?;
    let killed: HashSet<_> = (numbers.into_iter().zip(killed))
        .filter_map(|(number, killed)| killed.map(|_| number))
        .collect();
    let (survivors, equivalent): (Vec<_>, Vec<_>) = (left.into_iter().zip(same))
        .filter(|(mutant, _)| !killed.contains(&mutant.number))
        .unzip();
    let mut score = UnitScore {
        name: entry.name.clone(),
        unit: entry.unit.to_owned(),
        possible: schema.possible() + rest.len(),
        mutants: mutants.len() + rest.len(),
        survivors: Vec::new(),
        faults_killed: Vec::new(),
        faults_missed: Vec::new(),
    };
    for fault in faults {
        let apart = rest.iter().any(|other| other.name == fault.name);
        let dead = if apart {
            let dir = dir.join("fault");
            std::fs::create_dir_all(&dir).map_err(ToolError::io("cannot create a folder"))?;
            let faulty = Schema::without_mutants(&fault.apply(&entry.name, &text)?)?;
            let bench = Bench::build(&dir, entry, &faulty.verilog(true))?;
            matches!(bench.replay(&cases, &[]), Err(MutateError::Unsound { .. }))
        } else {
            !survivors
                .iter()
                .any(|mutant| mutant.operator == Operator::Fault && mutant.to == fault.to)
        };
        if dead {
            &mut score.faults_killed
        } else {
            &mut score.faults_missed
        }
        .push(fault.name.to_owned());
    }
    score.survivors = survivors
        .into_iter()
        .zip(equivalent)
        .map(|(mutant, equivalent)| Survivor {
            mutant: mutant.clone(),
            equivalent,
        })
        .collect();
    Ok(score)
}
