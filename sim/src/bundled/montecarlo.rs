//! Reference of `montecarlo`: the chains one after the other; states exactly, prices in `f64`.

use super::compare::{Expectation, Inputs, Mismatch, Values, sum_tolerance};

const CHAINS: u32 = 4;
/// Roundings of a price in one step: the uniform number, two products, one sum.
const STEP_ROUNDINGS: usize = 4;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let (steps, start) = (inputs.count(3)?, inputs.number(4)?);
    let (strike, volatility) = (inputs.number(5)?, inputs.number(6)?);
    let mut payoffs = Vec::new();
    let mut states = Vec::new();
    for seed in inputs.integers("seeds")? {
        let ends: Vec<(f64, u32)> = (0..CHAINS)
            .map(|chain| {
                let seed = (seed as u32)
                    .wrapping_add(chain)
                    .wrapping_mul(2_654_435_761)
                    | 1;
                walk(Xorshift(seed), steps, start, volatility)
            })
            .collect();
        let payoff = ends
            .iter()
            .map(|(price, _)| (price - strike).max(0.0))
            .sum::<f64>()
            / f64::from(CHAINS);
        let magnitude = ends
            .iter()
            .map(|(price, _)| price + strike)
            .fold(0.0, f64::max);
        payoffs.push((payoff, sum_tolerance(steps * STEP_ROUNDINGS, magnitude)));
        states.push(
            ends.iter()
                .fold(0, |mix, (_, state)| mix ^ i64::from(*state)),
        );
    }
    Ok(vec![
        Expectation {
            buffer: "payoff",
            values: Values::Near(payoffs),
        },
        Expectation {
            buffer: "last_state",
            values: Values::Exact(states),
        },
    ])
}

/// Marsaglia's generator with the shifts 13, 17, 5.
struct Xorshift(u32);

impl Iterator for Xorshift {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        for shift in [13, -17, 5] {
            self.0 ^= if shift > 0 {
                self.0 << shift
            } else {
                self.0 >> -shift
            };
        }
        Some(self.0)
    }
}

/// Price and state of the generator after the last step.
fn walk(draws: Xorshift, steps: usize, start: f64, volatility: f64) -> (f64, u32) {
    let seed = draws.0;
    draws.take(steps).fold((start, seed), |(price, _), draw| {
        let uniform = f64::from(draw as i32) / f64::from(1_u32 << 31);
        (price * (1.0 + volatility * uniform), draw)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generator_gives_marsaglias_sequence() {
        let first: Vec<u32> = Xorshift(1).take(4).collect();
        assert_eq!(first, [270_369, 67_634_689, 2_647_435_461, 307_599_695]);
    }

    #[test]
    fn price_without_volatility_stays() {
        assert_eq!(walk(Xorshift(7), 100, 42.0, 0.0).0, 42.0);
    }

    #[test]
    fn one_step_moves_the_price_by_the_drawn_part_of_the_volatility() {
        let expected = 10.0 * (1.0 + 0.5 * 270_369.0 / 2_147_483_648.0);
        assert_eq!(walk(Xorshift(1), 1, 10.0, 0.5), (expected, 270_369));
    }
}
