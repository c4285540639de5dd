//! Reference of `collide`: every pair in wide integers, with the integer root of the library.

use super::compare::{Expectation, Inputs, Mismatch, Values};

/// Balls of a cell, as in the kernel.
const BALLS: usize = 128;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let balls = inputs.integers("balls")?;
    let others = inputs.count(3)?;
    let balls: Vec<&[i64]> = balls.chunks_exact(4).collect();
    let (mut push, mut touched) = (Vec::new(), Vec::new());
    for cell in balls.chunks(BALLS) {
        for (own, ball) in cell.iter().enumerate() {
            let met = (own + 1..=own + others).map(|at| cell[at % BALLS]);
            let forces: Vec<i64> = met.filter_map(|other| force(ball, other)).collect();
            push.push(forces.iter().sum());
            touched.push(forces.len() as i64);
        }
    }
    let exact = |buffer, values| Expectation {
        buffer,
        values: Values::Exact(values),
    };
    Ok(vec![exact("push", push), exact("touched", touched)])
}

/// What the second does to the first, if they overlap.
fn force(ball: &[i64], other: &[i64]) -> Option<i64> {
    let square = (ball[0] - other[0]).pow(2) + (ball[1] - other[1]).pow(2);
    let reach = (ball[2] + other[2]) / 2;
    // The root is rounded down, so that an overlap of less than 1 counts as 1.
    (square < reach * reach).then(|| (reach - square.isqrt()) * other[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_that_only_touch_do_nothing_and_nearer_ones_push_by_mass() {
        let ball = [0, 0, 10, 1];
        assert_eq!(force(&ball, &[6, 8, 10, 7]), None);
        assert_eq!(force(&ball, &[3, 4, 10, 7]), Some(5 * 7));
        assert_eq!(force(&[3, 4, 10, 1], &[0, 0, 10, 2]), Some(5 * 2));
    }
}
