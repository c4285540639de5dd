//! Rows recorded of modules while kernels ran in the SM model: committed, and given to the benches beside the directed ones.
//!
//! Runs are made where the SM model is known; here is what becomes of their rows. A unit inside a top has those that the top's
//! Verilog gives it ([`inside`]), a top that no run uses has the inputs of the units that it joins ([`join`]).

pub mod inside;
pub mod join;
mod table;

pub use table::{DATA, Origin, Run, RunError, RunTable, run_vectors_name};

use crate::catalog::Entry;
use crate::recording::{Recording, Row};

/// What the model of `entry` answers to `inputs`, from power-on. A row whose flag is false is a look-up.
#[must_use]
pub fn answered(entry: &Entry, inputs: &[(Vec<u64>, bool)]) -> Recording {
    let mut model = entry.model();
    let rows = inputs.iter().map(|(inputs, edge)| {
        let mut outputs = Vec::new();
        match edge {
            true => model.cycle(inputs, &mut outputs),
            false => model.look_up(inputs, &mut outputs),
        }
        Row {
            inputs: inputs.clone(),
            outputs,
            edge: *edge,
        }
    });
    Recording {
        inputs: entry.inputs.clone(),
        outputs: entry.outputs.clone(),
        rows: rows.collect(),
    }
}

/// The first row of `recording` that the model of `entry` answers otherwise.
#[must_use]
pub fn first_disputed(entry: &Entry, recording: &Recording) -> Option<usize> {
    let inputs: Vec<_> = (recording.rows.iter())
        .map(|row| (row.inputs.clone(), row.edge))
        .collect();
    let answers = answered(entry, &inputs);
    (answers.rows.iter().zip(&recording.rows)).position(|(answer, row)| answer != row)
}

/// The rows of a larger size on the pins of `entry`, if each value fits and its model answers the same: the run used no more
/// of the larger one.
#[must_use]
pub fn narrowed(entry: &Entry, recording: &Recording) -> Option<Recording> {
    let pins = entry.inputs.iter().chain(&entry.outputs);
    let wide = recording.inputs.iter().chain(&recording.outputs);
    let same = (pins.clone().count() == wide.clone().count())
        && pins
            .clone()
            .zip(wide)
            .all(|(pin, wide)| pin.name == wide.name);
    let fits = |row: &Row| {
        let values = row.inputs.iter().chain(&row.outputs);
        (pins.clone().zip(values))
            .all(|(pin, value)| pin.width_bits >= 64 || value >> pin.width_bits == 0)
    };
    let narrow = Recording {
        inputs: entry.inputs.clone(),
        outputs: entry.outputs.clone(),
        rows: recording.rows.clone(),
    };
    let same = same && recording.rows.iter().all(fits);
    (same && first_disputed(entry, &narrow).is_none()).then_some(narrow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::select;

    fn entry(name: &str) -> Entry {
        select(&[name.to_owned()], &[])
            .expect("in the catalog")
            .remove(0)
    }

    #[test]
    fn the_model_answers_its_own_vectors_and_disputes_a_wrong_one() {
        for name in [
            "srp_allocator_w48",
            "release_flag_cache_e2",
            "power_gate_l3",
        ] {
            let (entry, good) = (entry(name), entry(name).recording());
            assert_eq!(first_disputed(&entry, &good), None, "{name}");
            assert_eq!(
                first_disputed(&entry, &good.corrupted(9)),
                Some(9),
                "{name}"
            );
        }
    }

    #[test]
    fn rows_go_to_a_smaller_size_only_where_they_fit_and_mean_the_same() {
        let (small, large) = (entry("paired_lock_w16"), entry("paired_lock_w48"));
        let rows = small.recording();
        let of_large = Recording {
            inputs: large.inputs.clone(),
            ..rows.clone()
        };
        assert_eq!(
            narrowed(&small, &of_large).map(|narrow| narrow.rows),
            Some(rows.rows)
        );
        assert_eq!(narrowed(&small, &large.recording()), None);
        assert_eq!(narrowed(&entry("reg_map_w16_p512"), &of_large), None);
    }
}
