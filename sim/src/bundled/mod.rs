//! The kernels that come with the program: source, PTX, launch file and a reference on the CPU.
//!
//! Each is of a class that the papers use. The sources are in `sim/kernels`; `sim/kernels/build` makes the PTX from
//! them. No result depends on the order in which warps run. The references use other algorithms than the kernels and
//! compute in whole numbers or in `f64`; how far a result may be from them is said and reasoned in each file.

macro_rules! bundled {
    ($name:ident, $summary:literal, $class:literal) => {
        bundled!($name, $summary, $class, Calls::None)
    };
    ($name:ident, $summary:literal, $class:literal, $calls:expr) => {
        Bundled {
            name: stringify!($name),
            summary: $summary,
            class: $class,
            source: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/kernels/",
                stringify!($name),
                "/kernel.cu"
            )),
            ptx: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/kernels/",
                stringify!($name),
                "/kernel.ptx"
            )),
            launch: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/kernels/",
                stringify!($name),
                "/launch.toml"
            )),
            calls: $calls,
            reference: $name::reference,
        }
    };
}

mod bfs;
mod calls;
mod compare;
mod convsep;
mod dct8x8;
mod demanding;
mod histogram;
mod hotspot;
mod matmul;
mod montecarlo;
mod nbody;
mod particlefilter;
mod reduction;
mod sad;
mod spmv;
mod stencil3d;
mod treescore;

pub use compare::{Expectation, Inputs, Mismatch, Values};

use std::path::Path;

use crate::launch::{LaunchError, LaunchSpec, PreparedLaunch};
use crate::memory::image::MemoryImage;

/// A kernel that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct Bundled {
    /// Name, also that of the entry in the PTX.
    pub name: &'static str,
    /// What it computes, in a few words.
    pub summary: &'static str,
    /// The applications of the papers that it stands for.
    pub class: &'static str,
    /// Source in a subset of CUDA C++.
    pub source: &'static str,
    /// PTX made from the source.
    pub ptx: &'static str,
    /// Launch file.
    pub launch: &'static str,
    /// What it calls.
    pub calls: Calls,
    /// What the launch must leave in the buffers that the kernel writes, computed on the CPU.
    pub reference: fn(&Inputs<'_>) -> Result<Vec<Expectation>, Mismatch>,
}

/// What functions a kernel calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// None.
    None,
    /// Such as can be inlined.
    Direct,
    /// Such as can be inlined, some of them through addresses.
    Indirect,
    /// Such as call themselves: only a scheme that keeps calls runs it.
    Recursive,
}

impl Calls {
    /// A word for tables.
    pub fn word(self) -> &'static str {
        match self {
            Calls::None => "",
            Calls::Direct => "direct",
            Calls::Indirect => "indirect",
            Calls::Recursive => "recursive",
        }
    }

    /// Whether a scheme that inlines can run the kernel.
    pub fn can_inline(self) -> bool {
        self != Calls::Recursive
    }
}

static ALL: [Bundled; 14] = [
    bundled!(
        matmul,
        "matrix product, 64 x 64 tiles in scratchpad, 4 x 4 values per thread",
        "SGEMM"
    ),
    bundled!(
        hotspot,
        "heat equation in 2-D, several steps per tile",
        "HotSpot, SRAD"
    ),
    bundled!(
        stencil3d,
        "19-point stencil in 3-D, columns in registers",
        "HotSpot3D, Stencil"
    ),
    bundled!(bfs, "one level of a breadth-first search", "BFS"),
    bundled!(
        reduction,
        "sum of squares and maximum by a tree and shuffles",
        "Reduction, TPACF"
    ),
    bundled!(spmv, "sparse matrix (CSR) times vector", "SPMV"),
    bundled!(
        nbody,
        "gravity between the bodies of neighbouring boxes",
        "LavaMD, CUTCP"
    ),
    bundled!(montecarlo, "option price by simulated paths", "MonteCarlo"),
    bundled!(
        convsep,
        "separable convolution, tile by tile",
        "ConvolutionSeparable, DWT2D"
    ),
    bundled!(
        dct8x8,
        "cosine transform of 8 x 8 blocks and quantisation",
        "DCT8x8"
    ),
    bundled!(sad, "motion search by sums of absolute differences", "SAD"),
    bundled!(
        histogram,
        "histogram of bytes by atomics in scratchpad",
        "Histogram, RadixSort"
    ),
    bundled!(
        particlefilter,
        "tracking with particles: weights, prefix sums, resampling",
        "ParticleFilter"
    ),
    bundled!(
        treescore,
        "walks in a tree, then transforms of 16 points in registers",
        "MUM, BFS, HeartWall"
    ),
];

/// The bundled kernels that call no functions and are not [`demanding`], in the order in which they are listed.
pub fn all() -> &'static [Bundled] {
    &ALL
}

/// The bundled kernels that call functions, listed after the others.
pub fn calling() -> &'static [Bundled] {
    calls::calling()
}

/// The bundled kernels that need more registers than the others, listed last.
pub fn demanding() -> &'static [Bundled] {
    demanding::demanding()
}

/// Every bundled kernel, in the order in which they are listed.
pub fn every() -> impl Iterator<Item = &'static Bundled> {
    ALL.iter().chain(calling()).chain(demanding())
}

/// The bundled kernel of that name.
pub fn find(name: &str) -> Option<&'static Bundled> {
    every().find(|bundled| bundled.name == name)
}

impl Bundled {
    /// Reads the launch file and makes the buffers.
    ///
    /// # Errors
    /// None for the kernels of [`every`]; tests see to it.
    pub fn prepare(&self) -> Result<PreparedLaunch, LaunchError> {
        let path = format!("{}/launch.toml", self.name);
        LaunchSpec::parse(self.launch, &path)?.prepare(Path::new("."))
    }

    /// Compares memory after the run with the reference, and buffers that the kernel does not write with what they
    /// were.
    ///
    /// # Errors
    /// The first element that is wrong, or a buffer that is missing.
    pub fn verify(&self, launch: &PreparedLaunch, memory: &MemoryImage) -> Result<(), Mismatch> {
        let expectations = (self.reference)(&Inputs::new(launch))?;
        compare::against(&expectations, launch, memory)
    }
}

#[cfg(test)]
mod tests;
