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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::catalog;

    fn score(name: &str) -> UnitScore {
        UnitScore {
            name: name.into(),
            unit: name.into(),
            possible: 3,
            mutants: 2,
            survivors: Vec::new(),
            faults_killed: vec!["a fault".into()],
            faults_missed: Vec::new(),
        }
    }

    #[test]
    fn a_score_is_found_by_its_name_and_just_its_origin_in_what_was_written_too() {
        let mut record = Record::default();
        record.insert("made from this".into(), score("lock"));
        let read = Record::from_json(&record.to_json());
        assert_eq!(read, record);
        assert_eq!(read.get("lock", "made from this"), Some(&score("lock")));
        assert_eq!(read.get("lock", "made from that"), None);
        assert_eq!(read.get("key", "made from this"), None);
        assert_eq!(Record::from_json("no record"), Record::default());
    }

    #[test]
    fn the_origin_is_another_one_when_module_faults_or_draw_are() {
        let find = |name: &str| {
            let entry = catalog().into_iter().find(|entry| entry.name == name);
            entry.expect("in the catalog")
        };
        let (one, other) = (find("find_first_zero_w48"), find("find_first_zero_w64"));
        let draw = Draw {
            seed: 1,
            cases: 2,
            mutants: 5,
        };
        let fault = |to| Fault {
            name: "f",
            from: "a",
            to,
        };
        let of = |entry: &Entry, faults: &[Fault], draw| {
            origin(entry, faults, draw).expect("lint-clean")
        };
        let plain = of(&one, &[], draw);
        assert_eq!(of(&one, &[], draw), plain);
        let different = [
            of(&other, &[], draw),
            of(&one, &[fault("b")], draw),
            of(&one, &[fault("c")], draw),
            of(&one, &[], Draw { seed: 2, ..draw }),
            of(&one, &[], Draw { cases: 3, ..draw }),
            of(&one, &[], Draw { mutants: 6, ..draw }),
        ];
        for (at, origin) in different.iter().enumerate() {
            assert_ne!(*origin, plain);
            assert!(!different[..at].contains(origin));
        }
    }
}
