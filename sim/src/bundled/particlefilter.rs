//! Reference of `particlefilter`: whole filters at once, with running sums and a merge instead of a search.

use super::compare::{Expectation, Inputs, Mismatch, Values};

const PARTICLES: usize = 256;
const SENSORS: usize = 8;
/// Positions and readings live on a circle of this length.
const CIRCLE: i64 = 1 << 16;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let (start, seeds) = (inputs.integers("start")?, inputs.integers("seeds")?);
    let readings = inputs.integers("readings")?;
    let steps = inputs.count(5)?;
    let mut positions = Vec::new();
    let mut totals = Vec::new();
    for (start, seeds) in start.chunks(PARTICLES).zip(seeds.chunks(PARTICLES)) {
        let mut places = start.to_vec();
        let mut random = seeds.to_vec();
        let mut total = 0;
        for reading in readings.chunks(SENSORS).take(steps) {
            for (place, random) in places.iter_mut().zip(&mut random) {
                *random = (*random * 1_664_525 + 1_013_904_223) % (1 << 32);
                *place = (*place + *random / (1 << 24)) % CIRCLE;
            }
            let weights: Vec<i64> = places.iter().map(|&place| weight(place, reading)).collect();
            total = weights.iter().sum();
            places = resample(&places, &weights);
        }
        positions.extend(places);
        totals.push(total);
    }
    Ok(vec![
        Expectation {
            buffer: "positions",
            values: Values::Exact(positions),
        },
        Expectation {
            buffer: "totals",
            values: Values::Exact(totals),
        },
    ])
}

/// Sensor `i` sees odd multiple `2 i + 1` of the place; the nearer on the circle, the more weight.
fn weight(place: i64, reading: &[i64]) -> i64 {
    let explained = reading.iter().enumerate().map(|(sensor, seen)| {
        let off = (place * (2 * sensor as i64 + 1) - seen).rem_euclid(CIRCLE);
        (CIRCLE / 2 - off.min(CIRCLE - off)).pow(2) >> 20
    });
    1 + explained.sum::<i64>()
}

/// Draws as many particles as there are, at even steps through the summed weights.
fn resample(places: &[i64], weights: &[i64]) -> Vec<i64> {
    let (count, total) = (places.len() as i64, weights.iter().sum::<i64>());
    let mut chosen = 0;
    let mut sum = weights[0];
    (0..count)
        .map(|draw| {
            while sum <= total * draw / count {
                chosen += 1;
                sum += weights[chosen];
            }
            places[chosen]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_keep_every_particle() {
        assert_eq!(resample(&[10, 20, 30], &[5, 5, 5]), [10, 20, 30]);
    }

    #[test]
    fn heavy_particle_replaces_light_ones() {
        // Sums 1, 2, 9, 10; draws at 0, 2, 5, 7.
        assert_eq!(resample(&[10, 20, 30, 40], &[1, 1, 7, 1]), [10, 30, 30, 30]);
    }

    #[test]
    fn weight_is_greatest_where_all_sensors_agree() {
        let at = |place: i64| {
            (0..8)
                .map(|i| place * (2 * i + 1) % CIRCLE)
                .collect::<Vec<_>>()
        };
        assert_eq!(weight(1234, &at(1234)), 1 + 8 * 1024);
        assert_eq!(weight(0, &[CIRCLE / 2; 8]), 1);
    }
}
