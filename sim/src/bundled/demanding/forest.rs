//! Reference of `forest`: of each tree the leaf whose whole path agrees with the sample, looked for among all leaves.

use super::compare::{Expectation, Inputs, Mismatch, Values};

const LEVELS: u32 = 5;
const LEAVES: usize = 1 << LEVELS;
const CLASSES: usize = 40;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let nodes = inputs.integers("nodes")?;
    let votes = inputs.integers("votes")?;
    let samples = inputs.integers("samples")?;
    let (trees, pitch) = (inputs.count(4)?, inputs.count(5)?);
    let threads = inputs.integers("best")?.len();
    let best = (0..threads).map(|thread| {
        let sample: Vec<i64> = samples
            .iter()
            .skip(thread)
            .step_by(pitch)
            .copied()
            .collect();
        let leaves: Vec<usize> = (nodes.chunks_exact(LEAVES).take(trees))
            .map(|tree| leaf(tree, &sample))
            .collect();
        winner(&std::array::from_fn(|class| {
            let of_tree = |(tree, leaf): (usize, &usize)| {
                let words = &votes[(tree * CLASSES + class / 2 * 2) / 2 * LEAVES..];
                words[*leaf] >> (16 * (class % 2)) & 0xffff
            };
            leaves.iter().enumerate().map(of_tree).sum()
        }))
    });
    Ok(vec![Expectation {
        buffer: "best",
        values: Values::Exact(best.collect()),
    }])
}

/// The leaf of a tree, its root in word 1, at which every node on the way is left on the side of the sample.
fn leaf(tree: &[i64], sample: &[i64]) -> usize {
    let right = |node: usize| sample[(tree[node] >> 29) as usize] > tree[node] % (1 << 29);
    let agrees = |leaf: &usize| {
        let path = (0..LEVELS).map(|up| (leaf + LEAVES) >> up);
        path.into_iter()
            .all(|child| right(child / 2) == (child % 2 == 1))
    };
    (0..LEAVES).find(agrees).unwrap_or(0)
}

/// The class with most votes, the first of several.
fn winner(votes: &[i64; CLASSES]) -> i64 {
    let most = votes.iter().max();
    (votes.iter().position(|one| Some(one) == most)).unwrap_or(0) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_goes_right_where_it_is_above_the_threshold() {
        // Feature 1 everywhere, threshold 10.
        let tree = [(1 << 29) + 10; LEAVES];
        assert_eq!(leaf(&tree, &[0, 10]), 0);
        assert_eq!(leaf(&tree, &[0, 11]), LEAVES - 1);
        let mut other = tree;
        other[1] = 5;
        assert_eq!(leaf(&other, &[0, 11]), LEAVES / 2 - 1);
    }

    #[test]
    fn the_first_of_equal_classes_wins() {
        let mut votes = [3; CLASSES];
        assert_eq!(winner(&votes), 0);
        votes[7] = 4;
        votes[9] = 4;
        assert_eq!(winner(&votes), 7);
    }
}
