//! Reference of `flux`: from each face's two states, in `f64`.

use super::compare::{Expectation, Inputs, Mismatch, Values, sum_tolerance};

const FACES: usize = 4;
const PARTS: usize = 5;
const SHAPES: usize = 16;
const GHOSTS: usize = 16;
const GAMMA: f64 = 1.4;
/// Roundings on the longest way from a state to a change, generously: a gradient of four faces, a state at the face, its energy,
/// flux and wave, and the sum over the faces.
const ROUNDINGS: usize = 64;

/// Density, velocity, pressure.
type State = [f64; PARTS];

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let links = inputs.integers("links")?;
    let shapes = inputs.floats("shapes")?;
    let states = inputs.floats("states")?;
    let cells = inputs.count(4)?;
    let state = |place: usize| -> State {
        std::array::from_fn(|part| states[part * (cells + 2 * GHOSTS) + place])
    };
    let shape = |link: usize, from: usize| -> [f64; 3] {
        std::array::from_fn(|axis| shapes[(from + axis) * SHAPES + link % SHAPES])
    };
    let mut changes = vec![(0.0, 0.0); PARTS * cells];
    for cell in 0..cells {
        let own = state(cell + GHOSTS);
        let faces: [usize; FACES] = std::array::from_fn(|f| links[f * cells + cell] as usize);
        let around = faces.map(|link| (shape(link, 3), state(cell + link / SHAPES)));
        for link in faces {
            let here = at_face(&own, &around, shape(link, 3));
            let there = state(cell + link / SHAPES);
            let through = rusanov(&here, &there, shape(link, 0));
            for (part, (flux, magnitude)) in through.into_iter().enumerate() {
                let change = &mut changes[part * cells + cell];
                change.0 -= flux;
                change.1 += sum_tolerance(ROUNDINGS, magnitude);
            }
        }
    }
    Ok(vec![Expectation {
        buffer: "changes",
        values: Values::Near(changes),
    }])
}

/// The state half-way to the centre of a neighbour, after the gradients that the states around give.
fn at_face(own: &State, around: &[([f64; 3], State); FACES], way: [f64; 3]) -> State {
    std::array::from_fn(|part| {
        let towards =
            |there: &[f64; 3]| -> f64 { (0..3).map(|axis| there[axis] * way[axis]).sum() };
        let of_face =
            |(there, state): &([f64; 3], State)| (state[part] - own[part]) * towards(there);
        own[part] + 0.5 * around.iter().map(of_face).sum::<f64>()
    })
}

/// The flux of Rusanov through a face from `here` to `there`, and the sum of its terms' sizes.
fn rusanov(here: &State, there: &State, normal: [f64; 3]) -> [(f64, f64); PARTS] {
    let sides = [here, there].map(|state| {
        let along: [f64; 3] = std::array::from_fn(|axis| state[1 + axis] * normal[axis]);
        let through: f64 = along.iter().sum();
        let size: f64 = along.iter().map(|a| a.abs()).sum();
        let sound = (GAMMA * state[4] / state[0]).sqrt();
        (conserved(state), through, size, sound)
    });
    let wave = sides.map(|(_, through, _, sound)| through.abs() + sound);
    let wave = wave[0].max(wave[1]);
    let pressed = |state: &State, part: usize, through: f64| match part {
        0 => 0.0,
        4 => through * state[4],
        axis => state[4] * normal[axis - 1],
    };
    std::array::from_fn(|part| {
        let (mut flux, mut magnitude) = (0.0, 0.0);
        for (state, (kept, through, size, sound), sign) in
            [(here, sides[0], 1.0), (there, sides[1], -1.0)]
        {
            flux += 0.5
                * (through * kept[part] + pressed(state, part, through) + sign * wave * kept[part]);
            let pressure = pressed(state, part, size).abs();
            magnitude += (size + sound + wave) * kept[part].abs() + pressure;
        }
        (flux, magnitude)
    })
}

/// Density, momentum, energy.
fn conserved(state: &State) -> State {
    let [density, x, y, z, pressure] = *state;
    let energy = pressure / (GAMMA - 1.0) + 0.5 * density * (x * x + y * y + z * z);
    [density, density * x, density * y, density * z, energy]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_gas_flows_as_it_is() {
        let state = [2.0, 3.0, 0.0, 0.0, 1.4];
        let flux = rusanov(&state, &state, [1.0, 0.0, 0.0]).map(|(flux, _)| flux);
        let energy = conserved(&state)[4];
        let expected = [6.0, 2.0 * 9.0 + 1.4, 0.0, 0.0, 3.0 * (energy + 1.4)];
        for (got, wanted) in flux.into_iter().zip(expected) {
            assert!((got - wanted).abs() < 1e-12, "{got}, {wanted}");
        }
    }

    #[test]
    fn gas_at_rest_flows_to_where_less_is_as_fast_as_sound() {
        // Half of the difference in density times the speed of sound, which is 1 here.
        let (here, there) = ([1.4, 0.0, 0.0, 0.0, 1.0], [0.4, 0.0, 0.0, 0.0, 0.1]);
        assert!((rusanov(&here, &there, [0.0, 1.0, 0.0])[0].0 - 0.5).abs() < 1e-12);
    }

    #[test]
    fn the_state_at_a_face_follows_the_slope() {
        let own = [1.0; PARTS];
        let mut around = [([0.0; 3], own); FACES];
        around[2] = ([1.0, 0.0, 0.0], [2.0; PARTS]);
        assert_eq!(at_face(&own, &around, [1.0, 7.0, 7.0]), [1.5; PARTS]);
        assert_eq!(at_face(&own, &around, [0.0, 7.0, 7.0]), own);
    }
}
