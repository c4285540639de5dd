//! Reference of `gemm`: the product as a sum of outer products, in `f64`.

use super::compare::{Expectation, Inputs, Mismatch, Values, sum_tolerance};

/// Rows and columns, as in the kernel.
const SIDE: usize = 64;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let (a, b) = (inputs.floats("a")?, inputs.floats("b")?);
    let inner = inputs.count(3)?;
    let mut sums = vec![(0.0, 0.0); SIDE * SIDE];
    for k in 0..inner {
        add_outer(&mut sums, |row| a[row * SIDE + k], &b[k * SIDE..]);
    }
    let near = |(sum, magnitude)| (sum, sum_tolerance(inner, magnitude));
    Ok(vec![Expectation {
        buffer: "c",
        values: Values::Near(sums.into_iter().map(near).collect()),
    }])
}

/// Adds a column times a row; beside each sum that of absolute values.
fn add_outer(sums: &mut [(f64, f64)], column: impl Fn(usize) -> f64, row: &[f64]) {
    for (at, (sum, magnitude)) in sums.iter_mut().enumerate() {
        let product = column(at / SIDE) * row[at % SIDE];
        *sum += product;
        *magnitude += product.abs();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outer_product_of_a_unit_column_is_the_row() {
        let row: Vec<f64> = (0..SIDE).map(|i| i as f64).collect();
        let mut sums = vec![(0.0, 0.0); SIDE * SIDE];
        add_outer(&mut sums, |at| f64::from(u8::from(at == 3)), &row);
        for (at, (sum, _)) in sums.iter().enumerate() {
            assert_eq!(*sum, if at / SIDE == 3 { row[at % SIDE] } else { 0.0 });
        }
    }
}
