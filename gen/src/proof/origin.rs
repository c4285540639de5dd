//! What is asked about a proof, beside what is asked about the hardware, and what the answers follow from.

use super::{Fault, Proof, ProofError, ProofResult, Recipe, array, run::subject, selector};
use crate::cost::digest;
use crate::mutate::Schema;
use crate::package::verilog;
use serde::{Deserialize, Serialize};

/// That a proof says something: how many of its events happen, and which faults it finds. It follows from texts alone, [`origin`],
/// and takes as long as the proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Events that are reachable.
    pub events_reached: usize,
    /// Names of the faults that it finds.
    pub killed: Vec<String>,
}

impl Evidence {
    /// What a run of the proof has shown.
    #[must_use]
    pub fn of(result: &ProofResult) -> Evidence {
        let killed = result.mutants_killed.iter().copied();
        Evidence {
            events_reached: result.events_reached.0,
            killed: killed.map(str::to_owned).collect(),
        }
    }

    pub(super) fn finds(&self, fault: &Fault) -> bool {
        self.killed.iter().any(|name| name == fault.name)
    }
}

/// A digest of all that the [`Evidence`] for `proof` in its main size, for `warps` warps, follows from, but for the programs that
/// find it: the Verilog, without and with faults, the property file, and what the programs are told.
///
/// # Errors
/// [`ProofError::Export`], or [`ProofError::Place`] if a fault has no place.
pub fn origin(proof: &Proof, warps: u64) -> Result<String, ProofError> {
    let entry = subject(proof, warps)?;
    let text = entry.as_ref().map(verilog).transpose()?.unwrap_or_default();
    let recipe = Recipe::new(proof, entry.as_ref(), warps);
    let mut parts = vec![recipe.property.clone(), recipe.abc("", "")];
    for defines in recipe.questions().into_iter().chain([&["VACUITY"][..]]) {
        parts.push(recipe.yosys("property.sv", "dut.v", defines));
    }
    parts.extend(recipe.with_events());
    parts.push(proof.events.to_string());
    if proof.arrays {
        parts.push(array::MAP.1.to_owned());
    }
    for Fault { name, from, to } in proof.faults {
        parts.extend([name, from, to].map(|text| (*text).to_owned()));
    }
    if !proof.faults.is_empty() {
        let (schema, numbers) = Schema::of_faults(recipe.module, &text, proof.faults)?;
        parts.push(schema.verilog(false));
        parts.push(format!("{numbers:?}"));
        parts.push(selector::added_to(&recipe.property));
    }
    parts.push(text);
    Ok(digest(&parts.join("\0")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::proofs;

    #[test]
    fn the_origin_is_another_one_when_size_faults_events_or_scripts_are() {
        let all = proofs();
        let find = |name: &str| {
            *all.iter()
                .find(|proof| proof.name == name)
                .expect("a proof")
        };
        let proof = find("find_first_zero");
        let of = |proof: &Proof, warps| origin(proof, warps).expect("offered in that size");
        let plain = of(&proof, 48);
        assert_eq!(of(&proof, 48), plain);
        let other = |change: &dyn Fn(&mut Proof)| {
            let mut proof = proof;
            change(&mut proof);
            of(&proof, 48)
        };
        let fewer = &proof.faults[1..];
        let different = [
            of(&proof, 64),
            other(&|proof| proof.faults = fewer),
            other(&|proof| proof.events += 1),
            other(&|proof| proof.frames += 1),
            other(&|proof| proof.defines = &["OTHER"]),
            other(&|proof| proof.lemmas = !proof.lemmas),
            other(&|proof| proof.places = !proof.places),
            of(&find("warp_priority"), 48),
        ];
        for (at, origin) in different.iter().enumerate() {
            assert_ne!(*origin, plain, "{at}");
            assert!(!different[..at].contains(origin), "{at}");
        }
    }
}
