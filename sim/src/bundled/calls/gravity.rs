//! Reference of `gravity`: pairs within a tile, in `f64`, each pull by its distance to the power of 3/2.

use super::compare::{Expectation, Inputs, Mismatch, Values, sum_tolerance};

/// Bodies of a tile, as in the kernel.
const BODIES: usize = 128;
/// Added to the squared distance, as in the kernel: the `f32` nearest to 0.01.
const SOFTENING: f64 = 0.01_f32 as f64;
/// Extra relative error of a term, in roundings: as in `nbody`.
const TERM_ROUNDINGS: usize = 10;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let bodies = inputs.floats("bodies")?;
    let others = inputs.count(2)?;
    let bodies: Vec<&[f64]> = bodies.chunks_exact(4).collect();
    let mut values = Vec::new();
    for tile in bodies.chunks(BODIES) {
        for body in tile {
            let felt = acceleration(body, &tile[..others]);
            let terms = others + TERM_ROUNDINGS;
            values.extend(felt.map(|(sum, magnitude)| (sum, sum_tolerance(terms, magnitude))));
        }
    }
    Ok(vec![Expectation {
        buffer: "acceleration",
        values: Values::Near(values),
    }])
}

/// Per axis the sum and the sum of absolute values.
fn acceleration(body: &[f64], others: &[&[f64]]) -> [(f64, f64); 3] {
    [0, 1, 2].map(|axis| {
        let term = |other: &&[f64]| {
            let squared: f64 = (0..3).map(|a| (other[a] - body[a]).powi(2)).sum();
            other[3] * (other[axis] - body[axis]) / (squared + SOFTENING).powf(1.5)
        };
        let terms = others.iter().map(term);
        terms.fold((0.0, 0.0), |(sum, all), term| {
            (sum + term, all + term.abs())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn body_between_two_equal_ones_feels_nothing() {
        let around: [&[f64]; 2] = [&[1.0, 2.0, 3.0, 5.0], &[-1.0, -2.0, -3.0, 5.0]];
        for (sum, magnitude) in acceleration(&[0.0; 4], &around) {
            assert!(sum.abs() < 1.0e-12 && magnitude > 0.1);
        }
    }
}
