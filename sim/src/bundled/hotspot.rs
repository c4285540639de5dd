//! Reference of `hotspot`: whole grids, one step after the other, in `f64`.

use super::compare::{Expectation, Inputs, Mismatch, Values};

/// In each step some eight operations round numbers below 512 by at most 2^-16 each, scaled by 1 or less; over the few
/// steps of a launch that stays far below this.
const TOLERANCE: f64 = 2.0e-3;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let chip = Chip {
        power: inputs.floats("power")?,
        width: inputs.count(3)?,
        across: inputs.number(6)?,
        down: inputs.number(7)?,
        up: inputs.number(8)?,
        ambient: inputs.number(9)?,
        cap: inputs.number(10)?,
    };
    let mut temperature = inputs.floats("temperature")?;
    for _ in 0..inputs.count(5)? {
        temperature = chip.step(&temperature);
    }
    let values = temperature
        .into_iter()
        .map(|value| (value, TOLERANCE))
        .collect();
    Ok(vec![Expectation {
        buffer: "result",
        values: Values::Near(values),
    }])
}

struct Chip {
    power: Vec<f64>,
    width: usize,
    across: f64,
    down: f64,
    up: f64,
    ambient: f64,
    cap: f64,
}

impl Chip {
    fn step(&self, before: &[f64]) -> Vec<f64> {
        let last_row = before.len() / self.width - 1;
        let cell = |x: usize, y: usize| before[y * self.width + x];
        (0..before.len())
            .map(|at| {
                let (x, y) = (at % self.width, at / self.width);
                let here = before[at];
                // What flows in from a neighbour is proportional to the difference; none over the border.
                let vertical = [cell(x, y.saturating_sub(1)), cell(x, (y + 1).min(last_row))];
                let horizontal = [
                    cell(x.saturating_sub(1), y),
                    cell((x + 1).min(self.width - 1), y),
                ];
                let inflow = |sides: [f64; 2]| sides.iter().map(|side| side - here).sum::<f64>();
                let rate = self.power[at]
                    + self.down * inflow(vertical)
                    + self.across * inflow(horizontal)
                    + self.up * (self.ambient - here);
                here + self.cap * rate
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insulated(width: usize, height: usize) -> Chip {
        let power = vec![0.0; width * height];
        Chip {
            power,
            width,
            across: 0.25,
            down: 0.25,
            up: 0.0,
            ambient: 0.0,
            cap: 1.0,
        }
    }

    #[test]
    fn even_temperature_without_power_stays() {
        assert_eq!(insulated(4, 3).step(&[7.0; 12]), [7.0; 12]);
    }

    #[test]
    fn hot_cell_gives_a_quarter_to_each_neighbour_and_heat_is_kept() {
        let mut before = vec![0.0; 9];
        before[4] = 8.0;
        assert_eq!(
            insulated(3, 3).step(&before),
            [0.0, 2.0, 0.0, 2.0, 0.0, 2.0, 0.0, 2.0, 0.0]
        );
        before[0] = 4.0;
        let after = insulated(3, 3).step(&before);
        assert_eq!(after.iter().sum::<f64>(), 12.0);
        assert_eq!(after[0], 2.0);
    }
}
