//! The bundled kernels that call functions: what CARS measures has calls, recursion and dispatch by kind.
//!
//! They are small: a run takes some ten thousand cycles on one SM. Functions are kept by `noinline`, and callers hold values
//! over their calls, so that what is called has registers to save.

mod collide;
mod fibonacci;
mod gemm;
mod gravity;
mod interpret;
mod life;
mod raytrace;
mod reach;

use super::{Bundled, Calls, compare};

static CALLING: [Bundled; 8] = [
    bundled!(
        raytrace,
        "two rays per pixel, things of three kinds",
        "Raytracing",
        Calls::Indirect
    ),
    bundled!(
        gravity,
        "gravity between bodies of a tile",
        "NBody",
        Calls::Direct
    ),
    bundled!(
        life,
        "game of life, four cells at a time",
        "Game of Life",
        Calls::Direct
    ),
    bundled!(
        collide,
        "balls that touch push each other",
        "Collision",
        Calls::Direct
    ),
    bundled!(
        reach,
        "nine steps through a graph, a function each",
        "Points-to Analysis",
        Calls::Direct
    ),
    bundled!(
        interpret,
        "stack machine, a function per operation",
        "interpreters",
        Calls::Indirect
    ),
    bundled!(
        fibonacci,
        "recursion in two, and 40 deep",
        "Fibonacci",
        Calls::Recursive
    ),
    bundled!(
        gemm,
        "matrix product in five layers of functions",
        "Bert, Resnet50 (Cutlass)",
        Calls::Direct
    ),
];

/// All of them, in the order in which they are listed.
pub(super) fn calling() -> &'static [Bundled] {
    &CALLING
}

#[cfg(test)]
mod compared;
#[cfg(test)]
mod tests;
