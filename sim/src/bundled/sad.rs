//! Reference of `sad`: all displacements of a block, the least by (sum, position).

use super::compare::{Expectation, Inputs, Mismatch, Values};

/// Pixels around the reference frame, as in the kernel.
const BORDER: usize = 4;
/// Least displacement, as in the kernel.
const FIRST: usize = 2;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let (current, reference) = (inputs.integers("current")?, inputs.integers("reference")?);
    let (sums, positions) = search(&current, &reference, inputs.count(4)?)
        .into_iter()
        .unzip();
    Ok(vec![
        Expectation {
            buffer: "best_sad",
            values: Values::Exact(sums),
        },
        Expectation {
            buffer: "best_position",
            values: Values::Exact(positions),
        },
    ])
}

fn search(current: &[i64], reference: &[i64], width: usize) -> Vec<(i64, i64)> {
    let (across, height) = (width / 4, current.len() / width);
    let pitch = width + 2 * BORDER;
    let mut best = Vec::new();
    for block in 0..across * (height / 4) {
        let (left, top) = (block % across * 4, block / across * 4);
        let candidates = (0..16).map(|position| {
            let (dx, dy) = (position % 4 + BORDER - FIRST, position / 4 + BORDER - FIRST);
            let differences = (0..16).map(|pixel| {
                let (x, y) = (left + pixel % 4, top + pixel / 4);
                (current[y * width + x] - reference[(y + dy) * pitch + x + dx]).abs()
            });
            (differences.sum(), position as i64)
        });
        best.extend(candidates.min());
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An 8 x 4 frame with distinct pixels and the reference in which it moved by (dx, dy).
    fn frames(dx: usize, dy: usize) -> (Vec<i64>, Vec<i64>) {
        let current: Vec<i64> = (0..32).map(|i| i * 7 % 255).collect();
        let mut reference = vec![1000; 16 * 12];
        for (at, &pixel) in current.iter().enumerate() {
            reference[(at / 8 + dy) * 16 + at % 8 + dx] = pixel;
        }
        (current, reference)
    }

    #[test]
    fn frame_that_did_not_move_is_found_at_displacement_zero() {
        let (current, reference) = frames(4, 4);
        assert_eq!(search(&current, &reference, 8), [(0, 10), (0, 10)]);
    }

    #[test]
    fn frame_that_moved_is_found_where_it_went() {
        let (current, reference) = frames(5, 2);
        assert_eq!(search(&current, &reference, 8), [(0, 3), (0, 3)]);
    }

    #[test]
    fn ties_go_to_the_first_position() {
        assert_eq!(search(&[5; 16], &[7; 144], 4), [(32, 0)]);
    }
}
