//! Reference of `treescore`: each coefficient of the spectrum by its definition, in wide integers; the signature as a
//! polynomial.

use super::compare::{Expectation, Inputs, Mismatch, Values};

/// Bases of a read, and points of a transform.
const POINTS: usize = 16;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let child = inputs.integers("child")?;
    let profile = inputs.integers("profile")?;
    let rounds = inputs.count(4)?;
    let ctas = inputs.grid()[0];
    let signatures: Vec<u32> = inputs
        .integers("reads")?
        .iter()
        .map(|&read| signature(&path(&child, read)))
        .collect();
    let threads = profile.len() / ctas;
    let scores = profile
        .iter()
        .enumerate()
        .map(|(thread, &own)| {
            let cta = thread / threads;
            let met = &signatures[cta * rounds..(cta + 1) * rounds];
            let score: i64 = met
                .iter()
                .map(|&signature| roughness(&points(signature ^ own as u32)))
                .sum();
            score.rem_euclid(1 << 32)
        })
        .collect();
    Ok(vec![Expectation {
        buffer: "score",
        values: Values::Exact(scores),
    }])
}

/// The nodes that follow node 0 where the bases are those of `read`.
fn path(child: &[i64], read: i64) -> Vec<i64> {
    let bases = (0..POINTS).map(|step| (read >> (2 * step)) % 4);
    bases
        .scan(0, |node, base| {
            *node = child[(*node ^ base) as usize];
            Some(*node)
        })
        .collect()
}

/// The polynomial whose coefficients are the nodes, highest first, at 5, modulo 2^32.
fn signature(path: &[i64]) -> u32 {
    let terms = path.iter().rev().zip(0..);
    let sum: i128 = terms
        .map(|(&node, degree)| i128::from(node) * 5_i128.pow(degree))
        .sum();
    sum as u32
}

/// The pairs of bits of a signature, lowest first.
fn points(signature: u32) -> [i64; POINTS] {
    std::array::from_fn(|i| i64::from(signature / 4_u32.pow(i as u32) % 4))
}

/// Sum of the products of neighbours in the Walsh-Hadamard spectrum.
fn roughness(points: &[i64; POINTS]) -> i64 {
    let spectrum: [i64; POINTS] = std::array::from_fn(|k| {
        let signed = points.iter().enumerate().map(|(i, point)| {
            if (i & k).count_ones() % 2 == 0 {
                *point
            } else {
                -point
            }
        });
        signed.sum()
    });
    spectrum.windows(2).map(|pair| pair[0] * pair[1]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walk_takes_the_child_that_the_base_chooses() {
        // Children of 0 are 4, 5, 6, 7 and all others lead back to 0; the read has bases 2, 1, 3, 0, 0, ...
        let child = [4, 5, 6, 7, 0, 0, 0, 0];
        let path = path(&child, 0b11_01_10);
        assert_eq!(path[..6], [6, 0, 7, 0, 4, 0]);
        assert_eq!(path.len(), POINTS);
    }

    #[test]
    fn signature_weighs_the_last_node_least() {
        assert_eq!(signature(&[2, 0, 1]), 51);
    }

    #[test]
    fn flat_points_have_no_neighbours_in_the_spectrum() {
        // Only coefficient 0 is not zero.
        assert_eq!(roughness(&points(0x5555_5555)), 0);
    }

    #[test]
    fn lone_point_has_a_spectrum_of_equal_size_and_its_signs_count() {
        // A point at 0: sixteen ones. A point at 1: signs alternate.
        assert_eq!(roughness(&points(1)), 15);
        assert_eq!(roughness(&points(4)), -15);
    }
}
