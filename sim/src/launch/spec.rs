//! What a launch file says, checked as far as it can be without reading other files.

use std::ops::Range;

use super::element::{ElementType, Number};
use super::source::Source;

/// A launch file that has been read.
#[derive(Debug, Clone)]
pub struct LaunchSpec {
    /// Entry name in the PTX file.
    pub kernel: String,
    /// CTAs in x, y, z; each at least 1.
    pub grid: [u32; 3],
    /// Threads per CTA in x, y, z; each at least 1, together at most 1024.
    pub block: [u32; 3],
    /// Scratchpad per CTA beyond what the kernel declares, in bytes.
    pub dynamic_scratchpad_bytes: u32,
    /// The arguments in order.
    pub arguments: Vec<Argument>,
    /// The buffers in order of first mention.
    pub buffers: Vec<BufferSpec>,
    /// What to compare afterwards.
    pub checks: Vec<CheckSpec>,
    /// What to save afterwards.
    pub saves: Vec<SaveSpec>,
    pub(super) source: Source,
    pub(super) kernel_span: Range<usize>,
    pub(super) argument_spans: Vec<Range<usize>>,
}

/// One kernel argument.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// A value.
    Scalar {
        /// Its type.
        element: ElementType,
        /// Its bytes, little-endian.
        bytes: Vec<u8>,
    },
    /// The address of a buffer.
    Buffer {
        /// Index into [`LaunchSpec::buffers`].
        index: usize,
    },
}

/// A buffer in global memory.
#[derive(Debug, Clone, PartialEq)]
pub struct BufferSpec {
    /// Its name.
    pub name: String,
    /// Type of its elements.
    pub element: ElementType,
    /// Elements, at least 1; `None`: as many as the `.npy` file has.
    pub length: Option<u64>,
    /// What is in it at the start.
    pub contents: Contents,
    pub(super) span: Range<usize>,
}

/// What a buffer holds at the start. [`super::contents`] defines the values.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // the fields are documented in `contents`
pub enum Contents {
    /// All bytes zero.
    Zeros,
    /// The same value everywhere.
    Constant { value: Number },
    /// `start`, `start + step`, ...
    Iota { start: Number, step: Number },
    /// Independent values, uniform from `min` to `max`.
    Random { seed: u64, min: Number, max: Number },
    /// 0, then each element its predecessor plus a random value from `min` to `max`: row offsets, cumulated weights.
    RunningSum { seed: u64, min: Number, max: Number },
    /// The elements of a NumPy file.
    Npy { file: String },
}

/// A comparison after the run.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckSpec {
    /// Index into [`LaunchSpec::buffers`].
    pub buffer: usize,
    /// With what to compare.
    pub expected: Expected,
    /// `|got - expected| <= abs + rel * |expected|`; both zero demands equal bits (any NaN equals any NaN).
    pub abs: f64,
    /// See `abs`.
    pub rel: f64,
    pub(super) span: Range<usize>,
}

/// The right side of a check.
#[derive(Debug, Clone, PartialEq)]
pub enum Expected {
    /// A NumPy file.
    Npy(String),
    /// Another buffer, by index into [`LaunchSpec::buffers`].
    Buffer(usize),
}

/// A buffer to write to a NumPy file after the run.
#[derive(Debug, Clone, PartialEq)]
pub struct SaveSpec {
    /// Index into [`LaunchSpec::buffers`].
    pub buffer: usize,
    /// The file, relative to the folder given to `save`.
    pub file: String,
    /// Shape in the file; `None`: one dimension.
    pub shape: Option<Vec<u64>>,
    pub(super) span: Range<usize>,
}
