//! Reference of `stencil3d`: a list of offsets with weights, in `f64`.

use super::compare::{Expectation, Inputs, Mismatch, Values, sum_tolerance};

/// Cells of a row, as in the kernel.
const PITCH: usize = 72;
const RADIUS: usize = 3;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let weights = [
        inputs.number(4)?,
        inputs.number(5)?,
        inputs.number(6)?,
        inputs.number(7)?,
    ];
    let grid = inputs.grid();
    let inside = [grid[0] * 32, grid[1] * 8, inputs.count(3)? - 2 * RADIUS];
    let values = sweep(
        &inputs.floats("in")?,
        PITCH,
        inputs.count(2)?,
        inside,
        weights,
    );
    Ok(vec![Expectation {
        buffer: "out",
        values: Values::Near(values),
    }])
}

/// Value and tolerance of each cell; padding stays zero.
fn sweep(
    cells: &[f64],
    pitch: usize,
    rows: usize,
    inside: [usize; 3],
    weights: [f64; 4],
) -> Vec<(f64, f64)> {
    let strides = [1, pitch, pitch * rows];
    let mut taps = vec![(0_isize, weights[0])];
    for stride in strides {
        for distance in 1..=RADIUS {
            let offset = (stride * distance) as isize;
            taps.extend([(offset, weights[distance]), (-offset, weights[distance])]);
        }
    }
    let within = |position: usize, extent: usize| (RADIUS..RADIUS + extent).contains(&position);
    (0..cells.len())
        .map(|at| {
            let position = [at % pitch, at / pitch % rows, at / strides[2]];
            if !position
                .iter()
                .zip(inside)
                .all(|(&position, extent)| within(position, extent))
            {
                return (0.0, 0.0);
            }
            let terms = taps
                .iter()
                .map(|&(offset, weight)| weight * cells[at.wrapping_add_signed(offset)]);
            let (sum, magnitude) =
                terms.fold((0.0, 0.0), |(s, m), term: f64| (s + term, m + term.abs()));
            (sum, sum_tolerance(taps.len(), magnitude))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_volume_is_multiplied_by_the_sum_of_the_weights() {
        let out = sweep(&[2.0; 343], 7, 7, [1, 1, 1], [1.0, 10.0, 100.0, 1000.0]);
        let centre = 3 * 49 + 3 * 7 + 3;
        assert_eq!(out[centre].0, 2.0 * (1.0 + 6.0 * 1110.0));
        assert!(
            out.iter()
                .enumerate()
                .all(|(at, value)| at == centre || value.0 == 0.0)
        );
    }

    #[test]
    fn one_cell_is_seen_from_its_distance_along_each_axis_and_not_diagonally() {
        let mut cells = vec![0.0; 343];
        let at = |x: usize, y: usize, z: usize| z * 49 + y * 7 + x;
        let seen = |cells: &[f64]| {
            sweep(cells, 7, 7, [1, 1, 1], [1.0, 10.0, 100.0, 1000.0])[at(3, 3, 3)].0
        };
        for (cell, weight) in [
            (at(3, 3, 3), 1.0),
            (at(2, 3, 3), 10.0),
            (at(3, 5, 3), 100.0),
            (at(3, 3, 0), 1000.0),
            (at(2, 2, 3), 0.0),
        ] {
            cells[cell] = 1.0;
            assert_eq!(seen(&cells), weight);
            cells[cell] = 0.0;
        }
    }
}
