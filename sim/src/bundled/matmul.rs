//! Reference of `matmul`: the product as a sum of outer products, in `f64`.

use super::compare::{Expectation, Inputs, Mismatch, Values, sum_tolerance};

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let (a, b) = (inputs.floats("a")?, inputs.floats("b")?);
    let (columns, inner) = (inputs.count(3)?, inputs.count(4)?);
    let product = product(&a, &b, columns, inner);
    let absolute = |values: &[f64]| -> Vec<f64> { values.iter().map(|v| v.abs()).collect() };
    let magnitude = self::product(&absolute(&a), &absolute(&b), columns, inner);
    let values = product
        .into_iter()
        .zip(magnitude)
        .map(|(value, magnitude)| (value, sum_tolerance(inner, magnitude)))
        .collect();
    Ok(vec![Expectation {
        buffer: "c",
        values: Values::Near(values),
    }])
}

/// Row-major `a * b`, where `a` has `inner` columns and `b` has `columns`.
fn product(a: &[f64], b: &[f64], columns: usize, inner: usize) -> Vec<f64> {
    let rows = a.len() / inner;
    let mut c = vec![0.0; rows * columns];
    for (k, b_row) in b.chunks_exact(columns).enumerate() {
        for (row, c_row) in c.chunks_exact_mut(columns).enumerate() {
            let factor = a[row * inner + k];
            for (sum, value) in c_row.iter_mut().zip(b_row) {
                *sum += factor * value;
            }
        }
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_with_the_identity_is_the_other_factor() {
        let a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let identity = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        assert_eq!(product(&a, &identity, 3, 3), a);
    }

    #[test]
    fn product_of_a_row_and_a_column_is_their_inner_product() {
        assert_eq!(product(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0], 1, 3), [32.0]);
        assert_eq!(
            product(&[2.0, 3.0], &[5.0, 7.0], 2, 1),
            [10.0, 14.0, 15.0, 21.0]
        );
    }
}
