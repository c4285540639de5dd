//! Comparing memory after a run with a reference.

use thiserror::Error;

use crate::launch::{BufferInfo, ElementType, Number, PreparedLaunch};
use crate::memory::image::MemoryImage;

/// Why a result is not the reference's.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Mismatch {
    /// An element of a result is wrong.
    #[error("`{buffer}`[{index}] is {got}, expected {wanted}{}", tolerance_text(*.tolerance))]
    Value {
        /// The buffer.
        buffer: String,
        /// The first element that is wrong.
        index: usize,
        /// What is there.
        got: f64,
        /// What should be.
        wanted: f64,
        /// How far off it may be.
        tolerance: f64,
    },
    /// The kernel wrote to a buffer that it should only read.
    #[error("`{buffer}`[{index}] is an input and has changed")]
    InputChanged {
        /// The buffer.
        buffer: String,
        /// The first element that has changed.
        index: usize,
    },
    /// The launch is not one of this kernel: a buffer or argument is missing or too short.
    #[error("the launch does not fit the kernel: {what}")]
    Launch {
        /// What is missing.
        what: String,
    },
}

fn tolerance_text(tolerance: f64) -> String {
    if tolerance == 0.0 {
        String::new()
    } else {
        format!(" within {tolerance:e}")
    }
}

/// What a kernel is given: buffers before the run, and scalars.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    launch: &'a PreparedLaunch,
}

/// What a buffer must hold after the run.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// The buffer.
    pub buffer: &'static str,
    /// Its elements, all of them.
    pub values: Values,
}

/// Expected elements and how near the result must be.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// These numbers.
    Exact(Vec<i64>),
    /// Each within its own tolerance (value, tolerance).
    Near(Vec<(f64, f64)>),
    /// Whole numbers: each value rounded, where a value within `slack` of a half may go either way.
    Rounded {
        /// The values before rounding.
        values: Vec<f64>,
        /// Half the width of the zone in which both neighbours are right.
        slack: f64,
    },
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Exact(values) => values.len(),
            Self::Near(values) => values.len(),
            Self::Rounded { values, .. } => values.len(),
        }
    }

    /// Value and tolerance of an element.
    fn at(&self, index: usize) -> (f64, f64) {
        match self {
            Self::Exact(values) => (values[index] as f64, 0.0),
            Self::Near(values) => values[index],
            Self::Rounded { values, slack } => (values[index], 0.5 + slack),
        }
    }
}

impl<'a> Inputs<'a> {
    /// The inputs of a launch.
    pub fn new(launch: &'a PreparedLaunch) -> Self {
        Self { launch }
    }

    /// The CTAs in x, y, z.
    pub fn grid(&self) -> [usize; 3] {
        self.launch.grid.map(|extent| extent as usize)
    }

    fn elements(&self, name: &str) -> Result<Vec<Number>, Mismatch> {
        self.launch
            .elements(&self.launch.memory, name)
            .ok_or_else(|| missing(name))
    }

    /// A buffer of numbers, before the run.
    ///
    /// # Errors
    /// There is no such buffer.
    pub fn floats(&self, name: &str) -> Result<Vec<f64>, Mismatch> {
        Ok(self
            .elements(name)?
            .into_iter()
            .map(Number::to_f64)
            .collect())
    }

    /// A buffer of integers, before the run.
    ///
    /// # Errors
    /// There is no such buffer, or it holds floating-point numbers.
    pub fn integers(&self, name: &str) -> Result<Vec<i64>, Mismatch> {
        let integer = |element| match element {
            Number::Int(value) => i64::try_from(value).map_err(|_| missing(name)),
            Number::Float(_) => Err(missing(name)),
        };
        self.elements(name)?.into_iter().map(integer).collect()
    }

    /// A scalar argument, as a number.
    ///
    /// # Errors
    /// There is no such argument.
    pub fn number(&self, index: usize) -> Result<f64, Mismatch> {
        let number = self.launch.scalar(index).map(Number::to_f64);
        number.ok_or_else(|| Mismatch::Launch {
            what: format!("argument {index} is missing"),
        })
    }

    /// A scalar argument that counts something.
    ///
    /// # Errors
    /// There is no such argument, or it is negative or a fraction.
    pub fn count(&self, index: usize) -> Result<usize, Mismatch> {
        let count = match self.launch.scalar(index) {
            Some(Number::Int(value)) => usize::try_from(value).ok(),
            _ => None,
        };
        count.ok_or_else(|| Mismatch::Launch {
            what: format!("argument {index} is no count"),
        })
    }
}

fn missing(name: &str) -> Mismatch {
    Mismatch::Launch {
        what: format!("buffer `{name}` is missing or of another type"),
    }
}

/// Compares memory after the run with what is expected; buffers of which nothing is expected must not change.
pub(super) fn against(
    expectations: &[Expectation],
    launch: &PreparedLaunch,
    memory: &MemoryImage,
) -> Result<(), Mismatch> {
    for buffer in &launch.buffers {
        match expectations
            .iter()
            .find(|expectation| expectation.buffer == buffer.name)
        {
            Some(expectation) => result(launch, memory, buffer, &expectation.values)?,
            None => input(launch, memory, buffer)?,
        }
    }
    Ok(())
}

fn result(
    launch: &PreparedLaunch,
    memory: &MemoryImage,
    buffer: &BufferInfo,
    values: &Values,
) -> Result<(), Mismatch> {
    let got = launch
        .elements(memory, &buffer.name)
        .ok_or_else(|| missing(&buffer.name))?;
    if got.len() != values.len() {
        let what = format!(
            "`{}` has {} elements, the reference {}",
            buffer.name,
            got.len(),
            values.len()
        );
        return Err(Mismatch::Launch { what });
    }
    for (index, got) in got.into_iter().map(Number::to_f64).enumerate() {
        let (wanted, tolerance) = values.at(index);
        // Not a number is never near.
        let near = (got - wanted).abs() <= tolerance;
        if !near {
            return Err(Mismatch::Value {
                buffer: buffer.name.clone(),
                index,
                got,
                wanted,
                tolerance,
            });
        }
    }
    Ok(())
}

fn input(
    launch: &PreparedLaunch,
    memory: &MemoryImage,
    buffer: &BufferInfo,
) -> Result<(), Mismatch> {
    let bytes = |image: &MemoryImage| {
        image
            .slice(buffer.base, buffer.size_bytes())
            .map(<[u8]>::to_vec)
    };
    let (before, after) = (bytes(&launch.memory), bytes(memory));
    let (Ok(before), Ok(after)) = (before, after) else {
        return Err(missing(&buffer.name));
    };
    match before
        .iter()
        .zip(&after)
        .position(|(before, after)| before != after)
    {
        Some(byte) => {
            let index = byte / ElementType::size_bytes(buffer.element) as usize;
            Err(Mismatch::InputChanged {
                buffer: buffer.name.clone(),
                index,
            })
        }
        None => Ok(()),
    }
}

/// Bound on the rounding error of a sum of `terms` products in `f32`, of which `magnitude` is the sum of absolute
/// values: each of the operations rounds by at most 2^-24 of what it has so far; twice that for the inputs' own
/// roundings.
pub(super) fn sum_tolerance(terms: usize, magnitude: f64) -> f64 {
    2.0 * (terms + 1) as f64 * magnitude / f64::from(1 << 24)
}
