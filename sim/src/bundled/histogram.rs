//! Reference of `histogram`: sort the bytes and measure the runs.

use super::compare::{Expectation, Inputs, Mismatch, Values};

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let counts = count(&inputs.integers("words")?);
    let before = inputs.integers("bins")?;
    let values = before
        .iter()
        .zip(counts)
        .map(|(before, count)| before + count)
        .collect();
    Ok(vec![Expectation {
        buffer: "bins",
        values: Values::Exact(values),
    }])
}

/// How often each byte value occurs in the words.
fn count(words: &[i64]) -> [i64; 256] {
    let mut bytes: Vec<u8> = words
        .iter()
        .flat_map(|&word| (word as u32).to_be_bytes())
        .collect();
    bytes.sort_unstable();
    let mut counts = [0; 256];
    for run in bytes.chunk_by(|a, b| a == b) {
        counts[usize::from(run[0])] = run.len() as i64;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_four_bytes_of_a_word_count() {
        let counts = count(&[0x0102_0201, 0xff00_0002]);
        let expected = [(0, 2), (1, 2), (2, 3), (255, 1), (3, 0)];
        for (value, times) in expected {
            assert_eq!(counts[value], times, "{value}");
        }
        assert_eq!(counts.iter().sum::<i64>(), 8);
    }
}
