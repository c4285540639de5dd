//! What the score of a unit follows from.

use super::{Draw, MutateError};
use crate::catalog::Entry;
use crate::cost::digest;
use crate::package::verilog;
use crate::proof::Fault;

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
