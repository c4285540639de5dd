//! After the run: compare buffers and save them.

use std::fmt;
use std::path::{Path, PathBuf};

use super::element::{ElementType, Number};
use super::error::LaunchError;
use super::npy::{read_npy, write_npy};
use super::prepare::{BufferInfo, PreparedLaunch, missing};
use super::spec::Expected;
use crate::memory::image::MemoryImage;

/// What one `[[check]]` found.
#[derive(Debug)]
pub struct CheckResult {
    /// The buffer that was compared.
    pub buffer: String,
    /// With what: a file or a buffer, as written.
    pub expected: String,
    /// What came out.
    pub outcome: CheckOutcome,
}

/// The end of one comparison.
#[derive(Debug)]
pub enum CheckOutcome {
    /// Every element agrees.
    Passed {
        /// Elements compared.
        elements: u64,
    },
    /// Some elements differ.
    Differs {
        /// How many.
        count: u64,
        /// Index of the first.
        first: u64,
        /// What the kernel left there.
        got: Number,
        /// What should be there.
        wanted: Number,
    },
    /// The comparison could not be made.
    Failed(LaunchError),
}

impl CheckResult {
    /// Whether every element agrees.
    pub fn passed(&self) -> bool {
        matches!(self.outcome, CheckOutcome::Passed { .. })
    }
}

impl fmt::Display for CheckResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            buffer,
            expected,
            outcome,
        } = self;
        match outcome {
            CheckOutcome::Passed { elements } => {
                write!(f, "`{buffer}` equals {expected} in all {elements} elements")
            }
            CheckOutcome::Differs {
                count,
                first,
                got,
                wanted,
            } => write!(
                f,
                "`{buffer}` differs from {expected} in {count} elements, first at index {first}: {got}, expected {wanted}"
            ),
            CheckOutcome::Failed(error) => write!(f, "{error}"),
        }
    }
}

impl PreparedLaunch {
    /// Makes the comparisons of the launch file on memory after the run, in order.
    pub fn check(&self, image: &MemoryImage) -> Vec<CheckResult> {
        self.checks
            .iter()
            .map(|spec| {
                let buffer = &self.buffers[spec.buffer];
                let (expected, data) = match &spec.expected {
                    Expected::Npy(file) => (
                        file.clone(),
                        read_npy(
                            &self.base_dir.join(file),
                            buffer.element,
                            Some(buffer.length),
                        ),
                    ),
                    Expected::Buffer(index) => {
                        let other = &self.buffers[*index];
                        (
                            format!("`{}`", other.name),
                            bytes(image, other).map(<[u8]>::to_vec),
                        )
                    }
                };
                let outcome = data
                    .and_then(|wanted| Ok((bytes(image, buffer)?, wanted)))
                    .map(|(got, wanted)| compare(buffer.element, got, &wanted, spec.abs, spec.rel))
                    .unwrap_or_else(|error| {
                        CheckOutcome::Failed(error.or_at(&self.source, spec.span.clone()))
                    });
                CheckResult {
                    buffer: buffer.name.clone(),
                    expected,
                    outcome,
                }
            })
            .collect()
    }

    /// Writes the files that the launch file asks for into `dir` and returns their paths.
    ///
    /// # Errors
    /// A file cannot be written, or its shape does not fit. Files written before stay.
    pub fn save(&self, image: &MemoryImage, dir: &Path) -> Result<Vec<PathBuf>, LaunchError> {
        self.saves
            .iter()
            .map(|spec| {
                let buffer = &self.buffers[spec.buffer];
                let path = dir.join(&spec.file);
                let one_axis = [buffer.length];
                let shape = spec.shape.as_deref().unwrap_or(&one_axis);
                bytes(image, buffer)
                    .and_then(|bytes| write_npy(&path, buffer.element, shape, bytes))
                    .map_err(|error| error.or_at(&self.source, spec.span.clone()))?;
                Ok(path)
            })
            .collect()
    }
}

fn bytes<'i>(image: &'i MemoryImage, buffer: &BufferInfo) -> Result<&'i [u8], LaunchError> {
    image
        .slice(buffer.base, buffer.size_bytes())
        .map_err(|fault| missing(&buffer.name, fault))
}

fn compare(element: ElementType, got: &[u8], wanted: &[u8], abs: f64, rel: f64) -> CheckOutcome {
    let size = element.size_bytes() as usize;
    let mut count = got.len().abs_diff(wanted.len()) as u64 / size as u64;
    let mut first = None;
    let mut elements = 0;
    for (index, (got, wanted)) in got
        .chunks_exact(size)
        .zip(wanted.chunks_exact(size))
        .enumerate()
    {
        elements += 1;
        let agree = got == wanted || {
            let (got, wanted) = (
                element.decode(got).to_f64(),
                element.decode(wanted).to_f64(),
            );
            element.is_float()
                && ((got.is_nan() && wanted.is_nan())
                    || (wanted.is_finite()
                        && (abs > 0.0 || rel > 0.0)
                        && (got - wanted).abs() <= abs + rel * wanted.abs()))
        };
        if !agree {
            count += 1;
            first.get_or_insert((index as u64, element.decode(got), element.decode(wanted)));
        }
    }
    match first {
        Some((first, got, wanted)) => CheckOutcome::Differs {
            count,
            first,
            got,
            wanted,
        },
        None if count > 0 => {
            let tail =
                |bytes: &[u8]| element.decode(bytes.get(elements * size..).unwrap_or_default());
            CheckOutcome::Differs {
                count,
                first: elements as u64,
                got: tail(got),
                wanted: tail(wanted),
            }
        }
        None => CheckOutcome::Passed {
            elements: elements as u64,
        },
    }
}
