//! What a buffer holds at the start: the exact rules, which never change, so that a seed means the same everywhere.
//!
//! Random numbers come from ChaCha with 8 rounds, its 256-bit key being the seed as 8 little-endian bytes followed by
//! 24 zero bytes, nonce and counter zero. Every element takes one 64-bit output `x`, in order.
//! - Integer types: `min + floor(x * (max - min + 1) / 2^64)`.
//! - Floating-point types: `min + (max - min) * floor(x / 2^11) / 2^53` in `f64`, rounded to the type.
//!
//! `running_sum` starts with 0 and adds one such draw per element after the first (floating-point types sum in `f64`
//! and round at the end). `iota` is `start + i * step`, floating-point types in `f64`, then rounded.

use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

use super::element::{ElementType, Number};
use super::spec::Contents;

/// Whether all elements fit the type.
pub(super) fn fits(contents: &Contents, element: ElementType, length: u64) -> bool {
    let (min, max) = element.integer_range();
    let last = i128::from(length) - 1;
    match contents {
        Contents::Zeros | Contents::Npy { .. } => true,
        Contents::Constant { value } => element.encode(*value).is_some(),
        Contents::Iota { start, step } => match (start, step) {
            (Number::Int(start), Number::Int(step)) if !element.is_float() => step
                .checked_mul(last)
                .and_then(|rise| rise.checked_add(*start))
                .is_some_and(|end| (min..=max).contains(&end)),
            _ => {
                let end = start.to_f64() + step.to_f64() * last as f64;
                element.is_float() && element.encode(Number::Float(end)).is_some()
            }
        },
        Contents::Random { min, max, .. } => {
            element.encode(*min).is_some() && element.encode(*max).is_some()
        }
        Contents::RunningSum {
            min: low,
            max: high,
            ..
        } => match (low, high) {
            (Number::Int(low), Number::Int(high)) if !element.is_float() => {
                [low, high].iter().all(|draw| {
                    draw.checked_mul(last)
                        .is_some_and(|end| (min..=max).contains(&end))
                })
            }
            _ => [low, high].iter().all(|draw| {
                element
                    .encode(Number::Float(draw.to_f64() * last as f64))
                    .is_some()
            }),
        },
    }
}

/// Fills `bytes`, whole elements, according to `contents`. `.npy` files are read elsewhere: their bytes stay zero.
pub(super) fn fill(contents: &Contents, element: ElementType, bytes: &mut [u8]) {
    let size = element.size_bytes() as usize;
    let mut put = |next: &mut dyn FnMut(u64) -> Number| {
        for (index, place) in bytes.chunks_exact_mut(size).enumerate() {
            if let Some(value) = element.encode(next(index as u64)) {
                place.copy_from_slice(&value);
            }
        }
    };
    match contents {
        Contents::Zeros | Contents::Npy { .. } => {}
        Contents::Constant { value } => put(&mut |_| *value),
        Contents::Iota { start, step } => put(&mut |index| match (start, step) {
            (Number::Int(start), Number::Int(step)) => {
                Number::Int(start + step * i128::from(index))
            }
            _ => Number::Float(start.to_f64() + step.to_f64() * index as f64),
        }),
        Contents::Random { seed, min, max } => {
            let mut draws = Draws::new(*seed, *min, *max, element);
            put(&mut |_| draws.next());
        }
        Contents::RunningSum { seed, min, max } => {
            let mut draws = Draws::new(*seed, *min, *max, element);
            let mut sum = if element.is_float() {
                Number::Float(0.0)
            } else {
                Number::Int(0)
            };
            put(&mut |index| {
                if index > 0 {
                    sum = match (sum, draws.next()) {
                        (Number::Int(sum), Number::Int(draw)) => Number::Int(sum + draw),
                        (sum, draw) => Number::Float(sum.to_f64() + draw.to_f64()),
                    };
                }
                sum
            });
        }
    }
}

/// The random numbers of one buffer.
struct Draws {
    generator: ChaCha8Rng,
    min: Number,
    max: Number,
    float: bool,
}

impl Draws {
    fn new(seed: u64, min: Number, max: Number, element: ElementType) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let generator = ChaCha8Rng::from_seed(key);
        Self {
            generator,
            min,
            max,
            float: element.is_float(),
        }
    }

    fn next(&mut self) -> Number {
        let draw = self.generator.next_u64();
        match (self.min, self.max) {
            (Number::Int(min), Number::Int(max)) if !self.float => {
                // The span of a 64-bit type is at most 2^64, so the product fits 128 bits.
                let span = (max - min + 1) as u128;
                let offset = if span > u128::from(u64::MAX) {
                    u128::from(draw)
                } else {
                    (u128::from(draw) * span) >> 64
                };
                Number::Int(min + offset as i128)
            }
            (min, max) => {
                let fraction = (draw >> 11) as f64 / (1_u64 << 53) as f64;
                Number::Float(min.to_f64() + (max.to_f64() - min.to_f64()) * fraction)
            }
        }
    }
}
