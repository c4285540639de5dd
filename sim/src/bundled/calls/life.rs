//! Reference of `life`: the living cells of a board as a set, and how often each cell is a neighbour of one.

use super::compare::{Expectation, Inputs, Mismatch, Values};
use std::collections::{BTreeMap, BTreeSet};

/// Side of a board, as in the kernel.
const SIDE: usize = 64;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let start = inputs.integers("start")?;
    let generations = inputs.count(2)?;
    let mut end = Vec::new();
    for board in start.chunks_exact(SIDE * SIDE) {
        let cells = (0..board.len()).filter(|&at| board[at] != 0);
        let mut living: BTreeSet<_> = cells.map(|at| (at / SIDE, at % SIDE)).collect();
        for _ in 0..generations {
            living = next(&living);
        }
        end.extend((0..board.len()).map(|at| i64::from(living.contains(&(at / SIDE, at % SIDE)))));
    }
    Ok(vec![Expectation {
        buffer: "end",
        values: Values::Exact(end),
    }])
}

/// Born with three neighbours, alive with two or three.
fn next(living: &BTreeSet<(usize, usize)>) -> BTreeSet<(usize, usize)> {
    let mut neighbours: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for &(row, column) in living {
        for near in 0..9 {
            let at = (
                (row + SIDE + near / 3 - 1) % SIDE,
                (column + SIDE + near % 3 - 1) % SIDE,
            );
            if near != 4 {
                *neighbours.entry(at).or_default() += 1;
            }
        }
    }
    let lives =
        |(cell, count): &((usize, usize), u32)| *count == 3 || *count == 2 && living.contains(cell);
    let after = neighbours.into_iter().filter(lives);
    after.map(|(cell, _)| cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_in_a_row_turn_and_turn_back_also_over_the_edge() {
        for column in [10, 0] {
            let row: BTreeSet<_> = [SIDE - 1, 0, 1].map(|c| (5, (c + column) % SIDE)).into();
            let turned: BTreeSet<_> = [4, 5, 6].map(|row| (row, column)).into();
            assert_eq!(next(&row), turned);
            assert_eq!(next(&turned), row);
        }
    }
}
