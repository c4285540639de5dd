//! Reference of `spmv`: the matrix as a list of (row, column, value), in `f64`.

use super::compare::{Expectation, Inputs, Mismatch, Values, sum_tolerance};

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let first = inputs.integers("first")?;
    let (column, value) = (inputs.integers("column")?, inputs.floats("value")?);
    let values = multiply(&first, &column, &value, &inputs.floats("x")?);
    Ok(vec![Expectation {
        buffer: "y",
        values: Values::Near(values),
    }])
}

fn multiply(first: &[i64], column: &[i64], value: &[f64], x: &[f64]) -> Vec<(f64, f64)> {
    let rows = first.len() - 1;
    let mut y = vec![(0.0, 0.0, 0); rows];
    let used = first[rows] as usize;
    for (at, (&column, &value)) in column.iter().zip(value).take(used).enumerate() {
        // The row whose range holds this entry; empty rows are skipped by taking the last that starts here.
        let row = first.partition_point(|&start| start as usize <= at) - 1;
        let term = value * x[column as usize];
        y[row].0 += term;
        y[row].1 += term.abs();
        y[row].2 += 1;
    }
    y.into_iter()
        .map(|(sum, magnitude, terms)| (sum, sum_tolerance(terms, magnitude)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_summed_and_empty_rows_are_zero() {
        // [0 2 0; 0 0 0; 3 0 4] * [5 6 7]; the last entry is unused.
        let y = multiply(
            &[0, 1, 1, 3],
            &[1, 0, 2, 0],
            &[2.0, 3.0, 4.0, 9.0],
            &[5.0, 6.0, 7.0],
        );
        let sums: Vec<f64> = y.into_iter().map(|(sum, _)| sum).collect();
        assert_eq!(sums, [12.0, 0.0, 43.0]);
    }
}
