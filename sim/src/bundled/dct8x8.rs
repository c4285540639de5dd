//! Reference of `dct8x8`: the definition as a sum of cosines, in `f64`.

use std::f64::consts::PI;

use super::compare::{Expectation, Inputs, Mismatch, Values};

/// Coefficients stay below 1024, the quantum's inverse below 1: two transforms in `f32` and a product are off by less
/// than 20 roundings of 2^-24 of that.
const SLACK: f64 = 2.0e-3;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let inverse_quantum = inputs.floats("inverse_quantum")?;
    let values = inputs
        .floats("in")?
        .chunks_exact(64)
        .flat_map(|block| {
            let scaled: Vec<f64> = spectrum(block)
                .iter()
                .zip(&inverse_quantum)
                .map(|(c, q)| c * q)
                .collect();
            scaled
        })
        .collect();
    Ok(vec![Expectation {
        buffer: "out",
        values: Values::Rounded {
            values,
            slack: SLACK,
        },
    }])
}

/// Orthonormal DCT-II of a block, both axes; element `v * 8 + u` belongs to vertical frequency `v`, horizontal `u`.
fn spectrum(block: &[f64]) -> Vec<f64> {
    let mut cosines = [[0.0; 8]; 8];
    for (frequency, row) in cosines.iter_mut().enumerate() {
        let scale = if frequency == 0 {
            0.125_f64.sqrt()
        } else {
            0.5
        };
        for (at, cosine) in row.iter_mut().enumerate() {
            *cosine = scale * (PI / 8.0 * (at as f64 + 0.5) * frequency as f64).cos();
        }
    }
    (0..64)
        .map(|index| {
            let (vertical, horizontal) = (&cosines[index / 8], &cosines[index % 8]);
            let pixel = |at: usize| block[at] * vertical[at / 8] * horizontal[at % 8];
            (0..64).map(pixel).sum()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_block_has_only_a_mean() {
        let spectrum = spectrum(&[3.0; 64]);
        assert!((spectrum[0] - 24.0).abs() < 1.0e-12);
        assert!(spectrum[1..].iter().all(|c| c.abs() < 1.0e-12));
    }

    #[test]
    fn energy_is_kept() {
        let block: Vec<f64> = (0..64).map(|i| f64::from((i * 37) % 101)).collect();
        let energy = |values: &[f64]| values.iter().map(|v| v * v).sum::<f64>();
        assert!((energy(&block) / energy(&spectrum(&block)) - 1.0).abs() < 1.0e-12);
    }

    #[test]
    fn slope_along_a_row_is_a_horizontal_frequency() {
        let block: Vec<f64> = (0..64).map(|i| f64::from(i % 8)).collect();
        let spectrum = spectrum(&block);
        assert!(spectrum[1].abs() > 10.0);
        assert!(spectrum[8].abs() < 1.0e-12);
    }
}
