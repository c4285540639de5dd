//! Reference of `fibonacci`: the numbers one after the other, and the sum of squares of alternating signs as a triangle.

use super::compare::{Expectation, Inputs, Mismatch, Values};

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let numbers = inputs.integers("numbers")?;
    // n^2 - (n - 1)^2 + ... = n + (n - 1) + ...
    let result = |&n: &i64| fibonacci(n % 8) + n * (n + 1) / 2;
    Ok(vec![Expectation {
        buffer: "results",
        values: Values::Exact(numbers.iter().map(result).collect()),
    }])
}

fn fibonacci(n: i64) -> i64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_known_ones() {
        assert_eq!([0, 1, 2, 7, 10].map(fibonacci), [0, 1, 1, 13, 55]);
    }
}
