//! Reference of `nbody`: every pair, in `f64`.

use super::compare::{Expectation, Inputs, Mismatch, Values, sum_tolerance};

/// Bodies of a box, as in the kernel.
const BODIES: usize = 192;
/// Added to the squared distance, as in the kernel: the `f32` nearest to 0.01.
const SOFTENING: f64 = 0.01_f32 as f64;
/// Extra relative error of a term: `rsqrt.approx` is good to 2^-22.9 and enters three times, the squared distance to
/// 2^-22 at most enters at the power of 3/2; together below ten roundings.
const TERM_ROUNDINGS: usize = 10;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let bodies: Vec<[f64; 4]> = inputs
        .floats("bodies")?
        .chunks_exact(4)
        .map(|b| [b[0], b[1], b[2], b[3]])
        .collect();
    let boxes: Vec<&[[f64; 4]]> = bodies.chunks(BODIES).collect();
    let mut values = Vec::new();
    for (index, own) in boxes.iter().enumerate() {
        let next = boxes[(index + 1) % boxes.len()];
        for body in *own {
            let felt = acceleration(body, own.iter().chain(next));
            let terms = 2 * BODIES + TERM_ROUNDINGS;
            values.extend(felt.map(|(sum, magnitude)| (sum, sum_tolerance(terms, magnitude))));
        }
    }
    Ok(vec![Expectation {
        buffer: "acceleration",
        values: Values::Near(values),
    }])
}

/// Per axis the sum and the sum of absolute values.
fn acceleration<'a>(
    body: &[f64; 4],
    others: impl Iterator<Item = &'a [f64; 4]>,
) -> [(f64, f64); 3] {
    let mut felt = [(0.0, 0.0); 3];
    for other in others {
        let towards = [0, 1, 2].map(|axis| other[axis] - body[axis]);
        let squared = SOFTENING + towards.iter().map(|d| d * d).sum::<f64>();
        for (felt, towards) in felt.iter_mut().zip(towards) {
            let term = towards * other[3] * squared.powf(-1.5);
            *felt = (felt.0 + term, felt.1 + term.abs());
        }
    }
    felt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_equal_bodies_pull_each_other_equally() {
        let bodies = [[0.0, 0.0, 0.0, 2.0], [1.0, 2.0, -1.0, 2.0]];
        let [a, b] = bodies.map(|body| acceleration(&body, bodies.iter()));
        for axis in 0..3 {
            assert_eq!(a[axis].0, -b[axis].0);
        }
    }

    #[test]
    fn pull_falls_with_the_square_of_the_distance() {
        let pull = |distance: f64| acceleration(&[0.0; 4], [[distance, 0.0, 0.0, 1.0]].iter())[0].0;
        assert!((pull(100.0) * 1.0e4 - 1.0).abs() < 1.0e-5);
        assert!((pull(10.0) / pull(20.0) - 4.0).abs() < 1.0e-3);
        assert_eq!(pull(0.0), 0.0);
    }
}
