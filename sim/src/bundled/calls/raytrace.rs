//! Reference of `raytrace`: rays and things in `f64`, boxes and spheres as stretches of a ray.
//!
//! Where a comparison is so near that rounding decides it, the pixel may have any value; a test says how few these are.

use super::compare::{Expectation, Inputs, Mismatch, Values};
use std::cell::Cell;

/// How near the numbers of a comparison may be before the pixel counts as undecided.
const DOUBT: f64 = 1.0e-3;
/// How far a decided pixel may be off: distances are good to some 1e-3 at the rim of a sphere, and enter divided by 8.
const TOLERANCE: f64 = 5.0e-4;

pub(super) fn reference(inputs: &Inputs<'_>) -> Result<Vec<Expectation>, Mismatch> {
    let (centres, sizes) = (inputs.floats("centres")?, inputs.floats("sizes")?);
    let things = centres.chunks_exact(3).zip(sizes);
    let scene = Scene {
        things: things
            .zip(inputs.integers("kinds")?)
            .map(|((centre, size), kind)| Thing {
                centre: [centre[0], centre[1], centre[2]],
                size,
                kind,
            })
            .collect(),
        doubtful: Cell::new(false),
    };
    let width = inputs.count(4)?;
    let pixels = 128 * inputs.grid()[0];
    let values = (0..pixels).map(|pixel| {
        let x = ((pixel % width) as f64 - (width - 1) as f64 / 2.0) / 16.0;
        let y = (7.5 - (pixel / width) as f64) / 8.0;
        scene.light(x, y)
    });
    Ok(vec![Expectation {
        buffer: "image",
        values: Values::Near(values.collect()),
    }])
}

type Vector = [f64; 3];

struct Thing {
    centre: Vector,
    size: f64,
    kind: i64,
}

struct Scene {
    things: Vec<Thing>,
    /// Whether rounding may have decided something.
    doubtful: Cell<bool>,
}

fn dot(a: Vector, b: Vector) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn unit(a: Vector) -> Vector {
    a.map(|v| v / dot(a, a).sqrt())
}

fn along(from: Vector, to: Vector, t: f64) -> Vector {
    [0, 1, 2].map(|axis| from[axis] + t * to[axis])
}

impl Scene {
    /// The light on a pixel and how far off it may be.
    fn light(&self, x: f64, y: f64) -> (f64, f64) {
        self.doubtful.set(false);
        let eye = [0.0, 0.0, -6.0];
        let to = unit([x, y, 2.0]);
        let light = match self.nearest(eye, to) {
            None => 0.25 + 0.125 * y,
            Some((t, kind)) => {
                let at = along(eye, to, t);
                let lamp = [4.0, 6.0, -5.0];
                let dark = self.nearest(at, unit(along(lamp, at, -1.0))).is_some();
                let own = 1.0 + kind as f64 / 4.0;
                own / if dark { 2.0 } else { 1.0 } / (1.0 + t / 8.0)
            }
        };
        let tolerance = match self.doubtful.get() {
            true => f64::INFINITY,
            false => TOLERANCE,
        };
        (light, tolerance)
    }

    /// How far the nearest thing is, and its kind.
    fn nearest(&self, from: Vector, to: Vector) -> Option<(f64, i64)> {
        let met = self.things.iter().filter_map(|thing| {
            let (enter, leave) = self.stretch(thing, from, to)?;
            let met = self.less(enter, leave) & self.less(0.01, enter);
            met.then_some((enter, thing.kind))
        });
        let best = met.reduce(|a, b| if self.less(b.0, a.0) { b } else { a });
        best.filter(|(t, _)| self.less(*t, 1000.0))
    }

    /// The part of a ray's line that is inside a thing; a disc is as thin as can be.
    fn stretch(&self, thing: &Thing, from: Vector, to: Vector) -> Option<(f64, f64)> {
        let away = along(thing.centre, from, -1.0);
        match thing.kind {
            0 => {
                let middle = dot(away, to);
                let off = dot(away, away) - middle * middle;
                let half = thing.size * thing.size - off;
                if self.less(half, 0.0) {
                    return None;
                }
                let half = half.max(0.0).sqrt();
                // The kernel takes a ray that grazes.
                Some((middle - half, f64::INFINITY))
            }
            1 => {
                let t = away[1] / to[1];
                let at = along(away, to, -t);
                let inside = self.less(at[0] * at[0] + at[2] * at[2], thing.size * thing.size);
                inside.then_some((t, f64::INFINITY))
            }
            _ => {
                let slabs = [0, 1, 2].map(|axis| {
                    let ends = [-1.0, 1.0].map(|side| (away[axis] + side * thing.size) / to[axis]);
                    (ends[0].min(ends[1]), ends[0].max(ends[1]))
                });
                let enter = slabs.iter().map(|slab| slab.0).fold(-1000.0, f64::max);
                Some((
                    enter,
                    slabs.iter().map(|slab| slab.1).fold(1000.0, f64::min),
                ))
            }
        }
    }

    /// `a < b`; where they are near, the pixel becomes doubtful.
    fn less(&self, a: f64, b: f64) -> bool {
        let near = (a - b).abs() <= DOUBT * a.abs().min(b.abs()).max(1.0);
        self.doubtful.set(self.doubtful.get() || near);
        a < b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(kind: i64) -> Scene {
        Scene {
            things: vec![Thing {
                centre: [0.0, -1.0, 4.0],
                size: 1.5,
                kind,
            }],
            doubtful: Cell::new(false),
        }
    }

    #[test]
    fn things_are_met_where_geometry_says() {
        let towards = unit([0.0, -1.0, 4.0]);
        let far = 17.0_f64.sqrt();
        let meets = |kind| scene(kind).nearest([0.0; 3], towards).map(|(t, _)| t);
        assert!((meets(0).unwrap() - (far - 1.5)).abs() < 1.0e-9);
        assert!((meets(1).unwrap() - far).abs() < 1.0e-9);
        // The front of the box is at z = 2.5.
        assert!((meets(2).unwrap() - far * 2.5 / 4.0).abs() < 1.0e-9);
        assert_eq!(scene(0).nearest([0.0; 3], [0.0, 0.0, -1.0]), None);
    }

    #[test]
    fn few_pixels_are_in_doubt_and_all_kinds_are_seen() {
        let bundled = crate::bundled::find("raytrace").unwrap();
        let launch = bundled.prepare().unwrap();
        let found = reference(&Inputs::new(&launch)).unwrap();
        let Values::Near(values) = &found[0].values else {
            panic!("near")
        };
        let doubtful = values.iter().filter(|v| v.1.is_infinite()).count();
        assert!(doubtful * 20 < values.len(), "{doubtful}");
        let sky = values.iter().filter(|v| v.0 < 0.375).count();
        assert!(
            sky > values.len() / 8 && sky < values.len() * 7 / 8,
            "{sky}"
        );
    }
}
