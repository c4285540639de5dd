//! Scores that are committed, each with what it follows from, so that those of large units need not be made in each run.

use super::{Draw, MutateError, UnitScore};
use crate::catalog::Entry;
use crate::cost::digest;
use crate::package::verilog;
use crate::proof::Fault;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Scores by name of the module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Record(BTreeMap<String, Recorded>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Recorded {
    /// Digest of what it follows from.
    origin: String,
    score: UnitScore,
}

impl Record {
    /// From JSON; none where the text is no record.
    #[must_use]
    pub fn from_json(text: &str) -> Record {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// As JSON.
    ///
    /// # Panics
    /// Never: a record can be written.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a record can be written") + "\n"
    }

    /// The score of module `name`, if it was made from just this `origin`.
    #[must_use]
    pub fn get(&self, name: &str, origin: &str) -> Option<&UnitScore> {
        let recorded = self.0.get(name)?;
        (recorded.origin == origin).then_some(&recorded.score)
    }

    /// Records a score.
    pub fn insert(&mut self, origin: String, score: UnitScore) {
        let name = score.name.clone();
        self.0.insert(name, Recorded { origin, score });
    }
}

/// A digest of all that the score of `entry` follows from, but for the programs that make it: the Verilog, the faults of its proofs,
/// and the cases with the model's answers.
///
/// # Errors
/// [`MutateError::Export`]
pub fn origin(entry: &Entry, faults: &[Fault], draw: Draw) -> Result<String, MutateError> {
    let mut text = verilog(entry)?;
    for Fault { name, from, to } in faults {
        text += &format!("{name}\n{from}\n{to}\n");
    }
    text += &format!("{draw:?}\n");
    for case in entry.property_cases(draw.seed, draw.cases) {
        text += &case.vectors();
        text.push('\n');
    }
    Ok(digest(&text))
}
