//! The bundled kernels that need more registers than the others, 50 to 70 per thread: so many that they lose CTAs to them on
//! machines with 64 K registers for 2048 threads, as the kernels of RegDem's paper do.
//!
//! They are apart from the others: with more than the 48 or so registers of those, they would not fit on the smaller machines
//! under all schemes.

mod flux;
mod forest;
mod transport;

use super::{Bundled, Calls, compare};

static DEMANDING: [Bundled; 3] = [
    bundled!(
        transport,
        "neutrons: binary searches in cross sections, 56 sums in registers",
        "Monte Carlo transport"
    ),
    bundled!(
        forest,
        "votes of random trees for 40 classes",
        "classification"
    ),
    bundled!(
        flux,
        "second-order flux of a gas on an unstructured grid",
        "fluid dynamics"
    ),
];

/// All of them, in the order in which they are listed.
pub(super) fn demanding() -> &'static [Bundled] {
    &DEMANDING
}
