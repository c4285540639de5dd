//! Reference of `interpret`: a machine with its stack as a list.

use super::compare::{Expectation, Inputs, Mismatch, Values};
use std::collections::VecDeque;

/// Threads of a CTA, as in the launch file.
const THREADS: usize = 128;
/// Longest path that an operation follows.
const PATH: usize = 8;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let code = inputs.integers("code")?;
    let length = inputs.count(3)?;
    let programs: Vec<&[i64]> = code.chunks_exact(length).collect();
    let values = inputs.integers("values")?.into_iter().enumerate();
    let results = values.map(|(thread, value)| {
        let warp = thread % THREADS / 32;
        i64::from(run(programs[warp % 2], value as u32))
    });
    Ok(vec![Expectation {
        buffer: "results",
        values: Values::Exact(results.collect()),
    }])
}

fn run(program: &[i64], x: u32) -> u32 {
    let mut stack = VecDeque::from([x; 4]);
    for (at, word) in (0..).zip(program) {
        let beside = stack[0] % 2 == 1 && word / 8 % 2 == 1;
        let code = (word % 8 + i64::from(beside)) % 8;
        let result = operation(code, stack[0], stack[1]);
        if word / 16 % 2 == 1 {
            stack.drain(..2);
            stack.push_front(result);
            stack.push_back(x.wrapping_add(at));
        } else {
            stack.rotate_left(1);
            stack[3] = result;
        }
    }
    stack[0] ^ stack[1]
}

fn operation(code: i64, a: u32, b: u32) -> u32 {
    match code {
        0 => a.wrapping_add(b),
        1 => b.wrapping_sub(a),
        2 => a.wrapping_mul(b),
        3 => a.rotate_left(b % 32),
        4 => a.max(b),
        _ => b.wrapping_add(path(a)),
    }
}

/// Steps of Collatz's path from `a` to 1, at most so many.
fn path(a: u32) -> u32 {
    let next = |&a: &u32| match a {
        0 | 1 => None,
        a if a % 2 == 0 => Some(a / 2),
        a => Some(a.wrapping_mul(3).wrapping_add(1)),
    };
    (std::iter::successors(Some(a), next).take(PATH + 1).count() - 1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_end_at_one_or_are_cut() {
        assert_eq!([0, 1, 2, 8, 3, 27].map(path), [0, 0, 1, 3, 7, 8]);
    }

    #[test]
    fn word_with_bit_16_keeps_its_result_on_top_and_others_turn_the_stack() {
        // 5 + 5 on top of 5; then the product of the two at the end, and 5 xor 5.
        assert_eq!(run(&[16], 5), 10 ^ 5);
        assert_eq!(run(&[2], 5), 0);
        // 4 is even, 5 is odd: bit 8 makes the difference of it a product.
        assert_eq!(run(&[1 + 8 + 16], 4), 4);
        assert_eq!(run(&[1 + 8 + 16], 5), 25 ^ 5);
    }
}
