//! Reference of `transport`: energies found by counting, moments as powers, summed at once for the detector, in `f64`.

use super::compare::{Expectation, Inputs, Mismatch, Values, sum_tolerance};

const REACTIONS: usize = 7;
const MOMENTS: i32 = 8;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let grid = inputs.integers("energy")?;
    let sections = inputs.floats("sections")?;
    let (steps, detector) = (inputs.count(4)?, inputs.number(5)?);
    let neutrons: Vec<Vec<Collision>> = (inputs.integers("seeds")?.iter())
        .flat_map(|&seed| std::iter::repeat_n(seed as u32, 32))
        .zip(0..)
        .map(|(seed, neutron)| collisions(seed, neutron).take(steps).collect())
        .collect();
    let scores = (0..REACTIONS).flat_map(|reaction| {
        let (grid, sections) = (&grid, &sections);
        (neutrons.iter()).map(move |met| {
            let (mut score, mut magnitude) = (0.0, 0.0);
            for collision in met {
                let (section, size) = section(grid, sections, reaction, collision.energy);
                let x = collision.cosine * detector;
                score += section * series(x);
                magnitude += size * series(x.abs());
            }
            // Each moment is multiplied up from the one before, and evaluated in as many steps.
            let roundings = 4 * MOMENTS as usize + met.len();
            (score, sum_tolerance(roundings, magnitude))
        })
    });
    Ok(vec![Expectation {
        buffer: "scores",
        values: Values::Near(scores.collect()),
    }])
}

struct Collision {
    energy: i64,
    cosine: f64,
}

/// What a neutron meets: xorshift for the energy, a linear congruence for the direction.
fn collisions(seed: u32, neutron: u32) -> impl Iterator<Item = Collision> {
    let energies = std::iter::successors(Some(seed), |&random| {
        let random = random ^ random << 13;
        let random = random ^ random >> 17;
        Some(random ^ random << 5)
    });
    let directions = std::iter::successors(Some(seed ^ neutron), |direction| {
        Some(
            direction
                .wrapping_mul(1_664_525)
                .wrapping_add(1_013_904_223),
        )
    });
    energies
        .zip(directions)
        .map(|(random, direction)| Collision {
            energy: i64::from(random / 16),
            cosine: f64::from(direction as i32) / 2_f64.powi(31),
        })
}

/// The cross section at an energy on the line between two points of the grid, and a bound of what it is computed from.
fn section(grid: &[i64], sections: &[f64], reaction: usize, energy: i64) -> (f64, f64) {
    let point = grid.iter().filter(|&&start| start <= energy).count() - 1;
    let [below, above] = [0, 1].map(|next| sections[(point + next) * REACTIONS + reaction]);
    let part = (energy - grid[point]) as f64 / f64::from(1 << 18);
    (
        (1.0 - part) * below + part * above,
        below.abs() + above.abs(),
    )
}

/// 1 + x + x^2 + ... as far as there are moments.
fn series(x: f64) -> f64 {
    (0..MOMENTS).map(|power| x.powi(power)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cross_section_lies_on_the_line_between_the_points_of_the_grid() {
        let grid = [0, 1 << 18, 2 << 18];
        let mut sections = [0.0; 4 * REACTIONS];
        sections[REACTIONS + 3] = 2.0;
        sections[2 * REACTIONS + 3] = 4.0;
        let at = |energy| section(&grid, &sections, 3, energy).0;
        assert_eq!(at(0), 0.0);
        assert_eq!(at(1 << 18), 2.0);
        assert_eq!(at(3 << 17), 3.0);
    }

    #[test]
    fn eight_moments_at_one_count_eight() {
        assert_eq!(series(1.0), 8.0);
        assert_eq!(series(0.0), 1.0);
        assert_eq!(series(-1.0), 0.0);
    }
}
