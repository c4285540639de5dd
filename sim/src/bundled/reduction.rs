//! Reference of `reduction`: plain sums and maxima per slice.

use super::compare::{Expectation, Inputs, Mismatch, Values};

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let slices = inputs.integers("in")?;
    let (sums, largest) = slices.chunks(inputs.count(3)?).map(reduce).unzip();
    Ok(vec![
        Expectation {
            buffer: "sums",
            values: Values::Exact(sums),
        },
        Expectation {
            buffer: "largest",
            values: Values::Exact(largest),
        },
    ])
}

/// Sum of squares modulo 2^32, and the largest value.
fn reduce(slice: &[i64]) -> (i64, i64) {
    let sum: u128 = slice
        .iter()
        .map(|&value| u128::from(value.unsigned_abs()).pow(2))
        .sum();
    (
        (sum % (1 << 32)) as i64,
        slice.iter().copied().max().unwrap_or(0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_of_squares_wraps_at_32_bits_and_the_maximum_does_not() {
        assert_eq!(reduce(&[3, 4, 1]), (26, 4));
        assert_eq!(reduce(&[0xffff_ffff, 65536]), (1, 0xffff_ffff));
    }
}
