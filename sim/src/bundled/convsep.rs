//! Reference of `convsep`: the 7 x 7 convolution that the two passes together are, in `f64`.

use super::compare::{Expectation, Inputs, Mismatch, Values, sum_tolerance};

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let values = convolve(
        &inputs.floats("in")?,
        &inputs.floats("taps")?,
        inputs.count(3)?,
    );
    Ok(vec![Expectation {
        buffer: "out",
        values: Values::Near(values),
    }])
}

fn convolve(image: &[f64], taps: &[f64], width: usize) -> Vec<(f64, f64)> {
    let height = image.len() / width;
    let radius = taps.len() / 2;
    let near = |centre: usize, tap: usize, size: usize| {
        (centre + tap).saturating_sub(radius).min(size - 1)
    };
    (0..image.len())
        .map(|at| {
            let (x, y) = (at % width, at / width);
            let (mut sum, mut magnitude) = (0.0, 0.0);
            for (j, vertical) in taps.iter().enumerate() {
                for (i, horizontal) in taps.iter().enumerate() {
                    let pixel = image[near(y, j, height) * width + near(x, i, width)];
                    let term = vertical * horizontal * pixel;
                    sum += term;
                    magnitude += term.abs();
                }
            }
            // Two passes, each a sum over the taps.
            (sum, sum_tolerance(2 * taps.len(), magnitude))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(image: &[f64], taps: &[f64], width: usize) -> Vec<f64> {
        convolve(image, taps, width)
            .into_iter()
            .map(|(sum, _)| sum)
            .collect()
    }

    #[test]
    fn single_tap_in_the_middle_leaves_the_image() {
        let image = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(sums(&image, &[0.0, 1.0, 0.0], 3), image);
    }

    #[test]
    fn first_tap_shifts_and_the_border_repeats() {
        let image = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(
            sums(&image, &[1.0, 0.0, 0.0], 3),
            [1.0, 1.0, 2.0, 1.0, 1.0, 2.0]
        );
    }
}
